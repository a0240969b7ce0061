package vector

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/embedding"
)

// lossOf evaluates a loss from its definition.
func lossOf(hinge bool, v, rows []float64, n int) float64 {
	d := len(v)
	scores := make([]float64, n)
	for c := range scores {
		for i := range d {
			scores[c] += rows[c*d+i] * v[i]
		}
	}
	largest, sum := math.Inf(-1), 0.0
	for c, s := range scores {
		if c > 0 {
			largest = math.Max(largest, s)
		}
		sum += math.Exp(s - scores[0])
	}
	if hinge {
		return math.Max(0, 1+largest-scores[0])
	}
	return math.Log(sum)
}

// problem is a draw with a (r, χ), for one of the losses.
type proxProblem struct {
	hinge       bool
	d, n        int
	field, rows []float64
	r, chi      float64
}

func drawProblem(t *rapid.T) proxProblem {
	p := proxProblem{
		hinge: rapid.Bool().Draw(t, "hinge"),
		d:     rapid.IntRange(1, 9).Draw(t, "d"), n: rapid.IntRange(2, 12).Draw(t, "n"),
		r:   math.Exp(rapid.Float64Range(-3, 3).Draw(t, "log r")),
		chi: math.Exp(rapid.Float64Range(-3, 4).Draw(t, "log chi")),
	}
	e := Ensemble{DOut: p.d, Values: embedding.Kind(rapid.IntRange(0, 1).Draw(t, "values")), Seed: rapid.Uint64().Draw(t, "seed")}
	p.field, p.rows = make([]float64, p.d), make([]float64, p.n*p.d)
	newSampler(e, p.n).draw(0, p.field, p.rows)
	return p
}

func (p proxProblem) prox() prox {
	if p.hinge {
		return newHingeProx(p.d, p.n)
	}
	return newSoftmaxProx(p.d, p.n)
}

func (p proxProblem) solve(t require.TestingT, logR, logChi float64) *response {
	out := newResponse(p.d, p.n)
	out.point = make([]float64, p.d)
	require.True(t, p.prox().solve(p.field, p.rows, math.Exp(logR), math.Exp(logChi), out), "%+v", p)
	return out
}

func (p proxProblem) objective(v []float64) float64 {
	sum := 0.0
	for i, x := range v {
		sum += (x - p.r*p.field[i]) * (x - p.r*p.field[i])
	}
	return sum/(2*p.chi) + lossOf(p.hinge, v, p.rows, p.n)
}

// The proximal point is the minimum: F there is below that at other points, close and
// far, by at least what the curvature 1/χ of the quadratic term demands.
func TestProximalPointIsTheMinimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		out := p.solve(t, math.Log(p.r), math.Log(p.chi))
		if want := lossOf(p.hinge, out.point, p.rows, p.n); math.Abs(out.loss-want) > 1e-10*(1+want) {
			t.Fatalf("loss %v, want %v", out.loss, want)
		}
		least := p.objective(out.point)
		away := make([]float64, p.d)
		for range 20 {
			size := math.Exp(rapid.Float64Range(-9, 2).Draw(t, "log distance"))
			square := 0.0
			for i, v := range out.point {
				step := size * rapid.Float64Range(-1, 1).Draw(t, "step")
				away[i] = v + step
				square += step * step
			}
			if f := p.objective(away); f < least+square/(2*p.chi)-1e-9*(math.Abs(least)+1) {
				t.Fatalf("F = %v at distance %v, %v at the point", f, math.Sqrt(square), least)
			}
		}
	})
}

// Derivatives of the point, and with them of scores and loss, are those of the solution.
// A difference across a change of the hinge's active set is none: the point's
// derivative jumps there, so a step of 1e-6 must be free of it.
func TestSlopes(t *testing.T) {
	const step = 1e-6
	misses, checks := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		at := p.solve(t, math.Log(p.r), math.Log(p.chi))
		for k := range parameters {
			shift := [parameters]float64{}
			shift[k] = step
			up := p.solve(t, math.Log(p.r)+shift[0], math.Log(p.chi)+shift[1])
			down := p.solve(t, math.Log(p.r)-shift[0], math.Log(p.chi)-shift[1])
			for i, slope := range at.slopes[k] {
				checks++
				got := (up.point[i] - down.point[i]) / (2 * step)
				if math.Abs(got-slope) > 2e-4*(1+math.Abs(slope)+p.r*norm(p.field)) {
					misses++
				}
			}
		}
	})
	assert.LessOrEqual(t, float64(misses), 0.002*float64(checks), "of %d", checks)
}

// The free energy of the averages, M = mean of ℓ + ‖r v⁰ − v‖²/(2χ), has the derivatives
// that the equations are made of: ∂M/∂log r = r B/χ, ∂M/∂log χ = −A/(2χ).
func TestEnvelope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		value := func(logR, logChi float64) float64 {
			q := p
			q.r, q.chi = math.Exp(logR), math.Exp(logChi)
			return q.objective(p.solve(t, logR, logChi).point)
		}
		const step = 1e-5
		logR, logChi := math.Log(p.r), math.Log(p.chi)
		square, overlap := 0.0, 0.0
		for i, v := range p.solve(t, logR, logChi).point {
			gap := p.r*p.field[i] - v
			square += gap * gap
			overlap += gap * p.field[i]
		}
		for k, want := range []float64{p.r * overlap / p.chi, -square / (2 * p.chi)} {
			shift := [parameters]float64{}
			shift[k] = step
			got := (value(logR+shift[0], logChi+shift[1]) - value(logR-shift[0], logChi-shift[1])) / (2 * step)
			scale := 1 + math.Abs(want) + value(logR, logChi)
			if math.Abs(got-want) > 1e-5*scale*(1+p.r*p.r) {
				t.Fatalf("parameter %d: %v, want %v", k, got, want)
			}
		}
	})
}

// A warm start and a cold one give the same point.
func TestWarmStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		cold := p.solve(t, math.Log(p.r), math.Log(p.chi))
		warm := newResponse(p.d, p.n)
		warm.point = append([]float64(nil), cold.point...)
		for i := range warm.point {
			warm.point[i] += rapid.Float64Range(-5, 5).Draw(t, "move")
		}
		require.True(t, p.prox().solve(p.field, p.rows, p.r, p.chi, warm))
		for i := range warm.point {
			if math.Abs(warm.point[i]-cold.point[i]) > 1e-9*(1+p.r*norm(p.field)) {
				t.Fatalf("%v, cold %v", warm.point, cold.point)
			}
		}
	})
}
