package learn

import (
	"math"

	"lamcap/internal/status"
)

// Run is the outcome of a training, or what it has reached so far.
type Run struct {
	// Weights are the last ones evaluated without a NaN or an infinity, with
	// their Evaluation, which is that of the data alone; L-BFGS that stalls
	// goes back to the last point it accepted. Those of a training that was
	// not begun are its start, with NaN for an evaluation.
	Weights    *Weights
	Evaluation Evaluation
	// Penalised is the objective, Evaluation.Loss plus (λ/2) ‖W‖²_F.
	Penalised float64
	// Bound is the least duality bound met on the way, an upper bound on the
	// normalised margin of all weights. The ridge has no part in it.
	Bound float64
	// Evaluations counts passes over the instance, those of line searches
	// included.
	Evaluations int
	// Status is Converged if Stop, the gradient tolerance or a loss of 0 ended
	// the run (or the rule, which is Hebb's, takes no steps), MaxIterations if
	// the budget did, Stalled if no step decreased the loss any more or the
	// learning rate fell to 0, Diverged if a NaN or an infinity appeared in
	// the loss, the gradient or the weights.
	Status status.Status
}

// finite says that x has no NaN and no infinity.
func finite[T float32 | float64](x []T) bool {
	for _, v := range x {
		if v-v != 0 { // NaN for NaN and infinities
			return false
		}
	}
	return true
}

// point is what one pass says.
type point struct {
	Evaluation
	objective float64 // with the ridge
}

func (p point) finite() bool {
	return finite([]float64{p.Loss, p.Competition, p.objective}) && !math.IsNaN(p.Margin)
}

// stationarity is the measure of [Options.GradientTolerance].
func stationarity(w *Weights, gradient []float64, competition float64) float64 {
	switch {
	case competition == 0:
		return math.Inf(1)
	case w.Rank == 0:
		return norm(gradient) / competition
	}
	return math.Sqrt(float64(w.Rank)) * norm(gradient) / (competition * norm(w.Parameters))
}
