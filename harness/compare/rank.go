package compare

import (
	"context"
	"fmt"
	"strings"

	"lamcap/harness/pattern"
	"lamcap/harness/trial"
)

// rankProblem is a transition at a rank below full, in DP.
type rankProblem struct {
	transition
	weights  float64 // N_eff
	counting float64 // 2md − m², the number of parameters of a rank-m matrix
}

func (o *Options) rankProblems() ([]rankProblem, error) {
	d, trials := 24, 12
	offsets := []float64{-1.6, 0, 1.6}
	switch {
	case o.quick:
		d, trials = 8, 10
	case o.Full:
		trials, offsets = 40, []float64{-1.6, -0.8, 0, 0.8, 1.6}
	}
	var out []rankProblem
	for _, m := range []int{d / 4, d / 2} {
		n, err := o.spectra.EffectiveDimension(d, d, m)
		if err != nil {
			return nil, err
		}
		r := rankProblem{weights: n.Value, counting: float64(m * (2*d - m))}
		critical, err := Exact{}.Critical(n.Value)
		if err != nil {
			return nil, err
		}
		w, err := width(critical)
		if err != nil {
			return nil, err
		}
		r.transition = transition{experiment: "rank", model: pattern.DP, d: d, trials: trials,
			options: trial.Options{Rank: m}, loads: around(critical, w, offsets)}
		out = append(out, r)
	}
	return out, nil
}

func (o *Options) rankSection(ctx context.Context, problems []rankProblem) (Section, error) {
	s := Section{
		Name:   "rank",
		Letter: "c",
		Title:  "Rank: fraction found to be stored by W = QRᵀ, against p·D_p = N_eff",
		Notes: []string{
			"N_eff/D is an upper bound (Gordon) and the replica-symmetric prediction; P is its normal form. Failed restarts prove",
			"nothing: what was not found is undecided unless no W of any rank can store it, and intervals and p-values hold",
			"for both readings. So ok means: no more is stored than predicted. That the prediction is reached, and not too high,",
			"is what \"found\" shows; theories that are too high are rejected only if restarts find what exists.",
		},
	}
	for _, r := range problems {
		m, err := r.run(ctx, o)
		if err != nil {
			return s, err
		}
		rows, err := m.rows(o.Theory, r.weights, true)
		if err != nil {
			return s, err
		}
		for i := range rows {
			// Decided instances are almost all stored ones: show what was found.
			c := m.outcomes[i]
			rows[i].Measured = float64(c.Stored) / float64(c.Trials)
			rows[i].Quantity = strings.TrimSuffix(rows[i].Quantity, "stored") + "found"
		}
		s.Rows = append(s.Rows, rows...)
		found := m
		found.outcomes = nil
		for _, c := range m.outcomes {
			c.Undecided = 0 // counted as not found
			found.outcomes = append(found.outcomes, c)
		}
		full := float64(r.d * r.d)
		for _, wrong := range []struct {
			theory  Theory
			weights float64
		}{
			{named{Exact{}, fmt.Sprintf("counting 2md − m² = %.0f parameters", r.counting)}, r.counting},
			{LimitDimension(), r.weights},
			{named{Exact{}, fmt.Sprintf("rank does not matter, N = %.0f, if restarts find what exists,", full)}, full},
		} {
			reject, err := found.rejects(wrong.theory, wrong.weights)
			if err != nil {
				return s, err
			}
			s.Rejections = append(s.Rejections, reject)
		}
	}
	return s, nil
}

// named is a theory under another name.
type named struct {
	Theory
	name string
}

func (n named) Name() string { return n.name }
