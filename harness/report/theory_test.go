package report

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/chart"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// alphaOf is p log p/d².
func alphaOf(p float64, d int) float64 { return p * math.Log(p) / float64(d*d) }

// The theory beside capacities is that of its definitions: P(storable) of DP passes 1/2 at theory
// p_½, p_c D_{p_c} = N_eff, and the limit is I(κ)/2.
func TestTheoryOfCapacities(t *testing.T) {
	x := find(t, document(t), "capacity")
	half, err := quartercircle.Capacity(0.5)
	require.NoError(t, err)
	for i := range x.Rows {
		rank := value(t, x, i, "rank").(int)
		n, err := quartercircle.NewSpectra().EffectiveDimension(6, 6, rank)
		require.NoError(t, err)
		c, err := saddle.CriticalFacts(n.Value)
		require.NoError(t, err)
		assert.InEpsilon(t, c.Facts, value(t, x, i, "p_c"), 1e-12)
		assert.InEpsilon(t, alphaOf(c.Facts, 6), value(t, x, i, "alpha_c"), 1e-12)
		limit := 0.5
		if rank == 3 {
			limit = half
		}
		assert.InEpsilon(t, limit, value(t, x, i, "alpha_limit"), 1e-12)
		if p, ok := value(t, x, i, "p_half").(float64); ok {
			assert.InEpsilon(t, alphaOf(p, 6), value(t, x, i, "alpha_half"), 1e-12)
		}
		if value(t, x, i, "theory_of") != "dp" {
			continue
		}
		p := value(t, x, i, "theory_half").(float64)
		storable := saddle.NewTransition().Decoupled(6)
		below, err := storable.Probability(n.Value, math.Floor(p), math.Floor(p))
		require.NoError(t, err)
		above, err := storable.Probability(n.Value, math.Ceil(p), math.Ceil(p))
		require.NoError(t, err)
		assert.GreaterOrEqual(t, below.Value, 0.5)
		assert.LessOrEqual(t, above.Value, 0.5)
	}
}

// Intervals of half-points have the level that is asked for.
func TestIntervalsOfHalfPoints(t *testing.T) {
	x := find(t, document(t), "capacity")
	for i := range x.Rows {
		if value(t, x, i, "model") != pattern.DP || value(t, x, i, "rank") != 6 {
			continue
		}
		var counts stats.Transition
		for _, p := range []int{11, 13, 15, 17, 19} {
			stored, trials := 0, 0
			for _, r := range some() {
				if r.Measure == sweep.Storage && r.Spec.Model == pattern.DP && r.Rank == 6 && r.Spec.P == p {
					trials++
					if r.Result.Outcome == trial.Stored {
						stored++
					}
				}
			}
			counts.Loads, counts.Stored, counts.Trials = append(counts.Loads, float64(p)), append(counts.Stored, stored), append(counts.Trials, trials)
		}
		assert.Equal(t, table.Interval(counts.Fit(0.95).Interval), value(t, x, i, "p_half_interval"))
		return
	}
	require.Fail(t, "no such row")
}

// At full rank the half-point is that of what was decided: undecided instances, here all of those that
// were not stored, neither count as lost nor as stored.
func TestHalfPointOfDecided(t *testing.T) {
	var records []sweep.Record
	for _, r := range some() {
		if r.Measure != sweep.Storage || r.Spec.Model != pattern.DP || r.Rank != 6 {
			continue
		}
		if r.Trial%3 == 0 {
			r.Result.Outcome = trial.Undecided
		}
		records = append(records, r)
	}
	cells, err := newCells(records)
	require.NoError(t, err)
	b := &builder{o: Options{Confidence: 0.95}, spectra: quartercircle.NewSpectra(), storable: saddle.NewTransition()}
	ts := b.transitions(cells)
	require.Len(t, ts, 1)
	var decided stats.Transition
	for i, o := range ts[0].outcomes {
		require.Equal(t, 10, o.Undecided)
		decided.Loads, decided.Stored, decided.Trials = append(decided.Loads, float64(ts[0].facts[i])), append(decided.Stored, o.Stored), append(decided.Trials, 20)
	}
	assert.Equal(t, decided.Fit(0.95).X, ts[0].half.X)
	assert.Less(t, ts[0].half.found.X, ts[0].half.X)
	assert.Less(t, ts[0].half.X, ts[0].half.possible.X)
	// The figure against d has the interval that holds for both readings.
	p, h := halfPointSeries(ts)[0].Points[0], ts[0].half
	require.Less(t, h.found.Interval.Hi, h.possible.Interval.Hi)
	assert.Equal(t, []float64{alphaOf(h.X, 6), alphaOf(h.Interval.Lo, 6), alphaOf(h.possible.Interval.Hi, 6)}, []float64{p.Y, p.YLo, p.YHi})
}

// The expansions solve p D(p) = d² with D as it is written in the section, and the limit is approached
// from above.
func TestTheoryOfSizes(t *testing.T) {
	x := find(t, document(t), "half_points")
	require.NotEmpty(t, x.Rows)
	for i := range x.Rows {
		d := value(t, x, i, "d").(float64)
		for order, key := range map[int]string{0: "expansion_0", 2: "expansion_2"} {
			alpha, ok := value(t, x, i, key).(float64)
			if !ok {
				continue
			}
			// α = log p/D and p D = d²: log p = 2 log d − log D.
			dimension := func(logP float64) float64 {
				X := 2 * logP
				y := 3*math.Log(X) + math.Log(2*math.Pi)
				return X - y + 3 + float64(order/2)*((3*y-15)/X+(3*y*y-48*y+191)/(2*X*X))
			}
			logP := 2 * math.Log(d)
			for range 200 { // to the fixed point
				logP = 0.5*logP + 0.5*(2*math.Log(d)-math.Log(dimension(logP)))
			}
			assert.InEpsilon(t, logP/dimension(logP), alpha, 1e-9, "d = %v, order %d", d, order)
		}
		assert.Equal(t, 0.5, value(t, x, i, "limit"))
		theory := value(t, x, i, "dp_theory").(float64)
		if d <= 1000 && d == math.Trunc(d) && i == 0 {
			q, err := saddle.NewTransition().Decoupled(int(d)).Facts(d*d, 0.5)
			require.NoError(t, err)
			assert.InEpsilon(t, alphaOf(q.Value, int(d)), theory, 1e-12)
		}
		if d == 1e150 {
			assert.InDelta(t, 0.5, theory, 0.01)
		}
		assert.Greater(t, theory, 0.5)
	}
}

// Hebb's rule has the law of its own problem beside it, with Student's intervals.
func TestTheoryOfRecall(t *testing.T) {
	x := find(t, document(t), "accuracy")
	seen := map[pattern.Model]int{}
	for i := range x.Rows {
		p := float64(value(t, x, i, "p").(int))
		limit := 1.0
		if alphaOf(p, 8) > 0.5 {
			limit = 0
		}
		assert.Equal(t, limit, value(t, x, i, "limit"))
		if value(t, x, i, "keys_embedding") != pattern.Sphere {
			continue
		}
		m := value(t, x, i, "model").(pattern.Model)
		law := saddle.HebbDecoupledCorrectedLaw(8)
		if m == pattern.OP {
			law = saddle.HebbOriginalLaw(8)
		}
		v, err := law(p)
		require.NoError(t, err)
		assert.Equal(t, v.Value, value(t, x, i, "theory"))
		seen[m]++
		var of []float64
		for _, r := range some() {
			if r.Spec.Keys == pattern.Sphere && r.Spec.Model == m && float64(r.Spec.P) == p {
				of = append(of, r.Result.Accuracy)
			}
		}
		s := stats.NewSample(of)
		assert.Equal(t, s.Mean, value(t, x, i, "accuracy"))
		if in := value(t, x, i, "accuracy_interval").(table.Interval); in.Lo > 0 && in.Hi < 1 && s.Mean < 1 {
			assert.Equal(t, table.Interval(s.Interval(0.95)), in)
		}
	}
	assert.Equal(t, map[pattern.Model]int{pattern.OP: 4, pattern.DP: 4}, seen)
}

// What is drawn is what the tables say: points, intervals and limits.
func TestFiguresShowTheTables(t *testing.T) {
	_, figures, err := parts(document(t))
	require.NoError(t, err)
	x := find(t, document(t), "capacity")
	points, limits := 0, 0
	for _, f := range figures {
		for _, panel := range f.Panels {
			for _, s := range panel.Series {
				switch {
				case f.Name == "capacity" && s.Mark == chart.Points:
					for _, p := range s.Points {
						found := false
						for i := range x.Rows {
							alpha, ok := value(t, x, i, "alpha_half").(float64)
							in := value(t, x, i, "alpha_half_interval").(table.Interval)
							found = found || ok && strings.ToLower(panel.Title) == value(t, x, i, "model").(pattern.Model).String() &&
								p.Y == alpha && p.YLo == in.Lo && p.YHi == in.Hi && p.X == value(t, x, i, "kappa")
						}
						assert.True(t, found, "%+v of %s", p, panel.Title)
						points++
					}
				case f.Name == "capacity" && strings.HasPrefix(s.Name, "limit"):
					last := s.Points[len(s.Points)-1]
					assert.Equal(t, []float64{1, 0.5}, []float64{last.X, last.Y})
					limits++
				case f.Name == "stored_fraction" && s.Mark == chart.Step:
					assert.Equal(t, []float64{1, 0.5, 0, 0}, []float64{s.Points[0].Y, s.Points[1].X, s.Points[1].Y, s.Points[2].Y})
					limits++
				}
			}
		}
	}
	assert.GreaterOrEqual(t, points, 2)
	assert.Equal(t, 4, limits, "of each figure one for OP and for DP")
}

// Memories that are not square have the limit of Marchenko and Pastur's law: 1/2 at full rank for
// every ratio, and next to square the quarter circle's.
func TestLimitOfRectangles(t *testing.T) {
	assert.InDelta(t, 0.5, shape{12, 48, 12}.limit(), 1e-9)
	assert.InDelta(t, 0.5, shape{48, 12, 12}.limit(), 1e-9)
	square, err := quartercircle.Capacity(0.5)
	require.NoError(t, err)
	assert.InDelta(t, square, shape{4000, 4001, 2000}.limit(), 1e-3)
	assert.Less(t, shape{12, 48, 6}.limit(), square-0.02, "flatter spectra: the top half has less")
}
