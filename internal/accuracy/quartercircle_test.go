package accuracy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/internal/accuracy"
	"lamcap/quartercircle"
)

const quarterCircleData = "../../quartercircle/testdata/"

// closedForm is the budget of the closed forms: 2e-15 is what is asked of them,
// nine units in the last place.
const closedForm = 2e-15

// quarterCircleRows compares the square law.
func quarterCircleRows(t *testing.T, table *accuracy.Table) {
	const range_, decimal = "κ = 1e-12 … 1", "mpmath, 40 digits, decimal κ"
	cut := table.Add(accuracy.Row{Function: "quartercircle.Cut", Range: range_, Against: decimal, Budget: closedForm})
	moment := table.Add(accuracy.Row{Function: "quartercircle.TruncatedSecondMoment", Range: range_, Against: decimal, Budget: closedForm})
	capacity := table.Add(accuracy.Row{Function: "quartercircle.Capacity", Range: range_, Against: decimal, Budget: closedForm})
	for _, row := range accuracy.Read(t, quarterCircleData+"quarter_circle.csv") {
		decimal := accuracy.Decimal(row["kappa"])
		kappa := decimal.Float64()
		x, err := quartercircle.Cut(kappa)
		require.NoError(t, err)
		// dx/dκ = −1/ρ(x): at κ = 0.999999 the 1e-17 between the float64 and the
		// decimal is 1e-11 of x.
		wantX := accuracy.Decimal(row["x_kappa"])
		if kappa < 1 {
			wantX = wantX.At(decimal, -1/quartercircle.Density(wantX.Float64()))
		}
		cut.Compare(x, wantX, row["kappa"])

		slope := wantX.Float64() * wantX.Float64() // dI/dκ = x²
		i, err := quartercircle.TruncatedSecondMoment(kappa)
		require.NoError(t, err)
		moment.Compare(i, accuracy.Decimal(row["I"]).At(decimal, slope), row["kappa"])
		alpha, err := quartercircle.Capacity(kappa)
		require.NoError(t, err)
		capacity.Compare(alpha, accuracy.Decimal(row["alpha_c"]).At(decimal, slope/2), row["kappa"])
	}

	const whole, exact = "κ = 1e-15 … 1 − 1e-15", "mpmath, 40 digits, float64 κ"
	cut = table.Add(accuracy.Row{Function: "quartercircle.Cut", Range: whole, Against: exact, Budget: closedForm})
	moment = table.Add(accuracy.Row{Function: "quartercircle.TruncatedSecondMoment", Range: whole, Against: exact, Budget: closedForm})
	for _, row := range accuracy.Read(t, quarterCircleData+"closed_form.csv") {
		kappa := accuracy.Decimal(row["kappa"]).Float64()
		x, err := quartercircle.Cut(kappa)
		require.NoError(t, err)
		cut.Compare(x, accuracy.Decimal(row["x_kappa"]), row["kappa"])
		i, err := quartercircle.TruncatedSecondMoment(kappa)
		require.NoError(t, err)
		moment.Compare(i, accuracy.Decimal(row["I"]), row["kappa"])
	}

	inverse := table.Add(accuracy.Row{Function: "quartercircle.Kappa", Range: "α = 1e-15 … 0.5 − 6e-17", Against: "mpmath, 40 digits", Budget: closedForm})
	for _, row := range accuracy.Read(t, quarterCircleData+"inverse.csv") {
		kappa, err := quartercircle.Kappa(accuracy.Decimal(row["alpha"]).Float64())
		require.NoError(t, err)
		inverse.Compare(kappa, accuracy.Decimal(row["kappa"]), row["alpha"])
	}

	const support, law = "x = 1e-300 … 2 − 2e-16", "mpmath, 40 digits"
	density := table.Add(accuracy.Row{Function: "quartercircle.Density", Range: support, Against: law, Budget: closedForm})
	cdf := table.Add(accuracy.Row{Function: "quartercircle.CDF", Range: support, Against: law, Budget: closedForm})
	survival := table.Add(accuracy.Row{Function: "quartercircle.Survival", Range: support, Against: law, Budget: closedForm})
	quantile := table.Add(accuracy.Row{Function: "quartercircle.Quantile", Range: "p = 6e-301 … 1", Against: law, Budget: closedForm})
	for _, row := range accuracy.Read(t, quarterCircleData+"law.csv") {
		x := accuracy.Decimal(row["x"])
		density.Compare(quartercircle.Density(x.Float64()), accuracy.Decimal(row["density"]), row["x"])
		cdf.Compare(quartercircle.CDF(x.Float64()), accuracy.Decimal(row["cdf"]), row["x"])
		survival.Compare(quartercircle.Survival(x.Float64()), accuracy.Decimal(row["survival"]), row["x"])
		// The quantile of the float64 next to the CDF; where p is within a
		// rounding of 1 the first order does not describe it.
		if p := accuracy.Decimal(row["cdf"]); x.Float64() < 1.9999 {
			got, err := quartercircle.Quantile(p.Float64())
			require.NoError(t, err)
			quantile.Compare(got, accuracy.Exact(x.Float64()).At(p, 1/quartercircle.Density(x.Float64())), row["x"])
		}
	}
}

// rectangularRows compares the law of rectangular matrices, values and bounds.
func rectangularRows(t *testing.T, table *accuracy.Table) {
	const range_, against = "ratio 1e-6 … 1, κ = 1e-9 … 1 − 1e-6", "mpmath, arctan form"
	cut := table.Add(accuracy.Row{Function: "quartercircle.Rectangular.Cut", Range: range_, Against: against, Budget: 2e-15})
	cutBound := table.Add(accuracy.Row{Function: "quartercircle.Rectangular.Cut", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	moment := table.Add(accuracy.Row{Function: "quartercircle.Rectangular.TruncatedSecondMoment", Range: range_, Against: against, Budget: 2e-15})
	momentBound := table.Add(accuracy.Row{Function: "quartercircle.Rectangular.TruncatedSecondMoment", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	survival := table.Add(accuracy.Row{Function: "quartercircle.Rectangular.Survival", Range: range_, Against: against, Budget: 5e-15})
	survivalBound := table.Add(accuracy.Row{Function: "quartercircle.Rectangular.Survival", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	for _, row := range accuracy.Read(t, quarterCircleData+"rectangular.csv") {
		where := "ratio " + row["ratio"] + ", κ " + row["kappa"]
		law, err := quartercircle.NewRectangular(accuracy.Decimal(row["ratio"]).Float64())
		require.NoError(t, err)
		kappa := accuracy.Decimal(row["kappa"]).Float64()
		want := accuracy.Decimal(row["x_kappa"])
		x, err := law.Cut(kappa)
		require.NoError(t, err)
		require.True(t, x.Status.OK(), where)
		cut.Compare(x.Value, want, where)
		cutBound.CompareBound(x.Value, x.Error, want, where)
		i, err := law.TruncatedSecondMoment(kappa)
		require.NoError(t, err)
		require.True(t, i.Status.OK(), where)
		moment.Compare(i.Value, accuracy.Decimal(row["I"]), where)
		momentBound.CompareBound(i.Value, i.Error, accuracy.Decimal(row["I"]), where)
		// κ of the float64 next to x_κ: dκ/dx = −ρ.
		nearest := want.Float64()
		k := law.Survival(nearest)
		wantK := accuracy.Exact(kappa).At(want, -law.Density(nearest))
		survival.Compare(k.Value, wantK, where)
		survivalBound.CompareBound(k.Value, k.Error, wantK, where)
	}
}
