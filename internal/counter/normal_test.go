package counter

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/simd"
)

// exact is what normals approximates, by math in float64.
func exact(radius, angle uint32) (x, y float64) {
	u := (float64(radius) + 0.5) * 0x1p-32
	r := math.Sqrt(-2 * math.Log(u))
	if u > 0.5 { // where log u loses what 1 − u holds exactly
		r = math.Sqrt(-2 * math.Log1p(-(float64(^radius)+0.5)*0x1p-32))
	}
	v := float64(int32(angle<<2|2)) * 0x1p-31
	s, c := math.Sincos(math.Pi / 4 * v)
	if angle>>31 == 1 {
		c = -c
	}
	if angle>>30&1 == 1 {
		c, s = s, c
	}
	return r * c, r * s
}

// Below 2^24, where the word is exact in float32, the error is that of the
// evaluation, relative to the number itself, at most 4e-7. Above, rounding u
// by up to 2^−25 adds to it: r moves by dr = du/(u r).
func TestNormalsAgainstExact(t *testing.T) {
	var words []uint32
	for b := range 32 {
		for d := range uint32(5) {
			words = append(words, 1<<b+d-2, ^(1<<b + d - 2))
		}
	}
	for i := range uint32(1500) {
		words = append(words, i*2654435769, (i*2654435769)>>12) // the second below 2^20
	}
	worst, step := 0.0, 7
	if testing.Short() {
		step = 207
	}
	for _, k := range words {
		for i := 0; i < len(words); i += step {
			j := words[i]
			x, y := normals(k, j)
			wantX, wantY := exact(k, j)
			r := math.Hypot(wantX, wantY)
			allowed := 4e-7
			if k >= 1<<24 {
				u := (float64(k) + 0.5) * 0x1p-32
				allowed += 0x1p-25 / (u * r * r)
				if u > 1-0x1p-20 { // where one step of u is a large part of r
					if d := math.Abs(r*r-float64(x)*float64(x)-float64(y)*float64(y)) / 2; !(d <= 0x1.01p-25) {
						require.Failf(t, "radius", "k = %d, j = %d: %g", k, j, d)
					}
					continue
				}
			}
			for _, c := range [][2]float64{{float64(x), wantX}, {float64(y), wantY}} {
				e := math.Abs(c[0]/c[1] - 1)
				if !(e <= allowed) {
					require.Failf(t, "error", "k = %d, j = %d: %g", k, j, e)
				}
				if k < 1<<24 {
					worst = max(worst, e)
				}
			}
		}
	}
	t.Logf("evaluation: %.3g relative", worst)
}

// The ends of the law: the largest numbers, the smallest, and the pair (0, 0).
func TestExtremes(t *testing.T) {
	largest := 0.0
	for _, j := range []uint32{0, 1<<30 - 1, 1 << 30, 1 << 31, 3 << 30, 1<<32 - 1} {
		x, y := normals(0, j)
		largest = max(largest, math.Abs(float64(x)), math.Abs(float64(y)))
	}
	assert.InEpsilon(t, math.Sqrt(66*math.Ln2), largest, 2e-7)
	x, y := normals(math.MaxUint32, 0) // u rounds to 1
	assert.Zero(t, x)
	assert.Zero(t, y)
	x, y = normals(math.MaxUint32-1<<8, 0) // and here to 1 − 2^−24
	assert.InEpsilon(t, math.Sqrt(2*0x1p-24), math.Hypot(float64(x), float64(y)), 1e-6)
}

// 2^24 = 1.7·10⁷ numbers (2^19 with -short). A statistic outside its bound of five standard errors has
// probability 6e-7 if the numbers are normal; the seed is fixed.
func TestDistribution(t *testing.T) {
	n := 1 << 24
	if testing.Short() {
		n = 1 << 19
	}
	testDistribution(t, float64(n))
}

func testDistribution(t *testing.T, n float64) {
	const strip = 1 << 14
	k := testKey()
	x := make([]float32, strip)
	var moments [9]float64 // means of powers
	var tails [3]float64   // counts of |x| > 3, 4, 5
	const cells = 1 << 10
	counts := make([]float64, cells+1) // by the value of Φ(x), from a table of quantiles
	quantile := make([]float64, cells-1)
	for i := range quantile {
		quantile[i] = -math.Sqrt2 * math.Erfcinv(2*float64(i+1)/cells)
	}
	cell := newFinder(quantile)
	products := make([]float64, 5) // sums of x_i·x_{i+lag}, lags 1 to 4 and 16
	lags := []int{1, 2, 3, 4, 16}
	squares := 0.0 // Σ (x²−1)(y²−1) within the pairs of one radius
	level := simd.Best()
	for s := range int(n) / strip {
		k.Normals(level, x, uint64(s), uint64(s))
		for i, f := range x {
			v := float64(f)
			v2 := v * v
			v4 := v2 * v2
			moments[1] += v
			moments[2] += v2
			moments[3] += v * v2
			moments[4] += v4
			moments[5] += v * v4
			moments[6] += v2 * v4
			moments[7] += v * v2 * v4
			moments[8] += v4 * v4
			if v2 > 9 {
				tails[0]++
				if v2 > 16 {
					tails[1]++
					if v2 > 25 {
						tails[2]++
					}
				}
			}
			counts[cell.find(v)]++
			if i >= 16 {
				for l, lag := range lags {
					products[l] += v * float64(x[i-lag])
				}
				w := float64(x[i-2])
				squares += (v2 - 1) * (w*w - 1)
			}
		}
	}
	factorial2 := []float64{1, 0, 1, 0, 3, 0, 15, 0, 105, 0, 945, 0, 10395, 0, 135135, 0, 2027025}
	for p := 1; p <= 8; p++ {
		sigma := math.Sqrt((factorial2[2*p] - factorial2[p]*factorial2[p]) / n)
		z := (moments[p]/n - factorial2[p]) / sigma
		t.Logf("moment %d: %+.2f standard errors of %.2g", p, z, sigma)
		assert.Less(t, math.Abs(z), 5., "moment %d", p)
	}
	for i, count := range tails {
		want := n * math.Erfc(float64(i+3)/math.Sqrt2)
		z := (count - want) / math.Sqrt(want)
		t.Logf("|x| > %d: %.0f for %.1f, %+.2f standard errors", i+3, count, want, z)
		assert.Less(t, math.Abs(z), 5.)
	}
	// Pearson's statistic over cells of equal probability, and the largest
	// difference of distribution functions at their ends: Kolmogorov's statistic
	// exceeds 2.6/√n with probability 2.7e-6.
	chi2, sum, distance := 0.0, 0.0, 0.0
	for i := range cells {
		d := counts[i] - n/cells
		chi2 += d * d / (n / cells)
		sum += counts[i]
		distance = max(distance, math.Abs(sum/n-float64(i+1)/cells))
	}
	z := (chi2 - (cells - 1)) / math.Sqrt(2*(cells-1))
	t.Logf("χ² = %.1f for %d degrees, %+.2f standard errors; distance %.2g = %.2f/√n", chi2, cells-1, z, distance, distance*math.Sqrt(n))
	assert.Less(t, math.Abs(z), 5.)
	assert.Less(t, distance, 2.6/math.Sqrt(n))
	used := n - n/strip*16
	for l, lag := range lags {
		z := products[l] / math.Sqrt(used)
		t.Logf("lag %d: %+.2f standard errors", lag, z)
		assert.Less(t, math.Abs(z), 5.)
	}
	// Numbers two apart share their radius in half of the cases; a wrong law of it would show.
	z = squares / math.Sqrt(4*used)
	t.Logf("squares: %+.2f standard errors", z)
	assert.Less(t, math.Abs(z), 5.)
}

// finder finds the cell of a number: how many of the sorted limits are at most it.
type finder struct {
	limits []float64
	start  []int // by (v + 8)·64, the first candidate
}

func newFinder(limits []float64) *finder {
	f := &finder{limits: limits, start: make([]int, 16*64+1)}
	at := 0
	for i := range f.start {
		for at < len(limits) && limits[at] <= float64(i)/64-8 {
			at++
		}
		f.start[i] = at
	}
	return f
}

func (f *finder) find(v float64) int {
	at := f.start[int((v+8)*64)]
	for at < len(f.limits) && f.limits[at] <= v {
		at++
	}
	return at
}

// The symmetries of the circle that choose the quadrant: with equal low bits,
// the four angles are a point, its reflections and no other.
func TestQuadrants(t *testing.T) {
	x, y := normals(1<<20, 12345)
	for q, want := range [][2]float32{{x, y}, {y, x}, {-x, y}, {y, -x}} {
		gotX, gotY := normals(1<<20, uint32(q)<<30|12345)
		assert.Equal(t, want, [2]float32{gotX, gotY}, q)
	}
}
