package saddle

import (
	"math"
	"math/cmplx"

	"lamcap/extremes"
)

// hingeDensities returns those of the correct score and of the largest competitor. With
// D(x) the share of the level's density where the target's push is capped, w_0 = 0,
//
//	s_0 = x + gap with the density at x less D, and s_0 = r t_0 + χ below x + gap with
//	φ((s − χ)/r)/r · ∫_{s−gap}^∞ D(x)/Φ((x + gap − χ)/r) dx,
//
// the competitors alone having the level x there.
func (e *ensemble) hingeDensities(panel *gaussPanel, o lawResolution, g levelGrid) (correct, largest func(s float64) float64) {
	const atCapped = 1
	values, _, _ := e.sweep(panel, o.resolution, g.window, 2, func(l *level, t *transforms, _ *nodes, exponent complex128, out []complex128) {
		scale := cmplx.Exp(exponent)
		rest := complex(e.n-1, 0) * t.j
		out[atMass] = scale * (t.j0 + rest)
		if !l.far { // else no target is capped
			out[atCapped] = scale / t.phi0 * rest * complex(e.uncapped(l.x), 0)
		}
	})
	mass, capped := make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		mass[i], capped[i] = onLine(v[atMass]), onLine(v[atCapped])
	}
	lo, hi := g.x[0], g.x[len(g.x)-1]
	alone := newPanelTable(panel, func(x float64) float64 {
		if u := e.uncapped(x); u > 1e-100 {
			return g.at(capped, x) / u
		}
		return 0
	}, lo, hi, math.Max(0.7*g.width, (hi-lo)/1000))
	correct = func(s float64) float64 {
		x := s - e.gap
		_, below := alone.at(x)
		return g.at(mass, x) - g.at(capped, x) + math.Exp(extremes.LogDensity((s-e.chi)/e.r))/e.r*(alone.mass-below)
	}
	largest = func(s float64) float64 { return g.at(mass, s) + e.unpushedDensity(s) }
	return correct, largest
}

// uncapped is P(r t_0 + χ < x + gap).
func (e *ensemble) uncapped(x float64) float64 {
	return math.Exp(extremes.LogCDF((x + e.gap - e.chi) / e.r))
}

// unpushedDensity is what the density of the hinge's largest competitor M has beyond that of
// the level, which is above M where nothing is pushed: the derivative of
//
//	P(M ≤ s < x) = Φ(s/r)^{n−1} Q((s + gap)/r).
func (e *ensemble) unpushedDensity(s float64) float64 {
	t, above := s/e.r, (s+e.gap)/e.r
	log := extremes.LogCDF(t)
	return ((e.n-1)*math.Exp((e.n-2)*log+extremes.LogDensity(t)+extremes.LogSurvival(above)) -
		math.Exp((e.n-1)*log+extremes.LogDensity(above))) / e.r
}

// marginLaws are those of the max-margin solution, in units of ‖W‖: the hinge's with r = 1,
// the gap K* and no cap.
func marginLaws(k MaxMargin) ScoreLaws {
	e := &ensemble{response: response{gap: k.Margin}, n: k.Cone.N, r: 1}
	value := func(law func(float64) (extremes.Value, error), s float64, moved func() float64) extremes.Value {
		v, err := law(s)
		if err != nil {
			return extremes.Value{Value: math.NaN(), Error: math.Inf(1)}
		}
		v.Error += moved()
		return v
	}
	// The laws at K* ± its error: m* moves by at most as much, and a CDF by the density
	// times it.
	density := func(s float64) float64 { v, _ := k.Cone.CorrectDensity(s); return v.Value }
	moved := func(s float64) func() float64 { return func() float64 { return 2 * k.Error * density(s) } }
	slope := func(s float64) func() float64 {
		return func() float64 {
			if k.Error == 0 {
				return 0
			}
			h := 1e-3 * k.CorrectStd
			return 2 * k.Error * (math.Abs(density(s+h)-density(s-h))/(2*h) + density(s))
		}
	}
	return ScoreLaws{
		Correct: ScoreLaw{
			density: func(s float64) extremes.Value { return value(k.Cone.CorrectDensity, s, slope(s)) },
			cdf:     func(s float64) extremes.Value { return value(k.Cone.CorrectCDF, s, moved(s)) },
		},
		Largest: ScoreLaw{
			density: func(s float64) extremes.Value {
				v := value(k.Cone.CorrectDensity, s+k.Margin, slope(s+k.Margin))
				v.Value = math.Max(0, v.Value+e.unpushedDensity(s))
				return v
			},
			cdf: func(s float64) extremes.Value {
				v := value(k.Cone.CorrectCDF, s+k.Margin, moved(s+k.Margin))
				v.Value = math.Min(1, v.Value+math.Exp((e.n-1)*extremes.LogCDF(s)+extremes.LogSurvival(s+k.Margin)))
				return v
			},
		},
	}
}
