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
// |A|, and [ConeDimensionExpansion] the asymptotic form
//
//	D_n = 2 log n − 3 log(2 log n) − log 2π + 3 + o(1),
//
// which says why the limit α = p log p/d² = 1/2 is reached at no n in use.
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
//	[LLR]   Leadbetter, Lindgren, Rootzén: Extremes and related properties of
//	        random sequences and processes, Springer (1983).
package extremes
