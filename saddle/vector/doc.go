// Package vector solves the saddle points of linear associative memories at the
// level of vectors: exact for keys in many dimensions d_in → ∞ at fixed dimension
// d_out of the values and fixed number n of candidates, where package saddle, at
// score level, needs d_out → ∞ too.
//
// W e_μ is a vector of R^{d_out} with all n scores of input μ in it,
//
//	s_ρ = u_ρᵀv/√d_out,   v = √d_out W e_μ,
//
// so the scores of an input are no more independent than n numbers made of d_out can
// be. Without that input W e_μ would be r v⁰ with v⁰ ~ N(0, 1), r = ‖W‖_F, and the
// weights give way to it at a cost ‖v − r v⁰‖²/(2χ). What follows is an expectation
// over (v⁰, u_0 … u_{n−1}), the pool drawn as in the experiment.
//
// # Training
//
// [Solve]: the minimum of Σ_μ ℓ_μ + (λ/2)‖W‖² over W has the free energy
//
//	γ M(r, χ) + (λ/N) r²/2 − r²/(2χ),   M = E min_v [ ℓ(s(v)) + ‖v − r v⁰‖²/(2χ) ],
//
// with γ = p/N, N = d_out d_in (N_eff below full rank), which is stationary where
//
//	γ E‖r v⁰ − v‖² = r²,   γ E[v⁰ᵀ(r v⁰ − v)] = r (1 − λχ/N).
//
// (By the minimax theorem of Gaussian processes ([TAH] for one output, and for
// matrices with order parameters W Wᵀ and χ ∈ R^{d_out×d_out}, which are multiples
// of the identity since the law of a pool is isotropic.) The losses are the
// cross-entropy log Σ_ρ e^{s_ρ} − s_0 and the hinge (1 + max_{ρ≠0} s_ρ − s_0)_+.
//
// # Margin
//
// [Margin]: the largest margin K of the normalised scores solves
//
//	p D(K) = N,   D(K) = E dist²(v⁰, {v : s_0 ≥ s_ρ + K for all ρ}).
//
// # Monte Carlo
//
// Expectations are averages over M draws, the same draws at every r, χ or K
// (regenerated from their addresses, not kept), and the equations of the averages
// are solved to round-off with their exact derivatives. So the only error is that
// of the draws, and it is estimated: if θ = (log r, log χ) solves the averages of
// equations f_i(θ), and o_i(θ) is an output of draw i ([V]),
//
//	θ̂ − θ ≈ −J⁻¹ f̄,   ō(θ̂) − E o ≈ mean of  o_i − ō − ∇ōᵀ J⁻¹ f_i,
//
// and the standard error is that of the mean of these influences. Derivatives of
// probabilities, where o_i is an indicator, are kernel estimates. All errors that
// this package returns are standard errors.
//
// Controls make them small: pools are made of normal numbers g_ρ, and t_ρ =
// g_ρᵀv⁰/‖v⁰‖ are n independent scores of the score level, whose squared distances
// from the cone at several margins, and whose largest competitor, have expectations
// known by quadrature (package extremes). Draws are weighed such that the averages
// of these are exact ([SSW]); at d_out = 24 that is worth 10 to 20 times the draws.
//
// Draws are taken in batches, each doubling their number, until the standard errors
// are below a target. What is returned belongs to all draws together. Stopping
// favours samples whose estimated error came out small, which moves a mean by its
// correlation with that error times the spread of the latter: a few percent of a
// standard error with 512 draws, less with more. A root of averages with fitted
// weights has a bias of order 1/M. Both are small against the standard error.
//
// D(K) for K > 0 has no mean where the target can be next to the hull of its
// competitors ([saddle.VectorMoments]); errors mean something where that is too rare
// to be drawn (1e-9 at d_out = 24, n = 115). At d_out = n = 6, say, margins scatter
// by twice their errors, and do not settle.
//
// # Finite d_in
//
// What is exact for d_in → ∞ has corrections at d_in = d_out. In the opposite limit,
// d_out → ∞ at fixed d_in and n, keys play the role of values: with ρ² = ‖e_μ‖²/d_in,
// the score level holds with one change. The scores of a new input have the variance
// e_μᵀ(Wᵀ W)e_μ and W gives way to it by e_μᵀX e_μ, and both Wᵀ W and X are multiples
// of the identity by symmetry once p ∝ d_out is large. So W e_μ is ρ times that of a
// key of norm √d_in,
//
//	s = ρ u·v/√d_out,   losses ℓ(ρ s),   constraints s_0 ≥ s_ρ + K/ρ.
//
// This is the whole correction of order 1/d_in; there is none for keys of norm
// √d_in, nor at K = 0. [Ensemble] includes it for KeyDimension > 0: Gaussian keys
// have ρ² ~ χ²_{d_in}/d_in. What is left is of order 1/(d_in d_out) = 1/N:
// fluctuations between instances, and of the response from input to input.
//
// Trained DP at d_in = d_out = 24 (300 or 400 instances) against this level, Gaussian values:
//
//	                          trained              vector level         without ρ
//	p = 60   K*, sphere keys  1.0795 ± 0.0049      1.0852 ± 0.0034
//	         K*, Gaussian     1.0321 ± 0.0048      1.0443 ± 0.0034      1.0852
//	p = 139  loss, sphere     2.5765 ± 0.0085      2.596 ± 0.011
//	         accuracy         0.3890 ± 0.0025      0.389 ± 0.006
//	         std of s_0/r     0.6757 ± 0.0024      0.671 ± 0.006
//	         norm             3.944  ± 0.024       3.818 ± 0.039
//	         loss, Gaussian   2.5466 ± 0.0086      2.574 ± 0.012        2.596
//	         accuracy         0.4010 ± 0.0026      0.404 ± 0.006        0.389
//	         std of s_0/r     0.7302 ± 0.0026      0.729 ± 0.008        0.671
//	         norm             4.142  ± 0.025       3.972 ± 0.042        3.818
//
// (K* at vector level is 1.0870 exactly, [saddle.MarginOfVectors].) With values of norm
// √d margins are 1.178 ± 0.004 trained, 1.187 ± 0.003 here; with Gaussian keys too 1.129 ±
// 0.004, 1.143 ± 0.003. So what is left is some 0.7% of margins at N = 576. Norms
// at this load, 1.2 times the capacity, are 3 to 4% above: a norm is a convex
// function of how far an instance is from its own capacity, which varies by
// σ = 4%, and (σ/0.2)² is 4%. At p = 231 no difference is seen.
//
// References:
//
//	[TAH] C. Thrampoulidis, E. Abbasi, B. Hassibi, Precise error analysis of
//	      regularized M-estimators in high dimensions, IEEE Trans. Inf. Theory 64
//	      (2018) 5592.
//	[SSW] C.-E. Särndal, B. Swensson, J. Wretman, Model Assisted Survey Sampling,
//	      Springer 1992 (weights that make averages of controls exact).
//	[V]   A. W. van der Vaart, Asymptotic Statistics, Cambridge 1998, section 5.3
//	      (the delta method for roots of averages).
package vector
