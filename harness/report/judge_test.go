package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// Verdicts are of all tests of all sections together, at the report's rate, each in its own row.
func TestJudgeOfAllSections(t *testing.T) {
	verdicts := func(rate float64, p ...float64) (shown []any, judged, disagree int) {
		var j judge
		tables := []*table.Table{
			{Columns: []table.Column{{Key: "p_value"}, {Key: "verdict"}}}, {Columns: []table.Column{{Key: "verdict"}, {Key: "p_value"}}},
		}
		for i, v := range p { // rows of two tables in turn
			x := tables[i%2]
			x.Append(nil, nil)
			j.last(x, "verdict", v)
		}
		judged, disagree = j.decide(rate)
		for i := range p {
			shown = append(shown, tables[i%2].Rows[i/2][i%2^1])
		}
		return shown, judged, disagree
	}
	nan := math.NaN()
	shown, judged, disagree := verdicts(0.01, 0.5, 0.003, nan, 0.7)
	assert.Equal(t, []any{stats.OK, stats.Disagrees, stats.Untested, stats.OK}, shown, "3 · 0.003 ≤ 0.01")
	assert.Equal(t, 3, judged)
	assert.Equal(t, 1, disagree)
	shown, _, disagree = verdicts(0.01, 0.5, 0.004, nan, 0.7)
	assert.Equal(t, []any{stats.OK, stats.OK, stats.Untested, stats.OK}, shown, "3 · 0.004 > 0.01, though alone it would disagree")
	assert.Zero(t, disagree)
	shown, _, _ = verdicts(0.02, 0.5, 0.004, nan, 0.7)
	assert.Equal(t, stats.Disagrees, shown[1], "the rate is the one given")
}

// A wrong theory is rejected from the rate on down.
func TestRejectionTable(t *testing.T) {
	var j judge
	for _, p := range []float64{0.01, 0.011, math.NaN()} {
		j.reject("section", stats.Rejection{Theory: "wrong", Z: 3, PValue: p})
	}
	x := j.rejectionTable(0.01)
	assert.Len(t, x.Rows, 2, "without a p-value nothing was put to the test")
	assert.Equal(t, "rejected", x.Rows[0][len(x.Columns)-1])
	assert.Equal(t, "not rejected", x.Rows[1][len(x.Columns)-1])
}
