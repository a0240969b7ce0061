package accuracy_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/internal/accuracy"
	"lamcap/saddle"
)

// hebbRows compares Hebb's recall with high-precision quadrature. The law of OP
// has no such reference: it is held to simulations in its own package.
func hebbRows(t *testing.T, table *accuracy.Table) {
	number := func(s string) float64 { return accuracy.Decimal(s).Float64() }
	limit := table.Add(accuracy.Row{Function: "saddle.HebbItemRecall", Range: "d = 24 … 256, p = 50 … 5000", Against: "hebb_item_recall.csv", Budget: 2e-15})
	for _, row := range accuracy.Read(t, saddleData+"hebb_item_recall.csv") {
		p := number(row["p"])
		v, err := saddle.HebbItemRecall(number(row["d"]), p, p)
		require.NoError(t, err)
		limit.Compare(v.Value, accuracy.Decimal(row["P_item"]), "d = "+row["d"]+", p = "+row["p"])
	}
	const range_, against = "d = 2 … 100", "mpmath"
	vector := table.Add(accuracy.Row{Function: "saddle.HebbItemRecallDecoupled", Range: range_, Against: against, Budget: 2e-13})
	bound := table.Add(accuracy.Row{Function: "saddle.HebbItemRecallDecoupled", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	for _, row := range accuracy.Read(t, saddleData+"hebb_vector.csv") {
		if row["kind"] != "law" {
			continue
		}
		where := "d = " + row["a"] + ", p = " + row["b"] + ", n = " + row["c"]
		d, err := strconv.Atoi(row["a"])
		require.NoError(t, err)
		v, err := saddle.HebbItemRecallDecoupled(d, number(row["b"]), number(row["c"]))
		require.NoError(t, err)
		want := accuracy.Decimal(row["value"])
		vector.Compare(v.Value, want, where)
		bound.CompareBound(v.Value, v.Error, want, where)
	}
}
