package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"lamcap/harness/trial"
	"lamcap/internal/files"
)

// checkpointMagic opens a file of a training under way.
const checkpointMagic = "lamcap training 1\n"

// readCheckpoint returns the training saved in a file, or nil if there is no
// such file.
func readCheckpoint(path string) (*trial.Saved, error) {
	f, err := files.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint = %s: %w", path, files.Cause(err))
	}
	defer f.Close()
	saved, err := decodeCheckpoint(f)
	if err != nil {
		return nil, fmt.Errorf("checkpoint = %s: %w", path, err)
	}
	return saved, nil
}

func decodeCheckpoint(r io.Reader) (*trial.Saved, error) {
	magic := make([]byte, len(checkpointMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != checkpointMagic {
		return nil, errors.New("the file is no training of lamcap's: want one that train --checkpoint wrote, or a name that is free")
	}
	saved := new(trial.Saved)
	if err := gob.NewDecoder(r).Decode(saved); err != nil {
		return nil, fmt.Errorf("damaged (%w); remove it to begin anew", err)
	}
	return saved, nil
}

// writeCheckpoint replaces the training saved in a file.
func writeCheckpoint(path string, saved *trial.Saved) error {
	err := files.Replace(path, func(w io.Writer) error { return encodeCheckpoint(w, saved) })
	if err != nil {
		return fmt.Errorf("checkpoint = %s: the training could not be saved: %w", path, files.Cause(err))
	}
	return nil
}

func encodeCheckpoint(w io.Writer, saved *trial.Saved) error {
	if _, err := io.WriteString(w, checkpointMagic); err != nil {
		return err
	}
	return gob.NewEncoder(w).Encode(saved)
}
