// Package report makes a report of a sweep's records, and of nothing else: what was
// measured, the theory beside it, and the verdicts.
//
// Each section is there where records for it are:
//
//	capacity         α_c(κ): the load where half of the instances are stored, by rank
//	stored_fraction  fractions stored against the load, and P(storable)
//	half_points      half-points against d: theory, its expansion, and the limit 1/2
//	accuracy         recall beyond capacity, trained and by Hebb's rule
//	singular_values  spectra against the (truncated) quarter circle
//	scores           scores of targets and of the largest others, with their laws
//
// Instances are independent, and so are cells at different loads; rules and models
// at one load share keys, so rows of OP and DP at one load are not independent.
// Cells that differ in their experiment or seed alone are one: their trials come from
// different streams. Every measured number has an interval, every predicted one its
// error, and all tests are judged together by Holm's procedure, which holds for any
// dependence.
//
// [Build] gives the same document for the same records in any order; times in it
// are those that records tell.
package report
