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
	grid := probeGrid(a, b, q.options.Breaks)
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
	// Width: grow from the grid's spacing until less than a half remains on a side, and
	// shrink until a half remains on one.
	half := func(x float64) bool { return try(x) >= 0.5*value }
	width = spacing
	for width < 1e300 && half(peak-width) && half(peak+width) {
		width *= 2
	}
	for i := 0; i < 60 && width > 1e-14*math.Abs(peak); i++ {
		if half(peak-width) || half(peak+width) {
			break
		}
		width *= 0.5
	}
	return middle, width, true, ok
}

// probeGrid returns the points searched, in increasing order.
func probeGrid(a, b float64, breaks []float64) []float64 {
	const (
		uniform = 200
		ratio   = 1.09
		nearest = 1e-10
		farther = 1e10
	)
	var grid []float64
	if !math.IsInf(b-a, 0) {
		for i := range uniform {
			grid = append(grid, a+(b-a)*((float64(i)+0.5)/uniform))
		}
	}
	for _, origin := range append([]float64{a, 0, b}, breaks...) {
		if math.IsInf(origin, 0) || !(origin >= a && origin <= b) {
			continue
		}
		grid = append(grid, origin)
		// From an origin far away the nearest are not told apart.
		for d := max(nearest, 4*epsilon*math.Abs(origin)); d < max(farther, 100*math.Abs(origin)); d *= ratio {
			for _, x := range [2]float64{origin - d, origin + d} {
				if x > a && x < b && !math.IsInf(x, 0) {
					grid = append(grid, x)
				}
			}
		}
	}
	slices.Sort(grid)
	return slices.Compact(grid)
}
