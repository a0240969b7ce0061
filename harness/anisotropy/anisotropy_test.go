package anisotropy

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/maxmargin"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
	"lamcap/internal/stream"
	"lamcap/saddle"
	theory "lamcap/saddle/anisotropy"
)

// alarm is the number of standard errors of each comparison.
const alarm = 4

// powerLaw is λ_i ∝ i^{−a} with mean 1.
func powerLaw(d int, a float64) []float64 {
	v := make([]float64, d)
	sum := 0.0
	for i := range v {
		v[i] = math.Pow(float64(i+1), -a)
		sum += v[i]
	}
	for i := range v {
		v[i] *= float64(d) / sum
	}
	return v
}

func sample(t *testing.T, seed int, model pattern.Model, s theory.Spectra, p, n int) *pattern.Instance {
	t.Helper()
	in, err := Sample(stream.New(uint64(seed), "anisotropy", "", 0), model, s, p, n)
	require.NoError(t, err)
	return in
}

// Spectra change no decision, and the share that is stored is that of Gaussian theory with
// d_in d_out; with the product of participation ratios for N nothing would be stored, at more than
// three times its p_c.
func TestStorage(t *testing.T) {
	const d, instances = 12, 40
	spectra := theory.Spectra{Keys: powerLaw(d, 1), Values: powerLaw(d, 1.5)}
	transition := saddle.NewTransition()
	for _, model := range []pattern.Model{pattern.DP, pattern.OP} {
		const p = 39
		stored := 0
		for i := range instances {
			plain := trial.Decide(nil, sample(t, i, model, theory.Isotropic(d, d), p, p), trial.Options{Threads: 1})
			skewed := trial.Decide(nil, sample(t, i, model, spectra, p, p), trial.Options{Threads: 1})
			require.NotEqual(t, trial.Undecided, plain.Outcome)
			if skewed.Outcome != trial.Undecided {
				assert.Equal(t, plain.Outcome, skewed.Outcome, "%v, instance %d", model, i)
			}
			if plain.Outcome == trial.Stored {
				stored++
			}
		}
		if model == pattern.DP {
			want, err := transition.Probability(d*d, p, p)
			require.NoError(t, err)
			assert.InDelta(t, instances*want.Value, float64(stored), alarm*math.Sqrt(instances*want.Value*(1-want.Value)))
		}
		assert.Greater(t, stored, instances/4)
	}
	critical, err := saddle.CriticalFacts(theory.HebbDimension(spectra.Keys, spectra.Values))
	require.NoError(t, err)
	assert.Less(t, critical.Facts, 15.0, "the participation ratio is rejected: it has this p_c where 39 are stored")
}

// The largest margin, in DP and OP, at the level of the dimensions that there are. Rejected:
// equal directions of the same traces, the product of participation ratios, score level.
func TestMargins(t *testing.T) {
	const d, p, instances = 24, 57, 24
	spectra := theory.Spectra{Keys: powerLaw(d, 1), Values: powerLaw(d, 1)}
	want, err := theory.MarginAtDimensions(spectra, p, p)
	require.NoError(t, err)
	score, err := theory.Margin(spectra, p, p)
	require.NoError(t, err)
	equal, err := theory.MarginAtDimensions(theory.Isotropic(d, d), p, p)
	require.NoError(t, err)
	_, err = saddle.Margin(score.Participation, p, p)
	assert.Error(t, err, "with the participation ratio for N there would be no margin")
	for _, model := range []pattern.Model{pattern.DP, pattern.OP} {
		sum, square := 0.0, 0.0
		for i := range instances {
			s := maxmargin.Solve(sample(t, i, model, spectra, p, p), maxmargin.Options{Gap: 5e-3, Threads: 1})
			require.True(t, s.Status.OK())
			sum += s.Margin / instances
			square += s.Margin * s.Margin / instances
		}
		deviation := math.Sqrt((square - sum*sum) / (instances - 1))
		assert.InDelta(t, want.Value, sum, alarm*deviation, "%v ± %.2g", model, deviation)
		assert.Greater(t, equal.Value-sum, 2*alarm*deviation)
		assert.Greater(t, score.Margin-sum, 2*alarm*deviation)
	}
}

// train minimises the cross-entropy with a ridge.
func train(t *testing.T, in *pattern.Instance, ridge float64) (accuracy, loss, norm float64) {
	t.Helper()
	s := in.Spec()
	run := learn.Train(learn.LBFGS, learn.NewObjective(in), learn.NewWeights(s.DOut, s.DIn, 0),
		learn.Options{Ridge: ridge, GradientTolerance: 1e-7, MaxEvaluations: 3000})
	require.True(t, run.Status.OK(), "%v", run.Status)
	return float64(run.Evaluation.Recalled) / float64(s.P), run.Evaluation.Loss / float64(s.P), run.Weights.Norm()
}

// Above capacity the minimum of the cross-entropy has the same accuracy and loss for all spectra,
// instance by instance; its norm and, with a ridge, all of them differ, by what theory says.
func TestTraining(t *testing.T) {
	const d, p, n, ridge, instances = 16, 200, 10, 100.0, 20
	spectra := theory.Spectra{Keys: powerLaw(d, 1), Values: powerLaw(d, 0.5)}
	for i := range 2 {
		accuracy, loss, norm := train(t, sample(t, i, pattern.DP, theory.Isotropic(d, d), p, n), 0)
		other, otherLoss, otherNorm := train(t, sample(t, i, pattern.DP, spectra, p, n), 0)
		assert.Equal(t, accuracy, other)
		assert.InDelta(t, loss, otherLoss, 1e-6)
		assert.Greater(t, otherNorm, 1.2*norm)
	}
	want, err := theory.SolveTraining(spectra, saddle.Training{Facts: p, Candidates: n, Ridge: ridge})
	require.NoError(t, err)
	plain, err := saddle.SolveTraining(saddle.Training{Weights: d * d, Facts: p, Candidates: n, Ridge: ridge})
	require.NoError(t, err)
	var sums, squares [3]float64
	for i := range instances {
		a, l, r := train(t, sample(t, i, pattern.DP, spectra, p, n), ridge)
		for k, x := range []float64{a, l, r} {
			sums[k] += x / instances
			squares[k] += x * x / instances
		}
	}
	for k, c := range []struct {
		name        string
		want, plain float64
	}{
		{"accuracy", want.Scores.Accuracy.Value, plain.Accuracy.Value},
		{"loss", want.Scores.Loss.Value, plain.Loss.Value},
		{"norm", want.Norm.Value, plain.Norm.Value},
	} {
		deviation := math.Sqrt((squares[k] - sums[k]*sums[k]) / (instances - 1))
		assert.InDelta(t, c.want, sums[k], alarm*deviation, "%s ± %.2g", c.name, deviation)
		if c.name != "norm" { // which happens to be nearly the isotropic one
			assert.Greater(t, math.Abs(c.plain-sums[k]), alarm*deviation, "%s of isotropic vectors is rejected", c.name)
		}
	}
}

// A pool of values of two lengths: facts cost more than Gaussian ones, by what PoolDimension
// says. The half-point is within 6 facts of its p_c (a count of 24 of 30 or more, of 6 or
// less, has probability 7e-4 at the half-point); by D_n it would be above the last load.
func TestPool(t *testing.T) {
	const dIn, dOut, n, instances = 20, 16, 160, 30
	rng := stream.New(5, "two lengths", "", 0)
	values := draw(rng, theory.Isotropic(1, dOut).Values, n)
	for i := range values {
		if i/dOut%2 == 0 {
			values[i] *= 1.5
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	pool, err := theory.PoolDimension(values, dOut, all, theory.PoolOptions{Draws: 40, Seed: 1})
	require.NoError(t, err)
	critical, err := pool.Critical(dIn)
	require.NoError(t, err)
	gaussian, err := saddle.CriticalFactsAmong(dIn*dOut, n)
	require.NoError(t, err)
	assert.Empty(t, pool.Inside)
	const off = 6
	assert.Greater(t, gaussian.Facts, critical.Value+4*critical.Error)
	assert.Greater(t, gaussian.Facts, math.Floor(critical.Value)+off-1)
	for _, p := range []int{int(critical.Value) - off, int(critical.Value) + off} {
		stored := 0
		for i := range instances {
			rng := stream.New(uint64(i), "pool facts", "", uint64(p))
			in, err := pattern.FromPairs(draw(rng, theory.Isotropic(dIn, 1).Keys, p), values, dIn, dOut, rng.Perm(n)[:p])
			require.NoError(t, err)
			if trial.Decide(nil, in, trial.Options{Threads: 1}).Outcome == trial.Stored {
				stored++
			}
		}
		if float64(p) < critical.Value {
			assert.GreaterOrEqual(t, stored, 24)
		} else {
			assert.LessOrEqual(t, stored, 6)
		}
	}
}
