// Package vectors reads, checks and preprocesses a user's vectors, and writes
// memories that NumPy reads.
//
// A [Set] is an array of n vectors of d numbers, with the words they belong to
// when the file has them. [Read] takes
//
//	.npy   float32 or float64, either byte order, C or Fortran order, shape (n, d)
//	text   a line per vector: a word and d numbers (GloVe, word2vec), or d numbers
//
// and refuses everything else with what to do about it: nothing in a file is
// believed that the file's size does not back, no pickle is loaded, no number
// that is not finite gets through.
//
// Preprocessing is a chain of steps fitted on one set of vectors and applied to
// it, or to others, by a [Transform]:
//
//	centre  y = x − μ,          μ = (1/n) Σ_i x_i
//	unit    y = x/‖x‖
//	whiten  y = C^(−1/2) (x − μ), C = (1/n) Σ_i (x_i − μ)(x_i − μ)ᵀ
//
// C^(−1/2) is the symmetric root of the pseudo-inverse (ZCA, [KLS]): of all
// whitenings the one whose result is closest to x − μ. Directions in which the
// vectors do not vary, up to the rounding of their numbers, are projected out.
//
// References:
//
//   - [NPY] R. Kern, A simple file format for NumPy arrays, NEP 1; format
//     versions 2.0 and 3.0 in the documentation of numpy.lib.format.
//   - [KLS] A. Kessy, A. Lewin, K. Strimmer, Optimal whitening and
//     decorrelation, The American Statistician 72 (2018) 309.
package vectors
