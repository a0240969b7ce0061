package report

import (
	"fmt"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/harness/chart"
	"lamcap/harness/learn"
	"lamcap/harness/page"
	"lamcap/harness/table"
	"lamcap/internal/root"
	"lamcap/saddle"
)

// square half-points at full rank, n = p.
func (b *builder) squares() []*transition {
	var out []*transition
	for _, t := range b.storage {
		if t.shape().square() && t.shape().full() && t.fixed == 0 && t.half.measured() {
			out = append(out, t)
		}
	}
	return out
}

// halfPointSection is α_½ against d: measured, theory, its expansion and the limit.
func (b *builder) halfPointSection() (*page.Section, error) {
	shown := b.squares()
	if len(shown) == 0 {
		return nil, nil
	}
	theory, err := b.sizeTable(shown)
	if err != nil {
		return nil, err
	}
	s := &page.Section{
		ID: "half_points", Title: "The half-point against d, and the limit",
		Text: []string{
			"α_½ = p_½ log p_½/d² at full rank. DP: where P(storable) crosses 1/2, with the d_out of the values; OP: resummed in d_out/p, ± an estimate of what is left out. Expansion: p D = d² with D_n = X − y + 3 + P_1(y)/X + P_2(y)/X², X = 2 log n, y = 3 log X + log 2π. It converges to the limit 1/2 like log log n/log n: at d = 12 the capacity is 2.05 times the limit, and at d = 1000 still 1.49 times.",
		},
		Tables: []*table.Table{theory},
	}
	f, err := b.halfPointFigure(shown)
	if err != nil {
		return nil, err
	}
	s.Figures = append(s.Figures, *f)
	return s, nil
}

// expansionOrders are those shown: that of the literature, and the best at sizes that are trained.
var expansionOrders = [...]int{0, 2}

// sizeTable is the theory at each d that was measured and far beyond; half-points themselves are in
// the table of capacities.
func (b *builder) sizeTable(shown []*transition) (*table.Table, error) {
	t := &table.Table{
		Name: "half_points", Title: "Theory of α_½ by size",
		Columns: []table.Column{
			{Key: "d"}, {Key: "op", Head: "OP", Digits: 4}, {Key: "op_interval", Head: b.intervalHead(), Digits: 4},
			{Key: "dp", Head: "DP", Digits: 4}, {Key: "dp_interval", Head: b.intervalHead(), Digits: 4},
			{Key: "dp_theory", Head: "theory DP", Digits: 6}, {Key: "dp_theory_error", Hidden: true},
			{Key: "op_theory", Head: "theory OP", Digits: 4}, {Key: "op_theory_error", Head: "± OP", Digits: 1},
			{Key: "expansion_0", Head: "expansion", Digits: 4}, {Key: "expansion_2", Head: "to 1/log² n", Digits: 4}, {Key: "limit"},
		},
		Notes: []string{"Measured: Gaussian embeddings, the first rule of several; without where nothing was measured. Beyond d = 1000 the theory of DP is p_c D_{p_c} = d²: what half-points differ from it is less than shown."},
	}
	sizes := map[int]map[string]*transition{}
	var ds []int
	for _, x := range shown {
		if embeddings(x.spec) != "" {
			continue
		}
		d := x.spec.DOut
		if sizes[d] == nil {
			sizes[d] = map[string]*transition{}
			ds = append(ds, d)
		}
		if m := x.spec.Model.String(); sizes[d][m] == nil {
			sizes[d][m] = x
		}
	}
	for _, d := range ds {
		s := shape{d, d, d}
		dp, err := b.decoupledHalf(d)
		if err != nil {
			b.lacks("half_points", fmt.Sprintf("theory of DP at d = %d", d), err)
			dp.Value, dp.Error = math.NaN(), math.NaN()
		}
		op := originalHalf(d)
		row := []any{float64(d)}
		for _, m := range []string{"op", "dp"} {
			if x := sizes[d][m]; x != nil {
				row = append(row, s.load(x.half.X), interval(s.loads(x.half.Interval)))
			} else {
				row = append(row, nil, interval(none()))
			}
		}
		row = append(row, number(s.load(dp.Value)), number(s.load(dp.Value+dp.Error)-s.load(dp.Value)), number(s.load(op.Value)), number(s.load(op.Value+op.Error)-s.load(op.Value)))
		for _, order := range expansionOrders {
			row = append(row, number(expandedCapacity(2*math.Log(float64(d)), order)))
		}
		t.Append(append(row, saddle.LimitCapacity)...)
	}
	for _, d := range []float64{1e3, 1e4, 1e6, 1e10, 1e20, 1e50, 1e150} {
		alpha, bound, err := criticalLoad(d)
		if err != nil {
			return nil, err
		}
		row := []any{d, nil, interval(none()), nil, interval(none()), alpha, bound, nil, nil}
		for _, order := range expansionOrders {
			row = append(row, number(expandedCapacity(2*math.Log(d), order)))
		}
		t.Append(append(row, saddle.LimitCapacity)...)
	}
	return onPaper(t, "limit"), nil
}

// decoupledHalf is p_½ of DP at d_in = d_out = d.
func (b *builder) decoupledHalf(d int) (saddle.Quantile, error) {
	return b.storable.Decoupled(d).Facts(float64(d)*float64(d), 0.5)
}

// originalHalf is p_½ of OP, NaN outside the range of its theory.
func originalHalf(d int) extremes.Value {
	theory, err := saddle.OriginalFacts(d, d)
	if err != nil || !theory.Facts.Status.OK() {
		return extremes.Value{Value: math.NaN(), Error: math.NaN()}
	}
	return theory.Facts
}

// criticalLoad is α_c = p_c log p_c/d² with the bound of its error.
func criticalLoad(d float64) (alpha, bound float64, err error) {
	c, err := saddle.CriticalFacts(d * d)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	alpha = math.Log(c.Facts) / c.Dimension.Value
	return alpha, alpha * (c.Error/c.Facts + c.Dimension.Error/c.Dimension.Value), nil
}

// expandedCapacity is α_c with D_n by its expansion to an order: p D_p = N, log N given. NaN
// where the expansion has no such p.
func expandedCapacity(logN float64, order int) float64 {
	dimension := func(logP float64) float64 {
		v, err := extremes.ConeDimensionExpansion(extremes.ExplicitForm, logP, order)
		if err != nil || !(v.Value > 0) {
			return math.NaN()
		}
		return v.Value
	}
	// p < N, and the expansion is for large n: from 10 candidates on.
	f := root.Find(func(logP float64) float64 { return logP + math.Log(dimension(logP)) - logN }, math.Log(10), logN, root.Options{})
	if !f.Status.OK() {
		return math.NaN()
	}
	return f.X / dimension(f.X)
}

// halfPointFigure has the sizes measured, and all sizes.
func (b *builder) halfPointFigure(shown []*transition) (*chart.Figure, error) {
	f := &chart.Figure{
		Name: "half_points", Title: "The load where half of the instances are stored, against d", Columns: 2,
		Caption: "Half-points against d with intervals; the exact theory of DP, that of OP between dashed lines of an estimate of what it leaves out, the expansion for large n and the limit 1/2: where measured, and up to d = 10^150.",
	}
	sizes := newSpan()
	for _, t := range shown {
		sizes.add(float64(t.spec.DOut))
	}
	near := b.nearPanel(shown, sizes)
	far, err := b.farPanel(shown)
	if err != nil {
		return nil, err
	}
	f.Panels = []chart.Panel{near, far}
	return f, nil
}

// Colors of what is not of one size, in the figure where sizes are the abscissa.
const (
	colorOP        = 0
	colorDP        = 1
	colorExpansion = 2
)

func (b *builder) nearPanel(shown []*transition, sizes span) chart.Panel {
	panel := chart.Panel{
		Title: "where measured",
		X:     chart.Axis{Label: "d", Scale: chart.Log, Min: sizes.lo / 1.25, Max: sizes.hi * 1.25},
		Y:     chart.Axis{Label: "α_½ = p_½ log p_½/d²"},
	}
	const nodes = 24
	dp := chart.Series{Name: "DP, theory", Mark: chart.Line, Color: colorDP}
	op := chart.Series{Name: "OP, theory", Mark: chart.Line, Color: colorOP}
	// What the theory of OP leaves out, by its own estimate.
	above := chart.Series{Name: "OP, theory ± what it leaves out", Mark: chart.Dashed, Color: colorOP}
	below := chart.Series{Mark: chart.Dashed, Color: colorOP}
	var expansions []chart.Series
	for i, order := range expansionOrders {
		expansions = append(expansions, chart.Series{Name: expansionName(order), Mark: chart.Dashed, Color: colorExpansion + i})
	}
	last := 0
	for i := range nodes + 1 {
		x := panel.X.Min * math.Pow(panel.X.Max/panel.X.Min, float64(i)/nodes)
		for k, order := range expansionOrders {
			expansions[k].Points = append(expansions[k].Points, chart.At(x, expandedCapacity(2*math.Log(x), order)))
		}
		d := int(math.Round(x))
		if d == last || d < 3 {
			continue
		}
		last = d
		s := shape{d, d, d}
		if q, err := b.decoupledHalf(d); err == nil {
			dp.Points = append(dp.Points, chart.At(float64(d), s.load(q.Value)))
		} else {
			b.lacks("half_points", fmt.Sprintf("theory of DP at d = %d", d), err)
		}
		v := originalHalf(d)
		if !math.IsNaN(v.Value) {
			op.Points = append(op.Points, chart.At(float64(d), s.load(v.Value)))
			above.Points = append(above.Points, chart.At(float64(d), s.load(v.Value+v.Error)))
			below.Points = append(below.Points, chart.At(float64(d), s.load(v.Value-v.Error)))
		}
	}
	panel.Series = expansions
	if len(op.Points) > 0 {
		panel.Series = append(panel.Series, below, above, op)
	}
	panel.Series = append(panel.Series, dp, limitLine(panel.X.Min, panel.X.Max))
	panel.Series = append(panel.Series, halfPointSeries(shown)...)
	return panel
}

func expansionName(order int) string {
	if order == 0 {
		return "expansion, D = 2 log n − 3 log(2 log n) + …"
	}
	return fmt.Sprintf("expansion to 1/log%s n", map[int]string{1: "", 2: "²", 3: "³"}[order])
}

func limitLine(from, to float64) chart.Series {
	return chart.Series{Name: "limit, 1/2", Mark: chart.Dashed, Color: colorLimit, Glyph: 1,
		Points: []chart.Point{chart.At(from, saddle.LimitCapacity), chart.At(to, saddle.LimitCapacity)}}
}

func halfPointSeries(shown []*transition) []chart.Series {
	var out []chart.Series
	rules := several(shown, func(t *transition) learn.Rule { return t.rule })
	for _, g := range grouped(shown, func(t *transition) string {
		return label(upper(t.spec.Model), onlyIf(rules, t.rule.String()), embeddings(t.spec))
	}) {
		m := g.all[0].spec.Model
		color := colorDP
		if glyph(m) == glyphOP {
			color = colorOP
		}
		series := chart.Series{Name: g.name + ", measured", Mark: chart.Points, Color: color, Glyph: glyph(m)}
		for _, t := range g.all {
			s := t.shape()
			series.Points = append(series.Points, measured(float64(t.spec.DOut), s.load(t.half.X), s.loads(t.half.Interval)))
		}
		out = append(out, series)
	}
	return out
}

// farPanel goes to the limit, from d = 10 or the least that was measured on; of d = 1, whose
// logarithm has no place, nothing.
func (b *builder) farPanel(shown []*transition) (chart.Panel, error) {
	const to, nodes = 150, 60 // of log₁₀ d
	from := 1.
	for _, t := range shown {
		from = min(from, 0.95*math.Log10(float64(max(2, t.spec.DOut))))
	}
	panel := chart.Panel{
		Title: "to the limit",
		X:     chart.Axis{Label: "log₁₀ d", Scale: chart.Log, Min: from, Max: to}, Y: chart.Axis{Label: "α_½"},
	}
	exact := chart.Series{Name: "theory", Mark: chart.Line, Color: colorDP}
	var expansions []chart.Series
	for i := range expansionOrders {
		expansions = append(expansions, chart.Series{Mark: chart.Dashed, Color: colorExpansion + i})
	}
	for i := range nodes + 1 {
		// Over log log d: what is of order log log n/log n would all happen at the edge of log d.
		x := from * math.Pow(to/from, float64(i)/nodes)
		alpha, _, err := criticalLoad(min(math.Pow(10, x), 1e150))
		if err != nil {
			return panel, err
		}
		exact.Points = append(exact.Points, chart.At(x, alpha))
		for k, order := range expansionOrders {
			expansions[k].Points = append(expansions[k].Points, chart.At(x, expandedCapacity(2*math.Ln10*x, order)))
		}
	}
	limit := limitLine(from, to)
	limit.Name, exact.Name = "", ""
	panel.Series = append(expansions, exact, limit)
	for _, s := range halfPointSeries(shown) {
		s.Name = ""
		s.Points = slices.DeleteFunc(s.Points, func(p chart.Point) bool { return p.X <= 1 })
		for i := range s.Points {
			s.Points[i].X = math.Log10(s.Points[i].X)
		}
		panel.Series = append(panel.Series, s)
	}
	return panel, nil
}
