package compare

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/root"
	"lamcap/saddle"
)

// Theory predicts the transition of a memory whose number of candidates equals
// its number of facts.
type Theory interface {
	// Name is how notes refer to the theory.
	Name() string
	// Critical returns p_c for a number of weights, which is effective and real
	// at rank below full.
	Critical(weights float64) (float64, error)
	// Storable returns the probability that p facts can be stored.
	Storable(weights float64, p int) (float64, error)
}

// Exact is the theory of this module: p·D_p = N_eff and the convolution of the
// conic intrinsic volumes, interpolated where N_eff is not an integer. Transition
// keeps what it has computed between loads; nil means a new one for each.
type Exact struct{ Transition *saddle.Transition }

// Name implements [Theory].
func (Exact) Name() string { return "p·D_p = N" }

// Critical implements [Theory].
func (Exact) Critical(weights float64) (float64, error) {
	c, err := saddle.CriticalFacts(weights)
	return c.Facts, err
}

// Storable implements [Theory].
func (e Exact) Storable(weights float64, p int) (float64, error) {
	transition := e.Transition
	if transition == nil {
		transition = saddle.NewTransition()
	}
	v, err := transition.Probability(weights, float64(p), float64(p))
	return v.Value, err
}

// Dimension is a theory in which a fact takes up Of(n) weights: the normal
// form of the transition with Of(n) in place of D_n. The limit α = 1/2 is
// Of(n) = 2 log n.
type Dimension struct {
	Called string
	Of     func(n float64) float64
}

// LimitDimension is the limit theory, α_c = 1/2 at full rank and I(κ)/2 below,
// taken at finite size.
func LimitDimension() Dimension {
	return Dimension{"D_n = 2 log n (the limit)", func(n float64) float64 { return 2 * math.Log(n) }}
}

// Name implements [Theory].
func (t Dimension) Name() string { return t.Called }

// Critical implements [Theory]: it solves p·Of(p) = weights.
func (t Dimension) Critical(weights float64) (float64, error) {
	f := root.Find(func(logP float64) float64 {
		p := math.Exp(logP)
		return math.Log(p*t.Of(p)) - math.Log(weights)
	}, math.Log(2), math.Log(10*weights+10), root.Options{})
	if !f.Status.OK() {
		return math.NaN(), fmt.Errorf("weights = %v: %s has no capacity from 2 facts up (%v)", weights, t.Called, f.Status)
	}
	return math.Exp(f.X), nil
}

// Storable implements [Theory].
func (t Dimension) Storable(weights float64, p int) (float64, error) {
	v, err := extremes.IntrinsicVolumes(float64(p))
	if err != nil {
		return math.NaN(), err
	}
	facts := float64(p)
	return math.Exp(extremes.LogCDF((weights - facts*t.Of(facts)) / math.Sqrt(facts*v.Variance().Value))), nil
}
