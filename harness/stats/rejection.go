package stats

import (
	"fmt"
	"math"
)

// Rejection says how strongly data speak against a named theory. A test that
// could not have failed proves nothing: each section of a comparison shows beside
// its verdicts the wrong theory it rejects, and at which z.
type Rejection struct {
	Theory string  // for example "α_c = 1/2"
	PValue float64 // two-sided; 0 when below the smallest float64
	Z      float64 // normal equivalent, finite where PValue underflows
}

func newRejection(theory string, t tails) Rejection {
	return Rejection{Theory: theory, PValue: math.Exp(t.logTwoSided()), Z: t.z()}
}

// At reports whether the theory is rejected at the given error rate.
// Without a test (NaN) it is not.
func (r Rejection) At(rate float64) bool { return r.PValue <= rate }

// String returns for example "α_c = 1/2: z = -12.3".
func (r Rejection) String() string { return fmt.Sprintf("%s: z = %.1f", r.Theory, r.Z) }
