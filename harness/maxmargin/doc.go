// Package maxmargin finds the weights of largest margin of an instance, with a
// proof of how close to the largest theirs is.
//
// The margin of weights W ∈ R^{d_out×d_in} is the least lead of a target over a
// competitor, min_{μ,ρ≠μ} ⟨W, X_μρ⟩/‖W‖_F, with X_μρ = (u_μ − u_ρ) e_μᵀ and so
// ⟨W, X_μρ⟩ = S_μμ − S_μρ. The hard-margin problem and its dual are
//
//	K* = max_W min_{μ,ρ≠μ} ⟨W, X_μρ⟩/‖W‖_F  =  min_{λ≥0} ‖Σ λ X‖_F / Σ λ,
//
// where any W bounds K* from below and any λ from above. At the solution
// Σ λ X ∝ W, and λ > 0 only where the margin is attained: the support vectors.
// In units with margin 1 it is min ½‖W‖² subject to ⟨W, X_μρ⟩ ≥ 1.
//
// The solver keeps a working set of pairs, extended by the pairs that scans of
// all scores find violated, and applies the method of multipliers to it
// ([Rockafellar76]): λ ← (λ + σ(1 − ⟨W, X⟩))_+ at the minimiser W of
//
//	½‖W‖² + 1/(2σ) Σ (λ + σ(1 − ⟨W, X⟩))_+²,
//
// which is found by Newton's method with conjugate gradients: piecewise
// quadratic and strongly convex, it has the generalised Hessian
// 1 + σ Σ_{active} x xᵀ ([ZST10]), applied without a matrix. Vectors that are much
// longer in some directions than in others, as words are, make it ill-conditioned:
// it is solved in the principal axes of keys and of values, preconditioned by a
// deterministic equivalent of its resolvent there ([HLN07]). What is claimed is
// computed in the coordinates of the instance.
//
// References:
//
//   - [Rockafellar76] R. T. Rockafellar, Augmented Lagrangians and applications
//     of the proximal point algorithm in convex programming, Math. Oper. Res. 1
//     (1976) 97.
//   - [ZST10] X.-Y. Zhao, D. Sun, K.-C. Toh, A Newton-CG augmented Lagrangian
//     method for semidefinite programming, SIAM J. Optim. 20 (2010) 1737.
//   - [HLN07] W. Hachem, P. Loubaton, J. Najim, Deterministic equivalents for
//     certain functionals of large random matrices, Ann. Appl. Probab. 17 (2007)
//     875.
//   - [Higham02] N. J. Higham, Accuracy and Stability of Numerical Algorithms,
//     2nd ed., SIAM 2002, section 3.1.
package maxmargin
