package quad

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The Kronrod rule is exact to degree 31 (3n + 1), the Gauss rule to degree
// 19 (2n − 1), the rule of the other 11 points to degree 11, and not beyond.
func TestRuleDegrees(t *testing.T) {
	for degree := 0; degree <= 34; degree += 2 {
		kronrod, gauss, added := 0.0, 0.0, 0.0
		if degree == 0 {
			kronrod, added = centreKronrod, centreAdded
		}
		for _, n := range ruleNodes {
			power := math.Pow(n.x, float64(degree))
			kronrod += 2 * n.kronrod * power
			gauss += 2 * n.gauss * power
			added += 2 * n.added * power
		}
		want := 2 / float64(degree+1)
		if degree <= 31 {
			assert.InDelta(t, want, kronrod, 1e-15, "Kronrod, degree %d", degree)
		} else {
			assert.Greater(t, math.Abs(want-kronrod), 1e-13, "Kronrod, degree %d", degree)
		}
		if degree <= 19 {
			assert.InDelta(t, want, gauss, 1e-15, "Gauss, degree %d", degree)
		} else {
			assert.Greater(t, math.Abs(want-gauss), 1e-7, "Gauss, degree %d", degree)
		}
		if degree <= 11 {
			assert.InDelta(t, want, added, 1e-15, "added points, degree %d", degree)
		} else {
			assert.Greater(t, math.Abs(want-added), 1e-6, "added points, degree %d", degree)
		}
	}
}
