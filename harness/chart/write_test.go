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
	"strconv"
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
	root.all(func(e *element) {
		if id := e.attr("id"); id != "" {
			assert.False(t, ids[id], id)
			assert.True(t, strings.HasPrefix(id, "f-transition-l"), id)
			ids[id] = true
		}
		assert.NotEqual(t, "text", e.XMLName.Local, "text is outlines")
	})
	for _, id := range strings.Fields(root.attr("aria-labelledby")) {
		assert.True(t, ids[id], id)
	}
	stamps, lines := 0, map[string]int{}
	root.all(func(e *element) {
		style := e.attr("style")
		for _, child := range e.Children {
			if child.XMLName.Local == "use" {
				assert.True(t, ids[strings.TrimPrefix(child.attr("href"), "#")], child.attr("href"))
				if !strings.HasPrefix(style, "fill:#1A1A1A") {
					stamps++
				}
			}
			if m := regexp.MustCompile(`stroke-width:([\d.]+)`).FindStringSubmatch(style); m != nil {
				lines[m[1]]++
			}
		}
	})
	assert.Equal(t, 2*4*75+4, stamps, "each point, and four in the legend")
	assert.Equal(t, 2*5+5, lines["1.1"], "curves")
	assert.Equal(t, 2*4+4, lines["0.8"], "error bars")

	var r recorder
	typical().lay(Light).draw(&r)
	texts := map[string]bool{}
	for _, l := range r.texts {
		texts[strings.TrimSpace(l.text)] = true
	}
	for _, want := range []string{"load α = p/d2", "P(storable), din = dout", "OP", "limit d → ∞", "0.2"} {
		assert.True(t, texts[want], want)
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
	frame := f.lay(Light).inside(0)
	var root element
	require.NoError(t, xml.Unmarshal(written(t, f, "svg", Light), &root))
	var got []string
	root.all(func(e *element) {
		if strings.Contains(e.attr("style"), "fill:#0367A7") {
			for _, c := range e.Children {
				got = append(got, c.attr("x")+" "+c.attr("y"))
			}
		}
	})
	at := func(u, v vg.Length) string {
		return rounded(fmt.Sprintf("%f %f", frame.Min.X+u*frame.Size().X, frame.Min.Y+v*frame.Size().Y))
	}
	assert.Equal(t, []string{at(0.25, 0.5), at(0.75, 0)}, got)
}

// Lengths lose what cannot be seen, and nothing else changes.
func TestRounded(t *testing.T) {
	for _, c := range []struct{ svg, want string }{
		{"M-0.5,1.2345L-0.004,-0", "M-0.5,1.23L0,0"},
		{"M2e-05,-3.1e-16L10.5,123.45", "M0,0L10.5,123.45"},
		{"style=\"fill:#0367A7;stroke:#00F-0.5\"", "style=\"fill:#0367A7;stroke:#00F-0.5\""},
		{"translate(504.57, 12)", "translate(504.57, 12)"},
	} {
		assert.Equal(t, c.want, rounded(c.svg))
	}
}

// A PDF has no fonts and no text that could be mistaken for other text, and the dates of
// no clock.
func TestPDF(t *testing.T) {
	pdf := written(t, typical(), "pdf", Light)
	dates := regexp.MustCompile(`\(D:[^)]*\)`).FindAllString(string(pdf), -1)
	assert.Len(t, dates, 4) // of gonum's file and of its update
	for _, date := range dates {
		assert.Equal(t, "(D:20000101000000)", date)
	}
	assert.Contains(t, string(pdf), "/Title "+utf16Text("Stored fraction against load α = p/d²")+"\n")
	assert.Contains(t, string(pdf), "/Subject "+utf16Text("P(storable) < 1 & its limit")+"\n")
	assert.Equal(t, "<FEFF03B10032D835DF00>", utf16Text("α2𝜀"[:3]+"\U0001d700"))
	// The update: the last table is where the file says, and its object where the table says.
	m := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(pdf)
	require.NotNil(t, m)
	table, err := strconv.Atoi(string(m[1]))
	require.NoError(t, err)
	var object, at int
	_, err = fmt.Sscanf(string(pdf[table:]), "xref\n%d 1\n%d", &object, &at)
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(pdf[at:], fmt.Appendf(nil, "%d 0 obj\n<<\n/Title", object)))
	assert.Contains(t, string(pdf[:table]), fmt.Sprintf("/Info %d 0 R", object))

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
		path := vg.Path{{Type: vg.MoveComp, Pos: from}}
		path.QuadTo(control, to)
		var r recorder
		exact{&r}.Fill(path)
		require.Len(t, r.marks[0].path[1].Control, 2)
		a, b := r.marks[0].path[1].Control[0], r.marks[0].path[1].Control[1]
		require.Equal(t, to, r.marks[0].path[1].Pos)
		for _, u := range []vg.Length{0.1, 0.5, 0.8} {
			w := 1 - u
			quadratic := from.Scale(w * w).Add(control.Scale(2 * u * w)).Add(to.Scale(u * u))
			c := from.Scale(w * w * w).Add(a.Scale(3 * u * w * w)).Add(b.Scale(3 * u * u * w)).Add(to.Scale(u * u * u))
			assert.InDelta(t, float64(quadratic.X), float64(c.X), 1e-9)
			assert.InDelta(t, float64(quadratic.Y), float64(c.Y), 1e-9)
		}
	})
}

// A translucent color is as given, not multiplied by its opacity.
func TestTranslucent(t *testing.T) {
	var r recorder
	exact{&r}.SetColor(faded(rgb(0x0367a7), 0.5))
	red, green, blue, alpha := r.color.RGBA()
	assert.Equal(t, []uint32{0x03, 0x67, 0xa7, 0x80}, []uint32{red >> 8, green >> 8, blue >> 8, alpha >> 8})
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
