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
	Error float64
	// Active is E|A|, the mean number of tight constraints per input, and what the error
	// of Margin moves it; for values of norm √d_out it is not known: NaN.
	Active, ActiveError float64
	Residual            float64 // p E dist²/N_eff − 1 at Margin
	Status              status.Status
}

// MarginOfVectors returns the largest margin of p facts with n candidates each at
// finite d_out and d_in → ∞: weights is N_eff.
//
// For values with normal entries it is exact, from [VectorDimension]. For values of norm
// √d_out the distance differs by Δ(K)/d_out to first order ([CorrectedDimension]). What
// of it depends on K is taken times f², f = d/(d − E|A| − 2). That factor stands for the higher
// orders and is not derived: that pushes grow by about f suggests it, and it was chosen by
// comparison with drawn vectors at d = 24 (n = 60: growth of 1.8 ± 0.2 at K = 0.7, f² = 2.07;
// 2.1 ± 0.1 at 1.3, f² = 2.32; at K = 0, Δ = −4.3 ± 0.5, expected −4.16). Error has the
// difference between f² and f, an estimate.
//
// Values of norm √d_out store a few percent more than N/D_n facts; still, loads above
// that capacity of the score level are an error for both. So are d_out below
// twice E|A| + 2 and loads at which a target of the instance is likely to be in, or almost in,
// the hull of its competitors, see [VectorMoments].Excluded.
func MarginOfVectors(weights, p, n, dOut float64, values embedding.Kind) (VectorMargin, error) {
	return MarginOfKeys(weights, p, n, dOut, math.Inf(1), values)
}

// MarginOfKeys is [MarginOfVectors] for keys with normal entries in d_in dimensions, from 8
// to 10^6; for those of norm √d_in, to which d_in does not matter, it is +Inf. A key of squared
// length ρ² d_in has the scores ρ u·v/√d_out, so that with the average over ρ
//
//	p E dist²(K/ρ) = N_eff.
//
// What finite d_in does beyond that is of order 1/(d_in d_out) and left out. The average is a
// rule of three nodes, whose error Error has an estimate of.
func MarginOfKeys(weights, p, n, dOut, dIn float64, values embedding.Kind) (VectorMargin, error) {
	none := VectorMargin{Margin: math.NaN(), Score: math.NaN(), Error: math.Inf(1), Active: math.NaN(), ActiveError: math.Inf(1), Residual: math.NaN()}
	if !values.Valid() {
		return none, fmt.Errorf("values = %v: want gaussian or sphere", values)
	}
	lengths, err := keyLengths(dIn)
	if err != nil {
		return none, err
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
	// of returns E dist² and what else is needed of one margin.
	of := func(k float64) (o distanceAt, err error) {
		v, err := VectorDimension(n, k, dOut)
		if err != nil {
			return o, err
		}
		o = distanceAt{v.Dimension, 1e-8*v.Dimension + v.Dimension*v.Excluded, v.Active, v.Excluded}
		if values == embedding.Gaussian {
			return o, nil
		}
		difference, err := sphereDifference(n, k)
		if err != nil {
			return o, err
		}
		f := dOut / (dOut - v.Active - 2)
		rest := (difference - ofNone) / dOut
		o.square += ofNone/dOut + rest*f*f
		o.uncertain += math.Abs(rest) * f * (f - 1)
		return o, nil
	}
	if d, err := VectorDimension(n, 0, dOut); err != nil {
		return none, err
	} else if dOut < 2*(d.Active+2) {
		return none, fmt.Errorf("d_out = %v: want at least twice the number of tight constraints, %.3g: a target is often inside the hull of its competitors, or the expansion fails", dOut, d.Active)
	}
	var failed error
	known := map[float64]distanceAt{} // the root is looked at again
	average := func(k float64) distanceAt {
		if o, ok := known[k]; ok {
			return o
		}
		var sum distanceAt
		for _, l := range lengths {
			o, err := of(k * l.x)
			if err != nil {
				failed = err
				return distanceAt{square: math.NaN()}
			}
			sum.add(l.weight, o)
			if k == 0 { // all alike
				sum = o
				break
			}
		}
		sum.uncertain += lengthRuleError / (dIn * dIn * dIn) * sum.square
		known[k] = sum
		return sum
	}
	r := root.Find(func(k float64) float64 { return average(k).square - perFact }, 0, score.Margin+0.5,
		root.Options{RelX: 1e-9, AbsX: 1e-10, AbsF: 1e-8 * perFact})
	if failed != nil {
		return none, failed
	}
	const h = 1e-3
	at, next := average(r.X), average(r.X+h)
	if failed != nil {
		return none, failed
	}
	slope := (next.square - at.square) / h
	residual := at.square - perFact
	out := VectorMargin{
		Margin: r.X, Score: score.Margin, Residual: residual / perFact,
		Error:  (at.uncertain+math.Abs(residual))/slope + (r.Hi - r.Lo),
		Active: math.NaN(), ActiveError: math.Inf(1), Status: r.Status,
	}
	if values == embedding.Gaussian {
		out.Active = at.active
		out.ActiveError = (1e-8+at.excluded)*at.active + math.Abs(next.active-at.active)/h*out.Error
	}
	if p*at.excluded > 0.1 {
		return none, fmt.Errorf("p = %v, d_out = %v: %.2g targets are in or almost in the hull of their competitors: want a larger d_out", p, dOut, p*at.excluded)
	}
	if !r.Status.OK() {
		return out, fmt.Errorf("p = %v, d_out = %v: no margin was found (%v)", p, dOut, r.Status)
	}
	return out, nil
}

// distanceAt is E dist² at one margin with its uncertainty, E|A| and the probability excluded.
type distanceAt struct{ square, uncertain, active, excluded float64 }

func (s *distanceAt) add(weight float64, o distanceAt) {
	s.square += weight * o.square
	s.uncertain += weight * o.uncertain
	s.active += weight * o.active
	s.excluded += weight * o.excluded
}

// sphereDifference is the correction of first order for values of norm √d_out less that
// for values with normal entries.
func sphereDifference(n, margin float64) (float64, error) {
	c, err := CorrectedDimension(n, margin)
	return c.Sphere - c.Gaussian, err
}
