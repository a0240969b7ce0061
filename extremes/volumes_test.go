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
		volumes, err := IntrinsicVolumes(float64(n))
		require.NoError(t, err)
		got := volumes.Mass
		require.Len(t, got, n)
		if n == 4 {
			// Odd and even volumes are 1/2 each.
			want[1], want[2] = 1.0/2-tetrahedron, 1.0/2-1.0/4
		}
		assert.InDeltaSlice(t, want, got, 8*ulp, "n = %d", n)
	}
}

// What the whole law must satisfy: total 1, v_0 = P(t_0 is the largest) = 1/n,
// Gauss-Bonnet Σ (−1)^k v_k = 0, and D_n and V_n, which come from a double
// integral that knows nothing of volumes. The budgets are a hundred times less
// than ten digits up to 10^6 and eight beyond.
func TestIdentitiesOfVolumes(t *testing.T) {
	simplex := NewSimplex()
	for _, n := range []float64{2, 3, 4, 7, 10, 40, 116, 1000, 10_000, 100_000, 1_000_000, 1e8, 1e12, 1e15, 0x1p53, 1e17, 1e20, 1e50, 1e100, 1e200, 1e300} {
		volumes, err := simplex.IntrinsicVolumes(n)
		require.NoError(t, err)
		v := volumes.Mass
		var total, alternating sum.Neumaier
		for k, x := range v {
			require.GreaterOrEqual(t, x, 0.0)
			total.Add(x)
			alternating.Add(x * float64(1-2*(k%2)))
		}
		tolerance := 3e-14
		if n > 1e6 {
			tolerance = 5e-13
		}
		assert.LessOrEqual(t, volumes.Error, 20*tolerance, "n = %v", n)
		assert.InDelta(t, 1, total.Sum(), tolerance, "n = %v", n)
		assert.InDelta(t, 0, alternating.Sum(), tolerance, "n = %v", n)
		assert.InEpsilon(t, 1/n, v[0], tolerance, "n = %v", n)
		d, err := ConeDimension(n)
		require.NoError(t, err)
		mean := volumes.Mean()
		assert.InEpsilon(t, d.Value, mean.Value, tolerance+d.Error/d.Value, "n = %v", n)
		assert.InDelta(t, d.Value, mean.Value, d.Error+mean.Error, "n = %v", n)
		variance, err := ConeVariance(n)
		require.NoError(t, err)
		spread := volumes.Variance()
		assert.InEpsilon(t, variance.Value, spread.Value, 4*tolerance+variance.Error/variance.Value, "n = %v", n)
		assert.InDelta(t, variance.Value, spread.Value, variance.Error+spread.Error, "n = %v", n)
	}
}

// The trapezoidal rule of the faces with half its step gives the same: the step is
// small enough for every k of its block.
func TestFaceIntegralsHaveConverged(t *testing.T) {
	for _, n := range []float64{3, 10, 100, 1e4, 1e15, 1e300} {
		r := n - 1
		coarse := faceIntegrals{r: r, logR: newLogarithmOf(r)}
		fine := coarse
		for k := 0; float64(k) <= r && k < 2300; k++ {
			rough, scale := coarse.log(k)
			if k >= fine.end && float64(k) < r {
				fine.startBlock(k)
				fine.step /= 2
			}
			exact, _ := fine.log(k)
			// Both sums and every log are rounded.
			assert.InDelta(t, exact, rough, 2*ulp*(8+scale), "n = %v, k = %d", n, k)
		}
	}
}

// Farther down the same law is only longer.
func TestVolumesFartherDown(t *testing.T) {
	simplex := NewSimplex()
	for _, n := range []float64{3, 200, 6000, 1e100} {
		usual, err := simplex.IntrinsicVolumes(n)
		require.NoError(t, err)
		long, err := simplex.IntrinsicVolumesDown(n, 1e-300)
		require.NoError(t, err)
		assert.Equal(t, usual.Mass, long.Mass[:len(usual.Mass)])
		if n > 3 {
			assert.Greater(t, len(long.Mass), len(usual.Mass))
			assert.True(t, float64(len(long.Mass)) == n || long.Mass[len(long.Mass)-1] < 1e-300)
		}
	}
	for _, least := range []float64{0, 1e-301, 1e-29, math.NaN()} {
		_, err := simplex.IntrinsicVolumesDown(10, least)
		assert.EqualError(t, err, fmt.Sprintf("least volume = %v: want 1e-300 ≤ least ≤ 1e-30", least))
	}
}

// The law ends where it says: at K = n − 1, or where v_k has fallen below 1e-60
// beyond the mode.
func TestVolumesEnd(t *testing.T) {
	volumes, err := IntrinsicVolumes(1000)
	require.NoError(t, err)
	v := volumes.Mass
	require.Less(t, len(v), 1000)
	assert.Less(t, v[len(v)-1], 1e-60)
	assert.Greater(t, v[len(v)-2], 1e-60)
}

func TestVolumesWrongArguments(t *testing.T) {
	for _, n := range []float64{1, 0, -5, 2.5, 2e300, math.NaN()} {
		_, err := IntrinsicVolumes(n)
		assert.EqualError(t, err, fmt.Sprintf("n = %v: want an integer, 2 ≤ n ≤ 1e300", n))
	}
}

func BenchmarkIntrinsicVolumes(b *testing.B) {
	for _, n := range []float64{100, 6000, 1e6, 1e300} {
		b.Run(fmt.Sprintf("n=%g", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := IntrinsicVolumes(n); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("n=%g/angles kept", n), func(b *testing.B) {
			simplex := NewSimplex()
			for b.Loop() {
				if _, err := simplex.IntrinsicVolumes(n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
