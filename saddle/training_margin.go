package saddle

import (
	"math"

	"lamcap/extremes"
	"lamcap/internal/quad"
	"lamcap/internal/status"
)

// maxMarginLimit is what training tends to below capacity without a ridge.
func maxMarginLimit(t Training) (Trained, error) {
	k, err := Margin(t.Weights, t.Facts, t.Candidates)
	if err != nil {
		return failed(t, k.Status), err
	}
	value := func(x, bound float64) extremes.Value {
		return extremes.Value{Value: x, Error: bound, Status: k.Status}
	}
	out := Trained{
		Training: t, Phase: Storable, Normalised: true, Margin: k,
		Norm: value(math.Inf(1), 0), Chi: value(math.Inf(1), 0),
		Loss: value(0, 0), Accuracy: value(1, 0),
		CorrectMean: value(k.CorrectMean, k.CorrectMeanError), CorrectStd: value(k.CorrectStd, k.CorrectStdError),
		Residual: math.Abs(k.Residual), Status: k.Status,
	}
	if t.Loss == Hinge {
		// A minimiser of norm 1/K*, with some margin of exactly 1 in every input.
		out.Norm = value(1/k.Margin, k.Error/(k.Margin*k.Margin))
	}
	// The level m* is that of the correct score less K*; the largest competitor is
	// m* unless nothing is pushed.
	free := unpushed{n: t.Candidates, scale: 1, gap: k.Margin}
	first, second, st := free.moments()
	level := k.CorrectMean - k.Margin
	out.LargestMean = value(level-first.Value, k.CorrectMeanError+k.Error+first.Error)
	// Var = E m*² − 2∫… − mean².
	square := k.CorrectStd*k.CorrectStd + level*level - second.Value
	variance := math.Max(0, square-out.LargestMean.Value*out.LargestMean.Value)
	bound := 2*k.CorrectStd*k.CorrectStdError + second.Error + 2*math.Abs(level)*(k.CorrectMeanError+k.Error+first.Error) + 0x1p-50*square
	out.LargestStd = value(math.Sqrt(variance), bound/(2*math.Sqrt(math.Max(variance, bound))))
	out.Status = worstOf(k.Status, st)
	return out, nil
}

// unpushed integrates over the inputs whose target is above all competitors by the
// gap without training, in units of the norm: there the level is t_0 − gap, and the
// largest competitor M is below it.
type unpushed struct {
	n     float64
	scale float64 // r
	gap   float64 // in units of r
}

// moments returns r E[(t_0 − gap − M)_+] and r² E[((t_0 − gap)² − M²); M < t_0 − gap]:
// with P(M ≤ t) = Φ(t)^{n−1},
//
//	r ∫ Φ(t)^{n−1} Q(t + gap) dt,   r² ∫ 2t Φ(t)^{n−1} Q(t + gap) dt.
func (f unpushed) moments() (first, second extremes.Value, st status.Status) {
	weight := func(t float64) float64 {
		return math.Exp((f.n-1)*extremes.LogCDF(t) + extremes.LogSurvival(t+f.gap))
	}
	center := math.Max(0, -extremesQuantile(f.n))
	o := quad.Options{Abs: 1e-15, Rel: 1e-12, Breaks: []float64{-10, center - 1, center, center + 1, 40}}
	a := quad.Integrate(weight, -40, 60, o)
	b := quad.Integrate(func(t float64) float64 { return 2 * t * weight(t) }, -40, 60, o)
	st = a.Status
	if !b.Status.OK() {
		st = b.Status
	}
	r := f.scale
	return extremes.Value{Value: r * a.Value, Error: r * a.Error, Status: a.Status},
		extremes.Value{Value: r * r * b.Value, Error: r * r * b.Error, Status: b.Status}, st
}

// extremesQuantile is where the lower tail of a normal is 1/n.
func extremesQuantile(n float64) float64 {
	q, err := extremes.CDFQuantile(-math.Log(n))
	if err != nil {
		return 0
	}
	return q
}
