package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// probitShape has its half-point at 100·scale and width 6·width.
func probitShape(loads []float64) CurveShape {
	return CurveShape{At: func(width float64) CurveFamily {
		return CurveFamily{Width: 0.06, At: func(scale float64) []float64 {
			out := make([]float64, len(loads))
			for i, p := range loads {
				out[i] = math.Exp(extremes.LogCDF((100 - p/scale) / (6 * width)))
			}
			return out
		}}
	}}
}

// Counts of a transition that is 3% to the right and a fifth narrower give both
// back, the interval of the width covers the truth as often as it says, and the
// p-value of the χ² is small no more often than it says.
func TestCurveShapeFit(t *testing.T) {
	loads := []float64{88, 92, 96, 99, 102, 105, 108, 112, 116}
	shape := probitShape(loads)
	const scale, width, instances, samples, level = 1.03, 0.8, 200, 300, 0.95
	truth := shape.At(width).At(scale)
	trials := make([]int, len(loads))
	for i := range trials {
		trials[i] = instances
	}
	covered, rejected := 0, 0
	var scales, widths float64
	for s := range samples {
		rng := stream.New(7, "harness/stats", "curve shape", uint64(s))
		stored := make([]int, len(loads))
		for i, p := range truth {
			for range instances {
				if rng.Float64() < p {
					stored[i]++
				}
			}
		}
		fit := shape.Fit(stored, trials, level)
		require.Equal(t, status.Converged, fit.Status)
		assert.Equal(t, len(loads)-2, fit.ChiSquare.Degrees)
		scales += fit.Scale / samples
		widths += fit.Width / samples
		if fit.Interval.Contains(width) {
			covered++
		}
		if fit.ChiSquare.PValue < 0.05 {
			rejected++
		}
	}
	assert.InDelta(t, scale, scales, 1e-3)
	assert.InDelta(t, width, widths, 0.02)
	// Four standard errors of a binomial.
	assert.InDelta(t, level, float64(covered)/samples, 4*math.Sqrt(level*(1-level)/samples))
	assert.LessOrEqual(t, float64(rejected)/samples, 0.05+4*math.Sqrt(0.05*0.95/samples))
}

// Neither more loads than parameters nor a transition: no fit.
func TestCurveShapeWithoutFit(t *testing.T) {
	loads := []float64{90, 100, 110}
	fit := probitShape(loads).Fit([]int{20, 20, 20}, []int{20, 20, 20}, 0.95)
	assert.Equal(t, status.NoBracket, fit.Status)
	assert.True(t, math.IsNaN(fit.Width) && math.IsNaN(fit.ChiSquare.PValue))
	// A step: the most likely width is 0.
	fit = probitShape(loads).Fit([]int{20, 20, 0}, []int{20, 20, 20}, 0.95)
	assert.Equal(t, status.NoBracket, fit.Status)
}
