package predict

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/table"
)

// column returns the values of a column by its key.
func column(t *testing.T, tab *table.Table, key string) []any {
	t.Helper()
	for i, c := range tab.Columns {
		if c.Key == key {
			var out []any
			for _, row := range tab.Rows {
				out = append(out, row[i])
			}
			return out
		}
	}
	t.Fatalf("no column %s", key)
	return nil
}

// The json keys are a contract.
func TestKeys(t *testing.T) {
	c, err := Capacity(CapacityQuery{Kappas: []float64{1}})
	require.NoError(t, err)
	f, err := FiniteSize([]float64{2})
	require.NoError(t, err)
	for _, want := range []struct {
		table *table.Table
		keys  []string
	}{
		{c, []string{"kappa", "n", "log_n", "alpha_limit", "alpha_c", "gamma_c", "d", "rank", "n_eff", "p_c"}},
		{f, []string{"n", "log_n", "d_n", "d_n_error", "alpha_c", "alpha_expansion", "alpha_threshold", "alpha_limit"}},
	} {
		for _, key := range want.keys {
			column(t, want.table, key)
		}
	}
}

func TestCapacityInTheLimit(t *testing.T) {
	tab, err := Capacity(CapacityQuery{Kappas: []float64{0.25, 1}})
	require.NoError(t, err)
	assert.InDeltaSlice(t, []any{0.31145627563918254, 0.5}, column(t, tab, "alpha_c"), 1e-15)
	assert.Equal(t, column(t, tab, "alpha_limit"), column(t, tab, "alpha_c"))
	assert.Equal(t, []any{math.Inf(1), math.Inf(1)}, column(t, tab, "n"))
	assert.Equal(t, []any{0.0, 0.0}, column(t, tab, "gamma_c"))
	assert.Equal(t, []any{nil, nil}, column(t, tab, "p_c"), "without d there is no p_c")
}

// At full rank p_c is d²/D_n for given n and solves p·D_p = d² for n = p; at
// rank m it is N_eff/D_n, not parameters/D_n.
func TestCapacityInFacts(t *testing.T) {
	tab, err := Capacity(CapacityQuery{Kappas: []float64{1, 0.5}, D: 24})
	require.NoError(t, err)
	p := column(t, tab, "p_c")
	assert.InDelta(t, 115.467416, p[0].(float64), 1e-6)
	// 2md − m² = 432 parameters would say 92.
	assert.InDelta(t, 105.9, p[1].(float64), 0.3)
	assert.InDeltaSlice(t, p, column(t, tab, "n"), 1e-9, "n = p")
	assert.Equal(t, []any{24, 12}, column(t, tab, "rank"))
	assert.Less(t, column(t, tab, "p_c_error")[0].(float64), 1e-9)

	tab, err = Capacity(CapacityQuery{Kappas: []float64{1}, Candidates: []float64{2, math.Inf(1)}, D: 10})
	require.NoError(t, err)
	p = column(t, tab, "p_c")
	assert.InDelta(t, 200, p[0].(float64), 1e-9, "Cover: 2N")
	assert.Equal(t, 0.0, p[1])
}

func TestRankIsRounded(t *testing.T) {
	tab, err := Capacity(CapacityQuery{Kappas: []float64{1e-15, 0.3}, D: 8, Candidates: []float64{10}})
	require.NoError(t, err)
	assert.Equal(t, []any{1, 2}, column(t, tab, "rank"))
}

func TestFiniteSize(t *testing.T) {
	tab, err := FiniteSize([]float64{2, 1e300})
	require.NoError(t, err)
	alpha := column(t, tab, "alpha_c")
	assert.InDelta(t, 2*math.Ln2, alpha[0].(float64), 1e-12)
	assert.InDelta(t, 0.507527, alpha[1].(float64), 5e-7)
	// With a single competitor a threshold at its mean, 0, is exact.
	assert.InDelta(t, 2*math.Ln2, column(t, tab, "alpha_threshold")[0].(float64), 1e-12)
	assert.Equal(t, []any{0.5, 0.5}, column(t, tab, "alpha_limit"))
}

func TestErrors(t *testing.T) {
	_, err := Capacity(CapacityQuery{Kappas: []float64{1.2}})
	assert.EqualError(t, err, "kappa = 1.2: want 0 < kappa ≤ 1")
	_, err = Capacity(CapacityQuery{})
	assert.Error(t, err)
	_, err = Capacity(CapacityQuery{Kappas: []float64{1}, D: -1})
	assert.EqualError(t, err, "d = -1: want 1 ≤ d ≤ 1099511627776")
	_, err = FiniteSize([]float64{1})
	assert.EqualError(t, err, "n = 1: want 2 ≤ n ≤ 1e300")
	_, err = FiniteSize(nil)
	assert.Error(t, err)
}
