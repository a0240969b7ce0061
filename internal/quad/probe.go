package quad

import (
	"math"
	"slices"
)

// probe searches [a, b] for the largest |f| on a grid and returns its place and
// the length over which it falls to a half. found is false if f is zero at all points;
// ok is false if f is NaN or infinite at one.
func (q *adaptive) probe(a, b float64) (peak, width float64, found, ok bool) {
	best := 0.0
	try := func(x float64) float64 {
		if !(x > a && x < b) || slices.Contains(q.options.Breaks, x) {
			return 0
		}
		q.evaluations++
		v := math.Abs(q.f(x))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			ok = false
			return 0
		}
		if v > best {
			best, peak = v, x
		}
		return v
	}
	ok = true
	grid := probeGrid(a, b)
	bestIndex := -1
	for i, x := range grid {
		before := best
		try(x)
		if best > before {
			bestIndex = i
		}
	}
	if !ok || bestIndex < 0 {
		return 0, 0, false, ok
	}
	// Climb between the neighbours of the best grid point: golden section, which
	// needs f to be unimodal there and otherwise still ends at a larger |f|.
	lo, hi := a, b
	if bestIndex > 0 {
		lo = grid[bestIndex-1]
	}
	if bestIndex+1 < len(grid) {
		hi = grid[bestIndex+1]
	}
	if math.IsInf(lo, 0) {
		lo = 2*peak - hi
	}
	if math.IsInf(hi, 0) {
		hi = 2*peak - lo
	}
	spacing := math.Min(hi-peak, peak-lo)
	const golden = 0.381966011250105
	middle, value := peak, best
	for i := 0; i < 60 && hi-lo > 1e-10*math.Max(math.Abs(lo), math.Abs(hi)); i++ {
		var x float64
		left := middle-lo > hi-middle
		if left {
			x = middle - golden*(middle-lo)
		} else {
			x = middle + golden*(hi-middle)
		}
		v := try(x)
		switch {
		case v > value:
			if left {
				hi = middle
			} else {
				lo = middle
			}
			middle, value = x, v
		case left:
			lo = x
		default:
			hi = x
		}
	}
	peak = middle
	// Width: shrink from the grid's spacing until a half remains on either side.
	width = spacing
	for i := 0; i < 60 && width > 1e-14*math.Abs(peak); i++ {
		if try(peak-width) >= 0.5*value || try(peak+width) >= 0.5*value {
			break
		}
		width *= 0.5
	}
	return middle, width, true, ok
}

// probeGrid returns the points searched, in increasing order.
func probeGrid(a, b float64) []float64 {
	const (
		uniform = 200
		ratio   = 1.09
		nearest = 1e-4
		farther = 1e6
	)
	if !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		grid := make([]float64, uniform)
		for i := range grid {
			grid[i] = a + (b-a)*((float64(i)+0.5)/uniform)
		}
		return grid
	}
	origin := 0.0 // both ends infinite
	if !math.IsInf(a, 0) {
		origin = a
	} else if !math.IsInf(b, 0) {
		origin = b
	}
	var up []float64
	for d := nearest; d < farther; d *= ratio {
		up = append(up, d)
	}
	var grid []float64
	if math.IsInf(a, -1) {
		for i := len(up) - 1; i >= 0; i-- {
			grid = append(grid, origin-up[i])
		}
	}
	if math.IsInf(a, -1) && math.IsInf(b, 1) {
		grid = append(grid, origin)
	}
	if math.IsInf(b, 1) {
		for _, d := range up {
			grid = append(grid, origin+d)
		}
	}
	return grid
}
