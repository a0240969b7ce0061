package facts_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/facts"
	"lamcap/harness/proof"
	"lamcap/harness/trial"
	"lamcap/harness/vectors"
	"lamcap/internal/stream"
)

// Small whole numbers, with values between others and keys that are multiples, are decided as
// exact linear programming decides them.
func TestOutcomesAreThoseOfExactPrograms(t *testing.T) {
	rng := stream.New(31, "exact", "", 0)
	outcomes := map[trial.Outcome]int{}
	for run := range 400 {
		in, out, nk, n := 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(5), 1+rng.IntN(5)
		span := []int{1, 2, 9, 1e6}[rng.IntN(4)]
		keys, values := degenerate(t, rng, nk, in, span), degenerate(t, rng, n, out, span)
		pairs := make([]facts.Pair, 1+rng.IntN(6))
		for i := range pairs {
			pairs[i] = facts.Pair{Key: rng.IntN(nk), Value: rng.IntN(n)}
		}
		f, err := facts.New(keys, values, pairs, facts.All)
		require.NoError(t, err)
		r, err := f.Store(t.Context(), facts.Options{})
		require.NoError(t, err)
		outcomes[r.Outcome]++
		storable := !zeroInHull(differences(f, keys, values))
		assert.Equal(t, map[bool]trial.Outcome{true: trial.Stored, false: trial.NotStorable}[storable], r.Outcome,
			"run %d: keys %v, values %v, pairs %v", run, keys.Data, values.Data, pairs)
		require.NotNil(t, r.Certificate)
		report, err := proof.CheckFor(r.Certificate, f.Instance())
		require.NoError(t, err)
		assert.True(t, report.Valid, report.Reason)
	}
	assert.Greater(t, min(outcomes[trial.Stored], outcomes[trial.NotStorable]), 100)
}

// A value one unit in the last place beyond the middle of others has the largest score for the right
// keys, by less than round-off. That no memory recalls it is not claimed.
func TestMarginBelowRoundoffIsNotExcluded(t *testing.T) {
	values := set(t, 2, 1, 0, 0, 1, .5, math.Nextafter(.5, 1))
	f, r := store(t, set(t, 2, 1, .25), values, []facts.Pair{{Key: 0, Value: 2}}, facts.All, facts.Options{})
	require.Equal(t, trial.NotStorable, r.Outcome)
	assert.False(t, r.Exact)
	assert.Positive(t, r.MarginBound)
	assert.Contains(t, f.Tables(r, nil, facts.Sources{}, 0)[0].Notes[0], "Not exact")
	f, r = store(t, set(t, 2, 1, .25), set(t, 2, 1, 0, 0, 1, .5, .5), []facts.Pair{{Key: 0, Value: 2}}, facts.All, facts.Options{})
	require.Equal(t, trial.NotStorable, r.Outcome)
	assert.True(t, r.Exact)
	assert.Empty(t, f.Tables(r, nil, facts.Sources{}, 0)[0].Notes)
}

// degenerate draws vectors of whole numbers, some in the middle of two others or multiples.
func degenerate(t *testing.T, rng *rand.Rand, rows, columns, span int) *vectors.Set {
	x := make([]float64, rows*columns)
	for i := range x {
		x[i] = float64(rng.IntN(2*span+1) - span)
	}
	if rows > 2 && rng.IntN(3) == 0 {
		for j := range columns {
			x[j], x[columns+j] = 2*x[j], 2*x[columns+j]
			x[2*columns+j] = (x[j] + x[columns+j]) / 2
		}
	}
	if rows > 1 && rng.IntN(4) == 0 {
		factor := float64(rng.IntN(7) - 3)
		for j := range columns {
			x[j] = factor * x[columns+j]
		}
	}
	return set(t, columns, x...)
}

// differences are the (u − v) eᵀ whose scalar products with W have to be positive.
func differences(f *facts.Facts, keys, values *vectors.Set) [][]int64 {
	var all [][]int64
	for _, p := range f.Pairs() {
		for rho := range values.Rows {
			if rho == p.Value {
				continue
			}
			var x []int64
			for i, u := range values.Row(p.Value) {
				for _, e := range keys.Row(p.Key) {
					x = append(x, int64(u-values.Row(rho)[i])*int64(e))
				}
			}
			all = append(all, x)
		}
	}
	return all
}

// zeroInHull reports whether some λ ≥ 0 with Σ λ = 1 have Σ λ x = 0, by the first phase of the
// simplex method with Bland's rule, in rational arithmetic: by Gordan's theorem, whether no W
// is positive on all x.
func zeroInHull(x [][]int64) bool {
	if len(x) == 0 {
		return false
	}
	m, rows := len(x), len(x[0])+1
	// Rows: Σ λ x = 0, Σ λ = 1, reduced costs. Columns: λ, the right-hand side.
	table := make([][]*big.Rat, rows+1)
	for i := range table {
		table[i] = make([]*big.Rat, m+1)
		for j := range table[i] {
			table[i][j] = new(big.Rat)
			switch {
			case i < rows-1 && j < m:
				table[i][j].SetInt64(x[j][i])
			case i == rows-1:
				table[i][j].SetInt64(1)
			}
		}
	}
	for _, row := range table[:rows] {
		for j := range row {
			table[rows][j].Sub(table[rows][j], row[j])
		}
	}
	basis := make([]int, rows) // artificial variables, which do not come back
	for i := range basis {
		basis[i] = m + i
	}
	for {
		entering, leaving := -1, -1
		for j := range m {
			if table[rows][j].Sign() < 0 {
				entering = j
				break
			}
		}
		if entering < 0 {
			return table[rows][m].Sign() == 0
		}
		least := new(big.Rat)
		for i := range rows {
			if table[i][entering].Sign() <= 0 {
				continue
			}
			ratio := new(big.Rat).Quo(table[i][m], table[i][entering])
			if c := ratio.Cmp(least); leaving < 0 || c < 0 || c == 0 && basis[i] < basis[leaving] {
				leaving, least = i, ratio
			}
		}
		inverse := new(big.Rat).Inv(table[leaving][entering])
		for _, y := range table[leaving] {
			y.Mul(y, inverse)
		}
		for i, row := range table {
			factor := new(big.Rat).Set(row[entering])
			if i == leaving || factor.Sign() == 0 {
				continue
			}
			for j := range row {
				row[j].Sub(row[j], new(big.Rat).Mul(factor, table[leaving][j]))
			}
		}
		basis[leaving] = entering
	}
}
