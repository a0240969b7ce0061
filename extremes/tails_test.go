package extremes

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/internal/accuracy"
)

// log Q to all digits wherever it is a float64: from −40, where −log Q = Φ(−40) < 1e-350
// underflows, to 1e154, where x²/2 is near the largest float64. One minus the
// distribution function is 0 at x = 9, its log −∞.
func TestLogSurvivalAgainstSeries(t *testing.T) {
	const half = 0x1p-53
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	var table accuracy.Table
	left := table.Add(accuracy.Row{Function: "LogSurvival", Range: "x = −37 … 0", Budget: 8 * half})
	right := table.Add(accuracy.Row{Function: "LogSurvival", Range: "x = 0 … 37", Budget: 8 * half})
	far := table.Add(accuracy.Row{Function: "LogSurvival", Range: "x = 40 … 1.8e154", Budget: 4 * half})
	step := 0.3
	if testing.Short() {
		step = 3.1
	}
	for x := -37.0; x <= 0; x += step {
		left.Compare(LogSurvival(x), accuracy.LogNormalSurvival(x), text(x))
		right.Compare(LogSurvival(-x), accuracy.LogNormalSurvival(-x), text(-x))
	}
	for x := 40.0; x < 1.8e154; x *= 41 {
		far.Compare(LogSurvival(x), accuracy.LogNormalSurvival(x), text(x))
	}
	assert.InEpsilon(t, -1.78605e308, LogDensity(1.89e154), 1e-12)
	far.Compare(LogSurvival(1.89e154), accuracy.LogNormalSurvival(1.89e154), "1.89e154")
	table.Check(t)

	// The published values. The nearest float64s have 17 digits.
	assert.InEpsilon(t, -43.628149113332114, LogSurvival(9), 2*half)
	assert.InEpsilon(t, -804.6084420137538, LogSurvival(40), 2*half)

	// Subnormal: a multiple of 5e-324, the nearest or the next to it, and then 0.
	for x := -40.0; x < -37.5; x += step / 5 {
		want := accuracy.LogNormalSurvival(x).Float64()
		assert.InDelta(t, want, LogSurvival(x), 5e-324+16*half*-want, "%v", x)
		assert.InDelta(t, want, LogCDF(-x), 5e-324+16*half*-want, "%v", x)
	}
	for _, x := range []float64{-40, -1e9, -1e154, -math.MaxFloat64} {
		assert.Zero(t, LogSurvival(x))
		assert.Zero(t, LogCDF(-x))
	}
	for _, x := range []float64{2e154, 1e200, math.MaxFloat64} {
		assert.True(t, math.IsInf(LogSurvival(x), -1), "%v", x)
		assert.True(t, math.IsInf(LogDensity(x), -1), "%v", x)
	}
	assert.True(t, math.IsNaN(LogSurvival(math.NaN())))
}
