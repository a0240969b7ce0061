package report

import (
	"fmt"
	"math"
	"slices"

	"lamcap/harness/chart"
	"lamcap/harness/learn"
	"lamcap/harness/page"
	"lamcap/harness/pattern"
	"lamcap/harness/table"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// limit is the capacity α as d → ∞ of a transition's κ: I(κ)/2 for square memories, with
// Marchenko and Pastur's law otherwise.
func (s shape) limit() float64 {
	if s.square() {
		alpha, err := quartercircle.Capacity(s.kappa())
		if err != nil {
			return math.NaN()
		}
		return alpha
	}
	r, err := quartercircle.NewRectangular(float64(min(s.dIn, s.dOut)) / float64(max(s.dIn, s.dOut)))
	if err != nil {
		return math.NaN()
	}
	v, err := r.TruncatedSecondMoment(s.kappa())
	if err != nil {
		return math.NaN()
	}
	return v.Value / 2
}

// capacitySection is α_c(κ).
func (b *builder) capacitySection() (*page.Section, error) {
	if len(b.storage) == 0 {
		return nil, nil
	}
	t := b.capacityTable()
	s := &page.Section{
		ID: "capacity", Title: "Capacity against the rank, α_c(κ)",
		Text: []string{
			"The half-point p_½ is the load where half of the instances are stored, by a maximum-likelihood probit fit to the counts of all loads; α = p log p/(d_in d_out) and κ = m/min(d_in, d_out). Its interval inverts a likelihood-ratio test that is calibrated by bootstrap.",
			"Theory at finite size is p_c D_{p_c} = N_eff, with D_n the statistical dimension of the winner-take-all cone and N_eff the mean of Σ_{i ≤ m} σ_i² over Gaussian matrices; the limit is α_c(κ) = I(κ)/2, I the second moment of the top fraction κ of the quarter circle.",
		},
		Tables: []*table.Table{t},
	}
	if slices.ContainsFunc(b.storage, func(t *transition) bool { return !t.shape().full() }) {
		s.Text = append(s.Text, "Below full rank a failed search proves nothing: an instance that was not found to be stored is undecided unless no W of any rank can store it. The points are half-points of what was found, which bound the capacity from below, and intervals hold whatever the undecided instances are: most are open above. N_eff/D is an upper bound as d → ∞ (Gordon), and the replica-symmetric prediction.")
	}
	f, err := b.capacityFigure()
	if err != nil {
		return nil, err
	}
	if f != nil {
		s.Figures = append(s.Figures, *f)
	}
	return s, nil
}

func (b *builder) intervalHead() string { return fmt.Sprintf("%v%% interval", 100*b.o.Confidence) }

// sizeColumns say which memories a row is of; what is as usual in all rows is hidden from people.
func sizeColumns(all []ensemble, fixed bool) []table.Column {
	some := func(f func(e ensemble) bool) bool { return slices.ContainsFunc(all, f) }
	square := !some(func(e ensemble) bool { return !e.shape().square() })
	full := !some(func(e ensemble) bool { return !e.shape().full() })
	d := "d"
	if !square {
		d = "d_out"
	}
	alike := !some(func(e ensemble) bool { return e.spec.Keys != e.spec.Values })
	values := "values"
	if alike {
		values = "embedding"
	}
	return []table.Column{
		{Key: "model"},
		{Key: "rule", Hidden: !several(all, func(e ensemble) learn.Rule { return e.rule })},
		{Key: "d_in", Hidden: square}, {Key: "d_out", Head: d},
		{Key: "rank", Hidden: true}, {Key: "kappa", Head: "κ", Digits: 3, Hidden: full},
		{Key: "n", Hidden: !fixed},
		{Key: "keys_embedding", Head: "keys", Hidden: alike || !some(func(e ensemble) bool { return e.spec.Keys != pattern.Gaussian })},
		{Key: "values_embedding", Head: values, Hidden: !some(func(e ensemble) bool { return e.spec.Values != pattern.Gaussian })},
	}
}

// size are the cells of sizeColumns; n of 0 is as many as facts.
func (e ensemble) size(n int) []any {
	var candidates any
	if n > 0 {
		candidates = n
	}
	return []any{e.spec.Model, e.rule, e.spec.DIn, e.spec.DOut, e.rank, e.shape().kappa(), candidates, e.spec.Keys, e.spec.Values}
}

func ensembles(ts []*transition) (all []ensemble, fixed bool) {
	for _, t := range ts {
		all, fixed = append(all, t.ensemble), fixed || t.fixed > 0
	}
	return all, fixed
}

func (b *builder) capacityTable() *table.Table {
	all, fixed := ensembles(b.storage)
	undecided := 0
	for _, x := range b.storage {
		undecided += x.undecided()
	}
	t := &table.Table{
		Name: "capacity", Title: "The load where half of the instances are stored, and theory",
		Columns: append(sizeColumns(all, fixed),
			table.Column{Key: "loads"}, table.Column{Key: "trials"}, table.Column{Key: "undecided", Hidden: undecided == 0},
			table.Column{Key: "p_half", Head: "p_½", Digits: 5}, table.Column{Key: "p_half_interval", Head: b.intervalHead(), Digits: 5},
			table.Column{Key: "found_interval", Head: "of what was found", Digits: 5},
			table.Column{Key: "p_c", Digits: 5}, table.Column{Key: "p_c_error", Head: "± p_c", Digits: 1, Hidden: true},
			table.Column{Key: "n_eff", Head: "N_eff", Digits: 6, Hidden: true}, table.Column{Key: "n_eff_error", Hidden: true},
			table.Column{Key: "ratio", Head: "p_½/p_c", Digits: 4},
			table.Column{Key: "alpha_half", Head: "α_½", Digits: 4}, table.Column{Key: "alpha_half_interval", Head: b.intervalHead(), Digits: 4},
			table.Column{Key: "alpha_c", Head: "α_c", Digits: 4}, table.Column{Key: "alpha_limit", Head: "limit I/2", Digits: 4},
			table.Column{Key: "theory_half", Head: "theory p_½", Digits: 5}, table.Column{Key: "theory_half_error", Head: "±", Digits: 1}, table.Column{Key: "theory_of", Head: "of"},
			table.Column{Key: "z", Digits: 2, Verb: 'f'}, table.Column{Key: "p_value", Head: "p-value", Digits: 2}, table.Column{Key: "verdict"},
		),
		Notes: []string{
			"theory p_½: where P(storable) crosses 1/2, of DP exact for Gaussian embeddings at full rank; of OP at full rank resummed in d_out/p, ± what that leaves out by estimate, and the test is of the value in that range next to what was measured; of OP elsewhere that of DP.",
			"p-value of DP: of the half-point that the same fit has for the predicted probabilities. -: no half-point, or no theory that is claimed to hold at this size. Below full rank half-points are of what searches found, and not tested: fractions at each load are.",
		},
	}
	for _, x := range b.storage {
		h, s := x.half, x.shape()
		ratio := h.X / x.critical.Facts
		theory, of := x.halfTheory()
		z, p := x.testHalf()
		found := none()
		if x.undecided() > 0 {
			found = h.found.Interval
		}
		spread := 2*x.weights.StandardError + x.weights.Bound
		t.Append(append(x.size(x.fixed), len(x.facts), x.trials(), x.undecided(),
			number(h.X), interval(h.Interval), interval(found),
			number(x.critical.Facts), number(x.critical.Error+x.critical.Facts*spread/x.weights.Value), number(x.weights.Value), number(spread),
			number(ratio), number(s.load(h.X)), interval(s.loads(h.Interval)), number(s.load(x.critical.Facts)), number(x.limit()),
			number(theory.Value), number(theory.Error), of, number(z), number(p), nil)...)
		b.last(t, "verdict", p)
		if h.measured() {
			b.rejectLimit("capacity", x)
		}
	}
	return onPaper(t, "loads", "trials", "found_interval", "p_c", "ratio", "alpha_half_interval", "alpha_c", "theory_of", "z")
}

// rejectLimit puts the limit's capacity, at the true half-point's width, to the same counts; below
// full rank what was not found counts as not stored.
func (b *builder) rejectLimit(section string, x *transition) {
	s := x.shape()
	if !s.full() || x.fixed > 0 || math.IsNaN(s.limit()) {
		return
	}
	limit := factsAt(s.limit(), s)
	b.reject(section, x.half.foundAt.Rejects(fmt.Sprintf("the limit α_c = 1/2 for %s: p_½ = %.1f", x.name(), limit), limit))
}

// factsAt inverts [shape.load]: p ≥ 1.
func factsAt(alpha float64, s shape) float64 {
	target := alpha * float64(s.dIn) * float64(s.dOut)
	lo, hi := 1.0, 2+target
	for range 200 {
		middle := lo + (hi-lo)/2
		if middle <= lo || middle >= hi {
			break
		}
		if middle*math.Log(middle) < target {
			lo = middle
		} else {
			hi = middle
		}
	}
	return lo + (hi-lo)/2
}

// capacityFigure has a panel for each problem; nil where no square memory has a half-point.
func (b *builder) capacityFigure() (*chart.Figure, error) {
	var shown []*transition
	for _, t := range b.storage {
		if t.half.measured() && t.shape().square() && t.fixed == 0 {
			shown = append(shown, t)
		}
	}
	if len(shown) == 0 {
		return nil, nil
	}
	f := &chart.Figure{
		Name: "capacity", Title: "Capacity against the rank",
		Caption: "Loads where half of the instances are stored, with intervals, against the rank fraction; p_c of DP's theory at each d, exact at full rank, and the limit.",
	}
	names, parts := models(shown, func(t *transition) pattern.Model { return t.spec.Model })
	f.Columns = len(names)
	top := 0.5
	for i, part := range parts {
		panel := chart.Panel{
			Title: upper(names[i]),
			X:     chart.Axis{Label: "κ = m/d", Min: 0, Max: 1.04},
			Y:     chart.Axis{Label: "α = p log p/d²"},
		}
		limit := chart.Series{Name: "limit, I(κ)/2", Mark: chart.Dashed, Color: colorLimit}
		for k := range 101 {
			x := float64(k) / 100
			if x == 0 {
				limit.Points = append(limit.Points, chart.At(0, 0))
				continue
			}
			alpha, err := quartercircle.Capacity(x)
			if err != nil {
				return nil, err
			}
			limit.Points = append(limit.Points, chart.At(x, alpha))
		}
		panel.Series = append(panel.Series, limit)
		drawn := map[int]bool{}
		for _, t := range part {
			if d := t.spec.DOut; !drawn[d] {
				drawn[d] = true
				points, err := b.capacityCurve(d)
				if err != nil {
					b.lacks("capacity", fmt.Sprintf("the line of theory at d = %d", d), err)
					continue
				}
				for _, p := range points {
					top = max(top, p.Y)
				}
				mark, theory := theoryOf(names[i])
				panel.Series = append(panel.Series, chart.Series{Name: fmt.Sprintf("d = %d, %s", d, theory), Mark: mark, Color: b.color(t.shape()), Points: points})
			}
		}
		rules := several(part, func(t *transition) learn.Rule { return t.rule })
		for _, group := range grouped(part, func(t *transition) string {
			return label(fmt.Sprintf("d = %d", t.spec.DOut), onlyIf(rules, t.rule.String()), embeddings(t.spec))
		}) {
			points := chart.Series{Name: group.name + ", measured", Mark: chart.Points, Color: b.color(group.all[0].shape()), Glyph: glyph(names[i])}
			for _, t := range group.all {
				s := t.shape()
				i := s.loads(t.half.Interval)
				points.Points = append(points.Points, measured(s.kappa(), s.load(t.half.X), i))
				top = max(top, s.load(t.half.X))
				if s.full() && !math.IsInf(i.Hi, 1) {
					top = max(top, i.Hi)
				}
			}
			panel.Series = append(panel.Series, points)
		}
		f.Panels = append(f.Panels, panel)
	}
	for i := range f.Panels { // one range, for the eye; bars that end far above end in an arrow at the frame
		f.Panels[i].Y.Max = 1.12 * top
	}
	return f, nil
}

// capacityCurve is α_c of the theory at a d, at every rank or at 32 of them, with a smooth line
// through these.
func (b *builder) capacityCurve(d int) ([]chart.Point, error) {
	var kappa, alpha []float64
	const most = 32
	nodes := min(d, most)
	s := shape{d, d, d}
	for k := 1; k <= nodes; k++ {
		m := k * d / nodes
		n, err := b.spectra.EffectiveDimension(d, d, m)
		if err != nil {
			return nil, err
		}
		if n.Value < 2 { // less than p = 2 take
			continue
		}
		c, err := saddle.CriticalFacts(n.Value)
		if err != nil {
			return nil, err
		}
		kappa, alpha = append(kappa, float64(m)/float64(d)), append(alpha, s.load(c.Facts))
	}
	return through(kappa, alpha)
}

// group is what has one name, in order of its first.
type group[T any] struct {
	name string
	all  []T
}

func grouped[T any](all []T, name func(T) string) []group[T] {
	var out []group[T]
	for _, x := range all {
		n := name(x)
		i := slices.IndexFunc(out, func(g group[T]) bool { return g.name == n })
		if i < 0 {
			i, out = len(out), append(out, group[T]{name: n})
		}
		out[i].all = append(out[i].all, x)
	}
	return out
}
