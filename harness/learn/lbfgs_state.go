package learn

import (
	"fmt"
	"math"
	"slices"
)

// LBFGSState is the part of L-BFGS in a [State].
type LBFGSState struct {
	// Begun says that the point reached and the line search are set, as they
	// are but for a start or a switch of the Evaluator.
	Begun bool
	// X is the point reached, with the gradient, the evaluation and the
	// objective there; Direction is that of the line search.
	X, Gradient, Direction []float64
	Evaluation             Evaluation
	Objective              float64
	// Start, Low and High are trials of the line search; T is the step
	// evaluated last and Trials counts those before.
	Start, Low, High Trial
	T                float64
	Trials           int
	// Best, Least and Idle watch progress: the objective and the length of the
	// gradient at the last progress, and the number of passes since.
	Best, Least float64
	Idle        int
	// Steps and Changes are the remembered steps s and B y, in the slots of the
	// ring, each divided by its scale; Next is the slot of the next pair, Count
	// the number of pairs.
	Steps, Changes           [][]float32
	StepScales, ChangeScales []float64
	Next, Count              int
	// Products and Curvatures hold s_i·y_j and y_i·B y_j, row-major.
	Products, Curvatures []float64
	// Image is B g at the point reached; AlongSteps and AlongChanges are its
	// products s_i·g and y_i·B g.
	Image, AlongSteps, AlongChanges []float64
}

func (l *lbfgs) save(s *State) {
	h := l.history
	c := &LBFGSState{
		Begun: l.begun, X: clone(l.x), Gradient: clone(l.gradient), Direction: clone(l.direction),
		Evaluation: l.point.Evaluation, Objective: l.point.objective,
		Start: l.search.start, Low: l.search.low, High: l.search.high, T: l.search.t, Trials: l.search.trials,
		Best: l.best, Least: l.least, Idle: l.idle, Next: h.next, Count: h.count, Image: clone(h.bg),
		AlongSteps: clone(h.sg[:h.count]), AlongChanges: clone(h.zg[:h.count]),
		StepScales: clone(h.s.scale[:h.count]), ChangeScales: clone(h.z.scale[:h.count]),
	}
	for j := range h.count {
		c.Steps = append(c.Steps, slices.Clone(h.s.row(j)))
		c.Changes = append(c.Changes, slices.Clone(h.z.row(j)))
		c.Products = append(c.Products, h.sy[j*h.memory:j*h.memory+h.count]...)
		c.Curvatures = append(c.Curvatures, h.yz[j*h.memory:j*h.memory+h.count]...)
	}
	s.LBFGS = c
}

func (l *lbfgs) load(s *State) error {
	c, h := s.LBFGS, l.history
	if c == nil {
		return fmt.Errorf("state: no memory: want that of rule lbfgs")
	}
	k := c.Count
	switch {
	case k < 0 || k > h.memory:
		return fmt.Errorf("state: %d remembered steps: want 0 to %d, the memory", k, h.memory)
	case k < h.memory && c.Next != k || k == h.memory && (c.Next < 0 || c.Next >= k):
		return fmt.Errorf("state: next slot %d with %d remembered steps in a memory of %d", c.Next, k, h.memory)
	case len(c.Steps) != k || len(c.Changes) != k || len(c.StepScales) != k || len(c.ChangeScales) != k || len(c.AlongSteps) != k || len(c.AlongChanges) != k ||
		len(c.Products) != k*k || len(c.Curvatures) != k*k:
		return fmt.Errorf("state: numbers of steps, changes and products that do not match: want %d and %d", k, k*k)
	case c.Trials < 0 || c.Trials >= maxTrials:
		return fmt.Errorf("state: %d trials in a line search: want 0 to %d", c.Trials, maxTrials-1)
	case c.Idle < 0 || c.Idle > maxIdle:
		return fmt.Errorf("state: %d steps without progress: want 0 to %d", c.Idle, maxIdle)
	case c.Begun && !(c.T > 0 && c.Start.Slope < 0) || math.IsNaN(c.High.T):
		return fmt.Errorf("state: a line search with step %g and slope %g: want a step > 0 downhill", c.T, c.Start.Slope)
	case c.Begun && !finite([]float64{
		c.T, c.Objective, c.Start.T, c.Start.Value, c.Start.Slope, c.Low.T, c.Low.Value, c.Low.Slope, c.High.Value, c.High.Slope,
	}):
		return fmt.Errorf("state: a line search with numbers that are not finite")
	}
	if err := s.checkVectors(c.X, c.Gradient, c.Direction, c.Image); err != nil {
		return err
	}
	for _, v := range slices.Concat(c.Steps, c.Changes) {
		if len(v) != len(c.X) || !finite(v) {
			return fmt.Errorf("state: a remembered vector of %d numbers: want %d finite ones, one for each weight", len(v), len(c.X))
		}
	}
	if !finite(c.StepScales) || !finite(c.ChangeScales) {
		return fmt.Errorf("state: scales that are not finite")
	}
	if !finite(c.Products) || !finite(c.Curvatures) || !finite(c.AlongSteps) || !finite(c.AlongChanges) {
		return fmt.Errorf("state: products that are not finite")
	}
	for j := range k {
		if !(c.Products[j*k+j] > 0 && c.Curvatures[j*k+j] > 0) {
			return fmt.Errorf("state: step %d with curvature %g: want > 0", j, c.Products[j*k+j])
		}
	}
	l.begun, l.x, l.gradient, l.direction = c.Begun, clone(c.X), clone(c.Gradient), clone(c.Direction)
	l.point = point{c.Evaluation, c.Objective}
	l.search = lineSearch{start: c.Start, low: c.Low, high: c.High, t: c.T, trials: c.Trials}
	l.best, l.least, l.idle = c.Best, c.Least, c.Idle
	h.next, h.count, h.bg = c.Next, k, clone(c.Image)
	copy(h.s.scale, c.StepScales)
	copy(h.z.scale, c.ChangeScales)
	copy(h.sg, c.AlongSteps)
	copy(h.zg, c.AlongChanges)
	for j := range k {
		copy(h.s.row(j), c.Steps[j])
		copy(h.z.row(j), c.Changes[j])
		copy(h.sy[j*h.memory:], c.Products[j*k:(j+1)*k])
		copy(h.yz[j*h.memory:], c.Curvatures[j*k:(j+1)*k])
	}
	return nil
}
