// Package accuracy measures recall beyond capacity: the fraction of inputs that the
// minimiser of the cross-entropy recalls, against the load α = p log p/d², n = p, beside
// what theory says of it.
//
//	simulation    OP and DP, trained to the minimum; an instance that is stored, with a
//	              witness, counts as 1: there the infimum is reached in a direction that
//	              recalls everything
//	score level   saddle point in (r, χ) with independent competitors, d → ∞ at fixed load
//	vector level  the same with the competitors in R^d, d_in → ∞
//	Hebb          W = Σ u_μ e_μᵀ, keys and values of norm √d, simulated and by its laws
//	limit         d → ∞ at fixed α: 1 below α = 1/2 and 0 above
//
// Instances are the independent unit: means are over instances, intervals are
// Student's.
package accuracy
