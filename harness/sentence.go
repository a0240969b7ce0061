package harness

import (
	"fmt"
	"math"
	"strings"

	"lamcap/harness/stats"
)

// String says it in sentences: what was counted, what was predicted, the verdict, and of
// each wrong theory whether the counts could have told it from the judged one.
func (j Judgement) String() string {
	if j.problem != nil {
		return fmt.Sprintf("%s: not tested: %v", j.Theory, j.problem)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", j.Theory, j.counted())
	switch {
	case j.Verdict == stats.Disagrees && !(j.PValue <= j.sumRate()):
		fmt.Fprintf(&b, ": DISAGREES load by load, p = %.2g at a false alarm rate of %v (all together p = %.2g, z = %s)", j.Shape, j.Rate, j.PValue, signed(j.Z))
	case j.Verdict == stats.Disagrees:
		fmt.Fprintf(&b, ": DISAGREES, p = %.2g (z = %s) at a false alarm rate of %v", j.PValue, signed(j.Z), j.Rate)
	default:
		fmt.Fprintf(&b, ": ok, p = %.2g (z = %s)", j.PValue, signed(j.Z))
	}
	for _, c := range j.Against {
		b.WriteString("; " + j.contrast(c))
	}
	if len(j.Against) == 0 && j.Verdict == stats.OK {
		b.WriteString("; no wrong theory was named, so what these counts could have found is not known")
	}
	return b.String()
}

// counted says what was seen and predicted.
func (j Judgement) counted() string {
	var b strings.Builder
	tried, expected := 0, 0.
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, c := range j.Counts {
		if c.Trials > 0 {
			tried++
			expected += float64(c.Trials) * j.Predicted[i]
			lo, hi = min(lo, c.Load), max(hi, c.Load)
		}
	}
	fmt.Fprintf(&b, "%d of %d stored", j.Total.Stored, j.Total.Trials)
	if j.Total.Undecided > 0 {
		fmt.Fprintf(&b, ", %d undecided", j.Total.Undecided)
	}
	switch {
	case tried > 1:
		fmt.Fprintf(&b, " at %d loads from %v to %v, %.4g predicted", tried, lo, hi, expected)
	case hi == 0: // JudgeCounts
		fmt.Fprintf(&b, ", %.4g predicted", expected)
	default:
		fmt.Fprintf(&b, " at load %v, %.4g predicted", hi, expected)
	}
	return b.String()
}

// contrast says whether the counts could have told a wrong theory.
func (j Judgement) contrast(c Contrast) string {
	if c.Power < j.Wanted {
		return fmt.Sprintf("the data could not have told %s from %s: power %.2g, want %v", j.Theory, c.Theory, c.Power, j.Wanted)
	}
	power := fmt.Sprintf("power %.2g", c.Power)
	if c.Power > 0.995 {
		power = "power > 0.99"
	}
	verdict := "rejected"
	if !c.At(j.sumRate()) {
		verdict = "not rejected"
	}
	return fmt.Sprintf("%s: %s (z = %s), %s", c.Theory, verdict, signed(c.Z), power)
}

// signed writes a z: beyond 30 only that it is.
func signed(z float64) string {
	const far = 30
	switch {
	case z > far:
		return fmt.Sprintf("> %d", far)
	case z < -far:
		return fmt.Sprintf("< -%d", far)
	}
	return fmt.Sprintf("%.1f", z)
}
