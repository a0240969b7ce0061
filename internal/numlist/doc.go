// Package numlist reads lists of numbers as people write them on a command line.
//
// A list is items separated by commas; an item is a number or a range,
//
//	number  0.25   1e3   -2.5E-3   inf
//	range   start:stop        start, start+1, …            up to stop (integers)
//	        start:stop:step   start, start+step, …         up to stop (down for a negative step)
//
// Ranges are computed in exact decimal arithmetic and each value is rounded
// once, so 0.1:1:0.1 holds the very float64 values of the literals 0.1, 0.2,
// 0.3, …, 1. The stop is included when the last step reaches it to within the
// rounding of a float64.
package numlist
