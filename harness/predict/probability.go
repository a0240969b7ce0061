package predict

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/table"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// ProbabilityQuery says for which memories and loads to tabulate P(storable).
type ProbabilityQuery struct {
	Memories   []Memory
	Facts      []float64 // p, integers ≥ 1
	Candidates float64   // n, an integer ≥ 2; 0 means n = p
}

// Probability returns a table with a row for each memory and p: the probability
// that all p facts can be stored in the decoupled problem, which knows d_out by
// the probability π that a target lies inside the hull of its competitors; its
// normal form, without π; and p_c. At rank m it is a prediction, with N_eff for
// the number of weights.
func Probability(q ProbabilityQuery) (*table.Table, error) {
	if len(q.Memories) == 0 || len(q.Facts) == 0 {
		return nil, fmt.Errorf("want at least one memory and one number of facts, got %d and %d", len(q.Memories), len(q.Facts))
	}
	t := &table.Table{Name: "probability", Columns: []table.Column{
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "rank", Head: "m"},
		{Key: "n_eff", Head: "N_eff", Digits: 6, Hidden: true},
		{Key: "n_eff_error", Head: "± (N_eff)", Digits: 2, Hidden: true},
		{Key: "p"},
		{Key: "n"},
		{Key: "hull_probability", Head: "π", Digits: 3},
		{Key: "probability", Head: "P(storable)", Digits: 10},
		{Key: "probability_error", Head: "± (P)", Digits: 2},
		{Key: "complement", Head: "1 − P", Digits: 10, Hidden: true},
		{Key: "probability_normal", Head: "normal form", Digits: 6},
		{Key: "normal_error", Head: "its error", Digits: 2},
		{Key: "p_c", Digits: 8},
		{Key: "p_c_error", Head: "± (p_c)", Digits: 2, Hidden: true},
		{Key: "status", Hidden: true},
		{Key: "model", Hidden: true},
		{Key: "embedding", Hidden: true},
		{Key: "criterion", Hidden: true},
	}}
	transition, spectra := saddle.NewTransition(), quartercircle.NewSpectra()
	c := caveats{transition: transition}
	for _, m := range q.Memories {
		weights, err := m.effective(spectra)
		if err != nil {
			return nil, err
		}
		critical, err := criticalFacts(weights.Value, q.Candidates)
		if err != nil {
			return nil, err
		}
		for _, p := range q.Facts {
			n, err := candidates(p, q.Candidates)
			if err != nil {
				return nil, err
			}
			probability, absolute, err := Storable(transition, m, weights, p, n)
			if err != nil {
				return nil, err
			}
			normal, err := transition.Normal(weights.Value, p, n)
			if err != nil {
				return nil, err
			}
			hull, err := c.see(m, p, n)
			if err != nil {
				return nil, err
			}
			t.Append(m.In, m.Out, m.rank(), weights.Value, spread(weights), p, n, hull,
				probability.Value, absolute, probability.Complement, normal.Value, normal.Value-probability.Value,
				critical.Facts, criticalError(critical, weights), probability.Status, "dp", "gaussian", "all")
		}
	}
	show(t, "hull_probability", c.hulls)
	show(t, "p_c_error", c.low)
	t.Notes = []string{
		"P(storable) = 2 Σ_{j = N−1, N−3, …} c_j, N = d_in d_out weights, c the p-fold convolution of the conic intrinsic",
		"volumes of n candidates, for inputs with a pool of candidates each (DP). Normal form: Φ((N − p D_n)/√(p V_n)).",
	}
	t.Notes = append(t.Notes, c.notes("Only P holds (1 − π)^p.")...)
	if c.low {
		t.Notes = append(t.Notes, "± (P) includes the uncertainty of N_eff, not that of the prediction.")
	}
	return t, nil
}

// Storable is P(storable) in the decoupled problem of a memory, whose number of weights is
// N_eff as given, and its absolute error, that of N_eff included. p and n are as those of
// [saddle.Transition.Probability].
func Storable(t *saddle.Transition, m Memory, weights quartercircle.Estimate, p, n float64) (saddle.Probability, float64, error) {
	t = t.Decoupled(m.Out)
	v, err := t.Probability(weights.Value, p, n)
	if err != nil {
		return v, math.NaN(), err
	}
	absolute := v.Error*math.Min(v.Value, v.Complement) + 0x1p-53*v.Value
	if spread(weights) == 0 {
		return v, absolute, nil
	}
	lower, err := t.Probability(math.Max(0, weights.Value-spread(weights)), p, n)
	if err != nil {
		return v, math.NaN(), err
	}
	upper, err := t.Probability(weights.Value+spread(weights), p, n)
	if err != nil {
		return v, math.NaN(), err
	}
	return v, absolute + math.Max(upper.Value-v.Value, v.Value-lower.Value), nil
}

// factsStored is the number of facts that a memory stores with a probability in
// the decoupled problem, n = p for n = 0.
func factsStored(t *saddle.Transition, m Memory, weights, n, probability float64) (saddle.Quantile, error) {
	if n == 0 {
		return t.Decoupled(m.Out).Facts(weights, probability)
	}
	return t.Decoupled(m.Out).FactsAmong(weights, n, probability)
}

// candidates is n: the fixed number, or as many as facts.
func candidates(p, fixed float64) (float64, error) {
	if fixed != 0 {
		return fixed, nil
	}
	if p < 2 {
		return math.NaN(), fmt.Errorf("p = %v: with as many candidates as facts want p ≥ 2; else give the number of candidates n", p)
	}
	return p, nil
}

// criticalFacts is p_c for n fixed, or n = p for n = 0.
func criticalFacts(weights, n float64) (saddle.Critical, error) {
	if n == 0 {
		return saddle.CriticalFacts(weights)
	}
	return saddle.CriticalFactsAmong(weights, n)
}

// QuantileQuery says for which memories and probabilities to tabulate the
// number of facts stored with that probability.
type QuantileQuery struct {
	Memories      []Memory
	Probabilities []float64 // each in (0, 1)
	Candidates    float64   // n; 0 means n = p
}

// Quantiles returns two tables: for each memory and probability the p at which
// P(storable) crosses it, and for each memory the width of the transition, from
// 0.9 to 0.1, relative to p_c, beside the law that it approaches,
//
//	2 Φ⁻¹(0.9) √(p_c V)/(p_c · d(p D)/dp).
func Quantiles(q QuantileQuery) ([]*table.Table, error) {
	if len(q.Memories) == 0 || len(q.Probabilities) == 0 {
		return nil, fmt.Errorf("want at least one memory and one probability, got %d and %d", len(q.Memories), len(q.Probabilities))
	}
	shape := []table.Column{{Key: "d_in"}, {Key: "d_out"}, {Key: "rank", Head: "m"}, {Key: "n", Digits: digitsOfReal(q.Candidates)}}
	quantiles := &table.Table{Name: "quantiles", Title: "The number of facts stored with a given probability", Columns: append(shape[:4:4],
		table.Column{Key: "probability", Head: "P(storable)"},
		table.Column{Key: "p", Digits: 8},
		table.Column{Key: "p_error", Head: "± (p)", Digits: 2},
		table.Column{Key: "facts"},
		table.Column{Key: "p_c", Digits: 8},
		table.Column{Key: "p_c_error", Head: "± (p_c)", Digits: 2, Hidden: true},
		table.Column{Key: "ratio", Head: "p/p_c", Digits: 6},
		table.Column{Key: "status", Hidden: true},
	)}
	widths := &table.Table{Name: "widths", Title: "The width of the transition", Columns: append(shape[:4:4],
		table.Column{Key: "p_c", Digits: 8},
		table.Column{Key: "p_c_error", Head: "± (p_c)", Digits: 2, Hidden: true},
		table.Column{Key: "p_90", Head: "p(0.9)", Digits: 8},
		table.Column{Key: "p_90_error", Hidden: true},
		table.Column{Key: "p_10", Head: "p(0.1)", Digits: 8},
		table.Column{Key: "p_10_error", Hidden: true},
		table.Column{Key: "width", Head: "(p(0.1) − p(0.9))/p_c", Digits: 6},
		table.Column{Key: "width_law", Head: "law", Digits: 6},
	)}
	transition, spectra := saddle.NewTransition(), quartercircle.NewSpectra()
	c := caveats{transition: transition}
	for _, m := range q.Memories {
		weights, err := m.effective(spectra)
		if err != nil {
			return nil, err
		}
		critical, err := criticalFacts(weights.Value, q.Candidates)
		if err != nil {
			return nil, err
		}
		size := func(p float64) float64 {
			if q.Candidates != 0 {
				return q.Candidates
			}
			return p
		}
		at := func(probability float64) (saddle.Quantile, error) {
			p, err := factsStored(transition, m, weights.Value, q.Candidates, probability)
			if err == nil {
				// Quantiles feel what the uncertainty of N_eff does to p_c.
				p.Error += p.Value * spread(weights) / weights.Value
				_, err = c.see(m, p.Whole, math.Max(2, math.Round(size(p.Whole))))
			}
			return p, err
		}
		for _, probability := range q.Probabilities {
			p, err := at(probability)
			if err != nil {
				return nil, err
			}
			quantiles.Append(m.In, m.Out, m.rank(), size(p.Value), probability, p.Value, p.Error, p.Whole,
				critical.Facts, criticalError(critical, weights), p.Value/critical.Facts, p.Status)
		}
		high, err := at(0.9)
		if err != nil {
			return nil, err
		}
		low, err := at(0.1)
		if err != nil {
			return nil, err
		}
		law, err := widthLaw(critical.Facts, q.Candidates)
		if err != nil {
			return nil, err
		}
		widths.Append(m.In, m.Out, m.rank(), size(critical.Facts), critical.Facts, criticalError(critical, weights),
			high.Value, high.Error, low.Value, low.Error,
			(low.Value-high.Value)/critical.Facts, law)
	}
	show(quantiles, "p_c_error", c.low)
	show(widths, "p_c_error", c.low)
	quantiles.Notes = []string{
		"p: where P(storable) of DP crosses, between integers on the probit scale; facts: the largest integer stored with",
		"that probability. p_c: p D_n = N.",
	}
	widths.Notes = append([]string{"law: 2 Φ⁻¹(0.9) √(p V_n)/(p d(p D_n)/dp) at p = p_c, V_n the variance of the law of which D_n is the mean."},
		c.notes("Only p holds (1 − π)^p.")...)
	return []*table.Table{quantiles, widths}, nil
}

// digitsOfReal: a given n is shown as it is, n = p may be real.
func digitsOfReal(n float64) int {
	if n != 0 {
		return 0
	}
	return 8
}

// widthLaw is the distance of the 0.9 and 0.1 quantiles in units of p_c by the
// normal form linearised in p.
func widthLaw(p, n float64) (float64, error) {
	size := n
	if n == 0 {
		size = p
	}
	v, err := extremes.ConeVariance(size)
	if err != nil {
		return math.NaN(), err
	}
	d, err := extremes.ConeDimension(size)
	if err != nil {
		return math.NaN(), err
	}
	slope := d.Value // d(pD)/dp at fixed n
	if n == 0 {
		// d(p D_p)/dp = D + dD/d log p, by a central difference in log p: off by the
		// square of its step.
		const step = 1e-2
		lo, err := extremes.ConeDimension(math.Max(2, p*math.Exp(-step)))
		if err != nil {
			return math.NaN(), err
		}
		hi, err := extremes.ConeDimension(math.Min(p*math.Exp(step), extremes.MaxSize))
		if err != nil {
			return math.NaN(), err
		}
		slope += (hi.Value - lo.Value) / (2 * step)
	}
	z, err := extremes.SurvivalQuantile(math.Log(0.1))
	if err != nil {
		return math.NaN(), err
	}
	return 2 * z * math.Sqrt(v.Value/p) / slope, nil
}
