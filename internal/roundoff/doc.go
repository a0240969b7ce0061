// Package roundoff bounds the relative error of a number of roundings.
//
// If |δ_i| ≤ u for i = 1 … k and k u < 1, with u the unit round-off, then
// ([Higham02], lemma 3.1)
//
//	Π (1 + δ_i)^{±1} = 1 + θ,   |θ| ≤ γ_k = k u/(1 − k u),
//
// so that a sum of products with at most k roundings each, taken in any order,
// is off by at most γ_k times the sum of their sizes.
//
// References:
//
//   - [Higham02] N. J. Higham, Accuracy and Stability of Numerical Algorithms,
//     2nd ed., SIAM 2002, sections 3.1 and 3.4.
package roundoff
