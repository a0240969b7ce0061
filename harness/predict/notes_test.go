package predict

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/harness/table"
)

// Every note of every table, with all its warnings, fits a line of a terminal.
func TestNotesFitALine(t *testing.T) {
	const line = 120
	thin := []Memory{{In: 24, Out: 4, Rank: 2}}
	var tables []*table.Table
	add := func(t *table.Table, err error) func(testing.TB) {
		tables = append(tables, t)
		return func(tb testing.TB) { require.NoError(tb, err) }
	}
	q, c := MarginQuery{Memories: thin}, CriterionQuery{Memories: thin}
	add(Probability(ProbabilityQuery{Memories: thin, Facts: []float64{10}}))(t)
	add(PlanFacts(thin, PlanQuery{}))(t)
	add(PlanFacts(thin, PlanQuery{Candidates: 10}))(t)
	add(PlanMemory([]float64{20}, PlanQuery{Kappas: []float64{0.1}}))(t)
	add(Margins([]float64{5}, q))(t)
	for _, level := range []string{VectorLevel, CorrectedLevel} {
		q := MarginQuery{Memories: []Memory{{In: 24, Out: 24}}, Candidates: 6, Level: level, Keys: pattern.Gaussian, Values: pattern.Sphere, Precision: 0.1}
		add(Margins([]float64{80}, q))(t)
	}
	add(Volumes(VolumeQuery{Memories: []Memory{{In: 8, Out: 4}}, Facts: []float64{5}, Draws: 100}))(t)
	add(Fractions([]float64{0.1}, c))(t)
	add(Errors([]float64{10}, c))(t)
	add(Top([]int{2}, c))(t)
	quantiles, err := Quantiles(QuantileQuery{Memories: thin, Probabilities: []float64{0.5}})
	require.NoError(t, err)
	fits, err := expansionFits()
	require.NoError(t, err)
	for _, tab := range append(append(tables, fits), quantiles...) {
		require.NotEmpty(t, tab.Notes, tab.Name)
		for _, note := range tab.Notes {
			assert.LessOrEqual(t, utf8.RuneCountInString(note), line, "%s: %s", tab.Name, note)
		}
	}
}

// What a memory's shape takes away from a prediction is said below the table.
func TestCaveats(t *testing.T) {
	of := func(m Memory) []string {
		tab, err := Probability(ProbabilityQuery{Memories: []Memory{m}, Facts: []float64{60}})
		require.NoError(t, err)
		return tab.Notes
	}
	const hull, low, thin = "π: a target lies in the hull", "Below full rank", "At m = 1 it is too high"
	plain := of(Memory{In: 24, Out: 24})
	for _, note := range []string{hull, low, thin} {
		assert.NotContains(t, all(plain), note)
	}
	assert.Contains(t, all(of(Memory{In: 72, Out: 8})), hull)
	assert.Contains(t, all(of(Memory{In: 24, Out: 24, Rank: 12})), low)
	assert.NotContains(t, all(of(Memory{In: 24, Out: 24, Rank: 12})), thin)
	assert.Contains(t, all(of(Memory{In: 24, Out: 24, Rank: 1})), thin)
}

func all(lines []string) string {
	out := ""
	for _, l := range lines {
		out += l + "\n"
	}
	return out
}
