package sweep

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/quartercircle"
)

// costCells resolves a grid.
func costCells(t *testing.T, axes string) []Work {
	g, err := ParseGrid("[[experiment]]\nname = \"cost\"\ntrials = 3\n[experiment.axes]\n"+axes, "cost.toml")
	require.NoError(t, err)
	p, err := g.Plan(quartercircle.NewSpectra())
	require.NoError(t, err)
	return p.Cells
}

// Numbers of passes, unlike seconds, are the same everywhere: seven in eight of the means
// of three trials are within a factor of 4 of the estimate. Of an estimate of 60 passes
// for all cells it is less than two thirds.
func TestPasses(t *testing.T) {
	cells := append(costCells(t, `
model = ["op", "dp"]
measure = ["storage", "training"]
d = [8, 12]
kappa = [0.5, 1]
load = [0.5, 0.8, 1.1, 1.5, 2]
`), costCells(t, `
model = ["op", "dp"]
measure = ["storage", "training"]
d = 8
rule = ["adam", "descent"]
load = [0.5, 1.5, 2]
`)...)
	near, constant := 0, 0
	for _, w := range cells {
		sum := 0
		for trial := range 3 {
			r, err := Execute(w.Cell, uint64(trial))
			require.NoError(t, err)
			sum += r.Result.Evaluations
		}
		within := func(n float64) bool { return math.Abs(math.Log(float64(sum)/3/n)) < math.Log(4) }
		if within(passes(w.Cell)) {
			near++
		} else {
			t.Logf("%v: %d passes, estimated %.0f", w.Address, sum/3, passes(w.Cell))
		}
		if within(60) {
			constant++
		}
	}
	assert.GreaterOrEqual(t, 8*near, 7*len(cells), "%d of %d", near, len(cells))
	assert.Less(t, 3*constant, 2*len(cells), "%d of %d", constant, len(cells))
}

// The estimate grows as what it estimates does, and budgets and restarts bound it.
func TestSeconds(t *testing.T) {
	of := func(axes string) float64 {
		cells := costCells(t, axes)
		require.Len(t, cells, 1)
		return Seconds(cells[0].Cell)
	}
	for _, rule := range []string{"hebb", "lbfgs", "adam", "descent", "maxmargin"} {
		for _, measure := range []string{"storage", "training"} {
			common := fmt.Sprintf("rule = \"%s\"\nmeasure = \"%s\"\nload = 0.8\n", rule, measure)
			small, large := of(common+"model = \"op\"\nd = 24"), of(common+"model = \"op\"\nd = 48")
			assert.Positive(t, small)
			assert.Greater(t, large, 2*small, common)
			assert.Greater(t, of(common+"model = \"dp\"\nd = 48"), 1.1*large, common)
			assert.False(t, math.IsInf(of(common+"model = \"dp\"\nd = 1000"), 0))
		}
	}
	const factors = "model = \"op\"\nd = 24\nrank = 6\nload = 1.2\n"
	assert.InEpsilon(t, 0.5, of(factors+"restarts = 5")/of(factors+"restarts = 10"), 0.25)
	assert.Less(t, of(factors+"max_evaluations = 10"), 0.5*of(factors))
	// A plan adds them up.
	p := &Plan{Cells: costCells(t, factors+"seed = [1, 2]")}
	assert.InEpsilon(t, 6*of(factors), p.Seconds(), 1e-12)
	assert.Equal(t, 6, p.Instances())
}
