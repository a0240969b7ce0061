// Package trial decides whether instances can be stored.
//
// An instance is storable when weights W exist with S_μμ > S_μρ for every
// input μ and every other candidate ρ. Training looks for them and bounds what
// any weights can reach; with X_μρ = (u_μ − u_ρ) e_μᵀ and λ the softmax weights,
//
//	stored:        a W whose every ⟨W, X_μρ⟩ exceeds its round-off: a witness
//	not storable:  ‖Σ λ X‖_F/Σ λ < tolerance: no W has a normalised margin
//	               min ⟨W, X_μρ⟩/‖W‖_F above the tolerance
//	undecided:     neither was found within the budget
//
// The bound holds for all W, hence for those of any rank; that an instance
// cannot be stored at a rank below the full one is never shown by it alone,
// and failed restarts prove nothing. Undecided instances count as neither.
//
// Trials are independent: trial t of a cell draws from the stream (master seed,
// experiment, cell, t), so results do not depend on the number of threads.
package trial
