package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/saddle"
)

// What is left between the laws and simulation (testdata/hebbsim, standard errors
// about 0.0002): OP 0.0015 at d = 8 and 12, at most 0.0009 from d = 24
// on; corrected DP 0.0004.
func TestHebbAgainstSimulationTable(t *testing.T) {
	for _, row := range hebbTable(t, "hebb_simulation.csv") {
		d, p := int(row["d"]), row["p"]
		original, err := saddle.HebbItemRecallOriginal(d, p)
		require.NoError(t, err)
		decoupled, err := saddle.HebbItemRecallDecoupledCorrected(d, p, p)
		require.NoError(t, err)
		t.Logf("d=%d p=%v  OP %.5f ± %.5f simulated %.5f ± %.5f  DP %.5f simulated %.5f ± %.5f", d, p,
			original.Value, original.Error, row["original"], row["original_se"],
			decoupled.Value, row["decoupled"], row["decoupled_se"])
		left := 0.0010
		if d < 24 {
			left = 0.0018
		}
		assert.InDelta(t, row["original"], original.Value, left+3*row["original_se"], "OP d=%d p=%v", d, p)
		assert.InDelta(t, row["decoupled"], decoupled.Value, 0.0003+3*row["decoupled_se"], "DP d=%d p=%v", d, p)
	}
}

func TestHebbOriginalLimits(t *testing.T) {
	at := func(d int, p float64) float64 {
		v, err := saddle.HebbItemRecallOriginal(d, p)
		require.NoError(t, err)
		require.False(t, math.IsNaN(v.Value))
		return v.Value
	}
	// One and two facts are always recalled: with two,
	// S_μμ − S_μν = d²(1 − cos θ_u)(1 − cos θ_e) > 0.
	assert.Equal(t, 1.0, at(24, 1))
	assert.InDelta(t, 1, at(24, 2), 1e-14)
	assert.InDelta(t, 1, at(2, 2), 1e-14)
	// Far below capacity next to nothing is lost.
	assert.InDelta(t, 1, at(100, 50), 1e-9)
	// The shared pool costs less and less: OP → DP as d grows at fixed α.
	gap := func(d int, p float64) float64 {
		v, err := saddle.HebbItemRecallDecoupledCorrected(d, p, p)
		require.NoError(t, err)
		return v.Value - at(d, p)
	}
	small, large := gap(24, 80), gap(1000, 60_000)
	assert.Greater(t, large, 0.0)
	assert.Greater(t, small, 2*large)
}

// P falls with p through all regimes, by more than the errors stated.
func TestHebbOriginalMonotone(t *testing.T) {
	last := 1.0 + 1e-9
	for _, p := range []float64{3, 6, 12, 18, 22, 30, 60, 200} {
		v, err := saddle.HebbItemRecallOriginal(24, p)
		require.NoError(t, err)
		assert.Less(t, v.Value-v.Error, last, "p=%v", p)
		assert.True(t, v.Status.OK(), "p=%v", p)
		last = v.Value + v.Error
	}
}

func BenchmarkHebbItemRecallOriginal(b *testing.B) {
	for b.Loop() {
		if _, err := saddle.HebbItemRecallOriginal(64, 300); err != nil {
			b.Fatal(err)
		}
	}
}
