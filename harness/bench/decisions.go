package bench

import (
	"fmt"
	"math"

	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/saddle"
)

// newDecisions returns the table of decisions without its rows.
func newDecisions(r *run) *table.Table {
	t := &table.Table{
		Name:  "decisions",
		Title: "Time to a decision with proof, OP, n = p",
		Columns: []table.Column{
			{Key: "d"}, {Key: "p"},
			{Key: "load", Head: "p/p_c", Digits: 3},
			{Key: "outcome"},
			{Key: "instances"},
			{Key: "passes", Digits: 3},
			{Key: "seconds", Digits: 3},
			{Key: "seconds_range", Head: "range", Digits: 3},
			{Key: "proof_seconds", Head: "of it proof", Digits: 3},
			{Key: "pytorch_steps", Head: "PyTorch steps", Digits: 3},
			{Key: "pytorch_rate", Head: "at rate", Digits: 2},
			{Key: "pytorch_seconds", Head: "PyTorch s", Digits: 3},
			{Key: "ratio", Head: "PyTorch/this", Digits: 3},
			{Key: "ratio_range", Head: "range", Digits: 3},
		},
		Notes: []string{
			"Medians and ranges over instances, drawing not counted; outcomes of all of them. Stored: every input recalled by a W verified in float64.",
			"Not storable: multipliers prove it. p_c: that of DP; OP stores a little more.",
		},
	}
	if r.torch != nil {
		t.Notes = append(t.Notes, "PyTorch: full-batch Adam, tuned environment, until every input is recalled in float32 (not verified further), at the best of a grid of learning rates.",
			"Above capacity it never ends: not run.")
	}
	return t
}

// decisions measures the time until instances are decided.
func (r *run) decisions() (*table.Table, error) {
	t := newDecisions(r)
	for _, size := range r.sizes() {
		critical, err := saddle.CriticalFacts(float64(size.d * size.d))
		if err != nil {
			return nil, err
		}
		for _, load := range []float64{0.9, 0.95, 0.99, 1.03} {
			if err := r.decision(t, size.d, load, critical.Facts); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// decisionInstances is the number of instances decided at a load: fewer where
// each takes long.
func decisionInstances(d int) int {
	switch {
	case d <= 128:
		return 5
	case d <= 256:
		return 3
	}
	return 1
}

// torchSteps is the budget of PyTorch's Adam at each learning rate.
const torchSteps = 2000

func (r *run) decision(t *table.Table, d int, load, critical float64) error {
	p := int(math.Round(load * critical))
	var passes, times, proofs, steps, rates, others, quotients []float64
	counts := map[trial.Outcome]int{}
	instances := decisionInstances(d)
	for i := range instances {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		in := r.draw(fmt.Sprintf("d=%d p=%d", d, p), uint64(i), d, p)
		// As trial.Decide, which cannot be interrupted.
		_, result, err := trial.TrainSession(r.ctx, nil, in, trial.Options{Threads: r.threads}, trial.Session{})
		if err != nil {
			return err
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
		counts[result.Outcome]++
		passes = append(passes, float64(result.Evaluations))
		times = append(times, result.Seconds)
		proofs = append(proofs, result.ProofSeconds)
		if r.torch != nil && load < 1 && d <= 128 {
			if err := r.torch.load(in); err != nil {
				return err
			}
			a, err := r.torch.ask("tune %d", torchSteps)
			if err != nil {
				return err
			}
			if a.Stored {
				steps, rates = append(steps, float64(a.Steps)), append(rates, a.Rate)
				others = append(others, a.Seconds)
				quotients = append(quotients, a.Seconds/result.Seconds)
			}
		}
		r.tick()
	}
	middle := func(values []float64) any {
		if len(values) < instances { // or it would be the median of the easy ones
			return nil
		}
		return median(values)
	}
	var ratioRange any
	if len(quotients) == instances {
		ratioRange = span(quotients)
	}
	t.Append(d, p, load, outcomes(counts), instances, median(passes), median(times), span(times), median(proofs),
		middle(steps), middle(rates), middle(others), middle(quotients), ratioRange)
	return nil
}

// outcomes writes counts: "stored", or "3 stored, 2 undecided".
func outcomes(counts map[trial.Outcome]int) string {
	text := ""
	for _, o := range []trial.Outcome{trial.Stored, trial.NotStorable, trial.Undecided} {
		switch n := counts[o]; {
		case n == 0:
		case len(counts) == 1:
			return o.String()
		case text == "":
			text = fmt.Sprintf("%d %v", n, o)
		default:
			text += fmt.Sprintf(", %d %v", n, o)
		}
	}
	return text
}
