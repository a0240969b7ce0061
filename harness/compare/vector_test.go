package compare

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The small section agrees and rejects score level; a prediction at score level would
// disagree.
func TestVectorLevel(t *testing.T) {
	o := quick(nil)
	require.NoError(t, o.prepare())
	s := slices.Clone(rightSections(t, "h"))
	s[0].Rows = slices.Clone(s[0].Rows) // judged here by themselves
	r := &Report{Rate: o.Rate, Sections: s}
	r.judge()
	assert.Empty(t, r.Disagreements())
	judged := 0
	for _, row := range s[0].Rows {
		if !math.IsNaN(row.P) {
			judged++
		}
		t.Logf("%s: %.4f, measured %.4f, limit %.4f, z %.2f", row.Quantity, row.Predicted, row.Measured, row.Limit, row.Z)
	}
	assert.Equal(t, 6, judged)
	require.Len(t, s[0].Rejections, 2)
	for _, reject := range s[0].Rejections {
		assert.True(t, reject.At(o.Rate), "%v", reject)
	}
}
