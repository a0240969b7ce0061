package saddle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/embedding"
	"lamcap/internal/stream"
)

// M's derivatives are known from the saddle point's own quadrature, and by integration by
// parts E z·t = r E tr J; ∂²M/∂r² = E tᵀJt.
func TestCorrectedEnvelopeIsTheScoreLevels(t *testing.T) {
	plan := envelopePlan()
	for _, c := range []struct{ n, r, chi float64 }{{2, 1, 1}, {40, 1.9, 3}, {139, 12, 40}, {1e6, 4, 3}} {
		at := func(r float64) envelope {
			e := ensemble{response: CrossEntropy.response(), n: c.n, r: r, chi: c.chi}
			v, err := e.envelope(plan, control)
			require.NoError(t, err, "%+v", c)
			return v
		}
		e := ensemble{response: CrossEntropy.response(), n: c.n, r: c.r, chi: c.chi}
		v, m := at(c.r), e.expect(finely, 0, false)
		assert.InDelta(t, 1, v.mass, 2e-5, "%+v", c)
		assert.InEpsilon(t, m.cross/c.chi, v.slope, 2e-5, "%+v", c)
		assert.InEpsilon(t, m.square/(c.chi*c.chi), v.push, 2e-5, "%+v", c)
		assert.InEpsilon(t, v.slope, c.r*v.trace, 2e-5, "%+v", c)
		// ℓ has the mean M − χ E‖z‖²/2.
		assert.InEpsilon(t, math.Log(c.chi)-m.left, v.value-c.chi*v.push/2, 1e-4, "%+v", c)
		if c.n != 40 {
			continue
		}
		const h = 0.01
		bend := (at(c.r*(1+h)).slope - at(c.r*(1-h)).slope) / (2 * h * c.r)
		assert.InDelta(t, bend, v.bend, 2e-4*math.Abs(v.slope/c.r), "%+v", c)
	}
}

// Two candidates: what counts is w = u_0 − u_1, for which only its length is not that of
// the limit. ‖w‖²/(2d) is a χ²_d/d for values with normal entries, as the squared length of
// a key with normal entries is, and 1 − u_0·u_1/d for norm √d, with half the variance.
func TestCorrectedTwoCandidates(t *testing.T) {
	e := ensemble{response: CrossEntropy.response(), n: 2, r: 1.3, chi: 2.1}
	v, err := e.envelope(envelopePlan(), control)
	require.NoError(t, err)
	a, err := e.accuracyChange(control)
	require.NoError(t, err)
	assert.Greater(t, math.Abs(v.keys), 0.01)
	assert.InEpsilon(t, v.keys, v.gauss, 1e-5)
	assert.InEpsilon(t, v.keys/2, v.sphere, 1e-5)
	assert.Greater(t, math.Abs(a.keys), 0.01)
	assert.InEpsilon(t, a.keys, a.gauss, 1e-5)
	assert.InEpsilon(t, a.keys/2, a.sphere, 1e-5)
}

// The flow V = e_0 moves the accuracy by A′(κ)/r, and A is that of the saddle point's own
// quadrature.
func TestAccuracyChangeHasItsSurface(t *testing.T) {
	for _, c := range []struct{ n, r, chi float64 }{{2, 1, 1}, {139, 3.345, 7.66}} {
		e := ensemble{response: CrossEntropy.response(), n: c.n, r: c.r, chi: c.chi}
		flow, err := e.surfaceFlow(control)
		require.NoError(t, err)
		value, slope, bend := normalAccuracy(c.n, c.chi/c.r)
		assert.InEpsilon(t, slope/c.r, flow[surfaceMass], 1e-6, "%+v", c)
		assert.InEpsilon(t, e.expect(control, 0, true).accuracy, value, 1e-6, "%+v", c)
		const h = 1e-4
		_, up, _ := normalAccuracy(c.n, c.chi/c.r+h)
		_, down, _ := normalAccuracy(c.n, c.chi/c.r-h)
		assert.InDelta(t, (up-down)/(2*h), bend, 1e-6, "%+v", c)
	}
}

// The formulas of δM as averages over scores with dense Jacobians; a false alarm in one of
// six has a probability of 4e-4 (|z| < 4), and the seed is fixed.
func TestCorrectedEnvelopeAgainstScores(t *testing.T) {
	const draws = 5000
	for _, c := range []struct {
		n      int
		r, chi float64
	}{{5, 1.3, 2}, {20, 1.9, 3}} {
		rng := stream.New(1, "corrected envelope", "", uint64(c.n))
		var columns [3][]float64
		x := make([]float64, c.n)
		for range draws {
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			for k, v := range envelopeIntegrands(c.r, c.chi, x) {
				columns[k] = append(columns[k], v)
			}
		}
		e := ensemble{response: CrossEntropy.response(), n: float64(c.n), r: c.r, chi: c.chi}
		v, err := e.envelope(envelopePlan(), control)
		require.NoError(t, err)
		for k, want := range []float64{v.gauss, v.sphere, v.keys} {
			mean, standardError := meanAndError(columns[k])
			assert.InDelta(t, want, mean, 4*standardError, "n = %d, %d", c.n, k)
		}
	}
}

// envelopeIntegrands are what has the means gauss, sphere and keys.
func envelopeIntegrands(r, chi float64, x []float64) [3]float64 {
	_, z, _ := softScores(r, chi, x)
	n := len(x)
	a, free := make([]float64, n), 1.0
	for i := range a {
		pi := z[i]
		if i == 0 {
			pi++
		}
		a[i] = pi / (1 + chi*pi)
		free -= chi * pi * a[i]
	}
	j := func(i, k int) float64 {
		if i == k {
			return a[i] - a[i]*a[i]/free
		}
		return -a[i] * a[k] / free
	}
	var along, square, trace, bend, push, key, sphere float64
	for i := range n {
		along += z[i] * x[i]
		square += z[i] * z[i]
		trace += j(i, i)
		for k := range n {
			bend += x[i] * j(i, k) * x[k]
			push += z[i] * j(i, k) * z[k]
			key += (r*x[i] - 2*chi*z[i]) * j(i, k) * (r*x[k] - 2*chi*z[k])
		}
		shape := x[i]*x[i] - 1
		sphere += r*r/4*shape*j(i, i) - chi/2*shape*z[i]*z[i] + chi*chi*z[i]*z[i]*j(i, i)
	}
	gauss := (r*r*bend-r*along)/4 - chi/2*(along*along-square) + chi*chi/2*(square*trace+push)
	return [3]float64{gauss, gauss - sphere, (key - r*along) / 4}
}

// Draws of vectors: what is left of a draw's envelope, less its expansion to second order
// in the changes of fields and Gram matrix, falls like 1/d², and both together are δM/d. A
// false alarm has a probability of 6e-5 for each row.
func TestCorrectedEnvelopeAgainstVectors(t *testing.T) {
	const n, r, chi = 40, 1.9, 3
	e := ensemble{response: CrossEntropy.response(), n: n, r: r, chi: chi}
	v, err := e.envelope(envelopePlan(), control)
	require.NoError(t, err)
	low, lowError := meanChange(2, 1000, n, 48, embedding.Gaussian, r, chi, true)
	high, highError := meanChange(2, 1000, n, 200, embedding.Gaussian, r, chi, true)
	// Times d: 1/d² would be constant under a change of first order that is missed.
	assert.InDelta(t, 48*low[1], 200*high[1], 4*math.Hypot(48*lowError[1], 200*highError[1]))
	assert.Less(t, low[1], -4*lowError[1])
	assert.Greater(t, high[1]-low[1], 4*math.Hypot(lowError[1], highError[1]))
	assert.InDelta(t, v.gauss, high[0]+high[1], 4*highError[0])

	sphere, sphereError := meanChange(3, 1500, n, 200, embedding.Sphere, r, chi, true)
	assert.InDelta(t, v.sphere, sphere[0]+sphere[1], 4*math.Hypot(sphereError[0], sphereError[1]))
	assert.Less(t, sphere[0], -4*sphereError[0])
}

func TestCorrectedTrainingRefuses(t *testing.T) {
	for want, f := range map[string]func() (Trained, error){
		"d_out = 0:": func() (Trained, error) {
			return SolveTrainingCorrected(Training{Weights: 576, Facts: 231}, 0, embedding.Gaussian)
		},
		"loss = hinge": func() (Trained, error) {
			return SolveTrainingCorrected(Training{Weights: 576, Facts: 231, Loss: Hinge}, 24, embedding.Gaussian)
		},
		"below capacity": func() (Trained, error) {
			return SolveTrainingCorrected(Training{Weights: 576, Facts: 60}, 24, embedding.Gaussian)
		},
		"too much for an expansion": func() (Trained, error) {
			return SolveTrainingCorrected(Training{Weights: 576, Facts: 118}, 8, embedding.Sphere)
		},
		"values = ": func() (Trained, error) { return SolveTrainingCorrected(Training{Weights: 576, Facts: 231}, 24, 7) },
		"d_in = -1": func() (Trained, error) {
			return TrainingCorrection{DOut: 24, DIn: -1}.Solve(Training{Weights: 576, Facts: 231})
		},
	} {
		v, err := f()
		require.ErrorContains(t, err, want)
		assert.True(t, math.IsNaN(v.Norm.Value) && math.IsNaN(v.Accuracy.Value), want)
	}
}
