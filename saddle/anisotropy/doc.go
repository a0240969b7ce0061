// Package anisotropy says what the covariances of keys and of values change, and what a given
// pool of values costs.
//
// # What does not change
//
// Recall compares scores, S_μρ − S_μν = (u_ρ − u_ν)ᵀ W e_μ. With keys B e_μ and values
// A u_ρ + b, A and B invertible, the weights A^{−T} W B^{−1} give the same differences. So
// whether facts are storable, or how many can be recalled at most, is a property of the
// vectors up to such maps, at any rank of W. Gaussian keys and values of any covariances are
// isotropic ones to storage:
//
//	p_c D_n = rank(C_K) · rank(C_V)
//
// (N_eff of those ranks for a W of lower rank). An effective dimension in place of d_in d_out,
// as the product of participation ratios (tr C)²/tr C², is wrong for storage. For the same
// reason the accuracy and the loss of the unregularised minimum of a training loss, above
// capacity, depend on no covariance. A mean of the values is removed too, and the lengths of
// keys are of no account; a mean of the keys is removed by no linear map: it gives the memory a
// bias, see below.
//
// Covariances count where lengths do: for margins per ‖W‖_F, for Hebb's rule, and for
// whatever stops training before its end, a ridge, a budget of steps, a precision.
//
// # Margins
//
// [Margin]: minimise ‖W‖² such that every fact leads by 1. In the eigenbases of the
// covariances the feature (u_μ − u_ρ) e_μᵀ has directions a = (i, j) of variance
// σ_a² = λ^V_i λ^K_j. At score level (d → ∞), with Gaussian features, the theorem of [Gordon]
// and [TAH] makes it: minimise Σ w_a² subject to
//
//	r √(p D(K)) ≤ Σ_a h_a σ_a w_a,   r² = Σ σ_a² w_a²,   K = 1/r,
//
// h_a standard normal, D(K) = E dist²(g, C_n^K) as in package saddle: normalised scores, of
// variance 1, have to be moved by √D each, and W pays for it. For given r
//
//	w_a = β h_a σ_a/(1 + νσ_a²),   β = r √(pD)/Σ f,   f_a = σ_a²/(1 + νσ_a²),
//
// where h² is replaced by its mean; r² = Σσ²w² gives the first equation, and stationarity in r,
// β d(r√(pD(1/r)))/dr = νr, the second:
//
//	p D(K) = (Σ f)²/Σ f² =: N_eff(ν),
//	ν Σ f²/Σ f = 1 − K D′/(2D) = E|A_K|/D,   that is   Σ νσ²/(1 + νσ²) = p E|A_K|,
//	margin = 1/‖w‖ = K (Σ f²/Σ f(1 − νf))^{1/2},
//
// since D = E|A_K| + K D′/2. The number of support vectors is the number of degrees of freedom
// of a ridge regression with penalty 1/ν. N_eff(ν), the number of directions that the margin
// uses, is a function of the load: the product of participation ratios for ν → 0, few facts,
// where W is Hebb's rule on the directions; the number of weights for ν → ∞, at
// capacity, where p D_n = N, as invariance has it. There the margin is the isotropic one
// over √⟨1/σ²⟩: it is set by the directions of least variance.
//
// The sums run over d_in d_out products. They are smooth functions of log σ², so for large
// spectra products are replaced by few nodes that give the same sums to 14 digits
// (products.go).
//
// At finite d margins are smaller: scores of an input are those of one vector W e_μ, and lengths
// vary. That factor hardly depends on the spectra: [MarginAtDimensions] takes it from
// saddle.MarginOfKeys for isotropic vectors, which is no derivation. Trained memories at d = 24
// and 48 agree to 2% for spectra ∝ 1/i at a quarter and half of capacity, to (4 ± 3)% at three
// quarters, to 5% for 1/i², and are 6% below at p = 6 (lamcap/harness/anisotropy has the table). A derivation for values
// of any covariance would have order parameters for every direction, W C_K Wᵀ and its response
// as diagonal matrices in the eigenbasis of C_V, and a projection in that metric.
//
// # Training
//
// [SolveTraining]: with a loss ℓ and a ridge λ the same steps give the free energy
//
//	p M(r, χ) + b²χ/2 − (b²/2) Σ σ²/(λ + νσ²) − νr²/2,   M = E min_s [ℓ(s) + ‖r g − s‖²/(2χ)],
//
// b the length of the dual variable, ν that of r² = Σσ²w², w = b h σ/(λ + νσ²). It is
// stationary, with f = σ²/(λ + νσ²), where
//
//	χ = Σ f,   p E‖r g − s‖² = r² (Σ f)²/Σ f²,   p E[g·(r g − s)] = r ν Σ f,
//
// the equations of isotropic vectors with N_eff = (Σ f)²/Σ f² weights and the ridge
// N_eff/Σ f − ν. For λ = 0 f does not depend on σ, N_eff = N, and only ‖W‖² = r² ⟨1/σ²⟩
// knows of the spectra, as invariance has it. A ridge, as early stopping, thus
// takes away directions: N_eff of them are trained.
//
// # Hebb's rule
//
// For W = Σ u_μ e_μᵀ the signal is tr C_V tr C_K and a competitor's variance
// p tr C_V² tr C_K²: d_in d_out is replaced by the product of participation ratios,
// [HebbDimension]; with means, [Hebb.Dimension]. At trainable sizes the leading order is off
// by 0.1 and more, since W e_μ contains u_μ and lengths vary by tr C²/(tr C)²; for DP
// [Hebb.ItemRecall] is exact. Recall simulated (20,000 items, ± 0.0035) and predicted, n = p, λ_i
// ∝ i^{−a} for keys and values, or 1 six times and 0.1 else:
//
//	                        N_Hebb  by d_in d_out  by N_Hebb  exact, DP       DP      OP
//	d=24 a=0.5 p=40          355.8         0.9299     0.7748  0.6406(29)  0.6420  0.5263
//	d=24 a=1   p=10           79.0         1.0000     0.8722  0.8070(20)  0.8028  0.6898
//	d=24 a=1   p=30           79.0         0.9812     0.3605  0.3743(29)  0.3787  0.3081
//	d=64 a=1   p=30          190.8         1.0000     0.6731  0.6787(27)  0.6796  0.5641
//	d=24 two levels p=20      96.9         0.9988     0.6269  0.5064(29)  0.4986  0.4135
//	d=24 mean ½ of keys, p=50      300     0.8522     0.5778  0.5060(31)  0.5091  0.3054
//	d=24 mean ½ of values, p=50    461     0.8522     0.7658  0.6005(30)  0.6015  0.5080
//	d=24 mean ½ of both, p=50      35.7    0.8522     0.1019  0.1209(20)  0.1217  0.0940
//
// OP has no law here: competitors that are stored themselves take another 0.03 to 0.2.
//
// # A given pool
//
// [PoolDimension]: for values that are not Gaussian, D_n is replaced by the mean of
// D_μ = E dist²(v⁰, {v : (u_μ − u_ρ)ᵀv ≥ 0}) over the targets, for the pool as it is, in
// coordinates where its covariance is 1. The condition for weights to exist is, with
// A = (W Wᵀ)^{1/2} and a metric B (see saddle.OriginalFacts),
//
//	max_A min_B [d_in Tr B − Σ_μ E min_{v∈K_μ(UA)} (g − v)ᵀB(g − v)] ≥ 0,   Tr B = d_out,
//
// of which Σ D_μ ≤ d_in d_out is the value at A = B = 1. In OP at Gaussian pools the saddle
// point is worth 0.15 d_out/p more facts, which are not in it.
//
// Averages over Gaussian pools are those of the winner-take-all cone C_n in raw coordinates too,
// whatever the covariance of the values, and in whitened ones: E v_k = v_k(n) for k < d_out, what
// is beyond sits at d_out, and E D_μ is D_n up to that. The polar cone of K_μ, spanned by the
// u_ρ − u_μ, is that of C_n under C_V^{1/2} times a Gaussian matrix, or under the projection on a
// uniformly random subspace if the pool's own covariance is made 1. A uniformly random
// projection keeps E v_k for k < d_out. So does an invertible linear map A of a cone that is rotated
// at random before: v_k is a sum over faces F of the angle of F in its span L times that of
// the normal cone in L^⊥; the rotation acts in L and in L^⊥ independently, and averaged over
// it both angles are what they are without A, since a measure on a sphere averaged over
// rotations is the uniform one. For other values coordinates matter: for a simplex that is not
// regular, say.
//
// [Pool.Adaptation] is the first order of what else the saddle point is worth, at the pool at hand: with
// J_A = E(δΠᵀ + Πδᵀ) and J_B = E δδᵀ − trace, δ = v⁰ − Π, as there,
//
//	Σ_μ D_μ = N + G,   G = (1/2pf) Σ_{μ≠ν} Tr[J_Aμ J_Aν + 2 J_Aμ J_Bν].
//
// For words of GloVe, keys centred (lamcap/harness/pairings): half-points without G, with G, with
// G p/(p − d_out) as saddle.OriginalFacts has it, and trained are 111.5, 115.3, 116.4 and 115.4(4) at d = 24,
// 322, 339, 342 and 338.7(12) at d = 48, but 1082, 1165, 1174 and 1137(3) at d = 100, where G is 9% of N: second
// order is too much there.
//
// # A mean of the keys
//
// Keys e = b + g, in coordinates in which g has covariance 1; β = |b|, g = z b/β + g_⊥. With W = c bᵀ/β² + W_⊥
//
//	W e = c (1 + z/β) + W_⊥ g_⊥:
//
// c is a bias common to all inputs, a linear function u·c added to the scores of the values. It
// helps values that a linear function tells from the others and that take more than they do: short ones, say, where
// lengths go with a direction. For W_⊥ with W_⊥ W_⊥ᵀ = 1, of d_in − 1 columns, facts are storable while
//
//	E min_s Σ_μ dist²(v⁰_μ + t_μ s, K_μ) ≤ (d_in − 1) d_out,   t = (β + z)/√(1 + β²),  c = s β/√(1+β²),
//
// convex in s. The minimum is over the fields of one instance: with s* the minimum of the mean
// φ(s) = Σ_μ E dist², it is
//
//	φ(s*) − R,   R = Tr[H⁻¹ Σ_μ Cov(tδ)_μ],   H = Σ_μ E t² P,
//
// P on the span of the tight constraints. For β → 0, s* = 0 and R = Tr[H⁻¹ Σ E δδᵀ] = d_out: the direction of b
// is one like the others, and Σ D_μ ≤ d_in d_out. For β → ∞ s is free and t = 1; R is
// less than d_out, since the pulls E δ_μ of given values do not fluctuate, which is why Gaussian values
// lose by a mean of the keys: at d = 16 half-points 63.6(3), 63.4(3) and 62.9(3) were measured for β = 0, 1
// and 1000, 63.5, 63.2 and 63.1 predicted with adaptation. The total of [PoolOptions.KeyMean] is
// φ(s*) + d_out − R, so that the condition is the same for all β.
//
// Values u with normal u_1 and other entries of length exp(u_1/2), d = 16, Gaussian keys of mean β: plain
// (times 1.030, the shift of a Gaussian pool) 57.6, 59.3, 62.0 for β = 0, 1, 1000; trained 57.2(3),
// 59.0(3), 61.6(3). For β → ∞, no bias is rejected by far. With G in place of the shift it is 59.1, too little:
// G is an expansion without bias, and is refused with one.
//
// # Where pools fail
//
// At d_out not small against the number of values (a pool of n ≤ d_out + 1 values is a
// simplex, D_μ = D_n, and yet everything is storable), and for keys that are not Gaussian in
// more than length, as clusters of keys, which interfere.
//
// References:
//
//	[Gordon] Gordon: On Milman's inequality and random subspaces which escape through a
//	         mesh in R^n, Lect. Notes Math. 1317 (1988) 84.
//	[TAH]    C. Thrampoulidis, E. Abbasi, B. Hassibi, Precise error analysis of regularized
//	         M-estimators in high dimensions, IEEE Trans. Inf. Theory 64 (2018) 5592.
package anisotropy
