package harness

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"lamcap/harness/learn"
	"lamcap/harness/maxmargin"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/harness/spectrum"
	"lamcap/internal/status"
)

// Optimality says how far given weights are from the best for an instance.
type Optimality struct {
	// Verification has the inputs that the weights recall beyond round-off, and their margin
	// min (S_μμ − S_μρ)/‖W‖_F, negative if some input is not recalled.
	proof.Verification
	Facts int
	// Largest bounds the margin of all weights from below and above. Share is that of the
	// given weights of the upper end: 1 is optimal, ≤ 0 if not everything is recalled.
	// NotStorable: no weights at all have a margin that counts; Share is then NaN.
	Largest     [2]float64
	Share       float64
	NotStorable bool
	Status      status.Status // of the search for the largest margin
	// Singular values of W, in descending order, and m Σσ⁴/(Σσ²)² of the m = min(d_in, d_out): 2 by the
	// quarter circle, which W is predicted to have at capacity (d_in = d_out → ∞).
	Singular     []float64
	FourthMoment float64
}

// Inspect compares weights that were trained anywhere with the best there are for an
// instance, made by [pattern.FromData] or [pattern.FromPairs] from data of one's own: what they
// recall, their margin beside the largest, their singular values. Weights of zero or
// of other dimensions are an error.
func Inspect(in *pattern.Instance, w *learn.Weights) (Optimality, error) {
	if err := w.Validate(); err != nil {
		return Optimality{}, err
	}
	if w.DIn != in.Spec().DIn || w.DOut != in.Spec().DOut {
		return Optimality{}, fmt.Errorf("W is %d×%d: want d_out×d_in = %d×%d, u·(W e) the score", w.DOut, w.DIn, in.Spec().DOut, in.Spec().DIn)
	}
	o := Optimality{Verification: proof.Verify(in, w), Facts: in.Spec().P, Share: math.NaN()}
	if math.IsNaN(o.Margin) {
		return Optimality{}, errors.New("W is 0 or not finite: want other weights")
	}
	best := maxmargin.Solve(in, maxmargin.Options{})
	o.NotStorable, o.Status, o.Largest = best.NotStorable, best.Status, [2]float64{best.Margin, best.Bound}
	if !best.NotStorable {
		o.Share = o.Margin / best.Bound
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(w.DOut, w.DIn, w.Matrix(nil)), mat.SVDNone) {
		return Optimality{}, errors.New("the singular values of W were not found")
	}
	o.Singular = svd.Values(nil)
	o.FourthMoment = spectrum.FourthMoment(o.Singular)
	return o, nil
}
