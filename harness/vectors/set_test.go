package vectors

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNewSet(t *testing.T) {
	s, err := NewSet(2, 3, []float64{1, 2, 3, 4, 5, 6})
	require.NoError(t, err)
	assert.Equal(t, []float64{4, 5, 6}, s.Row(1))
	for _, c := range []struct {
		rows, columns int
		data          []float64
	}{
		{0, 3, nil}, {3, 0, nil}, {-1, -1, []float64{1}}, {2, 2, []float64{1, 2, 3}}, {math.MaxInt, 2, []float64{1, 2}},
		{1, 2, []float64{1, math.NaN()}}, {1, 2, []float64{1, math.Inf(1)}},
	} {
		_, err := NewSet(c.rows, c.columns, c.data)
		assert.Error(t, err, "%+v", c)
	}
}

func TestSelect(t *testing.T) {
	s, err := NewSet(3, 2, []float64{1, 2, 3, 4, 5, 6})
	require.NoError(t, err)
	require.NoError(t, s.SetNames([]string{"a", "b", "c"}))
	part := s.Select([]int{2, 0, 2})
	assert.Equal(t, []float64{5, 6, 1, 2, 5, 6}, part.Data)
	assert.Equal(t, []string{"c", "a", "c"}, part.Names)
	part.Data[0] = 9
	assert.Equal(t, 5.0, s.Data[4], "a copy")
	assert.Panics(t, func() { s.Select([]int{3}) })
	assert.Panics(t, func() { s.Select([]int{-1}) })
}

func TestSetNames(t *testing.T) {
	s, err := NewSet(3, 1, []float64{1, 2, 3})
	require.NoError(t, err)
	assert.EqualError(t, s.SetNames([]string{"a", "b"}), "2 names for 3 vectors of the set: want one each")
	assert.EqualError(t, s.SetNames([]string{"a", "b", "a"}), `rows 0 and 2 (counted from 0) are both called "a": want different names`)
	assert.Equal(t, "row 1 (counted from 0)", s.Label(1))
	require.NoError(t, s.SetNames([]string{"a", "b b", "c"}))
	assert.Equal(t, `row 1 (counted from 0), "b b"`, s.Label(1))
}

// Groups of equal vectors are those found by comparing all pairs.
func TestDuplicates(t *testing.T) {
	number := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 1 + 0x1p-52})
	rapid.Check(t, func(rt *rapid.T) {
		s := &Set{Rows: rapid.IntRange(1, 30).Draw(rt, "rows"), Columns: rapid.IntRange(1, 3).Draw(rt, "columns")}
		s.Data = rapid.SliceOfN(number, s.Rows*s.Columns, s.Rows*s.Columns).Draw(rt, "data")
		var want [][]int
		done := make([]bool, s.Rows)
		for i := range s.Rows {
			var group []int
			for j := i; j < s.Rows; j++ {
				if !done[j] && slices.Equal(s.Row(i), s.Row(j)) {
					group = append(group, j)
					done[j] = true
				}
			}
			if len(group) > 1 {
				want = append(want, group)
			}
		}
		assert.Equal(rt, want, s.Duplicates())
	})
}

func TestZeros(t *testing.T) {
	s, err := NewSet(4, 2, []float64{0, 1, 0, 0, 0x1p-1074, 0, 0, math.Copysign(0, -1)})
	require.NoError(t, err)
	assert.Equal(t, []int{1, 3}, s.Zeros())
}

// Two hundred thousand vectors take well under a second; all pairs of them, minutes.
func TestDuplicatesOfManyVectors(t *testing.T) {
	const n = 200_000
	rng := rand.New(rand.NewPCG(1, 1))
	s := &Set{Rows: n, Columns: 2, Data: make([]float64, 2*n)}
	for i := range s.Data {
		s.Data[i] = rng.Float64()
	}
	copy(s.Row(n-1), s.Row(17))
	assert.Equal(t, [][]int{{17, n - 1}}, s.Duplicates())
}
