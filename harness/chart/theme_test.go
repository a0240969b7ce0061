package chart

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linear returns the linear RGB of a color, 0 … 1 (IEC 61966-2-1).
func linear(c color.NRGBA) [3]float64 {
	var out [3]float64
	for i, v := range []uint8{c.R, c.G, c.B} {
		x := float64(v) / 255
		if x <= 0.04045 {
			out[i] = x / 12.92
		} else {
			out[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return out
}

// contrast is that of WCAG 2.1, 1 … 21.
func contrast(a, b color.NRGBA) float64 {
	luminance := func(c color.NRGBA) float64 {
		l := linear(c)
		return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrast(t *testing.T) {
	assert.InDelta(t, 21, contrast(rgb(0), rgb(0xffffff)), 1e-9)
	for _, theme := range []Theme{Light, Dark} {
		look := theme.look()
		for i, c := range look.palette {
			// 3:1 is what WCAG asks of graphics, 7:1 what it asks of text at its strictest.
			assert.GreaterOrEqual(t, contrast(c, look.background), 3.0, "%v color %d", theme, i)
		}
		assert.GreaterOrEqual(t, contrast(look.text, look.background), 7.0, theme)
	}
}

// visions are linear RGB as seen without one kind of cones (G. Machado, M. Oliveira and
// L. Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency,
// 2009, severity 1).
func visions() map[string][3][3]float64 {
	return map[string][3][3]float64{
		"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"no red":    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"no green":  {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"no blue":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
}

// lab returns CIE L*a*b* of linear RGB, D65.
func lab(c [3]float64) [3]float64 {
	f := func(t float64) float64 {
		if t > 216./24389 {
			return math.Cbrt(t)
		}
		return (24389./27*t + 16) / 116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := f(0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2])
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// Colors can be told apart by every kind of color vision: a difference of 2.3 in L*a*b*
// is just noticed side by side; ours differ by five times that, the first four, which
// most figures use, by eight times.
func TestColorVision(t *testing.T) {
	for _, theme := range []Theme{Light, Dark} {
		palette := theme.look().palette
		for name, m := range visions() {
			see := func(c color.NRGBA) [3]float64 {
				var out [3]float64
				for i, row := range m {
					for j, x := range linear(c) {
						out[i] += row[j] * x
					}
					out[i] = min(max(out[i], 0), 1)
				}
				return lab(out)
			}
			for i := range palette {
				for j := range i {
					a, b := see(palette[i]), see(palette[j])
					difference := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
					least := 11.5
					if i < 4 {
						least = 18.4
					}
					assert.GreaterOrEqual(t, difference, least, "%v, %s: colors %d and %d", theme, name, j, i)
				}
			}
		}
	}
}

// A series keeps a look of its own when colors are used again.
func TestLooksDiffer(t *testing.T) {
	look := Light.look()
	n := len(look.palette)
	seen := map[[2]int]bool{}
	for i := range 3 * n {
		s := Series{Mark: Points, Color: i}
		key := [2]int{wrap(s.Color, n), wrap(look.glyphOf(&s), glyphs)}
		require.False(t, seen[key], "series %d looks like one before", i)
		seen[key] = true
	}
	a, b := Series{Mark: Line, Color: 1}, Series{Mark: Line, Color: 1 + n}
	assert.Equal(t, look.color(&a), look.color(&b))
	assert.NotEqual(t, look.dashesOf(&a), look.dashesOf(&b))
}
