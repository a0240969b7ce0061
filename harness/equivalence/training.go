package equivalence

import (
	"context"
	"fmt"
	"math"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/spectrum"
	"lamcap/harness/stats"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// Training asks for pairs of memories, one of each problem, trained to the minimum of
// the cross-entropy beyond capacity.
type Training struct {
	Shape
	// Load is p/p_c. Next to 1 some instances can be stored and have no minimum: at
	// d = 12 they are rare from 1.2 on.
	Load   float64
	Trials int // pairs
}

// facts returns p_c and p.
func (t Training) facts() (critical float64, p int, err error) {
	c, err := saddle.CriticalFacts(float64(t.DIn) * float64(t.DOut))
	return c.Facts, measure.FactsAt(t.Load, c.Facts), err
}

// Quantity is one number of a trained memory.
type Quantity int

// The quantities that are compared. Scores are divided by ‖W‖_F.
const (
	Accuracy         Quantity = iota // fraction of inputs recalled
	Loss                             // mean cross-entropy per input, nats
	LogNorm                          // log ‖W‖_F
	CorrectMean                      // mean correct score over the inputs
	CorrectStd                       // its standard deviation over the inputs
	LargestMean                      // mean of the largest wrong score
	SpectrumStd                      // standard deviation of the singular values, of mean square 1 if square
	LargestValue                     // the largest of them
	SpectrumDistance                 // Wasserstein-1 distance of the spectrum from the law at capacity, the quarter circle
	quantities
)

var quantityNames = [...]string{
	"accuracy", "loss", "log_norm", "correct_mean", "correct_std", "largest_mean", "spectrum_std", "spectrum_largest", "spectrum_distance",
}

// String returns the snake_case name.
func (q Quantity) String() string {
	if q < 0 || q >= quantities {
		return fmt.Sprintf("quantity(%d)", int(q))
	}
	return quantityNames[q]
}

// numbers are what is kept of a memory.
type numbers struct {
	of       [quantities]float64
	spectrum []float64 // rescaled as package spectrum does, ascending
	minimum  bool      // the training ended there
}

// measured reads them off.
func measured(m measure.Memory, shape spectrum.Shape, law spectrum.Law) numbers {
	var n numbers
	n.minimum = m.Result.Status == status.Converged && m.Accuracy() < 1
	correct, largest := m.Scores()
	var err error
	if n.spectrum, err = shape.Rescale(m.SingularValues()); err != nil {
		panic("equivalence: " + err.Error())
	}
	c, l, s := stats.NewSample(correct), stats.NewSample(largest), stats.NewSample(n.spectrum)
	n.of = [quantities]float64{
		Accuracy: m.Accuracy(), Loss: m.Loss, LogNorm: math.Log(m.Norm),
		CorrectMean: c.Mean, CorrectStd: c.StandardDeviation, LargestMean: l.Mean,
		SpectrumStd: s.StandardDeviation, LargestValue: n.spectrum[len(n.spectrum)-1],
		SpectrumDistance: spectrum.Wasserstein(n.spectrum, law),
	}
	return n
}

// Trained is what the pairs of one training say.
type Trained struct {
	Training
	Critical float64
	P        int
	// Pairs counts those of which both have a minimum; the others are left out.
	Pairs int
	// OP and DP summarise the instances of each problem, Difference OP − DP by pair,
	// indexed by [Quantity].
	OP, DP, Difference []stats.Sample
	// Spectra is the energy distance of the two laws of spectra, one value for each couple
	// of pairs (see [energy]): its expectation is 0 if the laws are the same, and
	// positive otherwise. Within is the mean distance of two spectra of DP.
	Spectra, Within stats.Sample
}

// run trains all pairs. Trial t of both problems has the same keys.
func (t Training) run(ctx context.Context, o *Options) (Trained, error) {
	out := Trained{Training: t}
	var err error
	if out.Critical, out.P, err = t.facts(); err != nil {
		return out, err
	}
	shape := spectrum.Shape{DOut: t.DOut, DIn: t.DIn, Rank: min(t.DIn, t.DOut)}
	law, err := shape.Capacity()
	if err != nil {
		return out, err
	}
	var op, dp []numbers
	for _, part := range []struct {
		model pattern.Model
		to    *[]numbers
	}{{pattern.OP, &op}, {pattern.DP, &dp}} {
		*part.to = make([]numbers, t.Trials)
		problem := measure.Problem{
			Spec: o.spec(part.model, t.Shape, out.P), Rule: learn.LBFGS,
			Seed: o.Seed, Experiment: "equivalence", Cell: fmt.Sprintf("trained d=%v p=%d", t.Shape, out.P),
		}
		err := measure.Many(ctx, problem, t.Trials, func(i int, m measure.Memory) {
			(*part.to)[i] = measured(m, shape, law)
			o.tick()
		})
		if err != nil {
			return out, err
		}
	}
	out.summarise(op, dp)
	return out, nil
}

func (out *Trained) summarise(op, dp []numbers) {
	var a, b []numbers
	for i := range op {
		if op[i].minimum && dp[i].minimum {
			a, b = append(a, op[i]), append(b, dp[i])
		}
	}
	out.Pairs = len(a)
	sample := func(f func(i int) float64) stats.Sample {
		values := make([]float64, len(a))
		for i := range values {
			values[i] = f(i)
		}
		return stats.NewSample(values)
	}
	for q := range quantities {
		out.OP = append(out.OP, sample(func(i int) float64 { return a[i].of[q] }))
		out.DP = append(out.DP, sample(func(i int) float64 { return b[i].of[q] }))
		out.Difference = append(out.Difference, sample(func(i int) float64 { return a[i].of[q] - b[i].of[q] }))
	}
	var distances, within []float64
	for i := 0; i+1 < len(a); i += 2 {
		distances = append(distances, energy(a[i].spectrum, a[i+1].spectrum, b[i].spectrum, b[i+1].spectrum))
		within = append(within, wasserstein(b[i].spectrum, b[i+1].spectrum))
	}
	out.Spectra, out.Within = stats.NewSample(distances), stats.NewSample(within)
}

// energy estimates the energy distance of two laws from two independent draws of each, a
// and b of the first, x and y of the second, by
//
//	½[W₁(a, y) + W₁(b, x)] − ½[W₁(a, b) + W₁(x, y)],
//
// half of 2E‖X − Y‖ − E‖X − X′‖ − E‖Y − Y′‖ in expectation. That of Wasserstein-1
// distances, which are L¹ distances of quantile functions, is never negative, and 0 only
// for equal laws [Sze]. a and x may depend on each other, as may b and y.
func energy(a, b, x, y []float64) float64 {
	return (wasserstein(a, y) + wasserstein(b, x) - wasserstein(a, b) - wasserstein(x, y)) / 2
}

// wasserstein returns W₁ between two empirical laws of equally many sorted values.
func wasserstein(x, y []float64) float64 {
	if len(x) != len(y) {
		panic("equivalence: wasserstein: want spectra of equal lengths")
	}
	sum := 0.0
	for i, v := range x {
		sum += math.Abs(v - y[i])
	}
	return sum / float64(len(x))
}
