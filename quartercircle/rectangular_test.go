package quartercircle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/quad"
)

func mustRectangular(t require.TestingT, y float64) Rectangular {
	law, err := NewRectangular(y)
	require.NoError(t, err)
	return law
}

// within checks |got − want| ≤ got.Error + extra, and that the error says
// something.
func within(t *rapid.T, what string, got Value, want, extra float64) {
	if !got.Status.OK() || !(got.Error < 1e-9) {
		t.Fatalf("%s: %+v", what, got)
	}
	const subnormal = 0x1p-1070 // the rounding of subnormal values is not relative
	if !(math.Abs(got.Value-want) <= got.Error+extra+subnormal) {
		t.Fatalf("%s = %v, want %v: off by %.2g, bound %.2g", what, got.Value, want, got.Value-want, got.Error)
	}
}

func TestRectangularOfRatioOneIsTheQuarterCircle(t *testing.T) {
	law := mustRectangular(t, 1)
	lo, hi := law.Support()
	assert.Equal(t, [2]float64{0, 2}, [2]float64{lo, hi})
	assert.InEpsilon(t, Density(0), law.Density(0), 2e-15)
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0, 2).Draw(t, "x")
		if got, want := law.Density(x), Density(x); !(math.Abs(got-want) <= 8*ulp*want) {
			t.Fatalf("ρ(%v) = %v, square law %v", x, got, want)
		}
		within(t, "Survival", law.Survival(x), Survival(x), 8*ulp*Survival(x))
		within(t, "CDF", law.CDF(x), CDF(x), 8*ulp*CDF(x))

		kappa := drawFraction(t, "kappa")
		want, _ := Cut(kappa)
		got, err := law.Cut(kappa)
		require.NoError(t, err)
		within(t, "Cut", got, want, 8*ulp*want)
		want, _ = TruncatedSecondMoment(kappa)
		got, err = law.TruncatedSecondMoment(kappa)
		require.NoError(t, err)
		within(t, "I", got, want, 8*ulp*want)
		capacity, err := law.Capacity(kappa)
		require.NoError(t, err)
		if capacity.Value != got.Value/2 || capacity.Error != got.Error/2 {
			t.Fatalf("capacity %+v is not half of %+v", capacity, got)
		}
	})
}

// survivalInClosedForm integrates (2/π) sin²φ/(1 + y + 2√y cos φ) by partial
// fractions. It cancels like ε/y, and is not what the package evaluates.
func survivalInClosedForm(y, x float64) float64 {
	s := math.Sqrt(y)
	phi := math.Acos(math.Max(-1, math.Min(1, (x*x-1-y)/(2*s))))
	arctan := math.Pi / 2
	if phi < math.Pi {
		arctan = math.Atan((1 - s) / (1 + s) * math.Tan(phi/2))
	}
	return 2 / math.Pi * (-math.Sin(phi)/(2*s) + (1+y)*phi/(4*y) - (1-y)/(2*y)*arctan)
}

func TestRectangularAgainstClosedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Closer to 1 the angle of the closed form is no longer accurate enough.
		y := rapid.Float64Range(0.01, 0.9).Draw(t, "y")
		law := mustRectangular(t, y)
		lo, hi := law.Support()
		x := lo + (hi-lo)*rapid.Float64Range(0, 1).Draw(t, "share")
		want := survivalInClosedForm(y, x)
		// acos is off by ε/sin φ, where the density has sin²φ/x² ≤ sin²φ/lo².
		extra := 40*ulp/y + 4*ulp/(lo*lo)
		within(t, "Survival", law.Survival(x), want, extra)
		within(t, "CDF", law.CDF(x), 1-want, extra)
	})
}

// Both moments from the density itself: it is normalised, and its second moment
// is 1 for every ratio.
func TestRectangularMoments(t *testing.T) {
	for _, y := range []float64{1, 0.99, 0.5, 0.25, 0.03, 1e-4} {
		law := mustRectangular(t, y)
		lo, hi := law.Support()
		for power := range 3 {
			r := quad.Integrate(func(x float64) float64 {
				return math.Pow(x, float64(power)) * law.Density(x)
			}, lo, hi, quad.Options{Rel: 1e-10, Breaks: []float64{(lo + hi) / 2}})
			require.True(t, r.Status.OK())
			switch power {
			case 1: // no closed form; between the ends, and below √(second moment)
				assert.Less(t, r.Value, 1.0)
			default:
				assert.InDelta(t, 1, r.Value, 1e-9, "y = %v, power %d", y, power)
			}
		}
		i, err := law.TruncatedSecondMoment(1)
		require.NoError(t, err)
		assert.Equal(t, 1.0, i.Value, "y = %v", y)
		x, err := law.Cut(1)
		require.NoError(t, err)
		assert.InDelta(t, lo, x.Value, 4*ulp)
	}
}

func TestRectangularSurvivalInvertsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		law := mustRectangular(t, math.Pow(10, rapid.Float64Range(-6, 0).Draw(t, "log10 y")))
		kappa := drawFraction(t, "kappa")
		x, err := law.Cut(kappa)
		require.NoError(t, err)
		// The error of x moves κ by the density next to it.
		slope := math.Max(law.Density(x.Value-x.Error), law.Density(x.Value+x.Error))
		within(t, "Survival(Cut)", law.Survival(x.Value), kappa, 1.1*slope*x.Error+ulp)
		within(t, "CDF(Cut)", law.CDF(x.Value), 1-kappa, 1.1*slope*x.Error+ulp)
		share := kappa
		i, err := law.TruncatedSecondMoment(kappa)
		require.NoError(t, err)
		if !(i.Value >= share*(1-1e-14)) {
			t.Fatalf("the top %v of the singular values hold %v of the square", share, i.Value)
		}
	})
}

func TestRectangularOutsideItsSupport(t *testing.T) {
	law := mustRectangular(t, 0.25)
	lo, hi := law.Support()
	assert.Equal(t, [2]float64{0.5, 1.5}, [2]float64{lo, hi})
	for _, x := range []float64{-1, 0, 0.4999, 1.5001, math.Inf(1)} {
		assert.Zero(t, law.Density(x), "x = %v", x)
		want := 0.0
		if x > 1 {
			want = 1
		}
		assert.InDelta(t, want, law.CDF(x).Value, law.CDF(x).Error, "x = %v", x)
		assert.InDelta(t, 1-want, law.Survival(x).Value, law.Survival(x).Error, "x = %v", x)
	}
	assert.True(t, math.IsNaN(law.Density(math.NaN())))
	assert.False(t, law.CDF(math.NaN()).Status.OK())
	assert.False(t, law.Survival(math.NaN()).Status.OK())
}

func TestRectangularWrongArguments(t *testing.T) {
	for _, y := range []float64{0, -1, 1.0000000000000002, math.NaN()} {
		_, err := NewRectangular(y)
		assert.ErrorContains(t, err, "want 0 < ratio ≤ 1")
	}
	law := mustRectangular(t, 0.5)
	for name, f := range map[string]func(float64) (Value, error){
		"Cut": law.Cut, "TruncatedSecondMoment": law.TruncatedSecondMoment, "Capacity": law.Capacity,
	} {
		v, err := f(0)
		assert.EqualError(t, err, "kappa = 0: want 0 < kappa ≤ 1", name)
		assert.True(t, math.IsNaN(v.Value), name)
		assert.False(t, v.Status.OK(), name)
	}
}
