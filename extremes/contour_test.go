package extremes

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The integral does not depend on the line and the step that are taken for it,
// probabilities and densities alike, within twice the stated rounding: each of
// the two has its own.
func TestContourDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.IntRange(0, 3).Draw(t, "pairs")
		competitors := math.Floor(math.Exp(rapid.Float64Range(0, 690).Draw(t, "log competitors")))
		margin := rapid.SampledFrom([]float64{0, 0.1, 1, 5, 30, 300, 1e4}).Draw(t, "margin")
		if margin >= 10*competitors {
			t.Skip("the level is far below 0, where closed forms take over")
		}
		b := crossing(margin, competitors, pairs)
		e := newExcess(b.center+b.scale*rapid.Float64Range(-3, 8).Draw(t, "t"), margin, competitors, pairs)
		logs := 0x1p-52 * math.Log(competitors+1)
		p, q := e.probability(), e.probabilityOn(rapid.Float64Range(0.93, 1.08).Draw(t, "contour"), 1.4)
		first, second := p.value, q.value
		if p.complement < p.value {
			first, second = p.complement, q.complement
		}
		if !(math.Abs(first-second) <= 2*(p.noise+logs)*first+p.err+q.err) {
			t.Fatalf("t = %v, K = %v, k = %v, %d pairs: %v or %v, noise %v", e.t, margin, competitors, pairs, first, second, p.noise)
		}
		c, exponent, curvature := e.saddle(false, false)
		if exponent < negligible {
			return
		}
		density, err := e.line(c, exponent, curvature, 1, false)
		c += 0.2 / math.Sqrt(curvature)
		exponent, _, curvature = e.realExponent(c)
		other, otherErr := e.line(c, exponent, curvature, 1.3, false)
		if !(math.Abs(density-other) <= 2*(e.noise(c, curvature)+logs)*density+err+otherErr) {
			t.Fatalf("t = %v, K = %v, k = %v, %d pairs: density %v or %v, noise %v", e.t, margin, competitors, pairs, density, other, e.noise(c, curvature))
		}
	})
}

// R(t + s) by its Taylor series at the edge of its radius is R by w.
func TestMillsSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := newExcess(rapid.Float64Range(-10, 38).Draw(t, "t"), 0, 0, 0)
		angle := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "angle")
		sin, cos := math.Sincos(angle)
		size := 0.999 * e.radius / (math.Abs(sin) + math.Abs(cos))
		s := complex(size*cos, size*sin)
		_, ratio, _ := e.at(s, false)
		want := mills(s + complex(e.t, 0))
		// For t < 0 R is about e^{z²/2}, with the rounding of z.
		tolerance := 0x1p-52 * (10 + 4*e.t*e.t*math.Max(0, -e.t)/(1+math.Abs(e.t)))
		if !(manhattan(ratio-want) <= tolerance*manhattan(want)) {
			t.Fatalf("R(%v + %v) = %v by the series, %v by w", e.t, s, ratio, want)
		}
	})
}
