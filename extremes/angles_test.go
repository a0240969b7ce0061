package extremes

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// tetrahedron is the solid angle at a vertex of a regular tetrahedron, as a
// fraction of the sphere.
var tetrahedron = (3*math.Acos(1.0/3) - math.Pi) / (4 * math.Pi)

func TestSimplexAngles(t *testing.T) {
	for k, want := range []float64{1, 1.0 / 2, 1.0 / 6, tetrahedron} {
		assert.InEpsilon(t, want, math.Exp(LogSimplexAngle(k)), 16*ulp, "a_%d", k)
	}
	assert.PanicsWithValue(t, "extremes: simplex angle of k = -1: want k ≥ 0", func() { LogSimplexAngle(-1) })
}

// By the symmetry of a triangle: three angles of 60° are half of its plane, and
// v_2(3) = a_2 leaves D_3 = 5/6 with v_0 = 1/3 and v_1 = 1/2.
func TestAngleOfTheTriangle(t *testing.T) {
	a2 := math.Exp(LogSimplexAngle(2))
	assert.InDelta(t, 1.0/2, 3*a2, 8*ulp)
	assert.InDelta(t, 5.0/6, 1.0/2+2*a2, 8*ulp)
}

// The leading law √(k/2) e^{k/2−1} (2πk)^{−k/2} with what it leaves out falling
// like 1/k: the correction times k tends to a constant, 3.08.
func TestAsymptoticsOfAngles(t *testing.T) {
	for _, k := range []int{100, 400, 1600, 3000} {
		kf := float64(k)
		leading := math.Log(kf/2)/2 + kf/2 - 1 - kf/2*math.Log(2*math.Pi*kf)
		correction := kf * math.Expm1(LogSimplexAngle(k)-leading)
		assert.InDelta(t, 3.08, correction, 7/kf, "k = %d", k)
	}
}

// The saddle point is only where the rule is cheap: a_k falls, and each is less
// than half of the one before.
func TestAnglesFall(t *testing.T) {
	for k := 1; k < 300; k++ {
		assert.Less(t, LogSimplexAngle(k), LogSimplexAngle(k-1)-math.Ln2+4*ulp, "k = %d", k)
	}
}

func TestSimplexConcurrentUse(t *testing.T) {
	s := NewSimplex()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for k := 199; k >= 0; k -= 7 {
				assert.Equal(t, LogSimplexAngle(k), s.LogAngle(k))
			}
		})
	}
	group.Wait()
	assert.Panics(t, func() { s.LogAngle(-1) })
}

func BenchmarkLogSimplexAngle(b *testing.B) {
	for b.Loop() {
		LogSimplexAngle(50)
	}
}
