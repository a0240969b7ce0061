package saddle

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/quad"
)

func meanAndError(x []float64) (mean, standardError float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	square := 0.0
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(square / (n - 1) / n)
}

// squaresAbout are (x − mean)².
func squaresAbout(x []float64, mean float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = (v - mean) * (v - mean)
	}
	return out
}

// trainingCases are loads below, at and far above where something happens.
func trainingCases() []Training {
	return []Training{
		{Weights: 2304, Facts: 422},
		{Weights: 2304, Facts: 703},
		{Weights: 576, Facts: 139},
		{Weights: 576, Facts: 139, Ridge: 3},
		{Weights: 576, Facts: 60, Ridge: 0.5},
		{Weights: 100, Facts: 5000, Candidates: 7},
		{Weights: 100, Facts: 230, Candidates: 2},
		{Weights: 100, Facts: 130, Candidates: 3, Ridge: 0.1},
		{Weights: 576, Facts: 118, Loss: Hinge},
		{Weights: 576, Facts: 60, Ridge: 0.5, Loss: Hinge},
		{Weights: 100, Facts: 230, Candidates: 2, Loss: Hinge},
		{Weights: 100, Facts: 140, Candidates: 3, Ridge: 1, Loss: Hinge},
	}
}

func (t Training) String() string {
	return fmt.Sprintf("%v N=%v p=%v n=%v ridge=%v", t.Loss, t.Weights, t.Facts, t.Candidates, t.Ridge)
}

// Quadrature and Monte Carlo share no code but the response of a candidate. 12 cases (6 with
// -short) with 8 tests each at |z| < 4.4: a false alarm anywhere has probability
// 96·1.1e-5 = 1e-3, and the seed is fixed.
func TestTrainingAgainstMonteCarlo(t *testing.T) {
	const draws, z = 4000, 4.4
	for i, c := range trainingCases() {
		if testing.Short() && i%2 == 1 {
			continue
		}
		t.Run(c.String(), func(t *testing.T) {
			s, err := SolveTraining(c)
			require.NoError(t, err)
			t.Logf("%v: r %.8g ± %.1e, χ %.8g, loss %.8g ± %.1e, accuracy %.8g ± %.1e, s_0 %.6g ± %.6g, max %.6g ± %.6g, residual %.1e",
				s.Phase, s.Norm.Value, s.Norm.Error, s.Chi.Value, s.Loss.Value, s.Loss.Error, s.Accuracy.Value, s.Accuracy.Error,
				s.CorrectMean.Value, s.CorrectStd.Value, s.LargestMean.Value, s.LargestStd.Value, s.Residual)
			assert.Less(t, s.Residual, 1e-9)
			mc, err := SampleTraining(c, s.Norm.Value, s.Chi.Value, draws, 1, c.String())
			require.NoError(t, err)
			for _, m := range []struct {
				name   string
				want   float64
				bound  float64
				sample []float64
			}{
				{"first equation", 1, 1e-9, mc.First},
				{"second equation", 1, 1e-9, mc.Second},
				{"loss", s.Loss.Value, s.Loss.Error + 1e-13, mc.Loss},
				{"accuracy", s.Accuracy.Value, s.Accuracy.Error, mc.Recalled},
				{"correct mean", s.CorrectMean.Value, s.CorrectMean.Error, mc.Correct},
				{"correct variance", s.CorrectStd.Value * s.CorrectStd.Value, 2 * s.CorrectStd.Value * s.CorrectStd.Error, squaresAbout(mc.Correct, s.CorrectMean.Value)},
				{"largest mean", s.LargestMean.Value, s.LargestMean.Error, mc.Largest},
				{"largest variance", s.LargestStd.Value * s.LargestStd.Value, 2 * s.LargestStd.Value * s.LargestStd.Error, squaresAbout(mc.Largest, s.LargestMean.Value)},
			} {
				mean, e := meanAndError(m.sample)
				t.Logf("%s: %.6g, Monte Carlo %.6g ± %.2g, z = %.2f", m.name, m.want, mean, e, (mean-m.want)/e)
				budget := 1e-3
				if m.name == "largest variance" && s.Norm.Value < 0.2 {
					budget = 0.05 // scores nearly agree: round-off, which the bound says
				}
				assert.Less(t, m.bound, budget*math.Abs(m.want)+1e-9, m.name)
				assert.LessOrEqual(t, math.Abs(mean-m.want), z*e+m.bound, m.name)
			}
		})
	}
}

// For n = 2 the difference s_0 − s_1 alone is trained: logistic regression, an
// integral over one normal.
func TestTrainingOfTwoCandidates(t *testing.T) {
	for _, loss := range []Loss{CrossEntropy, Hinge} {
		for _, facts := range []float64{230, 1000} {
			c := Training{Weights: 100, Facts: facts, Candidates: 2, Loss: loss}
			s, err := SolveTraining(c)
			require.NoError(t, err)
			r, chi := s.Norm.Value, s.Chi.Value
			// min_y ℓ(y) + (y − √2 r z)²/(4χ): y = y⁰ − 2χ ℓ'(y).
			prox := func(z float64) float64 {
				y0 := math.Sqrt2 * r * z
				if loss == Hinge {
					return math.Max(y0, math.Min(1, y0+2*chi))
				}
				lo, hi := y0, y0+2*chi
				for range 200 {
					y := (lo + hi) / 2
					if y-y0-2*chi/(1+math.Exp(y)) < 0 {
						lo = y
					} else {
						hi = y
					}
				}
				return (lo + hi) / 2
			}
			mean := func(f func(z, y float64) float64) float64 {
				v := quad.Integrate(func(z float64) float64 {
					return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * f(z, prox(z))
				}, -9, 9, quad.Options{Abs: 1e-12, Breaks: []float64{0, 1 / (math.Sqrt2 * r), (1 - 2*chi) / (math.Sqrt2 * r), -2 * chi / (math.Sqrt2 * r)}})
				require.True(t, v.Status.OK())
				return v.Value
			}
			load := facts / 100
			first := load * mean(func(z, y float64) float64 { d := y - math.Sqrt2*r*z; return d * d / 2 }) / (r * r)
			second := load * mean(func(z, y float64) float64 { return -z / math.Sqrt2 * (y - math.Sqrt2*r*z) }) / r
			assert.InDelta(t, 1, first, 1e-8, c.String())
			assert.InDelta(t, 1, second, 1e-8, c.String())
			wantLoss := mean(func(_, y float64) float64 {
				if loss == Hinge {
					return math.Max(0, 1-y)
				}
				return math.Log1p(math.Exp(-y))
			})
			assert.InDelta(t, wantLoss, s.Loss.Value, s.Loss.Error+1e-9, c.String())
			wantAccuracy := mean(func(_, y float64) float64 {
				if y > 0 {
					return 1
				}
				return 0
			})
			assert.InDelta(t, wantAccuracy, s.Accuracy.Value, s.Accuracy.Error+1e-6, c.String())
		}
	}
}

// w + log w = y, to rounding, over the range of floats.
func TestWrightOmega(t *testing.T) {
	for _, y := range []float64{-745, -700, -100, -36.5, -35, -20, -5, -1.0001, -0.9999, 0, 0.5, 1, 1.9999, 2.0001, 10, 1e3, 1e10, 1e300} {
		w := wrightOmega(y)
		if y < -30 {
			assert.InEpsilon(t, math.Exp(y), w, 1e-12, "%v", y)
			continue
		}
		// An error of ε in w moves w + log w by ε (w + 1).
		assert.InDelta(t, y, w+math.Log(w), 8e-16*(w+1+math.Abs(y)), "%v", y)
	}
	assert.InDelta(t, 0.5671432904097838, wrightOmega(0), 1e-16)
}

// What is refused, and what is returned at the edges.
func TestTrainingEdges(t *testing.T) {
	for _, c := range []struct {
		training Training
		message  string
	}{
		{Training{Weights: 0, Facts: 10}, "weights = 0: want 0 < weights"},
		{Training{Weights: 100, Facts: 0}, "p = 0: want 0 < p"},
		{Training{Weights: 100, Facts: 10, Candidates: 1}, "n = 1: want 2 ≤ n"},
		{Training{Weights: 100, Facts: 10, Ridge: -1}, "ridge = -1: want"},
		{Training{Weights: 100, Facts: 10, Loss: 7}, "loss = 7: want cross-entropy or hinge"},
		{Training{Weights: 100, Facts: 200.00001, Candidates: 2}, "within 1e-06 of capacity"},
	} {
		_, err := SolveTraining(c.training)
		assert.ErrorContains(t, err, c.message)
	}
	// Below capacity: the max-margin solution.
	s, err := SolveTraining(Training{Weights: 576, Facts: 60})
	require.NoError(t, err)
	assert.Equal(t, Storable, s.Phase)
	k, err := Margin(576, 60, 60)
	require.NoError(t, err)
	assert.Equal(t, k.CorrectMean, s.CorrectMean.Value)
	assert.True(t, s.Normalised)
	assert.True(t, math.IsInf(s.Norm.Value, 1))
	assert.Equal(t, 1.0, s.Accuracy.Value)
	h, err := SolveTraining(Training{Weights: 576, Facts: 60, Loss: Hinge})
	require.NoError(t, err)
	assert.InEpsilon(t, 1/k.Margin, h.Norm.Value, 1e-12)
	// Far above: W = 0 for the hinge.
	z, err := SolveTraining(Training{Weights: 576, Facts: 300, Loss: Hinge})
	require.NoError(t, err)
	assert.Equal(t, Zero, z.Phase)
	assert.Zero(t, z.Norm.Value)
}

// The hinge's W = 0: below the threshold the saddle point is found, with a mean loss
// below that of W = 0, and above it there is none. The numbers are pinned.
func TestHingeCollapse(t *testing.T) {
	for _, c := range []struct{ n, want float64 }{{10, 0.8269829}, {118, 0.2407080}} {
		v, err := HingeCollapse(c.n)
		require.NoError(t, err)
		assert.InDelta(t, c.want, v.Value, v.Error+1e-6, "n = %v", c.n)
		weights := 1000.0
		below, err := SolveTraining(Training{Weights: weights, Facts: 0.97 * v.Value * weights, Candidates: c.n, Loss: Hinge})
		require.NoError(t, err)
		assert.Equal(t, Unstorable, below.Phase)
		assert.Less(t, below.Loss.Value, 1.0)
		above, err := SolveTraining(Training{Weights: weights, Facts: 1.03 * v.Value * weights, Candidates: c.n, Loss: Hinge})
		require.NoError(t, err)
		assert.Equal(t, Zero, above.Phase)
	}
	v, err := HingeCollapse(2)
	require.NoError(t, err)
	assert.True(t, math.IsInf(v.Value, 1))
}

func TestParseLoss(t *testing.T) {
	for _, l := range []Loss{CrossEntropy, Hinge} {
		got, err := ParseLoss(l.String())
		require.NoError(t, err)
		assert.Equal(t, l, got)
	}
	_, err := ParseLoss("square")
	assert.ErrorContains(t, err, "loss = square: want cross-entropy or hinge")
}
