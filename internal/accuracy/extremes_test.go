package accuracy_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/accuracy"
)

const extremesData = "../../extremes/testdata/"

// normalRows compares tails and quantiles of the normal law.
func normalRows(t *testing.T, table *accuracy.Table) {
	const budget = 2e-15
	given := table.Add(accuracy.Row{Function: "extremes.LogSurvival", Range: "x = −10 … 1e8", Against: "log_normal_survival.csv", Budget: budget})
	for _, row := range accuracy.Read(t, extremesData+"log_normal_survival.csv") {
		// Every x of this table is a float64. Its log Q(−10) is right to 17 digits only,
		// …526|0704 for …526|0660 (LogNormalSurvival), which no float64 can tell.
		given.Compare(extremes.LogSurvival(accuracy.Decimal(row["x"]).Float64()), accuracy.Decimal(row["log_Q"]), row["x"])
	}

	const range_, against = "x = −20 … 1e100", "mpmath, 40 digits"
	survival := table.Add(accuracy.Row{Function: "extremes.LogSurvival", Range: range_, Against: against, Budget: budget})
	cdf := table.Add(accuracy.Row{Function: "extremes.LogCDF", Range: "x = −1e100 … 20", Against: against, Budget: budget})
	hazard := table.Add(accuracy.Row{Function: "extremes.Hazard", Range: "x = −20 … 1e100", Against: against, Budget: budget})
	for _, row := range accuracy.Read(t, extremesData+"normal.csv") {
		x := accuracy.Decimal(row["x"]).Float64()
		logQ := accuracy.Decimal(row["log_Q"])
		if x < -37.6 { // log Q and the hazard are subnormal: right to the last of the digits they have
			require.InDelta(t, logQ.Float64(), extremes.LogSurvival(x), math.SmallestNonzeroFloat64, row["x"])
			require.InDelta(t, logQ.Float64(), extremes.LogCDF(-x), math.SmallestNonzeroFloat64, row["x"])
			continue
		}
		survival.Compare(extremes.LogSurvival(x), logQ, row["x"])
		cdf.Compare(extremes.LogCDF(-x), logQ, row["x"])
		hazard.Compare(extremes.Hazard(x), accuracy.Decimal(row["hazard"]), row["x"])
	}

	const logs = "log Q = −1e4 … −1e-300"
	quantile := table.Add(accuracy.Row{Function: "extremes.SurvivalQuantile", Range: logs, Against: against, Budget: budget})
	mirrored := table.Add(accuracy.Row{Function: "extremes.CDFQuantile", Range: logs, Against: against, Budget: budget})
	for _, row := range accuracy.Read(t, extremesData+"quantile.csv") {
		l := accuracy.Decimal(row["log_Q"]).Float64()
		x, err := extremes.SurvivalQuantile(l)
		require.NoError(t, err)
		quantile.Compare(x, accuracy.Decimal(row["x"]), row["log_Q"])
		x, err = extremes.CDFQuantile(l)
		require.NoError(t, err)
		mirrored.Compare(-x, accuracy.Decimal(row["x"]), row["log_Q"])
	}
}

// maximumRows compares the largest of n normals.
func maximumRows(t *testing.T, table *accuracy.Table) {
	const budget = 2e-15
	given := table.Add(accuracy.Row{Function: "extremes.MaximumMean", Range: "n = 2 … 1e12", Against: "expected_maximum.csv", Budget: budget})
	for _, row := range accuracy.Read(t, extremesData+"expected_maximum.csv") {
		v, err := extremes.MaximumMean(accuracy.Decimal(row["n"]).Float64())
		require.NoError(t, err)
		given.Compare(v.Value, accuracy.Decimal(row["E_max"]), row["n"])
	}
	const range_, against = "n = 2 … 1e300", "mpmath, 40 digits"
	mean := table.Add(accuracy.Row{Function: "extremes.MaximumMean", Range: range_, Against: against, Budget: budget})
	bound := table.Add(accuracy.Row{Function: "extremes.MaximumMean", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	median := table.Add(accuracy.Row{Function: "extremes.MaximumQuantile", Range: range_ + ", median", Against: against, Budget: budget})
	location := table.Add(accuracy.Row{Function: "extremes.Gumbel, location", Range: range_, Against: against, Kind: accuracy.Absolute, Budget: 1e-14})
	scale := table.Add(accuracy.Row{Function: "extremes.Gumbel, scale", Range: range_, Against: against, Budget: budget})
	for _, row := range accuracy.Read(t, extremesData+"maximum.csv") {
		n := accuracy.Decimal(row["n"]).Float64()
		v, err := extremes.MaximumMean(n)
		require.NoError(t, err)
		require.True(t, v.Status.OK(), row["n"])
		mean.Compare(v.Value, accuracy.Decimal(row["mean"]), row["n"])
		bound.CompareBound(v.Value, v.Error, accuracy.Decimal(row["mean"]), row["n"])
		x, err := extremes.MaximumQuantile(n, -0.6931471805599453)
		require.NoError(t, err)
		median.Compare(x, accuracy.Decimal(row["median"]), row["n"])
		b, a, err := extremes.Gumbel(n)
		require.NoError(t, err)
		location.Compare(b, accuracy.Decimal(row["location"]), row["n"])
		scale.Compare(a, accuracy.Decimal(row["scale"]), row["n"])
	}
}

// coneRows compares dimension, variance and volumes of the winner-take-all cone.
func coneRows(t *testing.T, table *accuracy.Table) {
	// 1e-9 is asked of D_n for every n; up to 1e12 it is far better.
	const range_, against = "n = 4 … 1e300", "mpmath, 19 digits"
	small := table.Add(accuracy.Row{Function: "extremes.ConeDimension", Range: "n = 4 … 1e12", Against: against, Budget: 2e-14})
	large := table.Add(accuracy.Row{Function: "extremes.ConeDimension", Range: "n = 1e20 … 1e300", Against: against, Budget: 1e-12})
	bound := table.Add(accuracy.Row{Function: "extremes.ConeDimension", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	variance := table.Add(accuracy.Row{Function: "extremes.ConeVariance", Range: "n = 4 … 1e12", Against: against, Budget: 1e-12})
	varianceBound := table.Add(accuracy.Row{Function: "extremes.ConeVariance", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	for _, row := range accuracy.Read(t, extremesData+"cone.csv") {
		n := accuracy.Decimal(row["n"]).Float64()
		want := accuracy.Decimal(row["D"])
		d, err := extremes.ConeDimension(n)
		require.NoError(t, err)
		require.True(t, d.Status.OK(), row["n"])
		if n < 1e20 {
			small.Compare(d.Value, want, row["n"])
		} else {
			large.Compare(d.Value, want, row["n"])
		}
		bound.CompareBound(d.Value, d.Error, want, row["n"])
		want = accuracy.Decimal(row["V"])
		v, err := extremes.ConeVariance(n)
		require.NoError(t, err)
		require.True(t, v.Status.OK(), row["n"])
		if n < 1e20 {
			variance.Compare(v.Value, want, row["n"])
		}
		varianceBound.CompareBound(v.Value, v.Error, want, row["n"])
	}

	// This table shows 8 to 13 digits; at n = 1000, 1e4 and 1e5 the last one to
	// three are not those of cone.csv, which are right.
	given := table.Add(accuracy.Row{Function: "extremes.ConeDimension", Range: "n = 2 … 1e300", Against: "winner_cone.csv", Budget: 2e-8})
	exact := table.Add(accuracy.Row{Function: "extremes.ConeDimension", Range: "n = 2 … 5", Against: "winner_cone.csv, exact", Budget: 1e-15})
	for _, row := range accuracy.Read(t, extremesData+"winner_cone.csv") {
		n := accuracy.Decimal(row["n"]).Float64()
		d, err := extremes.ConeDimension(n)
		require.NoError(t, err)
		if n <= 5 {
			exact.Compare(d.Value, accuracy.Decimal(row["D"]), row["n"])
		}
		given.Compare(d.Value, accuracy.Decimal(row["D"]), row["n"])
	}

	angle := table.Add(accuracy.Row{Function: "extremes.LogSimplexAngle", Range: "k = 1 … 400", Against: "mpmath, 40 digits", Budget: 4e-15})
	for _, row := range accuracy.Read(t, extremesData+"simplex_angle.csv") {
		k := int(accuracy.Decimal(row["k"]).Float64())
		angle.Compare(extremes.LogSimplexAngle(k), accuracy.Decimal(row["log_a"]), row["k"])
	}
	volumes := table.Add(accuracy.Row{Function: "extremes.IntrinsicVolumes", Range: "n = 4, 10, 100, every v_k ≥ 1e-60", Against: "mpmath, 40 digits", Budget: 2e-13})
	known := map[int][]float64{}
	for _, row := range accuracy.Read(t, extremesData+"volumes.csv") {
		n, k := int(accuracy.Decimal(row["n"]).Float64()), int(accuracy.Decimal(row["k"]).Float64())
		if known[n] == nil {
			v, err := extremes.IntrinsicVolumes(float64(n))
			require.NoError(t, err)
			known[n] = v.Mass
		}
		require.Greater(t, len(known[n]), k)
		volumes.Compare(known[n][k], accuracy.Decimal(row["v"]), "n = "+row["n"]+", k = "+row["k"])
	}

	// Far in the tail k! and a_k are e^{±700} at n = 1e6 and e^{±16000} at 1e300, each
	// known to a rounding of its log.
	largeVolumes := table.Add(accuracy.Row{Function: "extremes.IntrinsicVolumes", Range: "n = 1000, 1e6, every v_k ≥ 1e-60", Against: "mpmath, 20 digits", Budget: 4e-13})
	hugeVolumes := table.Add(accuracy.Row{Function: "extremes.IntrinsicVolumes", Range: "n = 1e20, 1e300, every v_k ≥ 1e-60 or k small", Against: "mpmath, 20 digits", Budget: 8e-12})
	volumesBound := table.Add(accuracy.Row{Function: "extremes.IntrinsicVolumes", Range: "n = 1000 … 1e300", Against: "mpmath, 20 digits", Kind: accuracy.Bound, Budget: 1})
	simplex := extremes.NewSimplex()
	for _, row := range accuracy.Read(t, extremesData+"volumes_large.csv") {
		n, k := accuracy.Decimal(row["n"]).Float64(), int(accuracy.Decimal(row["k"]).Float64())
		v, err := simplex.IntrinsicVolumes(n)
		require.NoError(t, err)
		require.Greater(t, len(v.Mass), k)
		want, where := accuracy.Decimal(row["v"]), "n = "+row["n"]+", k = "+row["k"]
		if n <= 1e6 {
			largeVolumes.Compare(v.Mass[k], want, where)
		} else {
			hugeVolumes.Compare(v.Mass[k], want, where)
		}
		volumesBound.CompareBound(v.Mass[k], v.Error*v.Mass[k], want, where)
	}
	mean := table.Add(accuracy.Row{Function: "extremes.Volumes.Mean", Range: range_, Against: against, Budget: 5e-13})
	spread := table.Add(accuracy.Row{Function: "extremes.Volumes.Variance", Range: range_, Against: against, Budget: 5e-13})
	cumulantBound := table.Add(accuracy.Row{Function: "extremes.Volumes.Mean, Variance", Range: range_, Against: against, Kind: accuracy.Bound, Budget: 1})
	for _, row := range accuracy.Read(t, extremesData+"cone.csv") {
		v, err := simplex.IntrinsicVolumes(accuracy.Decimal(row["n"]).Float64())
		require.NoError(t, err)
		d, variance := v.Mean(), v.Variance()
		mean.Compare(d.Value, accuracy.Decimal(row["D"]), row["n"])
		spread.Compare(variance.Value, accuracy.Decimal(row["V"]), row["n"])
		cumulantBound.CompareBound(d.Value, d.Error, accuracy.Decimal(row["D"]), row["n"])
		cumulantBound.CompareBound(variance.Value, variance.Error, accuracy.Decimal(row["V"]), row["n"])
	}
}
