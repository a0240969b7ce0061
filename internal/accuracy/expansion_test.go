package accuracy_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/accuracy"
)

// expansionRows compares the expansions for n → ∞ with exact values: whether
// their Error is a bound, and how near the last convergent comes.
func expansionRows(t *testing.T, table *accuracy.Table) {
	quantities := []struct {
		name, column string
		expansion    func(extremes.ExpansionForm, float64, int) (extremes.Value, error)
	}{
		{"extremes.ConeDimensionExpansion", "D", extremes.ConeDimensionExpansion},
		{"extremes.ConeVarianceExpansion", "V", extremes.ConeVarianceExpansion},
	}
	for _, q := range quantities {
		for _, form := range extremes.ExpansionForms() {
			bound := table.Add(accuracy.Row{Function: q.name + ", " + form.String(), Range: "n = 4 … 1e300, every order",
				Against: "mpmath, 19 digits", Kind: accuracy.Bound, Budget: 1})
			for _, row := range accuracy.Read(t, extremesData+"cone.csv") {
				logN := math.Log(accuracy.Decimal(row["n"]).Float64())
				for order := range extremes.MaxExpansionOrder + 1 {
					v, err := q.expansion(form, logN, order)
					require.NoError(t, err)
					bound.CompareBound(v.Value, v.Error, accuracy.Decimal(row[q.column]), "n = "+row["n"])
				}
			}
		}
		// The convergent of the highest order: log n = 1e3 … 1e6, where what it
		// leaves out is below rounding, and the range of the exact routine, where
		// it is not.
		large := table.Add(accuracy.Row{Function: q.name + ", fraction", Range: "log n = 1e3 … 1e6, order 10",
			Against: "mpmath, 58 digits", Budget: 1e-15})
		for _, row := range accuracy.Read(t, extremesData+"cone_poisson.csv") {
			v, err := q.expansion(extremes.FractionForm, accuracy.Decimal(row["log_n"]).Float64(), extremes.MaxExpansionOrder)
			require.NoError(t, err)
			large.Compare(v.Value, accuracy.Decimal(row[q.column]), "log n = "+row["log_n"])
		}
	}
}
