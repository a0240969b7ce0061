package stats

import (
	"fmt"
	"math"
	"slices"
)

// Holm returns the adjusted p-values of a family of tests [Holm], in the order
// given:
//
//	p̃_(k) = min(1, max_{j≤k} (m − j + 1) p_(j)),    p_(1) ≤ … ≤ p_(m).
//
// Rejecting where p̃ ≤ rate keeps the probability of one or more false alarms below
// the rate, whatever the dependence of the tests. NaN marks a row without a
// test: it stays NaN and does not count in m. It panics for p outside [0, 1].
func Holm(p []float64) []float64 {
	order := make([]int, 0, len(p))
	adjusted := make([]float64, len(p))
	for i, v := range p {
		if v < 0 || v > 1 {
			panic(fmt.Sprintf("stats: Holm: p[%d] = %v: want 0 ≤ p ≤ 1 or NaN", i, v))
		}
		adjusted[i] = v
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	running := 0.0
	for k, i := range order {
		running = max(running, float64(len(order)-k)*p[i])
		adjusted[i] = min(1, running)
	}
	return adjusted
}

// Verdict is the judgement of one row of a comparison table.
type Verdict int

const (
	// Untested marks a row without a test; it is the zero value.
	Untested Verdict = iota
	// OK means the data do not contradict the prediction at the stated rate.
	OK
	// Disagrees means they do, the other rows of the family accounted for.
	Disagrees
)

// String returns "ok", "DISAGREES" or "-".
func (v Verdict) String() string {
	switch v {
	case OK:
		return "ok"
	case Disagrees:
		return "DISAGREES"
	case Untested:
		return "-"
	}
	return fmt.Sprintf("verdict(%d)", int(v))
}

// Verdicts judges a family of rows from their p-values: if every prediction is
// right, the probability that one or more rows disagree is at most rate. NaN
// gives Untested. It panics unless 0 < rate < 1 and every p is in [0, 1] or NaN.
func Verdicts(p []float64, rate float64) []Verdict {
	if !(rate > 0 && rate < 1) {
		panic(fmt.Sprintf("stats: Verdicts: rate = %v: want 0 < rate < 1", rate))
	}
	verdicts := make([]Verdict, len(p))
	for i, v := range Holm(p) {
		switch {
		case math.IsNaN(v):
		case v <= rate:
			verdicts[i] = Disagrees
		default:
			verdicts[i] = OK
		}
	}
	return verdicts
}
