package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"
)

func anyPoint() *rapid.Generator[Point] {
	return rapid.Custom(func(t *rapid.T) Point {
		p := At(anyFloat().Draw(t, "x"), anyFloat().Draw(t, "y"))
		if rapid.Bool().Draw(t, "x bars") {
			p.XLo, p.XHi = anyFloat().Draw(t, "x lo"), anyFloat().Draw(t, "x hi")
		}
		if rapid.Bool().Draw(t, "y bars") {
			p.YLo, p.YHi = anyFloat().Draw(t, "y lo"), anyFloat().Draw(t, "y hi")
		}
		return p
	})
}

// words draws texts from none to several lines.
func words() *rapid.Generator[string] {
	return rapid.StringMatching(`([a-zακ]{1,9}(_c|\^2|_\{max\})? ){0,7}[a-z]{0,4}`)
}

func anyFigure() *rapid.Generator[*Figure] {
	return rapid.Custom(func(t *rapid.T) *Figure {
		f := &Figure{
			Name: "any", Title: words().Draw(t, "title"), Caption: words().Draw(t, "caption"),
			Columns: rapid.IntRange(0, 3).Draw(t, "columns"),
		}
		for range rapid.IntRange(1, 6).Draw(t, "panels") {
			p := Panel{Title: words().Draw(t, "panel"), X: anyAxis().Draw(t, "X"), Y: anyAxis().Draw(t, "Y")}
			p.X.Label, p.Y.Label = words().Draw(t, "x label"), words().Draw(t, "y label")
			for range rapid.IntRange(0, 5).Draw(t, "series") {
				p.Series = append(p.Series, Series{
					Name:   words().Draw(t, "name"),
					Mark:   Mark(rapid.IntRange(int(Points), int(Dashed)).Draw(t, "mark")),
					Color:  rapid.OneOf(rapid.IntRange(0, 20), rapid.Just(math.MaxInt)).Draw(t, "color"),
					Glyph:  rapid.OneOf(rapid.IntRange(0, 20), rapid.Just(math.MaxInt)).Draw(t, "glyph"),
					Points: rapid.SliceOfN(anyPoint(), 0, 6).Draw(t, "points"),
				})
			}
			f.Panels = append(f.Panels, p)
		}
		return f
	})
}

// Whatever the figure: everything is on the page, no text covers another or a frame, what
// stands for data is in its frame, legends are outside of all frames, and frames of one
// figure have one size and are in rows and columns.
func TestLayoutLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkLayout(t, anyFigure().Draw(t, "figure")) })
}

func checkLayout(t require.TestingT, f *Figure) {
	l := f.lay(Light)
	require.NoError(t, l.err)
	page := vg.Rectangle{Max: vg.Point{X: l.width, Y: l.height}}
	columns := f.Columns
	if columns <= 0 {
		columns = min(2, len(f.Panels))
	}
	var frames []vg.Rectangle
	for i := range f.Panels {
		frame := l.inside(i)
		require.True(t, contains(page, frame, 0), "frame %v on %v", frame, page)
		require.InDelta(t, float64(l.inside(0).Size().X), float64(frame.Size().X), 1e-9)
		require.InDelta(t, float64(l.inside(0).Size().Y), float64(frame.Size().Y), 1e-9)
		require.Greater(t, frame.Size().X, vg.Length(40))
		if i >= columns {
			require.InDelta(t, float64(l.inside(i-columns).Min.X), float64(frame.Min.X), 1e-9)
		} else if i > 0 {
			require.InDelta(t, float64(l.inside(0).Min.Y), float64(frame.Min.Y), 1e-9)
		}
		frames = append(frames, frame)

		// Glyphs may reach beyond the frame by their size, and so may caps.
		v := &view{Panel: &f.Panels[i]}
		v.x, v.y = v.scales()
		for _, m := range v.in(frame).marks {
			slack := vg.Length(1e-6)
			if m.stamp || m.width == errorLine {
				slack = 1.5*glyphSize + capSize
			}
			for _, c := range m.path {
				if c.Type != vg.CloseComp {
					require.True(t, finite(c.Pos))
					require.True(t, contains(frame, vg.Rectangle{Min: c.Pos, Max: c.Pos}, slack), "%v in %v", c.Pos, frame)
				}
			}
		}
	}
	var r recorder
	l.draw(&r)
	for i, a := range r.texts {
		require.True(t, contains(page, a.place, 0.5), "%q at %v on %v", a.text, a.place, page)
		for _, b := range r.texts[:i] {
			require.False(t, overlap(a.place, b.place), "%q at %v and %q at %v", a.text, a.place, b.text, b.place)
		}
		for _, frame := range frames {
			require.False(t, overlap(a.place, frame), "%q at %v and the frame %v", a.text, a.place, frame)
		}
	}
	for _, key := range l.legends {
		require.True(t, contains(page, key.place, 1e-6), "legend %v on %v", key.place, page)
		for _, frame := range frames {
			require.False(t, overlap(key.place, frame))
		}
		var k recorder
		key.draw(draw.NewCanvas(&k, l.width, l.height))
		for _, text := range k.texts {
			// The ink of an italic f reaches an eighth of an em beyond its advance.
			require.True(t, contains(key.place, text.place, legendSize/8.), "%q at %v of %v", text.text, text.place, key.place)
		}
	}
}

// names lists the lines of text of a legend.
func (l legend) names() (all []string) {
	var r recorder
	l.draw(draw.NewCanvas(&r, 0, 0))
	for _, text := range r.texts {
		all = append(all, strings.TrimSpace(text.text))
	}
	return all
}

// Names longer than a column are broken, not cut.
func TestLongNames(t *testing.T) {
	name := strings.Repeat("stored fraction of all instances ", 5)
	f := &Figure{Name: "long", Panels: []Panel{{X: Axis{Label: "x"}, Series: []Series{
		{Name: name, Points: []Point{At(1, 1)}},
		{Name: "short", Color: 1, Points: []Point{At(1, 1)}},
	}}}}
	checkLayout(t, f)
	l := f.lay(Light)
	require.Len(t, l.legends, 1)
	lines := l.legends[0].names()
	assert.Greater(t, len(lines), 3)
	assert.Equal(t, name+"short", strings.Join(lines, " "))
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		panels, columns int
		width           float64 // cm
	}{{1, 0, 8.6}, {1, 3, 8.6}, {2, 0, 17.8}, {3, 1, 8.6}, {6, 3, 17.8}} {
		f := &Figure{Panels: make([]Panel, c.panels), Columns: c.columns}
		l := f.lay(Light)
		assert.InDelta(t, c.width, float64(l.width/vg.Centimeter), 1e-9, "%+v", c)
	}
}

// One legend serves all panels if names and looks agree, otherwise each has its own.
func TestSharedLegend(t *testing.T) {
	panel := func(series ...Series) Panel { return Panel{Series: series} }
	a, b := Series{Name: "a", Color: 0}, Series{Name: "b", Color: 1}
	likeA, aOtherwise := Series{Name: "c", Color: 0}, Series{Name: "a", Color: 2}
	for _, c := range []struct {
		name   string
		panels []Panel
		want   string // entries of each legend
	}{
		{"alike", []Panel{panel(a, b), panel(b, a)}, "a,b"},
		{"in part", []Panel{panel(a), panel(a, b)}, "a,b"},
		{"one has names", []Panel{panel(a, b), panel()}, "a,b"},
		{"nothing in common", []Panel{panel(a), panel(b)}, "a b"},
		{"one look, two names", []Panel{panel(a, b), panel(likeA, b)}, "a,b c,b"},
		{"one name, two looks", []Panel{panel(a, b), panel(aOtherwise, b)}, "a,b a,b"},
		{"none", []Panel{panel(Series{}), panel()}, ""},
		{"points and their curve", []Panel{panel(a, Series{Name: "a", Mark: Line})}, "a"},
	} {
		l := (&Figure{Panels: c.panels}).lay(Light)
		var got []string
		for _, key := range l.legends {
			if names := key.names(); names != nil {
				got = append(got, strings.Join(names, ","))
			}
		}
		assert.Equal(t, c.want, strings.Join(got, " "), c.name)
	}
}

// What cannot be drawn is counted below the figure.
func TestNotes(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	logarithmic := Panel{Y: Axis{Scale: Log, Min: 0.1, Max: 10}, Series: []Series{
		{Points: []Point{At(1, 1), At(2, 0), At(3, -1), At(4, nan), At(inf, 1), At(5, 100)}},
		{Mark: Line, Points: []Point{At(1, 1), At(2, nan), At(3, 0), At(inf, 1), At(1, 100)}},
	}}
	l := (&Figure{Panels: []Panel{logarithmic}}).lay(Light)
	assert.Equal(t, []string{
		"Not shown: 2 points and 1 curve value ≤ 0 on a logarithmic axis.",
		"Not shown: 2 points without a finite value.",
		"Outside the frame: 1 point.",
	}, strings.Split(l.notes, "\n"))
	v := &view{Panel: &logarithmic}
	v.x, v.y = v.scales()
	stamps := 0
	for _, m := range v.in(frame100).marks {
		if m.stamp && m.width == 0 {
			stamps++
		}
	}
	assert.Equal(t, 1, stamps) // of six points
}

// Typical figures of each kind, by the same law.
func TestLayoutTypical(t *testing.T) {
	for n := 1; n <= 12; n++ {
		f := &Figure{Name: "typical", Title: "Stored fraction against load", Columns: n % 4}
		for i := range (n + 1) / 2 {
			p := Panel{Title: fmt.Sprintf("κ = %d/6", i+1), X: Axis{Label: "load α = p/d²"}, Y: Axis{Label: "P(storable)", Min: 0, Max: 1}}
			for j := range n {
				s := Series{Name: fmt.Sprintf("d = %d", j), Color: j, Glyph: j}
				for k := range 20 {
					x := float64(k) / 20
					s.Points = append(s.Points, Point{x, 1 - x, math.NaN(), math.NaN(), 0.9 - x, 1.1 - x})
				}
				p.Series = append(p.Series, s)
			}
			f.Panels = append(f.Panels, p)
		}
		checkLayout(t, f)
	}
}
