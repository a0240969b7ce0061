package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"lamcap/harness/vectors"
	"lamcap/internal/files"
)

// Source is where vectors come from and what was done to them.
type Source struct {
	Path          string             `json:"path"`
	SHA256        string             `json:"sha256"`
	Preprocessing string             `json:"preprocessing"`
	Transform     *vectors.Transform `json:"transform"`
}

// Sources are those of a memory.
type Sources struct {
	Keys, Values Source
	Pairs        *Source // nil for row with row
}

// Read reads vectors, with words of their own if names is not empty.
func Read(path, names string) (*vectors.Set, error) {
	s, err := vectors.Read(path)
	if err != nil {
		return nil, err
	}
	if names != "" {
		words, err := vectors.ReadNames(names)
		if err != nil {
			return nil, err
		}
		if err := s.SetNames(words); err != nil {
			return nil, fmt.Errorf("%s: %w", names, err)
		}
	}
	return s, nil
}

// Prepare fits preprocessing on vectors, applies it to them, and says so.
func Prepare(s *vectors.Set, p vectors.Preprocessing) (*vectors.Set, Source, error) {
	from := Source{Path: s.Source, Preprocessing: p.String()}
	var err error
	if from.SHA256, err = fileHash(s.Source); err != nil {
		return nil, from, err
	}
	if from.Transform, err = p.Fit(s); err != nil {
		return nil, from, fmt.Errorf("%s: %w", s.Source, err)
	}
	if s, err = from.Transform.Apply(s); err != nil {
		return nil, from, fmt.Errorf("%s: %w", from.Path, err)
	}
	return s, from, nil
}

// PairsSource is that of a file of pairs.
func PairsSource(path string) (*Source, error) {
	hash, err := fileHash(path)
	return &Source{Path: path, SHA256: hash}, err
}

// fileHash is the SHA-256 of a file.
func fileHash(path string) (string, error) {
	file, err := files.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, files.Cause(err))
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Memory is what is stored beside W, so that recall treats vectors as storing did.
type Memory struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// SHA256 is that of the file of W.
	SHA256     string  `json:"sha256"`
	DOut       int     `json:"d_out"`
	DIn        int     `json:"d_in"`
	Rank       int     `json:"rank"`
	Method     string  `json:"method"`
	Outcome    string  `json:"outcome"`
	Exact      bool    `json:"exact"`
	P          int     `json:"p"`
	N          int     `json:"n"`
	Recalled   int     `json:"recalled"`
	Candidates string  `json:"candidates"`
	Seed       string  `json:"seed"`
	Keys       Source  `json:"keys"`
	Values     Source  `json:"values"`
	Pairs      *Source `json:"pairs,omitempty"`
}

const (
	memoryFormat  = "lamcap memory"
	memoryVersion = 1
	// maxMemory is the largest file read: whitening of d = 4096 takes 350 MB.
	maxMemory = 1 << 30
)

// Beside is the name of the file beside that of W.
func Beside(path string) string { return path + ".json" }

// Write writes W to a .npy file, of shape (d_out, d_in), so that u @ W @ e is the
// score of preprocessed vectors in NumPy, and beside it how they were preprocessed:
// both or neither, replacing no file.
func (f *Facts) Write(path string, r *Stored, sources Sources) error {
	s := f.instance.Spec()
	npy := func(w io.Writer) error { return vectors.EncodeNPY(w, s.DOut, s.DIn, r.Weights) }
	// Of what is written, not of the file: another process may put its own there.
	hash := sha256.New()
	if err := npy(hash); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	m := Memory{
		Format: memoryFormat, Version: memoryVersion, SHA256: hex.EncodeToString(hash.Sum(nil)), DOut: s.DOut, DIn: s.DIn, Rank: r.Rank,
		Method: string(r.Method), Outcome: r.Outcome.String(), Exact: r.Exact, P: s.P, N: s.N, Recalled: r.Recalled,
		Candidates: f.candidates.String(), Seed: fmt.Sprint(r.Seed), Keys: sources.Keys, Values: sources.Values, Pairs: sources.Pairs,
	}
	// W last: without the other file it would be recalled with other vectors.
	return files.CreateTogether(
		files.File{Path: Beside(path), Write: func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", " ")
			return e.Encode(m)
		}},
		files.File{Path: path, Write: npy},
	)
}

// ReadMemory reads W and what is beside it; a nil Memory without an error if there
// is no such file.
func ReadMemory(path string) (w *vectors.Set, m *Memory, err error) {
	if w, err = vectors.Read(path); err != nil {
		return nil, nil, err
	}
	beside := Beside(path)
	file, err := files.Open(beside)
	if errors.Is(err, fs.ErrNotExist) {
		return w, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", beside, files.Cause(err))
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxMemory+1))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", beside, err)
	}
	if m, err = parseMemory(text); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", beside, err)
	}
	hash, err := fileHash(path)
	if err != nil {
		return nil, nil, err
	}
	if m.SHA256 != hash || m.DOut != w.Rows || m.DIn != w.Columns {
		return nil, nil, fmt.Errorf("%s: it belongs to another memory than %s, whose SHA-256 is %s: remove it to have vectors taken as they are", beside, path, hash)
	}
	return w, m, nil
}

// parseMemory reads what [Facts.Write] wrote, and believes nothing else.
func parseMemory(text []byte) (*Memory, error) {
	if len(text) > maxMemory {
		return nil, fmt.Errorf("more than %d bytes: want what store wrote", maxMemory)
	}
	m := new(Memory)
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("not what store wrote: %w", err)
	}
	switch {
	case m.Format != memoryFormat:
		return nil, fmt.Errorf("format = %.80q: want %q", m.Format, memoryFormat)
	case m.Version != memoryVersion:
		return nil, fmt.Errorf("version = %d: want %d", m.Version, memoryVersion)
	case m.DOut < 1 || m.DIn < 1:
		return nil, fmt.Errorf("d_out × d_in = %d × %d: want both ≥ 1", m.DOut, m.DIn)
	}
	if _, err := ParseCandidates(m.Candidates); err != nil {
		return nil, err
	}
	for _, side := range []struct {
		name   string
		source Source
		want   int
	}{{"keys", m.Keys, m.DIn}, {"values", m.Values, m.DOut}} {
		t := side.source.Transform
		if t == nil || t.Columns() != side.want {
			return nil, fmt.Errorf("%s: no preprocessing of vectors of %d numbers", side.name, side.want)
		}
		if did := t.Preprocessing().String(); did != side.source.Preprocessing {
			return nil, fmt.Errorf("%s: preprocessing = %.80q, and the steps are %s", side.name, side.source.Preprocessing, did)
		}
	}
	return m, nil
}

// SameFile reports whether a file is the one that a source was read from, by its
// content.
func SameFile(path string, s Source) (bool, error) {
	hash, err := fileHash(path)
	return hash == s.SHA256, err
}
