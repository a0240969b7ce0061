package nnls

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/status"
)

// The residual is that of the point that is returned, and a search that has spent its
// budget is not converged, however near it is.
func TestSpentBudget(t *testing.T) {
	const d, n = 6, 4
	r := rand.New(rand.NewPCG(5, 7))
	v0, normals := make([]float64, d), make([]float64, d*n)
	for i := range v0 {
		v0[i] = r.NormFloat64()
	}
	for i := range normals {
		normals[i] = r.NormFloat64()
	}
	violation := func(point []float64) float64 {
		worst := 0.0
		for j := range n {
			dot, square := 0.0, 0.0
			for i, a := range normals[j*d : (j+1)*d] {
				dot += a * point[i]
				square += a * a
			}
			worst = math.Max(worst, -dot/math.Sqrt(square))
		}
		return worst
	}
	s := New(d, n)
	solved := s.Project(v0, normals, nil)
	require.Equal(t, status.Converged, solved.Status)
	require.NotEmpty(t, solved.Active)
	assert.LessOrEqual(t, violation(solved.Point), solved.Residual+1e-15)

	p := problem{s, v0, normals, nil, s.values[:n], s.norms[:n], 1}
	copy(p.point, v0)
	p.active, p.multipliers = p.active[:0], p.multipliers[:0]
	clear(p.isActive)
	j, _ := p.worst()
	steps, st := p.takeIn(j, -1) // nothing is left
	spent := p.end(st, steps)
	assert.Equal(t, status.MaxIterations, spent.Status)
	assert.InEpsilon(t, violation(v0), spent.Residual, 1e-14)
}
