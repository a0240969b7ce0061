package vectors

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
)

// Zeros returns the vectors that are 0, counted from 0: no memory gives them a
// score other than 0.
func (s *Set) Zeros() []int {
	var zeros []int
	for i := range s.Rows {
		if !slices.ContainsFunc(s.Row(i), func(v float64) bool { return v != 0 }) {
			zeros = append(zeros, i)
		}
	}
	return zeros
}

// Duplicates returns the groups of equal vectors, counted from 0: number for
// number, with −0 = 0. Groups and the rows in them ascend. It takes O(n d) time.
func (s *Set) Duplicates() [][]int {
	seed := maphash.MakeSeed()
	buffer := make([]byte, 0, 8*s.Columns)
	byHash := make(map[uint64][]int, s.Rows) // first rows of different vectors with that hash
	groups := make(map[int][]int)            // by the first row
	for i := range s.Rows {
		buffer = buffer[:0]
		for _, v := range s.Row(i) {
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v+0)) // −0 + 0 = 0
		}
		hash := maphash.Bytes(seed, buffer)
		k := slices.IndexFunc(byHash[hash], func(first int) bool { return slices.Equal(s.Row(first), s.Row(i)) })
		if k < 0 {
			byHash[hash] = append(byHash[hash], i)
			continue
		}
		first := byHash[hash][k]
		if groups[first] == nil {
			groups[first] = []int{first}
		}
		groups[first] = append(groups[first], i)
	}
	var all [][]int
	for _, g := range groups {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b []int) int { return a[0] - b[0] })
	return all
}
