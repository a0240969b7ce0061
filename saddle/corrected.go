package saddle

// The correction of first order in 1/d_out, d = d_out.
//
// At vector level the scores of an input are s = U v/√d, with the pool's n values as
// the rows of U and v ∈ R^d. Given U, the scores without push τ = r U v⁰/√d have the
// covariance r² G, G = U Uᵀ/d, and by duality
//
//	min_v ℓ(s) + ‖v − r v⁰‖²/(2χ) = φ(τ, G) = max_z z·τ − (χ/2) zᵀG z − ℓ*(z),
//
// s = τ − χ G z, z = ∇ℓ(s). With G = 1 it is the score level; z is then (τ − s)/χ and
// J = ∂z/∂τ the Jacobian. For values with normal entries let R = ‖v⁰‖/√d and x = U v⁰/‖v⁰‖,
// n independent normals. Then
//
//	τ = r R x,   G = 1 + (x xᵀ − 1)/d + H,
//
// R, x and H (what is orthogonal to v⁰) independent, E H = 0, E H_ij H_kl = (δ_ik δ_jl +
// δ_il δ_jk)/d, E R = 1 − 1/(4d), Var R = 1/(2d), to leading order. As ∂φ/∂G in a direction E is
// −(χ/2) zᵀE z and z moves by −χ J E z, the terms of order 1/d of E φ are those of R to
// second order, of (x xᵀ − 1)/d to first and of H to second order:
//
//	δM = ¼ (r² ∂_r² − r ∂_r) M − (χ/2) E[(z·x)² − ‖z‖²] + (χ²/2) E[‖z‖² tr J + zᵀJ z].
//
// Values of norm √d have G_ρρ = 1: what the diagonal contributes is to be subtracted,
// (1/d) Σ_ρ ∂²E φ/∂G_ρρ² with the covariance of τ moving along,
//
//	δM_sphere = δM − Σ_ρ E[¼ r² (x_ρ² − 1) J_ρρ − (χ/2) (x_ρ² − 1) z_ρ² + χ² z_ρ² J_ρρ].
//
// All terms are sums over the scores that are pushed, few of the n: the expansion is one
// in |A|/d and in the squared scores over d, and n may be far above d.
//
// Keys with normal entries have lengths ρ√d_in. They scale τ by ρ and G by ρ², which is r
// → ρr, χ → ρ²χ: with ρ in the place of R,
//
//	δM_keys = ¼ (∂_ρ² − ∂_ρ) M(ρr, ρ²χ) = ¼ E[(τ − 2χz)ᵀJ(τ − 2χz) − z·τ]  per 1/d_in.
//
// Any function O of the scores, which need not be smooth, obeys the transport equation
// ∂O/∂G = −χ (E z)·∇_τ O in the direction E, because s and z = ∇ℓ(s) do. Expanded likewise,
// with the second derivatives of O integrated by parts,
//
//	δ E O = ¼ (r² ∂_r² − r ∂_r) E O + E[V·∇_τ O],
//	V = −χ ((x·z) x − z) + (χ²/2) [tr J z − J z + (‖z‖² x + (z·x) z)/r],
//
// and for values of norm √d less V_ρ = ¼ r (x_ρ³ − 3x_ρ) − χ (x_ρ² − 1) z_ρ + χ² z_ρ² x_ρ/r.
// The accuracy is such an O, whose gradient is on the surface where the target's score
// meets the largest competitor's. (The mean of that competitor's score is another, but its
// V·∇_τ O has two factors 1/S, the level's Jacobian, of which the law of the level makes up
// for one.)
//
// Used are the case of the margin, ℓ = 0 on the cone and ∞ off it, χ = r = 1 and D = 2M,
// [CorrectedDimension], and the cross-entropy, [TrainingCorrection].
