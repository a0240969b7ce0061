package equivalence

import (
	"cmp"
	"fmt"
	"slices"

	"lamcap/harness/stats"
)

// Law is how one difference changes with size.
type Law struct {
	// Quantity is "half_point_excess", "stored_near", "spectra", or the name of a
	// [Quantity]; Load is p/p_c of a training, 0 for storage.
	Quantity string
	Load     float64
	// Size says what the sizes are: "d", or "p_c/d_out".
	Size     string
	Points   stats.Scaling
	PowerLaw stats.PowerLaw
	// Linear is extrapolated in 1/size, Quadratic in 1/size and 1/size².
	Linear, Quadratic stats.Extrapolation
}

func newLaw(quantity string, load float64, size string, points stats.Scaling, level float64) Law {
	return Law{Quantity: quantity, Load: load, Size: size, Points: points, PowerLaw: points.PowerLaw(level),
		Linear: points.Extrapolate(level, 1), Quadratic: points.Extrapolate(level, 1, 2)}
}

// Laws fits every difference of OP and DP that the report has at two sizes at least, against d
// for square memories, and against p_c/d_out = d_in/D, in which corrections without logarithms
// would be powers if they come from the shared pool's p values in d_out dimensions.
func (r *Report) Laws() []Law {
	var laws []Law
	add := func(quantity string, load float64, size string, points stats.Scaling) {
		if len(points) >= 2 {
			laws = append(laws, newLaw(quantity, load, size, points, r.Level))
		}
	}
	for _, size := range []string{sizeDimension, sizePool} {
		var excess, near stats.Scaling
		for _, t := range r.Transitions {
			square := t.DIn == t.DOut
			x := float64(t.DOut)
			if size == sizePool {
				x = t.Critical / x
			}
			if t.OP.Half.Status.OK() && (square || size == sizePool) {
				excess = append(excess, t.Excess(x, r.Level))
			}
			if square && t.Pairs.Pairs() > 0 {
				near = append(near, pairedPoint(t.Pairs, x, r.Level))
			}
		}
		add("half_point_excess", 0, size, excess)
		add("stored_near", 0, size, near)
		for _, load := range r.loads() {
			for q := range quantities {
				add(q.String(), load, size, r.trained(load, size, func(t Trained) stats.Sample { return t.Difference[q] }))
			}
			add("spectra", load, size, r.trained(load, size, func(t Trained) stats.Sample { return t.Spectra }))
		}
	}
	return laws
}

// The sizes of a [Law].
const (
	sizeDimension = "d"
	sizePool      = "p_c/d_out"
)

// pairedPoint takes half of Newcombe's interval over its quantile for a standard error.
func pairedPoint(c stats.Paired, size, level float64) stats.ScalingPoint {
	h := stats.HalfPoint{X: c.Difference(), Interval: c.Interval(level)}
	return h.At(size, 0, 1, level)
}

// loads lists the multiples of p_c that were trained at.
func (r *Report) loads() []float64 {
	var out []float64
	for _, t := range r.Trainings {
		out = append(out, t.Load)
	}
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(a, b) })
	return slices.Compact(out)
}

func (r *Report) trained(load float64, size string, of func(Trained) stats.Sample) stats.Scaling {
	var points stats.Scaling
	for _, t := range r.Trainings {
		if t.Load == load && t.DIn == t.DOut {
			x := float64(t.DOut)
			if size == sizePool {
				x = t.Critical / x
			}
			if s := of(t); s.N >= 2 {
				points = append(points, s.At(x))
			}
		}
	}
	return points
}

// String names the law in tables.
func (l Law) String() string {
	if l.Load == 0 {
		return l.Quantity
	}
	return fmt.Sprintf("%s at %v p_c", l.Quantity, l.Load)
}
