package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/pattern"
	"lamcap/internal/vecmath"
)

// largestKey returns max ‖e_μ‖.
func largestKey(in *pattern.Instance) float64 {
	largest := 0.0
	for mu := range in.Spec().P {
		largest = max(largest, floats.Norm(in.Key(mu), 2))
	}
	return largest
}

// largestNormal bounds what package counter draws, √(66 log 2).
const largestNormal = 6.77

// largestValue returns max ‖u_μρ‖ over all candidates, or a bound on it when
// reading them all would mean to generate them.
func largestValue(in *pattern.Instance) float64 {
	s := in.Spec()
	if !in.Stored() && !in.Stored32() {
		return math.Sqrt(float64(s.DOut)) * largestNormal
	}
	largest := 0.0
	const strip = 64
	buffer := make([]float64, strip*s.DOut)
	for mu := range s.P {
		for first := 0; first < s.N; first += strip {
			rows := in.PoolRows(mu, first, min(strip, s.N-first), buffer)
			for ; len(rows) > 0; rows = rows[s.DOut:] {
				largest = max(largest, floats.Dot(rows[:s.DOut], rows[:s.DOut]))
			}
		}
		if s.Model.SharedPool() {
			break // all inputs share it
		}
	}
	return math.Sqrt(largest)
}

// sizeOf returns the bytes of a T.
func sizeOf[T vecmath.Float]() int {
	if _, single := any(T(0)).(float32); single {
		return 4
	}
	return 8
}
