// Package proof decides with proof whether an instance can be stored.
//
// With X_μρ = (u_μ − u_ρ) e_μᵀ, the score of the target of input μ exceeds that
// of candidate ρ by ⟨W, X_μρ⟩. By Gordan's theorem exactly one of these exists:
//
//	a witness:    W with ⟨W, X_μρ⟩ > 0 for all μ and ρ ≠ μ,
//	multipliers:  λ ≥ 0, λ ≠ 0, with Σ λ_μρ X_μρ = 0.
//
// [Verify] is the test of a witness, with a bound on the round-off of every
// ⟨W, X⟩. [Refute] looks for multipliers near a minimiser of the
// cross-entropy: with λ its softmax weights, R = Σ λ X, weights 0 ≤ c ≤ λ and δ
// the solution of
//
//	H δ = R,   H δ = Σ c ⟨δ, X⟩ X,
//
// the multipliers λ' = λ − c ⟨δ, X⟩ have Σ λ' X = R − H δ = 0, and are a proof if
// none is negative; c is λ at first, and λ capped at its median once R is small.
// Computed ones leave a residual r = Σ λ' X, and prove two things:
//
//	no W has a normalised margin min ⟨W, X⟩/‖W‖_F above ‖r‖_F/Σ λ',
//	no W at all has all ⟨W, X⟩ > 0, if ‖r‖_F max ‖X‖_F < least eigenvalue of H',
//
// H' being Σ λ' x xᵀ: then λ'(1 − ⟨H'⁻¹ r, X⟩) are not negative and solve
// Σ λ X = 0 exactly. Both are evaluated with rigorous round-off ([Ogita05],
// [Rump06]). [Certificate] is a proof as a file, and [Check] verifies one. It
// trusts nothing of the search that found it: multipliers are assessed by the
// evaluator that [Refute] judges its own by, weights by loops in twice the
// working precision.
//
// References:
//
//   - [Higham02] N. J. Higham, Accuracy and Stability of Numerical Algorithms,
//     2nd ed., SIAM 2002, sections 3.1, 4.2 and 10.1.
//   - [Ogita05] T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product,
//     SIAM J. Sci. Comput. 26 (2005), 1955-1988.
//   - [Rump06] S. M. Rump, Verification of positive definiteness, BIT 46
//     (2006), 433-452.
//   - [NW06] J. Nocedal, S. J. Wright, Numerical Optimization, 2nd ed.,
//     Springer 2006, section 5.1.
package proof
