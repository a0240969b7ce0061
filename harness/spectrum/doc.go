// Package spectrum compares the singular values of trained memories with the laws
// that theory has for them.
//
// The prediction ([Giorlandino26]) is that at capacity the optimal W of rank m has
// the spectrum of a Gaussian matrix truncated to its m largest singular values:
// with κ = m/min(d_out, d_in) and x_κ the cut of package quartercircle,
//
//	F(x) = 1 − κ(x)/κ,   x_κ ≤ x ≤ b,   κ(x) = ∫_x^b ρ,
//
// ρ the quarter circle, or Marchenko and Pastur's law for d_out ≠ d_in. Singular
// values are rescaled by the norm of W alone,
//
//	x_i = σ_i/‖W‖_F · √(min(d_out, d_in) I(κ)),   so that Σ x_i²/m = I(κ)/κ = ∫ x² dF,
//
// and every other law is brought to the same second moment: that of a product of
// Gaussian factors Q Rᵀ, with which training at a low rank begins, and the law
// without its cut.
//
// Distances between the empirical F_m of m values and a law are
//
//	Kolmogorov-Smirnov  sup |F_m − F|,   Wasserstein-1  ∫ |F_m − F| dx,
//
// both exact. The singular values of a true Gaussian matrix of that size are a
// distance away, too, which decreases like 1/d; so what a distance means is told
// beside that of simulated Gaussian matrices, truncated and rescaled likewise
// ([Reference]).
//
// References:
//
//   - [Giorlandino26] D. Giorlandino, S. Goldt, A. Maillard, Factual recall in
//     linear associative memories: sharp asymptotics and mechanistic insights,
//     arXiv:2605.10795.
//   - [MP] Marchenko, Pastur: Distribution of eigenvalues for some sets of random
//     matrices, Math. USSR Sb. 1 (1967) 457.
//   - [V] D. Voiculescu, Multiplication of certain noncommuting random variables,
//     J. Operator Theory 18 (1987) 223 (the S-transform, for the law of Q Rᵀ).
//   - [DE] Dumitriu, Edelman: Matrix models for beta ensembles, J. Math. Phys. 43
//     (2002) 5830 (the bidiagonal model of a Gaussian matrix).
package spectrum
