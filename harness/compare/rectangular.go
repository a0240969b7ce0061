package compare

import (
	"context"
	"fmt"
	"math"

	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/saddle"
)

// rectangle is the shape of a memory that is not square, and its number of candidates; 0 for n = p.
type rectangle struct{ dOut, dIn, n int }

// rectangularProblem is DP with few or many output dimensions, where its exact theory is that of
// [saddle.Transition.Decoupled].
type rectangularProblem struct{ transition }

// rectangularProblems have the same 576 weights: with 8 output dimensions many a target lies
// inside the convex hull of its competitors, with 72 none does.
func (o *Options) rectangularProblems() []rectangularProblem {
	const trials = 40
	shapes := []struct {
		rectangle
		loads []int
	}{
		{rectangle{dOut: 8, dIn: 72, n: 24}, []int{150, 165, 180, 190, 200}},
		{rectangle{dOut: 72, dIn: 8}, []int{106, 111, 116, 120, 125}},
	}
	switch {
	case o.quick:
		shapes = shapes[:1]
		shapes[0].rectangle = rectangle{dOut: 4, dIn: 16, n: 8}
		shapes[0].loads = []int{20, 28, 34, 38, 42}
	case !o.Full:
		return nil
	}
	var out []rectangularProblem
	for _, s := range shapes {
		out = append(out, rectangularProblem{transition{
			experiment: "rectangular", model: pattern.DP, shape: s.rectangle, loads: s.loads, trials: trials}})
	}
	return out
}

// rectangularNotes explain their rows.
func rectangularNotes() []string {
	return []string{
		"d_out × d_in: P by the theory of DP with its d_out, which counts the targets inside the convex hull of their competitors. At",
		"d_out = d_in = 12 that lowers P by 0.0014 at most, by 0.00007 at 16: less than these trials see, so it is left out there.",
	}
}

// predicted returns the probabilities with and without the hulls.
func (r rectangularProblem) predicted() (hulls, uniform []float64, err error) {
	t := saddle.NewTransition()
	for _, p := range r.loads {
		n := p
		if r.shape.n > 0 {
			n = r.shape.n
		}
		with, err := t.Decoupled(r.shape.dOut).Probability(float64(r.shape.dOut*r.shape.dIn), float64(p), float64(n))
		if err != nil {
			return nil, nil, err
		}
		without, err := t.Probability(float64(r.shape.dOut*r.shape.dIn), float64(p), float64(n))
		if err != nil {
			return nil, nil, err
		}
		hulls, uniform = append(hulls, with.Value), append(uniform, without.Value)
	}
	return hulls, uniform, nil
}

// rectangularRows adds the curve of one shape with its two tests.
func (o *Options) rectangularRows(ctx context.Context, r rectangularProblem, s *Section) error {
	m, err := r.run(ctx, o)
	if err != nil {
		return err
	}
	hulls, uniform, err := r.predicted()
	if err != nil {
		return err
	}
	for i := range m.loads {
		s.Rows = append(s.Rows, m.row(i, hulls[i], math.NaN()))
	}
	c := m.decided()
	s.Rows = append(s.Rows,
		chiSquareRow(m, stats.CurveChiSquare(c.Stored, c.Trials, hulls)),
		shiftRow(m, hulls, nil))
	if r.shape.dOut < r.shape.dIn {
		s.Rejections = append(s.Rejections, stats.CurveRejects(
			fmt.Sprintf("score vectors in a uniform subspace (no hulls) for %s", m.name()), c.Stored, c.Trials, uniform))
	}
	return nil
}
