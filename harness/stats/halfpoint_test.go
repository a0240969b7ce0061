package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// simulate draws the counts of a transition from the probit curve.
func simulate(rng *rand.Rand, t Transition, half, width float64) Transition {
	s := Transition{Loads: t.Loads, Trials: t.Trials, Stored: make([]int, len(t.Loads))}
	for i, p := range s.Curve(half, width) {
		for range t.Trials[i] {
			if rng.Float64() < p {
				s.Stored[i]++
			}
		}
	}
	return s
}

// grid has five loads around 0.
func grid(spacing float64, trials int) Transition {
	return Transition{
		Loads:  []float64{-2 * spacing, -spacing, 0, spacing, 2 * spacing},
		Trials: []int{trials, trials, trials, trials, trials},
	}
}

func TestSeparatedData(t *testing.T) {
	// All stored up to 110, none from 115 on.
	h := Transition{[]float64{105, 110, 115, 120}, []int{20, 20, 0, 0}, []int{20, 20, 20, 20}}.Fit(0.95)
	assert.Equal(t, status.Converged, h.Status)
	assert.True(t, h.Separated)
	assert.Equal(t, 112.5, h.X)
	assert.Zero(t, h.Width)
	assert.Zero(t, h.LogLikelihood)
	// A half-point at 110 or below would make 20 of 20 there a coin tossed 20 times.
	assert.InDelta(t, 110, h.Interval.Lo, 0.2)
	assert.InDelta(t, 115, h.Interval.Hi, 0.2)
	require.Len(t, h.Warnings, 1)
	assert.ErrorIs(t, h.Warnings[0], ErrUnresolvedWidth)

	// One mixed load: the half-point is there; 16 of 20 put it just above the load.
	mixed := Transition{[]float64{105, 110, 115}, []int{20, 16, 0}, []int{20, 20, 20}}
	h = mixed.Fit(0.95)
	assert.Equal(t, 110.0, h.X)
	assert.True(t, h.Separated)
	assert.InDelta(t, 110, h.Interval.Lo, 0.2)
	assert.Greater(t, h.Interval.Hi, 111.0)
	assert.Less(t, h.Interval.Hi, 115.0)
	// At 110 itself the likelihood says 16 of 20 against 1/2.
	assert.Positive(t, mixed.Z(110))
	assert.InDelta(t, Proportion{16, 20}.PValue(0.5), mixed.PValue(110), 0.01)
}

func TestFlatAndSingleLoads(t *testing.T) {
	infinity := math.Inf(1)
	for name, c := range map[string]struct {
		data   Transition
		lo, hi float64
	}{
		"all stored":         {Transition{[]float64{1, 2, 3}, []int{20, 20, 20}, []int{20, 20, 20}}, 3, infinity},
		"none stored":        {Transition{[]float64{1, 2, 3}, []int{0, 0, 0}, []int{20, 20, 20}}, -infinity, 1},
		"single load, most":  {Transition{[]float64{5}, []int{18}, []int{20}}, 5, infinity},
		"single load, few":   {Transition{[]float64{5}, []int{2}, []int{20}}, -infinity, 5},
		"single load, half":  {Transition{[]float64{5}, []int{10}, []int{20}}, -infinity, infinity},
		"single load, 12":    {Transition{[]float64{5}, []int{12}, []int{20}}, -infinity, infinity},
		"equal loads":        {Transition{[]float64{5, 5}, []int{18, 19}, []int{20, 20}}, 5, infinity},
		"increasing":         {Transition{[]float64{1, 2}, []int{5, 15}, []int{20, 20}}, -infinity, infinity},
		"no trials":          {Transition{[]float64{1, 2}, []int{0, 0}, []int{0, 0}}, -infinity, infinity},
		"no loads":           {Transition{}, -infinity, infinity},
		"one of one, stored": {Transition{[]float64{1}, []int{1}, []int{1}}, -infinity, infinity},
	} {
		h := c.data.Fit(0.95)
		assert.Equal(t, status.NoBracket, h.Status, name)
		assert.True(t, math.IsNaN(h.X), name)
		assert.True(t, math.IsNaN(h.Width), name)
		require.Len(t, h.Warnings, 1, name)
		assert.ErrorIs(t, h.Warnings[0], ErrNoTransition, name)
		for _, end := range [][2]float64{{c.lo, h.Interval.Lo}, {c.hi, h.Interval.Hi}} {
			if math.IsInf(end[0], 0) {
				assert.Equal(t, end[0], end[1], name)
			} else {
				assert.InDelta(t, end[0], end[1], 0.05, name)
			}
		}
	}
	all := Transition{[]float64{1, 2, 3}, []int{20, 20, 20}, []int{20, 20, 20}}
	assert.Equal(t, 1.0, all.PValue(4))
	assert.Less(t, all.PValue(1.5), 1e-4)
	assert.Positive(t, all.Z(1.5))
	assert.True(t, math.IsNaN(Transition{}.PValue(1)))
	assert.True(t, math.IsNaN(all.PValue(math.NaN())))
	assert.Panics(t, func() { Transition{Loads: []float64{1}}.Fit(0.95) })
	assert.Panics(t, func() { Transition{[]float64{math.NaN()}, []int{1}, []int{1}}.Fit(0.95) })
}

func TestFitKnownWidth(t *testing.T) {
	infinity := math.Inf(1)
	all := Transition{[]float64{1, 2, 3}, []int{20, 20, 20}, []int{20, 20, 20}}
	h := all.FitKnownWidth(0.5, 0.95)
	assert.Equal(t, status.NoBracket, h.Status)
	assert.Equal(t, infinity, h.Interval.Hi)
	// Just inside: P(20 of 20 at the last load …) = 0.025; the score is the exact one-sided test.
	assert.InDelta(t, 0.05, all.PValueKnownWidth(h.Interval.Lo, 0.5), 1e-3)
	for _, set := range referenceSets {
		free := set.fit(0.95, 0)
		known := set.FitKnownWidth(free.Width, 0.95)
		// The free fit maximises over the half-point at its own width.
		assert.InDelta(t, free.X, known.X, 1e-9*free.X)
		assert.InDelta(t, free.LogLikelihood, known.LogLikelihood, 1e-9)
		for _, end := range []float64{known.Interval.Lo, known.Interval.Hi} {
			assert.GreaterOrEqual(t, set.PValueKnownWidth(end, free.Width), 0.05-1e-9)
		}
		// The length is that of ± 1.96 standard errors from the curvature, give or take discreteness.
		curvature := 0.0
		for _, p := range set.points() {
			_, c := p.slopes((known.X - p.x) / free.Width)
			curvature += c / (free.Width * free.Width)
		}
		normal := 2 * 1.96 / math.Sqrt(curvature)
		assert.InDelta(t, 1, (known.Interval.Hi-known.Interval.Lo)/normal, 0.1)
	}
	assert.Panics(t, func() { all.FitKnownWidth(0, 0.95) })
}

func drawTransition(t *rapid.T) Transition {
	n := rapid.IntRange(1, 6).Draw(t, "loads")
	var data Transition
	for range n {
		trials := rapid.IntRange(0, 30).Draw(t, "trials")
		data.Loads = append(data.Loads, float64(rapid.IntRange(-8, 8).Draw(t, "x")))
		data.Trials = append(data.Trials, trials)
		data.Stored = append(data.Stored, rapid.IntRange(0, trials).Draw(t, "stored"))
	}
	return data
}

func near(t *rapid.T, want, got, tolerance float64, what string) {
	if math.IsNaN(want) && math.IsNaN(got) || want == got {
		return
	}
	if !(math.Abs(want-got) <= tolerance*(1+math.Abs(want))) {
		t.Fatalf("%s: %v (%x), want %v (%x)", what, got, math.Float64bits(got), want, math.Float64bits(want))
	}
}

// Any data at all give an answer; it moves with the loads, mirrors with them,
// and does not see how equal loads were grouped.
func TestHalfPointLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawTransition(t)
		h := data.fit(0.95, 0)
		if h.Status != status.Converged && h.Status != status.NoBracket {
			t.Fatalf("status %v", h.Status)
		}
		if h.Status == status.Converged && !h.Interval.Contains(h.X) {
			t.Fatalf("%v outside %v", h.X, h.Interval)
		}
		if h.Interval.Lo > h.Interval.Hi || h.Width < 0 {
			t.Fatalf("%+v", h)
		}
		moved, mirrored, split := Transition{}, Transition{}, Transition{}
		for i, x := range data.Loads {
			s, n := data.Stored[i], data.Trials[i]
			moved.Loads = append(moved.Loads, 4*x+100)
			mirrored.Loads = append(mirrored.Loads, -x)
			mirrored.Stored = append(mirrored.Stored, n-s)
			split.Loads = append(split.Loads, x, x)
			split.Stored = append(split.Stored, s/2, s-s/2)
			split.Trials = append(split.Trials, n/2, n-n/2)
			if s/2 > n/2 || s-s/2 > n-n/2 {
				t.Fatal("a split that cannot be")
			}
		}
		moved.Stored, moved.Trials, mirrored.Trials = data.Stored, data.Trials, data.Trials
		m, r, s := moved.fit(0.95, 0), mirrored.fit(0.95, 0), split.fit(0.95, 0)
		const tolerance = 1e-6
		near(t, 4*h.X+100, m.X, tolerance, "moved half-point")
		near(t, 4*h.Width, m.Width, tolerance, "moved width")
		near(t, 4*h.Interval.Lo+100, m.Interval.Lo, tolerance, "moved end")
		near(t, -h.X, r.X, tolerance, "mirrored half-point")
		near(t, -h.Interval.Lo, r.Interval.Hi, tolerance, "mirrored end")
		near(t, h.X, s.X, tolerance, "split half-point")
		near(t, h.Interval.Hi, s.Interval.Hi, tolerance, "split end")
		near(t, h.LogLikelihood, s.LogLikelihood, tolerance, "split likelihood")
	})
}

// No half-point and width beat the fit.
func TestFitIsTheMaximum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawTransition(t)
		h := data.fit(0.95, 0)
		half, width := rapid.Float64Range(-20, 20).Draw(t, "half"), rapid.Float64Range(1e-3, 50).Draw(t, "width")
		sum := 0.0
		for _, p := range data.points() {
			sum += p.logLikelihood((half - p.x) / width)
		}
		if sum > h.LogLikelihood+1e-9 {
			t.Fatalf("half-point %v, width %v: %v > %v", half, width, sum, h.LogLikelihood)
		}
	})
}

// The p-value at the ends of the interval is what the level says, up to the steps of the
// bootstrap (1/2000) and the two corrections of its critical value.
func TestIntervalIsTheTest(t *testing.T) {
	for _, set := range referenceSets[1:] {
		h := set.Fit(0.95)
		assert.InDelta(t, 0.05, set.PValue(h.Interval.Lo), 0.003)
		assert.InDelta(t, 0.05, set.PValue(h.Interval.Hi), 0.003)
	}
	set := referenceSets[0]
	h := set.Fit(0.95)
	assert.Equal(t, h, set.Fit(0.95)) // the stream is fixed
	assert.Greater(t, set.PValue(h.X), 0.99)
	assert.Positive(t, set.Z(h.Interval.Lo-1))
	assert.Negative(t, set.Z(h.Interval.Hi+1))
	far := set.Rejects("α_c = 1/2", -20)
	assert.True(t, far.At(1e-6), far.String())
	// With the width given the same theory is rejected far more strongly.
	assert.Greater(t, set.RejectsKnownWidth("α_c = 1/2", -20, h.Width).Z, 3*far.Z)
}

// 5 loads × 40 trials, spacing one width: the χ² interval of the free fit covers, its p-value
// keeps its level (the two are one test), and so does the exact one of known width.
func TestHalfPointCalibration(t *testing.T) {
	const replicates = 3000
	data := grid(1, 40)
	// The truth lies off the grid, where nothing is symmetric.
	const half, width = 0.3, 1.0
	rng := stream.New(1, "stats test", "half-point", 0)
	misses, exact := 0, 0
	for r := range replicates {
		s := simulate(rng, data, half, width)
		points := s.points()
		missed := logChiSquareTail(maximise(points).deviance(points, half)) < math.Log(0.05)
		if missed {
			misses++
		}
		if r < 100 { // inverting the test is slower than doing it
			assert.Equal(t, !missed, s.fit(0.95, 0).Interval.Contains(half))
		}
		if r < 500 && s.PValueKnownWidth(half, width) <= 0.05 {
			exact++
		}
	}
	rate := float64(misses) / replicates
	bound := 4 * math.Sqrt(0.05*0.95/replicates) // 0.016
	assert.InDelta(t, 0.05, rate, bound)
	assert.LessOrEqual(t, float64(exact)/500, 0.05+4*math.Sqrt(0.05*0.95/500))
	assert.Greater(t, float64(exact)/500, 0.02) // not bought by never rejecting
	t.Logf("false alarms at 5%%: χ² %.4f, exact with known width %.4f", rate, float64(exact)/500)
}

// Loads three widths apart: χ² gives 8-10% false alarms at a nominal 5%, the
// bootstrap about 5%.
func TestBootstrapCorrectsCoarseLoads(t *testing.T) {
	const replicates = 250
	data := grid(3, 40)
	rng := stream.New(1, "stats test", "coarse", 0)
	chiSquare, bootstrap := 0, 0
	for range replicates {
		s := simulate(rng, data, 1.5, 1)
		points := s.points()
		deviance := maximise(points).deviance(points, 1.5)
		logP := logChiSquareTail(deviance)
		if logP <= math.Log(0.05) {
			chiSquare++
		}
		// Corrections are below a factor 2 here: above 0.2 the bootstrap is skipped.
		if logP < math.Log(0.2) && calibrate(points, 1.5, 499).logPValue(deviance) <= math.Log(0.05) {
			bootstrap++
		}
	}
	assert.Greater(t, chiSquare, 18)
	// Of 250: 7% = 18, 5% and three standard errors = 22; not bought by never rejecting.
	assert.LessOrEqual(t, bootstrap, 22)
	assert.Greater(t, bootstrap, 3)
	t.Logf("false alarms at 5%%: χ² %.4f, bootstrap %.4f", float64(chiSquare)/replicates, float64(bootstrap)/replicates)
}

func BenchmarkFit(b *testing.B) {
	for b.Loop() {
		referenceSets[0].Fit(0.95)
	}
}

func BenchmarkFitKnownWidth(b *testing.B) {
	for b.Loop() {
		referenceSets[0].FitKnownWidth(1.2, 0.95)
	}
}

func BenchmarkPValue(b *testing.B) {
	for b.Loop() {
		referenceSets[0].PValue(2.3)
	}
}

func BenchmarkCurvePValue(b *testing.B) {
	predicted := referenceSets[0].Curve(2.3, 1.2)
	for b.Loop() {
		CurvePValue(referenceSets[0].Stored, referenceSets[0].Trials, predicted)
	}
}
