package proof_test

import (
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/pattern/patterntest"
	"lamcap/harness/proof"
	"lamcap/internal/stream"
)

// shapes are instances of all models with all dimensions different, an
// unshared n, and extremes.
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

// address is that of draw, but for facts, which have none.
func addressOf(s pattern.Spec, seed uint64) proof.Address {
	if s.Model == pattern.Facts {
		return proof.Address{}
	}
	return address(seed)
}

func address(seed uint64) proof.Address { return proof.Address{Seed: seed, Experiment: "proof test"} }

func draw(s pattern.Spec, seed uint64) (*pattern.Instance, *rand.Rand) {
	rng := stream.New(seed, "proof test", "", 0)
	return patterntest.Draw(rng, s), rng
}

// weightsOf draws weights of the given rank (0 for full).
func weightsOf(rng *rand.Rand, s pattern.Spec, rank int, scale float64) *learn.Weights {
	w := learn.NewWeights(s.DOut, s.DIn, rank)
	for i := range w.Parameters {
		w.Parameters[i] = scale * rng.NormFloat64()
	}
	return w
}

// train runs L-BFGS for some evaluations, or until every input is recalled.
func train(in *pattern.Instance, evaluations int) *learn.Weights {
	s := in.Spec()
	return learn.Train(learn.LBFGS, learn.NewObjective(in), learn.NewWeights(s.DOut, s.DIn, 0), learn.Options{
		MaxEvaluations: evaluations,
		Stop:           func(_ *learn.Weights, e learn.Evaluation) bool { return e.Recalled == s.P },
	}).Weights
}

// decide returns a checked certificate, or nil: by the weights after so many
// evaluations of L-BFGS as witness, else by refuting from them.
func decide(t require.TestingT, in *pattern.Instance, a proof.Address) *proof.Certificate {
	var w *learn.Weights
	for evaluations := 1; evaluations <= 256; evaluations *= 2 {
		w = train(in, evaluations)
		v := proof.Verify(in, w)
		if v.Recalled == in.Spec().P {
			c, err := proof.NewStored(in, a, w, v)
			require.NoError(t, err)
			return c
		}
		if m, r := proof.Refute(in, w, proof.RefuteOptions{}); r.Outcome {
			c, err := proof.NewNotStorable(in, a, m, r)
			require.NoError(t, err)
			return c
		}
	}
	return nil
}
