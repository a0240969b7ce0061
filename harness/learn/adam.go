package learn

import (
	"fmt"
	"math"
)

// adam is full-batch Adam, [KB15], algorithm 1, on J/p:
//
//	m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²,
//	x ← x − α (m/(1 − β₁ᵗ))/(√(v/(1 − β₂ᵗ)) + ε).
type adam struct {
	options       Options
	inverse       float64 // 1/p
	step          int     // t of the last step
	first, second []float64
}

func newAdam(o Options, p, n int) *adam {
	return &adam{options: o, inverse: 1 / float64(p), first: make([]float64, n), second: make([]float64, n)}
}

func (a *adam) next(dst, at []float64, _ point, gradient []float64) verdict {
	o := &a.options
	factor := o.Schedule.Factor(a.step+1, o.MaxEvaluations)
	if factor == 0 {
		return stalled
	}
	a.step++
	rate := o.LearningRate * factor
	correction1 := 1 - math.Pow(o.Beta1, float64(a.step))
	correction2 := 1 - math.Pow(o.Beta2, float64(a.step))
	m, v := a.first[:len(dst)], a.second[:len(dst)]
	at = at[:len(dst)]
	for i, g := range gradient[:len(dst)] {
		g *= a.inverse
		m[i] = o.Beta1*m[i] + (1-o.Beta1)*g
		v[i] = o.Beta2*v[i] + (1-o.Beta2)*g*g
		dst[i] = at[i] - rate*(m[i]/correction1)/(math.Sqrt(v[i]/correction2)+o.Epsilon)
	}
	if !finite(v) { // whose infinities would hide as steps of length 0
		return diverged
	}
	return goOn
}

func (a *adam) reached(point, []float64) ([]float64, point) { return nil, point{} }

func (a *adam) restart() {}

// AdamState is Adam's part of a [State].
type AdamState struct {
	// Step is t of the last step.
	Step int
	// First and Second are the moments m and v, not corrected.
	First, Second []float64
}

func (a *adam) save(s *State) {
	s.Adam = &AdamState{a.step, clone(a.first), clone(a.second)}
}

func (a *adam) load(s *State) error {
	if s.Adam == nil {
		return fmt.Errorf("state: no moments: want those of rule adam")
	}
	a.step, a.first, a.second = s.Adam.Step, clone(s.Adam.First), clone(s.Adam.Second)
	if err := s.checkStep(a.step); err != nil {
		return err
	}
	for _, v := range a.second {
		if v < 0 {
			return fmt.Errorf("state: second moment %g: want ≥ 0", v)
		}
	}
	return s.checkVectors(a.first, a.second)
}
