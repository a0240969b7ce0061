package stats

import (
	"fmt"
	"math"
)

// Proportion is a count of independent successes, for example instances stored
// out of instances decided. Undecided instances belong to neither number.
type Proportion struct{ Successes, Trials int }

func (c Proportion) check(name string) {
	if c.Trials < 0 || c.Successes < 0 || c.Successes > c.Trials {
		panic(fmt.Sprintf("stats: %s: %d of %d: want 0 ≤ successes ≤ trials", name, c.Successes, c.Trials))
	}
}

// Estimate returns Successes/Trials, NaN without trials.
func (c Proportion) Estimate() float64 { return float64(c.Successes) / float64(c.Trials) }

// Wilson returns the score interval [Wil]: all p0 with
//
//	(p̂ − p0)² ≤ z² p0 (1 − p0)/n,    P(|standard normal| ≤ z) = level.
//
// Its coverage oscillates around the level (within a few per cent at n = 10; [BCD]
// recommend it for display). For a guarantee use ClopperPearson. Without
// trials it is [0, 1]. It panics unless 0 < level < 1.
func (c Proportion) Wilson(level float64) Interval {
	c.check("Wilson")
	checkLevel("Wilson", level)
	if c.Trials == 0 {
		return Interval{0, 1}
	}
	z := levelQuantile(level)
	n, s, f := float64(c.Trials), float64(c.Successes), float64(c.Trials-c.Successes)
	half := z * math.Sqrt(s*f/n+0.25*z*z)
	// The two roots multiply to (s/n)²·n/(n+z²): dividing avoids the cancellation
	// in the smaller of them, and in 1 − the larger.
	lo, hi := 0.0, 1.0
	if s > 0 {
		lo = s * s / n / (s + 0.5*z*z + half)
	}
	if f > 0 {
		hi = 1 - f*f/n/(f+0.5*z*z+half)
	}
	// Exact arithmetic holds s/n between them; round-off must not say otherwise.
	return Interval{Lo: math.Max(0, math.Min(lo, s/n)), Hi: math.Min(1, math.Max(hi, s/n))}
}

// ClopperPearson returns the exact interval [CP]: all p0 that PValue does not
// reject at 1 − level. Its coverage is at least the level for every p0 and n.
// Without trials it is [0, 1]. It panics unless 0 < level < 1.
func (c Proportion) ClopperPearson(level float64) Interval {
	c.check("ClopperPearson")
	checkLevel("ClopperPearson", level)
	logTail := math.Log(0.5 * (1 - level))
	s, n := c.Successes, c.Trials
	bounds := Interval{0, 1}
	if s > 0 {
		bounds.Lo = binomialBound(s, n, logTail)
	}
	if s < n {
		// P(X ≤ s | p) is P(n − X ≥ n − s | 1 − p).
		bounds.Hi = 1 - binomialBound(n-s, n, logTail)
	}
	return bounds
}

// binomialBound solves log P(X ≥ s | p) = logTail for p, by bisection of the
// log-odds, where small bounds keep their relative accuracy.
func binomialBound(s, n int, logTail float64) float64 {
	lo, hi := -800.0, 800.0
	for range 80 {
		mid := 0.5 * (lo + hi)
		p, q := fromLogOdds(mid)
		if logBinomialUpper(s, n, p, q) < logTail {
			lo = mid
		} else {
			hi = mid
		}
	}
	p, _ := fromLogOdds(lo)
	return p
}

// fromLogOdds returns p and 1 − p, both to full relative accuracy.
func fromLogOdds(x float64) (p, q float64) {
	return 1 / (1 + math.Exp(-x)), 1 / (1 + math.Exp(x))
}

// tails returns both exact tails under p0; NaN without trials or without p0.
func (c Proportion) tails(name string, p0 float64) tails {
	c.check(name)
	p0 = checkProbability(name, p0)
	if c.Trials == 0 || math.IsNaN(p0) {
		return tails{math.NaN(), math.NaN()}
	}
	return binomialTails(c.Successes, c.Trials, p0, 1-p0)
}

// PValue returns the exact two-sided p-value of the hypothesis that each trial
// succeeds with probability p0: the doubled smaller tail, capped at 1,
//
//	p = min(1, 2 min(P(X ≤ s), P(X ≥ s))),    X ~ Binomial(Trials, p0).
//
// It is valid, P(p ≤ u) ≤ u for all u, and p > 1 − level exactly when p0 is inside
// ClopperPearson(level). (The method of small p-values is a little more powerful
// but its acceptance set need not be an interval.) Without trials, or with
// p0 NaN, there is no test and the result is NaN. It panics for p0 outside [0, 1].
func (c Proportion) PValue(p0 float64) float64 {
	return math.Exp(c.tails("PValue", p0).logTwoSided())
}

// PValueGreater returns P(X ≥ Successes | p0), small when the truth is above p0.
func (c Proportion) PValueGreater(p0 float64) float64 {
	return math.Exp(c.tails("PValueGreater", p0).upper)
}

// PValueLess returns P(X ≤ Successes | p0), small when the truth is below p0.
func (c Proportion) PValueLess(p0 float64) float64 {
	return math.Exp(c.tails("PValueLess", p0).lower)
}

// Z returns the normal equivalent of PValue, signed: p = 2 Q(|z|), z > 0 when
// more succeeded than predicted. It is 0 where the p-value is capped at 1, in
// particular for p0 = 0 or 1 with agreeing data, and ±Inf when the prediction
// calls the observation impossible. Tails far below the smallest float64 still
// have a finite z.
func (c Proportion) Z(p0 float64) float64 { return c.tails("Z", p0).z() }

// Rejects returns how strongly the count speaks against a named theory that
// predicts the success probability p0.
func (c Proportion) Rejects(theory string, p0 float64) Rejection {
	return newRejection(theory, c.tails("Rejects", p0))
}
