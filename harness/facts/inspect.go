package facts

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"lamcap/harness"
	"lamcap/harness/learn"
	"lamcap/harness/predict"
	"lamcap/harness/proof"
	"lamcap/harness/spectrum"
	"lamcap/harness/trial"
	"lamcap/harness/vectors"
	"lamcap/internal/root"
)

// InspectOptions say how given weights are compared with the best.
type InspectOptions struct {
	// Best says how the best memory is looked for, of all ranks: its Rank is not used.
	Best Options
	// Rank is m of the law of the singular values; 0 means the numerical rank of W.
	Rank int
	// References are the Gaussian matrices drawn; 0 means [DefaultReferences].
	References int
	// Level of the prediction for Gaussian vectors: score takes no time; "" is corrected
	// where its error is small, else score.
	Level string
}

// DefaultReferences is the default of [InspectOptions.References].
const DefaultReferences = 400

// Inspected is what given weights are, beside the best for the same facts.
type Inspected struct {
	// Optimality has margins in the units of the vectors.
	harness.Optimality
	// Outcome is that of Best, or Stored where W itself recalls every fact.
	Outcome trial.Outcome
	Best    *Stored
	Missed  []Miss
	// Rank is that of W, up to the round-off of its numbers.
	Rank int
	// Unseen is the share of ‖W‖²_F on directions that no key has, or in which no two
	// values differ: it changes no ranking, and only makes the margin smaller.
	Unseen float64
	// Loss is the mean cross-entropy of a fact, in nats, with scores as they are; at
	// Scale times the weights it is ScaledLoss, the least. Of weights that recall
	// everything it goes to 0 with the scale, which is then +Inf.
	Loss, Scale, ScaledLoss float64
	// Transposed counts what Wᵀ recalls, −1 where that is of no interest: W recalls
	// everything, or is not square.
	Transposed int
	// Spectrum compares the singular values with the law at capacity; nil with a note
	// where there is no such law.
	Spectrum     *spectrum.Single
	SpectrumNote string
	Theory       *Theory
	// Gaussian is the prediction for Gaussian vectors.
	Gaussian Gaussian
}

// Inspect compares weights W ∈ R^{d_out×d_in} that were trained anywhere with the
// best there are for the facts: [harness.InspectAgainst] what [Facts.Store] finds,
// and more. If ctx ends the search, what was proved until then stands, with the
// status of Best Unknown.
func (f *Facts) Inspect(ctx context.Context, w *vectors.Set, o InspectOptions) (*Inspected, error) {
	s := f.instance.Spec()
	if err := Match(w, f.keys, f.values); err != nil {
		return nil, err
	}
	weights := &learn.Weights{DOut: s.DOut, DIn: s.DIn, Parameters: w.Data}
	scaled, ok := proof.NewRounding(weights)
	if !ok {
		return nil, fmt.Errorf("weights = %s: W is 0, and so is every score: want other weights", w.Source)
	}
	if most := min(s.DIn, s.DOut); o.Rank < 0 || o.Rank > most {
		return nil, fmt.Errorf("rank = %d: want 1 ≤ rank ≤ min(d_in, d_out) = %d", o.Rank, most)
	}
	if o.Level != "" && o.Level != predict.ScoreLevel {
		return nil, fmt.Errorf("level = %s: want %s, or nothing for the best", o.Level, predict.ScoreLevel)
	}
	r := &Inspected{Transposed: -1}
	var err error
	if r.Theory, err = f.Theory(0); err != nil {
		return nil, err
	}
	o.Best.Rank = 0
	if r.Best, err = f.Store(ctx, o.Best); err != nil {
		return nil, err
	}
	best := r.Best
	shown := proof.Verify(f.instance, &learn.Weights{DOut: s.DOut, DIn: s.DIn, Parameters: best.Weights}).Certified
	if r.Optimality, err = harness.InspectAgainst(f.instance, weights, harness.Best{
		Largest:     [2]float64{shown, math.Ldexp(best.MarginBound, -f.exponent)},
		NotStorable: best.Outcome == trial.NotStorable, Status: best.Status,
	}); err != nil {
		return nil, err
	}
	if r.Outcome = best.Outcome; r.Recalled == s.P {
		if best.Exact {
			return nil, fmt.Errorf("facts: W recalls all of what no W does: please report it")
		}
		r.Outcome = trial.Stored
	}
	if r.Recalled < s.P {
		r.Missed = f.missed(w.Data, f.exponent, o.Best.Threads)
		if s.DIn == s.DOut {
			r.Transposed = proof.Verify(f.instance, transposed(weights)).Recalled
		}
	}
	f.scale(r, scaled, o.Best.Threads)
	for _, x := range []*float64{&r.Margin, &r.Certified, &r.Largest[0], &r.Largest[1]} {
		*x = math.Ldexp(*x, f.exponent)
	}
	if err := f.spectrum(ctx, r, scaled.Matrix, single(w.Data), o); err != nil {
		return nil, err
	}
	r.Gaussian = f.gaussian(r.Theory, o.Level, true)
	f.predictMargins(ctx, r.Theory, r.Gaussian)
	return r, nil
}

func transposed(w *learn.Weights) *learn.Weights {
	t := learn.NewWeights(w.DIn, w.DOut, 0)
	mat.NewDense(w.DIn, w.DOut, t.Parameters).Copy(mat.NewDense(w.DOut, w.DIn, w.Parameters).T())
	return t
}

// single reports whether all numbers are float32.
func single(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return float64(float32(v)) != v })
}

// scale finds what the cross-entropy is as W is given, and at the best multiple of it:
// the loss is convex along a line, so that its slope has one change of sign.
func (f *Facts) scale(r *Inspected, w proof.Rounding, threads int) {
	s := f.instance.Spec()
	objective := learn.NewObjectiveWith(f.instance, learn.Engine{Threads: threads})
	x, gradient := learn.NewWeights(s.DOut, s.DIn, 0), make([]float64, len(w.Matrix))
	at := func(factor float64) (loss, slope float64) {
		floats.ScaleTo(x.Parameters, factor, w.Matrix)
		e := objective.Evaluate(x, gradient)
		return e.Loss / float64(s.P), floats.Dot(gradient, w.Matrix)
	}
	given := w.Exponent + f.exponent // of scores of the vectors: Matrix·2^given
	r.Loss = math.NaN()
	if factor := math.Ldexp(1, given); factor > 1e-200 && factor < 1e200 {
		r.Loss, _ = at(factor)
	}
	if r.Recalled == s.P {
		r.Scale, r.ScaledLoss = math.Inf(1), 0
		return
	}
	if loss, slope := at(0); slope >= 0 {
		r.Scale, r.ScaledLoss = 0, loss
		return
	}
	// Steps of a factor of 2 from where scores are of order 1; 2^±50 from there they are
	// all equal or all apart.
	slope := func(t float64) float64 { _, d := at(math.Exp2(t)); return d }
	const most, near = 50, 1e-4
	from := -math.Log2(floats.Norm(w.Matrix, 2) * f.instance.Scale())
	lo, hi, ok := root.Expand(slope, from, 1, from-most, from+most)
	if !ok { // what is not recalled is tied
		r.Scale = math.Inf(1)
		r.ScaledLoss, _ = at(math.Exp2(from + most))
		return
	}
	best := root.Find(slope, lo, hi, root.Options{AbsX: near})
	r.Scale = math.Exp2(best.X - float64(given))
	r.ScaledLoss, _ = at(math.Exp2(best.X))
}

// spectrum compares the singular values of what scores see of W.
func (f *Facts) spectrum(ctx context.Context, r *Inspected, w []float64, float32s bool, o InspectOptions) error {
	s := f.instance.Spec()
	eps := 0x1p-52
	if float32s {
		eps = 0x1p-23
	}
	rank := func(sigma []float64) int {
		limit := float64(max(s.DIn, s.DOut)) * eps * sigma[0]
		return len(slices.DeleteFunc(slices.Clone(sigma), func(x float64) bool { return x <= limit }))
	}
	r.Rank = rank(r.Singular)
	k, v := r.Theory.Keys.Rank, r.Theory.Values.Rank
	if k == 0 || v == 0 {
		r.Unseen, r.SpectrumNote = 1, "No law of singular values: no scores differ."
		return nil
	}
	sigma, m := r.Singular, r.Rank
	if k < s.DIn || v < s.DOut {
		seen, err := f.seen(w, k, v)
		if err != nil {
			return err
		}
		whole, part := floats.Norm(w, 2), mat.Norm(seen, 2)
		r.Unseen = max(0, 1-(part/whole)*(part/whole))
		if !(part > eps*whole) {
			r.Unseen, r.SpectrumNote = 1, "No law of singular values: W is 0 on all that keys and differences of values span."
			return nil
		}
		var svd mat.SVD
		if !svd.Factorize(seen, mat.SVDNone) {
			return fmt.Errorf("the singular values of W were not found")
		}
		sigma = svd.Values(nil)
		m = min(rank(sigma), k, v)
	}
	if o.Rank > 0 {
		m = min(o.Rank, k, v)
	}
	draws := o.References
	if draws == 0 {
		draws = DefaultReferences
	}
	one, err := spectrum.Alone(ctx, sigma[:m], spectrum.Shape{DOut: v, DIn: k, Rank: m}, draws, o.Best.Seed)
	switch {
	case ctx.Err() != nil:
		r.SpectrumNote = "No law of singular values: interrupted."
	case err != nil:
		return err
	default:
		r.Spectrum = &one
	}
	return nil
}

// seen is the part of W on the span of the keys and of the differences of values, of
// dimensions k and v: P_v W P_k with orthogonal projections.
func (f *Facts) seen(w []float64, k, v int) (*mat.Dense, error) {
	s := f.instance.Spec()
	keys := mat.NewDense(s.P, s.DIn, slices.Clone(f.instance.Keys()))
	pool := slices.Clone(f.instance.Pool(0, nil))
	mean := make([]float64, s.DOut)
	for row := range slices.Chunk(pool, s.DOut) {
		floats.AddScaled(mean, 1/float64(s.N), row)
	}
	for row := range slices.Chunk(pool, s.DOut) {
		floats.Sub(row, mean)
	}
	seen := mat.NewDense(s.DOut, s.DIn, slices.Clone(w))
	for _, side := range []struct {
		rows *mat.Dense
		rank int
		left bool
	}{{keys, k, false}, {mat.NewDense(s.N, s.DOut, pool), v, true}} {
		var svd mat.SVD
		if !svd.Factorize(side.rows, mat.SVDThinV) {
			return nil, fmt.Errorf("the span of the vectors was not found")
		}
		var all, projection, next mat.Dense
		svd.VTo(&all)
		_, columns := side.rows.Dims()
		basis := all.Slice(0, columns, 0, side.rank)
		projection.Mul(basis, basis.T())
		if side.left {
			next.Mul(&projection, seen)
		} else {
			next.Mul(seen, &projection)
		}
		seen = mat.DenseCopyOf(&next)
	}
	return seen, nil
}
