package scores

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/saddle/vector"
)

// A law costs no more than its budget, whatever the sizes are, and has all draws where they are
// cheap.
func TestBudget(t *testing.T) {
	for _, c := range []struct{ dOut, n, want int }{
		{2, 40, vector.DefaultMaxDraws},
		{12, 60, vector.DefaultMaxDraws},
		{24, 200, 1 << 14},
		{40, 300, 1 << 13}, // 7 s; with all draws 50 s, which a d_in of 1 takes
		{64, 2000, 1 << 10},
	} {
		s := pattern.Spec{DOut: c.dOut, N: c.n}
		draws, err := budget(s)
		require.NoError(t, err)
		assert.Equal(t, c.want, draws, "d_out = %d, n = %d", c.dOut, c.n)
		assert.LessOrEqual(t, float64(draws)*drawSeconds(s), float64(budgetSeconds))
	}
	_, err := budget(pattern.Spec{DOut: 256, N: 20_000})
	assert.ErrorContains(t, err, "d_out = 256, n = 20000: 512 draws of a pool take about 178 s of one core, more than the 10 s that a law may")
	_, err = budget(pattern.Spec{DOut: 1 << 20, N: 1 << 30})
	assert.ErrorContains(t, err, "more than the 10 s")

	// Above it there is no law, and the reason is told.
	_, err = vectorMinimum(65_536, pattern.Spec{DIn: 256, DOut: 256, P: 20_000, N: 20_000})
	assert.ErrorContains(t, err, "want a smaller d_out or n")
}
