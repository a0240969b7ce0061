package compare

import (
	"context"
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/saddle"
	"lamcap/saddle/vector"
)

// vectorCell is an experiment of section (h): DP trained to its minimum, by L-BFGS on the
// cross-entropy or to the largest margin, Gaussian values.
type vectorCell struct {
	dIn, dOut, p, n int
	keys            pattern.Embedding
	rule            learn.Rule
	trials          int
	// judged cells are those where the theory claims to hold: corrections of order
	// 1/(d_in d_out) are below the interval.
	judged bool
}

func (c vectorCell) name() string {
	keys := "keys of norm √d"
	if c.keys == pattern.Gaussian {
		keys = "Gaussian keys"
	}
	size := fmt.Sprintf("d=%d", c.dIn)
	if c.dIn != c.dOut {
		size = fmt.Sprintf("%d×%d", c.dIn, c.dOut)
	}
	if c.n != c.p {
		return fmt.Sprintf("%s p=%d n=%d, %s", size, c.p, c.n, keys)
	}
	return fmt.Sprintf("%s p=%d, %s", size, c.p, keys)
}

func (c vectorCell) weights() float64 { return float64(c.dIn * c.dOut) }

// vectorPlan is what section (h) measures, and with how many draws it predicts.
type vectorPlan struct {
	cells []vectorCell
	draws int
}

func (o *Options) vectorPlan() vectorPlan {
	const sphere, gaussian = pattern.Sphere, pattern.Gaussian
	train, margin := learn.LBFGS, learn.MaxMargin
	switch {
	case o.quick:
		return vectorPlan{[]vectorCell{
			{12, 12, 80, 80, sphere, train, 20, true},
			{48, 12, 80, 20, sphere, margin, 8, true},
		}, 1024}
	case o.Full:
		return vectorPlan{[]vectorCell{
			{24, 24, 231, 231, sphere, train, 200, true},
			{24, 24, 231, 231, gaussian, train, 200, true},
			{24, 24, 139, 139, sphere, train, 400, false},
			{24, 24, 139, 139, gaussian, train, 400, false},
			{96, 24, 240, 60, sphere, margin, 100, true},
			{24, 24, 60, 60, sphere, margin, 300, false},
			{24, 24, 60, 60, gaussian, margin, 300, false},
		}, 1 << 14}
	}
	return vectorPlan{[]vectorCell{
		{24, 24, 231, 231, sphere, train, 40, true},
		{24, 24, 231, 231, gaussian, train, 40, true},
		{24, 24, 139, 139, sphere, train, 30, false},
		{96, 24, 240, 60, sphere, margin, 16, true},
		{24, 24, 60, 60, sphere, margin, 40, false},
	}, 2048}
}

// vectorSection is (h).
func (o *Options) vectorSection() section {
	plan := o.vectorPlan()
	instances := 0
	for _, c := range plan.cells {
		instances += c.trials
	}
	return section{instances, func(ctx context.Context) ([]Section, error) {
		s := Section{
			Name:   "vector",
			Letter: "h",
			Title:  "Vector level: DP trained to its minimum at finite d, against theory that is exact for d_in → ∞",
			Notes: []string{
				"Gaussian values; n = p unless said. The limit is the score level, d → ∞; scores are those of the correct candidate over the norm.",
				"Predictions are Monte Carlo, their standard errors are in z. Rows without z are those that corrections of order 1/(d_in d_out)",
				"reach: at d=24 margins are about 0.7% lower, and norms next to capacity 3 to 4% higher (averages over 300 instances).",
			},
		}
		known := map[vector.Training]vector.Trained{}
		for _, c := range plan.cells {
			if err := o.vectorRows(ctx, c, plan.draws, known, &s); err != nil {
				return nil, err
			}
		}
		return []Section{s}, nil
	}}
}

// output is a number of a trained memory at each level of theory.
type output struct {
	name            string
	vector          extremes.Value
	score           float64
	equal           extremes.Value // what keys of equal length would have
	measured        []float64
	rejectScore     bool
	rejectEqualKeys bool
}

func (o *Options) vectorRows(ctx context.Context, c vectorCell, draws int, known map[vector.Training]vector.Trained, s *Section) error {
	outputs, used, err := c.predict(o.Seed, draws, known)
	if err != nil {
		return err
	}
	spec := pattern.Spec{Model: pattern.DP, DIn: c.dIn, DOut: c.dOut, P: c.p, N: c.n, Keys: c.keys}
	for i := range outputs {
		outputs[i].measured = make([]float64, c.trials)
	}
	problem := measure.Problem{Spec: spec, Rule: c.rule, Seed: o.Seed, Experiment: "vector", Cell: c.name()}
	err = measure.Many(ctx, problem, c.trials, func(t int, m measure.Memory) {
		for i, x := range c.measure(m) {
			outputs[i].measured[t] = x
		}
		o.tick()
	})
	if err != nil {
		return err
	}
	for _, q := range outputs {
		sample := stats.NewSample(q.measured)
		prediction := stats.Prediction{Value: q.vector.Value, StandardError: q.vector.Error, DegreesOfFreedom: float64(used - 1)}
		row := Row{
			Quantity: c.name() + ": " + q.name, Predicted: q.vector.Value, Limit: q.score,
			Measured: sample.Mean, Interval: sample.Interval(level), Trials: sample.N,
		}
		row.Z, row.P = untested()
		if c.judged {
			row.Z, row.P = sample.ZOf(prediction), sample.PValueOf(prediction)
		}
		s.Rows = append(s.Rows, row)
		if q.rejectScore {
			s.Rejections = append(s.Rejections, sample.Rejects(fmt.Sprintf("score level for %s (%s)", c.name(), q.name), stats.Prediction{Value: q.score}))
		}
		if q.rejectEqualKeys {
			s.Rejections = append(s.Rejections, sample.Rejects(fmt.Sprintf("keys of equal length for %s (%s)", c.name(), q.name),
				stats.Prediction{Value: q.equal.Value, StandardError: q.equal.Error, DegreesOfFreedom: float64(used - 1)}))
		}
	}
	return nil
}

// predict returns what [vectorCell.measure] measures, and the number of draws.
func (c vectorCell) predict(seed uint64, draws int, known map[vector.Training]vector.Trained) ([]output, int, error) {
	e := vector.Ensemble{DOut: c.dOut, Keys: c.keys, Seed: seed} // d_in does not matter to keys of norm √d
	if c.keys == pattern.Gaussian {
		e.KeyDimension = c.dIn
	}
	precision := vector.Precision{MaxDraws: draws, Target: 1e-3}
	if c.rule == learn.MaxMargin {
		precision.MaxDraws *= 4 // a projection costs a tenth of a training's draw
		m, err := vector.Margin(c.weights(), float64(c.p), float64(c.n), e, precision)
		if err != nil {
			return nil, 0, err
		}
		score, err := saddle.Margin(c.weights(), float64(c.p), float64(c.n))
		return []output{{name: "margin", vector: m.Margin, score: score.Margin, rejectScore: c.judged}}, m.Draws, err
	}
	memory := saddle.Training{Weights: c.weights(), Facts: float64(c.p), Candidates: float64(c.n)}
	score, err := saddle.SolveTraining(memory)
	if err != nil {
		return nil, 0, err
	}
	solve := func(e vector.Ensemble) (vector.Trained, error) {
		t := vector.Training{Training: memory, Ensemble: e, Precision: precision}
		if r, ok := known[t]; ok {
			return r, nil
		}
		r, err := vector.Solve(t)
		known[t] = r
		return r, err
	}
	r, err := solve(e)
	if err != nil {
		return nil, 0, err
	}
	equalLengths := e
	equalLengths.Keys, equalLengths.KeyDimension = pattern.Sphere, 0 // as in the cells with such keys
	equal, err := solve(equalLengths)
	if err != nil {
		return nil, 0, err
	}
	scores := r.PerNorm()
	return []output{
		{name: "norm", vector: r.Norm, score: score.Norm.Value, rejectScore: c.judged && c.keys == pattern.Sphere},
		{name: "loss", vector: r.Loss, score: score.Loss.Value},
		{name: "accuracy", vector: r.Accuracy, score: score.Accuracy.Value},
		{name: "score", vector: scores.CorrectMean, score: score.CorrectMean.Value / score.Norm.Value},
		{name: "its std", vector: scores.CorrectStd, score: score.CorrectStd.Value / score.Norm.Value,
			equal: equal.PerNorm().CorrectStd, rejectEqualKeys: c.keys == pattern.Gaussian},
	}, r.Draws, nil
}

// measure returns the outputs of one memory, in the order of predict.
func (c vectorCell) measure(m measure.Memory) []float64 {
	if c.rule == learn.MaxMargin {
		return []float64{m.Result.Margin}
	}
	correct, _ := m.Scores()
	scores := stats.NewSample(correct)
	p := float64(scores.N)
	return []float64{m.Norm, m.Loss, m.Accuracy(), scores.Mean, scores.StandardDeviation * math.Sqrt((p-1)/p)}
}
