package sum

import (
	"encoding/binary"
	"math"
	"testing"
)

// FuzzSums adds any numbers, against arithmetic wide enough for all of them.
func FuzzSums(f *testing.F) {
	words := func(x ...float64) (b []byte) {
		for _, v := range x {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	f.Add(words(1, 1e100, 1, -1e100))
	f.Add(words(5e-324, -5e-324, 1e-310))
	f.Add(words(math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64))
	f.Add(words(math.Inf(1), math.Inf(-1), math.NaN()))
	f.Fuzz(func(t *testing.T, b []byte) {
		var x []float64
		size, plain := 0.0, true
		for ; len(b) >= 8 && len(x) < 300; b = b[8:] {
			v := math.Float64frombits(binary.LittleEndian.Uint64(b))
			x = append(x, v)
			size += math.Abs(v)
			plain = plain && !math.IsNaN(v) && !math.IsInf(v, 0)
		}
		var s Neumaier
		for _, v := range x {
			s.Add(v)
		}
		got, pairs := s.Sum(), Pairwise(x)
		if !plain {
			if !math.IsNaN(got) && !math.IsInf(got, 0) || !math.IsNaN(pairs) && !math.IsInf(pairs, 0) {
				t.Fatalf("%v: %v and %v", x, got, pairs)
			}
			return
		}
		if !(size < math.MaxFloat64) {
			return // partial sums may overflow
		}
		want, n := exact(x), float64(len(x))
		if !(math.Abs(got-want) <= 0x1p-52*math.Abs(want)+n*n*0x1p-104*size) {
			t.Fatalf("%v: %v, want %v", x, got, want)
		}
		if !(math.Abs(pairs-want) <= (leaf+math.Log2(n+1)+1)*0x1p-53*size+0x1p-53*math.Abs(want)) {
			t.Fatalf("%v: in pairs %v, want %v", x, pairs, want)
		}
	})
}
