// Package quartercircle computes the law of the singular values of Gaussian
// matrices and the asymptotic capacity of rank-constrained linear associative
// memories that follows from it.
//
// The singular values of a d×d matrix of i.i.d. N(0,1) entries, divided by √d,
// follow the quarter-circle law as d → ∞. A memory of rank m = κd uses the top
// fraction κ of them, those above the cut x_κ:
//
//	ρ(x) = √(4 − x²)/π,  0 ≤ x ≤ 2
//	κ = ∫_{x_κ}^2 ρ(x) dx,   I(κ) = ∫_{x_κ}^2 x² ρ(x) dx,   α_c(κ) = I(κ)/2
//
// With x = 2 cos θ both integrals are Kepler's function g(x) = x − sin x:
//
//	κ = g(2θ)/π,   I = g(4θ)/(2π)
//
// so the whole law, and its inverses, follow from g and its inverse, evaluated
// by series where differences would cancel (small κ) and through the
// complementary angle π/2 − θ where κ is near 1.
//
// [Rectangular] is the law for d_out ≠ d_in (Marchenko-Pastur), and
// [Spectra.EffectiveDimension] the finite-size sum
//
//	N_eff(d_out, d_in, m) = E Σ_{i≤m} σ_i²(G) → d_out d_in I(κ),
//
// the squared Gaussian width (up to 1/2) of the unit-norm matrices of rank m, which
// replaces the number of weights in the capacity of a rank-constrained memory.
//
// Units: x is a singular value divided by √d (square) or by √max(d_out, d_in)
// (rectangular); κ is a fraction in (0, 1]; α = p log p/(d_out d_in).
//
// References:
//
//	[paper]  Giorlandino, Goldt, Maillard: Factual recall in linear associative
//	         memories: sharp asymptotics and mechanistic insights,
//	         arXiv 2605.10795 (α_c(κ) and the truncated spectrum).
//	[mp]     Marchenko, Pastur: Distribution of eigenvalues for some sets of
//	         random matrices, Math. USSR Sb. 1 (1967) 457.
//	[bs]     Bai, Silverstein: CLT for linear spectral statistics of
//	         large-dimensional sample covariance matrices, Ann. Probab. 32
//	         (2004) 553 (the 1/d correction of the mean).
//	[de]     Dumitriu, Edelman: Matrix models for beta ensembles, J. Math. Phys.
//	         43 (2002) 5830 (the bidiagonal model of a Gaussian matrix).
package quartercircle
