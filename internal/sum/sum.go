package sum

import "math"

// Neumaier is a compensated sum: its error is about one rounding of the
// result plus n ε² Σ|x|, however many terms n ([N]). The zero value is an
// empty sum.
type Neumaier struct {
	total, compensation float64
}

// Add adds x to the sum.
func (s *Neumaier) Add(x float64) {
	x = float64(x) // a product is rounded, not fused with one of its uses
	t := s.total + x
	if math.Abs(s.total) >= math.Abs(x) {
		s.compensation += (s.total - t) + x
	} else {
		s.compensation += (x - t) + s.total
	}
	s.total = t
}

// Merge adds everything other holds, with its compensation. Merging partial
// sums in a fixed order gives the same bits whichever thread made them.
func (s *Neumaier) Merge(other Neumaier) {
	s.Add(other.total)
	s.compensation += other.compensation
}

// Sum returns the value of the sum. Once an infinity was added, or the sum
// overflowed, it is infinite, or NaN if infinities of both signs met.
func (s *Neumaier) Sum() float64 {
	if math.IsInf(s.total, 0) || math.IsNaN(s.total) {
		return s.total // the compensation is Inf − Inf
	}
	return s.total + s.compensation
}

// leaf is the length below which a plain loop is faster than recursion.
const leaf = 64

// Pairwise returns the sum of x by halving: its error is below
// (leaf + log2 n) ε Σ|x| ([H]), and the order of additions depends on the length
// of x alone.
func Pairwise(x []float64) float64 {
	if len(x) <= leaf {
		total := 0.0
		for _, v := range x {
			total += v
		}
		return total
	}
	half := len(x) / 2
	return Pairwise(x[:half]) + Pairwise(x[half:])
}
