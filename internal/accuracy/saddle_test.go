package accuracy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/internal/accuracy"
	"lamcap/saddle"
)

const saddleData = "../../saddle/testdata/"

// gardnerRows compares capacity, overlap and free energy at a threshold.
func gardnerRows(t *testing.T, table *accuracy.Table) {
	given := table.Add(accuracy.Row{Function: "saddle.Gardner.Capacity", Range: "T = 0 … 10", Against: "gardner_margin.csv", Budget: 2e-15})
	for _, row := range accuracy.Read(t, saddleData+"gardner_margin.csv") {
		c, err := saddle.Gardner{Threshold: accuracy.Decimal(row["T"]).Float64()}.Capacity()
		require.NoError(t, err)
		given.Compare(c.Value, accuracy.Decimal(row["gamma_c"]), row["T"])
	}

	const against = "mpmath, 40 digits"
	positive := table.Add(accuracy.Row{Function: "saddle.Gardner.Capacity", Range: "T = 0 … 1e50", Against: against, Budget: 2e-15})
	// φ(T) is e^{−684} at T = −37: a rounding of T² is 1e-13 of it.
	negative := table.Add(accuracy.Row{Function: "saddle.Gardner.Capacity", Range: "T = −37 … −0.01", Against: against, Budget: 2e-13})
	bound := table.Add(accuracy.Row{Function: "saddle.Gardner.Capacity", Range: "T = −37 … 1e50", Against: against, Kind: accuracy.Bound, Budget: 1})
	for _, row := range accuracy.Read(t, saddleData+"capacity.csv") {
		T := accuracy.Decimal(row["threshold"]).Float64()
		c, err := saddle.Gardner{Threshold: T}.Capacity()
		require.NoError(t, err)
		require.True(t, c.Status.OK(), row["threshold"])
		want := accuracy.Decimal(row["gamma_c"])
		if T < 0 {
			negative.Compare(c.Value, want, row["threshold"])
		} else {
			positive.Compare(c.Value, want, row["threshold"])
		}
		bound.CompareBound(c.Value, c.Error, want, row["threshold"])
	}

	const range_ = "T = −1 … 5, to 1 − 4e-6 of capacity"
	overlap := table.Add(accuracy.Row{Function: "saddle.Gardner.Overlap", Range: range_, Against: against, Budget: 2e-15})
	overlapBound := table.Add(accuracy.Row{Function: "saddle.Gardner.Overlap", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	// Terms of the order of 1/(1 − q) = 3e5 cancel to 9.
	energy := table.Add(accuracy.Row{Function: "saddle.Gardner.FreeEnergy", Range: range_, Against: against, Budget: 1e-11})
	energyBound := table.Add(accuracy.Row{Function: "saddle.Gardner.FreeEnergy", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	for _, row := range accuracy.Read(t, saddleData+"overlap.csv") {
		where := "T = " + row["threshold"] + ", γ = " + row["gamma"]
		g := saddle.Gardner{Threshold: accuracy.Decimal(row["threshold"]).Float64()}
		gamma := accuracy.Decimal(row["gamma"]).Float64()
		s, err := g.Overlap(gamma)
		require.NoError(t, err)
		require.True(t, s.Status.OK(), where)
		want := accuracy.Decimal(row["q"])
		overlap.Compare(s.Overlap, want, where)
		overlapBound.CompareBound(s.Overlap, s.Error, want, where)
		// Stationary: the rounding of q enters in second order.
		v, err := g.FreeEnergy(want.Float64(), gamma)
		require.NoError(t, err)
		energy.Compare(v.Value, accuracy.Decimal(row["free_energy"]), where)
		energyBound.CompareBound(v.Value, v.Error, accuracy.Decimal(row["free_energy"]), where)
	}
}

// limitRows compares the formulas of the limit, closed forms of one line.
func limitRows(t *testing.T, table *accuracy.Table) {
	row := table.Add(accuracy.Row{Function: "saddle.Overlap, free energy", Range: "α = 0.1, 0.25, 0.499", Against: "½ log(1 − 2α), 20 digits", Budget: 1e-15})
	stationary := table.Add(accuracy.Row{Function: "saddle.FreeEnergy at q = 2α", Range: "α = 0.1, 0.25, 0.499", Against: "½ log(1 − 2α), 20 digits", Budget: 1e-15})
	for _, c := range []struct{ alpha, energy string }{
		{"0.1", "-0.11157177565710487788"},
		{"0.25", "-0.34657359027997265471"},
		{"0.499", "-3.1073040492110959637"},
	} {
		decimal := accuracy.Decimal(c.alpha)
		alpha := decimal.Float64()
		want := accuracy.Decimal(c.energy).At(decimal, -1/(1-2*alpha))
		_, energy, err := saddle.Overlap(alpha)
		require.NoError(t, err)
		row.Compare(energy, want, c.alpha)
		energy, err = saddle.FreeEnergy(2*alpha, alpha)
		require.NoError(t, err)
		stationary.Compare(energy, want, c.alpha)
	}
}

// storableRows compares the transition.
func storableRows(t *testing.T, table *accuracy.Table) {
	const range_, against = "n = 4, 10, 100; P or 1 − P ≥ 1e-23", "mpmath volumes"
	// P is a sum of products of p volumes over the p-th power of their total, so the errors
	// of these grow p times. Each volume is e to a sum of logs and some 8 roundings off,
	// and so is the total, all in one direction: p = 20 times 16 roundings. How much of
	// that is met depends on what is fused: 1e-14 without, 3e-14 on arm64.
	const budget = 20 * 16 * 0x1p-53
	probability := table.Add(accuracy.Row{Function: "saddle.Transition.Probability, P", Range: range_, Against: against, Budget: budget})
	complement := table.Add(accuracy.Row{Function: "saddle.Transition.Probability, 1 − P", Range: range_, Against: against, Budget: budget})
	bound := table.Add(accuracy.Row{Function: "saddle.Transition.Probability", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	transition := saddle.NewTransition()
	for _, row := range accuracy.Read(t, saddleData+"storable.csv") {
		integer := func(name string) float64 { return accuracy.Decimal(row[name]).Float64() }
		where := "N = " + row["weights"] + ", p = " + row["p"] + ", n = " + row["n"]
		r, err := transition.Probability(integer("weights"), integer("p"), integer("n"))
		require.NoError(t, err)
		probability.Compare(r.Value, accuracy.Decimal(row["probability"]), where)
		complement.Compare(r.Complement, accuracy.Decimal(row["complement"]), where)
		if r.Value < r.Complement {
			bound.CompareBound(r.Value, r.Error*r.Value, accuracy.Decimal(row["probability"]), where)
		} else {
			bound.CompareBound(r.Complement, r.Error*r.Complement, accuracy.Decimal(row["complement"]), where)
		}
	}
	critical := table.Add(accuracy.Row{Function: "saddle.CriticalFacts", Range: "N = 576", Against: "theory, 9 digits", Budget: 5e-9})
	c, err := saddle.CriticalFacts(576)
	require.NoError(t, err)
	critical.Compare(c.Facts, accuracy.Decimal("115.467416"), "N = 576")
}
