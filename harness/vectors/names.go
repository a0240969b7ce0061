package vectors

import (
	"errors"
	"fmt"

	"lamcap/internal/files"
)

// ReadNames reads the words of vectors that are in a .npy file, one a line, for
// [Set.SetNames]. It returns an error if a word appears twice. Spaces within a
// word stay, blank lines are passed over.
func ReadNames(path string) ([]string, error) {
	file, err := files.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, files.Cause(err))
	}
	defer file.Close()
	in := newLines(file)
	var names []string
	atLine := make(map[string]int)
	for {
		line, ok, err := in.next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if !ok {
			break
		}
		name := string(line)
		if first, ok := atLine[name]; ok {
			return nil, fmt.Errorf("%s: %w", path, in.fail("%q is the word of line %d, too: want different words", name, first))
		}
		atLine[name] = in.number
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: %w", path, errors.New("no words: want one a line"))
	}
	return names, nil
}
