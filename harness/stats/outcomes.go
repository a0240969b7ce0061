package stats

import "math"

// Outcomes counts independent instances of which some are undecided: they were
// neither shown to be stored nor shown not to be, and count as neither.
// Everything below holds whatever they would have turned out to be.
type Outcomes struct{ Stored, Undecided, Trials int }

func (o Outcomes) fewest() Proportion { return Proportion{o.Stored, o.Trials} }
func (o Outcomes) most() Proportion   { return Proportion{o.Stored + o.Undecided, o.Trials} }

// Interval spans the Wilson intervals of both extreme readings of the undecided
// instances; without any it is Proportion.Wilson.
func (o Outcomes) Interval(level float64) Interval {
	return Interval{Lo: o.fewest().Wilson(level).Lo, Hi: o.most().Wilson(level).Hi}
}

// PValue returns the exact two-sided p-value of the hypothesis that each
// instance is storable with probability p0: the doubled smaller of the tails
// P(X ≥ stored) and P(X ≤ stored + undecided), capped at 1, each read in the
// way that is least favourable to a rejection. Valid as Proportion.PValue is.
func (o Outcomes) PValue(p0 float64) float64 {
	return math.Exp(o.tails(p0).logTwoSided())
}

// Z returns the normal equivalent of PValue, positive when more instances
// are stored than predicted.
func (o Outcomes) Z(p0 float64) float64 { return o.tails(p0).z() }

func (o Outcomes) tails(p0 float64) tails {
	return tails{
		lower: o.most().tails("Outcomes", p0).lower,
		upper: o.fewest().tails("Outcomes", p0).upper,
	}
}
