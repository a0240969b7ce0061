package pairings

import (
	"fmt"
	"math"
	"slices"

	"lamcap/harness/chart"
	"lamcap/harness/stats"
)

// colorGaussian is the palette's black.
const colorGaussian = 6

// Figure shows fractions stored against the load, with the theories' curves: that of Gaussian vectors once,
// that of the values as they are once for all ensembles with the same.
func Figure(ms []*Measurement) *chart.Figure {
	panel := chart.Panel{
		X: chart.Axis{Label: "p, facts"},
		Y: chart.Axis{Label: "fraction stored", Min: -0.03, Max: 1.03},
	}
	var all []int
	for _, m := range ms {
		all = append(all, m.Loads...)
	}
	lo, hi := float64(slices.Min(all)), float64(slices.Max(all))
	margin := 0.04 * math.Max(1, hi-lo)
	lo, hi = lo-margin, hi+margin
	panel.X.Min, panel.X.Max = lo, hi

	for i, m := range ms {
		panel.Series = append(panel.Series, points(m, i, hi-lo))
	}
	var gaussian, pools []Transition
	for i, m := range ms {
		if t := m.Prediction.Gaussian; !slices.Contains(gaussian, t) && !math.IsNaN(t.Facts.Value) {
			gaussian = append(gaussian, t)
			panel.Series = append(panel.Series, curve("Gaussian vectors, theory", t, chart.Dashed, colorGaussian, len(gaussian)-1, lo, hi))
		}
		// Equal pools in other coordinates differ by the draws.
		same := func(t Transition) bool {
			return math.Abs(t.Facts.Value-m.Prediction.Pool.Facts.Value) < 0.2*m.Prediction.Pool.Width
		}
		if t := m.Prediction.Pool; !slices.ContainsFunc(pools, same) && !math.IsNaN(t.Facts.Value) {
			pools = append(pools, t)
			panel.Series = append(panel.Series, curve("pool theory: "+m.Name, t, chart.Line, color(i), 0, lo, hi))
		}
	}
	return &chart.Figure{
		Name:    "pairings",
		Title:   "Random pairings of given vectors",
		Caption: fmt.Sprintf("Fraction of instances stored against the number of facts, %d in, %d out; 95%% intervals, and theories in normal form.", ms[0].Prediction.DIn, ms[0].Prediction.DOut),
		Panels:  []chart.Panel{panel},
	}
}

// color is the i-th but for black.
func color(i int) int {
	if i >= colorGaussian {
		i++
	}
	return i
}

// points are moved aside a little, since equal fractions would hide each other.
func points(m *Measurement, i int, span float64) chart.Series {
	s := chart.Series{Name: m.Name, Mark: chart.Points, Color: color(i), Glyph: i}
	for k, p := range m.Loads {
		c := m.Outcomes[k]
		if c.Trials == c.Undecided {
			continue
		}
		x := float64(p) + 0.006*span*float64(i)
		s.Points = append(s.Points, measured(x, float64(c.Stored)/float64(c.Trials-c.Undecided), c.Interval(level)))
	}
	return s
}

func measured(x, y float64, i stats.Interval) chart.Point {
	p := chart.At(x, y)
	p.YLo, p.YHi = i.Lo, i.Hi
	return p
}

func curve(name string, t Transition, mark chart.Mark, color, glyph int, lo, hi float64) chart.Series {
	s := chart.Series{Name: name, Mark: mark, Color: color, Glyph: glyph}
	const steps = 160
	for k := range steps + 1 {
		x := lo + (hi-lo)*float64(k)/steps
		s.Points = append(s.Points, chart.At(x, t.At(x)))
	}
	return s
}
