package predict

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"lamcap/extremes"
	"lamcap/harness/table"
	"lamcap/internal/root"
	"lamcap/internal/status"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// DefaultReliability is the probability with which a planned memory is to store
// all its facts.
const DefaultReliability = 0.99

// PlanQuery says what to plan with.
type PlanQuery struct {
	Kappas      []float64 // rank fractions κ ∈ (0, 1], relative to min(d_in, d_out)
	Reliability float64   // P(storable) wanted, in (0, 1); 0 means DefaultReliability
	Candidates  float64   // n; 0 means as many as facts
}

func (q *PlanQuery) prepare() error {
	if q.Reliability == 0 {
		q.Reliability = DefaultReliability
	}
	if !(q.Reliability > 0 && q.Reliability < 1) {
		return fmt.Errorf("probability = %v: want 0 < probability < 1", q.Reliability)
	}
	for _, kappa := range q.Kappas {
		if !(kappa > 0 && kappa <= 1) {
			return fmt.Errorf("kappa = %v: want 0 < kappa ≤ 1", kappa)
		}
	}
	return nil
}

// size is n for p facts.
func (q *PlanQuery) size(p float64) (float64, error) {
	n, err := candidates(p, q.Candidates)
	if err != nil {
		return n, fmt.Errorf("facts = %v: with as many candidates as facts want facts ≥ 2; else give the number of candidates n", p)
	}
	return n, nil
}

// bitsPerWeight is the information in p facts, log2 n each, per stored number.
func bitsPerWeight(p, n, parameters float64) float64 { return p * math.Log2(n) / parameters }

// PlanMemory returns a table with a row for each number of facts and rank
// fraction: the smallest square memory that stores them all with the wanted
// probability in DP, and beside it the d of the limit p log n/d² = I(κ)/2.
func PlanMemory(facts []float64, q PlanQuery) (*table.Table, error) {
	if len(facts) == 0 || len(q.Kappas) == 0 {
		return nil, fmt.Errorf("want at least one number of facts and one kappa, got %d and %d", len(facts), len(q.Kappas))
	}
	if err := q.prepare(); err != nil {
		return nil, err
	}
	t := &table.Table{Name: "plan", Columns: append([]table.Column{
		{Key: "facts"},
		{Key: "n", Hidden: q.Candidates == 0},
		{Key: "kappa", Head: "κ"},
		{Key: "d"},
		{Key: "rank", Head: "m"},
		{Key: "n_eff", Head: "N_eff", Digits: 8},
		{Key: "n_eff_error", Head: "± (N_eff)", Digits: 2, Hidden: true},
		{Key: "n_needed", Head: "N needed", Digits: 8},
		{Key: "weights"},
		{Key: "bits_per_weight", Head: "bits/weight", Digits: 4},
		{Key: "hull_probability", Head: "π", Digits: 3, Hidden: true},
		{Key: "probability", Head: "P(storable)", Digits: 6},
		{Key: "probability_error", Head: "± (P)", Digits: 2, Hidden: true},
		{Key: "d_limit", Head: "d by the limit", Digits: 5},
	}, q.recordColumns()...)}
	transition, spectra := saddle.NewTransition(), quartercircle.NewSpectra()
	c := caveats{transition: transition}
	for _, p := range facts {
		n, err := q.size(p)
		if err != nil {
			return nil, err
		}
		needed, err := transition.Weights(p, n, q.Reliability)
		if err != nil {
			return nil, err
		}
		for _, kappa := range q.Kappas {
			m, weights, err := q.smallest(transition, spectra, p, n, needed.Value, kappa)
			if err != nil {
				return nil, err
			}
			hull, err := c.see(m, p, n)
			if err != nil {
				return nil, err
			}
			probability, absolute, err := Storable(transition, m, weights, p, n)
			if err != nil {
				return nil, err
			}
			limit, err := quartercircle.Capacity(kappa)
			if err != nil {
				return nil, err
			}
			t.Append(append([]any{p, n, kappa, m.In, m.rank(), weights.Value, spread(weights), needed.Whole, m.parameters(),
				bitsPerWeight(p, n, m.parameters()), hull, probability.Value, absolute, math.Sqrt(p * math.Log(n) / limit)}, q.record(probability.Status)...)...)
		}
	}
	show(t, "hull_probability", c.hulls)
	t.Notes = q.notes(&c, "Only P holds (1 − π)^p.")
	return t, nil
}

// recordColumns are what every record says of the question it answers.
func (q *PlanQuery) recordColumns() []table.Column {
	return []table.Column{
		{Key: "status", Hidden: true},
		{Key: "reliability", Hidden: true},
		{Key: "model", Hidden: true},
		{Key: "embedding", Hidden: true},
		{Key: "criterion", Hidden: true},
	}
}

func (q *PlanQuery) record(s status.Status) []any {
	return []any{s, q.Reliability, "dp", "gaussian", "all"}
}

// smallest returns the smallest square memory of rank κd that stores p facts
// with the wanted probability, N_eff taken at the lower end of its uncertainty.
// Without hulls that takes as many effective weights as needed.
func (q *PlanQuery) smallest(t *saddle.Transition, s *quartercircle.Spectra, p, n, needed, kappa float64) (Memory, quartercircle.Estimate, error) {
	none := quartercircle.Estimate{Value: math.NaN()}
	moment, err := quartercircle.TruncatedSecondMoment(kappa)
	if err != nil {
		return Memory{}, none, err
	}
	if needed > moment*maxDimension*maxDimension {
		return Memory{}, none, fmt.Errorf("facts = %v, kappa = %v: %.4g effective weights are needed, d ≤ %d have %.4g: want fewer facts or a larger kappa",
			p, kappa, needed, maxDimension, moment*maxDimension*maxDimension)
	}
	guess := max(1, int(math.Sqrt(needed/moment)))
	square := func(d int) Memory { return Memory{In: d, Out: d}.atFraction(kappa) }
	// N_eff is d² I(m/d) up to a factor that hardly depends on d. Where that is
	// clear of what is needed no spectra are sampled.
	start, err := square(guess).effective(s)
	if err != nil {
		return Memory{}, none, err
	}
	limit := func(d int) float64 {
		i, _ := quartercircle.TruncatedSecondMoment(float64(square(d).rank()) / float64(d))
		return float64(d) * float64(d) * i
	}
	factor := start.Value / limit(guess)
	enough := func(d int) bool {
		m := square(d)
		hulls := float64(m.Out) < n-1
		const clear = 0.02
		near := factor * limit(d) / needed
		if near < 1-clear || near > 1+clear && !hulls {
			return near > 1
		}
		w, e := m.effective(s)
		safe := w.Value - spread(w)
		yes := safe >= needed
		if e == nil && yes && hulls {
			// In few dimensions targets may lie inside the hulls of competitors.
			var v saddle.Probability
			v, e = t.Decoupled(m.Out).Probability(safe, p, n)
			yes = v.Value >= q.Reliability
		}
		if e != nil {
			err = e
			return true
		}
		return yes
	}
	lo, step := guess, max(1, guess/64)
	for lo > 1 && enough(lo) && err == nil {
		lo = max(1, lo-step)
		step *= 2
	}
	hi := lo
	for step = max(1, guess/64); !enough(hi); step *= 2 {
		lo, hi = hi, hi+step
	}
	// m does not fall with d, nor does N_eff or P.
	hi = lo + sort.Search(hi-lo, func(i int) bool { return enough(lo + i) })
	if err != nil {
		return Memory{}, none, err
	}
	w, err := square(hi).effective(s)
	return square(hi), w, err
}

// PlanFacts returns a table with a row for each memory: how many facts it
// stores with the wanted probability in DP, and what the limit p log n = N_eff/2
// says. A memory without a rank gets a row for each rank fraction.
func PlanFacts(memories []Memory, q PlanQuery) (*table.Table, error) {
	if len(memories) == 0 {
		return nil, fmt.Errorf("want at least one memory")
	}
	if err := q.prepare(); err != nil {
		return nil, err
	}
	t := &table.Table{Name: "plan", Columns: append([]table.Column{
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "rank", Head: "m"},
		{Key: "n_eff", Head: "N_eff", Digits: 8},
		{Key: "n_eff_error", Head: "± (N_eff)", Digits: 2, Hidden: true},
		{Key: "n", Hidden: q.Candidates == 0},
		{Key: "facts"},
		{Key: "facts_error", Head: "± (facts)", Digits: 2, Hidden: true},
		{Key: "p_c", Digits: 8},
		{Key: "p_c_error", Head: "± (p_c)", Digits: 2, Hidden: true},
		{Key: "weights"},
		{Key: "bits_per_weight", Head: "bits/weight", Digits: 4},
		{Key: "hull_probability", Head: "π", Digits: 3, Hidden: true},
		{Key: "facts_limit", Head: "facts by the limit", Digits: 6},
		{Key: "ratio", Head: "facts/limit", Digits: 4},
	}, q.recordColumns()...)}
	var all []Memory
	for _, m := range memories {
		if err := m.check(); err != nil {
			return nil, err
		}
		if m.Rank > 0 || len(q.Kappas) == 0 {
			all = append(all, m)
			continue
		}
		for _, kappa := range q.Kappas {
			if at := m.atFraction(kappa); !slices.Contains(all, at) { // κ may round to one rank
				all = append(all, at)
			}
		}
	}
	transition, spectra := saddle.NewTransition(), quartercircle.NewSpectra()
	c := caveats{transition: transition}
	uncertain := false
	for _, m := range all {
		weights, err := m.effective(spectra)
		if err != nil {
			return nil, err
		}
		critical, err := criticalFacts(weights.Value, q.Candidates)
		if err != nil {
			return nil, err
		}
		// Less the uncertainty of N_eff, so that what is promised holds.
		facts, err := factsStored(transition, m, weights.Value-spread(weights), q.Candidates, q.Reliability)
		if err != nil {
			return nil, err
		}
		n := q.Candidates
		if n == 0 {
			n = facts.Whole
		}
		uncertain = uncertain || facts.Error >= 1
		hull, err := c.see(m, facts.Whole, math.Max(2, n))
		if err != nil {
			return nil, err
		}
		// One more may fail by hulls alone.
		if _, err := c.see(m, facts.Whole+1, math.Min(math.Max(2, n+1), extremes.MaxSize)); err != nil {
			return nil, err
		}
		limit, err := limitFacts(weights.Value, q.Candidates)
		if err != nil {
			return nil, err
		}
		t.Append(append([]any{m.In, m.Out, m.rank(), weights.Value, spread(weights), n, facts.Whole, facts.Error, critical.Facts, criticalError(critical, weights), m.parameters(),
			bitsPerWeight(facts.Whole, n, m.parameters()), hull, limit, facts.Whole / limit}, q.record(facts.Status)...)...)
	}
	show(t, "facts_error", uncertain)
	show(t, "hull_probability", c.hulls)
	show(t, "p_c_error", c.low)
	t.Notes = q.notes(&c, "Only facts hold (1 − π)^p.")
	return t, nil
}

// limitFacts solves p log n = N_eff/2, n = p unless it is fixed.
func limitFacts(weights, n float64) (float64, error) {
	if n != 0 {
		return weights / (2 * math.Log(n)), nil
	}
	// p log p = N/2 has one solution p > 1.
	hi := math.Log(extremes.MaxSize)
	f := root.Find(func(logP float64) float64 {
		return logP + math.Log(logP) - math.Log(weights/2)
	}, 1e-300, hi, root.Options{})
	if !f.Status.OK() {
		return math.NaN(), fmt.Errorf("weights = %v: p log p = weights/2 was not solved (%v)", weights, f.Status)
	}
	return math.Exp(f.X), nil
}

func (q *PlanQuery) notes(c *caveats, hulls string) []string {
	notes := []string{
		fmt.Sprintf("All facts stored with probability ≥ %v. Gaussian keys and values. weights: d_in d_out, or m (d_in + d_out) if fewer.", q.Reliability),
	}
	if q.Candidates == 0 {
		notes = append(notes, "As many candidates as facts, for each input its own (DP); if all share one pool (OP), a few percent more fit at small d.")
	} else {
		notes = append(notes, "An own pool of n candidates for each input (DP).")
	}
	notes = append(notes, "The limit d → ∞, p log n = N_eff/2 (p log p/d² = 1/2 at full rank), asks for more weights than any finite size needs.")
	return append(notes, c.notes(hulls)...)
}
