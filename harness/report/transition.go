package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/predict"
	"lamcap/harness/stats"
	"lamcap/harness/sweep"
	"lamcap/harness/trial"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// transition is what the storage cells of one memory at several loads show.
type transition struct {
	ensemble     // of the first cell; its P is that of none
	fixed    int // n, 0 for n = p
	facts    []int
	outcomes []stats.Outcomes

	weights  quartercircle.Estimate // N_eff
	critical saddle.Critical
	storable *saddle.Transition // of its d_out
	memory   predict.Memory

	half      halfPoint
	predicted []prediction // at each load
	// theoryHalf is where the exact P(storable) of DP crosses 1/2, and fittedHalf the half-point
	// that the fit finds in the predicted probabilities at these loads.
	theoryHalf extremes.Value
	fittedHalf float64
}

// prediction is a probability with its absolute error.
type prediction struct{ value, err float64 }

// halfPoint is where half of the instances are stored, whatever the undecided ones are.
type halfPoint struct {
	stats.HalfPoint // of the decided ones at full rank, of what was found below
	// found takes undecided instances for not stored, possible for stored.
	found, possible   stats.HalfPoint
	foundAt, possibly stats.Transition
}

// transitions groups the storage cells of rules that decide: Hebb's rule has no say in whether
// another W exists.
func (b *builder) transitions(cells []*cell) []*transition {
	type key struct {
		ensemble
		fixed int
	}
	of := map[key]*transition{}
	var out []*transition
	for _, c := range cells { // by p within an ensemble
		if c.measure != sweep.Storage || c.rule == learn.Hebb {
			continue
		}
		k := key{ensemble: c.ensemble}
		if c.spec.N != c.spec.P {
			k.fixed = c.spec.N
		}
		k.spec.P, k.spec.N = 0, 0
		t := of[k]
		if t == nil {
			t = &transition{ensemble: k.ensemble, fixed: k.fixed}
			of[k], out = t, append(out, t)
		}
		o := stats.Outcomes{Trials: len(c.records)}
		for _, r := range c.records {
			switch r.Result.Outcome {
			case trial.Stored:
				o.Stored++
			case trial.Undecided:
				o.Undecided++
			}
		}
		t.facts, t.outcomes = append(t.facts, c.spec.P), append(t.outcomes, o)
	}
	slices.SortStableFunc(out, func(a, b *transition) int {
		return cmp.Or(compareEnsembles(a.ensemble, b.ensemble), cmp.Compare(a.fixed, b.fixed))
	})
	for _, t := range out {
		t.predict(b)
		t.fit(b.o.Confidence)
	}
	return out
}

// name labels the transition, without what is as usual.
func (t *transition) name() string {
	s := fmt.Sprintf("%s %v", upper(t.spec.Model), t.shape())
	if t.fixed > 0 {
		s += fmt.Sprintf(", n = %d", t.fixed)
	}
	if e := embeddings(t.spec); e != "" {
		s += ", " + e
	}
	return s
}

// exact reports whether P(storable) is the exact one of the ensemble: keys of another length
// change no constraint, values do.
func (t *transition) exact() bool {
	return t.spec.Model == pattern.DP && t.spec.Values == pattern.Gaussian
}

func (t *transition) candidates(p float64) float64 {
	if t.fixed > 0 {
		return float64(t.fixed)
	}
	return p
}

// predict adds the theory, NaN where it cannot be computed.
func (t *transition) predict(b *builder) {
	t.memory = predict.Memory{In: t.spec.DIn, Out: t.spec.DOut, Rank: t.rank}
	t.storable = b.storable
	nan := math.NaN()
	t.theoryHalf, t.critical = unknown(), saddle.Critical{Facts: nan, Error: nan}
	t.predicted = slices.Repeat([]prediction{{nan, nan}}, len(t.facts))
	var err error
	if t.weights, err = b.spectra.EffectiveDimension(t.spec.DOut, t.spec.DIn, t.rank); err != nil {
		t.weights = quartercircle.Estimate{Value: nan, StandardError: nan, Bound: nan}
		b.lacks("capacity", "N_eff of "+t.name(), err)
		return
	}
	if critical, err := t.criticalOf(t.weights.Value); err != nil {
		b.lacks("capacity", "p_c of "+t.name(), err)
	} else {
		t.critical = critical
	}
	for i, p := range t.facts {
		if t.predicted[i], err = t.probability(p); err != nil {
			b.lacks("stored_fraction", fmt.Sprintf("P(storable) of %s at p = %d", t.name(), p), err)
		}
	}
	q, err := t.quantile(0.5)
	if err != nil {
		b.lacks("capacity", "p_½ of DP for "+t.name(), err)
		return
	}
	spread := 2*t.weights.StandardError + t.weights.Bound
	t.theoryHalf = extremes.Value{Value: q.Value, Error: q.Error + q.Value*spread/t.weights.Value, Status: q.Status}
}

// curveAt are the predicted probabilities; nil where one is not known.
func (t *transition) curveAt() []float64 {
	var curve []float64
	for _, p := range t.predicted {
		if math.IsNaN(p.value) {
			return nil
		}
		curve = append(curve, p.value)
	}
	return curve
}

func (t *transition) criticalOf(weights float64) (saddle.Critical, error) {
	if t.fixed > 0 {
		return saddle.CriticalFactsAmong(weights, float64(t.fixed))
	}
	return saddle.CriticalFacts(weights)
}

// quantile is the number of facts that DP stores with a probability.
func (t *transition) quantile(probability float64) (saddle.Quantile, error) {
	d := t.storable.Decoupled(t.spec.DOut)
	if t.fixed > 0 {
		return d.FactsAmong(t.weights.Value, float64(t.fixed), probability)
	}
	return d.Facts(t.weights.Value, probability)
}

// probability is P(storable) of DP at p facts.
func (t *transition) probability(p int) (prediction, error) {
	n := t.candidates(float64(p))
	if n < 2 {
		return prediction{1, 0}, nil // no competitor
	}
	v, err, failed := predict.Storable(t.storable, t.memory, t.weights, float64(p), n)
	if failed != nil {
		return prediction{math.NaN(), math.NaN()}, failed
	}
	return prediction{v.Value, err}, nil
}

// counts are the instances at each load by one reading of the undecided ones.
func (t *transition) counts(read func(o stats.Outcomes) (stored, trials int)) stats.Transition {
	var out stats.Transition
	for i, p := range t.facts {
		stored, trials := read(t.outcomes[i])
		out.Loads = append(out.Loads, float64(p))
		out.Stored = append(out.Stored, stored)
		out.Trials = append(out.Trials, trials)
	}
	return out
}

func (t *transition) decided() stats.Transition {
	return t.counts(func(o stats.Outcomes) (int, int) { return o.Stored, o.Trials - o.Undecided })
}

func (t *transition) undecided() int {
	sum := 0
	for _, o := range t.outcomes {
		sum += o.Undecided
	}
	return sum
}

func (t *transition) trials() int {
	sum := 0
	for _, o := range t.outcomes {
		sum += o.Trials
	}
	return sum
}

// fit finds the half-point. Where some instances are undecided it is fitted to both extreme
// readings of them, and the interval spans both.
func (t *transition) fit(level float64) {
	h := &t.half
	h.foundAt = t.counts(func(o stats.Outcomes) (int, int) { return o.Stored, o.Trials })
	h.possibly = t.counts(func(o stats.Outcomes) (int, int) { return o.Stored + o.Undecided, o.Trials })
	h.found = h.foundAt.Fit(level)
	h.possible, h.HalfPoint = h.found, h.found
	if t.undecided() > 0 {
		h.possible = h.possibly.Fit(level)
		if t.shape().full() {
			h.HalfPoint = t.decided().Fit(level)
		}
		h.Interval = stats.Interval{
			Lo: min(h.Interval.Lo, h.found.Interval.Lo, h.possible.Interval.Lo),
			Hi: max(h.Interval.Hi, h.found.Interval.Hi, h.possible.Interval.Hi),
		}
	}
	if h.Separated && !t.brackets(h.X) {
		h.X = math.NaN() // the fit ends at a load that may lie far from the half-point
	}
	t.fittedHalf = math.NaN()
	if curve := t.curveAt(); curve != nil {
		t.fittedHalf = stats.PredictedHalfPoint(h.foundAt.Loads, h.foundAt.Trials, curve)
	}
}

// brackets reports whether some load up to x has half of its instances stored, and some load from
// x on at most half, by the counts of the half-point.
func (t *transition) brackets(x float64) bool {
	counts := t.half.foundAt
	if t.shape().full() {
		counts = t.decided()
	}
	before, after := false, false
	for i, p := range counts.Loads {
		stored, trials := counts.Stored[i], counts.Trials[i]
		before = before || trials > 0 && p <= x && 2*stored >= trials
		after = after || trials > 0 && p >= x && 2*stored <= trials
	}
	return before && after
}

// measured reports whether there is a half-point.
func (h *halfPoint) measured() bool { return h.Status.OK() && !math.IsNaN(h.X) }

// test is that of a predicted half-point, by the reading that is least favourable to a
// rejection.
func (h *halfPoint) test(half float64) (z, p float64) {
	if math.IsNaN(half) || !h.measured() {
		return math.NaN(), math.NaN()
	}
	if z := h.foundAt.Z(half); !(z < 0) { // stored more than predicted, whatever the others are
		return z, h.foundAt.PValue(half)
	}
	if z := h.possibly.Z(half); !(z > 0) {
		return z, h.possibly.PValue(half)
	}
	return 0, 1
}

// limit is [shape.limit]; NaN where n is not p, whose load α is not.
func (t *transition) limit() float64 {
	if t.fixed > 0 {
		return math.NaN()
	}
	return t.shape().limit()
}

// load is α = p log p/(d_in d_out) of a real p, 0 below 1.
func (s shape) load(p float64) float64 {
	if p <= 1 {
		return 0
	}
	return p * math.Log(p) / (float64(s.dIn) * float64(s.dOut))
}

// loads are those of an interval of p: an end that is open stays open.
func (s shape) loads(i stats.Interval) stats.Interval {
	if math.IsNaN(i.Lo) {
		return i
	}
	return stats.Interval{Lo: s.load(i.Lo), Hi: s.load(i.Hi)}
}

// original is the half-point of OP by theory, where it has one; its error is an estimate.
func (t *transition) original() extremes.Value {
	if t.spec.Model != pattern.OP || t.fixed > 0 || !t.shape().full() || t.spec.Values != pattern.Gaussian {
		return unknown()
	}
	theory, err := saddle.OriginalFacts(t.spec.DIn, t.spec.DOut)
	if err != nil || !theory.Facts.Status.OK() {
		return unknown() // outside its range
	}
	return theory.Facts
}

// half of the theory of the transition's own problem: of OP where it has one, of DP otherwise.
func (t *transition) halfTheory() (value extremes.Value, of string) {
	if t.spec.Model == pattern.OP {
		if v := t.original(); !math.IsNaN(v.Value) {
			return v, "op"
		}
	}
	return t.theoryHalf, "dp"
}

// testHalf tests the half-point against the theory of its problem; NaN where that is not
// claimed to hold at this size: below full rank the half-point of what was found depends on how well
// was searched, and loads are tested one by one.
func (t *transition) testHalf() (z, p float64) {
	switch {
	case !t.shape().full():
	case t.exact():
		half := t.fittedHalf
		if math.IsNaN(half) { // the loads do not bracket the predicted curve
			half = t.theoryHalf.Value
		}
		return t.half.test(half)
	case t.spec.Model == pattern.OP:
		v := t.original()
		if math.IsNaN(v.Value) || !t.half.measured() {
			return math.NaN(), math.NaN()
		}
		// Of the range that the theory claims, the value next to what was measured.
		return t.half.test(min(max(t.half.X, v.Value-v.Error), v.Value+v.Error))
	}
	return math.NaN(), math.NaN()
}
