// Package reproduce has the grids behind the paper's kinds of figure: capacity by rank,
// the transition and its half-point by dimension, recall beyond capacity, singular
// values and scores.
//
// A grid is a file of this package for each [Size]. Packages sweep and report run it
// and report on it, like any other.
//
// References:
//
//   - [Giorlandino26] D. Giorlandino, S. Goldt, A. Maillard, Factual recall in linear
//     associative memories: sharp asymptotics and mechanistic insights,
//     arXiv:2605.10795.
package reproduce
