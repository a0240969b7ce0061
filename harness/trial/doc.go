// Package trial decides whether instances can be stored.
//
// An instance is storable when weights W exist with S_μμ > S_μρ for every
// input μ and every other candidate ρ. Training looks for them, and for a proof
// that there are none; with X_μρ = (u_μ − u_ρ) e_μᵀ,
//
//	stored:        a W whose every ⟨W, X_μρ⟩ exceeds its round-off: a witness
//	not storable:  λ ≥ 0 with ‖Σ λ X‖_F/Σ λ at round-off level: no W has a
//	               normalised margin min ⟨W, X_μρ⟩/‖W‖_F above it, and in most
//	               cases no W at all recalls every input
//	undecided:     neither was found within the budget
//
// Both proofs are those of package proof; [Evidence.Certificate] makes files of
// them. A proof that an instance is not storable holds for all W, hence for
// those of any rank; that it cannot be stored at a rank below the full one is
// never shown otherwise, and failed restarts prove nothing. Undecided instances
// count as neither.
//
// Trials are independent: trial t of a cell draws from the stream (master seed,
// experiment, cell, t), so results do not depend on the number of threads.
// Small instances run side by side, one on each core ([Many]); a large one is
// trained by all of them. A training can be interrupted and taken up again
// ([TrainSession]) and ends as if it had not been.
package trial
