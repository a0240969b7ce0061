package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/harness/chart"
	"lamcap/harness/compare"
	"lamcap/harness/learn"
	"lamcap/harness/page"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// storedSection is the fraction stored against the load.
func (b *builder) storedSection() (*page.Section, error) {
	if len(b.storage) == 0 {
		return nil, nil
	}
	loads, err := b.storedTable()
	if err != nil {
		return nil, err
	}
	curves := b.curveTable()
	s := &page.Section{
		ID: "stored_fraction", Title: "Fraction stored against the load",
		Text: []string{
			"Each instance is decided by a proof: stored, by a W that recalls every input beyond round-off; not storable, by multipliers that leave no W a normalised margin above a bound at round-off level; or undecided, which counts as neither, and intervals hold whatever it is.",
			"P(storable) = 2 Σ_{j = N−1, N−3, …} c_j, c the p-fold convolution of the conic intrinsic volumes, is exact for DP with Gaussian embeddings at full rank, and known at every load with the probability that a target lies inside the hull of its competitors. OP has no such curve at finite d: DP's is drawn beside it. The limit is a step at α = I(κ)/2, 1/2 at full rank.",
		},
		Tables: []*table.Table{loads, curves},
	}
	for _, f := range []func() (*chart.Figure, error){b.storedFigure, b.storedRankFigure} {
		figure, err := f()
		if err != nil {
			return nil, err
		}
		if figure != nil {
			s.Figures = append(s.Figures, *figure)
		}
	}
	return s, nil
}

func (b *builder) storedTable() (*table.Table, error) {
	all, fixed := ensembles(b.storage)
	undecided := 0
	for _, x := range b.storage {
		undecided += x.undecided()
	}
	t := &table.Table{
		Name: "stored_fraction", Title: "Fractions of instances stored, and P(storable)",
		Columns: append(sizeColumns(all, fixed),
			table.Column{Key: "p"}, table.Column{Key: "alpha", Head: "α", Digits: 4}, table.Column{Key: "load", Head: "p/p_c", Digits: 4},
			table.Column{Key: "trials"}, table.Column{Key: "stored"}, table.Column{Key: "undecided", Hidden: undecided == 0},
			table.Column{Key: "fraction", Digits: 3}, table.Column{Key: "fraction_interval", Head: b.intervalHead(), Digits: 3},
			table.Column{Key: "probability", Head: "P(storable)", Digits: 4}, table.Column{Key: "probability_error", Head: "±", Digits: 1}, table.Column{Key: "limit", Head: "limit"},
			table.Column{Key: "z", Digits: 2, Verb: 'f'}, table.Column{Key: "p_value", Head: "p-value", Digits: 2}, table.Column{Key: "verdict"},
		),
		Notes: []string{
			"fraction: stored of all trials, Wilson's interval, for both extreme readings of undecided instances. P(storable): of DP; below full rank with N_eff in place of N, a prediction.",
			"p-value: exact binomial, the reading that is least favourable to a rejection. OP, values of norm √d: shown beside DP's theory, not tested.",
		},
	}
	if slices.ContainsFunc(b.storage, func(t *transition) bool { return t.exact() && !t.shape().full() }) {
		t.Notes = append(t.Notes, "Below full rank an undecided instance may be stored: where many are, ok says that no more is stored than predicted, and nothing of less.")
	}
	for _, x := range b.storage {
		s := x.shape()
		for i, p := range x.facts {
			o, at := x.outcomes[i], x.predicted[i]
			z, value := math.NaN(), math.NaN()
			if x.exact() && !math.IsNaN(at.value) {
				z, value = o.Z(at.value), o.PValue(at.value)
			}
			alpha := s.load(float64(p))
			t.Append(append(x.size(x.fixed), p, alpha, float64(p)/x.critical.Facts, o.Trials, o.Stored, o.Undecided,
				float64(o.Stored)/float64(o.Trials), interval(o.Interval(b.o.Confidence)),
				number(at.value), number(at.err), step(alpha, x.limit()), number(z), number(value), nil)...)
			b.last(t, "verdict", value)
		}
	}
	return onPaper(t, "load", "stored", "probability_error", "limit", "z"), nil
}

// step is the fraction stored in the limit.
func step(alpha, capacity float64) any {
	switch {
	case alpha < capacity:
		return 1
	case alpha > capacity:
		return 0
	}
	return nil
}

// curveTable tests whole curves: against a shift of the load, and by χ².
func (b *builder) curveTable() *table.Table {
	all, fixed := ensembles(b.storage)
	t := &table.Table{
		Name: "stored_curves", Title: "Whole curves of the fraction stored",
		Columns: append(sizeColumns(all, fixed),
			table.Column{Key: "loads"}, table.Column{Key: "trials"}, table.Column{Key: "decided"},
			table.Column{Key: "z", Head: "z, shift", Digits: 2, Verb: 'f'}, table.Column{Key: "p_value", Head: "p-value", Digits: 2}, table.Column{Key: "verdict"},
			table.Column{Key: "chi_square", Head: "χ²", Digits: 3}, table.Column{Key: "degrees"},
			table.Column{Key: "chi_square_p_value", Head: "p, χ²", Digits: 2}, table.Column{Key: "chi_square_verdict", Head: "verdict, χ²"},
		),
		Notes: []string{"z, shift: the score test of P(storable) against the same curve at another load, positive where more is stored; χ² = Σ (stored − trials P)²/(trials P (1 − P)). Both p-values are sums over all counts, exact but for terms of χ² rounded to 1/16; the shift in the reading of undecided instances that is least favourable to a rejection, χ² where there are none. -: not tested, as OP, and below full rank where some are undecided."},
	}
	for _, x := range b.storage {
		counts := x.decided()
		decided := 0
		for _, n := range counts.Trials {
			decided += n
		}
		row := append(x.size(x.fixed), len(x.facts), x.trials(), decided)
		curve := x.curveAt()
		if !x.exact() || x.undecided() > 0 && !x.shape().full() || curve == nil {
			t.Append(append(row, nil, nil, nil, nil, nil, nil, nil)...)
			b.last(t, "verdict", math.NaN())
			b.last(t, "chi_square_verdict", math.NaN())
		} else {
			found := stats.OutcomesCurve(x.outcomes)
			z, value := found.Z(curve), found.PValue(curve)
			chi := stats.ChiSquare{Statistic: math.NaN(), PValue: math.NaN()}
			var degrees any
			if x.undecided() == 0 {
				chi = stats.CurveChiSquare(counts.Stored, counts.Trials, curve)
				degrees = chi.Degrees
			}
			t.Append(append(row, number(z), number(value), nil, number(chi.Statistic), degrees, number(chi.PValue), nil)...)
			b.last(t, "verdict", value)
			b.last(t, "chi_square_verdict", chi.PValue)
		}
		b.rejectCurves(x)
	}
	return onPaper(t, "loads", "trials", "degrees")
}

// rejectCurves puts wrong theories of the whole curve to the counts; what was not found counts as
// not stored, so that below full rank only theories that are too low are rejected for certain.
func (b *builder) rejectCurves(x *transition) {
	if x.fixed > 0 || math.IsNaN(x.weights.Value) {
		return
	}
	found := x.half.foundAt
	put := func(name string, theory compare.Theory, weights float64) {
		curve := make([]float64, len(x.facts))
		for i, p := range x.facts {
			if p < 2 {
				return
			}
			var err error
			if curve[i], err = theory.Storable(weights, p); err != nil {
				b.lacks("stored_fraction", fmt.Sprintf("the wrong theory %s for %s at p = %d", name, x.name(), p), err)
				return
			}
		}
		b.reject("stored_fraction", stats.CurveRejects(fmt.Sprintf("%s for %s", name, x.name()), found.Stored, found.Trials, curve))
	}
	put("D_n = 2 log n (the limit)", compare.LimitDimension(), x.weights.Value)
	s := x.shape()
	if s.full() || x.spec.Values != pattern.Gaussian {
		return
	}
	counting := s.rank * (s.dIn + s.dOut - s.rank)
	put(fmt.Sprintf("counting m(d_in + d_out − m) = %d parameters, if searches find what exists,", counting),
		compare.Exact{Transition: b.storable}, float64(counting))
}

// storedFigure is of full rank, a panel for each problem.
func (b *builder) storedFigure() (*chart.Figure, error) {
	var shown []*transition
	for _, t := range b.storage {
		if t.shape().full() && t.fixed == 0 {
			shown = append(shown, t)
		}
	}
	if len(shown) == 0 {
		return nil, nil
	}
	f := &chart.Figure{
		Name: "stored_fraction", Title: "Fraction of instances stored against the load",
		Caption: "Fractions of instances stored, with intervals, against the load; the exact probability for DP at each d, and the limit's step at 1/2.",
	}
	names, parts := models(shown, func(t *transition) pattern.Model { return t.spec.Model })
	f.Columns = len(names)
	x := storedSpan(shown)
	for i, part := range parts {
		panel, err := b.storedPanel(upper(names[i]), names[i], x, part, func(t *transition) (string, int) {
			return t.shape().String(), b.color(t.shape())
		})
		if err != nil {
			return nil, err
		}
		f.Panels = append(f.Panels, panel)
	}
	return f, nil
}

// storedRankFigure is of shapes with ranks below full, a panel for each shape and problem.
func (b *builder) storedRankFigure() (*chart.Figure, error) {
	low := map[shape]bool{}
	for _, t := range b.storage {
		if !t.shape().full() && t.fixed == 0 {
			low[t.shape().whole()] = true
		}
	}
	if len(low) == 0 {
		return nil, nil
	}
	var shown []*transition
	for _, t := range b.storage {
		if low[t.shape().whole()] && t.fixed == 0 {
			shown = append(shown, t)
		}
	}
	f := &chart.Figure{
		Name: "stored_fraction_rank", Title: "Fraction found to be stored at ranks below full",
		Caption: "Fractions of instances stored, with intervals that hold whatever the undecided instances are, against the load, by rank; the prediction with N_eff, and the limits' steps at I(κ)/2.",
	}
	ranks := map[int]int{}
	for _, t := range shown {
		ranks[t.rank] = 0
	}
	for i, m := range slices.Sorted(maps.Keys(ranks)) {
		ranks[m] = colorOf(i)
	}
	for _, size := range grouped(shown, func(t *transition) string { return t.shape().whole().String() }) {
		names, parts := models(size.all, func(t *transition) pattern.Model { return t.spec.Model })
		f.Columns = max(f.Columns, len(names))
		x := storedSpan(size.all)
		for i, part := range parts {
			panel, err := b.storedPanel(fmt.Sprintf("%s, %s", upper(names[i]), size.name), names[i], x, part, func(t *transition) (string, int) {
				return fmt.Sprintf("κ = %.3g", t.shape().kappa()), ranks[t.rank]
			})
			if err != nil {
				return nil, err
			}
			f.Panels = append(f.Panels, panel)
		}
	}
	return f, nil
}

// storedSpan is the range of loads of panels beside each other: of what was measured, the
// transitions of theory and the limits.
func storedSpan(all []*transition) span {
	x := newSpan()
	for _, t := range all {
		s := t.shape()
		x.add(s.limit())
		for _, p := range t.facts {
			x.add(s.load(float64(p)))
		}
		for _, probability := range []float64{0.999, 0.001} {
			if q, err := t.quantile(probability); err == nil { // else it is missing from the figure, too
				x.add(s.load(q.Value))
			}
		}
	}
	x = x.grown(0.05)
	return span{max(0, x.lo), x.hi}
}

// storedPanel draws transitions of one problem between two loads.
func (b *builder) storedPanel(title string, model pattern.Model, x span, part []*transition, of func(t *transition) (name string, color int)) (chart.Panel, error) {
	panel := chart.Panel{
		Title: title,
		X:     chart.Axis{Label: "α = p log p/(d_in d_out)"}, Y: chart.Axis{Label: "fraction stored, P(storable)", Min: -0.03, Max: 1.03},
	}
	if !slices.ContainsFunc(part, func(t *transition) bool { return !t.shape().square() }) {
		panel.X.Label = "α = p log p/d²"
	}
	panel.X.Min, panel.X.Max = x.lo, x.hi
	limits := map[float64]bool{}
	for _, t := range part {
		if limit := t.shape().limit(); !math.IsNaN(limit) {
			limits[limit] = true
		}
	}
	for i, limit := range slices.Sorted(maps.Keys(limits)) {
		name := "limit"
		if len(limits) > 1 {
			name = onlyIf(i == 0, "limits, I(κ)/2")
		}
		panel.Series = append(panel.Series, chart.Series{Name: name, Mark: chart.Step, Color: colorLimit,
			Points: []chart.Point{chart.At(panel.X.Min, 1), chart.At(limit, 0), chart.At(panel.X.Max, 0)}})
	}
	mark, theory := theoryOf(model)
	drawn := map[string]bool{}
	for _, t := range part {
		name, color := of(t)
		if drawn[name] {
			continue
		}
		drawn[name] = true
		line := chart.Series{Name: name + ", " + theory, Mark: mark, Color: color}
		points, err := t.curve(factsAt(panel.X.Min, t.shape()), factsAt(panel.X.Max, t.shape()))
		if err != nil {
			b.lacks("stored_fraction", "the line of theory for "+t.name(), err)
			continue
		}
		line.Points = points
		panel.Series = append(panel.Series, line)
	}
	rules := several(part, func(t *transition) learn.Rule { return t.rule })
	for _, g := range grouped(part, func(t *transition) string {
		name, _ := of(t)
		return label(name, onlyIf(rules, t.rule.String()), embeddings(t.spec))
	}) {
		_, color := of(g.all[0])
		points := chart.Series{Name: g.name + ", measured", Mark: chart.Points, Color: color, Glyph: glyph(model)}
		for _, t := range g.all {
			for i, p := range t.facts {
				o := t.outcomes[i]
				points.Points = append(points.Points,
					measured(t.shape().load(float64(p)), float64(o.Stored)/float64(o.Trials), o.Interval(b.o.Confidence)))
			}
		}
		panel.Series = append(panel.Series, points)
	}
	return panel, nil
}

// curve is P(storable) of DP at whole p between two, log(P/(1 − P)) interpolated between them, with
// the ends drawn through.
func (t *transition) curve(from, to float64) ([]chart.Point, error) {
	const beyond, nodes = 3.5, 28 // widths, and points of the transition
	upper, err := t.quantile(normalCDF(beyond))
	if err != nil {
		return nil, err
	}
	lower, err := t.quantile(normalCDF(-beyond))
	if err != nil {
		return nil, err
	}
	s := t.shape()
	var x, y []float64
	last := 1
	for i := range nodes + 1 {
		p := int(math.Round(upper.Value + (lower.Value-upper.Value)*float64(i)/nodes))
		if p <= last || float64(p) < from || float64(p) > to {
			continue
		}
		last = p
		v, err := t.probability(p)
		if err != nil {
			return nil, err
		}
		x, y = append(x, float64(p)), append(y, v.value)
	}
	line, err := smooth(x, y, s.load)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]chart.Point{chart.At(s.load(from), 1)}, line, []chart.Point{chart.At(s.load(to), 0)}), nil
}

func normalCDF(x float64) float64 { return math.Exp(extremes.LogCDF(x)) }
