package trial

import (
	"math"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/status"
)

// softmaxPairs is the most pairs whose softmax weights are held at once, 16
// bytes each.
const softmaxPairs = 1 << 24

// softmaxMultipliers returns the softmax weights of all pairs under weights w,
// relative to the largest; nil if a score is not finite, or if there are no
// pairs or too many.
func softmaxMultipliers(in *pattern.Instance, w *learn.Weights) *proof.Multipliers {
	s := in.Spec()
	competitors := s.N - 1
	if competitors == 0 || float64(s.P)*float64(competitors) > softmaxPairs {
		return nil
	}
	m := &proof.Multipliers{
		Start: make([]int, s.P+1), Candidate: make([]int32, s.P*competitors), Value: make([]float64, s.P*competitors),
	}
	for mu := range s.P {
		m.Start[mu+1] = (mu + 1) * competitors
	}
	scanner := constraint.NewScanner(in)
	scanner.Scan(w.Matrix(make([]float64, s.DOut*s.DIn)), func(mu int, scores []float64, target int, _ []float64) {
		greatest := math.Inf(-1)
		for _, x := range scores {
			greatest = max(greatest, x)
		}
		sum := 0.0
		for _, x := range scores {
			sum += math.Exp(x - greatest)
		}
		total := greatest + math.Log(sum)
		at := m.Start[mu]
		for c, x := range scores {
			if c != target {
				m.Candidate[at], m.Value[at] = int32(c), x-total
				at++
			}
		}
	})
	// Logarithms until here: all of them may be far below the range of exp.
	largest := math.Inf(-1)
	for _, x := range m.Value {
		largest = max(largest, x)
	}
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		return nil
	}
	for i, x := range m.Value {
		m.Value[i] = math.Exp(x - largest)
	}
	return m
}

// provedBySoftmax tries the softmax weights of w themselves as a proof that no
// weights store the instance, which they are once the duality bound is small
// enough: a contradiction so slight that no correction of them was found may
// leave nothing else.
func (d *decision) provedBySoftmax(w *learn.Weights) bool {
	m := softmaxMultipliers(d.in, w)
	if m == nil {
		return false
	}
	a := proof.Assess(d.in, m)
	d.result.Refutations++
	d.result.MarginBound = min(d.result.MarginBound, a.Bound)
	if !a.Refutes(d.in) {
		return false
	}
	r := proof.Refutation{Outcome: true, Bound: a.Bound, Exact: a.Exact, Kept: m.Len(), LeastRatio: 1, Status: status.Roundoff}
	if a.Bound <= d.tolerance()*constraint.MarginScale(d.in) {
		r.Status = status.Converged
	}
	d.evidence.Multipliers, d.evidence.Refutation = m, r
	return true
}

// tolerance returns the bound that proofs aim at.
func (d *decision) tolerance() float64 {
	if d.options.Tolerance == 0 {
		return proof.DefaultBound
	}
	return d.options.Tolerance
}
