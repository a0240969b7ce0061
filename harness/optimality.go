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
	// Best is what is known of all weights. Share is the margin of the given ones over the
	// upper end: 1 is optimal, ≤ 0 if not everything is recalled, NaN if NotStorable. Gap is
	// 1 − Certified/Largest[1], no less than what they are short of the largest margin, round-off
	// included; NaN unless everything is recalled.
	Best
	Share, Gap float64
	// Singular values of W, in descending order, and m Σσ⁴/(Σσ²)² of the m = min(d_in, d_out): 2 by the
	// quarter circle, which W is predicted to have at capacity (d_in = d_out → ∞).
	Singular     []float64
	FourthMoment float64
}

// Best is what is known of the best weights of an instance.
type Best struct {
	// Largest bounds the margin of all weights from below, by weights that have it, and above.
	// NotStorable: no weights at all have a margin that counts.
	Largest     [2]float64
	NotStorable bool
	Status      status.Status // of the search for the largest margin
}

// Inspect compares weights that were trained anywhere with the best there are for an
// instance, made by [pattern.FromData] or [pattern.FromPairs] from data of one's own: what they
// recall, their margin beside the largest, their singular values. Weights of zero or
// of other dimensions are an error.
//
// For vectors in files there is lamcap inspect, [lamcap/harness/facts.Facts.Inspect].
func Inspect(in *pattern.Instance, w *learn.Weights) (Optimality, error) {
	if err := inspectable(in, w); err != nil {
		return Optimality{}, err
	}
	best := maxmargin.Solve(in, maxmargin.Options{})
	return InspectAgainst(in, w, Best{[2]float64{best.Margin, best.Bound}, best.NotStorable, best.Status})
}

// inspectable refuses weights of which nothing can be said.
func inspectable(in *pattern.Instance, w *learn.Weights) error {
	if err := w.Validate(); err != nil {
		return err
	}
	if w.DIn != in.Spec().DIn || w.DOut != in.Spec().DOut {
		return fmt.Errorf("W is %d×%d: want d_out×d_in = %d×%d, u·(W e) the score", w.DOut, w.DIn, in.Spec().DOut, in.Spec().DIn)
	}
	if _, ok := proof.NewRounding(w); !ok {
		return errors.New("W is 0 or not finite: want other weights")
	}
	return nil
}

// InspectAgainst is [Inspect] where it is known already how good weights can be.
func InspectAgainst(in *pattern.Instance, w *learn.Weights, best Best) (Optimality, error) {
	if err := inspectable(in, w); err != nil {
		return Optimality{}, err
	}
	o := Optimality{Verification: proof.Verify(in, w), Facts: in.Spec().P, Best: best, Share: math.NaN(), Gap: math.NaN()}
	if o.Recalled == o.Facts && o.NotStorable {
		o.NotStorable = false // by a margin below what counts
	}
	if o.Recalled == o.Facts && !(o.Largest[0] >= o.Certified) {
		o.Largest[0] = o.Certified
	}
	if !o.NotStorable {
		o.Share = o.Margin / o.Largest[1]
	}
	if o.Recalled == o.Facts && !math.IsInf(o.Certified, 1) {
		o.Gap = max(0, 1-o.Certified/o.Largest[1])
	}
	// Near 1, so that no power of a singular value is out of range.
	scaled, _ := proof.NewRounding(w)
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(w.DOut, w.DIn, scaled.Matrix), mat.SVDNone) {
		return Optimality{}, errors.New("the singular values of W were not found")
	}
	o.Singular = svd.Values(nil)
	o.FourthMoment = spectrum.FourthMoment(o.Singular)
	for i, x := range o.Singular {
		o.Singular[i] = math.Ldexp(x, scaled.Exponent)
	}
	return o, nil
}
