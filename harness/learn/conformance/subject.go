package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/pattern/patterntest"
	"lamcap/internal/stream"
)

// Subject is a learning rule under test.
type Subject struct {
	Rule learn.Rule
	// Options are those under which it stores an easy instance, 3 facts with 6
	// candidates at d = 40, within 300 passes. Their budget, schedules that end
	// and Stop are not looked at.
	Options learn.Options
	// FullOnly says that the rule has no factors.
	FullOnly bool
	// Scaled is what scale invariance means for the rule. With all keys
	// multiplied by c² the same training, up to the scale of its weights, is
	// that with the options returned, from Q/q and R/r (W/(q r) in full).
	Scaled func(o learn.Options, rank int, c float64) (scaled learn.Options, q, r float64)
}

// Test checks all the laws.
func Test(t *testing.T, s Subject) {
	for _, model := range []pattern.Model{pattern.OP, pattern.DP, pattern.Facts} {
		for _, rank := range []int{0, 4} {
			if rank > 0 && s.FullOnly {
				continue
			}
			name := model.String() + "/full"
			if rank > 0 {
				name = model.String() + "/factors"
			}
			t.Run(name, func(t *testing.T) {
				c := subjectCase{s, model, rank}
				t.Run("easy is stored", c.easy)
				t.Run("contradiction is not stored", c.contradiction)
				t.Run("permutation", c.permutation)
				t.Run("scale", c.scale)
				t.Run("threads", c.threads)
				t.Run("resume", c.resume)
				t.Run("divergence", c.divergence)
				t.Run("overflow", c.overflow)
			})
		}
	}
}

// subjectCase is a rule on one problem and with one kind of weights.
type subjectCase struct {
	Subject
	model pattern.Model
	rank  int
}

// spec is p facts among n candidates (p of them in OP) in d dimensions.
func (c subjectCase) spec(d, p, n int) pattern.Spec {
	if c.model == pattern.OP {
		n = p
	}
	return pattern.Spec{Model: c.model, DIn: d, DOut: d, P: p, N: n}
}

// sample draws an instance, always the same.
func (c subjectCase) sample(d, p, n int) *pattern.Instance {
	return patterntest.Draw(stream.New(1, "conformance", "", 0), c.spec(d, p, n))
}

// start is 0 in full, otherwise random factors.
func (c subjectCase) start(in *pattern.Instance) *learn.Weights {
	s := in.Spec()
	if c.rank == 0 {
		return learn.NewWeights(s.DOut, s.DIn, 0)
	}
	return learn.RandomWeights(stream.New(2, "conformance", "", 0), s.DOut, s.DIn, c.rank, 1)
}

// train runs for the given number of passes.
func (c subjectCase) train(in *pattern.Instance, passes int) learn.Run {
	o := c.Options
	o.MaxEvaluations = passes
	return learn.Train(c.Rule, learn.NewObjective(in), c.start(in), o)
}

// data copies the keys and pools of an instance.
func data(in *pattern.Instance) (keys, pools []float64) {
	keys = append(keys, in.Keys()...)
	for mu := range in.Spec().P {
		pools = append(pools, in.Pool(mu, nil)...)
		if in.Spec().Model.SharedPool() {
			break
		}
	}
	return keys, pools
}

func targetsOf(in *pattern.Instance) []int {
	targets := make([]int, in.Spec().P)
	for mu := range targets {
		targets[mu] = in.Target(mu)
	}
	return targets
}

// instance is one of given numbers; targets are for facts only.
func instance(t *testing.T, s pattern.Spec, keys, pools []float64, targets []int) *pattern.Instance {
	if s.Model == pattern.Facts {
		in, err := pattern.FromPairs(keys, pools, s.DIn, s.DOut, targets)
		require.NoError(t, err)
		return in
	}
	in, err := pattern.FromData(s, keys, pools)
	require.NoError(t, err)
	return in
}
