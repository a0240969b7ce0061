package compare

import (
	"context"
	"fmt"
	"math"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/trial"
	"lamcap/internal/status"
	"lamcap/internal/stream"
	"lamcap/saddle"
)

// trainingDraws compares the score level's quadrature with Monte Carlo over g.
type trainingDraws struct {
	training saddle.Training
	draws    int
}

func (d trainingDraws) name() string {
	t := d.training
	name := fmt.Sprintf("%v N=%v p=%v n=%v", t.Loss, t.Weights, t.Facts, t.Candidates)
	if t.Ridge > 0 {
		name += fmt.Sprintf(" λ=%v", t.Ridge)
	}
	return name
}

// minima is an experiment on the minimum of the cross-entropy in DP: instances
// trained by L-BFGS until the gradient is small.
type minima struct {
	d, p, instances int
}

func (m minima) name() string { return fmt.Sprintf("DP d=%d p=%d", m.d, m.p) }

// gradientTolerance of the trainings: with a Hessian of order 1 it leaves accuracies
// and losses unchanged to five digits.
const gradientTolerance = 1e-6

// run returns accuracy, mean loss and norm of every instance.
func (m minima) run(ctx context.Context, o *Options) (accuracy, loss, norm []float64, err error) {
	spec := pattern.Spec{Model: pattern.DP, DIn: m.d, DOut: m.d, P: m.p, N: m.p, Keys: pattern.Gaussian, Values: pattern.Gaussian}
	accuracy, loss, norm = make([]float64, m.instances), make([]float64, m.instances), make([]float64, m.instances)
	states := make([]status.Status, m.instances)
	err = trial.Run(ctx, m.instances, 2, func(i int) {
		in := pattern.Sample(stream.New(o.Seed, "training", m.name(), uint64(i)), spec)
		objective := learn.NewObjectiveWith(in, learn.Engine{Threads: 1})
		r := learn.Train(learn.LBFGS, objective, learn.NewWeights(m.d, m.d, 0), learn.Options{GradientTolerance: gradientTolerance, MaxEvaluations: 2000})
		accuracy[i] = float64(r.Evaluation.Recalled) / float64(m.p)
		loss[i] = r.Evaluation.Loss / float64(m.p)
		norm[i] = r.Weights.Norm()
		states[i] = r.Status
		o.tick()
	})
	if err != nil {
		return nil, nil, nil, err
	}
	for i, s := range states {
		if !s.OK() {
			return nil, nil, nil, fmt.Errorf("%s, seed %d, trial %d: not at the minimum (%v)", m.name(), o.Seed, i, s)
		}
	}
	return accuracy, loss, norm, nil
}

func (o *Options) trainingPlan() (draws []trainingDraws, trained []minima) {
	cases := []saddle.Training{
		{Weights: 2304, Facts: 422, Candidates: 422},
		{Weights: 2304, Facts: 703, Candidates: 703},
		{Weights: 576, Facts: 60, Candidates: 60, Ridge: 0.5},
		{Weights: 100, Facts: 150, Candidates: 3, Ridge: 1, Loss: saddle.Hinge},
	}
	count := 3000
	switch {
	case o.quick:
		cases, count = []saddle.Training{{Weights: 144, Facts: 60, Candidates: 60}}, 500
		trained = []minima{{12, 60, 4}}
	case o.Full:
		count = 20000
		trained = []minima{{24, 139, 24}, {48, 422, 24}, {48, 527, 24}, {48, 703, 24}}
	default:
		trained = []minima{{24, 231, 8}, {48, 527, 6}}
	}
	for _, t := range cases {
		draws = append(draws, trainingDraws{t, count})
	}
	return draws, trained
}

// trainingSection is (g): beyond capacity.
func (o *Options) trainingSection() section {
	draws, trained := o.trainingPlan()
	instances := 0
	for _, m := range trained {
		instances += m.instances
	}
	return section{instances, func(ctx context.Context) ([]Section, error) {
		s := Section{
			Name:   "training_draws",
			Letter: "g",
			Title:  "Beyond capacity: the saddle point of training by contour integrals, against Monte Carlo over g",
			Notes:  []string{"The equations are γ E‖r g − s‖²/r² = 1 and γ E[g·(r g − s)]/r + λχ/N = 1, s the prox of the loss."},
		}
		for _, d := range draws {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := d.rows(o, &s); err != nil {
				return nil, err
			}
		}
		t := Section{
			Name:   "training_minima",
			Letter: "g",
			Title:  "Beyond capacity: minima of the cross-entropy, trained, beside the score level (d → ∞)",
			Notes: []string{
				"Gaussian keys and values, L-BFGS. Not judged: the score level lacks what d = 24 and 48 do to lengths; norms are some",
				"5 to 10% larger. Rejected are competitors that training does not push: log Σ e^s as for independent scores.",
			},
		}
		for _, m := range trained {
			if err := m.rows(ctx, o, &t); err != nil {
				return nil, err
			}
		}
		return []Section{s, t}, nil
	}}
}

// leastMisses is how many of the draws must be expected not to be recalled for the accuracy to be
// compared: with few, or none, Student's interval says nothing.
const leastMisses = 10

func (d trainingDraws) rows(o *Options, s *Section) error {
	at, err := saddle.SolveTraining(d.training)
	if err != nil {
		return err
	}
	mc, err := saddle.SampleTraining(d.training, at.Norm.Value, at.Chi.Value, d.draws, o.Seed, d.name())
	if err != nil {
		return err
	}
	for _, row := range []struct {
		name      string
		predicted float64
		values    []float64
	}{
		{"first equation", 1, mc.First},
		{"second equation", 1, mc.Second},
		{"accuracy", at.Accuracy.Value, mc.Recalled},
		{"loss", at.Loss.Value, mc.Loss},
		{"correct score", at.CorrectMean.Value, mc.Correct},
		{"largest wrong", at.LargestMean.Value, mc.Largest},
	} {
		if row.name == "accuracy" && (1-row.predicted)*float64(d.draws) < leastMisses {
			continue
		}
		s.Rows = append(s.Rows, meanRow(d.name()+" "+row.name, row.predicted, math.NaN(), stats.NewSample(row.values)))
	}
	if d.training.Loss == saddle.CrossEntropy && d.training.Ridge == 0 {
		_, _, accuracy, err := saddle.UnresponsiveTraining(d.training)
		if err != nil {
			return err
		}
		s.Rejections = append(s.Rejections, stats.NewSample(mc.Recalled).Rejects("competitors that are not pushed, "+d.name()+", its accuracy", stats.Prediction{Value: accuracy}))
	}
	return nil
}

func (m minima) rows(ctx context.Context, o *Options, s *Section) error {
	accuracy, loss, norm, err := m.run(ctx, o)
	if err != nil {
		return err
	}
	p := float64(m.p)
	d := trainingDraws{training: saddle.Training{Weights: float64(m.d * m.d), Facts: p, Candidates: p}}
	at, err := saddle.SolveTraining(d.training)
	if err != nil {
		return err
	}
	for _, row := range []struct {
		name      string
		predicted float64
		values    []float64
	}{{"accuracy", at.Accuracy.Value, accuracy}, {"loss", at.Loss.Value, loss}, {"norm", at.Norm.Value, norm}} {
		r := meanRow(m.name()+" "+row.name, row.predicted, math.NaN(), stats.NewSample(row.values))
		r.Z, r.P = untested()
		s.Rows = append(s.Rows, r)
	}
	_, _, fixedAccuracy, err := saddle.UnresponsiveTraining(d.training)
	if err != nil {
		return err
	}
	s.Rejections = append(s.Rejections,
		stats.NewSample(accuracy).Rejects("competitors that are not pushed, "+m.name()+", its accuracy", stats.Prediction{Value: fixedAccuracy}),
		stats.NewSample(accuracy).Rejects("the limit's step for "+m.name()+" (above α = 1/2 nothing is recalled)", stats.Prediction{Value: 0}))
	return nil
}
