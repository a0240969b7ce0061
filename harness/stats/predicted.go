package stats

// PredictedHalfPoint returns the half-point that Transition.Fit finds, with any
// number of instances, when the truth is the given curve of probabilities: each
// load counts with its trials. A curve that is not quite a probit has another
// half-point in this sense than the load where it crosses 1/2, and a fit must be
// compared with this one. NaN when the curve does not bracket a half-point. It
// panics for slices of different lengths.
func PredictedHalfPoint(loads []float64, trials []int, predicted []float64) float64 {
	if len(loads) != len(trials) || len(loads) != len(predicted) {
		panic("stats: PredictedHalfPoint: want slices of equal lengths")
	}
	points := make([]point, len(loads))
	for i, x := range loads {
		n := float64(trials[i])
		points[i] = point{x: x, stored: n * predicted[i], missed: n * (1 - predicted[i])}
	}
	return maximise(points).half
}
