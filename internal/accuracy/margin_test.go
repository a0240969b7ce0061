package accuracy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/accuracy"
)

// marginRows compares the winner-take-all cone with a margin.
func marginRows(t *testing.T, table *accuracy.Table) {
	const range_, against = "n = 2 … 60, K = 0 … 20", "mpmath, by the number of active competitors"
	add := func(function string, kind accuracy.Kind, budget float64) *accuracy.Row {
		return table.Add(accuracy.Row{Function: "extremes.MarginCone, " + function, Range: range_, Against: against, Kind: kind, Budget: budget})
	}
	dimension := add("D_n(K)", accuracy.Relative, 4e-15)
	active := add("mean active", accuracy.Relative, 4e-15)
	mean := add("E m*", accuracy.Absolute, 1e-14)
	variance := add("Var m*", accuracy.Relative, 1e-13)
	bound := add("moments", accuracy.Bound, 1)
	cdf := add("CDFs", accuracy.Relative, 4e-14)
	density := add("densities", accuracy.Relative, 4e-14)
	lawBound := add("laws", accuracy.Bound, 1)
	for _, row := range accuracy.Read(t, extremesData+"margin.csv") {
		number := func(name string) float64 { return accuracy.Decimal(row[name]).Float64() }
		c := extremes.MarginCone{N: number("n"), Margin: number("K")}
		where := "n = " + row["n"] + ", K = " + row["K"]
		m, err := c.Moments()
		require.NoError(t, err)
		for _, compare := range []struct {
			row  *accuracy.Row
			v    extremes.Value
			name string
		}{{dimension, m.Dimension, "dimension"}, {active, m.Active, "active"}, {mean, m.LevelMean, "mean"}, {variance, m.LevelVariance, "variance"}} {
			require.True(t, compare.v.Status.OK(), where)
			compare.row.Compare(compare.v.Value, accuracy.Decimal(row[compare.name]), where)
			bound.CompareBound(compare.v.Value, compare.v.Error, accuracy.Decimal(row[compare.name]), where)
		}
		// x and K are multiples of 1/64: x + K is exact.
		x := number("x")
		for _, compare := range []struct {
			row  *accuracy.Row
			law  func(float64) (extremes.Value, error)
			x    float64
			name string
		}{
			{cdf, c.CorrectCDF, x + c.Margin, "level_cdf"},
			{density, c.CorrectDensity, x + c.Margin, "level_density"},
			{cdf, c.CompetitorCDF, x, "competitor_cdf"},
			{density, c.CompetitorDensity, x, "competitor_density"},
		} {
			v, err := compare.law(compare.x)
			require.NoError(t, err)
			want := accuracy.Decimal(row[compare.name])
			compare.row.Compare(v.Value, want, where+", x = "+row["x"])
			lawBound.CompareBound(v.Value, v.Error, want, where+", x = "+row["x"])
		}
	}
}
