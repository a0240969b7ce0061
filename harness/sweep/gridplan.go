package sweep

import (
	"fmt"

	"lamcap/harness/measure"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// Plan resolves the grid into cells. Loads that round to one number of facts are one
// cell, with the larger number of trials, in one table or in two of one name; cells
// that draw the same instances and treat them differently are refused, and so is a cell
// without a meaning, as of rule hebb below full rank: another table of the same name has
// room for the rules that need another axis.
func (g *Grid) Plan(s *quartercircle.Spectra) (*Plan, error) {
	p := &Plan{Title: g.Title, Source: g.Source}
	resolver := resolver{spectra: s, critical: map[[2]float64]float64{}}
	seen := map[Address]int{}
	for _, e := range g.experiments {
		used := map[string]bool{}
		for d := range e.drafts {
			w, err := resolver.resolve(d)
			if err != nil {
				return nil, e.wrong(err)
			}
			w.useOptions(used)
			if err := w.Validate(); err != nil {
				return nil, e.wrong(fmt.Errorf("cell %v: %w", w.Address, err))
			}
			i, again := seen[w.Address]
			if !again {
				seen[w.Address] = len(p.Cells)
				p.Cells = append(p.Cells, w)
				continue
			}
			first := &p.Cells[i]
			if first.Options != w.Options {
				return nil, e.wrong(fmt.Errorf("cell %v is there already with other options, %s: want another name, seed or load for one of them", w.Address, optionDifferences(first.Options, w.Options)))
			}
			first.Trials = max(first.Trials, w.Trials)
		}
		for _, o := range ownOptions {
			if e.given[o.key] && !used[o.key] {
				return nil, e.wrong(fmt.Errorf("no cell uses %s: want it with %s", o.key, o.wanted))
			}
		}
	}
	return p, nil
}

// drafts lists every combination of the axes, the last axis fastest.
func (e *experiment) drafts(yield func(draft) bool) {
	at := make([]int, len(e.axes))
	for {
		d := e.base
		for i, a := range e.axes {
			a.steps[at[i]](&d)
		}
		if !yield(d) {
			return
		}
		i := len(e.axes) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < len(e.axes[i].steps) {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// resolver turns drafts into cells.
type resolver struct {
	spectra  *quartercircle.Spectra
	critical map[[2]float64]float64 // p_c by N_eff and n, n = 0 for p
}

func (r *resolver) resolve(d draft) (Work, error) {
	w := Work{d.cell, d.trials}
	s := &w.Spec
	full := w.smaller()
	switch {
	case d.rank > 0:
		w.Rank = d.rank
	case d.kappa > 0:
		w.Rank = measure.RankAt(d.kappa, full)
	default:
		w.Rank = full
	}
	weights, err := r.spectra.EffectiveDimension(s.DOut, s.DIn, w.Rank)
	if err != nil {
		return w, err
	}
	if s.P = d.p; d.p == 0 && d.alpha > 0 {
		s.P = measure.FactsAtAlpha(d.alpha, s.DIn, s.DOut)
	} else if d.p == 0 {
		critical, err := r.criticalFacts(weights.Value, d.n)
		if err != nil {
			return w, err
		}
		s.P = measure.FactsAt(d.load, critical)
	}
	if s.N = d.n; d.n == 0 {
		s.N = s.P
	}
	// A function of the address, whether n = p was said or not.
	if d.n == s.P {
		d.n = 0
	}
	w.Critical, err = r.criticalFacts(weights.Value, d.n)
	return w, err
}

// criticalFacts returns p_c among n candidates, 0 meaning n = p.
func (r *resolver) criticalFacts(weights float64, n int) (float64, error) {
	key := [2]float64{weights, float64(n)}
	if c, ok := r.critical[key]; ok {
		return c, nil
	}
	solve := func() (saddle.Critical, error) { return saddle.CriticalFacts(weights) }
	if n > 0 {
		solve = func() (saddle.Critical, error) { return saddle.CriticalFactsAmong(weights, float64(n)) }
	}
	c, err := solve()
	if err != nil {
		return 0, err
	}
	r.critical[key] = c.Facts
	return c.Facts, nil
}
