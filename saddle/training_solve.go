package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/root"
	"lamcap/internal/status"
)

// equations are those of the saddle point for any envelope M(r, χ), given by
//
//	square = −2χ² ∂M/∂χ = E‖r g − s‖²,   cross = χ ∂M/∂r = E[g·(r g − s)].
//
// The unknowns are log r and log(χ/r).
type equations struct {
	load   float64 // γ = p/N
	ridge  float64 // λ/N
	expect func(r, chi float64) (square, cross float64, ok bool)
	// evaluations counts calls of expect, of which there are maxEvaluations at most.
	evaluations int
}

// maxEvaluations is the budget of a solution: near its edges, as at ridges that are tiny
// below capacity, the path to it is long.
const maxEvaluations = 120

// unknowns are log r and log(χ/r).
type unknowns [2]float64

func (p unknowns) r() float64   { return math.Exp(p[0]) }
func (p unknowns) chi() float64 { return math.Exp(p[0] + p[1]) }

// residual returns log(γ E‖r g − s‖²/r²) and log(γ E[g·(r g − s)]/r + λχ/N).
func (q *equations) residual(p unknowns) (f [2]float64, ok bool) {
	if q.evaluations++; q.evaluations > maxEvaluations {
		return f, false
	}
	r, chi := p.r(), p.chi()
	square, cross, ok := q.expect(r, chi)
	if !ok || !(square > 0) {
		return f, false
	}
	second := q.load*cross/r + q.ridge*chi
	if !(second > 0) {
		return f, false
	}
	return [2]float64{math.Log(q.load * square / (r * r)), math.Log(second)}, true
}

func norm2(f [2]float64) float64 { return math.Max(math.Abs(f[0]), math.Abs(f[1])) }

// solved is where a solution of the equations ended.
type solved struct {
	at       unknowns
	residual float64
	jacobian [2][2]float64
	status   status.Status
}

// solve is Newton's method with differences for the first derivatives and Broyden's
// update of them, steps halved until the residual falls.
func (q *equations) solve(start unknowns, tolerance float64, jacobian *[2][2]float64) solved {
	p := start
	f, ok := q.residual(p)
	if !ok {
		return solved{at: p, residual: math.NaN(), status: status.Diverged}
	}
	var j [2][2]float64
	fresh := false
	if jacobian != nil {
		j = *jacobian
	} else {
		if j, ok = q.differences(p, f); !ok {
			return solved{at: p, residual: norm2(f), status: status.Diverged}
		}
		fresh = true
	}
	for range 40 {
		if norm2(f) <= tolerance {
			return solved{at: p, residual: norm2(f), jacobian: j, status: status.Converged}
		}
		step, ok := newtonStep(j, f)
		if ok {
			moved := false
			for try := 0; try < 5; try++ {
				next := unknowns{p[0] + step[0], p[1] + step[1]}
				g, fine := q.residual(next)
				if fine && norm2(g) < (1-0.1*math.Pow(0.5, float64(try)))*norm2(f) {
					// Broyden: J += (Δf − J Δp) Δpᵀ/|Δp|².
					square := step[0]*step[0] + step[1]*step[1]
					for i := range 2 {
						miss := g[i] - f[i] - j[i][0]*step[0] - j[i][1]*step[1]
						j[i][0] += miss * step[0] / square
						j[i][1] += miss * step[1] / square
					}
					p, f, moved = next, g, true
					break
				}
				step[0], step[1] = step[0]/3, step[1]/3
			}
			if moved {
				fresh = false
				continue
			}
		}
		if fresh {
			return solved{at: p, residual: norm2(f), jacobian: j, status: status.Stalled}
		}
		if j, ok = q.differences(p, f); !ok {
			return solved{at: p, residual: norm2(f), status: status.Diverged}
		}
		fresh = true
	}
	return solved{at: p, residual: norm2(f), jacobian: j, status: status.MaxIterations}
}

func (q *equations) differences(p unknowns, f [2]float64) (j [2][2]float64, ok bool) {
	const h = 1e-3
	for k := range 2 {
		moved := p
		moved[k] += h
		g, ok := q.residual(moved)
		if !ok {
			return j, false
		}
		for i := range 2 {
			j[i][k] = (g[i] - f[i]) / h
		}
	}
	return j, true
}

// newtonStep solves J step = −f, of at most 1 in either unknown.
func newtonStep(j [2][2]float64, f [2]float64) (step [2]float64, ok bool) {
	det := j[0][0]*j[1][1] - j[0][1]*j[1][0]
	if det == 0 || math.IsNaN(det) {
		return step, false
	}
	step[0] = -(j[1][1]*f[0] - j[0][1]*f[1]) / det
	step[1] = -(j[0][0]*f[1] - j[1][0]*f[0]) / det
	if size := norm2(step); size > 1 {
		step[0], step[1] = step[0]/size, step[1]/size
	}
	return step, true
}

// follow solves the equations along falling ridges, from one that is so large that
// the linear response to the loss is the solution, to the ridge wanted.
func (q *equations) follow(start func(ridge float64) unknowns, first float64, tolerance float64) solved {
	direct := q.solve(start(q.ridge), tolerance, nil)
	if direct.status.OK() {
		return direct
	}
	wanted := q.ridge
	defer func() { q.ridge = wanted }()
	extra := first
	q.ridge = wanted + extra
	last := q.solve(start(q.ridge), tolerance, nil)
	if !last.status.OK() {
		return last
	}
	// The path is smooth in log(extra) until extra no longer matters.
	before, beforeLog := last, math.NaN()
	lastLog := math.Log(extra)
	factor := 0.3
	for range 200 {
		extra = math.Exp(lastLog) * factor
		if extra < 1e-7*(wanted+1e-3*math.Exp(-last.at[0]-last.at[1])) {
			q.ridge = wanted
			return q.solve(last.at, tolerance, nil)
		}
		q.ridge = wanted + extra
		guess := last.at
		if !math.IsNaN(beforeLog) {
			ratio := (math.Log(extra) - lastLog) / (lastLog - beforeLog)
			for i := range guess {
				guess[i] += ratio * (last.at[i] - before.at[i])
			}
		}
		next := q.solve(guess, tolerance, nil)
		if !next.status.OK() {
			if factor > 0.97 {
				return next
			}
			factor = math.Sqrt(factor)
			continue
		}
		before, beforeLog = last, lastLog
		last, lastLog = next, math.Log(extra)
		factor = math.Max(0.1, factor*factor)
	}
	last.status = status.MaxIterations
	return last
}

// score is the score level's envelope at some resolution.
func (t Training) score(o resolution) (*equations, *ensemble) {
	e := &ensemble{response: t.Loss.response(), n: t.Candidates}
	near := 0.0
	q := &equations{load: t.Facts / t.Weights, ridge: t.Ridge / t.Weights}
	q.expect = func(r, chi float64) (float64, float64, bool) {
		at := *e
		at.r, at.chi = r, chi
		m := at.expect(o, near, false)
		if !m.ok || !(math.Abs(m.mass-1) < 0.1) {
			return 0, 0, false
		}
		near = m.level
		return m.square, m.cross, true
	}
	return q, e
}

// linearResponse is the solution for the cross-entropy at large loads or ridges:
// near W = 0 it has gradient and Hessian of softmax weights 1/n,
//
//	χ = 1/(λ/N + γ c),   r = √(γ c) χ,   c = 1 − 1/n.
//
// For the hinge it is a guess of the same size.
func (t Training) linearResponse(ridge float64) unknowns {
	c := 1 - 1/t.Candidates
	load := t.Facts / t.Weights
	if t.Loss == Hinge {
		ratio := math.Sqrt(2*math.Log(t.Candidates)) * 0.8
		return unknowns{math.Log(0.5 / ((ridge + load) * ratio)), math.Log(ratio)}
	}
	chi := 1 / (ridge + load*c)
	return unknowns{math.Log(math.Sqrt(load*c) * chi), -math.Log(math.Sqrt(load * c))}
}

// solveFinite solves for a finite minimiser.
func solveFinite(t Training) (Trained, error) {
	if t.Loss == Hinge {
		zero, err := hingeIsZero(t)
		if err != nil {
			return failed(t, status.Diverged), err
		}
		if zero {
			return zeroMemory(t), nil
		}
	}
	q, _ := t.score(roughly)
	load := t.Facts / t.Weights
	first := 10 * load
	rough := q.follow(t.linearResponse, first, 1e-6)
	if q.evaluations > maxEvaluations {
		return failed(t, status.MaxIterations), fmt.Errorf("p = %v, weights = %v, n = %v, ridge = %v: the saddle point was not found in %d evaluations; want a ridge further from its limits, or 0",
			t.Facts, t.Weights, t.Candidates, t.Ridge, maxEvaluations)
	}
	if !rough.status.OK() {
		return failed(t, rough.status), fmt.Errorf("p = %v, weights = %v, n = %v, ridge = %v: the saddle point was not found (%v, residual %.2g)",
			t.Facts, t.Weights, t.Candidates, t.Ridge, rough.status, rough.residual)
	}
	q, _ = t.score(finely)
	fine := q.solve(rough.at, 1e-12, &rough.jacobian)
	st := fine.status
	if !st.OK() && fine.residual < 1e-9 {
		st = status.Roundoff
	}
	if !st.OK() {
		return failed(t, st), fmt.Errorf("p = %v, weights = %v, n = %v, ridge = %v: the saddle point was not found (%v, residual %.2g)",
			t.Facts, t.Weights, t.Candidates, t.Ridge, st, fine.residual)
	}
	return t.describe(fine, st), nil
}

// describe computes all outputs at a solution, and again with the control
// resolution, which is coarser, at the solution corrected by it: the difference
// bounds the errors.
func (t Training) describe(s solved, st status.Status) Trained {
	out := Trained{Training: t, Residual: s.residual, Status: st}
	first, m := t.outputs(s.at, finely)
	// A Newton step with the residual of the control resolution.
	q, _ := t.score(control)
	at := s.at
	if f, ok := q.residual(at); ok {
		if step, ok := newtonStep(s.jacobian, f); ok {
			at[0] += step[0]
			at[1] += step[1]
		}
	} else {
		out.Status = status.Diverged
	}
	second, _ := t.outputs(at, control)
	scale := math.Abs(m.mass-1) + 4*s.residual*sensitivity(s.jacobian)
	for i, v := range []*extremes.Value{&out.Norm, &out.Chi, &out.Loss, &out.Accuracy, &out.CorrectMean, &out.CorrectStd, &out.LargestMean, &out.LargestStd} {
		*v = extremes.Value{
			Value:  first[i],
			Error:  2*math.Abs(first[i]-second[i]) + (scale+1e-14)*math.Abs(first[i]),
			Status: out.Status,
		}
	}
	for _, v := range []*extremes.Value{&out.LargestMean, &out.LargestStd} {
		if !(v.Error < 0.1*out.Norm.Value) { // NaN too
			*v = extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: status.Diverged}
		}
	}
	// At small norms scores nearly agree, and round-off may leave nothing of which is the
	// largest.
	if a := &out.Accuracy; !(a.Error <= largestAccuracyError) {
		*a = extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: status.Roundoff}
	} else {
		a.Value = min(1, max(0, a.Value)) // within its error
	}
	return out
}

// largestAccuracyError is the largest error with which an accuracy is given.
const largestAccuracyError = 0.01

// sensitivity is the largest entry of the inverse Jacobian.
func sensitivity(j [2][2]float64) float64 {
	det := math.Abs(j[0][0]*j[1][1] - j[0][1]*j[1][0])
	return math.Max(math.Max(math.Abs(j[0][0]), math.Abs(j[0][1])), math.Max(math.Abs(j[1][0]), math.Abs(j[1][1]))) / det
}

func (t Training) outputs(at unknowns, o resolution) ([8]float64, expectations) {
	e := ensemble{response: t.Loss.response(), n: t.Candidates, r: at.r(), chi: at.chi()}
	m := e.expect(o, 0, true)
	variance := func(mean, square float64) float64 {
		d := mean - m.center
		return math.Sqrt(square - d*d) // NaN where round-off has taken over
	}
	return [8]float64{e.r, e.chi, e.soft*math.Log(e.chi) - m.left, m.accuracy,
		m.correct, variance(m.correct, m.correct2), m.largest, variance(m.largest, m.largest2)}, m
}

// HingeCollapse returns the load p/N from which on the minimiser of the hinge with n
// candidates is W = 0, whatever the ridge: for n ≥ 3 the homogeneous loss
// max_{ρ≠0} s_ρ − s_0, which is the hinge less 1 near W = 0, has no W that makes its sum
// negative. With s = prox_η of it, the threshold is at the η where its mean is 0:
//
//	E m = η,   1/γ_0 = η² + E Σ (t_ρ − m)_+²,   Σ (t_ρ − m)_+ = η,
//
// which is stationary in η when 2η E(m − η) is added to 1/γ_0.
//
// For n = 2 the loss is linear and there is none: +Inf.
func HingeCollapse(n float64) (extremes.Value, error) {
	none := extremes.Value{Value: math.NaN(), Error: math.Inf(1)}
	if !(n >= 2 && n <= maxCandidates) {
		return none, fmt.Errorf("n = %v: want 2 ≤ n ≤ %.0e", n, maxCandidates)
	}
	if n == 2 {
		return extremes.Value{Value: math.Inf(1), Status: status.Converged}, nil
	}
	at := func(eta float64, o resolution) expectations {
		// The gap is so large that the target never counts.
		e := ensemble{response: response{soft: 0, gap: 1e6}, n: n, r: 1, chi: eta}
		return e.expect(o, 0, false)
	}
	excess := func(o resolution) func(eta float64) float64 {
		return func(eta float64) float64 {
			m := at(eta, o)
			if !m.ok {
				return math.NaN()
			}
			return m.level - eta
		}
	}
	hi := math.Sqrt(2*math.Log(n)) + 1
	solve := func(o resolution, lo, hi float64) root.Result {
		return root.Find(excess(o), lo, hi, root.Options{AbsX: 1e-12})
	}
	f := solve(finely, 1e-3, hi)
	g := solve(control, f.X*(1-1e-4), f.X*(1+1e-4))
	if !f.Status.OK() || !g.Status.OK() {
		return none, fmt.Errorf("n = %v: the load from which on W = 0 was not found (%v)", n, f.Status)
	}
	load := func(eta float64, o resolution) float64 {
		m := at(eta, o)
		return 1 / (m.square + 2*eta*(m.level-eta))
	}
	a, b := load(f.X, finely), load(g.X, control)
	return extremes.Value{Value: a, Error: 2*math.Abs(a-b) + 1e-13*a, Status: f.Status}, nil
}

func hingeIsZero(t Training) (bool, error) {
	v, err := HingeCollapse(t.Candidates)
	return t.Facts/t.Weights >= v.Value, err
}

// zeroMemory is W = 0: no score differs from another, and a tie is not recalled.
func zeroMemory(t Training) Trained {
	value := func(x float64) extremes.Value { return extremes.Value{Value: x, Status: status.Converged} }
	out := Trained{
		Training: t, Phase: Zero, Norm: value(0), Chi: value(0), Loss: value(1), Accuracy: value(0),
		CorrectMean: value(0), CorrectStd: value(0), LargestMean: value(0), LargestStd: value(0),
		Status: status.Converged,
	}
	return out
}
