package saddle_test

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/saddle"
)

// numbers reads a table of floats with a header.
func numbers(t *testing.T, name string) [][]float64 {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	var out [][]float64
	for _, row := range rows[1:] {
		var x []float64
		for _, field := range row {
			v, err := strconv.ParseFloat(field, 64)
			require.NoError(t, err)
			x = append(x, v)
		}
		out = append(out, x)
	}
	require.NotEmpty(t, out)
	return out
}

func TestTailAverage(t *testing.T) {
	for _, row := range numbers(t, "surrogate.csv") {
		r, wantMargin, wantCapacity := row[0], row[1], row[2]
		kappa, err := saddle.TailAverageMargin(r)
		require.NoError(t, err)
		assert.InEpsilon(t, wantMargin, kappa, 2e-15, "r = %v", r)
		alpha, err := saddle.TailAverageCapacity(r)
		require.NoError(t, err)
		assert.InEpsilon(t, wantCapacity, alpha, 3e-15, "r = %v", r)
	}
	kappa, err := saddle.TailAverageMargin(1)
	require.NoError(t, err)
	assert.Zero(t, kappa)
	alpha, err := saddle.TailAverageCapacity(1)
	require.NoError(t, err)
	assert.Equal(t, 2.0, alpha)
}

// Values published with nine digits.
func TestTailAverageCapacityAsPublished(t *testing.T) {
	for r, want := range map[float64]float64{0.5: 0.657712728, 0.01: 0.123415894, 1e-6: 0.039237233} {
		alpha, err := saddle.TailAverageCapacity(r)
		require.NoError(t, err)
		assert.InDelta(t, want, alpha, 6e-10, "r = %v", r)
	}
}

// An error of one rounding of α moves log r by (1 + 1/(2α)) roundings or less.
func TestTailAverageFractionInvertsCapacity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := math.Exp(rapid.Float64Range(-690, 0).Draw(t, "log r"))
		alpha, err := saddle.TailAverageCapacity(r)
		require.NoError(t, err)
		back, err := saddle.TailAverageFraction(alpha)
		require.NoError(t, err)
		assert.InEpsilon(t, r, back, 1e-14*(1+1/(2*alpha)), "r = %x, α = %x", r, alpha)
	})
	r, err := saddle.TailAverageFraction(2)
	require.NoError(t, err)
	assert.Equal(t, 1.0, r)
}

func TestTailAverageWrongArguments(t *testing.T) {
	for _, r := range []float64{0, 1e-301, -0.5, 1.0000001, math.Inf(1), math.NaN()} {
		_, err := saddle.TailAverageMargin(r)
		assert.ErrorContains(t, err, "want 1e-300 ≤ r ≤ 1")
		v, err := saddle.TailAverageCapacity(r)
		assert.ErrorContains(t, err, "want 1e-300 ≤ r ≤ 1")
		assert.True(t, math.IsNaN(v))
	}
	for _, alpha := range []float64{0, 7e-4, 2.001, math.NaN()} {
		_, err := saddle.TailAverageFraction(alpha)
		assert.ErrorContains(t, err, "want 0.000727 ≤ alpha ≤ 2")
	}
}
