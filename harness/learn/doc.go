// Package learn trains the weights of a linear associative memory.
//
// Weights W ∈ R^{d_out×d_in} give candidate ρ of input μ the score
// S_μρ = u_ρᵀ W e_μ. Training minimises the softmax cross-entropy, summed over
// the inputs,
//
//	L(W) = Σ_μ [ log Σ_ρ exp S_μρ − S_μμ ],   ∂L/∂W = −Σ_{μ,ρ≠μ} λ_μρ X_μρ,
//	X_μρ = (u_μ − u_ρ) e_μᵀ,   λ_μρ = exp S_μρ / Σ_ρ' exp S_μρ',
//
// over all W, or over W = Q Rᵀ of rank m. Since ⟨W, X_μρ⟩ = S_μμ − S_μρ, the
// same pass bounds from above the margin that any weights can reach, for every
// choice of λ ≥ 0 and so at any time of a training:
//
//	max_W min_{μ,ρ≠μ} (S_μμ − S_μρ)/‖W‖_F  ≤  ‖Σ λ X‖_F / Σ λ.
//
// With a ridge λ the objective is J = L + (λ/2) ‖W‖²_F; loss and bound stay
// those of the data. The rules are Hebb's, W = Σ_μ u_μ e_μᵀ; Adam ([KB15]) and
// gradient descent on J/p; and L-BFGS ([NW06], algorithms 3.5 and 7.5) on J.
//
// [Train] runs a rule to its end; a [Trainer] runs it to a budget of passes and
// on, a [State] saves it in between, and none of that changes a bit of the
// result. Rules see an instance through an [Evaluator] only; the package
// conformance holds the laws that all of them obey.
//
// References:
//
//   - [KB15] D. P. Kingma, J. Ba, Adam: a method for stochastic optimization,
//     ICLR 2015, arXiv:1412.6980, algorithm 1.
//   - [NW06] J. Nocedal, S. J. Wright, Numerical Optimization, 2nd ed.,
//     Springer 2006.
//   - [Higham02] N. J. Higham, Accuracy and Stability of Numerical Algorithms,
//     2nd ed., SIAM 2002, section 3.1.
package learn
