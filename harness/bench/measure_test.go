package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMedian(t *testing.T) {
	values := []float64{5, 1, 4}
	assert.Equal(t, 4.0, median(values))
	assert.Equal(t, []float64{5, 1, 4}, values, "left as they were")
	assert.Equal(t, 3.0, median([]float64{4, 9, 2, 1}), "the mean of 2 and 4")
	assert.Equal(t, 7.0, median([]float64{7}))
}

func TestRatios(t *testing.T) {
	assert.Equal(t, []float64{2, 0.25}, ratios([]float64{6, 1}, []float64{3, 4}))
}

// In turns, and the first round does not count.
func TestTurns(t *testing.T) {
	var order string
	measure := func(name string) func() float64 {
		calls := 0.0
		return func() float64 {
			order += name
			calls++
			return calls
		}
	}
	m, err := turns(context.Background(), 2, measure("a"), measure("b"))
	require.NoError(t, err)
	assert.Equal(t, "ababab", order)
	assert.Equal(t, [][]float64{{2, 3}, {2, 3}}, m)
}

// An interrupt is seen between measurements, not after all of them.
func TestTurnsEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := turns(ctx, 7, func() float64 {
		if calls++; calls == 2 {
			cancel()
		}
		return 0
	})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 2, calls)
}
