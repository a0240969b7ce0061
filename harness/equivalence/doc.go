// Package equivalence compares the original problem (OP, one pool of values for all
// inputs) with the decoupled one (DP, a pool for each) at finite size, and asks how their
// difference shrinks.
//
// Storage: the load p_½ at which half the instances are stored, each decided by a witness
// or a proof, against p_c D = d_in d_out; and the fraction stored next to p_c, as a paired
// difference. Training beyond capacity, to the minimum of the cross-entropy: accuracy,
// loss, norm, scores and spectra, as paired differences. Trial t of both problems has the
// same keys; instances are the independent unit.
//
// A difference Δ(d) is fitted by
//
//	Δ = c d^(−a)                    a with the interval of the likelihood ratio
//	Δ = Δ_∞ + b/d [+ c/d²]          Δ_∞ with its interval: is 0 in it?
//
// by [lamcap/harness/stats.Scaling], which copes with noise and with either sign.
//
// References:
//
//	[Sze]  G. J. Székely, M. L. Rizzo, Energy statistics: a class of statistics based on
//	       distances, J. Statist. Plann. Inference 143 (2013) 1249-1272.
package equivalence
