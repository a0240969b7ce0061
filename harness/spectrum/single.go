package spectrum

import (
	"context"

	"lamcap/harness/stats"
)

// Single compares the singular values of one memory with the law at capacity.
type Single struct {
	Shape Shape
	Law   Law
	Distances
	// FourthMoment and StableRank are those of the functions of this name, and the
	// law's; the law's stable rank is m ∫ x² dF/b² with b the upper end.
	FourthMoment, FourthMomentLaw float64
	StableRank, StableRankLaw     float64
	// Reference is what Gaussian matrices of the shape, cut to m, have.
	Reference Reference
}

// Alone compares the m singular values of one memory of a shape, in any order and of
// any scale, with the law at capacity and with so many Gaussian matrices.
func Alone(ctx context.Context, sigma []float64, s Shape, draws int, seed uint64) (Single, error) {
	one := Single{Shape: s}
	values, err := s.Rescale(sigma)
	if err != nil {
		return one, err
	}
	if one.Law, err = s.Capacity(); err != nil {
		return one, err
	}
	if one.Reference, err = Simulate(ctx, GaussianMatrix, s, one.Law, draws, seed); err != nil {
		return one, err
	}
	one.Distances = Measure(values, one.Law)
	one.FourthMoment, one.StableRank = FourthMoment(values), StableRank(values)
	if one.FourthMomentLaw, err = FourthMomentOf(one.Law); err != nil {
		return one, err
	}
	_, hi := one.Law.Support()
	one.StableRankLaw = float64(s.Rank) * one.Law.SecondMoment() / (hi * hi)
	return one, nil
}

// Statistic is a number of one spectrum beside those of Gaussian matrices.
type Statistic struct {
	Name       string // ks, w1, fourth_moment, stable_rank or participation
	Value, Law float64
	// Central holds 95% of Gaussian matrices; PValue is two-sided.
	Central stats.Interval
	PValue  float64
}

// centralLevel is that of [Statistic.Central].
const centralLevel = 0.95

// Statistics returns all of them. Participation is (Σσ²)²/Σσ⁴, m over the fourth
// moment.
func (s Single) Statistics() []Statistic {
	of := func(name string, value, law float64, r stats.Simulated) Statistic {
		return Statistic{name, value, law, r.Central(centralLevel), r.PValue(value)}
	}
	fourth := of("fourth_moment", s.FourthMoment, s.FourthMomentLaw, s.Reference.FourthMoment)
	m := float64(s.Shape.Rank)
	participation := Statistic{"participation", m / fourth.Value, m / fourth.Law, stats.Interval{Lo: m / fourth.Central.Hi, Hi: m / fourth.Central.Lo}, fourth.PValue}
	return []Statistic{
		of("ks", s.KS, 0, s.Reference.KS), of("w1", s.W1, 0, s.Reference.W1),
		fourth, of("stable_rank", s.StableRank, s.StableRankLaw, s.Reference.StableRank), participation,
	}
}
