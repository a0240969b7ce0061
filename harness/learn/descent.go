package learn

import "fmt"

// descent is full-batch gradient descent on J/p with Polyak's momentum,
//
//	v ← β v + g,   x ← x − α v.
type descent struct {
	options  Options
	inverse  float64 // 1/p
	step     int     // t of the last step
	velocity []float64
}

func newDescent(o Options, p, n int) *descent {
	return &descent{options: o, inverse: 1 / float64(p), velocity: make([]float64, n)}
}

func (d *descent) next(dst, at []float64, _ point, gradient []float64) verdict {
	o := &d.options
	factor := o.Schedule.Factor(d.step+1, o.MaxEvaluations)
	if factor == 0 {
		return stalled
	}
	d.step++
	rate := o.LearningRate * factor
	for i, g := range gradient[:len(dst)] {
		d.velocity[i] = o.Momentum*d.velocity[i] + g*d.inverse
		dst[i] = at[i] - rate*d.velocity[i]
	}
	return goOn
}

func (d *descent) reached(point, []float64) ([]float64, point) { return nil, point{} }

func (d *descent) restart() {}

// DescentState is gradient descent's part of a [State].
type DescentState struct {
	// Step is t of the last step.
	Step     int
	Velocity []float64
}

func (d *descent) save(s *State) { s.Descent = &DescentState{d.step, clone(d.velocity)} }

func (d *descent) load(s *State) error {
	if s.Descent == nil {
		return fmt.Errorf("state: no velocity: want that of rule descent")
	}
	d.step, d.velocity = s.Descent.Step, clone(s.Descent.Velocity)
	if err := s.checkStep(d.step); err != nil {
		return err
	}
	return s.checkVectors(d.velocity)
}
