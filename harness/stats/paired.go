package stats

import (
	"fmt"
	"math"
)

// Paired counts pairs of yes-no outcomes: the same trial of two experiments that
// share some of their randomness (say the keys of an instance), or none. Pairs
// must be independent of each other; a pair with an undecided member belongs in
// no count.
type Paired struct{ Both, First, Second, Neither int }

// NewPaired counts the pairs of two slices of equal length; decided, if not nil,
// says which pairs count. It panics for slices of different lengths.
func NewPaired(first, second, decided []bool) Paired {
	if len(first) != len(second) || decided != nil && len(decided) != len(first) {
		panic(fmt.Sprintf("stats: NewPaired: %d and %d outcomes: want equal lengths", len(first), len(second)))
	}
	var c Paired
	for i, a := range first {
		switch b := second[i]; {
		case decided != nil && !decided[i]:
		case a && b:
			c.Both++
		case a:
			c.First++
		case b:
			c.Second++
		default:
			c.Neither++
		}
	}
	return c
}

// Pairs returns the number of pairs.
func (c Paired) Pairs() int { return c.Both + c.First + c.Second + c.Neither }

func (c Paired) check(name string) {
	if c.Both < 0 || c.First < 0 || c.Second < 0 || c.Neither < 0 {
		panic(fmt.Sprintf("stats: %s: %d, %d, %d and %d pairs: want counts ≥ 0", name, c.Both, c.First, c.Second, c.Neither))
	}
}

// Margins returns the counts of the first and of the second experiment alone.
func (c Paired) Margins() (first, second Proportion) {
	return Proportion{c.Both + c.First, c.Pairs()}, Proportion{c.Both + c.Second, c.Pairs()}
}

// Difference returns the fraction of the first less that of the second, NaN
// without pairs.
func (c Paired) Difference() float64 {
	return float64(c.First-c.Second) / float64(c.Pairs())
}

// Interval returns Newcombe's interval of the difference [New, method 10]: the
// Wilson intervals [l, u] of the two fractions p, combined as
//
//	hi = Δ + √((u₁ − p₁)² − 2φ̂(u₁ − p₁)(p₂ − l₂) + (p₂ − l₂)²),
//
// and lo with the other ends, where φ̂ is the correlation of the pairs (with a
// correction towards 0 when it is positive). It holds at small counts, where a
// Student interval of the differences does not; its coverage oscillates around the
// level as that of Wilson's does. Without pairs it is [−1, 1]. It panics unless
// 0 < level < 1.
func (c Paired) Interval(level float64) Interval {
	c.check("Interval")
	checkLevel("Interval", level)
	if c.Pairs() == 0 {
		return Interval{-1, 1}
	}
	first, second := c.Margins()
	a, b, phi := first.Wilson(level), second.Wilson(level), c.correlation()
	combine := func(x, y float64) float64 {
		return math.Sqrt(math.Max(0, x*x-2*phi*x*y+y*y))
	}
	p, q, difference := first.Estimate(), second.Estimate(), c.Difference()
	return Interval{
		Lo: math.Max(-1, difference-combine(p-a.Lo, b.Hi-q)),
		Hi: math.Min(1, difference+combine(a.Hi-p, q-b.Lo)),
	}
}

// correlation is Newcombe's φ̂.
func (c Paired) correlation() float64 {
	a, b, d, e := float64(c.Both), float64(c.First), float64(c.Second), float64(c.Neither)
	scale := math.Sqrt((a + b) * (d + e) * (a + d) * (b + e))
	if scale == 0 {
		return 0
	}
	cross := a*e - b*d
	if cross > 0 {
		cross = math.Max(0, cross-float64(c.Pairs())/2)
	}
	return cross / scale
}

// PValue returns the exact two-sided p-value of equal fractions (McNemar): given
// that a pair differs, each experiment is the one that succeeded with probability
// 1/2. NaN when no pair differs, which says nothing.
func (c Paired) PValue() float64 { return math.Exp(c.tails().logTwoSided()) }

// Z returns the normal equivalent of PValue, positive when the first succeeds more
// often.
func (c Paired) Z() float64 { return c.tails().z() }

// Rejects returns how strongly the pairs speak against equal fractions.
func (c Paired) Rejects(theory string) Rejection { return newRejection(theory, c.tails()) }

func (c Paired) tails() tails {
	c.check("PValue")
	if c.First+c.Second == 0 {
		return tails{math.NaN(), math.NaN()}
	}
	return binomialTails(c.First, c.First+c.Second, 0.5, 0.5)
}
