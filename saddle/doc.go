// Package saddle solves the saddle points and counting laws that turn the
// singular-value law and the winner-take-all cone into predictions for linear
// associative memories.
//
// The limit p → ∞ at fixed load α = p log p/d² ([paper]): [FreeEnergy], [Overlap]
// and [LimitCapacity],
//
//	Φ(q) = ½ log(1 − q) + q/(2(1 − q)) − α/(1 − q),  stationary at q = 2α.
//
// Competitors replaced by a fixed threshold T ([gardner]): [Gardner],
//
//	Φ(q) = ½ log(1 − q) + q/(2(1 − q)) + γ ∫ φ(t) log Q((T − √q t)/√(1 − q)) dt,
//	1/γ_c = E(T − t)_+².
//
// Exact at finite n: [CriticalFacts], [CriticalFactsAmong],
//
//	p_c · D_n = N_eff,
//
// and the whole transition, [StorableProbability] and its normal form
// [StorableProbabilityNormal],
//
//	P(storable) = 2 Σ_{j = N−1, N−3, … ≥ 0} c_j,  c = v^{*p}.
//
// Hebb's rule, whose recall fails long before capacity: [HebbItemRecall] in the
// limit, [HebbItemRecallDecoupledCorrected] and [HebbItemRecallOriginal] at the
// level of vectors, where trainable memories are, the latter by expectation
// propagation ([minka]); [HebbTypicalThreshold], [HebbAllThreshold].
//
// Units: p counts facts (input → output pairs), n candidates per input with the
// target among them, N or N_eff weights; γ = p/N, α = γ log p.
//
// References:
//
//	[paper]    Giorlandino, Goldt, Maillard: Factual recall in linear associative
//	           memories: sharp asymptotics and mechanistic insights,
//	           arXiv 2605.10795.
//	[gardner]  Gardner: The space of interactions in neural network models,
//	           J. Phys. A 21 (1988) 257.
//	[cover]    Cover: Geometrical and statistical properties of systems of linear
//	           inequalities with applications in pattern recognition, IEEE Trans.
//	           Electron. Comput. 14 (1965) 326 (the case n = 2).
//	[minka]    Minka: Expectation propagation for approximate Bayesian inference,
//	           UAI (2001).
//	[ALMT]     Amelunxen, Lotz, McCoy, Tropp: Living on the edge: phase
//	           transitions in convex programs with random data, Inf. Inference 3
//	           (2014) 224.
package saddle
