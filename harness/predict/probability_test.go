package predict

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/quartercircle"
	"lamcap/saddle"
)

// The transition of the specification at d = 24; no other row may change it.
func TestProbability(t *testing.T) {
	tab, err := Probability(ProbabilityQuery{Memories: []Memory{{In: 24, Out: 24}}, Facts: []float64{109, 112, 115, 119, 122}})
	require.NoError(t, err)
	want := []float64{.954, .815, .550, .190, .053}
	for i, v := range column(t, tab, "probability") {
		assert.InDelta(t, want[i], v, 5.1e-4)
	}
	for i, v := range column(t, tab, "probability_normal") {
		assert.InDelta(t, want[i], v, 0.004)
		assert.NotEqual(t, v, column(t, tab, "probability")[i])
	}
	complement := column(t, tab, "complement")
	for i, v := range column(t, tab, "probability") {
		assert.InDelta(t, 1, v.(float64)+complement[i].(float64), 1e-12)
	}
}

// n = p is the default; n = 2 is Cover: half at p = 2N.
func TestProbabilityOfCandidates(t *testing.T) {
	tab, err := Probability(ProbabilityQuery{Memories: []Memory{{In: 3, Out: 4}}, Facts: []float64{24}, Candidates: 2})
	require.NoError(t, err)
	assert.InDelta(t, 0.5, column(t, tab, "probability")[0], 1e-14)
	assert.InDelta(t, 24, column(t, tab, "p_c")[0], 1e-12)
	_, err = Probability(ProbabilityQuery{Memories: []Memory{{In: 3, Out: 4}}, Facts: []float64{1}})
	assert.EqualError(t, err, "p = 1: with as many candidates as facts want p ≥ 2; else give the number of candidates n")
}

// The values live in R^{d_out}: few output dimensions, not few input
// dimensions, put targets inside the hull of their competitors.
func TestProbabilityKnowsOutputFromInput(t *testing.T) {
	of := func(in, out int) float64 {
		tab, err := Probability(ProbabilityQuery{Memories: []Memory{{In: in, Out: out}}, Facts: []float64{111}})
		require.NoError(t, err)
		return column(t, tab, "probability")[0].(float64)
	}
	assert.InDelta(t, 0.876, of(8, 72), 2e-3)
	assert.Less(t, of(72, 8), 1e-4)
}

// Below full rank the uncertainty of N_eff is part of the error.
func TestProbabilityAtLowRank(t *testing.T) {
	tab, err := Probability(ProbabilityQuery{Memories: []Memory{{In: 24, Out: 24, Rank: 12}}, Facts: []float64{106}})
	require.NoError(t, err)
	assert.InDelta(t, 0.506, column(t, tab, "probability")[0], 4*0.003)
	assert.Greater(t, column(t, tab, "probability_error")[0], 1e-3)
	assert.Less(t, column(t, tab, "probability_error")[0], 1e-2)
	// 2 × 0.09 weights at D + dD/dlog p = 6.8 weights a fact; bounded with D = 4.9.
	assert.InDelta(t, 0.03, column(t, tab, "p_c_error")[0], 0.01)
}

func TestQuantiles(t *testing.T) {
	tables, err := Quantiles(QuantileQuery{Memories: []Memory{{In: 12, Out: 12}, {In: 96, Out: 96}}, Probabilities: []float64{0.9, 0.5}})
	require.NoError(t, err)
	require.Len(t, tables, 2)
	p, facts := column(t, tables[0], "p"), column(t, tables[0], "facts")
	// P(storable) is at least 0.9 at the whole number, below it one further.
	for i, q := range []float64{0.9, 0.5} {
		at := facts[i].(float64)
		tab, err := Probability(ProbabilityQuery{Memories: []Memory{{In: 12, Out: 12}}, Facts: []float64{at, at + 1}})
		require.NoError(t, err)
		probability := column(t, tab, "probability")
		assert.GreaterOrEqual(t, probability[0], q)
		assert.Less(t, probability[1], q)
		assert.Equal(t, math.Floor(p[i].(float64)), at)
	}
	width, law := column(t, tables[1], "width"), column(t, tables[1], "width_law")
	// The law does not know of hulls, which narrow the transition by 0.3% at d = 12.
	assert.InEpsilon(t, 0.1552, law[0], 1e-3)
	assert.InEpsilon(t, law[0], width[0], 4e-3)
	assert.InEpsilon(t, law[1], width[1], 1e-4, "closer at larger d")
	assert.Less(t, width[1], width[0])
}

// A plan keeps its promise, and one dimension less would not.
func TestPlanMemory(t *testing.T) {
	spectra, transition := quartercircle.NewSpectra(), saddle.NewTransition()
	for _, facts := range []float64{2, 3, 10, 115} {
		tab, err := PlanMemory([]float64{facts}, PlanQuery{Kappas: []float64{1, 0.5}})
		require.NoError(t, err)
		for i, kappa := range []float64{1, 0.5} {
			d := column(t, tab, "d")[i].(int)
			assert.GreaterOrEqual(t, column(t, tab, "probability")[i], DefaultReliability, "p = %v, κ = %v", facts, kappa)
			if d == 1 {
				continue
			}
			smaller := Memory{In: d - 1, Out: d - 1}.atFraction(kappa)
			weights, err := smaller.effective(spectra)
			require.NoError(t, err)
			less, err := transition.Decoupled(smaller.Out).Probability(weights.Value-spread(weights), facts, facts)
			require.NoError(t, err)
			assert.Less(t, less.Value, DefaultReliability, "p = %v, κ = %v", facts, kappa)
		}
	}
}

// Both directions of the plan agree, and both are far from the limit.
func TestPlanFacts(t *testing.T) {
	tab, err := PlanFacts([]Memory{{In: 24, Out: 24}}, PlanQuery{})
	require.NoError(t, err)
	facts := column(t, tab, "facts")[0].(float64)
	back, err := PlanMemory([]float64{facts, facts + 1}, PlanQuery{Kappas: []float64{1}})
	require.NoError(t, err)
	assert.Equal(t, []any{24, 25}, column(t, back, "d"))
	assert.Greater(t, column(t, tab, "ratio")[0], 1.5)
	assert.InDelta(t, facts*math.Log2(facts)/576, column(t, tab, "bits_per_weight")[0], 1e-12)

	limit := column(t, tab, "facts_limit")[0].(float64)
	assert.InDelta(t, 576/2.0, limit*math.Log(limit), 1e-9)

	// A rank stands for itself; without one there is a row for each κ.
	tab, err = PlanFacts([]Memory{{In: 24, Out: 48, Rank: 6}}, PlanQuery{Kappas: []float64{1, 0.5}})
	require.NoError(t, err)
	assert.Equal(t, []any{6}, column(t, tab, "rank"))
	tab, err = PlanFacts([]Memory{{In: 24, Out: 48}}, PlanQuery{Kappas: []float64{1, 0.5}, Candidates: 10})
	require.NoError(t, err)
	assert.Equal(t, []any{24, 12}, column(t, tab, "rank"))
	assert.Equal(t, []any{10.0, 10.0}, column(t, tab, "n"))
}

func TestMargins(t *testing.T) {
	q := MarginQuery{Memories: []Memory{{In: 24, Out: 24}}}
	tab, err := Margins([]float64{60, 100}, q)
	require.NoError(t, err)
	margin := column(t, tab, "margin")
	// The other way around.
	back, err := FactsAtMargins([]float64{margin[0].(float64), margin[1].(float64), 0}, q)
	require.NoError(t, err)
	p := column(t, back, "p")
	assert.InDeltaSlice(t, []any{60.0, 100.0, 115.46741593997}, p, 1e-9)
	assert.InDelta(t, column(t, tab, "correct_mean")[0], column(t, back, "correct_mean")[0], 1e-9)

	_, err = Margins([]float64{116}, q)
	assert.ErrorContains(t, err, "p = 116: no margin above capacity")
}

// The densities are the derivatives of the CDFs in the table.
func TestScores(t *testing.T) {
	const h = 1e-3
	tab, err := Scores(Memory{In: 24, Out: 24}, 60, []float64{1.25 - h, 1.25, 1.25 + h, 2.6 - h, 2.6, 2.6 + h}, 0)
	require.NoError(t, err)
	for _, law := range []string{"correct", "competitor"} {
		density, cdf := column(t, tab, law+"_density"), column(t, tab, law+"_cdf")
		for _, i := range []int{1, 4} {
			slope := (cdf[i+1].(float64) - cdf[i-1].(float64)) / (2 * h)
			assert.InDelta(t, density[i], slope, 1e-4, "%s, row %d", law, i)
		}
	}
}

func TestCriteria(t *testing.T) {
	q := CriterionQuery{Memories: []Memory{{In: 24, Out: 24}}}
	fractions, err := Fractions([]float64{0, 0.1}, q)
	require.NoError(t, err)
	p := column(t, fractions, "p")
	assert.InDelta(t, 115.467416, p[0], 1e-6, "all inputs")
	assert.Greater(t, p[1], p[0])

	// The fraction that fails at that load is the one allowed.
	errors, err := Errors([]float64{100, 150}, q)
	require.NoError(t, err)
	assert.Equal(t, 0.0, column(t, errors, "fraction")[0])
	back, err := Fractions([]float64{column(t, errors, "fraction")[1].(float64)}, q)
	require.NoError(t, err)
	assert.InDelta(t, 150, column(t, back, "p")[0], 1e-6)

	q.Candidates = 115
	top, err := Top([]int{1, 2}, q)
	require.NoError(t, err)
	assert.InDelta(t, column(t, top, "p_c")[0], column(t, top, "p")[0], 1e-9, "k = 1")
	assert.Greater(t, column(t, top, "p")[1], column(t, top, "p")[0])

	tails, err := TailAverages([]float64{0.5, 0.01, 1e-6})
	require.NoError(t, err)
	assert.InDeltaSlice(t, []any{0.657712728, 0.123415894, 0.039237233}, column(t, tails, "alpha_c"), 5.1e-10)
}

// The json keys of the commands are a contract.
func TestKeysOfTheTransition(t *testing.T) {
	m := []Memory{{In: 4, Out: 4}}
	probability, err := Probability(ProbabilityQuery{Memories: m, Facts: []float64{5}})
	require.NoError(t, err)
	for _, key := range []string{"d_in", "d_out", "rank", "p", "n", "probability", "probability_normal", "p_c"} {
		column(t, probability, key)
	}
	margin, err := Margins([]float64{5}, MarginQuery{Memories: m})
	require.NoError(t, err)
	for _, key := range []string{"d_in", "d_out", "p", "n", "margin", "correct_mean", "correct_std", "active_per_input"} {
		column(t, margin, key)
	}
}

func TestMemoryErrors(t *testing.T) {
	for _, test := range []struct {
		memory Memory
		want   string
	}{
		{Memory{In: 0, Out: 4}, "d_in = 0: want 1 ≤ d_in ≤ 1099511627776"},
		{Memory{In: 4, Out: -1}, "d_out = -1: want 1 ≤ d_out ≤ 1099511627776"},
		{Memory{In: 4, Out: 8, Rank: 5}, "rank = 5: want 1 ≤ rank ≤ min(d_in, d_out) = 4"},
	} {
		_, err := Probability(ProbabilityQuery{Memories: []Memory{test.memory}, Facts: []float64{5}})
		assert.EqualError(t, err, test.want)
		_, err = PlanFacts([]Memory{test.memory}, PlanQuery{})
		assert.EqualError(t, err, test.want)
	}
	_, err := PlanMemory([]float64{10}, PlanQuery{Kappas: []float64{1.5}})
	assert.EqualError(t, err, "kappa = 1.5: want 0 < kappa ≤ 1")
	_, err = PlanMemory([]float64{10}, PlanQuery{Kappas: []float64{1}, Reliability: math.NaN()})
	assert.EqualError(t, err, "probability = NaN: want 0 < probability < 1")
}
