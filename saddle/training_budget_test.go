package saddle

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/internal/status"
)

// A search that never meets its tolerance does not call its last point converged, and
// gives the residual of the very point that it returns.
func TestTrainingThatDoesNotMeetItsTolerance(t *testing.T) {
	problem := Training{Weights: 576, Facts: 60, Candidates: 60, Ridge: 1}
	q, _ := problem.score(roughly)
	load := problem.Facts / problem.Weights
	converged := q.follow(problem.linearResponse, 10*load, 1e-6)
	assert.Equal(t, status.Converged, converged.status)
	for name, tolerance := range map[string]float64{"converged": 1e-6, "never": -1} {
		q, _ := problem.score(roughly)
		s := q.solve(unknowns{converged.at[0] + 0.1, converged.at[1] - 0.1}, tolerance, nil)
		assert.Equal(t, name == "converged", s.status.OK(), "%s: %v", name, s.status)
		again, _ := problem.score(roughly)
		f, ok := again.residual(s.at)
		assert.True(t, ok)
		assert.InDelta(t, norm2(f), s.residual, 1e-15, name)
	}
}
