package quad

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/internal/status"
)

// ∫ x N(x; 800, 1) dx, which others find to be 0: found without a hint, and with one.
func TestMeanOfNormalFarOut(t *testing.T) {
	density := gaussian(800, 1)
	f := func(x float64) float64 { return x * density(x) }
	for _, peaks := range [][]Peak{nil, {{800, 1}}, {{801, 0.2}}, {{798, 7}}} {
		r := Integrate(f, math.Inf(-1), math.Inf(1), Options{Peaks: peaks})
		assert.InDelta(t, 800, r.Value, r.Error, "%v", peaks)
		assert.Less(t, r.Error, 1e-8)
		assert.True(t, r.Status.OK())
	}
}

// The mean of a normal law anywhere and of any width: right where a peak is named, and
// otherwise right or told not to be known.
func TestMeanOfAnyNormal(t *testing.T) {
	infinite := math.Inf(1)
	rapid.Check(t, func(t *rapid.T) {
		magnitude := func(name string) float64 { return math.Pow(10, rapid.Float64Range(-8, 8).Draw(t, name)) }
		mean := magnitude("log10 |mean|") * float64(1-2*rapid.IntRange(0, 1).Draw(t, "sign"))
		deviation := math.Max(magnitude("log10 deviation"), 1e-7*math.Abs(mean))
		density := gaussian(mean, deviation)
		f := func(x float64) float64 { return x * density(x) }
		a, b := -infinite, infinite
		if rapid.Bool().Draw(t, "from the left") {
			a = mean - 40*deviation - magnitude("log10 distance of a")
		}
		if rapid.Bool().Draw(t, "to the right") {
			b = mean + 40*deviation + magnitude("log10 distance of b")
		}
		named := Peak{mean + deviation*rapid.Float64Range(-2, 2).Draw(t, "off"), deviation * rapid.Float64Range(0.2, 5).Draw(t, "factor")}
		r := Integrate(f, a, b, Options{Peaks: []Peak{named}})
		scale := math.Abs(mean) + deviation
		// Abscissae next to the mean are rounded to 2^−53 of it, on both sides.
		rounding := 4 * epsilon * math.Abs(mean) * (1 + math.Abs(mean)/deviation)
		if !r.Status.OK() || !(math.Abs(r.Value-mean) <= r.Error+rounding) || r.Error > 1e-6*scale {
			t.Fatalf("mean of N(%v, %v) over [%v, %v] = %v ± %v, %v", mean, deviation, a, b, r.Value, r.Error, r.Status)
		}
		if math.IsInf(b-a, 1) {
			blind := Integrate(f, a, b, Options{})
			if blind.Status.OK() && !(math.Abs(blind.Value-mean) <= blind.Error+rounding+1e-9*scale) {
				t.Fatalf("without a hint the mean of N(%v, %v) over [%v, %v] = %v ± %v, %v", mean, deviation, a, b, blind.Value, blind.Error, blind.Status)
			}
		}
	})
}

// What is left of a normal density beyond its peak, over ranges far longer than the tail: the
// peak is named, or the search near the ends finds it.
func TestTailsOverLongRanges(t *testing.T) {
	for _, far := range []float64{1e3, 1e9, 1e100, 1e300, math.MaxFloat64} {
		for _, peaks := range [][]Peak{nil, {{-342, 79}}} {
			want := math.Erfc((3+342)/79./math.Sqrt2) / 2
			r := Integrate(gaussian(-342, 79), 3, far, Options{Peaks: peaks})
			assert.InDelta(t, want, r.Value, r.Error+1e-12*want, "to %v, %v", far, peaks)
			r = Integrate(gaussian(342, 79), -far, -3, Options{Peaks: []Peak{{342, 79}}})
			assert.InDelta(t, want, r.Value, r.Error+1e-12*want, "from %v", -far)
			assert.True(t, r.Status.OK())
		}
	}
}

// Several peaks of any widths, each with its mass.
func TestSeveralPeaks(t *testing.T) {
	peaks := []Peak{{-1e8, 3}, {-7, 1e-8}, {0, 1e-8}, {1e-3, 1e-6}, {800, 1}, {1e6, 1e4}, {1e8, 10}}
	sum := func(x float64) float64 {
		total := 0.0
		for _, p := range peaks {
			total += gaussian(p.At, p.Width)(x)
		}
		return total
	}
	r := Integrate(sum, math.Inf(-1), math.Inf(1), Options{Peaks: peaks, Rel: 1e-6})
	assert.True(t, r.Status.OK(), "%+v", r)
	assert.InDelta(t, float64(len(peaks)), r.Value, 1e-5)
	assert.Less(t, r.Error, 1e-4)
}

// ∫ e^{−x²} over (−∞, b] and [−b, ∞) is √π for every b from 7 on, which others find to be
// 1e-37 at 38; and √π/2 for |b| that is next to nothing, and 0, with nothing claimed, for
// a range that holds nothing.
func TestNormalOnHalfLines(t *testing.T) {
	f := func(x float64) float64 { return math.Exp(-x * x) }
	both := func(b float64, check func(r Result)) {
		check(Integrate(f, math.Inf(-1), b, Options{}))
		check(Integrate(f, -b, math.Inf(1), Options{}))
		r := Integrate(f, b, math.Inf(-1), Options{})
		r.Value = -r.Value
		check(r)
	}
	for _, b := range []float64{7, 38, 1e3, 1e8, 1e16, 1e100, 1e300, math.MaxFloat64} {
		both(b, func(r Result) {
			assert.True(t, r.Status.OK(), "%v: %+v", b, r)
			assert.InDelta(t, math.Sqrt(math.Pi), r.Value, r.Error+1e-15, "%v", b)
			assert.Less(t, r.Error, 1e-11, "%v", b)
		})
	}
	for _, b := range []float64{1e-300, -1e-300, 1e-16, 0, -5e-324} {
		both(b, func(r Result) {
			assert.True(t, r.Status.OK(), "%v: %+v", b, r)
			assert.InDelta(t, math.Sqrt(math.Pi)/2, r.Value, r.Error+2e-16, "%v", b)
		})
	}
	for _, b := range []float64{-38, -1e8, -1e300} {
		both(b, func(r Result) {
			assert.Zero(t, r.Value, "%v", b)
			assert.Equal(t, status.Unknown, r.Status, "%v", b)
			assert.True(t, math.IsInf(r.Error, 1), "%v", b)
		})
	}
}

// Nothing was seen: the value is not claimed, unless the range is finite and was searched.
func TestNothingSeen(t *testing.T) {
	hidden := gaussian(math.Pi*1e7, 1e-3)
	r := Integrate(hidden, math.Inf(-1), math.Inf(1), Options{})
	assert.Equal(t, status.Unknown, r.Status)
	assert.Zero(t, r.Value)
	assert.True(t, math.IsInf(r.Error, 1))
	r = Integrate(hidden, math.Inf(-1), math.Inf(1), Options{Peaks: []Peak{{math.Pi * 1e7, 1e-3}}})
	assert.InDelta(t, 1, r.Value, r.Error)
	// Over a finite range too, unless an absolute tolerance says that there may be nothing.
	for _, p := range []Peak{{12345.678, 1e-3}, {12345.37, 1e-6}, {13000, 1e-9}} {
		r = Integrate(gaussian(p.At, p.Width), 11345.678, 13122.678, Options{})
		assert.Equal(t, status.Unknown, r.Status, "%v", p)
		assert.True(t, math.IsInf(r.Error, 1))
		r = Integrate(gaussian(p.At, p.Width), 11345.678, 13122.678, Options{Peaks: []Peak{p}})
		assert.InDelta(t, 1, r.Value, r.Error+1e-11/p.Width)
		assert.True(t, r.Status.OK())
	}
	nothing := func(float64) float64 { return 0 }
	assert.Equal(t, status.Unknown, Integrate(nothing, -1, 1, Options{}).Status)
	assert.Equal(t, status.Converged, Integrate(nothing, -1, 1, Options{Abs: 1e-300, Rel: 1e-12}).Status)

	for _, p := range []Peak{{0, 0}, {0, -1}, {0, math.Inf(1)}, {math.NaN(), 1}, {math.Inf(-1), 1}, {0, math.NaN()}} {
		assert.Panics(t, func() { Integrate(math.Sin, 0, 1, Options{Peaks: []Peak{p}}) })
	}
	want := Integrate(math.Sin, 0, 1, Options{})
	assert.Equal(t, want, Integrate(math.Sin, 0, 1, Options{Peaks: []Peak{{2, 1}, {-1, 1}, {0, 1}}}), "peaks outside")
}
