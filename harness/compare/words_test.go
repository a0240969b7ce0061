package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/stats"
)

// Words are stored as the theory of their own pool says; the same counts reject what the spectrum of
// their covariance suggests, and Gaussian vectors in place of values of unit norm.
func TestWords(t *testing.T) {
	sections := rightSections(t, "n")
	require.Len(t, sections, 1)
	s := sections[0]
	require.Len(t, s.Rows, 3)
	for _, row := range s.Rows {
		assert.Equal(t, stats.OK, row.Verdict, row.Quantity)
	}
	raw, unit, same := s.Rows[0], s.Rows[1], s.Rows[2]
	assert.Greater(t, unit.Measured, raw.Measured+1, "values of unit norm take less")
	assert.True(t, same.Bounded)
	assert.Equal(t, 20, same.Trials)
	for theory, least := range map[string]float64{
		"participation ratio":                                             5,
		"unit norm of the values changes nothing":                         2,
		"Gaussian theory for words d=12, keys whiten, values whiten,unit": 2,
	} {
		i := slices.IndexFunc(s.Rejections, func(r stats.Rejection) bool { return strings.Contains(r.Theory, theory) })
		if assert.GreaterOrEqual(t, i, 0, theory) {
			assert.Greater(t, s.Rejections[i].Z, least, theory)
		}
	}
}

// Without --full there is no such section, and nothing to wait for.
func TestWordsOnlyInFull(t *testing.T) {
	o := Options{}
	require.NoError(t, o.prepare())
	assert.Zero(t, o.wordsSection().instances)
	o.Full = true
	assert.Equal(t, 5*(2*60+8)+2*24+2*2*20, o.wordsSection().instances)
}
