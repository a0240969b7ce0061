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
// and the whole transition, [Transition.Probability], its normal form
// [Transition.Normal], its quantiles [Transition.Facts], [Transition.FactsAmong] and
// [Transition.Weights],
//
//	P(storable) = 2 Σ_{j = N−1, N−3, … ≥ 0} c_j,  c = v^{*p},
//
// with, for outputs in few dimensions, the chance that all targets are vertices of
// their pools, [Transition.Decoupled] and [Transition.Hull].
//
// The largest margin K* of the normalised scores, [Margin], and the capacity at a
// given margin, [FactsAtMargin], [FactsAtMarginAmong],
// [MarginSolution],
//
//	p · D_n(K*) = N_eff,
//
// at score level, d → ∞; at d = 24 the largest margins are some 20% smaller.
//
// At finite d_out, d_in → ∞: [MarginOfVectors] and, with keys of the lengths of d_in, [MarginOfKeys], from the exact [VectorDimension] for values
// with normal entries and the first order in 1/d_out, [CorrectedDimension].
//
// Below capacity at finite n, the overlap of two solutions and their entropy: [Volume],
//
//	Φ(q) = ½ log(1 − q) + q/(2(1 − q)) + γ E_t log P(√q t + √(1 − q) z ∈ C_n).
//
// One pool of values for all inputs, resummed in d_out/p: [OriginalFacts],
//
//	p_½ D_{p_½} = N + G,
//
// with G from the responses of the cone to the values that inputs share.
//
// Other criteria than the recall of every input: a fraction ε may fail,
// [MinimalErrors], [FactsWithErrors], [FactsWithErrorsAmong] ([gardnerderrida]),
//
//	γ E[dist²; dist² ≤ c] = 1,   ε = P(dist² > c);
//
// the target is among the k best, [FactsTop], [FactsTopAmong]; its score exceeds the
// mean of the competitors' upper tail, [TailAverageCapacity] ([tam]). The first two
// ask for sets that are not convex: what is given is an upper bound on the number of
// facts ([gordon]) and the replica-symmetric value, which is unstable ([bouten]).
//
// Hebb's rule, whose recall fails long before capacity: [HebbItemRecall] in the
// limit, [HebbItemRecallDecoupledCorrected] and [HebbItemRecallOriginal] at the
// level of vectors, where trainable memories are, the latter by expectation
// propagation ([minka]); [HebbTypicalThreshold], [HebbAllThreshold].
//
// What training to the minimum of a loss reaches, below and beyond capacity,
// [SolveTraining]: with s = prox_{χℓ}(r g),
//
//	γ E‖r g − s‖² = r²,   γ E[g·(r g − s)] = r (1 − λχ/N).
//
// For the cross-entropy s_ρ = r t_ρ − w_ρ, s_0 = r t_0 + χ − w_0 with w = χπ, π the softmax
// weights, w_ρ + log w_ρ = r t_ρ − x, and the level x such that Σ w = χ. The law of x is
// that of a sum of independent terms: with J = Σ w/(1 + w) = −∂Σw/∂x,
//
//	E F = ∫ dx (1/2πi) ∫ dz E[F J e^{z(χ − Σ w)}],
//
// and for sums F over candidates, as ‖r g − s‖², products of transforms of one
// candidate. With u = log w as the variable, t = (x + u + e^u)/r is explicit: the
// transforms are integrals over u of functions that are entire in u and z. The
// contour in z passes through the real saddle point and leans left at its ends,
// where small w alone are left; there the line of u is turned below the real axis.
// The hinge is the same with t = (x + e^u)/r. [SampleTraining] is the independent
// check. [Trained.ScoreLaws] are the laws of the correct score and of the largest competitor, with
// one push fixed and the others in the integral.
//
// The same for the cross-entropy to first order in 1/d_out, [SolveTrainingCorrected], and
// in 1/d_in for the lengths of keys, [TrainingCorrection] (derivation in corrected.go): with
// J = ∂z/∂(r g), z = (r g − s)/χ and values with normal entries,
//
//	δM = ¼ (r² ∂_r² − r ∂_r) M − (χ/2) E[(z·g)² − ‖z‖²] + (χ²/2) E[‖z‖² tr J + zᵀJz],
//
// expanded at the saddle point in log r and log χ.
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
//	[gardnerderrida]  Gardner, Derrida: Optimal storage properties of neural
//	           network models, J. Phys. A 21 (1988) 271.
//	[bouten]   Bouten: Replica symmetry instability in perceptron models, J. Phys.
//	           A 27 (1994) 6021.
//	[gordon]   Gordon: On Milman's inequality and random subspaces which escape
//	           through a mesh in R^n, Lect. Notes Math. 1317 (1988) 84.
//	[tam]      Barnfield, Kim, Nichani, Lee, Lu: Sharp capacity thresholds in
//	           linear associative memory: from winner-take-all to listwise
//	           retrieval, arXiv 2605.05189.
//	[CS]       Crammer, Singer: On the algorithmic implementation of multiclass
//	           kernel-based vector machines, J. Mach. Learn. Res. 2 (2001) 265.
//	[cover]    Cover: Geometrical and statistical properties of systems of linear
//	           inequalities with applications in pattern recognition, IEEE Trans.
//	           Electron. Comput. 14 (1965) 326 (the case n = 2).
//	[KZ]       Kabluchko, Zaporozhets: Absorption probabilities for Gaussian
//	           polytopes and regular spherical simplices, Adv. Appl. Probab. 52
//	           (2020) 588.
//	[minka]    Minka: Expectation propagation for approximate Bayesian inference,
//	           UAI (2001).
//	[ALMT]     Amelunxen, Lotz, McCoy, Tropp: Living on the edge: phase
//	           transitions in convex programs with random data, Inf. Inference 3
//	           (2014) 224.
package saddle
