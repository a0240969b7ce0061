package trial_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
)

// cover is Cover's probability that p half-spaces in general position through
// the origin of R^N, with random signs, have a common point.
func cover(p, n int) float64 {
	sum := 0.0
	for k := range n {
		a, _ := math.Lgamma(float64(p))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(p - k))
		if k < p {
			sum += math.Exp(a - b - c - float64(p-1)*math.Ln2)
		}
	}
	return sum
}

// With n = 2 the X_μ = (u_0 − u_1) e_μᵀ have symmetric signs and are in general
// position, so Cover's theorem holds exactly at every size: half of the
// instances are stored at p = 2N. With 300 instances the standard error is at
// most 0.029; four of them would reject γ_c = 2 if capacity were 1.8 N or 2.2 N
// (P = 0.30 or 0.70 at p = 24).
func TestCover(t *testing.T) {
	const trials = 300
	require.InDelta(t, 0.5, cover(24, 12), 1e-12)
	for _, p := range []int{1, 12, 19, 24, 29, 48} {
		s := pattern.Spec{Model: pattern.DP, DIn: 3, DOut: 4, P: p, N: 2}
		want := cover(p, 12)
		stored := 0
		for _, r := range trial.Many(context.Background(), s, trial.Options{}, 1, "cover", "", trials, nil) {
			require.NotEqual(t, trial.Undecided, r.Outcome, "%+v", r)
			if r.Outcome == trial.Stored {
				stored++
			}
		}
		got := float64(stored) / trials
		assert.InDelta(t, want, got, 4*math.Sqrt(want*(1-want)/trials)+1e-9, "p = %d", p)
	}
}

// N = 1: W is a number, and one of its two signs fits p signs that are random with
// probability 2^{1−p}. Theory that counts one sign of W only, 2^−p, is rejected.
func TestCoverOneWeight(t *testing.T) {
	const trials = 400
	for p := 1; p <= 3; p++ {
		s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: p, N: 2}
		stored := 0
		for _, r := range trial.Many(context.Background(), s, trial.Options{}, 1, "one weight", "", trials, nil) {
			require.NotEqual(t, trial.Undecided, r.Outcome, "%+v", r)
			if r.Outcome == trial.Stored {
				stored++
			}
		}
		want, got := math.Exp2(float64(1-p)), float64(stored)/trials
		tolerance := 4 * math.Sqrt(want*(1-want)/trials) // 4 standard errors
		assert.InDelta(t, want, got, tolerance, "p = %d", p)
		assert.Greater(t, math.Abs(got-want/2), tolerance, "p = %d", p)
	}
}

// The exact P(storable) in DP at n = p, d = 12, from the intrinsic volumes of
// the winner-take-all cone: 0.505 at p = 40, 0.057 at 44. The limit α = 1/2
// would put half of the instances at p = 23 and store none of these. 60
// instances, 4 standard errors; all must be decided.
func TestWinnerTakeAllCapacity(t *testing.T) {
	const trials = 60
	for p, want := range map[int]float64{30: 1, 40: 0.505, 44: 0.057} {
		stored := 0
		for _, r := range trial.Many(context.Background(), square(pattern.DP, 12, p), trial.Options{}, 1, "capacity", "", trials, nil) {
			require.NotEqual(t, trial.Undecided, r.Outcome, "%+v", r)
			if r.Outcome == trial.Stored {
				stored++
			}
		}
		assert.InDelta(t, want, float64(stored)/trials, 4*math.Sqrt(want*(1-want)/trials)+1e-9, "p = %d", p)
	}
}

// Hebb's recall of an item with embeddings of norm √d, DP, d = 24, n = p = 50:
// the vector-level law gives 0.8094, the law of the limit 0.8522. 3,200 items
// have a standard error of 0.007; items of one instance are nearly independent.
func TestHebbRecall(t *testing.T) {
	s := square(pattern.DP, 24, 50)
	s.Keys, s.Values = pattern.Sphere, pattern.Sphere
	const trials, law, limit, tolerance = 64, 0.8094, 0.8522, 0.0245 // 3.5 standard errors
	mean := 0.0
	for _, r := range trial.Many(context.Background(), s, trial.Options{Rule: learn.Hebb}, 1, "hebb", "", trials, nil) {
		mean += r.Accuracy / trials
		assert.Equal(t, math.Inf(1), r.MarginBound)
		assert.Zero(t, r.Evaluations)
	}
	assert.InDelta(t, law, mean, tolerance)
	assert.Greater(t, math.Abs(limit-mean), tolerance, "the limit law is rejected")
}

func BenchmarkDecide(b *testing.B) {
	for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
		for _, c := range []struct {
			name    string
			d, p, r int
		}{
			{"d=12/p=40", 12, 40, 0}, {"d=24/p=104", 24, 104, 0}, {"d=24/p=113", 24, 113, 0},
			{"d=24/p=118", 24, 118, 0}, {"d=24/p=127", 24, 127, 0}, {"d=24/m=12/p=104", 24, 104, 12},
		} {
			b.Run(m.String()+"/"+c.name, func(b *testing.B) {
				evaluations := 0
				for i := range b.N {
					evaluations += trial.One(square(m, c.d, c.p), trial.Options{Rank: c.r}, 1, "benchmark", "", uint64(i)).Evaluations
				}
				b.ReportMetric(float64(evaluations)/float64(b.N), "evaluations/op")
			})
		}
	}
}
