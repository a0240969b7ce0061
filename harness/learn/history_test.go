package learn

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"

	"lamcap/internal/stream"
)

// diagonal is a metric.
type diagonal []float64

func (d diagonal) apply(dst, g []float64) { floats.MulTo(dst, d, g) }

// twoLoops is [NW06], algorithm 7.4, as printed; pairs are from the oldest to
// the newest.
func twoLoops(s, y [][]float64, g []float64, b diagonal) []float64 {
	q := clone(g)
	alpha := make([]float64, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		alpha[i] = floats.Dot(s[i], q) / floats.Dot(s[i], y[i])
		floats.AddScaled(q, -alpha[i], y[i])
	}
	r := make([]float64, len(g))
	b.apply(r, q)
	if k := len(s) - 1; k >= 0 {
		by := make([]float64, len(g))
		b.apply(by, y[k])
		floats.Scale(floats.Dot(s[k], y[k])/floats.Dot(y[k], by), r)
	}
	for i := range s {
		beta := floats.Dot(y[i], r) / floats.Dot(s[i], y[i])
		floats.AddScaled(r, alpha[i]-beta, s[i])
	}
	floats.Scale(-1, r)
	return r
}

// On a quadratic, gradients A x: the recursion on products is the two loops,
// while the memory fills, when it is full, after pairs that are left out and
// after it forgot.
func TestDirectionIsTheTwoLoops(t *testing.T) {
	const n, memory = 12, 5
	rng := stream.New(1, "history", "", 0)
	normals := func() []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	curvatures, b := normals(), diagonal(normals())
	for i := range n {
		curvatures[i] = 0.1 + curvatures[i]*curvatures[i]
		b[i] = 0.1 + b[i]*b[i]
	}
	gradient := func(x []float64) []float64 { return floats.MulTo(make([]float64, n), curvatures, x) }
	h := newHistory(memory, n, b, false)
	x := normals()
	g := gradient(x)
	h.look(g)
	var s, y [][]float64
	got := make([]float64, n)
	for step := range 20 {
		h.direction(got)
		assert.InDeltaSlice(t, twoLoops(s, y, g, b), got, 3e-5, "step %d", step)
		if step == 13 {
			h.forget()
			s, y = nil, nil
		}
		x1 := normals()
		g1 := gradient(x1)
		if step == 3 || step == 9 { // no curvature: not remembered
			g1 = clone(g)
			floats.AddScaled(g1, -1, x1)
			floats.AddScaled(g1, 1, x)
		}
		s1, y1 := floats.SubTo(make([]float64, n), x1, x), floats.SubTo(make([]float64, n), g1, g)
		if floats.Dot(s1, y1) > 0 {
			s, y = append(s, s1), append(y, y1)
			s, y = s[max(0, len(s)-memory):], y[max(0, len(y)-memory):]
		}
		h.add(x1, x, g1, g)
		assert.Equal(t, len(s), h.count)
		x, g = x1, g1
	}
}
