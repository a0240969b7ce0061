package reproduce

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/harness/sweep"
	"lamcap/harness/trial"
	"lamcap/saddle"
)

// stored is a row of the fractions of the default report.
type stored struct {
	trials, stored, undecided int
	probability               string
}

// committed reads the committed table by the addresses of its cells.
func committed(t *testing.T, p *sweep.Plan) map[sweep.Address]stored {
	f, err := os.Open("../report/testdata/tables/stored_fraction.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	column := map[string]int{}
	for i, key := range rows[0] {
		column[key] = i
	}
	number := func(row []string, key string) int {
		n, err := strconv.Atoi(row[column[key]])
		require.NoError(t, err)
		return n
	}
	type key struct {
		model      string
		d, rank, p int
	}
	byKey := map[key]stored{}
	for _, row := range rows[1:] {
		k := key{row[column["model"]], number(row, "d_out"), number(row, "rank"), number(row, "p")}
		byKey[k] = stored{number(row, "trials"), number(row, "stored"), number(row, "undecided"), row[column["probability"]]}
	}
	cells := map[sweep.Address]stored{}
	for _, w := range p.Cells {
		if w.Measure == sweep.Storage {
			s, ok := byKey[key{w.Spec.Model.String(), w.Spec.DOut, w.Rank, w.Spec.P}]
			require.True(t, ok, "%v: no row", w.Address)
			cells[w.Address] = s
		}
	}
	assert.Len(t, byKey, len(cells), "rows of cells that the grid has not")
	return cells
}

// The tables in harness/report/testdata are those of the default grid: they have its
// cells and trials, and small cells, run again, give the same counts, of proofs, on any
// machine.
func TestCommittedReport(t *testing.T) {
	p, err := Default.Plan()
	require.NoError(t, err)
	rows := committed(t, p)
	again := 0
	for _, w := range p.Cells {
		row, ok := rows[w.Address]
		if !ok {
			continue
		}
		assert.Equal(t, w.Trials, row.trials, w.Address)
		if w.Spec.DOut > 12 || w.Load() < 0.97 || w.Load() > 1.06 {
			continue
		}
		again++
		counts := map[trial.Outcome]int{}
		for i := range w.Trials {
			r, err := sweep.Execute(w.Cell, uint64(i))
			require.NoError(t, err)
			counts[r.Result.Outcome]++
		}
		assert.Equal(t, row.stored, counts[trial.Stored], w.Address)
		assert.Equal(t, row.undecided, counts[trial.Undecided], w.Address)
	}
	assert.GreaterOrEqual(t, again, 4)
}

// The theory beside them is what the program says now.
func TestCommittedTheory(t *testing.T) {
	p, err := Default.Plan()
	require.NoError(t, err)
	checked := 0
	for a, row := range committed(t, p) {
		if a.Spec.Model != pattern.DP || !a.Full() || a.Spec.DOut > 24 {
			continue
		}
		checked++
		want, err := saddle.NewTransition().Decoupled(a.Spec.DOut).Probability(float64(a.Spec.DIn*a.Spec.DOut), float64(a.Spec.P), float64(a.Spec.N))
		require.NoError(t, err)
		got, err := strconv.ParseFloat(row.probability, 64)
		require.NoError(t, err)
		assert.InDelta(t, want.Value, got, 1e-9, a)
	}
	assert.Positive(t, checked)
}
