package measure_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/quartercircle"
)

// Loads are fractions of p_c by N_eff (115.467 at d = 24), and rules without factors
// are left out below full rank.
func TestCells(t *testing.T) {
	g := measure.Grid{
		Shapes: []measure.Shape{{DOut: 24, DIn: 24, Rank: 24}, {DOut: 24, DIn: 24, Rank: 12}},
		Models: []pattern.Model{pattern.DP, pattern.OP}, Rules: []learn.Rule{learn.LBFGS, learn.MaxMargin}, Loads: []float64{0.5},
	}
	cells, err := g.Cells(quartercircle.NewSpectra())
	require.NoError(t, err)
	require.Len(t, cells, 6)
	assert.Equal(t, 58, cells[0].Spec.P)
	assert.Equal(t, 58, cells[0].Spec.N)
	assert.InDelta(t, 115.46741, cells[0].Critical, 1e-4)
	assert.InDelta(t, 58/115.46741, cells[0].Load, 1e-6)
	assert.Equal(t, 53, cells[4].Spec.P) // of p_c = 106.03
	assert.Equal(t, 12, cells[4].Rank)
	// Models and rules share an address, shapes and loads do not.
	address := func(c measure.Cell) string { return c.Problem(1, "x", measure.Options{}).Cell }
	assert.Equal(t, address(cells[0]), address(cells[1]))
	assert.Equal(t, address(cells[0]), address(cells[2]))
	assert.NotEqual(t, address(cells[0]), address(cells[4]))

	for want, change := range map[string]func(g *measure.Grid){
		"1 loads and 1 numbers of facts: want either":                      func(g *measure.Grid) { g.Facts = []int{5} },
		"0 loads and 0 numbers of facts: want either":                      func(g *measure.Grid) { g.Loads = nil },
		"load = -1: want a finite load > 0, a fraction of p_c":             func(g *measure.Grid) { g.Loads = []float64{-1} },
		"rank = 25: want 1 ≤ rank ≤ min(d_out, d_in) = 24":                 func(g *measure.Grid) { g.Shapes[0].Rank = 25 },
		"nothing to measure: rules hebb and maxmargin have full rank only": func(g *measure.Grid) { g.Shapes, g.Rules = g.Shapes[1:], []learn.Rule{learn.Hebb} },
	} {
		one := g
		one.Shapes = append([]measure.Shape(nil), g.Shapes...)
		change(&one)
		_, err := one.Cells(quartercircle.NewSpectra())
		assert.EqualError(t, err, want)
	}
}
