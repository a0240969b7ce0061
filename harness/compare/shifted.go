package compare

import (
	"math"

	"lamcap/extremes"
	"lamcap/harness/stats"
	"lamcap/internal/logarithm"
)

// stretched is the transition of a theory with every load, and so p_c, multiplied by a scale c,
//
//	P_c(p) = P(p/c),
//
// number of candidates included. Between whole loads Φ⁻¹(P), which is nearly a straight line, is
// interpolated by cubics through four of them.
type stretched struct {
	theory  Theory
	weights float64
	width   float64 // of the transition, relative to p_c
	probits map[int]float64
	err     error // the first of the theory; the curve is NaN there
}

func newStretched(theory Theory, weights, width float64) *stretched {
	return &stretched{theory: theory, weights: weights, width: width, probits: map[int]float64{}}
}

// family returns the curves at some loads by the scale, the transition widened by a factor.
func (s *stretched) family(loads []int, wider float64) stats.CurveFamily {
	return stats.CurveFamily{Width: s.width, At: func(scale float64) []float64 {
		out := make([]float64, len(loads))
		for i, p := range loads {
			out[i] = math.Exp(extremes.LogCDF(s.probit(float64(p)/scale) / wider))
		}
		return out
	}}
}

// probit interpolates Φ⁻¹(P) at a real load.
func (s *stretched) probit(p float64) float64 {
	const least = 2 // facts, and candidates
	first := max(least, int(math.Floor(p))-1)
	var y [4]float64
	for i := range y {
		y[i] = s.at(first + i)
	}
	// Lagrange, nodes at 0, 1, 2, 3.
	x := p - float64(first)
	return -y[0]*(x-1)*(x-2)*(x-3)/6 + y[1]*x*(x-2)*(x-3)/2 - y[2]*x*(x-1)*(x-3)/2 + y[3]*x*(x-1)*(x-2)/6
}

// at returns Φ⁻¹(P) at a whole load, as far as a float64 P resolves it.
func (s *stretched) at(p int) float64 {
	if y, ok := s.probits[p]; ok {
		return y
	}
	stored, err := s.theory.Storable(s.weights, p)
	if err != nil && s.err == nil {
		s.err = err
	}
	y := probit(stored)
	s.probits[p] = y
	return y
}

// probit returns Φ⁻¹(P), with 0 and 1 taken for the probabilities next to them.
func probit(p float64) float64 {
	const largest, smallest = 8.2, -37.5 // 1 − P = 1e-16, P = 5e-308
	upper := p > 0.5
	tail := logarithm.Natural(p)
	if upper {
		tail = math.Log1p(-p)
	}
	x, err := extremes.SurvivalQuantile(tail)
	switch {
	case err != nil:
		return math.NaN()
	case upper:
		return math.Min(x, largest)
	}
	return math.Max(-x, smallest)
}
