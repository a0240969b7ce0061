package proof

import (
	"fmt"
	"math"

	"lamcap/harness/pattern"
)

// What the check of a certificate may cost. A file of some hundred bytes can
// name an instance of any size: these limits, above what training can do, are
// compared before anything of that size is drawn.
const (
	// MaxNumbers is the most float64 numbers in the keys and targets of all
	// inputs, p(d_in + d_out), and in weights, d_in d_out: 4 GiB each. At the
	// capacity, d = 1600 reaches it.
	MaxNumbers = 1 << 29
	// MaxWork is the most multiplications, some 30 hours of one core: in
	// scores, p d_out (n + d_in), or in the sums over multipliers,
	// d_out (pairs d_out + p d_in). At the capacity, d = 1900 reaches it.
	MaxWork = 1e14
)

// validateSizes reports sizes beyond the memory of a check.
func validateSizes(s pattern.Spec) error {
	if s.N > math.MaxInt32 {
		return fmt.Errorf("n = %d: want n ≤ %d for a certificate", s.N, math.MaxInt32)
	}
	if numbers := float64(s.P) * (float64(s.DIn) + float64(s.DOut)); numbers > MaxNumbers {
		return fmt.Errorf("p = %d with d_in = %d, d_out = %d: want p(d_in + d_out) ≤ %d for a certificate (4 GiB)", s.P, s.DIn, s.DOut, MaxNumbers)
	}
	if numbers := float64(s.DIn) * float64(s.DOut); numbers > MaxNumbers {
		return fmt.Errorf("d_in = %d, d_out = %d: want d_in d_out ≤ %d for a certificate (4 GiB)", s.DIn, s.DOut, MaxNumbers)
	}
	return nil
}

// validateWork reports the work of a check that is too much.
func validateWork(s pattern.Spec, formula string, work float64) error {
	if work > MaxWork {
		return fmt.Errorf("p = %d, n = %d, d_in = %d, d_out = %d: %s = %.3g multiplications: want at most %g for a certificate", s.P, s.N, s.DIn, s.DOut, formula, work, MaxWork)
	}
	return nil
}
