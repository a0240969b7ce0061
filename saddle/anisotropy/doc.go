// Package anisotropy says what the covariances of keys and of values change, and what a given
// pool of values costs.
//
// # What does not change
//
// Recall compares scores, S_μρ − S_μν = (u_ρ − u_ν)ᵀ W e_μ. With keys B e_μ and values
// A u_ρ + b, A and B invertible, the weights A^{−T} W B^{−1} give the same differences. So
// whether facts are storable, or how many can be recalled at most, is a property of the
// vectors up to such maps, at any rank of W. Gaussian keys and values of any covariances are
// isotropic ones to storage:
//
//	p_c D_n = rank(C_K) · rank(C_V)
//
// (or p_c D_n = N_eff(rank, rank, m) at rank m). An effective dimension in place of
// d_in d_out, as the product of participation ratios (tr C)²/tr C², is wrong for storage: it
// would halve p_c where simulation finds no change. For the same reason the accuracy of a
// loss's unregularised minimiser depends on no covariance. (A mean of the keys is not
// removed by a linear map; it is of no account as long as it is one direction of many.)
//
// # A given pool
//
// [PoolDimension]: for values that are not Gaussian, D_n is replaced by the mean of D_μ
// over the targets, for the pool as it is.
package anisotropy
