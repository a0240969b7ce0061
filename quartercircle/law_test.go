package quartercircle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/quad"
)

// ulp is the relative rounding of one operation.
const ulp = 0x1p-53

// overAngles integrates power(x)·ρ(x) over the top of the law by quadrature, with
// x = 2 cos θ so that the edge at 2 is smooth.
func overAngles(theta float64, power func(x float64) float64) quad.Result {
	return quad.Integrate(func(t float64) float64 {
		x := 2 * math.Cos(t)
		return power(x) * Density(x) * 2 * math.Sin(t)
	}, 0, theta, quad.Options{Rel: 1e-13})
}

// Everything in closed form is an integral of the density.
func TestClosedFormsAgainstQuadrature(t *testing.T) {
	one := func(float64) float64 { return 1 }
	square := func(x float64) float64 { return x * x }
	for _, kappa := range []float64{1e-4, 0.003, 0.05, 0.18, 0.25, 0.4999, 0.5, 0.5001, 0.75, 0.95, 0.9999, 1} {
		x, err := Cut(kappa)
		require.NoError(t, err)
		theta := math.Acos(x / 2)
		// The rounding of x = 2 cos θ is ε/θ² of the density at small θ; that of θ
		// itself alike.
		tolerance := 1e-13 + 8*ulp/(theta*theta)
		r := overAngles(theta, one)
		assert.InEpsilon(t, r.Value, kappa, tolerance, "κ = %v", kappa)
		assert.InEpsilon(t, r.Value, Survival(x), tolerance, "survival at κ = %v", kappa)
		assert.InDelta(t, 1-r.Value, CDF(x), tolerance, "CDF at κ = %v", kappa)
		r = overAngles(theta, square)
		i, err := TruncatedSecondMoment(kappa)
		require.NoError(t, err)
		assert.InEpsilon(t, r.Value, i, tolerance, "I at κ = %v", kappa)
		alpha, err := Capacity(kappa)
		require.NoError(t, err)
		assert.Equal(t, i/2, alpha)
	}
}

func TestEnds(t *testing.T) {
	x, err := Cut(1)
	require.NoError(t, err)
	assert.Zero(t, x)
	i, err := TruncatedSecondMoment(1)
	require.NoError(t, err)
	assert.Equal(t, 1.0, i)
	alpha, err := Capacity(1)
	require.NoError(t, err)
	assert.Equal(t, 0.5, alpha)
	kappa, err := Kappa(0.5)
	require.NoError(t, err)
	assert.Equal(t, 1.0, kappa)
	for p, want := range map[float64]float64{0: 0, 1: 2} {
		x, err := Quantile(p)
		require.NoError(t, err)
		assert.Equal(t, want, x)
	}
	for _, x := range []float64{-1, -0x1p-1074, 2.0000000000000004, 3, math.Inf(1), math.Inf(-1)} {
		assert.Zero(t, Density(x))
		if x < 0 {
			assert.Zero(t, CDF(x))
			assert.Equal(t, 1.0, Survival(x))
		} else {
			assert.Equal(t, 1.0, CDF(x))
			assert.Zero(t, Survival(x))
		}
	}
	for _, f := range []func(float64) float64{Density, CDF, Survival} {
		assert.True(t, math.IsNaN(f(math.NaN())))
	}
}

// I = 4κ(1 − O(κ^{2/3})): at κ = 1e-24 what follows is below the rounding, and
// still nothing has underflowed.
func TestSmallRank(t *testing.T) {
	for _, kappa := range []float64{1e-24, 1e-100, 1e-300} {
		i, err := TruncatedSecondMoment(kappa)
		require.NoError(t, err)
		assert.InEpsilon(t, 4*kappa, i, 2e-15)
		back, err := Kappa(2 * kappa)
		require.NoError(t, err)
		assert.InEpsilon(t, kappa, back, 2e-15)
	}
}

// drawFraction draws from (0, 1) with both ends on a log scale: the closed forms
// change their branch in the middle and lose digits at the ends if they do.
func drawFraction(t *rapid.T, name string) float64 {
	e := rapid.Float64Range(-15, -0.3).Draw(t, "log10 "+name)
	f := math.Pow(10, e)
	if rapid.Bool().Draw(t, "upper "+name) {
		return 1 - f
	}
	return f
}

func TestSurvivalInvertsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kappa := drawFraction(t, "kappa")
		x, err := Cut(kappa)
		if err != nil {
			t.Fatal(err)
		}
		// The rounding of x moves κ by ρ(x) of it.
		tolerance := 8 * ulp * (kappa + Density(x)*x)
		if got := Survival(x); !(math.Abs(got-kappa) <= tolerance) {
			t.Fatalf("κ = %v: x = %v, Survival %v, off by %.2g, allowed %.2g", kappa, x, got, got-kappa, tolerance)
		}
	})
}

func TestCDFInvertsQuantile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawFraction(t, "p")
		x, err := Quantile(p)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 8 * ulp * (p + Density(x)*x)
		if got := CDF(x); !(math.Abs(got-p) <= tolerance) {
			t.Fatalf("p = %v: x = %v, CDF %v, off by %.2g, allowed %.2g", p, x, got, got-p, tolerance)
		}
	})
}

func TestCDFAndSurvivalAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0, 2).Draw(t, "x")
		if s := CDF(x) + Survival(x); !(math.Abs(s-1) <= 2*ulp) {
			t.Fatalf("x = %v: CDF + Survival − 1 = %.3g", x, s-1)
		}
	})
}

func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(0, 2).Draw(t, "x"), rapid.Float64Range(0, 2).Draw(t, "y")
		x, y = min(x, y), max(x, y)
		// Up to the rounding of either value.
		if !(CDF(x) <= CDF(y)*(1+4*ulp)) {
			t.Fatalf("CDF(%v) = %v > CDF(%v) = %v", x, CDF(x), y, CDF(y))
		}
		if !(Survival(y) <= Survival(x)*(1+8*ulp)) {
			t.Fatalf("Survival(%v) = %v > Survival(%v) = %v", y, Survival(y), x, Survival(x))
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawFraction(t, "a"), drawFraction(t, "b")
		a, b = min(a, b), max(a, b)
		low, _ := Capacity(a)
		high, _ := Capacity(b)
		if !(low <= high*(1+8*ulp)) {
			t.Fatalf("α(%v) = %v > α(%v) = %v", a, low, b, high)
		}
	})
}

// α(κ(α)) = α: this way round the trip is well-conditioned everywhere, because
// κ dα/dκ = κx²/2 ≤ α.
func TestCapacityInvertsKappa(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alpha := drawFraction(t, "2α") / 2
		kappa, err := Kappa(alpha)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Capacity(kappa)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got-alpha) <= 16*ulp*alpha) {
			t.Fatalf("α = %v: κ = %v, α(κ) − α = %.3g", alpha, kappa, got-alpha)
		}
	})
}

// κ(α(κ)) = κ as far as α, rounded, still knows κ: dκ/dα = 2/x², and at the end,
// where x = 0, 1 − κ is the cube root of 1 − 2α.
func TestKappaInvertsCapacity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kappa := drawFraction(t, "kappa")
		alpha, err := Capacity(kappa)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Kappa(alpha)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := Cut(kappa)
		tolerance := 16 * ulp * (kappa + 2*alpha/(x*x))
		// 1 − 2α ≈ (2/(3π)) (π(1 − κ)/2)³; four roundings of it move 1 − κ by at most
		// the cube root.
		tolerance = math.Min(tolerance, 2*2/math.Pi*math.Cbrt(1.5*math.Pi*4*ulp))
		if !(math.Abs(got-kappa) <= tolerance) {
			t.Fatalf("κ = %v: α = %v, κ(α) − κ = %.3g, allowed %.3g", kappa, alpha, got-kappa, tolerance)
		}
	})
}

func TestWrongArguments(t *testing.T) {
	functions := map[string]func(float64) (float64, error){
		"Cut": Cut, "TruncatedSecondMoment": TruncatedSecondMoment, "Capacity": Capacity,
	}
	for name, f := range functions {
		for _, kappa := range []float64{0, -0.5, 1.2, math.Inf(1), math.NaN()} {
			v, err := f(kappa)
			assert.ErrorContains(t, err, "want 0 < kappa ≤ 1", "%s(%v)", name, kappa)
			assert.True(t, math.IsNaN(v), "%s(%v)", name, kappa)
		}
	}
	_, err := Capacity(1.2)
	assert.EqualError(t, err, "kappa = 1.2: want 0 < kappa ≤ 1")
	for _, p := range []float64{-0.1, 1.0000000000000002, math.NaN()} {
		v, err := Quantile(p)
		assert.ErrorContains(t, err, "want 0 ≤ p ≤ 1")
		assert.True(t, math.IsNaN(v))
	}
	for _, alpha := range []float64{0, -1, 0.5000000000000001, math.NaN()} {
		v, err := Kappa(alpha)
		assert.ErrorContains(t, err, "want 0 < alpha ≤ 0.5")
		assert.True(t, math.IsNaN(v))
	}
}
