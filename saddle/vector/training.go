package vector

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"lamcap/extremes"
	"lamcap/internal/root"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// Training is a memory to be trained. Its weights N (N_eff below full rank) and facts p
// are real, its candidates an integer.
type Training struct {
	saddle.Training
	Ensemble
	Precision
}

// Trained is what training reaches. All errors are standard errors.
type Trained struct {
	Training Training // with Candidates, Target and MaxDraws filled in
	Phase    saddle.Phase

	Norm     extremes.Value // r = ‖W‖_F
	Chi      extremes.Value // χ, the proximal step
	Loss     extremes.Value // mean ℓ per input, without the ridge
	Accuracy extremes.Value // P(s_0 > max_{ρ≠0} s_ρ)

	// Mean and standard deviation of the correct score and of the largest
	// competitor. They are scores, not divided by ‖W‖, unless Normalised.
	CorrectMean, CorrectStd extremes.Value
	LargestMean, LargestStd extremes.Value
	// Correct and Largest are the laws of these scores; nil in the phase [saddle.Zero].
	Correct, Largest *Distribution

	// Normalised says that scores are in units of ‖W‖: in the phase
	// [saddle.Storable], where they are those of the max-margin solution, Margin.
	Normalised bool
	Margin     MaxMargin

	// Residual is the larger violation of the two equations, relative, for the averages
	// over the draws.
	Residual float64
	// Draws is their number.
	Draws int
	// Status is Converged; Roundoff; MaxIterations if the budget of draws was spent
	// before all standard errors fell to their target; Stalled if the equations were
	// not solved.
	Status status.Status
}

// Normalised scores: those of a score law divided by the norm, with errors that know how
// the two vary together.
type Normalised struct {
	CorrectMean, CorrectStd, LargestMean, LargestStd extremes.Value
}

// PerNorm returns the moments of s/‖W‖_F.
func (t Trained) PerNorm() Normalised {
	if t.Normalised || t.Correct == nil { // W = 0 has scores 0
		return Normalised{t.CorrectMean, t.CorrectStd, t.LargestMean, t.LargestStd}
	}
	correct, largest := t.Correct.perNorm(t.Norm.Value), t.Largest.perNorm(t.Norm.Value)
	s := t.Correct.sample
	return Normalised{s.average(correct), s.deviation(correct), s.average(largest), s.deviation(largest)}
}

// perNorm divides the scores by r, whose logarithm is the first parameter.
func (d *Distribution) perNorm(r float64) column {
	c := newColumn(parameters, d.sample.draws)
	for i, s := range d.column.value {
		c.value[i] = s / r
		c.slope[0][i] = (d.column.slope[0][i] - s) / r
		c.slope[1][i] = d.column.slope[1][i] / r
	}
	return c
}

// ErrAtCapacity means a load so close to capacity that the draws do not tell its phase.
var ErrAtCapacity = errors.New("at capacity")

// Solve returns the minimum of the training loss.
//
// Its phase follows from p D(0) against N, for D(0) from the same draws. Without ridge
// this decides whether there is a finite minimiser, and a load for which three
// standard errors do not tell, for the budget of draws, is refused, [ErrAtCapacity]. (Where there is
// none, in the phase [saddle.Storable], cross-entropy has norm +Inf, and the hinge the
// norm 1/K* of the least of its minimisers; accuracy is 1, loss 0, χ +Inf.) With a
// ridge the phase is only a name, and given as the first batch of draws has it; so is
// [saddle.Zero], next to the load from which on the minimiser of the hinge is W = 0.
func Solve(t Training) (Trained, error) {
	p, err := newTrainingProblem(&t)
	if err != nil {
		return Trained{Training: t}, err
	}
	phase, draws, err := t.phase()
	if err != nil {
		return Trained{Training: t}, err
	}
	if phase == saddle.Storable {
		return t.limit()
	}
	if t.Loss == saddle.Hinge && p.collapsed(draws) {
		return t.zero(draws), nil
	}
	logs := p.start()
	for ; ; draws = t.next(draws) {
		p.resize(draws)
		s, err := p.newton(&logs)
		if err != nil {
			return Trained{Training: t, Phase: phase}, err
		}
		out := p.solution(logs, s)
		out.Phase = phase
		if !out.Status.OK() || out.worst() <= t.Target {
			return out, nil
		}
		if draws >= t.MaxDraws {
			out.Status = status.MaxIterations
			return out, nil
		}
	}
}

// collapsed reports whether the minimiser of the hinge is W = 0, whatever the ridge, for
// the given draws. As r → 0 at χ = η r the loss is 1 + h, h = max_{ρ≠0} s_ρ − s_0
// homogeneous, so that vᵀ(r v⁰ − v) = χ h: both sides γ E‖v⁰ − v/r‖² and γ E v⁰ᵀ(v⁰ − v/r) of the equations
// are equal where E h = 0. If both are above 1 there, no W makes the sum of h negative.
func (p *trainingProblem) collapsed(draws int) bool {
	const small, widest = -20, 6 // log r; |log η|
	p.resize(draws)
	at := func(logEta float64) state {
		s, ok := p.at([parameters]float64{small, small + logEta})
		if !ok {
			s.f[0], s.f[1] = math.NaN(), 0
		}
		return s
	}
	eta := root.Find(func(x float64) float64 { s := at(x); return s.f[0] - s.f[1] }, -widest, widest, root.Options{AbsX: 1e-6})
	return eta.Status.OK() && at(eta.X).f[0] >= 0
}

// zero is W = 0, the minimiser in the phase Zero: nothing is recalled.
func (t Training) zero(draws int) Trained {
	nothing := extremes.Value{Status: status.Converged}
	one := extremes.Value{Value: 1, Status: status.Converged}
	return Trained{
		Training: t, Phase: saddle.Zero, Norm: nothing, Chi: nothing, Loss: one, Accuracy: nothing,
		CorrectMean: nothing, CorrectStd: nothing, LargestMean: nothing, LargestStd: nothing,
		Draws: draws, Status: status.Converged,
	}
}

// limit is the max-margin solution, where training leads in the phase Storable.
func (t Training) limit() (Trained, error) {
	out := Trained{Training: t, Phase: saddle.Storable, Normalised: true}
	m, err := Margin(t.Weights, t.Facts, t.Candidates, t.Ensemble, t.Precision)
	if err != nil {
		return out, err
	}
	exactly := func(x float64) extremes.Value { return extremes.Value{Value: x, Status: status.Converged} }
	out.Norm, out.Chi, out.Loss, out.Accuracy = exactly(math.Inf(1)), exactly(math.Inf(1)), exactly(0), exactly(1)
	if t.Loss == saddle.Hinge {
		out.Norm = extremes.Value{Value: 1 / m.Margin.Value, Error: m.Margin.Error / (m.Margin.Value * m.Margin.Value), Status: m.Margin.Status}
	}
	out.CorrectMean, out.CorrectStd, out.LargestMean, out.LargestStd = m.CorrectMean, m.CorrectStd, m.LargestMean, m.LargestStd
	out.Correct, out.Largest = m.Correct, m.Largest
	out.Margin, out.Residual, out.Draws, out.Status = m, m.Residual, m.Draws, m.Status
	return out, nil
}

// worst returns the largest standard error, in the units of [Precision.Target].
func (t *Trained) worst() float64 {
	r := t.Norm.Value
	return max(t.Norm.Error/r, t.Chi.Error/t.Chi.Value, t.Loss.Error/t.Loss.Value, t.Accuracy.Error,
		t.CorrectMean.Error/r, t.CorrectStd.Error/r, t.LargestMean.Error/r, t.LargestStd.Error/r)
}

// phase compares p D(0) with N, and returns how many draws it took.
func (t *Training) phase() (phase saddle.Phase, draws int, err error) {
	m, err := newMarginProblem(t.Weights, t.Facts, t.Candidates, t.Ensemble)
	if err != nil {
		return 0, 0, err
	}
	const clear = 3 // standard errors
	for draws = t.next(0); ; draws = t.next(draws) {
		m.resize(draws)
		if st := m.evaluate(0); !st.OK() {
			return 0, draws, fmt.Errorf("K = 0: a projection was not computed (%v)", st)
		}
		d := m.dimension()
		switch {
		case t.Ridge == 0 && math.Abs(d.Value-m.perFact) <= clear*d.Error:
			if draws >= t.MaxDraws {
				critical := t.Weights / d.Value
				return 0, draws, fmt.Errorf("p = %v: %w, p_c = %.5g ± %.2g, to the precision of %d draws: want a load further from it, a ridge, or more draws",
					t.Facts, ErrAtCapacity, critical, critical*d.Error/d.Value, draws)
			}
		case d.Value >= m.perFact:
			return saddle.Unstorable, draws, nil
		case t.Ridge > 0:
			return saddle.StorableRidge, draws, nil
		default:
			return saddle.Storable, draws, nil
		}
	}
}

// trainingProblem evaluates the equations on draws.
type trainingProblem struct {
	t     *Training
	n     int
	gamma float64 // p/N
	decay float64 // λ/N
	crew  *crew[*trainee]
	draws int

	controls controls
	*calibration

	points []float64 // v of each draw, where the next search starts
	failed []bool
	// Of each draw: ‖r v⁰ − v‖², v⁰ᵀ(r v⁰ − v), loss and scores, lead = correct − largest.
	square, overlap, loss, correct, largest, lead column
}

// trainee is what one worker needs.
type trainee struct {
	sampler     *sampler
	prox        prox
	out         *response
	field, rows []float64
}

func newTrainingProblem(t *Training) (*trainingProblem, error) {
	if err := t.Precision.prepare(); err != nil {
		return nil, err
	}
	if t.Candidates == 0 { // n = p
		t.Candidates = t.Facts
	}
	switch {
	case !(t.Weights > 0 && t.Weights <= extremes.MaxSize):
		return nil, fmt.Errorf("weights = %v: want 0 < weights ≤ 1e300", t.Weights)
	case !(t.Facts > 0 && t.Facts <= extremes.MaxSize):
		return nil, fmt.Errorf("p = %v: want 0 < p ≤ 1e300", t.Facts)
	case !(t.Ridge >= 0) || math.IsInf(t.Ridge, 1):
		return nil, fmt.Errorf("ridge = %v: want a finite number ≥ 0", t.Ridge)
	case !t.Loss.Valid():
		return nil, fmt.Errorf("loss = %v: want %s", t.Loss, strings.Join(saddle.Losses(), " or "))
	}
	if err := t.Ensemble.check(); err != nil {
		return nil, err
	}
	n, err := t.Ensemble.candidates(t.Candidates)
	if err != nil {
		return nil, err
	}
	of, err := newControls(t.Weights, t.Facts, t.Candidates, t.Ensemble)
	if err != nil {
		return nil, err
	}
	d := t.DOut
	return &trainingProblem{
		controls: of, t: t, n: n, gamma: t.Facts / t.Weights, decay: t.Ridge / t.Weights,
		crew: newCrew(func() *trainee {
			w := &trainee{sampler: newSampler(t.Ensemble, n), out: newResponse(d, n), field: make([]float64, d), rows: make([]float64, n*d)}
			if w.prox = newSoftmaxProx(d, n); t.Loss == saddle.Hinge {
				w.prox = newHingeProx(d, n)
			}
			return w
		}),
	}, nil
}

// start is where the search begins, log r and log χ: the solution for loads so high, or
// a ridge so strong, that r → 0, where the loss is a linear function of v with
// E‖∇ℓ‖² = 1 and E Tr ∂²ℓ = 1, about.
func (p *trainingProblem) start() [parameters]float64 {
	chi := 1 / (p.gamma + p.decay)
	return [parameters]float64{math.Log(chi * math.Sqrt(p.gamma)), math.Log(chi)}
}

// resize changes the number of draws; the new ones start their searches at r v⁰.
func (p *trainingProblem) resize(draws int) {
	points := make([]float64, draws*p.t.DOut)
	copy(points, p.points)
	for i := len(p.points); i < len(points); i++ {
		points[i] = math.NaN()
	}
	p.calibration = calibrated(p.crew, draws, p.controls, func(w *trainee) *sampler { return w.sampler })
	p.draws, p.points, p.failed = draws, points, make([]bool, draws)
	for _, c := range []*column{&p.square, &p.overlap, &p.loss, &p.correct, &p.largest, &p.lead} {
		*c = newColumn(parameters, draws)
	}
}

// evaluate finds the proximal points of all draws.
func (p *trainingProblem) evaluate(logs [parameters]float64) bool {
	d := p.t.DOut
	r, chi := math.Exp(logs[0]), math.Exp(logs[1])
	p.crew.each(p.draws, func(w *trainee, i int) {
		w.sampler.draw(uint64(i), w.field, w.rows)
		w.out.point = p.points[i*d : (i+1)*d]
		if math.IsNaN(w.out.point[0]) {
			for j, x := range w.field {
				w.out.point[j] = r * x
			}
		}
		p.failed[i] = !w.prox.solve(w.field, w.rows, r, chi, w.out)
		if p.failed[i] {
			w.out.point[0] = math.NaN() // start afresh next time
			return
		}
		w.record(p, i, r, chi)
	})
	for _, failed := range p.failed {
		if failed {
			return false
		}
	}
	return true
}

// record notes a draw with its derivatives in log r and log χ.
func (w *trainee) record(p *trainingProblem, i int, r, chi float64) {
	d := len(w.field)
	first, last := w.rows[:d], w.rows[w.out.largest*d:(w.out.largest+1)*d]
	square, overlap := 0.0, 0.0
	var ds, do, dc, dl, dloss [parameters]float64
	for j, v0 := range w.field {
		gap := r*v0 - w.out.point[j]
		square += gap * gap
		overlap += v0 * gap
		for k := range parameters {
			dv := w.out.slopes[k][j]
			change := -dv
			if k == 0 {
				change += r * v0
			}
			ds[k] += 2 * gap * change
			do[k] += v0 * change
			dc[k] += first[j] * dv
			dl[k] += last[j] * dv
			dloss[k] += gap / chi * dv // ∇ℓ = (r v⁰ − v)/χ
		}
	}
	p.square.value[i], p.overlap.value[i], p.loss.value[i] = square, overlap, w.out.loss
	p.correct.value[i], p.largest.value[i] = w.out.scores[0], w.out.scores[w.out.largest]
	p.lead.value[i] = p.correct.value[i] - p.largest.value[i]
	for k := range parameters {
		p.square.slope[k][i], p.overlap.slope[k][i] = ds[k], do[k]
		p.correct.slope[k][i], p.largest.slope[k][i], p.lead.slope[k][i] = dc[k], dl[k], dc[k]-dl[k]
		p.loss.slope[k][i] = dloss[k]
	}
}

// state is the equations at one point, as
//
//	f = (log(γ A/r²), log(γ B/r) − log(1 − λχ/N)),  A = E‖r v⁰ − v‖², B = E v⁰ᵀ(r v⁰ − v),
//
// with their derivatives in log r and log χ.
type state struct {
	f        [parameters]float64
	jacobian [][]float64
	free     float64 // 1 − λχ/N
}

func (s *state) size() float64 { return math.Max(math.Abs(s.f[0]), math.Abs(s.f[1])) }

// at evaluates the equations; ok is false where they are not defined.
func (p *trainingProblem) at(logs [parameters]float64) (s state, ok bool) {
	s.free = 1 - p.decay*math.Exp(logs[1])
	if !(s.free > 0) || !p.evaluate(logs) {
		return s, false
	}
	a, b := p.meanOf(p.square), p.meanOf(p.overlap)
	if !(a > 0 && b > 0) {
		return s, false
	}
	ga, gb := p.gradient(p.square), p.gradient(p.overlap)
	s.f[0] = math.Log(p.gamma*a) - 2*logs[0]
	s.f[1] = math.Log(p.gamma*b) - logs[0] - math.Log(s.free)
	s.jacobian = [][]float64{{ga[0]/a - 2, ga[1] / a}, {gb[0]/b - 1, gb[1]/b + (1-s.free)/s.free}}
	return s, !math.IsNaN(s.size()) && !math.IsInf(s.size(), 0)
}

const (
	// solved is the residual at which the equations count as solved; round-off of
	// averages is a few 1e-15.
	solved        = 1e-12
	maxNewton     = 60
	largestChange = 1.5 // of log r and log χ in one step
)

// newton solves the equations of the averages by Newton's method with steps halved
// until the residuals become smaller.
func (p *trainingProblem) newton(logs *[parameters]float64) (state, error) {
	s, ok := p.at(*logs)
	if !ok {
		return s, fmt.Errorf("p = %v: the equations are not defined at r = %.3g, χ = %.3g", p.t.Facts, math.Exp(logs[0]), math.Exp(logs[1]))
	}
	for range maxNewton {
		if s.size() <= solved {
			return s, nil
		}
		var step [parameters]float64
		step[0], step[1] = solve2(s.jacobian, -s.f[0], -s.f[1])
		longest := math.Max(math.Abs(step[0]), math.Abs(step[1]))
		if math.IsNaN(longest) {
			return s, nil
		}
		t := math.Min(1, largestChange/longest)
		for ; ; t /= 2 {
			if t*longest < 1e-14 {
				p.at(*logs) // what was recorded belongs to the point returned
				return s, nil
			}
			next := *logs
			for k := range next {
				next[k] += t * step[k]
			}
			candidate, ok := p.at(next)
			if ok && math.Hypot(candidate.f[0], candidate.f[1]) < math.Hypot(s.f[0], s.f[1]) {
				s, *logs = candidate, next
				break
			}
		}
	}
	return s, nil
}

// solution describes the root.
func (p *trainingProblem) solution(logs [parameters]float64, state state) Trained {
	r, chi := math.Exp(logs[0]), math.Exp(logs[1])
	out := Trained{Training: *p.t, Residual: state.size(), Draws: p.draws, Status: status.Converged}
	switch {
	case out.Residual > 1e-6:
		out.Status = status.Stalled
	case out.Residual > solved:
		out.Status = status.Roundoff
	}
	// Terms of the equations, f ≈ A_i/A − 1 to first order.
	equations := [][]float64{make([]float64, p.draws), make([]float64, p.draws)}
	a, b := p.meanOf(p.square), p.meanOf(p.overlap)
	for i := range p.draws {
		equations[0][i] = p.square.value[i]/a - 1
		equations[1][i] = p.overlap.value[i]/b - 1
	}
	s := atRoot(p.calibration, equations, state.jacobian)
	s.status = out.Status
	out.Norm, out.Chi = s.parameter(0, r, r), s.parameter(1, chi, chi)
	out.Loss, out.Accuracy = s.average(p.loss), s.positive(p.lead)
	out.CorrectMean, out.CorrectStd = s.average(p.correct), s.deviation(p.correct)
	out.LargestMean, out.LargestStd = s.average(p.largest), s.deviation(p.largest)
	out.Correct, out.Largest = s.distribution(p.correct), s.distribution(p.largest)
	return out
}
