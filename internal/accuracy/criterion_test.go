package accuracy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/accuracy"
	"lamcap/saddle"
)

// criterionRows compares what belongs to other criteria than the recall of every
// input: lost inputs, the k best, the tail-average margin.
func criterionRows(t *testing.T, table *accuracy.Table) {
	const tails, against = "r = 1e-300 … 1 − 1e-16", "mpmath, 50 digits"
	margin := table.Add(accuracy.Row{Function: "saddle.TailAverageMargin", Range: tails, Against: against, Budget: 2e-15})
	capacity := table.Add(accuracy.Row{Function: "saddle.TailAverageCapacity", Range: tails, Against: against, Budget: 3e-15})
	for _, row := range accuracy.Read(t, saddleData+"surrogate.csv") {
		r := accuracy.Decimal(row["r"]).Float64() // the shortest decimal of a float64
		kappa, err := saddle.TailAverageMargin(r)
		require.NoError(t, err)
		margin.Compare(kappa, accuracy.Decimal(row["kappa"]), row["r"])
		alpha, err := saddle.TailAverageCapacity(r)
		require.NoError(t, err)
		capacity.Compare(alpha, accuracy.Decimal(row["capacity"]), row["r"])
	}

	const loads = "n = 2 … 100, load to 9e10"
	// Sums with total 1 of volumes that are some 8 roundings off, twice: where the cutoff
	// is and what is beyond it. With products fused, 1.2e-15 is met.
	fraction := table.Add(accuracy.Row{Function: "saddle.MinimalErrors", Range: loads, Against: "mpmath volumes, incomplete gammas", Kind: accuracy.Absolute, Budget: 2e-15})
	bound := table.Add(accuracy.Row{Function: "saddle.MinimalErrors", Range: loads, Against: "mpmath volumes, incomplete gammas", Kind: accuracy.Bound, Budget: 1})
	for _, row := range accuracy.Read(t, saddleData+"fraction.csv") {
		where := "n = " + row["n"] + ", c = " + row["cutoff"]
		load, cutoff := accuracy.Decimal(row["load"]), accuracy.Decimal(row["cutoff"]).Float64()
		e, err := saddle.MinimalErrors(load.Float64(), accuracy.Decimal(row["n"]).Float64())
		require.NoError(t, err)
		require.True(t, e.Status.OK(), where)
		want := accuracy.Decimal(row["fraction"]).At(load, 1/(load.Float64()*load.Float64()*cutoff))
		fraction.Compare(e.Fraction, want, where)
		bound.CompareBound(e.Fraction, e.Error, want, where)
	}

	const ranks = "k = n − 1, n = 3 … 1e12"
	top := table.Add(accuracy.Row{Function: "extremes.TopConeDimension", Range: ranks, Against: "mpmath, 40 digits", Budget: 1e-12})
	topBound := table.Add(accuracy.Row{Function: "extremes.TopConeDimension", Range: ranks, Against: "mpmath, 40 digits", Kind: accuracy.Bound, Budget: 1})
	for _, row := range accuracy.Read(t, extremesData+"top.csv") {
		d, err := extremes.TopConeDimension(accuracy.Decimal(row["n"]).Float64(), accuracy.Decimal(row["k"]).Float64())
		require.NoError(t, err)
		require.True(t, d.Status.OK(), row["n"])
		top.Compare(d.Value, accuracy.Decimal(row["D"]), row["n"])
		topBound.CompareBound(d.Value, d.Error, accuracy.Decimal(row["D"]), row["n"])
	}
}
