package spectrum

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/quad"
	"lamcap/quartercircle"
)

var shapes = []Shape{
	{24, 24, 24}, {24, 24, 6}, {24, 24, 18}, {12, 48, 12}, {48, 12, 5}, {48, 47, 40}, {24, 24, 1},
}

// laws are all of a shape.
func laws(t require.TestingT, s Shape) map[string]Law {
	out := map[string]Law{}
	for name, f := range map[string]func() (Law, error){"capacity": s.Capacity, "initial": s.Initial, "whole": s.Whole} {
		l, err := f()
		require.NoError(t, err)
		out[name] = l
	}
	return out
}

// Of every law: F is 0 and 1 at the ends, the quantile inverts it, its integral is
// its integral, and its second moment is I(κ)/κ.
func TestLaws(t *testing.T) {
	for _, s := range shapes {
		second, err := s.SecondMoment()
		require.NoError(t, err)
		for name, l := range laws(t, s) {
			lo, hi := l.Support()
			assert.Equal(t, [2]float64{0, 1}, [2]float64{l.CDF(lo - 1), l.CDF(hi + 1)})
			assert.InDelta(t, 0, l.CDF(lo+1e-9*(hi-lo)), 1e-3, "%s of %v", name, s)
			assert.InDelta(t, 1, l.CDF(hi-1e-9*(hi-lo)), 1e-9, "%s of %v", name, s)
			previous := lo
			for _, u := range []float64{0, 1e-6, 0.01, 0.1, 0.3, 0.5, 0.77, 0.9, 0.999, 1} {
				x := l.Quantile(u)
				assert.InDelta(t, u, l.CDF(x), 1e-9, "%s of %v at %v", name, s, u)
				assert.GreaterOrEqual(t, x, previous)
				previous = x
			}
			middle := (lo + hi) / 2
			for _, x := range []float64{middle, hi, hi + 1} {
				want := quad.Integrate(l.CDF, lo, x, quad.Options{Abs: 1e-8, Breaks: []float64{hi}})
				assert.InDelta(t, want.Value, l.Integral(x), 1e-7, "%s of %v: ∫F up to %v", name, s, x)
			}
			assert.Zero(t, l.Integral(lo-1))
			moment := quad.Integrate(func(x float64) float64 { return 2 * x * (1 - l.CDF(x)) }, lo, hi, quad.Options{Abs: 1e-8})
			assert.InDelta(t, second, lo*lo+moment.Value, 1e-6, "%s of %v: second moment", name, s)
			assert.Equal(t, second, l.SecondMoment())
		}
	}
}

// The tabulated law of Marchenko and Pastur is that of package quartercircle, and
// at ratio 1 the quarter circle.
func TestMarchenkoPastur(t *testing.T) {
	for _, y := range []float64{0.01, 0.25, 0.6, 0.98, 1} {
		law, err := quartercircle.NewRectangular(y)
		require.NoError(t, err)
		l := marchenkoPastur(y)
		lo, hi := l.support()
		a, b := law.Support()
		assert.InDelta(t, a, lo, 1e-12)
		assert.InDelta(t, b, hi, 1e-12)
		for i := 1; i < 40; i++ {
			x := lo + (hi-lo)*float64(i)/40
			want := law.Survival(x)
			assert.InDelta(t, want.Value, l.survival(x), 1e-10+want.Error, "y = %v, x = %v", y, x)
			assert.InDelta(t, x, l.cut(want.Value), 1e-8)
			if y == 1 {
				assert.InDelta(t, quarterCircle{}.excess(x), l.excess(x), 1e-10)
			}
		}
	}
}

// Moments of the law of Q Rᵀ: E λ = 1 and E λ² = 1 + a + c, as free random variables
// of mean 1 have τ((XY)²) = τ(X²) + τ(Y²) − 1; at a = c = 1, where the law ends at 0
// and 27/4, E λ² = 3.
func TestProductMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, c := rapid.Float64Range(0.01, 0.99).Draw(t, "a"), rapid.Float64Range(0.01, 0.99).Draw(t, "c")
		l := product(a, c)
		// E x^{2k} = ∫ x^{2k} dκ, on the table itself.
		for k, want := range []float64{1, 1, 1 + a + c} {
			sum := 0.0
			for i := range l.x[1:] {
				mx, _ := l.hermite(l.x, l.dx, i, 0.5)
				sum += (l.kappa[i+1] - l.kappa[i]) / 6 * (math.Pow(l.x[i], float64(2*k)) + 4*math.Pow(mx, float64(2*k)) + math.Pow(l.x[i+1], float64(2*k)))
			}
			if math.Abs(sum-want) > 1e-5 {
				t.Fatalf("a = %v, c = %v: E λ^%d = %v, want %v", a, c, k, sum, want)
			}
		}
	})
	_, hi := product(1, 1).support()
	assert.InDelta(t, math.Sqrt(6.75), hi, 1e-12)
}

// Catalan's number 2 for the quarter circle, 1 + y for the rectangular law, and
// 1 + a + c for the product.
func TestFourthMomentsOfLaws(t *testing.T) {
	for want, f := range map[float64]func() (Law, error){
		2: Shape{24, 24, 24}.Capacity, 1.25: Shape{12, 48, 12}.Capacity, 1.75: Shape{12, 24, 6}.Initial, 2.0000000001: Shape{24, 24, 6}.Whole,
	} {
		l, err := f()
		require.NoError(t, err)
		got, err := FourthMomentOf(l)
		require.NoError(t, err)
		assert.InDelta(t, want, got, 1e-6)
	}
}

// W₁ by its other form, ∫_0^1 |x_⌈mu⌉ − F⁻¹(u)| du, and KS over a grid.
func TestDistancesByDefinition(t *testing.T) {
	all := map[int]map[string]Law{}
	for i, s := range shapes {
		all[i] = laws(t, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		l := all[rapid.IntRange(0, len(shapes)-1).Draw(t, "shape")][rapid.SampledFrom([]string{"capacity", "initial", "whole"}).Draw(t, "law")]
		lo, hi := l.Support()
		values := rescale(rapid.SliceOfN(rapid.Float64Range(0, 2), 1, 12).Draw(t, "values"), 1)
		m := float64(len(values))
		const steps = 6000
		w1, ks := 0.0, 0.0
		for i := range steps {
			u := (float64(i) + 0.5) / steps
			w1 += math.Abs(values[int(u*m)]-l.Quantile(u)) / steps
			x := lo - 0.5 + (hi-lo+1)*u
			below := 0.0
			for _, v := range values {
				if v <= x {
					below++
				}
			}
			ks = max(ks, math.Abs(below/m-l.CDF(x)))
		}
		if got := Wasserstein(values, l); math.Abs(got-w1) > 2e-3*(hi-lo) {
			t.Fatalf("W₁ = %v, by quantiles %v", got, w1)
		}
		if got := KolmogorovSmirnov(values, l); got < ks-1e-12 || got > ks+0.05 {
			t.Fatalf("KS = %v, on a grid %v", got, ks)
		}
	})
}

func TestDistancesInClosedForm(t *testing.T) {
	l, err := Shape{24, 24, 24}.Capacity()
	require.NoError(t, err)
	mean := 8 / (3 * math.Pi) // of the quarter circle
	assert.InDelta(t, 5-mean, Wasserstein([]float64{4, 6}, l), 1e-12)
	assert.InDelta(t, mean, Wasserstein([]float64{0, 0, 0}, l), 1e-12)
	assert.Equal(t, 1.0, KolmogorovSmirnov([]float64{4, 6}, l))
	// The quantiles of (i − ½)/m are as near as m values can be in KS.
	values := make([]float64, 10)
	for i := range values {
		values[i] = l.Quantile((float64(i) + 0.5) / 10)
	}
	assert.InDelta(t, 0.05, KolmogorovSmirnov(values, l), 1e-12)
	assert.Zero(t, Wasserstein(nil, l))

	assert.InDelta(t, 1, FourthMoment([]float64{3, 3, 3}), 1e-15)
	assert.InDelta(t, 3, FourthMoment([]float64{0, 7, 0}), 1e-15)
}

func TestRescale(t *testing.T) {
	got, err := Shape{3, 3, 3}.Rescale([]float64{4, 1, 2})
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{1 / math.Sqrt(7), 2 / math.Sqrt(7), 4 / math.Sqrt(7)}, got, 1e-15) // mean square 1
	_, err = Shape{3, 3, 2}.Rescale([]float64{1, 2, 3})
	assert.EqualError(t, err, "3 singular values: want as many as the rank, 2")
	for want, s := range map[string]Shape{
		"d_out × d_in = 0 × 3: want both ≥ 1":            {0, 3, 1},
		"rank = 4: want 1 ≤ rank ≤ min(d_out, d_in) = 3": {3, 5, 4},
		"rank = 0: want 1 ≤ rank ≤ min(d_out, d_in) = 3": {3, 5, 0},
	} {
		for _, f := range []func() (Law, error){s.Capacity, s.Initial, s.Whole} {
			_, err := f()
			assert.EqualError(t, err, want)
		}
	}
}
