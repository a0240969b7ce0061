package report

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"lamcap/harness/chart"
	"lamcap/harness/learn"
	"lamcap/harness/page"
	"lamcap/harness/scores"
	"lamcap/harness/stats"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/harness/trial"
)

// scoreCell is a cell with what its records keep of scores.
type scoreCell struct {
	*cell
	records []*sweep.Record
	seen    []scores.Scores
}

func (b *builder) scoreCells() []scoreCell {
	var out []scoreCell
	for _, c := range b.cells {
		if !c.options.Scores || c.measure != sweep.Training || c.spec.N < 2 {
			continue
		}
		s := scoreCell{cell: c, records: c.records}
		for _, r := range c.records {
			if r.Correct != nil {
				// Of copies: they will be sorted.
				s.seen = append(s.seen, scores.Scores{Correct: slices.Clone(r.Correct), Wrong: slices.Clone(r.Wrong), Margin: r.Result.Margin})
			}
		}
		if len(s.seen) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// scoresSection is of cells whose records have scores.
func (b *builder) scoresSection() (*page.Section, error) {
	cells := b.scoreCells()
	if len(cells) == 0 {
		return nil, nil
	}
	ms := make([]scores.Measurement, len(cells))
	for i, c := range cells {
		ms[i].Summary = b.summary("scores", c.cell, c.records)
	}
	// The laws take longest, and those of both problems are the same: side by side first.
	err := trial.Run(context.Background(), len(cells), runtime.GOMAXPROCS(0), func(i int) {
		_ = b.known.Prepare(ms[i].Cell) // what fails is told below
	})
	if err != nil {
		return nil, err
	}
	for i, c := range cells {
		ms[i] = scores.Of(ms[i].Summary, c.seen, b.known)
	}
	summary := scores.Table(ms)
	summary.Title = "Scores of targets and the largest of the others, and their laws"
	histogram := scores.Histogram(ms, scoreBins)
	onPaper(summary, "trained", "load", "law", "correct_mean_error", "correct_std", "correct_std_error", "correct_std_law", "correct_std_z",
		"wrong_mean_error", "wrong_std", "wrong_std_error", "wrong_std_law", "wrong_std_z")
	onPaper(histogram, "trained", "load", "law", "hi")
	histogram.Name, histogram.Title = "score_histograms", "Densities of scores in bins"
	figures := b.scoreFigures(ms)
	if e := peakError(histogram); e > 0 {
		known := fmt.Sprintf("known to a standard error of %.1f%% or less at their peaks.", math.Ceil(1000*e)/10)
		histogram.Notes = append(histogram.Notes, "Laws of vector level: by Monte Carlo, "+known)
		for i := range figures {
			figures[i].Caption = strings.TrimSuffix(figures[i].Caption, ".") + ", " + known
		}
	}
	return &page.Section{
		ID: "scores", Title: "Scores, for Hebb's rule and the optimum",
		Text: []string{
			"Scores are S/‖W‖_F: of the target, and the largest of the other candidates. Hebb's rule gives the target mean d/√p and variance 1 in the limit, whatever the competitors; training raises it to just above the level that the largest competitors are pushed down to.",
			"Laws are of score level, d → ∞ with competitors independent of the correct score, and of vector level, where W e_μ is a vector of R^{d_out} that contains the correct score. Below capacity the law of a training is that of the largest margin, which it goes towards and has not reached; beyond, that of the minimum of the cross-entropy. z tells how far the data are from a law and is not judged: score level lacks finite d, vector level finite d_in.",
		},
		Figures: figures,
		Tables:  []*table.Table{summary, histogram},
	}, nil
}

// peakError is the largest relative standard error that a law at vector level has in the bin where
// it is largest, over the laws of a histogram, each scoreBins rows.
func peakError(t *table.Table) float64 {
	column := func(key string) int {
		return slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Key == key })
	}
	level, worst := column("level"), 0.0
	for _, kind := range []string{"correct_law", "wrong_law"} {
		law, bound := column(kind), column(kind+"_error")
		for rows := range slices.Chunk(t.Rows, scoreBins) {
			peak, relative := 0.0, 0.0
			for _, row := range rows {
				v, known := row[law].(float64)
				e, _ := row[bound].(float64)
				if row[level] == "vector" && known && v > peak {
					peak, relative = v, e/v
				}
			}
			worst = max(worst, relative)
		}
	}
	return worst
}

const scoreBins = 24

// Colors and glyphs of the scores' figure.
const colorCorrect, colorWrong = 0, 1

// scoreFigures have a panel for each rule, shape and load, with both problems in it.
func (b *builder) scoreFigures(ms []scores.Measurement) []chart.Figure {
	var panels []chart.Panel
	for _, g := range grouped(ms, func(m scores.Measurement) string {
		return label(fmt.Sprintf("%s, %v, p = %d (%.2f p_c)", ruleName(m.Rule), shape{m.Spec.DIn, m.Spec.DOut, m.Rank}, m.Spec.P, m.Load), embeddings(m.Spec))
	}) {
		panels = append(panels, b.scorePanel(g))
	}
	return paged(panels, chart.Figure{
		Name: "scores", Title: "Scores of targets and of the largest others",
		Caption: "Densities of scores over the norm of W in bins, means over instances with intervals, OP left and DP right of the middle of a bin, and laws of theory: of DP, which OP approaches as d grows; those of vector level, by Monte Carlo, in bins as wide.",
	})
}

func ruleName(r learn.Rule) string {
	switch r {
	case learn.Hebb:
		return "Hebb"
	case learn.MaxMargin:
		return "largest margin"
	}
	return "trained, " + r.String()
}

func (b *builder) scorePanel(g group[scores.Measurement]) chart.Panel {
	panel := chart.Panel{Title: g.name, X: chart.Axis{Label: "s = S/‖W‖"}, Y: chart.Axis{Label: "density"}}
	x := newSpan()
	for _, m := range g.all {
		for _, k := range []scores.Kind{m.Correct, m.Wrong} {
			for _, values := range k.Scores {
				x.add(values[0])
				x.add(values[len(values)-1])
			}
		}
	}
	wide := x.grown(0.03)
	panel.X.Min, panel.X.Max = wide.lo, wide.hi
	top := 0.0
	// The laws of DP where there are both problems: of Hebb's rule in OP there is one of the target alone.
	source := g.all[len(g.all)-1]
	for _, law := range source.Laws {
		mark, level := chart.Line, "vector level"
		width := (x.hi - x.lo) / scoreBins // of the data: by Monte Carlo it is noisy in narrower bins
		if law.Level == "score" {
			mark, level, width = chart.Dashed, "score level", 0
		}
		for _, kind := range []struct {
			marginal scores.Marginal
			name     string
			color    int
		}{{law.Correct, "target, ", colorCorrect}, {law.Wrong, "largest other, ", colorWrong}} {
			points, err := lawDensity(kind.marginal, wide, width)
			if err != nil {
				b.lacks("scores", fmt.Sprintf("the line of the %s%s in the panel %s", kind.name, level, g.name), err)
			}
			if points == nil {
				continue
			}
			panel.Series = append(panel.Series, chart.Series{Name: kind.name + level, Mark: mark, Color: kind.color, Points: points})
			for _, p := range points {
				top = max(top, p.Y)
			}
		}
	}
	highest := 0.0
	for _, m := range g.all {
		for _, kind := range []struct {
			kind  scores.Kind
			name  string
			color int
		}{{m.Correct, "target", colorCorrect}, {m.Wrong, "largest other", colorWrong}} {
			series := chart.Series{Name: kind.name + ", " + upper(m.Spec.Model), Mark: chart.Points, Color: kind.color, Glyph: glyph(m.Spec.Model)}
			for _, v := range b.scoreHistogram(kind.kind, x) {
				series.Points = append(series.Points, measured(v.beside(m.Spec.Model), v.density, v.interval))
				highest = max(highest, v.interval.Hi)
			}
			panel.Series = append(panel.Series, series)
		}
	}
	panel.Y.Max = 1.05 * max(min(top, 2*highest), highest) // a narrow law of score level may stand far out
	panel.Y.Min = -0.02 * panel.Y.Max
	return panel
}

// scoreHistogram counts in the bins of the figure: those of the table where a panel has one problem.
func (b *builder) scoreHistogram(k scores.Kind, over span) []bin {
	width := (over.hi - over.lo) / scoreBins
	out := make([]bin, scoreBins)
	for i := range out {
		lo, hi := over.lo+float64(i)*width, over.lo+float64(i+1)*width
		c := stats.Clusters{Successes: make([]int, len(k.Scores)), Size: len(k.Scores[0])}
		for j, values := range k.Scores {
			for _, x := range values {
				if x >= lo && (x < hi || i == len(out)-1) {
					c.Successes[j]++
				}
			}
		}
		out[i] = bin{lo: lo, hi: hi, density: c.Estimate() / width, interval: c.Interval(b.o.Confidence).Scale(1 / width), law: math.NaN(), initial: math.NaN()}
	}
	return out
}

// lawDensity is that of a law in bins about 72 places: of a width, overlapping, or if it is 0 beside
// each other. nil without a law.
func lawDensity(m scores.Marginal, over span, width float64) ([]chart.Point, error) {
	if m.Between == nil {
		return nil, nil
	}
	const places = 72
	h := (over.hi - over.lo) / places
	if width == 0 {
		width = h
	}
	var points []chart.Point
	for i := range places {
		at := over.lo + (float64(i)+0.5)*h
		v, err := m.Between(at-width/2, at+width/2)
		if err != nil {
			return nil, err
		}
		points = append(points, chart.At(at, v.Value/width))
	}
	return points, nil
}
