package compare

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The small section agrees with the theory at its seed, and its trained memories
// reject fixed competitors; what finite d moves is shown but not judged.
func TestTrainingSection(t *testing.T) {
	sections := rightSections(t, "g")
	require.Len(t, sections, 2)
	for _, row := range sections[0].Rows {
		if math.IsNaN(row.Z) { // all draws alike: nothing to test
			continue
		}
		assert.Less(t, math.Abs(row.Z), 4.0, row.Quantity) // 6 rows: 4e-4
	}
	for _, row := range sections[1].Rows {
		assert.True(t, math.IsNaN(row.Z), "not judged: %s", row.Quantity)
	}
	rejected := 0
	for _, s := range sections {
		for _, r := range s.Rejections {
			t.Log(r)
			if r.At(0.01) {
				rejected++
			}
		}
	}
	assert.Positive(t, rejected)
}
