package reproduce

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/sweep"
)

// Every grid has what the report's figures are made of.
func TestGrids(t *testing.T) {
	seconds := map[Size]float64{}
	for _, size := range []Size{Quick, Default, Full} {
		p, err := size.Plan()
		require.NoError(t, err, size)
		seconds[size] = p.Seconds()

		half := map[pattern.Model]map[int]int{pattern.OP: {}, pattern.DP: {}} // loads by d, full rank
		ranks := map[int]int{}                                                // loads by rank below full
		recall := map[learn.Rule]bool{}
		scores := map[learn.Rule]bool{}
		spectra := map[bool]bool{} // full rank or not
		for _, w := range p.Cells {
			switch {
			case w.Measure == sweep.Storage && w.Full():
				half[w.Spec.Model][w.Spec.DOut]++
			case w.Measure == sweep.Storage:
				ranks[w.Rank]++
			case w.Options.Spectrum:
				spectra[w.Full()] = true
			case w.Options.Scores:
				scores[w.Rule] = true
			case w.Load() > 1:
				recall[w.Rule] = true
			}
			assert.Greater(t, w.Trials, 1, "an interval needs two: %v", w.Address)
		}
		for model, loads := range half {
			assert.GreaterOrEqual(t, len(loads), 3, "%v %v: dimensions", size, model)
			for d, n := range loads {
				assert.GreaterOrEqual(t, n, 4, "%v %v d = %d: loads about the half-point", size, model, d)
			}
		}
		assert.GreaterOrEqual(t, len(ranks), 3, size)
		assert.Equal(t, map[learn.Rule]bool{learn.LBFGS: true, learn.Hebb: true}, recall, size)
		assert.Equal(t, map[learn.Rule]bool{learn.LBFGS: true, learn.Hebb: true, learn.MaxMargin: true}, scores, size)
		assert.Equal(t, map[bool]bool{true: true, false: true}, spectra, size)
	}
	assert.Less(t, 5*seconds[Quick], seconds[Default])
	assert.Less(t, 5*seconds[Default], seconds[Full])
	assert.Panics(t, func() { Size(3).Grid() })
}
