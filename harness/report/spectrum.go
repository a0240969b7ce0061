package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lamcap/harness/chart"
	"lamcap/harness/measure"
	"lamcap/harness/page"
	"lamcap/harness/pattern"
	"lamcap/harness/spectrum"
	"lamcap/harness/stats"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/harness/trial"
)

// measureCell is the cell as the packages that measure know it.
func (c *cell) measureCell(critical float64) measure.Cell {
	return measure.Cell{Spec: c.spec, Rule: c.rule, Rank: c.rank, Critical: critical, Load: float64(c.spec.P) / critical}
}

// summary is what records say of a cell beside what is measured on each of its memories, for a
// section.
func (b *builder) summary(section string, c *cell, records []*sweep.Record) measure.Summary {
	facts := math.NaN()
	if n, err := b.spectra.EffectiveDimension(c.spec.DOut, c.spec.DIn, c.rank); err != nil {
		b.lacks(section, "N_eff of "+c.shape().String(), err)
	} else if critical, err := (&transition{ensemble: c.ensemble, fixed: c.fixed()}).criticalOf(n.Value); err != nil {
		b.lacks(section, "p_c of "+c.shape().String(), err)
	} else {
		facts = critical.Facts
	}
	var seen []measure.Observation
	for _, r := range records {
		seen = append(seen, measure.Observation{
			Trained: !math.IsNaN(r.Norm), Stored: r.Result.Outcome == trial.Stored,
			Accuracy: r.Result.Accuracy, Loss: r.Loss, Gradient: r.Gradient,
		})
	}
	return measure.Summarise(c.measureCell(facts), records[0].Seed, seen)
}

// spectrumSection is of cells whose records have singular values.
func (b *builder) spectrumSection() (*page.Section, error) {
	var ms []spectrum.Measurement
	for _, c := range b.cells {
		var records []*sweep.Record
		var values [][]float64
		for _, r := range c.records {
			if c.options.Spectrum && c.measure == sweep.Training {
				records = append(records, r)
				if r.SingularValues != nil {
					values = append(values, r.SingularValues)
				}
			}
		}
		if len(values) == 0 {
			continue
		}
		m, err := spectrum.Of(context.Background(), b.summary("singular_values", c, records), values, b.references)
		if err != nil {
			b.lacks("singular_values", fmt.Sprintf("spectra of %v", records[0].Address), err)
			continue
		}
		ms = append(ms, m)
	}
	if len(ms) == 0 {
		return nil, nil
	}
	distances := spectrum.Table(ms)
	onPaper(distances, "trained", "load", "ks_error", "ks_initial_error", "ks_initial_z", "ks_uncut", "ks_uncut_error", "w1_error",
		"fourth_moment", "fourth_moment_error", "fourth_moment_gaussian", "fourth_moment_z")
	distances.Title = "Distances of spectra from the law at capacity, beside those of Gaussian matrices"
	s := &page.Section{
		ID: "singular_values", Title: "Singular values against the quarter circle",
		Text: []string{
			"x = σ √(d I(κ))/‖W‖_F, so that Σ x²/m = I(κ)/κ: one number, the norm, is taken from W. The law at capacity is the quarter circle √(4 − x²)/π, cut to its top κ = m/d at a rank below full (Marchenko and Pastur's for d_in ≠ d_out). Distances are Kolmogorov and Smirnov's and Wasserstein's; those of Gaussian matrices of the same size, cut and rescaled likewise, tell what finite d does. z compares the means and is not judged: off capacity, and at finite d, the law is not claimed to be that of W.",
		},
		Tables: []*table.Table{distances, b.spectrumHistogram(ms)},
	}
	if exponents := spectrum.Exponents(ms); len(exponents.Rows) > 0 {
		exponents.Title = "How the distances decrease with d"
		s.Tables = append(s.Tables, exponents)
	}
	s.Figures = b.spectrumFigures(ms)
	return s, nil
}

// bin is a range of a histogram with what was counted and what the laws have, as densities.
type bin struct {
	lo, hi       float64
	density      float64
	interval     stats.Interval
	law, initial float64 // initial is NaN at full rank
}

// beside is where the point of a problem stands: next to the middle, so that both are seen.
func (b bin) beside(m pattern.Model) float64 {
	return (b.lo+b.hi)/2 + beside(0.08*(b.hi-b.lo), m)
}

const spectrumBins = 16

// spectrumGroups are the measurements of one shape and load, which a panel and bins are shared by.
func spectrumGroups(ms []spectrum.Measurement) []group[spectrum.Measurement] {
	return grouped(ms, func(m spectrum.Measurement) string {
		return fmt.Sprintf("%v, p = %d (%.2f p_c)", shape{m.Spec.DIn, m.Spec.DOut, m.Rank}, m.Spec.P, m.Load)
	})
}

// spectrumSpan covers the support of the law and all values, whichever is wider.
func spectrumSpan(ms []spectrum.Measurement) span {
	all := newSpan()
	lo, hi := ms[0].Capacity.Law.Support()
	all.add(lo)
	all.add(hi)
	for _, m := range ms {
		for _, values := range m.Spectra {
			all.add(values[0])
			all.add(values[len(values)-1])
		}
	}
	return all
}

func (b *builder) spectrumBinsOf(m spectrum.Measurement, all span) []bin {
	width := (all.hi - all.lo) / spectrumBins
	out := make([]bin, spectrumBins)
	for i := range out {
		lo, hi := all.lo+float64(i)*width, all.lo+float64(i+1)*width
		in := stats.Clusters{Successes: make([]int, len(m.Spectra)), Size: m.Rank}
		for j, values := range m.Spectra {
			for _, x := range values {
				if x >= lo && (x < hi || i == len(out)-1) {
					in.Successes[j]++
				}
			}
		}
		mass := func(l spectrum.Law) float64 { return (l.CDF(hi) - l.CDF(lo)) / width }
		out[i] = bin{lo, hi, in.Estimate() / width, in.Interval(b.o.Confidence).Scale(1 / width), mass(m.Capacity.Law), math.NaN()}
		if m.Rank != min(m.Spec.DIn, m.Spec.DOut) {
			out[i].initial = mass(m.Initial.Law)
		}
	}
	return out
}

func (b *builder) spectrumHistogram(ms []spectrum.Measurement) *table.Table {
	var all []measure.Summary
	low := false
	for _, m := range ms {
		all = append(all, m.Summary)
		low = low || m.Rank != min(m.Spec.DIn, m.Spec.DOut)
	}
	t := &table.Table{
		Name: "singular_values", Title: "Densities of the rescaled singular values in bins",
		Columns: append(measure.Columns(all),
			table.Column{Key: "lo", Digits: 4}, table.Column{Key: "hi", Digits: 4},
			table.Column{Key: "density", Digits: 4}, table.Column{Key: "density_interval", Head: b.intervalHead(), Digits: 3},
			table.Column{Key: "law", Digits: 4}, table.Column{Key: "initial_law", Head: "law of QRᵀ", Digits: 4, Hidden: !low},
		),
		Notes: append([]string{
			"density: the fraction of the singular values in a bin over its width; law: that of the law at capacity, and at a rank below full of the product of Gaussian factors that training began with.",
			"Intervals: Wilson's with the variance that instances show; where their counts do not vary, that of Clopper and Pearson for all values together, as if they were independent.",
		}, measure.Notes(all)...),
	}
	for _, g := range spectrumGroups(ms) {
		over := spectrumSpan(g.all)
		for _, m := range g.all {
			for _, x := range b.spectrumBinsOf(m, over) {
				t.Append(append(m.Row(), x.lo, x.hi, x.density, interval(x.interval), x.law, number(x.initial))...)
			}
		}
	}
	return onPaper(t, "trained", "load")
}

// panelsPerFigure keeps figures of a size that can be read.
const panelsPerFigure = 6

// spectrumFigures have a panel for each shape and load, with all problems and rules in it.
func (b *builder) spectrumFigures(ms []spectrum.Measurement) []chart.Figure {
	var panels []chart.Panel
	for _, g := range spectrumGroups(ms) {
		panel := chart.Panel{Title: g.name, X: chart.Axis{Label: "σ √(d I(κ))/‖W‖"}, Y: chart.Axis{Label: "density"}}
		first := g.all[0]
		over := spectrumSpan(g.all)
		wide := over.grown(0.03)
		panel.X.Min, panel.X.Max = wide.lo, wide.hi
		name := "law, quarter circle"
		full := first.Rank == min(first.Spec.DIn, first.Spec.DOut)
		if first.Spec.DIn != first.Spec.DOut {
			name = "law, Marchenko–Pastur"
		}
		if !full {
			name += ", truncated"
			panel.Series = append(panel.Series, chart.Series{Name: "law of QRᵀ (the start)", Mark: chart.Dashed, Color: colorLimit, Points: densityOf(first.Initial.Law)})
		}
		panel.Series = append(panel.Series, chart.Series{Name: name, Mark: chart.Line, Color: colorLimit, Points: densityOf(first.Capacity.Law)})
		top := 0.0
		for _, s := range panel.Series {
			for _, p := range s.Points {
				top = max(top, p.Y)
			}
		}
		for i, m := range g.all {
			points := chart.Series{Name: label(upper(m.Spec.Model)+" "+m.Rule.String(), embeddings(m.Spec)), Mark: chart.Points, Color: colorOf(i), Glyph: glyph(m.Spec.Model)}
			for _, v := range b.spectrumBinsOf(m, over) {
				points.Points = append(points.Points, measured(v.beside(m.Spec.Model), v.density, v.interval))
				top = max(top, v.interval.Hi)
			}
			panel.Series = append(panel.Series, points)
		}
		panel.Y.Max = min(1.05*top, 3)
		panel.Y.Min = -0.02 * panel.Y.Max
		panels = append(panels, panel)
	}
	return paged(panels, chart.Figure{
		Name: "singular_values", Title: "Singular values of trained memories",
		Caption: "Densities of rescaled singular values in bins, means over instances with intervals, OP left and DP right of the middle of a bin, and the law at capacity: the quarter circle, truncated to its top κ at a rank below full.",
	})
}

// densityOf differentiates a law's distribution function, through a zero on both sides. An edge that
// is a jump, as at 0 and where a law is truncated, is upright; one like a square root is steep.
func densityOf(l spectrum.Law) []chart.Point {
	const steps = 160
	lo, hi := l.Support()
	h := (hi - lo) / steps
	points := []chart.Point{chart.At(lo, 0)}
	for i := range steps {
		a := lo + float64(i)*h
		points = append(points, chart.At(a+h/2, (l.CDF(a+h)-l.CDF(a))/h))
	}
	if a, b := points[1].Y, points[2].Y; a > 0.8*b { // (1/3)^½ = 0.58 for a square root
		points = slices.Insert(points, 1, chart.At(lo, a+(a-b)/2))
	}
	return append(points, chart.At(hi, 0))
}

// paged makes figures of panels, as many as needed: name, name_2, …
func paged(panels []chart.Panel, like chart.Figure) []chart.Figure {
	var out []chart.Figure
	for part := range slices.Chunk(panels, panelsPerFigure) {
		f := like
		f.Panels, f.Columns = part, min(2, len(part))
		if len(out) > 0 {
			f.Name = fmt.Sprintf("%s_%d", like.Name, len(out)+1)
		}
		out = append(out, f)
	}
	return out
}
