package proof_test

import (
	"bytes"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/harness/proof"
)

// storable decides by linear programming in rational arithmetic, with Bland's
// rule, whether ⟨W, X⟩ ≥ 1 for all pairs has a solution W: the exact answer for
// the numbers of the instance. Phase 1 of the simplex method on the dual form:
// W is free, so W = W⁺ − W⁻, and ⟨W, X_i⟩ − s_i + a_i = 1.
func storable(in *pattern.Instance) bool {
	s := in.Spec()
	var rows [][]*big.Rat
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	for mu := range s.P {
		pool, target, key := in.Pool(mu, nil), in.Target(mu), in.Key(mu)
		for c := range s.N {
			if c == target {
				continue
			}
			var x []*big.Rat
			for i := range s.DOut {
				y := new(big.Rat).Sub(rat(pool[target*s.DOut+i]), rat(pool[c*s.DOut+i]))
				for _, k := range key {
					x = append(x, new(big.Rat).Mul(y, rat(k)))
				}
			}
			rows = append(rows, x)
		}
	}
	// By Gordan's theorem: not storable iff λ ≥ 0, Σ λ = 1, Σ λ X = 0. That has
	// as few rows as N + 1, which is what the tableau holds.
	n, m := s.DOut*s.DIn+1, len(rows)
	table := make([][]*big.Rat, n+1) // the last is the objective
	for i := range table {
		table[i] = make([]*big.Rat, m+1)
		for j := range table[i] {
			table[i][j] = new(big.Rat)
		}
	}
	for j, x := range rows {
		for i := range n - 1 {
			table[i][j].Set(x[i])
		}
		table[n-1][j].SetInt64(1)
	}
	table[n-1][m].SetInt64(1)
	basis := make([]int, n) // artificial variables are m, m+1, …
	for i := range basis {
		basis[i] = m + i
		for j := range m + 1 { // the objective is the sum of the artificial ones
			table[n][j].Add(table[n][j], table[i][j])
		}
	}
	for {
		enter := -1
		for j := range m {
			if table[n][j].Sign() > 0 {
				enter = j
				break
			}
		}
		if enter < 0 {
			return table[n][m].Sign() > 0 // no λ
		}
		leave := -1
		var best *big.Rat
		for i := range n {
			if table[i][enter].Sign() <= 0 {
				continue
			}
			ratio := new(big.Rat).Quo(table[i][m], table[i][enter])
			if leave < 0 || ratio.Cmp(best) < 0 || ratio.Cmp(best) == 0 && basis[i] < basis[leave] {
				leave, best = i, ratio
			}
		}
		pivot := new(big.Rat).Inv(table[leave][enter])
		for j := range m + 1 {
			table[leave][j].Mul(table[leave][j], pivot)
		}
		for i := range n + 1 {
			if i == leave || table[i][enter].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Set(table[i][enter])
			for j := range m + 1 {
				table[i][j].Sub(table[i][j], new(big.Rat).Mul(f, table[leave][j]))
			}
		}
		basis[leave] = enter
	}
}

// Every small instance is decided as exact arithmetic decides it, and the
// certificate survives a round trip through its file and the check.
func TestDecidesLikeExactArithmetic(t *testing.T) {
	outcomes := map[bool]int{}
	exact, refuted := 0, 0
	for _, s := range []pattern.Spec{
		{Model: pattern.OP, DIn: 2, DOut: 2, P: 4, N: 4},
		{Model: pattern.OP, DIn: 2, DOut: 2, P: 5, N: 5},
		{Model: pattern.OP, DIn: 3, DOut: 2, P: 6, N: 6},
		{Model: pattern.DP, DIn: 2, DOut: 2, P: 4, N: 3},
		{Model: pattern.DP, DIn: 2, DOut: 2, P: 8, N: 2},
		{Model: pattern.DP, DIn: 2, DOut: 3, P: 6, N: 4},
		{Model: pattern.DP, DIn: 1, DOut: 2, P: 2, N: 4},
		{Model: pattern.DP, DIn: 1, DOut: 1, P: 2, N: 2},
		{Model: pattern.DP, DIn: 2, DOut: 1, P: 3, N: 3, Values: pattern.Sphere},
		{Model: pattern.OP, DIn: 2, DOut: 1, P: 3, N: 3, Values: pattern.Sphere},
		{Model: pattern.DP, DIn: 3, DOut: 2, P: 2, N: 5},
		{Model: pattern.DP, DIn: 4, DOut: 2, P: 3, N: 6},
		{Model: pattern.Facts, DIn: 2, DOut: 2, P: 6, N: 3},
		{Model: pattern.Facts, DIn: 3, DOut: 2, P: 5, N: 7},
		{Model: pattern.Facts, DIn: 2, DOut: 3, P: 4, N: 9},
		{Model: pattern.Facts, DIn: 3, DOut: 1, P: 3, N: 2},
	} {
		for seed := range uint64(12) {
			name := fmt.Sprintf("%+v seed %d", s, seed)
			in, _ := draw(s, seed)
			want := storable(in)
			outcomes[want]++
			c := decide(t, in, addressOf(s, seed))
			if !assert.NotNil(t, c, name+": undecided") {
				continue
			}
			assert.Equal(t, want, c.Outcome == proof.Stored, name)
			if c.Outcome == proof.NotStorable {
				refuted++
				if c.Exact {
					exact++
				} else {
					t.Log(name, "not exact", c.Bound, c.Multipliers)
				}
			}
			var b bytes.Buffer
			require.NoError(t, c.Write(&b), name)
			var read proof.Certificate
			require.NoError(t, read.Read(&b), name)
			assert.Equal(t, c, &read, name)
			report, err := proof.CheckFor(&read, in)
			require.NoError(t, err, name)
			if s.Model == pattern.Facts {
				_, err = proof.Check(&read)
				require.ErrorContains(t, err, "given facts", name)
			} else {
				again, err := proof.Check(&read)
				require.NoError(t, err, name)
				assert.Equal(t, report, again, name)
			}
			assert.True(t, report.Valid, "%s: %+v", name, report)
		}
	}
	t.Log(outcomes, exact, refuted)
	assert.Greater(t, outcomes[true], 40)
	assert.Greater(t, outcomes[false], 40)
	assert.Equal(t, outcomes[false], refuted)
	assert.Greater(t, exact, refuted/2)
}
