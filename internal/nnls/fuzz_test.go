package nnls_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/internal/nnls"
	"lamcap/internal/status"
)

// FuzzProject takes any numbers as a problem. What is returned as solved satisfies the
// conditions of Karush, Kuhn and Tucker, evaluated here, to the residual that it states;
// and nothing goes on for ever.
func FuzzProject(f *testing.F) {
	words := func(x ...float64) (b []byte) {
		for _, v := range x {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	f.Add(uint8(2), words(0, 0, 1, 0, 1, 0, 1, 1))
	f.Add(uint8(1), words(0, 1, 1, -1, 1)) // no point
	f.Add(uint8(3), words(1, 2, 3, 1, 1, 1, 2, 1, 1, 1, 2, -1, -1, -1, -2))
	f.Add(uint8(2), words(1e150, -1e150, 1e-200, 1, 1, 5e-324, 0, 0))
	f.Add(uint8(2), words(0, math.NaN(), 1, math.Inf(1), 1))
	f.Fuzz(func(t *testing.T, dimension uint8, b []byte) {
		d := int(dimension%5) + 1
		var x []float64
		plain := true
		for ; len(b) >= 8 && len(x) < d+8*(d+1); b = b[8:] {
			v := math.Float64frombits(binary.LittleEndian.Uint64(b))
			x = append(x, v)
			plain = plain && (v == 0 || math.Abs(v) <= 1e50 && math.Abs(v) >= 1e-50)
		}
		if len(x) < d {
			return
		}
		v0, rest := x[:d], x[d:]
		n := len(rest) / (d + 1)
		normals, levels := rest[:n*d], rest[n*d:n*(d+1)]
		r := nnls.New(d, n).Project(v0, normals, levels)
		require.Len(t, r.Point, d)
		require.Len(t, r.Multipliers, len(r.Active))
		if !plain || !r.Status.OK() {
			require.NotEqual(t, status.Unknown, r.Status)
			return
		}
		size := math.Sqrt(product(v0, v0))
		worst := 0.0
		point := append([]float64(nil), v0...)
		active := map[int]bool{}
		for i, j := range r.Active {
			require.GreaterOrEqual(t, r.Multipliers[i], 0.0)
			require.False(t, active[j], "twice")
			active[j] = true
			step := 0.0
			for l := range d {
				point[l] += r.Multipliers[i] * normals[j*d+l]
				step += math.Abs(r.Multipliers[i] * normals[j*d+l])
			}
			size += step
		}
		for j := range n {
			a := normals[j*d : (j+1)*d]
			length := math.Sqrt(product(a, a))
			if length == 0 {
				require.LessOrEqual(t, levels[j], 0.0, "0 ≥ b")
				continue
			}
			lead := (product(a, r.Point) - levels[j]) / length
			size = max(size, math.Abs(levels[j])/length)
			if lead < 0 || active[j] {
				worst = max(worst, math.Abs(lead))
			}
		}
		slack := 64 * 0x1p-52 * float64(d+n) * (size + math.Sqrt(product(r.Point, r.Point)))
		if !(worst <= 1.1*r.Residual+slack) {
			t.Fatalf("%v: violated by %v, stated %v, for roundings %v: %+v", r.Status, worst, r.Residual, slack, r)
		}
		for l := range d {
			if !(math.Abs(point[l]-r.Point[l]) <= slack*1e3) {
				t.Fatalf("%v: v⁰ + Σ x a = %v, point %v: %+v", r.Status, point, r.Point, r)
			}
		}
	})
}
