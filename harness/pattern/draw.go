package pattern

import (
	"math"
	"math/rand/v2"

	"lamcap/internal/simd"
	"lamcap/internal/stream"
)

// fill draws rows of length d in float64: keys, and the pool of OP.
func fill(rng *rand.Rand, rows []float64, d int, e Embedding) {
	if e == Gaussian {
		for i := range rows {
			rows[i] = stream.Normal(rng)
		}
		return
	}
	radius := math.Sqrt(float64(d))
	for ; len(rows) > 0; rows = rows[d:] {
		row := rows[:d]
		norm := 0.0
		for norm == 0 { // d zeros in a row happen at d = 1
			for i := range row {
				row[i] = stream.Normal(rng)
				norm += float64(row[i] * row[i]) // rounded: no architecture may fuse it
			}
		}
		norm = math.Sqrt(norm)
		// Divide first: at d = 1 the result is ±1 exactly, and ties are ties.
		for i := range row {
			row[i] = row[i] / norm * radius
		}
	}
}

// draw generates rows of the pool of input μ of DP, from row first on: float32
// numbers, as they are or as float64.
func draw[T float32 | float64](in *Instance, rows []T, mu, first int) {
	d := in.spec.DOut
	normals(in, rows, mu, uint64(first)*uint64(d))
	if in.spec.Values == Sphere {
		for ; len(rows) > 0; rows = rows[d:] {
			scaleToSphere(in, rows[:d], mu, first)
			first++
		}
	}
}

// normals fills dst with the normals of input μ from a position on.
func normals[T float32 | float64](in *Instance, dst []T, mu int, position uint64) {
	switch dst := any(dst).(type) {
	case []float32:
		in.normals.Normals(simd.Default(), dst, uint64(mu), position)
	case []float64:
		var strip [512]float32
		for len(dst) > 0 {
			part := strip[:min(len(strip), len(dst))]
			in.normals.Normals(simd.Default(), part, uint64(mu), position)
			for i, v := range part {
				dst[i] = float64(v)
			}
			dst, position = dst[len(part):], position+uint64(len(part))
		}
	}
}

// scaleToSphere scales a row of the pool of input μ of DP, drawn as normals, to
// the norm √d: a sum of squares in a fixed order and a scale in float64, then
// one rounding to float32, so that the result is the same everywhere, and ±1
// exactly at d = 1. A row of zeros, of which there are some at d = 1, is drawn
// again, from where the row would be in a second pool behind the first, or a
// third.
func scaleToSphere[T float32 | float64](in *Instance, row []T, mu, index int) {
	d := len(row)
	sum := squares(row)
	for again := 1; sum == 0; again++ {
		normals(in, row, mu, (uint64(again)*uint64(in.spec.N)+uint64(index))*uint64(d))
		sum = squares(row)
	}
	scale := math.Sqrt(float64(d)) / math.Sqrt(sum)
	for i, v := range row {
		row[i] = T(float32(float64(v) * scale))
	}
}

// squares is the sum of squares of a row of float32 numbers in float64, where a
// square is exact, as four sums side by side.
func squares[T float32 | float64](row []T) float64 {
	var s0, s1, s2, s3 float64
	for len(row) >= 4 {
		s0 += float64(row[0]) * float64(row[0])
		s1 += float64(row[1]) * float64(row[1])
		s2 += float64(row[2]) * float64(row[2])
		s3 += float64(row[3]) * float64(row[3])
		row = row[4:]
	}
	for _, v := range row {
		s0 += float64(v) * float64(v)
	}
	return (s0 + s1) + (s2 + s3)
}
