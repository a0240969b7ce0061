package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// Original is the half-point of the original problem (OP), see [OriginalFacts].
type Original struct {
	// Facts is p_½(OP), with the size of what is left out.
	Facts extremes.Value
	// Decoupled is p_c, the half-point of the decoupled problem.
	Decoupled Critical
	// Pairs is G_1·p/(d_out N), the coefficient of d_out/p in the weights that
	// sharing single values saves, over N.
	Pairs float64
	// FirstOrder is the half-point by G_1 alone.
	FirstOrder float64
}

// Shared returns the half-point of facts that share another pool than a Gaussian one, from the
// p_c of it with n = p that takes each fact by itself: times Facts/p_c, the shift of a Gaussian
// pool in the same dimensions. Half of that shift is added to the error: what it is for
// other pools is not known.
func (o Original) Shared(own extremes.Value) extremes.Value {
	critical := o.Decoupled.Facts
	shift := o.Facts.Value / critical
	return extremes.Value{
		Value:  own.Value * shift,
		Error:  math.Hypot(own.Error*shift, math.Hypot(own.Value*(shift-1)/2, o.Facts.Error*own.Value/critical)),
		Status: o.Facts.Status,
	}
}

// jointResponse and jointSpread are d_out times what several values add to G_1, by Monte
// Carlo (see [OriginalFacts]), and how far that is known.
const jointResponse, jointSpread = 3.5, 1.0

// OriginalFacts returns the number of facts p_½ at which half of the instances of
// the original problem are storable: n = p, one Gaussian pool for all inputs.
//
// In v = W e the cone of input μ is K_μ = {v : u_μ·v ≥ u_ρ·v}. For Gaussian keys
// the condition for weights to exist is, with A = (W Wᵀ)^{1/2} and B two
// symmetric d_out × d_out matrices,
//
//	max_A min_B [d_in Tr B − Σ_μ E min_{v∈K_μ(UA)} (g − v)ᵀB(g − v)] ≥ 0,  Tr B = d_out.
//
// At A = B = 1 it is N ≥ p D_n. Write δ = g − Π for the projection of g on K_μ
// and k = |A_μ| for the number of its tight constraints. To second order in
// A − 1 and B − 1, traceless, the slopes at a given pool and the mean curvatures
// per component are
//
//	J_A = E_g(δΠᵀ + Πδᵀ),   J_B = E_g(δδᵀ) − trace,
//	f_AA = 0,   f_AB = −f_BB = f = E[k(d_out − k)]/c,   c = (d_out+2)(d_out−1)/2
//
// (exactly: |δ|² and |Π|² are χ² of k and d_out − k degrees of freedom at given k).
// So the saddle point gains (1/2pf) Tr[S_A² + 2 S_A S_B] weights, S = Σ_μ J. In DP,
// where p_c D_n = N is exact, fluctuations cancel the terms with two equal
// indices, and those of two different inputs vanish on average. In OP the latter do not,
// since inputs share their pool (that terms with two equal indices are what they are in
// DP is assumed):
//
//	p_½ D_{p_½} = N + G,
//	G = (1/2pf) Σ_{μ≠ν} E Tr[J_Aμ J_Aν + J_Aμ J_Bν + J_Bμ J_Aν].
//
// Of the functions of the pool that J is made of, those of one value give
//
//	G_1 = (c/f) E_r[(γ_A² + 2γ_Aγ_B)(p−2)/(p−1) + 2(τ_Aγ_A + τ_Aγ_B + τ_Bγ_A)]:
//
// τ(r) (u uᵀ − trace) is the part of J that its target u brings, of length r, and
// γ(r) that which a value brings as a competitor of all inputs; E_r is over r² ~ χ²
// of d_out + 4 degrees of freedom. Both are given exactly by the conic structure,
// see radialResponse. G is of the order of d_out: a share d_out/p of N. Invariance
// under linear maps of the pool is τ + γ = (f_AA, f_AB)/2 on average over r.
//
// Functions of several values add to G_1, for whether a value is tight depends on
// the others. By Monte Carlo of G over whole pools (no fit to half-points),
// G/G_1 − 1, times d_out, is
//
//	d_out, p          12, 40   16, 62   16, 116  24, 116  32, 182  48, 116
//	(G/G_1 − 1) d_out 4.3(2)   3.9(2)   3.2(2)   3.3(2)   2.8(8)   4.2(7)
//
// for which 3.5 ± 1 is taken. Facts is p_c + shift·p_c/(p_c − d_out), shift by
// G = G_1 (1 + 3.5/d_out). The last factor is not derived: it resums higher orders of
// d_out/p so that, as it must, all diverges at d_out = p. Error is what that factor
// adds, and 1/d_out of the shift: an estimate of what is left out, not a bound.
// Nothing is fitted to a half-point. Simulated (± one standard error) and predicted:
//
//	d_in×d_out   p_c     by G_1        Facts            simulated OP
//	12×12        40.00   40.64         41.2 ± 0.4       41.42 ± 0.06
//	16×16        61.65   62.77         63.5 ± 0.5       63.46 ± 0.08
//	24×24        115.5   117.7         118.7 ± 0.8      118.77 ± 0.12
//	32×32        182.2   185.7         186.9 ± 0.9      186.8 ± 0.3
//	12×48        115.5   119.6         123.1 ± 3.3      123.5 ± 0.25
//	36×16        115.5   116.9         117.6 ± 0.4      117.72 ± 0.13
//
// Values of norm √d are another problem already in DP: D is 4.70 in place of 4.99 at
// d = 24 and n = 116.
//
// d_out ≥ 3, 4 d_out < 3 p_c, p_c ≤ 10^6, and targets must be vertices of the pool:
// p_c P(k ≥ d_out) < 0.1.
func OriginalFacts(dIn, dOut int) (Original, error) {
	none := Original{Facts: noValue(), Decoupled: noCritical()}
	if dIn < 1 || dOut < 3 {
		return none, fmt.Errorf("d_in = %d, d_out = %d: want d_in ≥ 1, d_out ≥ 3", dIn, dOut)
	}
	d := float64(dOut)
	capacity, err := CriticalFacts(float64(dIn) * d)
	if err != nil {
		return none, err
	}
	p := capacity.Facts
	switch {
	case p > 1e6:
		return none, fmt.Errorf("d_in = %d, d_out = %d: p_c = %.3g: want p_c ≤ 1e6", dIn, dOut, p)
	case 4*d >= 3*p:
		return none, fmt.Errorf("d_out = %d: p_c = %.4g: want d_out < 3/4 p_c; everything is storable at d_out ≥ p − 1", dOut, p)
	}
	volumes, err := extremes.IntrinsicVolumes(math.Round(p))
	if err != nil {
		return none, err
	}
	hidden := 0.0
	for k := dOut; k < len(volumes.Mass); k++ {
		hidden += volumes.Mass[k]
	}
	if p*hidden >= 0.1 {
		return none, fmt.Errorf("d_out = %d: %.2g targets inside the hull of their pool: want a larger d_out", dOut, p*hidden)
	}
	variance, err := extremes.ConeVariance(p)
	if err != nil {
		return none, err
	}
	above, err := extremes.ConeDimension(p + 0.01*p)
	if err != nil {
		return none, err
	}
	dimension := capacity.Dimension.Value
	// p D_p grows by (1 + slope) D_p per fact.
	slope := math.Log(above.Value/dimension) / math.Log1p(0.01)

	r := newRadialResponse(p, dOut)
	o := Original{Decoupled: capacity}
	free := dimension*(d-dimension) - variance.Value // c f
	components := (d + 2) * (d - 1) / 2
	o.Pairs = r.pairs() * components * components / free / (dimension * d)
	shift := o.Pairs * d / (1 + slope)
	o.FirstOrder = p + shift
	whole := shift * (1 + jointResponse/d)
	resummed := whole * p / (p - d)
	o.Facts = extremes.Value{
		Value:  p + resummed,
		Error:  math.Abs(resummed-whole) + jointSpread/d*math.Abs(shift) + capacity.Error,
		Status: status.Converged,
	}
	if !capacity.Status.OK() {
		o.Facts.Status = capacity.Status
	}
	return o, nil
}
