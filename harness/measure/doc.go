// Package measure trains memories as far as their rule goes and measures what
// came out: singular values, normalised scores, recall, loss.
//
// Package trial decides: it stops at the first witness or proof. Here a rule runs
// to its end, whatever it recalls on the way:
//
//	cross-entropy  beyond capacity: to the minimum of Σ_μ ℓ_μ, until
//	               ‖∂L/∂W‖_F/Σ λ falls to the gradient tolerance;
//	               below capacity there is no minimum (ℓ → 0 as ‖W‖ → ∞): until
//	               the mean loss falls to the loss tolerance
//	max-margin     to the largest margin (package maxmargin); nothing beyond
//	               capacity, where no weights have one
//	Hebb           W = Σ_μ u_μ e_μᵀ
//
// Of factors W = Q Rᵀ several random starts are trained and the one with the least
// loss is kept: that problem is not convex, and nothing shows that it is the least
// of all.
//
// A problem has the address of a random stream; the same address gives the same
// memory, whatever the number of threads. OP and DP at the same address have the
// same keys.
package measure
