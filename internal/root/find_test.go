package root

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/internal/status"
)

func TestFind(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name       string
		f          func(float64) float64
		lo, hi     float64
		want       float64
		ulps       float64 // distance from want, in units of want's last place
		maxPerRoot int     // evaluations
	}{
		{"square root of 2", func(x float64) float64 { return x*x - 2 }, 0, 2, math.Sqrt2, 4, 12},
		{"reversed bracket", func(x float64) float64 { return x*x - 2 }, 2, 0, math.Sqrt2, 4, 12},
		{"cosine fixed point", func(x float64) float64 { return math.Cos(x) - x }, 0, 1, 0.73908513321516064, 4, 10},
		// f(a)·f(b) underflows to 0, f(a)−f(b) does not.
		{"tiny values", func(x float64) float64 { return 1e-200 * (x - 1) }, 0, 20, 1, 1, 10},
		{"denormal values", func(x float64) float64 { return 1e-320 * (x - 1) }, 0, 20, 1, 1, 60},
		{"huge values", func(x float64) float64 { return 1e300 * (x*x*x - 8) }, -3, 20, 2, 4, 20},
		{"exponential", func(x float64) float64 { return math.Exp(x) - 1e-30 }, -100, 10, -30 * math.Ln10, 4, 20},
		{"infinite at an end", math.Log, 0, 10, 1, 4, 20},
		{"infinite at both ends", func(x float64) float64 { return math.Log(x / (1 - x)) }, 0, 1, 0.5, 4, 10},
		{"infinite limits", func(x float64) float64 { return x - 3 }, -inf, inf, 3, 4, 150},
		{"tiny root", func(x float64) float64 { return x - 1e-100 }, -1e300, 1e300, 1e-100, 4, 150},
		{"exact at lo", func(x float64) float64 { return x }, 0, 1, 0, 0, 2},
		{"exact at hi", func(x float64) float64 { return x }, -1, 0, 0, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Find(c.f, c.lo, c.hi, Options{})
			t.Logf("%+v", r)
			assert.Equal(t, status.Converged, r.Status)
			ulp := math.Nextafter(math.Abs(c.want), inf) - math.Abs(c.want)
			assert.LessOrEqual(t, math.Abs(r.X-c.want), c.ulps*ulp)
			assert.LessOrEqual(t, r.Evaluations, c.maxPerRoot)
			assert.Equal(t, c.f(r.X), r.F, "F is the residual at X")
			assert.True(t, r.Lo <= r.X && r.X <= r.Hi)
		})
	}
}

// (x−1)³ is below 1e-300 only within 1e-100 of 1, but in floats it is 0 at 1 alone:
// the values near it are 1e-48 and keep their sign.
func TestFindFlatCubic(t *testing.T) {
	r := Find(func(x float64) float64 { return (x - 1) * (x - 1) * (x - 1) }, -1, 20, Options{})
	assert.Equal(t, status.Converged, r.Status)
	assert.InDelta(t, 1, r.X, 1e-15)
}

// The cube underflows below 1.7e-108: any x there is an exact zero of what was given.
func TestFindCubicAtZero(t *testing.T) {
	r := Find(func(x float64) float64 { return x * x * x }, -1, 20, Options{})
	assert.Equal(t, status.Converged, r.Status)
	assert.Zero(t, r.F)
	assert.Less(t, math.Abs(r.X), 2e-108)
}

func TestFindJumpAndPole(t *testing.T) {
	jump := Find(func(x float64) float64 {
		if x < 0.3 {
			return -1
		}
		return 2
	}, 0, 1, Options{})
	assert.Equal(t, status.Converged, jump.Status)
	assert.InDelta(t, 0.3, jump.X, 1e-15)
	assert.Equal(t, -1.0, jump.F, "the residual shows that it is no zero")

	pole := Find(func(x float64) float64 { return 1 / (x - 0.3) }, 0, 1, Options{})
	assert.InDelta(t, 0.3, pole.X, 1e-15)
	assert.Greater(t, math.Abs(pole.F), 1e14)

	// Infinite on both sides: nothing was found.
	infinite := Find(func(x float64) float64 { return math.Inf(int(math.Copysign(1, x-0.3))) }, 0, 1, Options{})
	assert.Equal(t, status.Diverged, infinite.Status)
}

func TestFindStatus(t *testing.T) {
	none := Find(func(x float64) float64 { return x*x + 1 }, -1, 2, Options{})
	assert.Equal(t, status.NoBracket, none.Status)
	assert.Equal(t, 2.0, none.F, "the end with the smaller |f|")

	nan := Find(math.Sqrt, -1, 2, Options{})
	assert.Equal(t, status.Diverged, nan.Status)
	inside := Find(func(x float64) float64 {
		if x > 0.2 && x < 0.8 {
			return math.NaN()
		}
		return x - 0.5
	}, 0, 1, Options{})
	assert.Equal(t, status.Diverged, inside.Status)
	assert.True(t, math.IsNaN(inside.F))
	assert.Equal(t, status.Diverged, Find(math.Sin, math.NaN(), 1, Options{}).Status)

	few := Find(func(x float64) float64 { return math.Exp(x) - 1e-30 }, -100, 10, Options{MaxIterations: 3})
	assert.Equal(t, status.MaxIterations, few.Status)
	assert.Equal(t, 5, few.Evaluations)
	assert.Less(t, few.Lo, few.Hi)

	assert.Panics(t, func() { Find(math.Sin, -1, 1, Options{RelX: -1}) })
}

func TestFindTolerances(t *testing.T) {
	f := func(x float64) float64 { return x*x - 2 }
	byX := Find(f, 0, 2, Options{AbsX: 1e-3})
	assert.Equal(t, status.Converged, byX.Status)
	assert.LessOrEqual(t, byX.Hi-byX.Lo, 1e-3)
	assert.Greater(t, byX.Hi-byX.Lo, 0.0)
	byF := Find(f, 0, 2, Options{AbsF: 1e-2})
	assert.Equal(t, status.Converged, byF.Status)
	assert.LessOrEqual(t, math.Abs(byF.F), 1e-2)
}

// The bracket always holds a sign change, whatever the function.
func TestFindKeepsBracket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := rapid.Float64Range(-1e6, 1e6).Draw(t, "root")
		power := rapid.SampledFrom([]float64{0.1, 1.0 / 3, 1, 3, 9}).Draw(t, "power")
		scale := math.Pow(10, rapid.Float64Range(-250, 250).Draw(t, "log scale"))
		f := func(x float64) float64 {
			return math.Copysign(scale*math.Pow(math.Abs(x-root), power), x-root)
		}
		lo := root - rapid.Float64Range(1e-9, 1e7).Draw(t, "below")
		hi := root + rapid.Float64Range(1e-9, 1e7).Draw(t, "above")
		r := Find(f, lo, hi, Options{})
		if r.Status != status.Converged || r.Lo > root && f(r.X) != 0 || r.Hi < root && f(r.X) != 0 {
			t.Fatalf("%+v does not hold %v", r, root)
		}
		if f(r.X) != 0 && r.Hi-r.Lo > 8*(math.Nextafter(math.Abs(r.X), math.Inf(1))-math.Abs(r.X)) {
			t.Fatalf("%+v is wider than 8 ulp", r)
		}
		if r.Evaluations > 150 {
			t.Fatalf("%d evaluations: %+v", r.Evaluations, r)
		}
	})
}

func TestMiddleFloat(t *testing.T) {
	assert.Equal(t, 1.5, middleFloat(1, 2))
	assert.Zero(t, middleFloat(-3, 3))
	assert.InEpsilon(t, 1.0, middleFloat(1e-100, 1e100), 1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		if m := middleFloat(min(a, b), max(a, b)); !(m >= min(a, b) && m <= max(a, b)) {
			t.Fatalf("middle of %v and %v is %v", a, b, m)
		}
	})
}

// Signs are compared, not the sign of a product: f(a) f(b) is 0 for values below 1e-162 and
// −0·x is a sign of its own. Whatever the size of the values, down to the least number, the
// sign change is found, and values of one sign are none; a zero at an end, of either sign,
// is that zero.
func TestFindComparesSigns(t *testing.T) {
	for _, size := range []float64{1e-150, 1e-162, 1e-200, 1e-300, 0x1p-1022, 1e-310, 1e-323, 5e-324} {
		for _, sign := range []float64{1, -1} {
			step := func(at float64) func(x float64) float64 {
				return func(x float64) float64 { return math.Copysign(sign*size, sign*(x-at)) }
			}
			at := 0.3
			r := Find(step(at), -1, 2, Options{})
			assert.Equal(t, status.Converged, r.Status, "±%v", size)
			assert.InDelta(t, at, r.X, 1e-15)
			assert.Equal(t, size, math.Abs(r.F))
			a, b, ok := Expand(step(at), -4, 1, -100, 100)
			assert.True(t, ok, "±%v", size)
			assert.True(t, a <= at && at <= b)

			none := func(float64) float64 { return sign * size }
			assert.Equal(t, status.NoBracket, Find(none, -1, 2, Options{}).Status, "%v", sign*size)
			_, _, ok = Expand(none, 0, 1, -100, 100)
			assert.False(t, ok)
		}
	}
	for _, zero := range []float64{0, math.Copysign(0, -1)} {
		for _, other := range []float64{5e-324, -5e-324, 1, -1, math.Inf(1), zero, -zero} {
			f := func(x float64) float64 {
				if x == 1 {
					return zero
				}
				return other
			}
			for _, ends := range [][2]float64{{1, 3}, {3, 1}, {-3, 1}, {1, -3}} {
				r := Find(f, ends[0], ends[1], Options{})
				assert.Equal(t, status.Converged, r.Status)
				assert.Zero(t, r.F)
				assert.Zero(t, f(r.X), "%v", r)
			}
			a, b, ok := Expand(f, 1, 1, -3, 3)
			assert.True(t, ok)
			assert.Equal(t, [2]float64{1, 1}, [2]float64{a, b})
		}
	}
}

// A search whose budget is spent has not converged, whatever the budget, and F is the
// residual at X.
func TestFindBudgets(t *testing.T) {
	f := func(x float64) float64 { return math.Exp(x) - 1e-30 }
	whole := Find(f, -100, 10, Options{})
	for budget := 1; budget < whole.Evaluations-2; budget++ {
		r := Find(f, -100, 10, Options{MaxIterations: budget})
		assert.Equal(t, status.MaxIterations, r.Status, "%d of %d", budget, whole.Evaluations-2)
		assert.Equal(t, f(r.X), r.F)
		assert.LessOrEqual(t, r.Evaluations, budget+2)
	}
}
