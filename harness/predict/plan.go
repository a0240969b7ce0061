package predict

import (
	"fmt"
	"math"
	"sort"

	"lamcap/extremes"
	"lamcap/harness/table"
	"lamcap/internal/root"
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
func (q *PlanQuery) size(p float64) (float64, error) { return candidates(p, q.Candidates) }

// bitsPerWeight is the information in p facts, log2 n each, per stored number.
func bitsPerWeight(p, n, parameters float64) float64 { return p * math.Log2(n) / parameters }

// PlanMemory returns a table with a row for each number of facts and rank
// fraction: the smallest square memory that stores them all with the wanted
// probability, and beside it the d of the limit p log n/d² = I(κ)/2.
func PlanMemory(facts []float64, q PlanQuery) (*table.Table, error) {
	if len(facts) == 0 || len(q.Kappas) == 0 {
		return nil, fmt.Errorf("want at least one number of facts and one kappa, got %d and %d", len(facts), len(q.Kappas))
	}
	if err := q.prepare(); err != nil {
		return nil, err
	}
	t := &table.Table{Name: "plan", Columns: []table.Column{
		{Key: "facts"},
		{Key: "n", Hidden: q.Candidates == 0},
		{Key: "kappa", Head: "κ"},
		{Key: "d"},
		{Key: "rank", Head: "m"},
		{Key: "n_eff", Head: "N_eff", Digits: 8},
		{Key: "n_needed", Head: "N needed", Digits: 8},
		{Key: "weights"},
		{Key: "bits_per_weight", Head: "bits/weight", Digits: 4},
		{Key: "probability", Head: "P(storable)", Digits: 6},
		{Key: "d_limit", Head: "d of the limit", Digits: 5},
	}}
	low := false
	transition, spectra := saddle.NewTransition(), quartercircle.NewSpectra()
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
			enough := func(m Memory, weights quartercircle.Estimate) (bool, error) {
				safe := weights.Value - spread(weights)
				if safe < needed.Whole || float64(m.Out) >= n-1 {
					return safe >= needed.Whole, nil
				}
				// In few dimensions targets may lie inside the hulls of competitors.
				v, err := transition.Decoupled(m.Out).Probability(safe, p, n)
				return v.Value >= q.Reliability, err
			}
			m, weights, err := smallest(spectra, needed.Whole, kappa, enough)
			if err != nil {
				return nil, err
			}
			low = low || !m.full()
			probability, _, err := storable(transition, m, weights, p, n)
			if err != nil {
				return nil, err
			}
			limit, err := quartercircle.Capacity(kappa)
			if err != nil {
				return nil, err
			}
			t.Append(p, n, kappa, m.In, m.rank(), weights.Value, needed.Whole, m.parameters(),
				bitsPerWeight(p, n, m.parameters()), probability.Value, math.Sqrt(p*math.Log(n)/limit))
		}
	}
	t.Notes = planNotes(q, low)
	return t, nil
}

// smallest returns the smallest square memory of rank κd that is enough, which
// is one of about as many effective weights as needed.
func smallest(s *quartercircle.Spectra, needed, kappa float64, enough func(Memory, quartercircle.Estimate) (bool, error)) (Memory, quartercircle.Estimate, error) {
	moment, err := quartercircle.TruncatedSecondMoment(kappa)
	if err != nil {
		return Memory{}, quartercircle.Estimate{}, err
	}
	if needed > moment*maxDimension*maxDimension {
		return Memory{}, quartercircle.Estimate{}, fmt.Errorf("%.4g weights are needed: want what fits d ≤ %d, fewer facts", needed, maxDimension)
	}
	at := func(d int) bool {
		m := Memory{In: d, Out: d}.atFraction(kappa)
		n, e := m.effective(s)
		if e == nil {
			var yes bool
			if yes, e = enough(m, n); e == nil {
				return yes
			}
		}
		err = e
		return true
	}
	// About d² I(κ) weights, up to finite d, the rounding of κd and hulls.
	guess := int(math.Sqrt(needed / moment))
	lo, step := max(1, guess), max(1, guess/64)
	for lo > 1 && at(lo) && err == nil {
		lo = max(1, lo-step)
		step *= 2
	}
	hi := lo
	for step = max(1, guess/64); !at(hi); step *= 2 {
		lo, hi = hi, hi+step
	}
	hi = lo + sort.Search(hi-lo, func(i int) bool { return at(lo + i) })
	// The rounding of κd makes N_eff uneven in d: look a period back, one by one.
	for d := hi - 1; d >= max(1, hi-int(math.Ceil(1/kappa))-1); d-- {
		if at(d) {
			hi = d
		}
	}
	if err != nil {
		return Memory{}, quartercircle.Estimate{}, err
	}
	m := Memory{In: hi, Out: hi}.atFraction(kappa)
	n, err := m.effective(s)
	return m, n, err
}

// PlanFacts returns a table with a row for each memory: how many facts it
// stores with the wanted probability, and what the limit p log n = N_eff/2 says.
// A memory without a rank gets a row for each rank fraction.
func PlanFacts(memories []Memory, q PlanQuery) (*table.Table, error) {
	if len(memories) == 0 {
		return nil, fmt.Errorf("want at least one memory")
	}
	if err := q.prepare(); err != nil {
		return nil, err
	}
	t := &table.Table{Name: "plan", Columns: []table.Column{
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "rank", Head: "m"},
		{Key: "n_eff", Head: "N_eff", Digits: 8},
		{Key: "n", Hidden: q.Candidates == 0},
		{Key: "facts"},
		{Key: "p_c", Digits: 8},
		{Key: "weights"},
		{Key: "bits_per_weight", Head: "bits/weight", Digits: 4},
		{Key: "facts_limit", Head: "facts of the limit", Digits: 6},
		{Key: "ratio", Head: "facts/limit", Digits: 4},
	}}
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
			all = append(all, m.atFraction(kappa))
		}
	}
	low := false
	transition, spectra := saddle.NewTransition(), quartercircle.NewSpectra()
	for _, m := range all {
		weights, err := m.effective(spectra)
		if err != nil {
			return nil, err
		}
		low = low || !m.full()
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
		limit, err := limitFacts(weights.Value, q.Candidates)
		if err != nil {
			return nil, err
		}
		t.Append(m.In, m.Out, m.rank(), weights.Value, n, facts.Whole, critical.Facts, m.parameters(),
			bitsPerWeight(facts.Whole, n, m.parameters()), limit, facts.Whole/limit)
	}
	t.Notes = planNotes(q, low)
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

func planNotes(q PlanQuery, low bool) []string {
	notes := []string{
		fmt.Sprintf("All facts stored with probability ≥ %v, Gaussian keys and values; weights: numbers stored, d_in d_out or m (d_in + d_out).", q.Reliability),
		"The limit: p log n = N_eff/2 (p log p/d² = 1/2 at full rank), reached at no size in use.",
	}
	if q.Candidates == 0 {
		notes = append(notes, "n = p: every stored output competes. Each input with a pool of its own (DP); one shared pool (OP) stores a few percent more at small d.")
	}
	if low {
		notes = append(notes, "Below full rank a prediction, which the best W reaches: training finds less when it falls short of it.")
	}
	return notes
}
