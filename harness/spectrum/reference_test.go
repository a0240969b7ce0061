package spectrum

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/stats"
	"lamcap/internal/stream"
)

// The mean of Σσ⁴ of both ensembles, in closed form by moments of Wishart matrices:
// E tr(GGᵀ)² = ab(a + b + 1) for an a×b matrix, and with E AXA = (d² + d)X + d tr X,
//
//	E Σσ⁴(QRᵀ) = (d² + d) E tr B² + d E(tr B)²,   B of order m with e degrees of freedom.
//
// 5 standard errors: a false alarm in 2 million, and seeds are fixed.
func TestEnsemblesHaveTheirMoments(t *testing.T) {
	for _, s := range []Shape{{7, 7, 7}, {5, 9, 5}, {9, 5, 3}, {7, 7, 2}} {
		d, e, m := float64(s.DOut), float64(s.DIn), float64(s.Rank)
		for ensemble, want := range map[Ensemble]float64{
			GaussianMatrix:  d * e * (d + e + 1),
			GaussianFactors: (d*d+d)*m*e*(m+e+1) + d*(m*e*m*e+2*m*e),
		} {
			if (ensemble == GaussianFactors) == s.full() { // of a cut matrix nothing is in closed form
				continue
			}
			draws := make([]float64, 4000)
			for i := range draws {
				for _, x := range ensemble.Draw(stream.New(1, "moments", "", uint64(i)), s) {
					draws[i] += x * x * x * x
				}
			}
			sample := stats.NewSample(draws)
			assert.Less(t, math.Abs(sample.Mean-want), 5*sample.StandardError(), "%v of %v", ensemble, s)
		}
	}
}

// Large matrices are next to their law, within a few of the steps 1/m of F_m, and far
// from the others.
func TestReferencesAreNearTheirLaw(t *testing.T) {
	s := Shape{128, 128, 64}
	all := laws(t, s)
	for name, c := range map[string]struct {
		ensemble Ensemble
		near     bool
	}{"capacity": {GaussianMatrix, true}, "initial": {GaussianFactors, true}, "whole": {GaussianMatrix, false}} {
		r, err := Simulate(context.Background(), c.ensemble, s, all[name], 20, 1)
		require.NoError(t, err)
		if c.near {
			assert.Less(t, r.KS.Sample.Mean, 4./64, name)
		} else {
			assert.Greater(t, r.KS.Sample.Mean, 0.2, name)
		}
		for i, x := range r.Values[1:] {
			assert.Greater(t, x, r.Values[i])
		}
	}
}

// The same for any GOMAXPROCS.
func TestReferencesDoNotDependOnThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	s := Shape{9, 7, 4}
	l, err := s.Initial()
	require.NoError(t, err)
	var want string
	for _, procs := range []int{1, 4} {
		runtime.GOMAXPROCS(procs)
		r, err := Simulate(context.Background(), GaussianFactors, s, l, 50, 3)
		require.NoError(t, err)
		got := fmt.Sprint(r.KS, r.W1, r.FourthMoment, r.Values)
		if want == "" {
			want = got
		}
		assert.Equal(t, want, got)
	}
	_, err = Simulate(context.Background(), GaussianFactors, s, l, 1, 3)
	assert.EqualError(t, err, "references = 1: want references ≥ 2")
	_, err = Simulate(context.Background(), GaussianFactors, Shape{3, 3, 4}, l, 10, 3)
	assert.Error(t, err)
}
