package compare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/trial"
	"lamcap/internal/status"
)

// transition is an experiment: instances at loads around p_c, each decided.
type transition struct {
	experiment string
	model      pattern.Model
	d          int       // d_out = d_in = d and n = p, or else
	shape      rectangle // if its dOut is not 0
	keys       pattern.Embedding
	options    trial.Options
	loads      []int
	trials     int // at each load
}

// name labels rows and addresses the streams.
func (t transition) name() string {
	if r := t.shape; r.dOut > 0 {
		s := fmt.Sprintf("%s d_out=%d d_in=%d", upper(t.model), r.dOut, r.dIn)
		if r.n > 0 {
			s += fmt.Sprintf(" n=%d", r.n)
		}
		return s
	}
	s := fmt.Sprintf("%s d=%d", upper(t.model), t.d)
	if m := t.options.Rank; m > 0 && m < t.d {
		s += fmt.Sprintf(" m=%d", m)
	}
	return s
}

func upper(m pattern.Model) string {
	if m == pattern.OP {
		return "OP"
	}
	return "DP"
}

// measured is what came out: counts of outcomes by load.
type measured struct {
	transition
	outcomes []stats.Outcomes
}

// run decides all instances. Its streams are addressed by experiment, name and
// load, so no result depends on the other cells.
func (t transition) run(ctx context.Context, o *Options) (measured, error) {
	streams := fmt.Sprint(o.Seed, t.experiment, t.name(), t.loads, t.trials)
	if m, ok := o.decided[streams]; ok {
		return m, nil
	}
	out := measured{transition: t}
	for _, p := range t.loads {
		spec := pattern.Spec{Model: t.model, DIn: t.d, DOut: t.d, P: p, N: p, Keys: t.keys, Values: t.keys}
		if r := t.shape; r.dOut > 0 {
			spec.DIn, spec.DOut = r.dIn, r.dOut
			if r.n > 0 {
				spec.N = r.n
			}
		}
		cell := fmt.Sprintf("%s p=%d", t.name(), p)
		results := trial.Many(ctx, spec, t.options, o.Seed, t.experiment, cell, t.trials, o.tick)
		if err := ctx.Err(); err != nil {
			return out, err
		}
		c, err := tally(results)
		if err != nil {
			return out, fmt.Errorf("%s, seed %d, %w", cell, o.Seed, err)
		}
		out.outcomes = append(out.outcomes, c)
	}
	if o.decided != nil {
		o.decided[streams] = out
	}
	return out, nil
}

// tally counts outcomes. A training that diverged is no data point.
func tally(results []trial.Result) (stats.Outcomes, error) {
	c := stats.Outcomes{Trials: len(results)}
	for i, r := range results {
		if r.Status == status.Diverged {
			return c, fmt.Errorf("trial %d: the training diverged", i)
		}
		switch r.Outcome {
		case trial.Stored:
			c.Stored++
		case trial.Undecided:
			c.Undecided++
		}
	}
	return c, nil
}

// rows compares each load with the probability of the theory, and shows what
// the limit says. Rows that are not tested show their numbers only.
func (m measured) rows(theory Theory, weights float64, tested bool) ([]Row, error) {
	predicted, err := m.curve(theory, weights)
	if err != nil {
		return nil, err
	}
	limit, err := m.curve(LimitDimension(), weights)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for i, c := range m.outcomes {
		row := m.row(i, predicted[i], limit[i])
		if tested {
			row.Z, row.P = c.Z(predicted[i]), c.PValue(predicted[i])
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// row shows one load, untested.
func (m measured) row(i int, predicted, limit float64) Row {
	c := m.outcomes[i]
	row := Row{
		Quantity:  fmt.Sprintf("%s p=%d stored", m.name(), m.loads[i]),
		Predicted: predicted, Limit: limit,
		Measured: float64(c.Stored) / float64(c.Trials-c.Undecided),
		Interval: c.Interval(level),
		Trials:   c.Trials, CountsStored: true, Stored: c.Stored, Undecided: c.Undecided,
	}
	row.Z, row.P = untested()
	return row
}

// with joins the measurement of the same memory at other loads.
func (m measured) with(other measured) measured {
	out := measured{transition: m.transition}
	out.loads = slices.Concat(m.loads, other.loads)
	slices.Sort(out.loads)
	for _, p := range out.loads {
		part := m
		i, ok := slices.BinarySearch(m.loads, p)
		if !ok {
			part = other
			i, _ = slices.BinarySearch(other.loads, p)
		}
		out.outcomes = append(out.outcomes, part.outcomes[i])
	}
	return out
}

// decided returns the counts without undecided instances, as half-points and
// whole curves take them.
func (m measured) decided() stats.Transition {
	var t stats.Transition
	for i, p := range m.loads {
		t.Loads = append(t.Loads, float64(p))
		t.Stored = append(t.Stored, m.outcomes[i].Stored)
		t.Trials = append(t.Trials, m.outcomes[i].Trials-m.outcomes[i].Undecided)
	}
	return t
}

// curve returns the theory's probabilities at all loads.
func (m measured) curve(theory Theory, weights float64) ([]float64, error) {
	out := make([]float64, len(m.loads))
	for i, p := range m.loads {
		var err error
		if out[i], err = theory.Storable(weights, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// rejects returns how strongly the whole curve speaks against another theory.
func (m measured) rejects(t Theory, weights float64) (stats.Rejection, error) {
	curve, err := m.curve(t, weights)
	if err != nil {
		return stats.Rejection{}, err
	}
	c := m.decided()
	return stats.CurveRejects(fmt.Sprintf("%s for %s", t.Name(), m.name()), c.Stored, c.Trials, curve), nil
}

// around returns loads at center + offsets·width, increasing and distinct.
func around(center, width float64, offsets []float64) []int {
	var loads []int
	for _, k := range offsets {
		p := max(2, int(math.Round(center+k*width)))
		if len(loads) == 0 || p > loads[len(loads)-1] {
			loads = append(loads, p)
		}
	}
	return loads
}

// without returns the loads that are not among the others.
func without(loads, others []int) []int {
	return slices.DeleteFunc(loads, func(p int) bool { return slices.Contains(others, p) })
}
