package logarithm

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/internal/accuracy"
)

// half is the rounding of a result, half a unit in the last place.
const half = 0x1p-53

func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// smallNumbers are those next to every power of 2 from the least number to beyond the
// first with 53 bits, with few bits and with many.
func smallNumbers() []float64 {
	out := []float64{1e-322, 1e-320, 1e-310, 2e-308, 2.3e-308, 1e-300, 0.5, 1 - 0x1p-53, 3, 1e300}
	for e := -1073; e <= -1015; e++ {
		x := math.Ldexp(1, e)
		out = append(out, math.Nextafter(x, 0), x, math.Nextafter(x, 1), 1.4*x, 1.6*x)
	}
	return out
}

func TestAgainstSeries(t *testing.T) {
	var table accuracy.Table
	natural := table.Add(accuracy.Row{Function: "Natural", Range: "5e-324 … 1e300", Budget: 2 * half})
	decimal := table.Add(accuracy.Row{Function: "Decimal · log 10", Range: "5e-324 … 1e300", Budget: 5 * half})
	for _, x := range smallNumbers() {
		want := accuracy.Log(x)
		natural.Compare(Natural(x), want, text(x))
		decimal.Compare(Decimal(x)*math.Ln10, want, text(x))
	}

	complement := table.Add(accuracy.Row{Function: "OneMinusExp", Range: "−5e-324 … −708", Budget: 4 * half})
	compare := func(z float64) { complement.Compare(OneMinusExp(z), accuracy.LogOneMinusExp(z), text(z)) }
	for _, z := range []float64{5e-324, 1e-320, 0x1p-1022, 1e-300, 1e-100, 1e-17, 1e-16, 1e-8, 0.1,
		math.Nextafter(math.Ln2, 0), math.Ln2, math.Nextafter(math.Ln2, 1), 0.7, 1, 36, 37, 40, 500, 700, 708} {
		compare(-z)
	}
	for z := 5e-324; z < 708; z *= 37 {
		compare(-z)
	}
	table.Check(t)
	assert.InDelta(t, -39.143946580898776, OneMinusExp(-1e-17), 1e-14)
}

// Below, e^z has fewer and fewer bits: half of the least number is the error of its
// rounding, and a whole one that of math.Exp on some architectures.
func TestOneMinusExpWhereItUnderflows(t *testing.T) {
	for z := -708.0; z >= -760; z -= 0.125 {
		assert.InDelta(t, accuracy.LogOneMinusExp(z).Float64(), OneMinusExp(z), math.Exp(z)*4*half+5e-324, "%v", z)
	}
	assert.Zero(t, OneMinusExp(-750))
	assert.Zero(t, OneMinusExp(math.Inf(-1)))
}

func TestEnds(t *testing.T) {
	for name, f := range map[string]func(float64) float64{"Natural": Natural, "Decimal": Decimal} {
		assert.True(t, math.IsInf(f(0), -1), name)
		assert.True(t, math.IsInf(f(math.Copysign(0, -1)), -1), name)
		assert.True(t, math.IsInf(f(math.Inf(1)), 1), name)
		assert.Zero(t, f(1), name)
		for _, x := range []float64{-5e-324, -1e-310, -1, math.Inf(-1), math.NaN()} {
			assert.True(t, math.IsNaN(f(x)), "%s(%v)", name, x)
		}
	}
	assert.True(t, math.IsInf(OneMinusExp(0), -1))
	assert.True(t, math.IsInf(OneMinusExp(math.Copysign(0, -1)), -1))
	for _, z := range []float64{5e-324, 1e-3, math.Inf(1), math.NaN()} {
		assert.True(t, math.IsNaN(OneMinusExp(z)), "%v", z)
	}
	for k := 0; k <= 22; k++ {
		x, err := strconv.ParseFloat("1e"+strconv.Itoa(k), 64)
		assert.NoError(t, err)
		assert.InDelta(t, float64(k), Decimal(x), 4*0x1p-53*float64(k))
	}
}

// Across the first number with 53 bits, and where OneMinusExp changes its form, there is
// no step back: a larger number has no smaller logarithm, but for rounding.
func TestIncreases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := math.Float64frombits(rapid.Uint64Range(1, 1<<55).Draw(t, "bits"))
		y := math.Float64frombits(math.Float64bits(x) + rapid.Uint64Range(1, 1<<50).Draw(t, "further"))
		if a, b := Natural(x), Natural(y); !(b-a >= 4*half*a) {
			t.Fatalf("log %v = %v, log %v = %v", x, a, y, b)
		}
		z := -math.Ln2 * (1 + rapid.Float64Range(-1e-3, 1e-3).Draw(t, "around −log 2"))
		w := z * (1 - math.Pow(2, rapid.Float64Range(-50, -10).Draw(t, "log2 of the step")))
		if a, b := OneMinusExp(z), OneMinusExp(w); !(a-b >= -4*half) {
			t.Fatalf("%v of %v, %v of %v", a, z, b, w)
		}
	})
}

// What this package is for. It is told, not required: a Go that has it right needs none of
// this, and the day it does this says so.
func TestLibrary(t *testing.T) {
	for _, x := range []float64{5e-324, 1e-310, 2e-308} {
		for name, f := range map[string][2]float64{"math.Log": {math.Log(x), Natural(x)}, "math.Log10": {math.Log10(x), Decimal(x)}} {
			if e := math.Abs(f[0]-f[1]) / math.Abs(f[1]); e > 4*half {
				t.Logf("%s(%v) = %v: the logarithm is %v", name, x, f[0], f[1])
			} else {
				t.Logf("%s(%v) is right here: %v", name, x, f[0])
			}
		}
		// These two are relied on.
		assert.InEpsilon(t, Natural(x), math.Log2(x)*math.Ln2, 4*half)
		assert.Equal(t, x, math.Log1p(x))
		assert.Equal(t, -x, math.Expm1(-x))
	}
}
