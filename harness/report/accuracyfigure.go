package report

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"lamcap/harness/accuracy"
	"lamcap/harness/chart"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
	"lamcap/saddle"
)

// train solves the saddle points that are not known yet, side by side; one that cannot be solved stays
// unknown.
func (b *builder) train(need []saddle.Training) error {
	var fresh []saddle.Training
	queued := map[saddle.Training]bool{}
	for _, t := range need {
		if _, known := b.trained[t]; !known && !queued[t] {
			queued[t] = true
			fresh = append(fresh, t)
		}
	}
	errs := make([]error, len(fresh))
	err := trial.Run(context.Background(), len(fresh), runtime.GOMAXPROCS(0), func(i int) {
		t, err := saddle.SolveTraining(fresh[i])
		if err != nil {
			errs[i] = fmt.Errorf("saddle point of training, N = %v, p = %v: %w", fresh[i].Weights, fresh[i].Facts, err)
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.trained[fresh[i]] = &t
	})
	if err != nil {
		return err
	}
	for _, err := range errs {
		if err != nil {
			b.lacks("accuracy", "theory of training", err)
		}
	}
	return nil
}

// accuracyPanel is what is drawn of one shape, n = p.
type accuracyPanel struct {
	shape
	weights, critical float64
	all               []recall
}

// accuracyPanels groups recalls of all embeddings, rules and problems by shape.
func accuracyPanels(all []recall) []accuracyPanel {
	var out []accuracyPanel
	for _, r := range all {
		if r.fixed() > 0 {
			continue
		}
		i := slices.IndexFunc(out, func(p accuracyPanel) bool { return p.shape == r.shape() })
		if i < 0 {
			i, out = len(out), append(out, accuracyPanel{shape: r.shape(), weights: r.weights, critical: r.critical})
		}
		out[i].all = append(out[i].all, r)
	}
	// One or two loads make no curve: they are in the table.
	out = slices.DeleteFunc(out, func(p accuracyPanel) bool {
		facts := map[int]bool{}
		for _, r := range p.all {
			facts[r.spec.P] = true
		}
		return len(facts) < 3
	})
	slices.SortStableFunc(out, func(a, b accuracyPanel) int { return compareShapes(a.shape, b.shape) })
	return out
}

// trainedFacts are the p that memories were trained at beyond capacity, in order.
func (p accuracyPanel) trainedFacts() []float64 {
	var out []float64
	for _, r := range p.all {
		if !r.hebb() && float64(r.spec.P) > p.critical {
			out = append(out, float64(r.spec.P))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// nodes are the p between which the theory is interpolated: those measured, and some where these
// leave a gap, from next to p_c on.
func (p accuracyPanel) nodes() []float64 {
	measured := p.trainedFacts()
	if len(measured) == 0 {
		return nil
	}
	const gap = 2.5 // of p/p_c − 1, a factor
	nodes := slices.Clone(measured)
	last := measured[len(measured)-1]/p.critical - 1
	for _, excess := range []float64{0.003, 0.03, 0.3} {
		near := slices.ContainsFunc(nodes, func(x float64) bool {
			return math.Abs(math.Log((x/p.critical-1)/excess)) < math.Log(gap)
		})
		if excess < last && !near {
			nodes = append(nodes, p.critical*(1+excess))
		}
	}
	slices.Sort(nodes)
	return nodes
}

func (p accuracyPanel) at(facts float64) saddle.Training {
	return saddle.Training{Weights: p.weights, Facts: facts, Candidates: facts}
}

// between are the saddle points of the theory's line.
func (p accuracyPanel) between() []saddle.Training {
	var out []saddle.Training
	for _, x := range p.nodes() {
		out = append(out, p.at(x))
	}
	return out
}

// scoreLevel is the theory's line: 1 up to p_c; beyond, log(a/(1 − a)) is interpolated against
// log(p/p_c − 1), in which it is nearly straight, though a drops like a power of it.
func (b *builder) scoreLevel(p accuracyPanel) ([]chart.Point, error) {
	nodes := p.nodes()
	if len(nodes) < 2 {
		return nil, nil
	}
	var x, y []float64
	for _, facts := range nodes {
		if t := b.trained[p.at(facts)]; t != nil {
			x, y = append(x, math.Log(facts/p.critical-1)), append(y, t.Accuracy.Value)
		}
	}
	line, err := smooth(x, y, func(x float64) float64 { return p.load(p.critical * (1 + math.Exp(x))) })
	if err != nil || line == nil {
		return nil, err
	}
	return append([]chart.Point{chart.At(0, 1), chart.At(p.load(p.critical), 1)}, line...), nil
}

// smooth draws probabilities known at increasing nodes, log(y/(1 − y)) interpolated in x, at the
// abscissas of the drawing. Nodes where y is 0 or 1 to round-off are left out; nil with fewer than two.
func smooth(x, y []float64, abscissa func(x float64) float64) ([]chart.Point, error) {
	var at, logit []float64
	for i, p := range y {
		if p > 0 && p < 1 {
			at, logit = append(at, x[i]), append(logit, math.Log(p/(1-p)))
		}
	}
	if len(at) < 2 {
		return nil, nil
	}
	points, err := through(at, logit)
	for i, p := range points {
		points[i] = chart.At(abscissa(p.X), 1/(1+math.Exp(-p.Y)))
	}
	return points, err
}

// Colors of the accuracy figure: of rules, not of sizes.
const colorTrained, colorHebbOP, colorHebbDP, colorOtherRules = 0, 1, 2, 3

func (b *builder) accuracyFigure(panels []accuracyPanel) (*chart.Figure, error) {
	if len(panels) == 0 {
		return nil, nil
	}
	f := &chart.Figure{
		Name: "accuracy", Title: "Recall against the load: trained memories and Hebb's rule",
		Caption: "Fractions of inputs recalled, means over instances with intervals, against the load, trained OP a little left and DP right of theirs; the saddle point of training, Hebb's laws, and the limit's step.",
		Columns: min(2, len(panels)),
	}
	for _, p := range panels {
		panel, err := b.accuracyPanel(p)
		if err != nil {
			return nil, err
		}
		f.Panels = append(f.Panels, panel)
	}
	return f, nil
}

func (b *builder) accuracyPanel(p accuracyPanel) (chart.Panel, error) {
	panel := chart.Panel{
		Title: p.String(), X: chart.Axis{Label: "α = p log p/d²"},
		Y: chart.Axis{Label: "accuracy", Min: -0.03, Max: 1.03},
	}
	if !p.square() {
		panel.X.Label = "α = p log p/(d_in d_out)"
	}
	facts := newSpan()
	for _, r := range p.all {
		facts.add(float64(r.spec.P))
	}
	panel.X.Max = 1.05 * max(p.load(facts.hi), p.limit())
	panel.Series = append(panel.Series, chart.Series{Name: "limit", Mark: chart.Step, Color: colorLimit,
		Points: []chart.Point{chart.At(0, accuracy.LimitAccuracy(0)), chart.At(p.limit(), 0), chart.At(panel.X.Max, 0)}})
	line, err := b.scoreLevel(p)
	if err != nil {
		return panel, err
	}
	if line != nil {
		panel.Series = append(panel.Series, chart.Series{Name: "trained, theory", Mark: chart.Line, Color: colorTrained, Points: line})
	}
	for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
		i := slices.IndexFunc(p.all, func(r recall) bool { return r.hebb() && r.spec.Model == m && r.onSphere() })
		if i < 0 {
			continue
		}
		law := hebbLaw(p.all[i].ensemble, 0)
		if law == nil {
			continue
		}
		series := chart.Series{Name: "Hebb " + upper(m) + ", theory", Mark: chart.Line, Color: hebbColor(m)}
		if series.Points, err = hebbLine(law, p.shape, facts); err != nil {
			b.lacks("accuracy", "the line of Hebb's law for "+upper(m)+", "+p.String(), err)
			continue
		}
		panel.Series = append(panel.Series, series)
	}
	rules := several(slices.DeleteFunc(slices.Clone(p.all), recall.hebb), func(r recall) learn.Rule { return r.rule })
	for _, g := range grouped(p.all, func(r recall) string {
		name := "trained"
		if r.hebb() {
			name = "Hebb"
		} else if rules {
			name = r.rule.String()
		}
		return label(name+" "+upper(r.spec.Model), onlyIf(!r.hebb(), embeddings(r.spec)), onlyIf(r.hebb() && !r.onSphere(), fmt.Sprintf("%v/%v", r.spec.Keys, r.spec.Values)))
	}) {
		first := g.all[0]
		color, shift := colorTrained, 0.0
		if first.hebb() {
			color = hebbColor(first.spec.Model)
		} else if first.rule != learn.LBFGS {
			color = colorOf(colorOtherRules + int(first.rule))
		}
		if !first.hebb() { // OP and DP have one color, and next to the same accuracy
			shift = beside(0.006*panel.X.Max, first.spec.Model)
		}
		points := chart.Series{Name: g.name, Mark: chart.Points, Color: color, Glyph: glyph(first.spec.Model)}
		for _, r := range g.all {
			if !math.IsNaN(r.Mean) {
				points.Points = append(points.Points, measured(r.alpha()+shift, r.Mean, r.interval(b.o.Confidence)))
			}
		}
		panel.Series = append(panel.Series, points)
	}
	return panel, nil
}

func hebbColor(m pattern.Model) int {
	if m == pattern.OP {
		return colorHebbOP
	}
	return colorHebbDP
}

// hebbLine draws a law between the loads of a panel, interpolated in log p.
func hebbLine(law saddle.HebbLaw, s shape, facts span) ([]chart.Point, error) {
	const nodes = 12
	lo, hi := math.Log(max(4, min(facts.lo, 0.05*facts.hi))), math.Log(facts.hi)
	if !(lo < hi) {
		return nil, nil
	}
	var x, y []float64
	for i := range nodes + 1 {
		at := lo + (hi-lo)*float64(i)/nodes
		v, err := law(math.Exp(at))
		if err != nil {
			return nil, err
		}
		x, y = append(x, at), append(y, v.Value)
	}
	return smooth(x, y, func(x float64) float64 { return s.load(math.Exp(x)) })
}
