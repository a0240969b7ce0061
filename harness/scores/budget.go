package scores

import (
	"fmt"
	"math/bits"

	"lamcap/harness/pattern"
	"lamcap/saddle/vector"
)

// drawSeconds is about what a draw of a pool takes on one core until a law of the
// cross-entropy is solved (a margin takes half): seconds, from 25 µs at d_out = 2 to 8 ms at
// d_out = 64, n = 2000, measured within a factor of two.
func drawSeconds(s pattern.Spec) float64 {
	n, d := float64(s.N), float64(s.DOut)
	return (25 + 0.4*n + 0.065*n*d + 0.1*d*d) * 1e-6
}

const (
	budgetSeconds = 10 // of one core for a law
	fewestDraws   = 512
)

// budget is the number of draws that a law at vector level may take: a power of two up to the
// usual one. It depends on sizes alone, so that the law is the same everywhere. Where lengths of
// keys vary a lot, at a d_in of a few, draws would go on to the usual one, a hundred seconds and
// more; errors tell what fewer leave open.
func budget(s pattern.Spec) (int, error) {
	draws := budgetSeconds / drawSeconds(s)
	if !(draws >= fewestDraws) {
		return 0, fmt.Errorf("d_out = %d, n = %d: %d draws of a pool take about %.0f s of one core, more than the %d s that a law may: want a smaller d_out or n",
			s.DOut, s.N, fewestDraws, fewestDraws*drawSeconds(s), budgetSeconds)
	}
	return min(vector.DefaultMaxDraws, 1<<(bits.Len(uint(draws))-1)), nil
}
