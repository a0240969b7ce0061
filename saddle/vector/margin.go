package vector

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/embedding"
	"lamcap/internal/nnls"
	"lamcap/internal/simd"
	"lamcap/internal/status"
	"lamcap/internal/vecmath"
)

// MaxMargin is the solution of largest margin. All errors are standard errors.
type MaxMargin struct {
	// Margin is K*, the largest min over inputs and competitors of (S_correct −
	// S_ρ)/‖W‖_F.
	Margin extremes.Value
	// Means and standard deviations of the correct score and of the largest
	// competitor, in units of ‖W‖_F, and the mean number of competitors at
	// distance K* from the correct score, per input.
	CorrectMean, CorrectStd, LargestMean, LargestStd, Active extremes.Value
	// Correct and Largest are the laws of these scores.
	Correct, Largest *Distribution
	// Residual is p D(K*)/N − 1, of the average over the draws.
	Residual float64
	// Draws is their number.
	Draws int
	// Status is Converged; MaxIterations if the budget of draws was spent before the
	// standard error fell to its target.
	Status status.Status
}

// AboveCapacityError says that there is no margin to be found.
type AboveCapacityError struct {
	Facts, Candidates float64 // p and n
	// Critical is N/D(0) at n candidates, where the margin is 0: exact for values with normal
	// entries, whose D(0) = D_n, else with its standard error.
	Critical extremes.Value
	// Inside is the share of draws whose target lies in the hull of its competitors,
	// so that no v gives it the largest score.
	Inside float64
}

func (e *AboveCapacityError) Error() string {
	if e.Inside > 0 {
		return fmt.Sprintf("p = %v: no margin: %.2g of the targets lie inside the hull of their competitors; want a larger d_out", e.Facts, e.Inside)
	}
	return fmt.Sprintf("p = %v: no margin above capacity: want p below p_c = %.5g ± %.1g (n = %v candidates)", e.Facts, e.Critical.Value, e.Critical.Error, e.Candidates)
}

// Margin returns the largest margin with which a memory with the given number of
// weights (N_eff, real) stores p facts among n candidates each,
//
//	p D(K*) = N,   D(K) = E dist²(v⁰, {v : s_0 ≥ s_ρ + K}),   dD/dK = 2 E Σ_ρ x_ρ,
//
// x the multipliers of the projection, for 0 < weights, p ≤ 10^300 and integers
// n ≥ 2. Above capacity, p D(0) ≥ N for the draws taken, the error is an
// *[AboveCapacityError].
func Margin(weights, p, n float64, e Ensemble, precision Precision) (MaxMargin, error) {
	var none MaxMargin
	if err := precision.prepare(); err != nil {
		return none, err
	}
	m, err := newMarginProblem(weights, p, n, e)
	if err != nil {
		return none, err
	}
	k := 0.0
	for draws := precision.next(0); ; draws = precision.next(draws) {
		m.resize(draws)
		excess, slope, err := m.newton(&k)
		if err != nil {
			return none, err
		}
		out := m.solution(k, excess, slope)
		if out.Margin.Error <= precision.Target*k {
			return out, nil
		}
		if draws >= precision.MaxDraws {
			if out.Status == status.Converged {
				out.Status = status.MaxIterations
			}
			return out, nil
		}
	}
}

// marginProblem evaluates D(K) on draws.
type marginProblem struct {
	perFact float64 // N/p
	facts   float64
	of      Ensemble
	n       float64
	crew    *crew[*projector]
	draws   int

	controls controls
	*calibration

	// Of each draw: dist², an unbiased number of active constraints, both scores, and
	// how its projection ended.
	distance, active, correct, largest column
	status                             []status.Status
}

// projector is what one worker needs.
type projector struct {
	sampler  *sampler
	solver   *nnls.Solver
	routines *vecmath.Routines[float64]

	field, rows, normals, levels, scores, lift, weights []float64
}

func newMarginProblem(weights, p, n float64, e Ensemble) (*marginProblem, error) {
	if !(weights > 0 && weights <= extremes.MaxSize) {
		return nil, fmt.Errorf("weights = %v: want 0 < weights ≤ 1e300", weights)
	}
	if !(p > 0 && p <= extremes.MaxSize) {
		return nil, fmt.Errorf("p = %v: want 0 < p ≤ 1e300", p)
	}
	if err := e.check(); err != nil {
		return nil, err
	}
	count, err := e.candidates(n)
	if err != nil {
		return nil, err
	}
	of, err := newControls(weights, p, n, e)
	if err != nil {
		return nil, err
	}
	d := e.DOut
	return &marginProblem{controls: of, perFact: weights / p, facts: p, of: e, n: n, crew: newCrew(func() *projector {
		return &projector{
			sampler: newSampler(e, count), solver: nnls.New(d, count-1), routines: vecmath.New[float64](simd.Default()),
			field: make([]float64, d), rows: make([]float64, count*d), normals: make([]float64, (count-1)*d),
			levels: make([]float64, count-1), scores: make([]float64, count), lift: make([]float64, d), weights: make([]float64, d),
		}
	})}, nil
}

func (m *marginProblem) resize(draws int) {
	m.draws = draws
	m.calibration = calibrated(m.crew, draws, m.controls, func(w *projector) *sampler { return w.sampler })
	for _, c := range []*column{&m.distance, &m.active, &m.correct, &m.largest} {
		*c = newColumn(1, draws)
	}
	m.status = make([]status.Status, draws)
}

// evaluate projects all draws at margin k.
func (m *marginProblem) evaluate(k float64) status.Status {
	m.crew.each(m.draws, func(w *projector, i int) {
		w.sampler.draw(uint64(i), w.field, w.rows)
		differences(w.normals, w.rows, len(w.field))
		for c := range w.levels {
			w.levels[c] = k
		}
		r := w.solver.Project(w.field, w.normals, w.levels)
		m.status[i] = r.Status
		if !r.Status.OK() {
			return
		}
		w.record(m, i, k, r)
	})
	worst := status.Converged
	for _, s := range m.status {
		if !s.OK() {
			worst = s
			if s != status.NoBracket {
				break
			}
		}
	}
	return worst
}

// record notes a projection, with its derivatives in K.
func (w *projector) record(m *marginProblem, i int, k float64, r nnls.Result) {
	d := len(w.field)
	total, rise := 0.0, 0.0 // of multipliers
	clear(w.lift)
	change := w.weights[:len(r.Active)]
	for j, x := range r.Multipliers {
		total += x
		change[j] = 1
	}
	w.solver.Respond(change, change)
	for j, c := range r.Active {
		w.routines.AddScaled(w.lift, change[j], w.normals[c*d:(c+1)*d])
		rise += change[j]
	}
	w.routines.MatVec(w.scores, w.rows, d, len(w.scores), d, r.Point)
	largest := largestCompetitor(w.scores)
	m.distance.value[i], m.distance.slope[0][i] = r.Distance2, 2*total
	// By parts, E dist² = E|A| + K E Σx: a count without jumps in K.
	m.active.value[i], m.active.slope[0][i] = r.Distance2-k*total, total-k*rise
	m.correct.value[i], m.correct.slope[0][i] = w.scores[0], w.routines.Dot(w.rows[:d], w.lift)
	m.largest.value[i], m.largest.slope[0][i] = w.scores[largest], w.routines.Dot(w.rows[largest*d:(largest+1)*d], w.lift)
}

// newton solves D(K) = N/p from a guess of K. The average of squared distances is
// convex and increasing in K, so Newton's method comes down on the root from the right.
func (m *marginProblem) newton(k *float64) (excess, slope float64, err error) {
	for range 60 {
		switch st := m.evaluate(*k); {
		case st == status.NoBracket:
			return 0, 0, m.aboveCapacity()
		case !st.OK():
			return 0, 0, fmt.Errorf("K = %v: a projection was not computed (%v)", *k, st)
		}
		excess, slope = m.meanOf(m.distance)-m.perFact, m.gradient(m.distance)[0]
		if *k == 0 && excess >= 0 {
			return 0, 0, m.aboveCapacity()
		}
		step := -excess / slope
		if math.Abs(excess) <= 1e-13*m.perFact || math.Abs(step) <= 1e-14**k {
			return excess, slope, nil
		}
		*k = math.Max(0, *k+step)
	}
	return 0, 0, fmt.Errorf("p = %v: p D(K) = N was not solved (%v)", m.facts, status.MaxIterations)
}

// dimension returns D(K) at the margin of the last evaluation.
func (m *marginProblem) dimension() extremes.Value {
	s := &sample{calibration: m.calibration, draws: m.draws, status: status.Converged}
	return s.estimate(m.meanOf(m.distance), nil, func(i int) float64 { return m.distance.value[i] })
}

// aboveCapacity makes the error, from draws at K = 0.
func (m *marginProblem) aboveCapacity() error {
	inside := 0
	for _, s := range m.status {
		if s == status.NoBracket {
			inside++
		}
	}
	var d extremes.Value
	if m.of.Values == embedding.Gaussian {
		d, _ = extremes.ConeDimension(m.n) // n was checked
	} else {
		m.evaluate(0)
		d = m.dimension()
	}
	critical := m.facts * m.perFact / d.Value
	return &AboveCapacityError{
		Facts: m.facts, Candidates: m.n, Inside: float64(inside) / float64(m.draws),
		Critical: extremes.Value{Value: critical, Error: critical * d.Error / d.Value, Status: d.Status},
	}
}

// solution describes the root at k.
func (m *marginProblem) solution(k, excess, slope float64) MaxMargin {
	equation := make([]float64, m.draws)
	for i, x := range m.distance.value {
		equation[i] = x - m.perFact
	}
	s := atRoot(m.calibration, [][]float64{equation}, [][]float64{{slope}})
	return MaxMargin{
		Margin:      s.parameter(0, k, 1),
		CorrectMean: s.average(m.correct), CorrectStd: s.deviation(m.correct),
		LargestMean: s.average(m.largest), LargestStd: s.deviation(m.largest),
		Active:  s.average(m.active),
		Correct: s.distribution(m.correct), Largest: s.distribution(m.largest),
		Residual: excess / m.perFact, Draws: m.draws, Status: status.Converged,
	}
}
