package predict

import (
	"fmt"
	"math"

	"lamcap/harness/table"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// boundNote is what the tables of criteria without a convex set say.
const boundNote = "A replica-symmetric prediction and as d → ∞ an upper bound (Gordon); that it is reached is not shown."

// CriterionQuery says for which memories to tabulate other criteria than that
// every input be recalled as the best of n.
type CriterionQuery struct {
	Memories   []Memory
	Candidates float64 // n; 0 means n = p
}

// digitsOfN: a given n is shown as it is, n = p is real.
func (q CriterionQuery) digitsOfN() int {
	if q.Candidates != 0 {
		return 0
	}
	return 8
}

// criterionMemory is a memory with what all criteria need of it.
type criterionMemory struct {
	Memory
	weights, strict       float64 // N_eff, and p_c of the strict criterion
	strictError, relative float64 // uncertainty of p_c, and of N_eff relative to it
	caveats               *caveats
}

// eachMemory calls f for every memory and adds what must be said below its rows.
func (q CriterionQuery) eachMemory(t *table.Table, f func(m criterionMemory) error) error {
	if len(q.Memories) == 0 {
		return fmt.Errorf("want at least one memory")
	}
	spectra := quartercircle.NewSpectra()
	warn := caveats{transition: saddle.NewTransition()}
	for _, m := range q.Memories {
		weights, err := m.effective(spectra)
		if err != nil {
			return err
		}
		c, err := criticalFacts(weights.Value, q.Candidates)
		if err != nil {
			return err
		}
		if err := f(criterionMemory{m, weights.Value, c.Facts, criticalError(c, weights), spread(weights) / weights.Value, &warn}); err != nil {
			return err
		}
	}
	show(t, "p_c_error", warn.low)
	t.Notes = append(t.Notes, warn.notes("")...)
	return nil
}

// Fractions returns a table with a row for each memory and fraction ε: the
// number of facts when a fraction ε of them may fail to be recalled.
func Fractions(fractions []float64, q CriterionQuery) (*table.Table, error) {
	t := &table.Table{Name: "fraction", Title: "A fraction of the inputs may fail", Columns: []table.Column{
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "rank", Head: "m"},
		{Key: "n", Digits: q.digitsOfN()},
		{Key: "fraction", Head: "ε"},
		{Key: "p", Digits: 8},
		{Key: "p_error", Head: "± (p)", Digits: 2},
		{Key: "p_c", Head: "p_c (ε = 0)", Digits: 8},
		{Key: "p_c_error", Head: "± (p_c)", Digits: 2, Hidden: true},
		{Key: "ratio", Head: "p/p_c", Digits: 6},
		{Key: "status", Hidden: true},
	}, Notes: []string{"p E[dist²; dist² ≤ c] = N_eff, P(dist² > c) = ε.", boundNote}}
	err := q.eachMemory(t, func(m criterionMemory) error {
		for _, fraction := range fractions {
			n := q.Candidates
			var c saddle.Critical
			var err error
			if n == 0 {
				c, err = saddle.FactsWithErrors(m.weights, fraction)
				n = c.Facts
			} else {
				c, err = saddle.FactsWithErrorsAmong(m.weights, n, fraction)
			}
			if err != nil {
				return err
			}
			t.Append(m.In, m.Out, m.rank(), n, fraction, c.Facts, c.Error+c.Facts*m.relative, m.strict, m.strictError, c.Facts/m.strict, c.Status)
			if _, err := m.caveats.see(m.Memory, c.Facts, math.Max(2, math.Round(n))); err != nil {
				return err
			}
		}
		return nil
	})
	return t, err
}

// Errors returns a table with a row for each memory and number of facts: the
// smallest fraction of inputs that must fail.
func Errors(facts []float64, q CriterionQuery) (*table.Table, error) {
	t := &table.Table{Name: "errors", Title: "The smallest fraction of inputs that must fail", Columns: []table.Column{
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "rank", Head: "m"},
		{Key: "p"},
		{Key: "n"},
		{Key: "load", Head: "γ = p/N_eff", Digits: 6},
		{Key: "fraction", Head: "ε", Digits: 8},
		{Key: "fraction_error", Head: "± (ε)", Digits: 2},
		{Key: "cutoff", Head: "c", Digits: 6},
		{Key: "replicon", Digits: 4, Hidden: true},
		{Key: "p_c", Digits: 8},
		{Key: "p_c_error", Head: "± (p_c)", Digits: 2, Hidden: true},
		{Key: "status", Hidden: true},
	}, Notes: []string{"Inputs with dist² > c are given up: γ E[dist²; dist² ≤ c] = 1, ε = P(dist² > c), as p → ∞ at fixed load.",
		"Beyond p_c a lower bound (Gordon) and the replica-symmetric value, unstable there at every load."}}
	err := q.eachMemory(t, func(m criterionMemory) error {
		for _, p := range facts {
			n, err := candidates(p, q.Candidates)
			if err != nil {
				return err
			}
			e, err := saddle.MinimalErrors(p/m.weights, n)
			if err != nil {
				return err
			}
			t.Append(m.In, m.Out, m.rank(), p, n, p/m.weights, e.Fraction, e.Error+spreadOfErrors(e, m, p), e.Cutoff, e.Replicon, m.strict, m.strictError, e.Status)
			if _, err := m.caveats.see(m.Memory, p, n); err != nil {
				return err
			}
		}
		return nil
	})
	return t, err
}

// spreadOfErrors is what the uncertainty of N_eff does to ε: dε/dγ = 1/(γ²c).
func spreadOfErrors(e saddle.Errors, m criterionMemory, p float64) float64 {
	if m.relative == 0 || math.IsInf(e.Cutoff, 1) {
		return 0
	}
	return m.weights / p / e.Cutoff * m.relative
}

// Top returns a table with a row for each memory and k: the number of facts when
// the target must be among the k best of the n candidates.
func Top(ks []int, q CriterionQuery) (*table.Table, error) {
	t := &table.Table{Name: "top", Title: "The target among the k best", Columns: []table.Column{
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "rank", Head: "m"},
		{Key: "n", Digits: q.digitsOfN()},
		{Key: "k"},
		{Key: "d_n_k", Head: "D_{n,k}", Digits: 8},
		{Key: "p", Digits: 8},
		{Key: "p_error", Head: "± (p)", Digits: 2},
		{Key: "p_c", Head: "p_c (k = 1)", Digits: 8},
		{Key: "p_c_error", Head: "± (p_c)", Digits: 2, Hidden: true},
		{Key: "ratio", Head: "p/p_c", Digits: 6},
		{Key: "status", Hidden: true},
	}, Notes: []string{"p D_{n,k} = N_eff; in the limit p log(n/k) = N_eff/2.", boundNote}}
	err := q.eachMemory(t, func(m criterionMemory) error {
		for _, k := range ks {
			n := q.Candidates
			var c saddle.Critical
			var err error
			if n == 0 {
				c, err = saddle.FactsTop(m.weights, float64(k))
				n = c.Facts
			} else {
				c, err = saddle.FactsTopAmong(m.weights, n, float64(k))
			}
			if err != nil {
				return err
			}
			t.Append(m.In, m.Out, m.rank(), n, k, c.Dimension.Value, c.Facts, c.Error+c.Facts*m.relative, m.strict, m.strictError, c.Facts/m.strict, c.Status)
			if _, err := m.caveats.see(m.Memory, c.Facts, math.Max(2, math.Round(n))); err != nil {
				return err
			}
		}
		return nil
	})
	return t, err
}

// TailAverages returns a table with a row for each tail fraction r: the margin κ_r
// of the convex surrogate that asks the correct score to exceed the mean of the
// largest fraction r of its competitors, and its capacity in facts per weight.
func TailAverages(fractions []float64) (*table.Table, error) {
	t := &table.Table{Name: "tail_average", Title: "Convex surrogate: the correct score above the mean of the top fraction r, d → ∞ at fixed p/d²", Columns: []table.Column{
		{Key: "r"},
		{Key: "kappa_r", Head: "κ_r", Digits: 10},
		{Key: "alpha_c", Head: "α_c(r) = p/d²", Digits: 10},
	}}
	for _, r := range fractions {
		kappa, err := saddle.TailAverageMargin(r)
		if err != nil {
			return nil, err
		}
		alpha, err := saddle.TailAverageCapacity(r)
		if err != nil {
			return nil, err
		}
		t.Append(r, kappa, alpha)
	}
	return t, nil
}
