// Package constraint keeps sparse sets of the linear constraints that a memory
// has to meet, with their linear algebra.
//
// Input μ with key e_μ and target u_μ is recalled when S_μμ > S_μρ for every
// other candidate ρ of its pool. Each such pair (μ, ρ) is a linear form of the
// weights W ∈ R^{d_out×d_in},
//
//	X_μρ = (u_μ − u_ρ) e_μᵀ,   ⟨W, X_μρ⟩ = S_μμ − S_μρ,   S_μρ = u_ρᵀ W e_μ.
//
// A [Set] lists some of the pairs i = (μ, ρ) and computes, for weights W and
// multipliers c,
//
//	Forward:   ⟨W, X_i⟩ of all i        V = E Wᵀ, then (u_μ − u_ρ)·v_μ
//	Backward:  G = Σ_i c_i X_i          f_μ = Σ_ρ c_μρ (u_μ − u_ρ), then G = Fᵀ E
//
// with E (P×d_in) the keys, V and F (P×d_out). The two matrix products take
// 2·P·d_out·d_in operations each, and a pair 2·d_out more. Both come with a
// bound on their round-off ([Higham02]). [Set.ForwardScaled] followed by
// [Set.Backward] applies a Hessian Σ c x xᵀ. A [Scanner] passes over all scores
// of an instance, strip by strip, and selects sets.
//
// Every sum is taken in a fixed order: results do not depend on the number of
// threads.
//
// References:
//
//   - [Higham02] N. J. Higham, Accuracy and Stability of Numerical Algorithms,
//     2nd ed., SIAM 2002, section 3.1.
package constraint
