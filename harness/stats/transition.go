package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lamcap/extremes"
)

// Transition is a set of loads with the number of instances stored at each. Loads
// may be in any order and repeat; undecided instances belong in neither count.
//
// The tests are exact sums, meant for up to some 10^5 trials a load: at 10^6 one
// takes seconds, and an interval minutes.
type Transition struct {
	Loads  []float64 // |load| ≤ 1e100
	Stored []int     // 0 ≤ Stored[i] ≤ Trials[i]
	Trials []int
}

// largestLoad keeps squares of loads times counts in range.
const largestLoad = 1e100

// point is one distinct load.
type point struct {
	x              float64
	stored, missed float64
}

// points merges equal loads and sorts them, without the loads that have no trials.
func (t Transition) points() []point {
	if len(t.Loads) != len(t.Stored) || len(t.Loads) != len(t.Trials) {
		panic(fmt.Sprintf("stats: Transition: %d loads, %d stored, %d trials: want equal lengths",
			len(t.Loads), len(t.Stored), len(t.Trials)))
	}
	points := make([]point, 0, len(t.Loads))
	for i, x := range t.Loads {
		Proportion{t.Stored[i], t.Trials[i]}.check("Transition")
		if !(math.Abs(x) <= largestLoad) {
			panic(fmt.Sprintf("stats: Transition: load[%d] = %v: want |load| ≤ 1e100", i, x))
		}
		if t.Trials[i] > 0 {
			points = append(points, point{x, float64(t.Stored[i]), float64(t.Trials[i] - t.Stored[i])})
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	merged := points[:0]
	for _, p := range points {
		if k := len(merged) - 1; k >= 0 && merged[k].x == p.x {
			merged[k].stored += p.stored
			merged[k].missed += p.missed
			continue
		}
		merged = append(merged, p)
	}
	return merged
}

// logLikelihood of the probit deviates η_i, derivatives left out: Σ s log Φ(η) + f log Φ(−η).
// A count of zero contributes zero even where log Φ is −Inf.
func (p point) logLikelihood(eta float64) float64 {
	sum := 0.0
	if p.stored > 0 {
		sum += p.stored * extremes.LogCDF(eta)
	}
	if p.missed > 0 {
		sum += p.missed * extremes.LogCDF(-eta)
	}
	return sum
}

// slopes returns the first derivative of the log-likelihood in η and minus the second
// (≥ 0: log Φ is concave).
func (p point) slopes(eta float64) (first, curvature float64) {
	if p.stored > 0 {
		r := extremes.Hazard(-eta)
		first += p.stored * r
		curvature += p.stored * r * math.Max(0, eta+r)
	}
	if p.missed > 0 {
		r := extremes.Hazard(eta)
		first -= p.missed * r
		curvature += p.missed * r * math.Max(0, r-eta)
	}
	return first, curvature
}

// profile returns sup_width log L(half, width) over 0 ≤ width ≤ ∞, with the inverse
// width that attains it (+Inf: a step). With u = 1/width the likelihood is concave in u.
func profile(points []point, half float64) (logL, inverseWidth float64) {
	scale := 0.0
	for _, p := range points {
		scale = math.Max(scale, math.Abs(half-p.x))
	}
	at := func(u float64) float64 {
		sum := 0.0
		for _, p := range points {
			sum += p.logLikelihood(u * (half - p.x))
		}
		return sum
	}
	// At u = 0 every η is 0: the slope has the sign of Σ t_i (stored − missed).
	rise, against := 0.0, false
	for _, p := range points {
		d := half - p.x
		rise += d * (p.stored - p.missed)
		against = against || (d > 0 && p.missed > 0) || (d < 0 && p.stored > 0)
	}
	if scale == 0 || !(rise > 0) {
		return at(0), 0
	}
	if !against { // a step at half contradicts nothing: only a load at half itself costs
		return -math.Ln2 * countAt(points, half), math.Inf(1)
	}
	derivative := func(u float64) (first, curvature float64) {
		for _, p := range points {
			d := half - p.x
			f, c := p.slopes(u * d)
			first += d * f
			curvature += d * d * c
		}
		return first, curvature
	}
	// Newton on the derivative, inside a bracket.
	lo, hi := 0.0, math.Inf(1)
	u := 1 / scale
	for range 200 {
		first, curvature := derivative(u)
		if first > 0 {
			lo = u
		} else {
			hi = u
		}
		next := u + first/curvature
		if !(next > lo && next < hi) {
			if math.IsInf(hi, 1) {
				next = 2 * u
			} else {
				next = 0.5 * (lo + hi)
			}
		}
		if math.Abs(next-u) <= 1e-10*u { // quadratic: the likelihood is exact here
			u = next
			break
		}
		u = next
	}
	return at(u), u
}

// countAt returns the number of trials at load x.
func countAt(points []point, x float64) float64 {
	for _, p := range points {
		if p.x == x {
			return p.stored + p.missed
		}
	}
	return 0
}
