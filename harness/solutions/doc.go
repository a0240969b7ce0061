// Package solutions samples the weights that store an instance, uniformly.
//
// The weights that store an instance form an open convex cone,
//
//	{W : ⟨W, X_μρ⟩ > 0 for all μ, ρ},   X_μρ = (u_μ − u_ρ) e_μᵀ.
//
// A standard normal W restricted to it has a direction W/‖W‖_F that is uniform in it.
// It is sampled by exact Hamiltonian dynamics with reflections ([PP]): with
// normal velocities V, W moves along W cos t + V sin t, which keeps the normal law,
// and V is reflected at every wall met on the way. No step size, no rejection: the
// only error is the correlation along the chain.
//
// The overlap of an instance is the mean cosine of two independent samples, ⟨cos⟩ =
// ‖E W/‖W‖‖², estimated as the product of the mean directions of two chains
// that share nothing but their start ([Overlap]).
//
// References:
//
//	[PP] A. Pakman, L. Paninski, Exact Hamiltonian Monte Carlo for truncated
//	     multivariate Gaussians, J. Comput. Graph. Stat. 23 (2014) 518.
package solutions
