package saddle

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// HebbItemRecallOriginal returns the probability that Hebb's rule recalls one
// item in the original problem (OP): one pool of p values of norm √d, every
// competitor stored too. Write W e_μ = a = d u_μ + b, b = Σ_{ν≠μ} x_ν,
// x_ν = u_ν ε_ν, ε_ν = e_ν·e_μ. Given u_μ the x_ν are independent with a known
// law: u_ν uniform on the sphere and ε_ν/d the cosine of a uniform direction.
// Fact μ is recalled if no u_ν lies in the cap {u·a ≥ u_μ·a}. At given b the
// cap is fixed, so recalled and b in db together have exactly
//
//	P(item) = ∫ db q(b),
//	q(b)    = density at b of the sum of p − 1 independent x of the
//	          defective law p(x) 1(u not in the cap of b).
//
// This holds the pair terms d²(1 − cos θ_u)(1 − cos θ_e) complete, since
// S_μμ − S_μν = (u_μ − u_ν)·(d u_μ + Σ_{ρ≠μ} u_ρ ε_ρ). With the whole law
// p(x) in place of the defective one q would be the density p_0(b) of the
// interference. The ratio is computed by expectation propagation:
//
//	q(b)/p_0(b) = exp(Ψ_defective − Ψ_whole),
//	Ψ = N log G(κ, Λ) − κ·b + b·Λb/2N + ½ log det Λ,   N = p − 1,
//	G(κ, Λ) = ∫ exp(κ·x − x·Λx/2) dp(x),
//
// stationary in κ and Λ: N⟨x⟩ = b and Λ^{−1} = N cov(x) under the tilted law. (With
// Λ = 0 in G this is the saddle-point approximation; Λ removes a vector's
// interaction with itself, which is large because x·x/N is not small.) κ and Λ
// live in the plane of u_μ and b and as a multiple of 1 across it. p_0 is the
// law of [HebbItemRecallDecoupledCorrected], and b is integrated over its component
// along u_μ and its length across.
//
// Left out are the cubic and higher interactions of pairs of competitors. Against
// simulated full instances (± one standard error) the law is right to 0.0006 from
// d = 24 on (0.0009 at p = 16, where many b allow no Λ and fall back on Λ = 0)
// and to 0.0015 at d = 8 and 12:
//
//	             simulated           this law   DP, corrected   limit law
//	d=8  p=10    0.6947 ± 0.0002     0.6962     0.7825          0.8160
//	d=12 p=20    0.6250 ± 0.0002     0.6264     0.7271          0.7723
//	d=12 p=40    0.2983 ± 0.0002     0.2982     0.3635          0.4123
//	d=24 p=25    0.9501 ± 0.0001     0.9503     0.9831          0.9936
//	d=24 p=50    0.7113 ± 0.0002     0.7118     0.8103          0.8522
//	d=24 p=100   0.3423 ± 0.0002     0.3425     0.4163          0.4644
//	d=48 p=79    0.9723 ± 0.0001     0.9723     0.9914          0.9963
//	d=64 p=300   0.6637 ± 0.0003     0.6637     0.7432          0.7784
//	d=100 p=1200 0.2870 ± 0.0002     0.2869     0.3264          0.3517
//
// Error bounds the quadrature only: 5e-4 or less for p > d. An evaluation takes
// 50 to 150 ms.
//
// 2 ≤ d ≤ 10^4; p = 1 or 2 ≤ p ≤ 10^9 (real).
func HebbItemRecallOriginal(d int, p float64) (extremes.Value, error) {
	if d < 2 || d > 10_000 {
		return noValue(), fmt.Errorf("d = %d: want 2 ≤ d ≤ 10000", d)
	}
	if p == 1 {
		return extremes.Value{Value: 1, Status: status.Converged}, nil
	}
	if !(p >= 2 && p <= 1e9) {
		return noValue(), fmt.Errorf("p = %v: want p = 1 or 2 ≤ p ≤ 1e9", p)
	}
	return newPool(d, p-1).solve(), nil
}

// solve combines the law with the bound P ≥ 1 − lost, which is all there is
// when p is so small against d that hardly anything is lost: 1 − P was between
// 0.7 and 1 times the bound wherever that is used.
func (p *pool) solve() extremes.Value {
	lost := p.unionBound()
	v := extremes.Value{Value: 1 - 0.75*lost, Error: 0.25*lost + 1e-15, Status: status.Converged}
	if v.Error < 1e-5 {
		return v
	}
	w := p.itemRecall()
	if w.Error < v.Error {
		w.Value = math.Min(1, math.Max(w.Value, 1-lost))
		return w
	}
	if v.Error > acceptable {
		v.Status = status.MaxIterations
	}
	return v
}

// unionBound returns (p − 1) P(S_μν ≥ S_μμ) for one competitor ν,
//
//	S_μμ − S_μν = d²(1 − cos θ_u)(1 − cos θ_e) + (u_μ − u_ν)·b',
//
// b' the interference of the p − 2 others. It is at least 1 − P(item).
func (p *pool) unionBound() float64 {
	if p.others <= 1 {
		return 0
	}
	angle := cosineRule(p.d, 24)
	noise := noiseRule(p.d, p.others-1, noiseSize)
	total := 0.0
	for i, u := range angle.nodes {
		for j, e := range angle.nodes {
			for k, tau := range noise.nodes {
				x := p.dimension * math.Sqrt(1-u) * (1 - e) / math.Sqrt(2*(p.others-1)*tau)
				total += angle.weights[i] * angle.weights[j] * noise.weights[k] * math.Exp(extremes.LogSurvival(x))
			}
		}
	}
	return math.Min(1, p.others*total)
}

// pool is the original problem seen from one item. Lengths are in units that
// make every component of x = u ε/√d of variance 1, so that b has variance N.
type pool struct {
	sphere
	dimension float64
	others    float64 // N = p − 1
	axis      rule    // cosine of u with the axis
	across    rule    // cosine of u's rest with b's rest, in R^{d−1}
	radius    rule    // ε/√d, positive half: weights are doubled
	depth     rule    // depth in the cap, on [0, 1]
	whole     []site  // u over the sphere
	symmetric []site  // the same, when everything is symmetric about the axis
}

// site is a direction of u: components along the axis and, in the plane, across
// it, of a vector of length √d; rest is the squared length of what is left.
type site struct{ weight, along, across, rest float64 }

// Sizes of the Gauss rules: 10^−5 in P for d ≥ 8. The tilts grow with d/p, and
// the rules with them.
const (
	axisSize, axisSizeLarge     = 10, 14
	acrossSize, acrossSizeLarge = 6, 8
	radiusSize, radiusSizeLarge = 8, 10 // half of the nodes are positive
	depthSize                   = 12
	noiseSize                   = 5
	// capDepth is how many e-folds of sin^{d−2} are followed into a cap.
	capDepth = 30.0
)

func newPool(d int, others float64) *pool {
	p := &pool{sphere: newSphere(d), dimension: float64(d), others: others}
	axis, across, radius := axisSize, acrossSize, radiusSize
	if p.dimension > 0.6*others {
		axis, across, radius = axisSizeLarge, acrossSizeLarge, radiusSizeLarge
	}
	p.axis = cosineRule(d, axis)
	p.across = cosineRule(d-1, across)
	full := cosineRule(d, radius)
	for i, x := range full.nodes {
		if x > 0 {
			p.radius.nodes = append(p.radius.nodes, x*math.Sqrt(p.dimension))
			p.radius.weights = append(p.radius.weights, 2*full.weights[i])
		}
	}
	p.depth = rule{nodes: make([]float64, depthSize), weights: make([]float64, depthSize)}
	quad.Legendre{}.FixedLocations(p.depth.nodes, p.depth.weights, 0, 1)
	for i, c := range p.axis.nodes {
		p.whole = p.appendSites(p.whole, p.axis.weights[i], c, math.Sqrt(1-c*c))
		// Two opposite nodes with the right second moment will do.
		rest := p.dimension * (1 - c*c)
		for _, sign := range [2]float64{1, -1} {
			p.symmetric = append(p.symmetric, site{0.5 * p.axis.weights[i], math.Sqrt(p.dimension) * c,
				sign * math.Sqrt(rest/(p.dimension-1)), rest * (p.dimension - 2) / (p.dimension - 1)})
		}
	}
	return p
}

func (p *pool) appendSites(list []site, weight, cosine, sine float64) []site {
	for j, e := range p.across.nodes {
		x, y := math.Sqrt(p.dimension)*cosine, math.Sqrt(p.dimension)*sine*e
		list = append(list, site{weight * p.across.weights[j], x, y, p.dimension * sine * sine * (1 - e*e)})
	}
	return list
}

// allowed returns the sites of the law without the cap of half-angle phi. A cap
// smaller than a half-sphere is subtracted, a larger one left out.
func (p *pool) allowed(phi float64) []site {
	sign, from, towards := -1.0, phi, -1.0
	list := append([]site(nil), p.whole...)
	if phi > math.Pi/2 {
		sign, from, towards = 1, phi, 1
		list = list[:0]
	}
	// sin^{d−2} falls off over tan φ/d; the square packs nodes at the rim.
	reach := phi
	if towards > 0 {
		reach = math.Pi - phi
	}
	reach = math.Min(reach, capDepth*math.Abs(math.Tan(phi))/p.dimension)
	for i, x := range p.depth.nodes {
		sine, cosine := math.Sincos(from + towards*reach*x*x)
		weight := p.depth.weights[i] * 2 * x * reach *
			math.Exp(p.logAngle+(p.dimension-2)*math.Log(sine))
		list = p.appendSites(list, sign*weight, cosine, sine)
	}
	return list
}

// itemRecall integrates over b by the trapezoidal rule in the plane of its
// component z along u_μ and the log of its length across, in units of the
// standard deviation √N per component. In these units a = (h + z, e^t).
func (p *pool) itemRecall() extremes.Value {
	h := p.dimension / math.Sqrt(p.others)
	noise := noiseRule(p.d, p.others, noiseSize)
	density := func(z, t float64) float64 {
		across := math.Exp(t)
		square := z*z + across*across
		total := 0.0
		for i, tau := range noise.nodes {
			total += noise.weights[i] * math.Exp(p.logRadial+(p.dimension-1)*t-
				0.5*square/tau-p.dimension/2*math.Log(tau))
		}
		return total
	}
	// The spread of t is that of log χ_{d−1} and of log τ/2. Along z, P(recalled | b)
	// goes from 1 to 0 like exp(−e^{−√(2 log p) z}), which sets the step.
	spread := math.Sqrt((1/(p.dimension-1) + 0.5*noise.variance()) / 2)
	stepT := 0.9 * spread
	stepZ := 1.3 / math.Sqrt(2*math.Log(p.others+2))
	reachZ := int(9 / stepZ)
	centre := 0.5 * math.Log(p.dimension-1)
	scale := math.Sqrt(p.others)
	var grid lattice
	row := func(i int) (weights float64) {
		t := centre + float64(i)*stepT
		across := math.Exp(t)
		var last start
		for j := -reachZ; j <= reachZ; j++ {
			z := float64(j) * stepZ
			weight := density(z, t) * stepZ * stepT
			weights += weight
			if weight < negligibleWeight {
				grid.skipped += weight
				continue
			}
			length := math.Hypot(h+z, across)
			cosine, sine := (h+z)/length, across/length
			sites := p.allowed(math.Atan2(across, h+z))
			probability, sure := p.notExceeded(sites, scale*(length-h*cosine), scale*h*sine, &last)
			grid.add(i, j, weight, probability, sure)
		}
		return weights
	}
	for i := 0; row(i) > negligibleWeight; i++ {
	}
	for i := -1; row(i) > negligibleWeight; i-- {
	}
	return grid.value(p.d)
}

const (
	negligibleWeight = 1e-8
	// acceptable is the error of a converged sum.
	acceptable = 3e-3
)

// lattice sums a rectangular lattice and its four sub-lattices of twice the step.
type lattice struct {
	sum             [2][2]float64
	norm            float64
	skipped, failed float64
}

func (l *lattice) add(i, j int, weight, probability float64, sure bool) {
	switch {
	case math.IsNaN(probability):
		l.failed += weight
		probability = 0.5
	case !sure:
		// Where both exist, the plain saddle point's 1 − P is low by
		// 2% (d = 24, p = 50) to 9% (d = 24, p = 25).
		l.failed += 0.2 * weight * (1 - probability)
	}
	l.sum[i&1][j&1] += weight * probability
	l.norm += weight
}

// value returns the sum over the lattice. The error of the trapezoidal rule is
// about the square of the error at twice the step; a twentieth is what is
// counted. Below d = 8 the law has kinks where a cap turns into a half-sphere.
func (l *lattice) value(d int) extremes.Value {
	s := &l.sum
	bound := (math.Abs(s[0][0]+s[0][1]-s[1][0]-s[1][1])+math.Abs(s[0][0]+s[1][0]-s[0][1]-s[1][1]))/20 +
		math.Abs(l.norm+l.skipped-1) + l.skipped + l.failed + 1e-5
	if d < 8 {
		bound += 0.01 / float64(d*d)
	}
	st := status.Converged
	if !(bound < acceptable) {
		st = status.MaxIterations
	}
	return extremes.Value{Value: s[0][0] + s[0][1] + s[1][0] + s[1][1], Error: bound, Status: st}
}
