package constraint

import "lamcap/harness/pattern"

// disparity is how far the scale of an instance may be above that of its
// shortest key and pool before those set the size of its margins.
const disparity = 1e3

// MarginScale returns the size in units of which margins of an instance are
// judged: the lesser of pattern.Instance.Scale and 1e3 times
// pattern.Instance.LeastScale. A margin far below it counts as none.
//
// The largest margin, min ‖Σ λ X‖_F/Σ λ, is at most that of the shortest X, and
// of its size where that is much the shortest: with keys (1, 0) and (0, 1e-8)
// it is 1e-8 of the scale, a root mean square over everything, though the
// instance is as storable as with keys of equal length. Lengths that differ by
// less than 1e3, as those of Gaussian vectors do, change nothing.
func MarginScale(in *pattern.Instance) float64 {
	return min(in.Scale(), disparity*in.LeastScale())
}
