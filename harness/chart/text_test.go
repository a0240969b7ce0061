package chart

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"
)

func styled(size vg.Length, heavy bool) text.Style { return new(writer).style(size, heavy, nil) }

// Every rune that labels of this subject need has a glyph with an outline, in every face.
func TestGlyphs(t *testing.T) {
	var w writer
	for _, f := range []font.Font{
		{Weight: xfont.WeightNormal}, {Weight: xfont.WeightBold},
		{Style: xfont.StyleItalic}, {Style: xfont.StyleItalic, Weight: xfont.WeightBold},
	} {
		f.Typeface, f.Variant = plot.DefaultFont.Typeface, plot.DefaultFont.Variant
		require.True(t, w.Cache().Has(f))
		face := w.Cache().Lookup(f, 10)
		for _, r := range "αβγδεζηθικλμνξπρστυφχψωϕϵΓΔΘΛΞΠΣΦΨΩ" +
			"ABCXYZabcxyz0123456789½¼≤≥≈≠≡√×·±−∞∂∑∏∫∩→←↔‖∥|²³¹'\"()[]{}<>=+-*/%&§°†…–—“”’äöüßéñ" {
			g := w.known(face, r)
			require.NoError(t, w.err)
			assert.NotEmpty(t, outline(face, g), "%v: %q", f, r)
			assert.Positive(t, face.Width(string(g)), "%v: %q", f, r)
		}
	}
}

// A rune without a glyph is an error that names it, never an empty box.
func TestNoGlyph(t *testing.T) {
	f := Figure{Name: "odd", Panels: []Panel{{X: Axis{Label: "load 漢"}}}}
	for _, format := range Formats() {
		err := f.Write(failing{t}, format, Light)
		assert.EqualError(t, err, "figure odd: no glyph for '漢' (U+6F22): want Latin, Greek or the usual symbols of formulas")
	}
}

// failing is a writer that must not be used.
type failing struct{ *testing.T }

func (f failing) Write([]byte) (int, error) {
	f.Error("written to in spite of an error")
	return 0, nil
}

// Line widths are sums of advances: a text is as wide as its parts, but for kerning,
// which for these fonts is less than a fifth of an em.
func TestLineWidth(t *testing.T) {
	sty := styled(10, false)
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.StringMatching(`[a-z0-9]{2,8}`).Draw(t, "a")
		b := rapid.StringMatching(`[a-z0-9]{2,8}`).Draw(t, "b")
		assert.InDelta(t, float64(sty.Width(a)+sty.Width(b)), float64(sty.Width(a+b)), 2)
	})
	assert.Less(t, sty.Width("AV"), sty.Width("A")+sty.Width("\\V"))
}

// Scripts are small, lowered and raised, and a raised one stands above a lowered one.
func TestScripts(t *testing.T) {
	var w writer
	f := styled(10, false).Font
	pieces, _ := w.line("x_i^2", f)
	require.Len(t, pieces, 3)
	sub, sup := pieces[1], pieces[2]
	assert.Less(t, sub.at.Y, vg.Length(0))
	assert.Greater(t, sup.at.Y, vg.Length(0))
	assert.Equal(t, sub.at.X, sup.at.X)
	assert.Less(t, sub.face.Font.Size, pieces[0].face.Font.Size)
	// What follows starts after the longer of the two.
	long, _ := w.line("x_{max}^2y", f)
	_, narrow := w.line("y^2", f)
	assert.Greater(t, long[3].at.X, long[2].at.X+narrow/4)
}

// Broken texts keep all words and no line is too wide unless it is one word.
func TestBroken(t *testing.T) {
	sty := styled(8, false)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z]{1,9}( [a-z]{1,9}){0,8}`).Draw(t, "text")
		width := vg.Length(rapid.Float64Range(1, 200).Draw(t, "width"))
		b := broken(text, sty, width)
		for _, l := range strings.Split(b, "\n") {
			if sty.Width(l) > width {
				assert.NotContains(t, l, " ")
			}
		}
		assert.Equal(t, text, strings.ReplaceAll(b, "\n", " "))
	})
}

// The ink of lines lies where their measures say, turned or not.
func TestInkWithinMeasures(t *testing.T) {
	const text = "Capacity α_c(κ) ≤ ‖W‖²/√d\nload p_½/d"
	for _, turn := range []float64{0, math.Pi / 2} {
		for _, align := range []float64{0, -0.5, -1} {
			sty := styled(100, false)
			sty.Rotation, sty.XAlign, sty.YAlign = turn, draw.XAlignment(align), draw.YAlignment(align)
			var r recorder
			sty.Handler.Draw(&r, text, sty, vg.Point{X: 30, Y: 40})
			place := sty.Rectangle(text).Add(vg.Point{X: 30, Y: 40})
			require.Len(t, r.texts, 2)
			for _, l := range r.texts {
				assert.True(t, contains(place, l.place, 6), "%q: %v in %v", l.text, l.place, place)
			}
			assert.False(t, overlap(r.texts[0].place, r.texts[1].place))
			// And fill them.
			ink := vg.Rectangle{Min: r.texts[0].place.Min, Max: r.texts[0].place.Max}
			ink.Min.Y, ink.Max.X = min(ink.Min.Y, r.texts[1].place.Min.Y), max(ink.Max.X, r.texts[1].place.Max.X)
			assert.Greater(t, ink.Size().X, 0.85*place.Size().X)
			assert.Greater(t, ink.Size().Y, 0.85*place.Size().Y)
		}
	}
}
