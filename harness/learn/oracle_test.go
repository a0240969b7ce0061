package learn_test

import (
	"math"
	"math/rand/v2"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// shapes are the instances that the objective is tested on: both models, all
// dimensions different, an unshared n, extremes.
var shapes = []pattern.Spec{
	{Model: pattern.OP, DIn: 3, DOut: 5, P: 7, N: 7},
	{Model: pattern.DP, DIn: 5, DOut: 3, P: 4, N: 6},
	{Model: pattern.DP, DIn: 4, DOut: 6, P: 9, N: 2, Keys: pattern.Sphere},
	{Model: pattern.OP, DIn: 9, DOut: 2, P: 11, N: 11, Values: pattern.Sphere},
	{Model: pattern.DP, DIn: 1, DOut: 1, P: 3, N: 4},
	{Model: pattern.DP, DIn: 2, DOut: 2, P: 1, N: 2},
	{Model: pattern.OP, DIn: 2, DOut: 3, P: 2, N: 2},
}

func draw(s pattern.Spec, seed uint64) (*pattern.Instance, *rand.Rand) {
	rng := stream.New(seed, "learn test", "", 0)
	return pattern.Sample(rng, s), rng
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
		pool, key, target := in.Pool(mu, nil), in.Key(mu), in.Target(mu)
		scores := make([]float64, s.N)
		for c := range s.N {
			for i := range s.DOut {
				for j := range s.DIn {
					scores[c] += pool[c*s.DOut+i] * m[i*s.DIn+j] * key[j]
				}
			}
		}
		sum := 0.0
		for _, x := range scores {
			sum += math.Exp(x - scores[target])
		}
		e.Loss += math.Log(sum)
		recalled := true
		for c := range s.N {
			if c == target {
				continue
			}
			margin := scores[target] - scores[c]
			e.Margin = min(e.Margin, margin)
			recalled = recalled && margin > 0
			lambda := math.Exp(-margin) / sum
			e.Competition += lambda
			for i := range s.DOut {
				for j := range s.DIn {
					x := (pool[target*s.DOut+i] - pool[c*s.DOut+i]) * key[j]
					gradient[i*s.DIn+j] -= lambda * x
				}
			}
		}
		if recalled {
			e.Recalled++
		}
	}
	norm := 0.0
	for _, g := range gradient {
		norm += g * g
	}
	e.Bound = math.Sqrt(norm) / e.Competition
	return e, gradient
}
