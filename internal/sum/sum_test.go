package sum

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// exact sums in arithmetic wide enough for every float64.
func exact(x []float64) float64 {
	total := new(big.Float).SetPrec(2200)
	for _, v := range x {
		total.Add(total, big.NewFloat(v))
	}
	result, _ := total.Float64()
	return result
}

func TestNeumaierKeepsWhatALoopLoses(t *testing.T) {
	// The loop gives 0: 1 is lost in 1e100. Kahan's sum gives 0 as well.
	var s Neumaier
	for _, v := range []float64{1, 1e100, 1, -1e100} {
		s.Add(v)
	}
	assert.Equal(t, 2.0, s.Sum())

	var tenths Neumaier
	loop := 0.0
	for range 10_000_000 {
		tenths.Add(0.1)
		loop += 0.1
	}
	assert.Equal(t, 1e6, tenths.Sum())
	assert.Greater(t, math.Abs(loop-1e6), 1e-5, "a loop drifts")
}

// sharp has squares that a fused sum does not round: (1 + 2⁻³⁰)² = 1 + 2⁻²⁹ + 2⁻⁶⁰.
var sharp = []float64{1 + 0x1p-30, -(1 + 0x1p-29)}

// A product that is added is rounded first, also where the processor could fuse the two
// (arm64, GOAMD64=v3): the compensation would be that of another sum.
func TestNeumaierIsNotFused(t *testing.T) {
	a, c := sharp[0], sharp[1]
	assert.Equal(t, 0x1p-60, math.FMA(a, a, c), "a fused sum is told from a rounded one")
	for _, first := range []float64{c, 1e10 * c} {
		var fused, rounded Neumaier
		fused.Add(first)
		fused.Add(a * a)
		product := float64(a * a)
		rounded.Add(first)
		rounded.Add(product)
		assert.Equal(t, rounded, fused, "total and compensation, bit by bit")
	}
	var s Neumaier
	s.Add(c)
	s.Add(a * a)
	assert.Zero(t, s.Sum())
}

func TestNeumaierInfinities(t *testing.T) {
	var s Neumaier
	assert.Zero(t, s.Sum())
	s.Add(1)
	s.Add(math.Inf(1))
	s.Add(1)
	assert.True(t, math.IsInf(s.Sum(), 1))
	s.Add(math.Inf(-1))
	assert.True(t, math.IsNaN(s.Sum()))

	var overflow Neumaier
	overflow.Add(math.MaxFloat64)
	overflow.Add(math.MaxFloat64)
	assert.True(t, math.IsInf(overflow.Sum(), 1))
}

func draw(t *rapid.T) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(-1e20, 1e20), 0, 300).Draw(t, "terms")
}

// tolerance is one rounding of the result and the second-order term.
func tolerance(x []float64, want float64) float64 {
	total := 0.0
	for _, v := range x {
		total += math.Abs(v)
	}
	n := float64(len(x))
	return 0x1p-52*math.Abs(want) + n*n*0x1p-104*total
}

func TestSumsMatchExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := draw(t)
		var s Neumaier
		absolute := 0.0
		for _, v := range x {
			s.Add(v)
			absolute += math.Abs(v)
		}
		want := exact(x)
		if math.Abs(s.Sum()-want) > tolerance(x, want) {
			t.Fatalf("Neumaier %v, exact %v", s.Sum(), want)
		}
		if got := Pairwise(x); math.Abs(got-want) > (leaf+3)*0x1p-53*absolute {
			t.Fatalf("Pairwise %v, exact %v", got, want)
		}
	})
}

// Partial sums merged in order are as good as one sum, wherever the cuts are.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := draw(t)
		cut := rapid.IntRange(0, len(x)).Draw(t, "cut")
		var first, second Neumaier
		for _, v := range x[:cut] {
			first.Add(v)
		}
		for _, v := range x[cut:] {
			second.Add(v)
		}
		first.Merge(second)
		want := exact(x)
		if math.Abs(first.Sum()-want) > tolerance(x, want) {
			t.Fatalf("merged %v, exact %v", first.Sum(), want)
		}
	})
}

// Halving keeps within (leaf + log2 n) roundings of 2^−53; a loop over 2^20 terms
// does not.
func TestPairwiseIsBetterThanALoop(t *testing.T) {
	x := make([]float64, 1<<20)
	loop := 0.0
	for i := range x {
		x[i] = 0.1
		loop += 0.1
	}
	const want, bound = 0.1 * (1 << 20), (leaf + 20) * 0x1p-53
	assert.InEpsilon(t, want, Pairwise(x), bound)
	assert.Greater(t, math.Abs(loop-want)/want, 100*bound)
	assert.Zero(t, Pairwise(nil))
}

func BenchmarkNeumaier(b *testing.B) {
	var s Neumaier
	for i := 0; i < b.N; i++ {
		s.Add(0.1)
	}
	sink = s.Sum()
}

var sink float64
