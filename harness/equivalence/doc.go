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
// Measured at d = 12, 16, 24, 32, 48, 64 and 96 (300 to 24 instances a load): the excess of
// OP's half-point over DP's is 0.0323(24), 0.0322(17), 0.0288(16), 0.0239(18), 0.0201(17),
// 0.0196(17), 0.0156(14), that is 0.11 rising to 0.18 times d_out/p_c, as
// [lamcap/saddle.OriginalFacts] says within its estimate of what it leaves out. Over these
// sizes it falls like d^(−0.36±0.04) or (p_c/d_out)^(−0.62±0.07), and a line in 1/d does not
// extrapolate to 0: the coefficient is not constant, and no power law is asymptotic here.
//
// References:
//
//	[Sze]  G. J. Székely, M. L. Rizzo, Energy statistics: a class of statistics based on
//	       distances, J. Statist. Plann. Inference 143 (2013) 1249-1272.
package equivalence
