package predict

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/harness/table"
)

func expansionTables(t *testing.T, ns ...float64) map[string]*table.Table {
	t.Helper()
	tables, err := Expansion(ns)
	require.NoError(t, err)
	out := map[string]*table.Table{}
	for _, tab := range tables {
		out[tab.Name] = tab
	}
	require.Len(t, out, 4)
	return out
}

// The json keys are a contract.
func TestExpansionKeys(t *testing.T) {
	tables := expansionTables(t, 10)
	for _, name := range []string{"expansion_explicit", "expansion_implicit", "expansion_fraction"} {
		require.Contains(t, tables, name)
		for _, key := range []string{"n", "d_n", "d_n_error", "best_order"} {
			assert.Len(t, column(t, tables[name], key), 1)
		}
		for order := range extremes.MaxExpansionOrder + 1 {
			assert.Len(t, column(t, tables[name], fmt.Sprintf("error_%d", order)), 1)
		}
	}
	fits := tables["expansion_fits"]
	require.NotNil(t, fits)
	for _, key := range []string{"n_first", "n_last", "points"} {
		column(t, fits, key)
	}
	for _, law := range []string{"log", "log_squared", "loglog", "inverse_loglog", "inverse_loglog_squared"} {
		column(t, fits, "limit_"+law)
		column(t, fits, "residual_"+law)
	}
}

// The four-term form misses D_n by 0.65 at 1e8 and 0.10 at 1e100; the best order
// of the series in 1/T moves up with n.
func TestExpansionErrorsByOrder(t *testing.T) {
	tables := expansionTables(t, 1e4, 1e8, 1e100)
	explicit := column(t, tables["expansion_explicit"], "error_0")
	assert.InDelta(t, -0.65, explicit[1].(float64), 0.005)
	assert.InDelta(t, -0.10, explicit[2].(float64), 0.005)
	assert.Equal(t, []any{2, 10}, column(t, tables["expansion_implicit"], "best_order")[:2])
	// One part in a million at 10^4 candidates.
	last := column(t, tables["expansion_fraction"], fmt.Sprintf("error_%d", extremes.MaxExpansionOrder))
	assert.Less(t, math.Abs(last[0].(float64)), 2e-5)
	for _, name := range []string{"expansion_explicit", "expansion_implicit", "expansion_fraction"} {
		for i, e := range column(t, tables[name], "best_order") {
			best := column(t, tables[name], fmt.Sprintf("error_%d", e))[i].(float64)
			for order := range extremes.MaxExpansionOrder + 1 {
				other := column(t, tables[name], fmt.Sprintf("error_%d", order))[i].(float64)
				resolution := column(t, tables[name], "d_n_error")[i].(float64)
				assert.LessOrEqual(t, math.Abs(best), math.Max(math.Abs(other), resolution))
			}
		}
	}
}

// A fit that does not know of the logarithms is biased upwards, far beyond its
// residuals; with those of the theory the limit comes out.
func TestExpansionFits(t *testing.T) {
	fits := expansionTables(t, 10)["expansion_fits"]
	points := column(t, fits, "points")
	limit := func(law string, row int) float64 { return column(t, fits, "limit_"+law)[row].(float64) }
	residual := func(law string, row int) float64 { return column(t, fits, "residual_"+law)[row].(float64) }
	for row := range fits.Rows {
		assert.Greater(t, limit("log", row)-0.5, 8*residual("log", row), "row %d", row)
		assert.Greater(t, limit("log", row), 0.5035)
		assert.Less(t, math.Abs(limit("inverse_loglog", row)-0.5), (limit("log", row)-0.5)/5)
		if points[row] == 2 {
			assert.Nil(t, column(t, fits, "limit_log_squared")[row])
			continue
		}
		assert.Greater(t, limit("log_squared", row)-0.5, 20*residual("log_squared", row), "row %d", row)
		assert.Greater(t, limit("log", row), limit("log_squared", row))
		assert.InDelta(t, 0.5, limit("inverse_loglog_squared", row), 0.002)
	}
	// From 1e2 to 1e4, the sizes people train, 0.61 where the limit is 0.50: by
	// hand, (α(n²) 2 − α(n)) with α(100) = 0.96074770, α(1e4) = 0.78277599.
	assert.InDelta(t, 2*0.78277599-0.96074770, limit("log", 0), 2e-8)
	// Through n, n^{3/2}, n², where 1/L is as 1, 2/3, 1/2: Lagrange's weights at 0
	// are 2, −9 and 8.
	assert.InDelta(t, 2*0.96074770-9*0.85068387+8*0.78277599, limit("log_squared", 1), 1e-7)
}

func TestExpansionRefuses(t *testing.T) {
	_, err := Expansion(nil)
	assert.EqualError(t, err, "n: want at least one value")
	_, err = Expansion([]float64{100, 1})
	assert.EqualError(t, err, "n = 1: want 2 ≤ n ≤ 1e300")
}

// Each law finds the limit of data that follow it.
func TestFitLaws(t *testing.T) {
	for _, law := range expansionFitLaws() {
		var logs, alphas []float64
		for l := 20.0; l < 60; l += 5 {
			y := law.known(l)
			for j, b := range law.basis {
				y += []float64{0.7, -0.3, 1.1}[j] * b(l)
			}
			if law.inverse {
				y = 1 / y
			}
			logs, alphas = append(logs, l), append(alphas, y)
		}
		want := 0.7
		if law.inverse {
			want = 1 / 0.7
		}
		got, residual, err := law.extrapolate(logs, alphas)
		require.NoError(t, err)
		assert.InDelta(t, want, got, 1e-11, law.key)
		assert.Less(t, residual, 1e-12, law.key)
	}
}
