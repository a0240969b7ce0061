package chart

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

// Every rune that labels of this subject need has a glyph with an outline, in every face.
func TestGlyphs(t *testing.T) {
	for f := range faces {
		for _, r := range "αβγδεζηθικλμνξπρστυφχψωϕϵΓΔΘΛΞΠΣΦΨΩ" +
			"ABCXYZabcxyz0123456789½¼≤≥≈≠≡√×·±−∞∂∑∏∫∩→←↔‖|²³¹'\"()[]{}<>=+-*/%&§°†…–—“”’äöüßéñ" {
			fonts := newFonts()
			g := fonts.index(f, r)
			require.NoError(t, fonts.err)
			require.NotZero(t, g, "face %d: %q", f, r)
			assert.NotEmpty(t, fonts.outline(f, g), "face %d: %q", f, r)
			assert.Positive(t, fonts.advance(f, g), "face %d: %q", f, r)
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
	f := newFonts()
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.StringMatching(`[a-z0-9]{2,8}`).Draw(t, "a")
		b := rapid.StringMatching(`[a-z0-9]{2,8}`).Draw(t, "b")
		whole := f.line(a+b, 10, false).width
		parts := f.line(a, 10, false).width + f.line(b, 10, false).width
		assert.InDelta(t, float64(parts), float64(whole), 2)
	})
	assert.Less(t, f.line("AV", 10, false).width, f.line("A", 10, false).width+f.line("\\V", 10, false).width)
}

// Scripts are small, lowered and raised, and a raised one stands above a lowered one.
func TestScripts(t *testing.T) {
	f := newFonts()
	l := f.line("x_i^2", 10, false)
	require.Len(t, l.pieces, 3)
	sub, sup := l.pieces[1], l.pieces[2]
	assert.Less(t, sub.dy, vg.Length(0))
	assert.Greater(t, sup.dy, vg.Length(0))
	assert.Equal(t, sub.dx, sup.dx)
	assert.Less(t, sub.size, l.pieces[0].size)
	assert.Greater(t, l.descent, f.line("x", 10, false).descent)
	assert.Greater(t, l.ascent, f.line("x", 10, false).ascent)
	// What follows starts after the longer of the two.
	long := f.line("x_{max}^2y", 10, false)
	assert.Greater(t, long.pieces[3].dx, long.pieces[2].dx+f.line("y^2", 10, false).width/4)
}

// Blocks keep all words and no line is too wide unless it is one word.
func TestBlock(t *testing.T) {
	f := newFonts()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z]{1,9}( [a-z]{1,9}){0,8}`).Draw(t, "text")
		width := vg.Length(rapid.Float64Range(1, 200).Draw(t, "width"))
		var all string
		for _, l := range f.block(text, 8, false, width) {
			if len(all) > 0 {
				all += " "
			}
			all += l.text
			if l.width > width {
				assert.NotContains(t, l.text, " ")
			}
		}
		assert.Equal(t, text, all)
	})
}

// The outlines of a line lie where its measures say.
func TestPathWithinMeasures(t *testing.T) {
	f := newFonts()
	l := f.line("Capacity α_c(κ) ≤ ‖W‖²/√d", 100, false)
	for _, c := range f.path(l) {
		assert.GreaterOrEqual(t, float64(c.Pos.X), -5.0)
		assert.LessOrEqual(t, float64(c.Pos.X), float64(l.width)+5)
		assert.GreaterOrEqual(t, float64(c.Pos.Y), -float64(l.descent)-3)
		assert.LessOrEqual(t, float64(c.Pos.Y), float64(l.ascent)+12) // ‖ and √ are taller than capitals
	}
}
