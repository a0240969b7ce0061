package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/embedding"
	"lamcap/internal/status"
)

// TrainingCorrection says in which dimensions a training of the cross-entropy is
// corrected to first order.
type TrainingCorrection struct {
	DOut   float64        // d_out ≥ 1
	Values embedding.Kind // law of the candidates
	// DIn is d_in ≥ 1, of which the lengths of keys with normal entries know; their
	// correlations are left out. 0 is d_in → ∞, and keys of norm √d_in are as good.
	DIn  float64
	Keys embedding.Kind
}

// SolveTrainingCorrected is [TrainingCorrection.Solve] for keys of norm √d_in.
func SolveTrainingCorrected(t Training, dOut float64, values embedding.Kind) (Trained, error) {
	return TrainingCorrection{DOut: dOut, Values: values}.Solve(t)
}

// Solve returns the minimum of a training of the cross-entropy to first order in 1/d_out
// and 1/d_in, where [SolveTraining] is d → ∞. The envelope is M + δM, δM of first order
// (package documentation), and everything is expanded at the saddle point (r, χ) of score
// level, in log r and log χ: with
//
//	F = γ M + (λ/N) r²/2 − r²/(2χ),   δ(log r, log χ) = −H⁻¹ ∇(γ δM),
//
// H the Hessian of F. Norm and Chi are e^{log r + δ log r} and e^{log χ + δ log χ}: they
// change most, and their logarithms less than themselves. All other values are linear in
// 1/d. Since γ E ℓ + (λ/N) r²/2 is F at the saddle point,
//
//	δ E ℓ = δM − (λ/(Nγ)) r² δ log r,
//
// and mean and variance of the correct score follow from sources, ℓ + h s_0 and ℓ + h (s_0 −
// E s_0)²/2:
//
//	δ E s_0 = ∇E s_0 · δ(log r, log χ) + ∂_h δM.
//
// The accuracy follows from the flow of scores through the surface where the target's
// meets the largest competitor's. The law of the largest competitor is not known to first
// order: LargestMean and LargestStd are NaN.
//
// Errors are estimates of the next order, no bounds: ε times the sum of the moduli of a
// value's first-order terms, in log r, in log(χ/r) and at fixed (r, χ), ε the largest of |δ
// log r|, |δ log χ| and |δσ|/σ, σ the correct score's deviation; quadratures add much less.
// Where ε > 1/2 there is no result: close to capacity, where ε grows like 1/(p − p_c), or in
// few dimensions.
//
// Below capacity without a ridge there is no result either: training tends to the
// max-margin solution, for which there is [MarginOfVectors]. Nor is there for the hinge.
func (c TrainingCorrection) Solve(t Training) (Trained, error) {
	t, err := t.checked()
	if err == nil {
		err = c.check(t)
	}
	if err != nil {
		return failed(t, status.Unknown), err
	}
	s, err := SolveTraining(t)
	if err != nil {
		return s, err
	}
	if s.Phase == Storable {
		return failed(t, status.Unknown), fmt.Errorf("p = %v: below capacity training without a ridge has no finite minimum, which the first order in 1/d_out expands", t.Facts)
	}
	return c.correct(s)
}

func (c TrainingCorrection) check(t Training) error {
	switch {
	case !(c.DOut >= 1) || math.IsInf(c.DOut, 1):
		return fmt.Errorf("d_out = %v: want a finite number ≥ 1", c.DOut)
	case c.DIn != 0 && !(c.DIn >= 1 && !math.IsInf(c.DIn, 1)):
		return fmt.Errorf("d_in = %v: want a finite number ≥ 1, or 0 for d_in → ∞", c.DIn)
	case !c.Values.Valid():
		return fmt.Errorf("values = %v: want gaussian or sphere", c.Values)
	case !c.Keys.Valid():
		return fmt.Errorf("keys = %v: want gaussian or sphere", c.Keys)
	case t.Loss != CrossEntropy:
		return fmt.Errorf("loss = %v: the first order in 1/d_out is known for the cross-entropy only", t.Loss)
	}
	return nil
}

// envelope and accuracy are the changes of first order at fixed (r, χ).
func (c TrainingCorrection) envelope(e envelope) float64 { return c.total(e.gauss, e.sphere, e.keys) }

func (c TrainingCorrection) accuracy(a accuracyChanges) float64 {
	return c.total(a.gauss, a.sphere, a.keys)
}

func (c TrainingCorrection) total(gauss, sphere, keys float64) float64 {
	change := gauss / c.DOut
	if c.Values == embedding.Sphere {
		change = sphere / c.DOut
	}
	if c.DIn > 0 && c.Keys == embedding.Gaussian {
		change += keys / c.DIn
	}
	return change
}

const (
	// largestExpansion is the largest ε of a result.
	largestExpansion = 0.5
	// correctionStep is the step of differences in log r, log χ and in sources relative
	// to the scale of scores: central ones are off by its square, about.
	correctionStep  = 0.02
	correctionError = correctionStep * correctionStep
)

// correct adds the first order to a result at score level.
func (c TrainingCorrection) correct(s Trained) (Trained, error) {
	t := s.Training
	at := ensemble{response: t.Loss.response(), n: t.Candidates, r: s.Norm.Value, chi: s.Chi.Value}
	change, err := c.changes(at, s.CorrectMean.Value)
	if err != nil {
		return failed(t, status.Diverged), fmt.Errorf("p = %v, d_out = %v: %w", t.Facts, c.DOut, err)
	}
	slopes, ok := t.slopes(at.r, at.chi)
	if !ok {
		return failed(t, status.Diverged), fmt.Errorf("p = %v: no derivatives at the saddle point", t.Facts)
	}
	shift := t.shift(slopes, at.r, at.chi, change.logR, change.logChi)
	slope := func(k int) [2]float64 { return [2]float64{slopes[0][k], slopes[1][k]} }
	std := s.CorrectStd.Value
	spread := (slope(outputCorrectStd)[0]*shift[0] + slope(outputCorrectStd)[1]*shift[1] + change.variance/(2*std)) / std
	small := math.Max(math.Abs(spread), math.Max(math.Abs(shift[0]), math.Abs(shift[1])))
	if !(small <= largestExpansion) {
		return failed(t, status.Diverged), fmt.Errorf("p = %v, d_out = %v: to first order logarithms of r, χ or the scores' spread change by %.2g, too much for an expansion: want a larger d_out, or a load further from capacity",
			t.Facts, c.DOut, small)
	}

	out := s
	moved := func(v extremes.Value, slope [2]float64, direct float64) extremes.Value {
		// By log r at fixed χ/r, on which the accuracy depends alone, and by log(χ/r).
		a, b := (slope[0]+slope[1])*shift[0], slope[1]*(shift[1]-shift[0])
		v.Value += a + b + direct
		v.Error += (small + correctionError) * (math.Abs(a) + math.Abs(b) + math.Abs(direct))
		return v
	}
	stretched := func(v extremes.Value, by float64) extremes.Value {
		v.Value *= math.Exp(by)
		v.Error = v.Error*math.Exp(by) + (small+correctionError)*math.Abs(by)*v.Value
		return v
	}
	out.Norm, out.Chi = stretched(s.Norm, shift[0]), stretched(s.Chi, shift[1])
	out.Loss = moved(s.Loss, [2]float64{-t.Ridge / t.Facts * at.r * at.r, 0}, change.value)
	out.Accuracy = moved(s.Accuracy, slope(outputAccuracy), change.accuracy)
	out.CorrectMean = moved(s.CorrectMean, slope(outputCorrectMean), change.mean)
	out.CorrectStd = moved(s.CorrectStd, slope(outputCorrectStd), change.variance/(2*std))
	none := extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: status.Unknown}
	out.LargestMean, out.LargestStd = none, none
	return out, nil
}

// Positions among [Training.outputs], with what the equations are made of after them.
const (
	outputAccuracy    = 3
	outputCorrectMean = 4
	outputCorrectStd  = 5
	logSquare         = 8
	logCross          = 9
	responsive        = 10
)

// slopes returns the derivatives of outputs in log r and log χ at score level, by central
// differences.
func (t Training) slopes(r, chi float64) (out [2][responsive]float64, ok bool) {
	at := func(step [2]float64) (v [responsive]float64, ok bool) {
		logR, logChi := math.Log(r)+step[0], math.Log(chi)+step[1]
		o, m := t.outputs(unknowns{logR, logChi - logR}, control)
		copy(v[:], o[:])
		v[logSquare], v[logCross] = math.Log(m.square), math.Log(m.cross)
		return v, m.ok
	}
	for k := range 2 {
		var step [2]float64
		step[k] = correctionStep
		up, fine := at(step)
		step[k] = -correctionStep
		down, ok := at(step)
		if !fine || !ok {
			return out, false
		}
		for i := range up {
			out[k][i] = (up[i] - down[i]) / (2 * correctionStep)
		}
	}
	return out, true
}

// shift returns δ(log r, log χ) from the derivatives of δM in them: the equations
//
//	f = (log(γ A/r²), log(γ B/r + λχ/N)) = 0,   A = −2χ² ∂M/∂χ,  B = χ ∂M/∂r,
//
// change by γχ/r² (−2 ∂δM/∂log χ, ∂δM/∂log r).
func (t Training) shift(slopes [2][responsive]float64, r, chi, logR, logChi float64) [2]float64 {
	load, ridge := t.Facts/t.Weights, t.Ridge/t.Weights
	free := 1 - ridge*chi // γ B/r
	j := [2][2]float64{
		{slopes[0][logSquare] - 2, slopes[1][logSquare]},
		{free * (slopes[0][logCross] - 1), free*slopes[1][logCross] + ridge*chi},
	}
	scale := load * chi / (r * r)
	f := [2]float64{-2 * scale * logChi, scale * logR}
	det := j[0][0]*j[1][1] - j[0][1]*j[1][0]
	return [2]float64{-(j[1][1]*f[0] - j[0][1]*f[1]) / det, -(j[0][0]*f[1] - j[1][0]*f[0]) / det}
}

// firstChanges are changes of first order at fixed (r, χ).
type firstChanges struct {
	value        float64 // δM
	logR, logChi float64 // its derivatives
	mean         float64 // of E s_0
	variance     float64 // of E (s_0 − c)², c the mean at score level
	accuracy     float64
}

func (c TrainingCorrection) changes(at ensemble, center float64) (out firstChanges, err error) {
	plan := envelopePlan()
	delta := func(change func(e *ensemble)) float64 {
		e := at
		change(&e)
		v, failure := e.envelope(plan, control)
		if failure != nil && err == nil {
			err = failure
		}
		return c.envelope(v)
	}
	slope := func(change func(e *ensemble, step float64)) float64 {
		up := delta(func(e *ensemble) { change(e, correctionStep) })
		down := delta(func(e *ensemble) { change(e, -correctionStep) })
		return (up - down) / (2 * correctionStep)
	}
	out.value = delta(func(*ensemble) {})
	out.logR = slope(func(e *ensemble, step float64) { e.r *= math.Exp(step) })
	out.logChi = slope(func(e *ensemble, step float64) { e.chi *= math.Exp(step) })
	// ℓ + h s_0 with χh = r·step, and ℓ + h (s_0 − c)²/2 with χh = step.
	out.mean = at.chi / at.r * slope(func(e *ensemble, step float64) { e.gap = e.r * step })
	out.variance = 2 * at.chi * slope(func(e *ensemble, step float64) { e.stiff, e.gap = step, -step*center })
	if err != nil {
		return out, err
	}
	accuracy, err := at.accuracyChange(control)
	out.accuracy = c.accuracy(accuracy)
	return out, err
}
