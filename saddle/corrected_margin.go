package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/embedding"
	"lamcap/internal/root"
	"lamcap/internal/status"
)

// MarginMomentsCorrected are what the squared distance to a [extremes.MarginCone] is
// in R^{d_out}, to first order in 1/d_out:
//
//	E dist² = Dimension + δD/d_out + O(1/d_out²).
type MarginMomentsCorrected struct {
	Dimension float64 // D_n(K)
	Gaussian  float64 // δD(K) for values with normal entries
	Sphere    float64 // δD(K) for values of norm √d_out
	Mean      float64 // E(m* + K) at score level, half the slope of D_n(K)
	Mass      float64 // of the law of the level, which is 1: what it is off is the quadrature's error
}

// MaxCorrectedSize is the largest number of candidates that the corrections of
// first order in 1/d_out take.
const MaxCorrectedSize = 1e12

// stats of the margin's ensemble.
const (
	marginActive = iota // 1 for a competitor above the level
	marginSquare        // z²
	marginRise          // z² less K b of the target, b = m + K − t_0
	marginPush          // b of the target
	marginMixed         // (t² − 1)/4 + z²
	marginShape         // (t² − 1) z²
	marginStats
)

// The functionals of the margin's ensemble; all contain the Jacobian 1 + |A| of
// the level.
const (
	marginTotalMass = iota
	marginTotalDimension
	marginTotalMean
	marginTotalShare    // E |A|/(1 + |A|)
	marginTotalGauss    // E[Q(|A| + 2) − (Q − K b)²]
	marginTotalDiagonal // twice the part of the norms, which values on a sphere lack
	marginTotals
)

func marginPlan() *additivePlan {
	a, q, x, b, g, h := marginActive, marginSquare, marginRise, marginPush, marginMixed, marginShape
	of := func(coefficient float64, stats ...int) monomial { return monomial{coefficient, stats} }
	f := make([]functional, marginTotals)
	f[marginTotalMass] = functional{of(1), of(1, a)}
	f[marginTotalDimension] = functional{of(1, q), of(1, q, a)}
	f[marginTotalMean] = functional{of(1, b), of(1, b, a)}
	f[marginTotalShare] = functional{of(1, a)}
	f[marginTotalGauss] = functional{of(2, q), of(3, q, a), of(1, q, a, a), of(-1, x, x), of(-1, x, x, a)}
	f[marginTotalDiagonal] = functional{of(2, a, g), of(-1, h), of(-1, h, a)}
	return newPlan(f)
}

// CorrectedDimension returns D_n(K) and its correction of first order in 1/d_out,
// for 2 ≤ n ≤ 10^12 and margins from 0 to 30,
//
//	δD = ¼ (K² D″ − K D′) + E[Q (|A| + 2) − (Q − K b)²],
//
// for Gaussian values, with Q = dist², b = m* + K − t_0 the rise of the correct
// score and A the competitors pushed, all at score level. Values of norm √d_out have
// no diagonal in G − 1: with z the displacement of the scores (z_0 = −b) and J_ρρ =
// |A|/(|A| + 1) that of the projection, for ρ = 0 and in A,
//
//	δD_sphere = δD − 2 E Σ_ρ [¼ (t_ρ² − 1) J_ρρ − ½ (t_ρ² − 1) z_ρ² + z_ρ² J_ρρ].
//
// δD(0) = 0: lengths do not matter at capacity. See the package documentation for
// the derivation.
func CorrectedDimension(n, margin float64) (MarginMomentsCorrected, error) {
	nan := math.NaN()
	none := MarginMomentsCorrected{nan, nan, nan, nan, nan}
	switch {
	case !(n >= 2 && n <= MaxCorrectedSize):
		return none, fmt.Errorf("n = %v: want 2 ≤ n ≤ 1e12", n)
	case !(margin >= 0 && margin <= maxCorrectedMargin):
		return none, fmt.Errorf("margin = %v: want 0 ≤ margin ≤ 30", margin)
	}
	plan := marginPlan()
	start, _ := (extremes.MarginCone{N: math.Ceil(n), Margin: margin}).Moments()
	v, err := overLevels(func(m float64) *additive { return marginEnsemble(plan, n, margin, m) }, start.LevelMean.Value, 0.25, marginTotals)
	if err != nil {
		return none, fmt.Errorf("n = %v, margin = %v: %w", n, margin, err)
	}
	slope, bend := 2*v[marginTotalMean], 2*v[marginTotalShare]
	c := MarginMomentsCorrected{
		Dimension: v[marginTotalDimension],
		Gaussian:  (margin*margin*bend-margin*slope)/4 + v[marginTotalGauss],
		Mean:      v[marginTotalMean],
		Mass:      v[marginTotalMass],
	}
	c.Sphere = c.Gaussian - v[marginTotalDiagonal]
	return c, nil
}

const maxCorrectedMargin = 30

// marginEnsemble is the ensemble at level m: loads t_0 and (t_ρ − m)_+ that add up to
// m + K.
func marginEnsemble(p *additivePlan, n, margin, m float64) *additive {
	e := &additive{plan: p, number: n - 1, total: m + margin}
	// The target: the saddle point s shifts its normal law by −s, which is of the
	// order of m + K − t_0.
	const step = 0.3
	reach := 10 + math.Abs(m+margin)
	e.target = newParticles(marginStats)
	for t := -reach - 20; t <= reach; t += step {
		b := m + margin - t
		e.target.add(step*math.Exp(extremes.LogDensity(t)), t,
			0, b*b, b*b-margin*b, b, (t*t-1)/4+b*b, (t*t-1)*b*b)
	}
	e.competitors = newParticles(marginStats)
	scale := 1 / (1 + math.Abs(m))
	const dx = 1.0 / 16
	logN := math.Log(e.number)
	for x := -3.7; x <= 4.6; x += dx {
		y := scale * math.Exp(x-math.Exp(-x))
		slope := y * (1 + math.Exp(-x))
		t := m + y
		e.competitors.add(dx*slope*math.Exp(logN+extremes.LogDensity(t)), y,
			1, y*y, y*y, 0, (t*t-1)/4+y*y, (t*t-1)*y*y)
	}
	return e
}

func newParticles(stats int) particles { return particles{stat: make([][]float64, stats)} }

func (p *particles) add(weight, load float64, stats ...float64) {
	p.weight = append(p.weight, weight)
	p.load = append(p.load, load)
	for i, x := range stats {
		p.stat[i] = append(p.stat[i], x)
	}
}

// VectorMargin is the largest margin at finite d_out, d_in → ∞.
type VectorMargin struct {
	// Margin solves p E dist²(K) = N_eff in R^{d_out}; Score is the margin at score
	// level, d_out → ∞.
	Margin, Score float64
	// Error bounds what the quadrature moves Margin. For values of norm √d_out it also
	// has an estimate, no bound, of the orders of 1/d_out beyond the first.
	Error    float64
	Residual float64 // p E dist²/N_eff − 1 at Margin
	Status   status.Status
}

// MarginOfVectors returns the largest margin of p facts with n candidates each at
// finite d_out and d_in → ∞: weights is N_eff.
//
// For values with normal entries it is exact, from [VectorDimension]. For values of norm
// √d_out the distance differs by Δ(K)/d_out to first order ([CorrectedDimension]). What
// of it depends on K grows in higher orders like the pushes squared, for which it is
// taken times f², f = d/(d − E|A| − 2); Error has the difference between f² and f. (Simulated,
// n = 60, d = 24: growth of 1.8 ± 0.2 at K = 0.7, f² = 2.07; 2.1 ± 0.1 at 1.3, f² = 2.32; at K
// = 0, Δ = −4.3 ± 0.5, expected −4.16.)
//
// Values of norm √d_out store a few percent more than N/D_n facts; still, loads above
// that capacity of the score level are an error for both. So are d_out below
// twice E|A| + 2 and loads at which a target of the instance is likely to be in, or almost in,
// the hull of its competitors, see [VectorMoments].Excluded.
func MarginOfVectors(weights, p, n, dOut float64, values embedding.Kind) (VectorMargin, error) {
	none := VectorMargin{Margin: math.NaN(), Score: math.NaN(), Error: math.Inf(1), Residual: math.NaN()}
	if !values.Valid() {
		return none, fmt.Errorf("values = %v: want gaussian or sphere", values)
	}
	score, err := Margin(weights, p, n)
	if err != nil {
		return none, err
	}
	if score.Margin > maxCorrectedMargin-1 {
		return none, fmt.Errorf("p = %v: the margin at score level, %.4g, is above %d: want more facts", p, score.Margin, maxCorrectedMargin-1)
	}
	perFact := weights / p
	ofNone := 0.0
	if values == embedding.Sphere {
		if ofNone, err = sphereDifference(n, 0); err != nil {
			return none, err
		}
	}
	var failed error
	// Of E dist² at the last K.
	var uncertain, excluded float64
	dimension := func(k float64) float64 {
		v, err := VectorDimension(n, k, dOut)
		if err != nil {
			failed = err
			return math.NaN()
		}
		excluded = v.Excluded
		uncertain = 1e-8*v.Dimension + v.Dimension*excluded
		if values == embedding.Gaussian {
			return v.Dimension
		}
		of, err := sphereDifference(n, k)
		if err != nil {
			failed = err
			return math.NaN()
		}
		f := dOut / (dOut - v.Active - 2)
		rest := (of - ofNone) / dOut
		uncertain += math.Abs(rest) * f * (f - 1)
		return v.Dimension + ofNone/dOut + rest*f*f
	}
	if d, err := VectorDimension(n, 0, dOut); err != nil {
		return none, err
	} else if dOut < 2*(d.Active+2) {
		return none, fmt.Errorf("d_out = %v: want at least twice the number of tight constraints, %.3g: a target is often inside the hull of its competitors, or the expansion fails", dOut, d.Active)
	}
	r := root.Find(func(k float64) float64 { return dimension(k) - perFact }, 0, score.Margin+0.5,
		root.Options{RelX: 1e-9, AbsX: 1e-10, AbsF: 1e-8 * perFact})
	if failed != nil {
		return none, failed
	}
	const h = 1e-3
	slope := (dimension(r.X+h) - dimension(r.X)) / h
	residual := dimension(r.X) - perFact
	out := VectorMargin{
		Margin: r.X, Score: score.Margin, Residual: residual / perFact,
		Error: (uncertain+math.Abs(residual))/slope + (r.Hi - r.Lo), Status: r.Status,
	}
	if p*excluded > 0.1 {
		return none, fmt.Errorf("p = %v, d_out = %v: %.2g targets are in or almost in the hull of their competitors: want a larger d_out", p, dOut, p*excluded)
	}
	if !r.Status.OK() {
		return out, fmt.Errorf("p = %v, d_out = %v: no margin was found (%v)", p, dOut, r.Status)
	}
	return out, nil
}

// sphereDifference is the correction of first order for values of norm √d_out less that
// for values with normal entries.
func sphereDifference(n, margin float64) (float64, error) {
	c, err := CorrectedDimension(n, margin)
	return c.Sphere - c.Gaussian, err
}
