package extremes

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/sum"
)

func TestVolumesOfSmallCones(t *testing.T) {
	for n, want := range map[int][]float64{
		2: {1.0 / 2, 1.0 / 2},           // a half plane
		3: {1.0 / 3, 1.0 / 2, 1.0 / 6},  // a wedge of 120°, its polar of 60°
		4: {1.0 / 4, 0, 0, tetrahedron}, // filled below
	} {
		got, err := IntrinsicVolumes(n)
		require.NoError(t, err)
		require.Len(t, got, n)
		if n == 4 {
			// Odd and even volumes are 1/2 each.
			want[1], want[2] = 1.0/2-tetrahedron, 1.0/2-1.0/4
		}
		assert.InDeltaSlice(t, want, got, 8*ulp, "n = %d", n)
	}
}

// tetrahedron is the solid angle at a vertex of a regular tetrahedron, as a
// fraction of the sphere.
var tetrahedron = (3*math.Acos(1.0/3) - math.Pi) / (4 * math.Pi)

func TestSimplexAngles(t *testing.T) {
	for k, want := range []float64{1, 1.0 / 2, 1.0 / 6, tetrahedron} {
		assert.InEpsilon(t, want, math.Exp(LogSimplexAngle(k)), 16*ulp, "a_%d", k)
	}
	assert.PanicsWithValue(t, "extremes: simplex angle of k = -1: want k ≥ 0", func() { LogSimplexAngle(-1) })
}

// What the whole law must satisfy: total 1, v_0 = P(t_0 is the largest) = 1/n,
// Gauss-Bonnet Σ (−1)^k v_k = 0, and D_n and V_n, which come from a double
// integral that knows nothing of volumes. For n = 1e6 the terms are products of
// factors up to e^{±300}, of which 3e-14 is the rounding.
func TestIdentitiesOfVolumes(t *testing.T) {
	for _, n := range []int{2, 3, 4, 7, 10, 40, 116, 1000, 10_000, 100_000, 1_000_000} {
		v, err := IntrinsicVolumes(n)
		require.NoError(t, err)
		var total, alternating, mean, square sum.Neumaier
		for k, x := range v {
			require.GreaterOrEqual(t, x, 0.0)
			total.Add(x)
			alternating.Add(x * float64(1-2*(k%2)))
			mean.Add(float64(k) * x)
		}
		for k, x := range v {
			square.Add(math.Pow(float64(k)-mean.Sum(), 2) * x)
		}
		const tolerance = 3e-14
		assert.InDelta(t, 1, total.Sum(), tolerance, "n = %d", n)
		assert.InDelta(t, 0, alternating.Sum(), tolerance, "n = %d", n)
		assert.InEpsilon(t, 1/float64(n), v[0], tolerance, "n = %d", n)
		d, err := ConeDimension(float64(n))
		require.NoError(t, err)
		assert.InEpsilon(t, d.Value, mean.Sum(), tolerance, "n = %d", n)
		variance, err := ConeVariance(float64(n))
		require.NoError(t, err)
		assert.InDelta(t, variance.Value, square.Sum(), variance.Error+4*tolerance*variance.Value, "n = %d", n)
	}
}

// The law ends where it says: at K = n − 1, or where v_k has fallen below 1e-60
// beyond the mode.
func TestVolumesEnd(t *testing.T) {
	v, err := IntrinsicVolumes(1000)
	require.NoError(t, err)
	require.Less(t, len(v), 1000)
	assert.Less(t, v[len(v)-1], 1e-60)
	assert.Greater(t, v[len(v)-2], 1e-60)
}

func TestVolumesWrongArguments(t *testing.T) {
	for _, n := range []int{1, 0, -5, 1_000_001} {
		_, err := IntrinsicVolumes(n)
		assert.EqualError(t, err, fmt.Sprintf("n = %d: want 2 ≤ n ≤ 1e6 for the whole law of |A|", n))
	}
}

func BenchmarkIntrinsicVolumes(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := IntrinsicVolumes(n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
