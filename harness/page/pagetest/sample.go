// Package pagetest holds a document with all that a page has to cope with, for the
// tests of pages and of their check in a browser.
package pagetest

import (
	"math"

	"lamcap/harness/chart"
	"lamcap/harness/page"
	"lamcap/harness/table"
)

// Hostile is text that would do harm if it were markup.
const Hostile = `<script>document.title="run"</script><img src=x onerror=alert(1)>"'></title></style>]]><!--&amp;`

// Sample returns a document with several sections, hostile text, figures of one and
// more panels, a wide table, a long one and one record.
func Sample() *page.Document {
	return &page.Document{
		Title: "Storage capacity of linear associative memories",
		Abstract: []string{
			"What memories of dimension d ≤ 32 store, beside the theory: α_c(κ), the half-point p_½, and D_n = 10^3.",
			"Every point has an interval of 95%.",
		},
		Sections: []page.Section{
			{
				ID: "transition", Title: "Stored fraction against load",
				Text:    []string{"Below p_½ most sets of facts can be stored; run `lamcap sweep run grid.toml` to measure it again.", ""},
				Figures: []chart.Figure{transition(), panels()},
				Tables:  []*table.Table{wide(), long()},
			},
			{Title: "Stored fraction against load", Text: []string{"The same title again has another anchor."}, Tables: []*table.Table{mixed(), {Name: "empty", Columns: []table.Column{{Key: "n"}}}}},
			{ID: "main", Title: Hostile, Text: []string{Hostile}, Figures: []chart.Figure{hostile()}, Tables: []*table.Table{hostileTable()}},
		},
		Provenance: []*table.Table{record()},
	}
}

func transition() chart.Figure {
	points := chart.Series{Name: "DP, d = 24", Mark: chart.Points}
	curve := chart.Series{Name: "P(storable)", Mark: chart.Line}
	for i := range 21 {
		x := 0.5 + 0.05*float64(i)
		y := 1 / (1 + math.Exp(20*(x-1)))
		curve.Points = append(curve.Points, chart.At(x, y))
		if i%3 == 0 {
			points.Points = append(points.Points, chart.Point{X: x, Y: y, XLo: math.NaN(), XHi: math.NaN(), YLo: max(0, y-0.1), YHi: min(1, y+0.1)})
		}
	}
	return chart.Figure{
		Name: "transition", Title: "Stored fraction", Caption: "Points: 100 memories each, with Wilson intervals of 95%. Line: the exact P(storable).",
		Panels: []chart.Panel{{X: chart.Axis{Label: "p/p_c"}, Y: chart.Axis{Label: "stored fraction", Min: 0, Max: 1}, Series: []chart.Series{curve, points}}},
	}
}

func panels() chart.Figure {
	f := transition()
	panel := f.Panels[0]
	panel.Title = "OP"
	f.Name, f.Title, f.Panels, f.Columns = "panels", "Both problems", []chart.Panel{panel, panel, panel}, 2
	f.Panels[0].Title, f.Panels[2].Title = "DP", "Hebb"
	return f
}

func hostile() chart.Figure {
	f := transition()
	f.Name, f.Title, f.Caption = "transition", Hostile, Hostile
	f.Panels[0].Title, f.Panels[0].X.Label, f.Panels[0].Series[0].Name = Hostile, Hostile, Hostile
	return f
}

// wide has more columns than a phone can show.
func wide() *table.Table {
	t := &table.Table{
		Name: "half_points", Title: "Half-points p_½ and their theory",
		Columns: []table.Column{
			{Key: "model", Head: "model"}, {Key: "d"}, {Key: "kappa", Head: "κ"}, {Key: "half_point", Head: "p_½", Digits: 5},
			{Key: "interval", Head: "95% interval", Digits: 4}, {Key: "theory", Head: "theory", Digits: 6},
			{Key: "ratio", Head: "p_½/p_c", Digits: 4}, {Key: "z", Digits: 2, Verb: 'f'}, {Key: "p_value", Head: "p-value", Digits: 2},
			{Key: "trials"}, {Key: "agrees"}, {Key: "hidden", Hidden: true},
		},
		Notes: []string{"Half-points are those of a logistic curve with the width that the theory has; intervals by the profile likelihood, with as many words as a note needs to be longer than a line on any screen that a reader may have.", "z: (simulation − theory)/σ."},
	}
	for i, model := range []string{"DP", "OP", "OP", "DP", "Hebb, shared outputs"} {
		d := []int{8, 16, 24, 128, 32}[i]
		x := float64(d*d) / 5.1
		t.Append(model, d, 1/float64(i+1), x, table.Interval{Lo: x - 2, Hi: x + 2.5}, x+0.3, 0.98+0.01*float64(i), 0.3*float64(i)-1, 0.5/float64(i+1), 100, i != 2, i)
	}
	return t
}

// long needs to scroll, and has neighbouring float64 and integers beyond 2^53.
func long() *table.Table {
	t := &table.Table{Name: "trials", Title: "Trials", Columns: []table.Column{{Key: "seed"}, {Key: "loss", Digits: 3}, {Key: "cell"}}}
	x := 0.1
	for i := range 60 {
		k := i * 37 % 60
		t.Append(uint64(math.MaxUint64)-uint64(k), x, "d = "+[]string{"8", "16", "128", "24"}[i%4])
		x = math.Nextafter(x, 1)
		if i == 30 {
			x = -1e-300
		}
	}
	return t
}

// mixed has what is no number or not there.
func mixed() *table.Table {
	t := &table.Table{
		Name: "mixed", Title: "What is no number, or not there",
		Columns: []table.Column{{Key: "a", Head: "x_i"}, {Key: "b", Head: "any"}, {Key: "c", Head: "interval", Digits: 3}, {Key: "d", Head: "holds"}},
	}
	nan, inf := math.NaN(), math.Inf(1)
	t.Append(1.5, "b", table.Interval{Lo: 0, Hi: 1}, true)
	t.Append(nan, 10, table.Interval{Lo: nan, Hi: nan}, false)
	t.Append(-inf, 9.5, table.Interval{Lo: 0, Hi: inf}, nil)
	t.Append(nil, "-", table.Interval{Lo: -inf, Hi: 0}, true)
	t.Append(inf, nil, table.Interval{Lo: nan, Hi: 2}, false)
	t.Append(math.Copysign(0, -1), "", nil, true)
	t.Append(0.0, "a", table.Interval{Lo: 0, Hi: 0.5}, false)
	return t
}

func hostileTable() *table.Table {
	t := &table.Table{Name: Hostile, Title: Hostile, Columns: []table.Column{{Key: "a", Head: Hostile}, {Key: "b"}}, Notes: []string{Hostile}}
	t.Append(Hostile, 1)
	t.Append(`"`, 2)
	return t
}

func record() *table.Table {
	t := &table.Table{
		Name: "program", Title: "Program", Vertical: true,
		Columns: []table.Column{{Key: "version"}, {Key: "revision"}, {Key: "grid"}, {Key: "instructions"}, {Key: "missing"}},
	}
	t.Append("v0.3.0", "3826fc3b7c0c5a4e9f0a1b2c3d4e5f60718293a4", "model = [\"DP\", \"OP\"]\nd = [8, 16, 24]\nseeds = \"1..100\"", "avx512", nil)
	return t
}
