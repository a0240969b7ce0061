package facts

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/predict"
	"lamcap/harness/table"
)

// Gaussian is what training reaches with independent Gaussian keys and values of the
// ranks and mean squares of the given ones, and weights of any rank, where each fact
// has candidates of its own (DP). What all facts share makes the margin smaller: 1.043
// by 1.082 at d = 100, p = 700, where 1.094 is predicted. What is not predicted is NaN.
type Gaussian struct {
	// Load is p/p_c.
	Load float64
	// Margin is the largest, in the units of the vectors; 0 above p_c.
	Margin, MarginError float64
	// Accuracy and Loss are those of the least cross-entropy; 1 and 0 below p_c.
	Accuracy, AccuracyError float64
	Loss, LossError         float64
	// Level is that of the prediction, score or corrected; Note says why there is none.
	Level, Note string
}

// gaussian returns the prediction; above p_c that of the training only if asked for.
func (f *Facts) gaussian(th *Theory, level string, training bool) (result Gaussian) {
	g := &result
	nan := math.NaN()
	*g = Gaussian{Load: nan, Margin: nan, MarginError: nan, Accuracy: nan, AccuracyError: nan, Loss: nan, LossError: nan}
	if len(th.Predictions) == 0 || th.Predictions[0].Theory != "gaussian" {
		return result // a note of Theory says why
	}
	s, k, v := f.instance.Spec(), th.Keys.Rank, th.Values.Rank
	p, n := float64(s.P), float64(s.N)
	critical := th.Predictions[0].Critical
	if g.Load = p / critical; g.Load >= 1 && !training {
		g.Margin, g.MarginError = 0, 0
		return result
	}
	memories := []predict.Memory{{In: k, Out: v}}
	tabulate := func(level string) (*table.Table, error) {
		if g.Load < 1 {
			return predict.Margins([]float64{p}, predict.MarginQuery{Memories: memories, Candidates: n, Level: level})
		}
		return predict.Saddles(predict.SaddleQuery{Memories: memories, Facts: []float64{p}, Candidates: n, Level: level})
	}
	main := "accuracy"
	if g.Load < 1 {
		main = "margin"
	}
	// The first correction in 1/d_out where it is one, else d → ∞.
	const small = 0.1
	var t *table.Table
	var err error
	if level == "" {
		g.Level = predict.CorrectedLevel
		t, err = tabulate(g.Level)
	}
	if level != "" || err != nil || !(cell(t, main+"_error") <= small*cell(t, main)) {
		g.Level = predict.ScoreLevel
		if t, err = tabulate(g.Level); err != nil {
			g.Level, g.Note = "", "No prediction for Gaussian vectors: "+err.Error()+"."
			return result
		}
	}
	if g.Load < 1 {
		unit := math.Ldexp(f.unit(k, v), f.exponent)
		g.Margin, g.MarginError = unit*cell(t, "margin"), unit*cell(t, "margin_error")
		g.Accuracy, g.AccuracyError, g.Loss, g.LossError = 1, 0, 0, 0
		return result
	}
	g.Margin, g.MarginError = 0, 0
	g.Accuracy, g.AccuracyError = cell(t, "accuracy"), cell(t, "accuracy_error")
	g.Loss, g.LossError = cell(t, "loss"), cell(t, "loss_error")
	return result
}

// unit is the standard deviation of a score at ‖W‖_F = 1 if keys and values less their
// mean were Gaussian in k and v dimensions, of the mean squares that they have.
func (f *Facts) unit(k, v int) float64 {
	s := f.instance.Spec()
	pool := f.instance.Pool(0, nil)
	keys, values := f.instance.Keys(), 0.0
	for j := range s.DOut {
		mean, square := 0.0, 0.0
		for c := range s.N {
			mean += pool[c*s.DOut+j] / float64(s.N)
		}
		for c := range s.N {
			x := pool[c*s.DOut+j] - mean
			square += x * x
		}
		values += square / float64(s.N)
	}
	norm := floats.Norm(keys, 2)
	return math.Sqrt(norm * norm / float64(s.P) / float64(k) * values / float64(v))
}
