// Package metric inverts second moments, which serve as a metric for gradients
// and systems of equations.
//
// With M = Σ x xᵀ of vectors x ∈ R^d,
//
//	(M + r (tr M/d) 1)⁻¹,   r = 0.01,
//
// exists also for vectors that do not span the space; and a metric need not be
// exact.
package metric
