package vecmath

import "math"

// The portable softmax loops, one for each precision: they differ in the
// exponential only, which must be inlined. A comparison with a NaN is false, so that a
// NaN goes through the exponential and is not lost.

func softmaxColumns32(t []float32, rows, width int, shift []float32, floor float32, best, sum []float32) int {
	zeros := 0
	best, sum, shift = best[:width], sum[:width], shift[:width]
	for i := range rows {
		row := t[i*width:][:width]
		for j, v := range row {
			if v > best[j] {
				best[j] = v
			}
			x := v - shift[j]
			if x < floor {
				row[j] = 0
				zeros++
				continue
			}
			r, e := reduce32(x)
			e += e * series32(r)
			if x >= topFloat32 {
				e = float32(math.Inf(1))
			}
			row[j] = e
			sum[j] += e
		}
	}
	return rows*width - zeros
}

func softmaxRow32(dst, x []float32, shift, floor float32) (sum float32, nonzero int) {
	zeros := 0
	dst = dst[:len(x)]
	for i, v := range x {
		v -= shift
		if v < floor {
			dst[i] = 0
			zeros++
			continue
		}
		r, e := reduce32(v)
		e += e * series32(r)
		if v >= topFloat32 {
			e = float32(math.Inf(1))
		}
		dst[i] = e
		sum += e
	}
	return sum, len(x) - zeros
}

// sumExp32 returns Σ exp(x[i] − shift) for shift ≥ x[i].
func sumExp32(x []float32, shift float32) float64 {
	sum := 0.0
	for _, v := range x {
		if v -= shift; v < LeastFloat32 {
			continue
		}
		r, e := reduce32(v)
		sum += float64(e + e*series32(r))
	}
	return sum
}

func softmaxColumns64(t []float64, rows, width int, shift []float64, floor float64, best, sum []float64) int {
	zeros := 0
	best, sum, shift = best[:width], sum[:width], shift[:width]
	for i := range rows {
		row := t[i*width:][:width]
		for j, v := range row {
			if v > best[j] {
				best[j] = v
			}
			x := v - shift[j]
			if x < floor {
				row[j] = 0
				zeros++
				continue
			}
			r, e := reduce64(x)
			e += e * series64(r)
			if x >= topFloat64 {
				e = float64(math.Inf(1))
			}
			row[j] = e
			sum[j] += e
		}
	}
	return rows*width - zeros
}

func softmaxRow64(dst, x []float64, shift, floor float64) (sum float64, nonzero int) {
	zeros := 0
	dst = dst[:len(x)]
	for i, v := range x {
		v -= shift
		if v < floor {
			dst[i] = 0
			zeros++
			continue
		}
		r, e := reduce64(v)
		e += e * series64(r)
		if v >= topFloat64 {
			e = float64(math.Inf(1))
		}
		dst[i] = e
		sum += e
	}
	return sum, len(x) - zeros
}

// sumExp64 returns Σ exp(x[i] − shift) for shift ≥ x[i].
func sumExp64(x []float64, shift float64) float64 {
	sum := 0.0
	for _, v := range x {
		if v -= shift; v < LeastFloat64 {
			continue
		}
		r, e := reduce64(v)
		sum += e + e*series64(r)
	}
	return sum
}

// largest is the largest number of x, NaN if any is NaN, −Inf if there is none.
func largest[T Float](x []T) T {
	top := T(math.Inf(-1))
	for _, v := range x {
		if !(v <= top) { // larger, or NaN
			if v != v {
				return v
			}
			top = v
		}
	}
	return top
}
