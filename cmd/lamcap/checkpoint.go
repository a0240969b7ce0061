package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"lamcap/harness/trial"
	"lamcap/internal/files"
)

// checkpointMagic opens a file of a training under way.
const checkpointMagic = "lamcap training 1\n"

// readCheckpoint returns the training saved in a file, or nil if there is no
// such file.
func readCheckpoint(path string) (*trial.Saved, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint = %s: %w", path, files.Cause(err))
	}
	defer f.Close()
	magic := make([]byte, len(checkpointMagic))
	if _, err := io.ReadFull(f, magic); err != nil || string(magic) != checkpointMagic {
		return nil, fmt.Errorf("checkpoint = %s: the file is no training of lamcap's: want one that train --checkpoint wrote, or a name that is free", path)
	}
	saved := new(trial.Saved)
	if err := gob.NewDecoder(f).Decode(saved); err != nil {
		return nil, fmt.Errorf("checkpoint = %s: damaged (%w); remove it to begin anew", path, err)
	}
	return saved, nil
}

// writeCheckpoint replaces the training saved in a file.
func writeCheckpoint(path string, saved *trial.Saved) error {
	err := files.Replace(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, checkpointMagic); err != nil {
			return err
		}
		return gob.NewEncoder(w).Encode(saved)
	})
	if err != nil {
		return fmt.Errorf("checkpoint = %s: the training could not be saved: %w", path, files.Cause(err))
	}
	return nil
}
