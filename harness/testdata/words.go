// Package testdata holds real word vectors, so that what is said of random vectors can be held
// against them anywhere. Their source and licence (public domain) are in README.md.
package testdata

import _ "embed"

var (
	//go:embed glove_words_1500x100.npy
	vectors string
	//go:embed glove_words_1500.txt
	words string
)

// Vectors is the .npy file, of format 1.0: float32, little-endian, C order, 1500×100.
func Vectors() string { return vectors }

// Words are the words of its rows, one on a line.
func Words() string { return words }
