package measure

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
)

// Memory is a trained memory.
type Memory struct {
	Instance *pattern.Instance
	// Weights are those that the rule ended with: of norm 1 for max-margin; nil if
	// there are none, which only max-margin on an instance that is not storable
	// leaves. The methods need them.
	Weights *learn.Weights
	// Result says what the weights recall, beyond round-off, and how the training
	// ended: Converged at a tolerance, or otherwise as [learn.Run.Status]. Its
	// Outcome is Stored or Undecided; NotStorable for max-margin only, the rest
	// proves nothing.
	Result trial.Result
	// Norm is ‖W‖_F.
	Norm float64
	// Loss is the mean cross-entropy per input, in nats; NaN for Hebb's rule and
	// max-margin, which minimise none.
	Loss float64
	// Gradient is what is left of the gradient, in the measure of
	// [learn.Options.GradientTolerance]; NaN where Loss is.
	Gradient float64

	rank int
}

// Trained reports whether there are weights.
func (m Memory) Trained() bool { return m.Weights != nil }

// Accuracy is the fraction of inputs that are recalled strictly, beyond round-off.
func (m Memory) Accuracy() float64 { return m.Result.Accuracy }

// SingularValues returns the singular values of W, as they are, largest first: as
// many as the rank of the problem.
func (m Memory) SingularValues() []float64 {
	m.need("singular values")
	w := m.Weights
	matrix := mat.NewDense(w.DOut, w.DIn, append([]float64(nil), w.Matrix(make([]float64, w.DOut*w.DIn))...))
	var svd mat.SVD
	if !svd.Factorize(matrix, mat.SVDNone) {
		panic("measure: no singular values: the weights are not finite")
	}
	return svd.Values(nil)[:m.rank]
}

// Scores returns the score of the target and the largest among the other
// candidates for every input, divided by ‖W‖_F; without competitors the latter is
// −Inf.
func (m Memory) Scores() (correct, largestWrong []float64) {
	m.need("scores")
	p, w := m.Instance.Spec().P, m.Weights
	correct, largestWrong = make([]float64, p), make([]float64, p)
	scanner := constraint.NewScanner(m.Instance)
	scanner.Threads = 1
	scanner.Scan(w.Matrix(make([]float64, w.DOut*w.DIn)), func(mu int, scores []float64, target int, _ []float64) {
		largest := math.Inf(-1)
		for c, s := range scores {
			if c != target && !(s <= largest) { // a NaN is not lost
				largest = s
			}
		}
		correct[mu], largestWrong[mu] = scores[target]/m.Norm, largest/m.Norm
	})
	return correct, largestWrong
}

func (m Memory) need(what string) {
	if m.Weights == nil {
		panic(fmt.Sprintf("measure: no weights: want a trained memory for its %s", what))
	}
}
