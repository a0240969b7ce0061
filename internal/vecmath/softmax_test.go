package vecmath_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// special draws scores of which some are −Inf, below the floor, or large.
func special[T vecmath.Float](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		switch rng.IntN(8) {
		case 0:
			x[i] = T(math.Inf(-1))
		case 1:
			x[i] = T(-1000 * rng.Float64())
		default:
			x[i] = T(20 * rng.NormFloat64())
		}
	}
	return x
}

// SoftmaxColumns against its definition, term by term: a score equals that of
// Exp, best and the count are exact, a sum is exact up to its rounding.
func testSoftmaxColumns[T vecmath.Float](t *testing.T) {
	u := unit[T]()
	levels(t, func(t *testing.T, l simd.Level) {
		r := vecmath.New[T](l)
		rapid.Check(t, func(t *rapid.T) {
			rows, width := rapid.IntRange(0, 20).Draw(t, "rows"), rapid.IntRange(0, 70).Draw(t, "width")
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			scores := special[T](rng, rows*width)
			floor := T(-1 - 50*rng.Float64())
			shift := random[T](rng, width)
			best, sum := special[T](rng, width), random[T](rng, width)
			got, checkGot := guarded(scores)
			gotShift, checkShift := guarded(shift)
			gotBest, checkBest := guarded(best)
			gotSum, checkSum := guarded(sum)
			nonzero := r.SoftmaxColumns(got, rows, width, gotShift, floor, gotBest, gotSum)
			want, count := make([]T, len(scores)), 0
			for i, v := range scores {
				want[i] = v - shift[i%width]
			}
			difference := append([]T(nil), want...)
			r.Exp(want, want)
			for j := range width {
				total, magnitude := float64(sum[j]), math.Abs(float64(sum[j]))
				for i := range rows {
					at := i*width + j
					best[j] = max(best[j], scores[at])
					if difference[at] < floor {
						want[at] = 0
					} else {
						count++
					}
					require.Equal(t, want[at], got[at], "score %g", scores[at])
					total += float64(want[at])
					magnitude += float64(want[at])
				}
				require.InDelta(t, total, float64(gotSum[j]), float64(rows+1)*u*magnitude)
			}
			require.Equal(t, best, gotBest)
			require.Equal(t, count, nonzero)
			for _, check := range []func(require.TestingT){checkGot, checkShift, checkBest, checkSum} {
				check(t)
			}
		})
	})
}

func TestSoftmaxColumns(t *testing.T) {
	t.Run("float32", testSoftmaxColumns[float32])
	t.Run("float64", testSoftmaxColumns[float64])
}

// NaN and overflow must reach the caller, in their own column only.
func testSoftmaxColumnsOutcomes[T vecmath.Float](t *testing.T) {
	inf := T(math.Inf(1))
	levels(t, func(t *testing.T, l simd.Level) {
		r := vecmath.New[T](l)
		const rows, width = 5, 19
		for column := range width {
			for row := range rows {
				scores := make([]T, rows*width)
				scores[row*width+column] = T(math.NaN())
				best, sum := make([]T, width), make([]T, width)
				for j := range best {
					best[j] = -1
				}
				n := r.SoftmaxColumns(scores, rows, width, make([]T, width), -50, best, sum)
				require.Equal(t, rows*width, n)
				for j := range width {
					require.Equal(t, T(0), best[j], "the other scores of the column")
					if j == column {
						require.True(t, sum[j] != sum[j])
						require.True(t, scores[row*width+j] != scores[row*width+j])
					} else {
						require.Equal(t, T(rows), sum[j])
					}
				}
				clear(scores)
				clear(sum)
				scores[row*width+column] = 1000
				r.SoftmaxColumns(scores, rows, width, make([]T, width), -50, best, sum)
				require.Equal(t, inf, sum[column])
				require.Equal(t, inf, scores[row*width+column])
				require.Equal(t, T(1000), best[column])
			}
		}
		// Nothing but −Inf: zeros, and best as it was.
		scores := make([]T, 3*width)
		for i := range scores {
			scores[i] = -inf
		}
		best, sum := random[T](rand.New(rand.NewPCG(1, 1)), width), make([]T, width)
		was := append([]T(nil), best...)
		assert.Zero(t, r.SoftmaxColumns(scores, 3, width, make([]T, width), -50, best, sum))
		assert.Equal(t, was, best)
		assert.Equal(t, make([]T, width), sum)
		assert.Equal(t, make([]T, 3*width), scores)
	})
}

func TestSoftmaxColumnsOutcomes(t *testing.T) {
	t.Run("float32", testSoftmaxColumnsOutcomes[float32])
	t.Run("float64", testSoftmaxColumnsOutcomes[float64])
}

func testSoftmaxRow[T vecmath.Float](t *testing.T) {
	u := unit[T]()
	levels(t, func(t *testing.T, l simd.Level) {
		r := vecmath.New[T](l)
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(0, 100).Draw(t, "n")
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			x, checkX := guarded(special[T](rng, n))
			shift, floor := T(rng.NormFloat64()), T(-1-50*rng.Float64())
			got, checkGot := guarded(make([]T, n))
			sum, nonzero := r.SoftmaxRow(got, x, shift, floor)
			want, count, total := make([]T, n), 0, 0.0
			for i, v := range x {
				want[i] = v - shift
				if !(want[i] < floor) {
					count++
				}
			}
			r.Exp(want, want)
			for i, v := range x {
				if v-shift < floor {
					want[i] = 0
				}
				total += float64(want[i])
			}
			require.Equal(t, want, got)
			require.Equal(t, count, nonzero)
			require.InDelta(t, total, float64(sum), float64(n+1)*u*total)
			checkX(t)
			checkGot(t)

			// LogSumExp of what is finite, against float64.
			top, exact := math.Inf(-1), 0.0
			for _, v := range x {
				top = max(top, float64(v))
			}
			require.Equal(t, T(top), r.Max(x))
			for _, v := range x {
				exact += math.Exp(float64(v) - top)
			}
			if n == 0 || math.IsInf(top, -1) {
				require.Equal(t, T(math.Inf(-1)), r.LogSumExp(x))
			} else {
				want := top + math.Log(exact)
				require.InDelta(t, want, float64(r.LogSumExp(x)), u*math.Abs(want)+4*u)
			}
		})
	})
}

func TestSoftmaxRow(t *testing.T) {
	t.Run("float32", testSoftmaxRow[float32])
	t.Run("float64", testSoftmaxRow[float64])
}

func testMaxOutcomes[T vecmath.Float](t *testing.T) {
	inf, nan := T(math.Inf(1)), T(math.NaN())
	levels(t, func(t *testing.T, l simd.Level) {
		r := vecmath.New[T](l)
		assert.Equal(t, -inf, r.Max(nil))
		for n := 1; n < 70; n++ {
			for i := range n {
				x := make([]T, n)
				for j := range x {
					x[j] = -2
				}
				x[i] = -1
				require.Equal(t, T(-1), r.Max(x))
				x[i] = inf
				require.Equal(t, inf, r.Max(x))
				require.Equal(t, inf, r.LogSumExp(x))
				x[i] = nan
				x[n-1-i] = nan
				top, lse := r.Max(x), r.LogSumExp(x)
				require.True(t, top != top, "n = %d, i = %d", n, i)
				require.True(t, lse != lse)
			}
		}
	})
}

func TestMaxOutcomes(t *testing.T) {
	t.Run("float32", testMaxOutcomes[float32])
	t.Run("float64", testMaxOutcomes[float64])
}

// A sum of many equal terms, whose logarithm is known exactly.
func TestLogSumExpOfMany(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 10_000
	}
	x := make([]float32, n)
	for i := range x {
		x[i] = -3
	}
	levels(t, func(t *testing.T, l simd.Level) {
		assert.InDelta(t, math.Log(float64(n))-3, float64(vecmath.New[float32](l).LogSumExp(x)), 1e-6)
	})
}

func TestAllocatesNothing(t *testing.T) {
	levels(t, func(t *testing.T, l simd.Level) {
		r := vecmath.New[float32](l)
		x, y, a := make([]float32, 33), make([]float32, 20), make([]float32, 20*33)
		best, sum, shift := make([]float32, 33), make([]float32, 33), make([]float32, 33)
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			r.SoftmaxColumns(a, 20, 33, shift, -50, best, sum)
			r.SoftmaxRow(x, x, 0, -50)
			r.LogSumExp(x)
			r.MatVec(y, a, 33, 20, 33, x)
			r.MatVecTrans(x, a, 33, 20, 33, y)
		}))
	})
}
