// Package accuracy compares functions with reference values in tests and
// collects the largest errors in a table.
//
// The error of a value f against a reference r of more than 20 digits is
//
//	|f − r|/|r|  (relative)  or  |f − r|  (absolute),
//
// taken in extended precision, so that neither the rounding of r to a float64
// nor the difference adds to it. Where the reference belongs to a decimal input and f was
// evaluated at the nearest float64, [Number.At] moves r to that input.
package accuracy
