package saddle_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/status"
	"lamcap/saddle"
)

func mustStore(t require.TestingT, weights, p, n int) (probability, complement float64) {
	r, err := transition.Probability(float64(weights), float64(p), float64(n))
	require.NoError(t, err)
	require.Equal(t, status.Converged, r.Status)
	require.Less(t, r.Error, 1e-11)
	return r.Value, r.Complement
}

// transition keeps the laws for all tests; what it returns does not depend on what
// it was asked before.
var transition = saddle.NewTransition()

// relativeTo is |got/want − 1| for an exact want.
func relativeTo(got float64, want *big.Rat) float64 {
	if want.Sign() == 0 {
		return math.Abs(got)
	}
	r, _ := new(big.Rat).Quo(new(big.Rat).Sub(new(big.Rat).SetFloat64(got), want), want).Float64()
	return math.Abs(r)
}

// Cover's theorem in rational arithmetic: 2^{1−p} Σ_{k<N} C(p−1, k), and the
// complement, whose terms are the others.
func TestCoversTheorem(t *testing.T) {
	for _, p := range []int{1, 2, 3, 10, 41, 150} {
		for _, weights := range []int{0, 1, 2, 3, 5, 10, 20, 21, 60, 75, 90, 150, 151, 400} {
			below, above := new(big.Int), new(big.Int)
			for k := range p {
				term := new(big.Int).Binomial(int64(p-1), int64(k))
				if k < weights {
					below.Add(below, term)
				} else {
					above.Add(above, term)
				}
			}
			scale := new(big.Int).Lsh(big.NewInt(1), uint(p-1))
			probability, complement := mustStore(t, weights, p, 2)
			assert.LessOrEqual(t, relativeTo(probability, new(big.Rat).SetFrac(below, scale)), 1e-13, "N = %d, p = %d", weights, p)
			assert.LessOrEqual(t, relativeTo(complement, new(big.Rat).SetFrac(above, scale)), 1e-13, "1 − P, N = %d, p = %d", weights, p)
		}
	}
}

// n = 3 has rational volumes too, (1/3, 1/2, 1/6).
func TestThreeCandidatesExactly(t *testing.T) {
	volumes := []*big.Rat{big.NewRat(1, 3), big.NewRat(1, 2), big.NewRat(1, 6)}
	law := []*big.Rat{big.NewRat(1, 1)}
	for p := 1; p <= 25; p++ {
		next := make([]*big.Rat, len(law)+2)
		for i := range next {
			next[i] = new(big.Rat)
		}
		for i, x := range law {
			for j, y := range volumes {
				next[i+j].Add(next[i+j], new(big.Rat).Mul(x, y))
			}
		}
		law = next
		for weights := range 2*p + 3 {
			want := new(big.Rat)
			for j := weights - 1; j >= 0; j -= 2 {
				if j < len(law) {
					want.Add(want, law[j])
				}
			}
			want.Add(want, want)
			probability, _ := mustStore(t, weights, p, 3)
			assert.LessOrEqual(t, relativeTo(probability, want), 1e-13, "N = %d, p = %d", weights, p)
		}
	}
}

// The brackets of theory §5, n = p at N = d² weights.
func TestTransitionOfTheTheory(t *testing.T) {
	for d, loads := range map[int]map[int]float64{
		12: {38: .804, 40: .505, 42: .212, 44: .057},
		24: {109: .954, 112: .815, 115: .550, 119: .190, 122: .053},
		32: {175: .935, 179: .749, 182: .520, 186: .221, 190: .058},
		48: {341: .943, 348: .693, 351: .518, 355: .287, 362: .053},
	} {
		for p, want := range loads {
			probability, _ := mustStore(t, d*d, p, p)
			assert.InDelta(t, want, probability, 5.1e-4, "d = %d, p = %d", d, p)
		}
	}
}

// A certain event is certain, an impossible one impossible.
func TestStorableEnds(t *testing.T) {
	// Without weights nothing is stored; with N > p(n − 1) any constraints are met.
	probability, complement := mustStore(t, 0, 5, 7)
	assert.Zero(t, probability)
	assert.InDelta(t, 1, complement, 1e-14)
	probability, complement = mustStore(t, 5*6+1, 5, 7)
	assert.InDelta(t, 1, probability, 1e-14)
	assert.Zero(t, complement)
	// One weight, one fact of two candidates: the sign of W is free.
	probability, _ = mustStore(t, 1, 1, 2)
	assert.InDelta(t, 1, probability, 1e-15)
}

// P + (1 − P) = 1, more weights help, more facts and more candidates hurt.
func TestStorableProbabilityIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		p := rapid.IntRange(1, 60).Draw(t, "p")
		weights := rapid.IntRange(0, p*min(n-1, 5)+2).Draw(t, "weights")
		const rounding = 1e-13
		probability, complement := mustStore(t, weights, p, n)
		if !(probability >= 0 && complement >= 0) || !(math.Abs(probability+complement-1) <= rounding) {
			t.Fatalf("P = %v, 1 − P = %v", probability, complement)
		}
		if more, _ := mustStore(t, weights+1, p, n); !(more >= probability*(1-rounding)) {
			t.Fatalf("one weight more: %v → %v", probability, more)
		}
		if more, _ := mustStore(t, weights, p+1, n); !(more <= probability*(1+rounding)) {
			t.Fatalf("one fact more: %v → %v", probability, more)
		}
		if more, _ := mustStore(t, weights, p, n+1); !(more <= probability*(1+rounding)) {
			t.Fatalf("one candidate more: %v → %v", probability, more)
		}
	})
}
