// Package extremes computes the extremes of n independent standard normals in
// log space, and the winner-take-all cone, whose statistical dimension sets the
// exact capacity of a memory with n candidates.
//
// A memory recalls an input when its score beats those of all n − 1
// competitors, that is when the n scores lie in the winner-take-all cone
//
//	C_n = {s ∈ R^n : s_0 ≥ s_ρ, ρ = 1 … n−1}.
//
// For Gaussian features the scores that W can reach form a uniformly random
// subspace, which by conic integral geometry ([ALMT]) meets C_n^p as long as
//
//	p · D_n ≤ d_out d_in,   D_n = E dist²(g, C_n) = E|A|,
//
// with A the set of competitors that the projection of g onto C_n pushes down.
// [ConeDimension] is D_n, [ConeVariance] is Var|A|, [IntrinsicVolumes] the law of
// |A| with its cumulants ([Volumes]), built from the angles of regular simplices
// ([LogSimplexAngle], kept by a [Simplex]). [ConeDimensionExpansion] and
// [ConeVarianceExpansion] are their expansions for n → ∞, with exact coefficients,
//
//	D_n = 2 log n − 3 log(2 log n) − log 2π + 3 + O(log log n/log n)
//	    = T + 3 − 15/T + 191/(2T²) − …,   T + 3 log T = 2 log(n − ½) − log 2π,
//
// which says why the limit α = p log p/d² = 1/2 is reached at no n in use.
//
// With a margin, C_n^K = {s : s_0 ≥ s_ρ + K}, the same holds for D_n(K) = E dist²(g,
// C_n^K) = E|A_K| + K E(m* + K), dD_n/dK = 2 E(m* + K): [MarginCone], with the laws
// of the scores of the solution of largest margin, correct m* + K, competitors
// min(t_ρ, m*). That is the score level, d → ∞: at finite d margins and other
// lengths have corrections that it lacks; capacity has only the hulls of small d_out
// (saddle.Transition.Decoupled) and, with one shared pool, an excess of a few percent.
//
// If the target only has to be among the k best, the k − 1 largest competitors
// drop out of the distance, D_{n,k} ([TopConeDimension]); the set of scores is not
// convex, and what was a number of tight constraints is a bound.
//
// [LogSurvival], [LogCDF], [SurvivalQuantile] and [CDFQuantile] work with logs of
// probabilities, [MaximumMean], [MaximumQuantile] and [Gumbel] with the largest
// of n normals. n is a float64 from 1 or 2 to 10^300; [SizeFromLog] turns log n
// into it.
//
// References:
//
//	[ALMT]  Amelunxen, Lotz, McCoy, Tropp: Living on the edge: phase transitions
//	        in convex programs with random data, Inf. Inference 3 (2014) 224.
//	[GP]    Gil-Pelaez: Note on the inversion theorem, Biometrika 38 (1951) 481.
//	[LR]    Lugannani, Rice: Saddle point approximation for the distribution of
//	        the sum of independent random variables, Adv. Appl. Prob. 12 (1980)
//	        475 (the line through the saddle point).
//	[JS]    Jacquet, Szpankowski: Analytical depoissonization and its applications,
//	        Theoret. Comput. Sci. 201 (1998) 1.
//	[LLR]   Leadbetter, Lindgren, Rootzén: Extremes and related properties of
//	        random sequences and processes, Springer (1983).
//	[R]     Rogers: The packing of equal spheres, Proc. London Math. Soc. 8 (1958)
//	        609 (vertex angles of the regular simplex).
//	[VS]    Vershik, Sporyshev: Asymptotic behavior of the number of faces of
//	        random polyhedra and the neighborliness problem, Selecta Math.
//	        Soviet. 11 (1992) 181.
//	[BH]    Böröczky, Henk: Random projections of regular polytopes, Arch. Math.
//	        73 (1999) 465.
//	[KZ]    Kabluchko, Zaporozhets: Absorption probabilities for Gaussian polytopes
//	        and regular spherical simplices, Adv. Appl. Probab. 52 (2020) 588.
package extremes
