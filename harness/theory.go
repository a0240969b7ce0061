package harness

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/predict"
	"lamcap/internal/logarithm"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// Theory predicts what fraction of instances is stored at each load.
type Theory struct {
	Name string
	// Storable is P(storable) at a load, in [0, 1] and the same at each call; anything else, as NaN
	// for what the theory cannot compute, ends a judgement with an error.
	Storable func(load float64) float64
}

// At is a theory that predicts the same probability at every load: for counts at a
// single one.
func At(name string, probability float64) Theory {
	return Theory{Name: name, Storable: func(float64) float64 { return probability }}
}

// Scaled is the theory with its capacity multiplied by a factor > 0: what it predicts at p
// it predicts at factor·p. It is the wrong theory that a test should tell from the right
// one, for want of a better.
func (t Theory) Scaled(name string, factor float64) Theory {
	if !(factor > 0) || math.IsInf(factor, 1) {
		panic(fmt.Sprintf("harness: Scaled: factor = %v: want a finite factor > 0", factor))
	}
	return Theory{Name: name, Storable: func(load float64) float64 { return t.Storable(load / factor) }}
}

// Decoupled is the theory of this module at finite size: P(storable) of Gaussian
// keys and values where each input has n candidates of its own (the decoupled problem, DP),
// n = 0 for as many as facts,
//
//	P = 2 Σ_{j = N−1, N−3, …} c_j,   N = d_in d_out,
//
// see [saddle.Transition.Probability]: at full rank exact to what is known, below a
// prediction with N_eff for N. Loads are numbers of facts p ≥ 1 (n = p: p ≥ 2);
// between integers it is interpolated on the probit scale. Instances whose inputs share one
// pool (OP) store a few percent more at small d.
func Decoupled(m predict.Memory, n float64) (Theory, error) {
	if n != 0 && !(n >= 2 && n <= extremes.MaxSize && n == math.Trunc(n)) {
		return Theory{}, fmt.Errorf("n = %v: want an integer 2 ≤ n ≤ 1e300, or 0 for as many candidates as facts", n)
	}
	if m.Rank == 0 {
		m.Rank = min(m.In, m.Out)
	}
	weights, err := quartercircle.NewSpectra().EffectiveDimension(m.Out, m.In, m.Rank)
	if err != nil {
		return Theory{}, err
	}
	transition := saddle.NewTransition()
	at := func(p float64) saddle.Probability {
		size := n
		if n == 0 {
			size = p
		}
		v, _, err := predict.Storable(transition, m, weights, p, size)
		if err != nil {
			v.Value, v.Complement = math.NaN(), math.NaN()
		}
		return v
	}
	return Theory{Name: "the theory of DP", Storable: func(p float64) float64 {
		below := math.Floor(p)
		lo := at(below)
		if p == below {
			return lo.Value
		}
		hi, share := at(below+1), p-below
		a, b := probit(lo), probit(hi)
		if math.IsInf(a, 0) || math.IsInf(b, 0) { // below the smallest float64
			return lo.Value + share*(hi.Value-lo.Value)
		}
		return math.Exp(extremes.LogCDF(a + share*(b-a)))
	}}, nil
}

// probit is η with Φ(η) = P, from the smaller of P and 1 − P.
func probit(p saddle.Probability) float64 {
	sign, tail := 1., p.Complement
	if p.Value < p.Complement {
		sign, tail = -1, p.Value
	}
	if tail == 0 {
		return sign * math.Inf(1)
	}
	x, err := extremes.SurvivalQuantile(logarithm.Natural(tail))
	if err != nil {
		return math.NaN()
	}
	return sign * x
}
