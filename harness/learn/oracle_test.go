package learn_test

import (
	"math"
	"math/rand/v2"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/pattern/patterntest"
	"lamcap/internal/stream"
)

// shapes are the instances that the objective is tested on: all models, all
// dimensions different, an unshared n, extremes.
var shapes = []pattern.Spec{
	{Model: pattern.OP, DIn: 3, DOut: 5, P: 7, N: 7},
	{Model: pattern.DP, DIn: 5, DOut: 3, P: 4, N: 6},
	{Model: pattern.DP, DIn: 4, DOut: 6, P: 9, N: 2, Keys: pattern.Sphere},
	{Model: pattern.OP, DIn: 9, DOut: 2, P: 11, N: 11, Values: pattern.Sphere},
	{Model: pattern.DP, DIn: 1, DOut: 1, P: 3, N: 4},
	{Model: pattern.DP, DIn: 2, DOut: 2, P: 1, N: 2},
	{Model: pattern.OP, DIn: 2, DOut: 3, P: 2, N: 2},
	{Model: pattern.Facts, DIn: 4, DOut: 3, P: 9, N: 5},
	{Model: pattern.Facts, DIn: 2, DOut: 4, P: 3, N: 11},
}

func draw(s pattern.Spec, seed uint64) (*pattern.Instance, *rand.Rand) {
	rng := stream.New(seed, "learn test", "", 0)
	return patterntest.Draw(rng, s), rng
}

func normals(rng *rand.Rand, n int, scale float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = scale * rng.NormFloat64()
	}
	return x
}

// weightsOf draws weights of the given rank (0 for full).
func weightsOf(rng *rand.Rand, s pattern.Spec, rank int, scale float64) *learn.Weights {
	w := learn.NewWeights(s.DOut, s.DIn, rank)
	copy(w.Parameters, normals(rng, len(w.Parameters), scale))
	return w
}

// matrixOf multiplies out Q Rᵀ entry by entry.
func matrixOf(w *learn.Weights) []float64 {
	if w.Rank == 0 {
		return w.Parameters
	}
	q, r := w.Factors()
	m := make([]float64, w.DOut*w.DIn)
	for i := range w.DOut {
		for j := range w.DIn {
			for k := range w.Rank {
				m[i*w.DIn+j] += q[i*w.Rank+k] * r[j*w.Rank+k]
			}
		}
	}
	return m
}

// oracle evaluates everything from the definitions, term by term: the reference
// for Objective. gradient is ∂L/∂W.
func oracle(in *pattern.Instance, w *learn.Weights) (e learn.Evaluation, gradient []float64) {
	s, m := in.Spec(), matrixOf(w)
	gradient = make([]float64, s.DOut*s.DIn)
	e.Margin = math.Inf(1)
	for mu := range s.P {
		pool, key, target := in.Pool(mu, make([]float64, s.N*s.DOut)), in.Key(mu), in.Target(mu)
		scores, hidden := make([]float64, s.N), make([]float64, s.DOut)
		for i := range hidden {
			for j := range s.DIn {
				hidden[i] += m[i*s.DIn+j] * key[j]
			}
		}
		best := math.Inf(-1)
		for c := range s.N {
			for i := range s.DOut {
				scores[c] += pool[c*s.DOut+i] * hidden[i]
			}
			if c != target {
				best = max(best, scores[c])
			}
		}
		// Relative to the best competitor nothing that matters overflows.
		others := 0.0
		for c, x := range scores {
			if c != target {
				others += math.Exp(x - best)
			}
		}
		margin := scores[target] - best
		odds := margin - math.Log(others)
		e.Loss += math.Log1p(math.Exp(-math.Abs(odds))) + max(-odds, 0)
		e.Margin = min(e.Margin, margin)
		if margin > 0 {
			e.Recalled++
		}
		wrong := 1 / (1 + math.Exp(odds))
		e.Competition += wrong
		force := make([]float64, s.DOut)
		for c := range s.N {
			if c == target {
				continue
			}
			lambda := wrong * math.Exp(scores[c]-best) / others
			for i := range s.DOut {
				force[i] += lambda * (pool[c*s.DOut+i] - pool[target*s.DOut+i])
			}
		}
		for i := range s.DOut {
			for j := range s.DIn {
				gradient[i*s.DIn+j] += force[i] * key[j]
			}
		}
	}
	norm := 0.0
	for _, g := range gradient {
		norm += g * g
	}
	e.Bound = math.Sqrt(norm) / e.Competition
	return e, gradient
}
