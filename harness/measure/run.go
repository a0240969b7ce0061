package measure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/learn"
	"lamcap/harness/proof"
	"lamcap/harness/trial"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// Run draws the instance, trains on it and measures. It returns an error for a
// problem that is not valid, and for a training that diverged.
func Run(p Problem) (Memory, error) {
	if err := p.Validate(); err != nil {
		return Memory{}, err
	}
	started := time.Now()
	p.Options = p.Options.withDefaults(p.Rule, p.full())
	rng := stream.New(p.Seed, p.Experiment, p.Cell, p.Trial)
	m := Memory{Instance: trial.Draw(rng, p.Spec, p.Rule), Loss: math.NaN(), Gradient: math.NaN(), rank: p.rank()}
	switch {
	case p.Rule == learn.Hebb:
		m.Weights = learn.TrainHebb(m.Instance)
		m.Result = trial.Result{Status: status.Converged, MarginBound: math.Inf(1)}
	case p.Rule == learn.MaxMargin:
		evidence, r := trial.Train(rng, m.Instance, trial.Options{Rule: learn.MaxMargin, Threads: 1})
		m.Result = r
		if r.Outcome == trial.Stored && r.Status.OK() {
			m.Weights = evidence.Weights
		}
	default:
		m.minimise(rng, p)
	}
	if m.Weights != nil {
		m.verify()
	}
	m.Result.Seed, m.Result.Seconds = p.Seed, time.Since(started).Seconds()
	if m.Result.Status == status.Diverged {
		return m, fmt.Errorf("%v of rule %v, seed %d, experiment %q, cell %q, trial %d: diverged", p.Spec.Model, p.Rule, p.Seed, p.Experiment, p.Cell, p.Trial)
	}
	return m, nil
}

// minimise trains on the cross-entropy, factors from several starts.
func (m *Memory) minimise(rng *rand.Rand, p Problem) {
	s, starts := p.Spec, 1
	if !p.full() {
		starts = p.Options.Restarts
	}
	objective := learn.NewObjective(m.Instance)
	options := learn.Options{
		MaxEvaluations: p.Options.MaxEvaluations, GradientTolerance: p.Options.GradientTolerance,
		LearningRate: p.Options.LearningRate, Schedule: p.Options.Schedule,
		Stop: func(_ *learn.Weights, e learn.Evaluation) bool {
			return e.Loss <= p.Options.LossTolerance*float64(s.P)
		},
	}
	var best learn.Run
	evaluations, bound := 0, math.Inf(1)
	for i := range starts {
		start := learn.NewWeights(s.DOut, s.DIn, 0)
		if !p.full() {
			start = learn.RandomWeights(rng, s.DOut, s.DIn, p.Rank, startNorm)
		}
		r := learn.Train(p.Rule, objective, start, options)
		evaluations += r.Evaluations
		bound = min(bound, r.Bound)
		if i == 0 || r.Status != status.Diverged && !(r.Evaluation.Loss >= best.Evaluation.Loss) {
			best = r
		}
		if options.Stop(nil, r.Evaluation) {
			break // none of the others is better in this sense
		}
	}
	m.Weights = best.Weights
	m.Loss = best.Evaluation.Loss / float64(s.P)
	m.Gradient = gradient(objective, best.Weights)
	m.Result = trial.Result{Status: best.Status, Evaluations: evaluations, MarginBound: bound}
}

// gradient measures what is left of it as [learn.Options.GradientTolerance] does.
func gradient(o *learn.Objective, w *learn.Weights) float64 {
	g := make([]float64, len(w.Parameters))
	e := o.Evaluate(w, g)
	if w.Rank == 0 {
		return floats.Norm(g, 2) / e.Competition
	}
	return math.Sqrt(float64(w.Rank)) * floats.Norm(g, 2) / (e.Competition * floats.Norm(w.Parameters, 2))
}

// verify counts what the weights recall.
func (m *Memory) verify() {
	v := proof.Verify(m.Instance, m.Weights)
	s := m.Instance.Spec()
	m.Norm = v.Norm
	m.Result.Recalled, m.Result.Margin = v.Recalled, v.Margin
	m.Result.Accuracy = float64(v.Recalled) / float64(s.P)
	if v.Recalled == s.P {
		m.Result.Outcome = trial.Stored
	}
}

// Many runs trials 0 … trials − 1 of a problem, whose Trial is ignored, on as many
// goroutines as GOMAXPROCS, and shows each memory to keep, which is never called
// twice at once but in any order. Memories are not held after that: an instance is
// large. It returns the error of the first trial that has one, or that of ctx.
func Many(ctx context.Context, p Problem, trials int, keep func(t int, m Memory)) error {
	if err := p.Validate(); err != nil {
		return err
	}
	errs := make([]error, trials)
	var keeping sync.Mutex
	err := trial.Run(ctx, trials, runtime.GOMAXPROCS(0), func(t int) {
		one := p
		one.Trial = uint64(t)
		var m Memory
		if m, errs[t] = Run(one); errs[t] != nil {
			return
		}
		keeping.Lock()
		defer keeping.Unlock()
		keep(t, m)
	})
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return err
}
