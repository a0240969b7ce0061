package chart

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

// typical is two panels of about 300 points and as many curve points each.
func typical() *Figure {
	f := &Figure{Name: "transition", Title: "Stored fraction against load α = p/d²", Caption: "P(storable) < 1 & its limit"}
	for _, rule := range []string{"OP", "DP"} {
		p := Panel{Title: rule, X: Axis{Label: "load α = p/d²"}, Y: Axis{Label: "P(storable), d_in = d_out", Min: 0, Max: 1}}
		for i, d := range []float64{5, 10, 20, 40} {
			at := func(x float64) float64 { return 0.5 * math.Erfc((x-0.5)*d) }
			curve := Series{Name: fmt.Sprintf("d = %g, exact", d), Mark: Line, Color: i}
			measured := Series{Name: fmt.Sprintf("d = %g, simulated", d), Color: i, Glyph: i}
			for k := range 75 {
				x := float64(k+1) / 76
				curve.Points = append(curve.Points, At(x, at(x)))
				measured.Points = append(measured.Points, Point{x, at(x), math.NaN(), math.NaN(), at(x) * 0.9, at(x) * 1.05})
			}
			p.Series = append(p.Series, curve, measured)
		}
		p.Series = append(p.Series, Series{Name: "limit d → ∞", Mark: Step, Color: 6,
			Points: []Point{At(math.Inf(-1), 1), At(0.5, 0), At(math.Inf(1), 0)}})
		f.Panels = append(f.Panels, p)
	}
	return f
}

func written(t require.TestingT, f *Figure, format string, theme Theme) []byte {
	var b bytes.Buffer
	require.NoError(t, f.Write(&b, format, theme))
	return b.Bytes()
}

func TestSameBytes(t *testing.T) {
	for _, format := range Formats() {
		for _, theme := range []Theme{Light, Dark} {
			a, b := written(t, typical(), format, theme), written(t, typical(), format, theme)
			assert.True(t, bytes.Equal(a, b), "%s %v", format, theme)
		}
		assert.False(t, bytes.Equal(written(t, typical(), format, Light), written(t, typical(), format, Dark)))
	}
}

// Whatever the data, every format can be written.
func TestHostile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFigure().Draw(t, "figure")
		f.Panels = f.Panels[:1]
		svg := written(t, f, "svg", Light)
		require.NotContains(t, string(svg), "NaN")
		require.NotContains(t, string(svg), "Inf")
		require.NoError(t, wellFormed(svg))
		written(t, f, "pdf", Dark)
	})
}

// PNG is slower to draw.
func TestHostilePNG(t *testing.T) {
	all := anyFigure()
	for seed := range 6 {
		f := all.Example(seed)
		_, err := png.Decode(bytes.NewReader(written(t, f, "png", Theme(seed%2))))
		require.NoError(t, err)
	}
}

func TestErrors(t *testing.T) {
	assert.EqualError(t, typical().Write(io.Discard, "gif", Light), "format = gif: want svg, png, pdf")
	assert.EqualError(t, (&Figure{Name: "none"}).Write(io.Discard, "svg", Light), "figure none: no panels: want at least one")
	assert.PanicsWithValue(t, "chart: mark = 9: want Points, Line, Step, Bars or Dashed", func() {
		_ = (&Figure{Panels: []Panel{{Series: []Series{{Mark: 9, Points: []Point{At(1, 1)}}}}}}).Write(io.Discard, "svg", Light)
	})
}

func wellFormed(svg []byte) error {
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// element is any element of an SVG.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// all calls visit for e and what is in it.
func (e *element) all(visit func(*element)) {
	visit(e)
	for i := range e.Children {
		e.Children[i].all(visit)
	}
}

func TestSVG(t *testing.T) {
	svg := written(t, typical(), "svg", Light)
	assert.Less(t, len(svg), 200_000)
	assert.True(t, bytes.HasPrefix(svg, []byte("<svg ")), "to be put into HTML as it is")
	var root element
	require.NoError(t, xml.Unmarshal(svg, &root))

	assert.Equal(t, "img", root.attr("role"))
	assert.Equal(t, "title", root.Children[0].XMLName.Local)
	assert.Equal(t, "Stored fraction against load α = p/d²", root.Children[0].Text)
	assert.Equal(t, "desc", root.Children[1].XMLName.Local)
	assert.Equal(t, "P(storable) < 1 & its limit", root.Children[1].Text)

	// Identifiers: each once, of this figure and theme, none used without being there.
	ids := map[string]bool{}
	groups := map[string]int{}
	root.all(func(e *element) {
		if id := e.attr("id"); id != "" {
			assert.False(t, ids[id], id)
			assert.True(t, strings.HasPrefix(id, "f-transition-l"), id)
			ids[id] = true
		}
		groups[e.attr("class")]++
		assert.NotEqual(t, "text", e.XMLName.Local, "text is outlines")
	})
	stamps, labels := 0, map[string]bool{}
	root.all(func(e *element) {
		if e.XMLName.Local == "use" {
			assert.True(t, ids[strings.TrimPrefix(e.attr("href"), "#")], e.attr("href"))
			if e.attr("y") != "" {
				stamps++
			}
		}
		if l := e.attr("aria-label"); l != "" {
			labels[l] = true
		}
	})
	for _, id := range strings.Fields(root.attr("aria-labelledby")) {
		assert.True(t, ids[id], id)
	}
	assert.Equal(t, 2*4*75+4, stamps, "each point, and four in the legend")
	assert.Equal(t, 2*9, groups["series"])
	assert.Equal(t, 2*4, groups["errors"])
	assert.Equal(t, 2, groups["panel"])
	assert.Equal(t, 1, groups["legend"])
	for _, want := range []string{"load α = p/d²", "P(storable), d_in = d_out", "OP", "limit d → ∞", "0.2"} {
		assert.True(t, labels[want], want)
	}

	dark := string(written(t, typical(), "svg", Dark))
	for id := range ids {
		assert.NotContains(t, dark, `"`+id+`"`, "both themes may be in one page")
	}
}

// Glyphs of points stand where the data are.
func TestPointsInSVG(t *testing.T) {
	f := &Figure{Name: "x", Panels: []Panel{{
		X: Axis{Min: 0, Max: 4}, Y: Axis{Scale: Log, Min: 1, Max: 100},
		Series: []Series{{Points: []Point{At(1, 10), At(3, 1)}}},
	}}}
	l := newFonts().lay(f, Light)
	frame := l.panels[0].frame
	var root element
	require.NoError(t, xml.Unmarshal(written(t, f, "svg", Light), &root))
	var got []string
	root.all(func(e *element) {
		if e.attr("class") == "series" {
			e.all(func(e *element) {
				if e.XMLName.Local == "use" {
					got = append(got, e.attr("x")+" "+e.attr("y"))
				}
			})
		}
	})
	at := func(u, v vg.Length) string {
		return short(frame.Min.X+u*frame.Size().X) + " " + short(l.height-frame.Min.Y-v*frame.Size().Y)
	}
	assert.Equal(t, []string{at(0.25, 0.5), at(0.75, 0)}, got)
}

// A PDF has no fonts and no text that could be mistaken for other text, and the dates of
// no clock.
func TestPDF(t *testing.T) {
	pdf := written(t, typical(), "pdf", Light)
	for _, key := range []string{"CreationDate", "ModDate"} {
		assert.Contains(t, string(pdf), "/"+key+" (D:20000101000000")
	}
	assert.NotContains(t, string(pdf), "/FontFile")
	stream := regexp.MustCompile(`(?s)stream\r?\n(.*?)\r?\nendstream`)
	paths := 0
	for _, m := range stream.FindAllSubmatch(pdf, -1) {
		r, err := zlib.NewReader(bytes.NewReader(m[1]))
		if err != nil {
			continue
		}
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		for _, operator := range []string{"BT", "Tj", "TJ", "v"} {
			assert.NotRegexp(t, `(?m)(^|\s)`+operator+`(\s|$)`, string(content))
		}
		paths += strings.Count(string(content), " c\n")
	}
	assert.Greater(t, paths, 1000, "curves of the outlines")
}

// A quadratic curve and the cubic one written for it are the same.
func TestCubic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) vg.Point {
			return vg.Point{X: vg.Length(rapid.Float64Range(-9, 9).Draw(t, name)), Y: vg.Length(rapid.Float64Range(-9, 9).Draw(t, name))}
		}
		from, control, to := draw("from"), draw("control"), draw("to")
		a, b := cubic(from, vg.PathComp{Pos: to, Control: []vg.Point{control}})
		for _, u := range []vg.Length{0.1, 0.5, 0.8} {
			w := 1 - u
			quadratic := from.Scale(w * w).Add(control.Scale(2 * u * w)).Add(to.Scale(u * u))
			c := from.Scale(w * w * w).Add(a.Scale(3 * u * w * w)).Add(b.Scale(3 * u * u * w)).Add(to.Scale(u * u * u))
			assert.InDelta(t, float64(quadratic.X), float64(c.X), 1e-9)
			assert.InDelta(t, float64(quadratic.Y), float64(c.Y), 1e-9)
		}
	})
}

// A PNG knows its resolution, and is as large as that says.
func TestPNG(t *testing.T) {
	data := written(t, typical(), "png", Light)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	assert.InDelta(t, 17.8/2.54*resolution, float64(img.Bounds().Dx()), 1)
	assert.Equal(t, "pHYs", string(data[37:41]))
	assert.EqualValues(t, 7874, binary.BigEndian.Uint32(data[41:])) // dots per meter: 200 per inch
	// Of the title something is drawn: dark on white, at the top left.
	dark := 0
	for x := range 300 {
		for y := range 40 {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
				dark++
			}
		}
	}
	assert.Greater(t, dark, 200)
}
