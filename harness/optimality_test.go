package harness_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness"
	"lamcap/harness/learn"
	"lamcap/harness/maxmargin"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// Does my trained W look optimal? Here Hebb's, of 20 facts in dimension 24 with pools of
// their own; pattern.FromPairs makes an instance of your vectors, which harness/vectors reads.
func ExampleInspect() {
	in := pattern.Sample(stream.New(1, "example", "hebb", 0), pattern.Spec{Model: pattern.DP, DIn: 24, DOut: 24, P: 20, N: 20})
	o, err := harness.Inspect(in, learn.TrainHebb(in))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d recalled, margin %.2f of at most %.2f\n", o.Recalled, o.Facts, o.Margin, o.Largest[1])
	fmt.Printf("m Σσ⁴/(Σσ²)² = %.2f, by the quarter circle 2\n", o.FourthMoment)
	// Output:
	// 18 of 20 recalled, margin -1.07 of at most 3.45
	// m Σσ⁴/(Σσ²)² = 3.66, by the quarter circle 2
}

// The largest margin is a share of 1, Hebb's less; with two equal values nothing is stored.
func TestInspect(t *testing.T) {
	in := pattern.Sample(stream.New(1, "harness test", "inspect", 0), pattern.Spec{Model: pattern.OP, DIn: 12, DOut: 12, P: 20, N: 20})
	best := maxmargin.Solve(in, maxmargin.Options{})
	o, err := harness.Inspect(in, best.Weights)
	require.NoError(t, err)
	assert.InDelta(t, 1, o.Share, 2e-3)
	assert.Equal(t, 20, o.Recalled)
	assert.Len(t, o.Singular, 12)
	hebb, err := harness.Inspect(in, learn.TrainHebb(in))
	require.NoError(t, err)
	assert.Less(t, hebb.Share, 0.9)
	assert.Equal(t, o.Largest, hebb.Largest)

	unit := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	in, err = pattern.FromData(pattern.Spec{Model: pattern.OP, DIn: 3, DOut: 3, P: 3, N: 3}, unit, []float64{1, 0, 0, 1, 0, 0, 0, 0, 1})
	require.NoError(t, err)
	w := learn.NewWeights(3, 3, 0)
	_, err = harness.Inspect(in, w)
	assert.ErrorContains(t, err, "W is 0")
	copy(w.Parameters, unit)
	o, err = harness.Inspect(in, w)
	require.NoError(t, err)
	assert.True(t, o.NotStorable)
	assert.InDelta(t, 1, o.FourthMoment, 1e-12, "all singular values are equal")
	_, err = harness.Inspect(in, learn.NewWeights(3, 4, 0))
	assert.ErrorContains(t, err, "want d_out×d_in = 3×3")
}
