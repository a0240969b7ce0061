package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// Quantile is where the probability of storing everything crosses a given value.
type Quantile struct {
	// Value is the real number of facts (or weights) at which P crosses: between
	// integers Φ⁻¹(P) is taken as linear, and P itself next to a certain end.
	Value float64
	// Whole is the largest number of facts (the smallest of weights) with P ≥
	// the probability asked for. Beyond 2^53 it is a float64 next to Value.
	Whole float64
	// Error bounds the error of Value, in facts (or weights). Whole is certain if
	// no integer is within Error of Value.
	Error float64
	// Status is Converged; Roundoff where float64 numbers of facts are so coarse,
	// or p D_n − N so uncertain, that Error exceeds the width of the transition.
	Status status.Status
}

// Facts returns the number of facts p that a memory of that many weights (N =
// d_out d_in at full rank; N_eff below, a prediction) stores with the given
// probability, each against all the others, n = p: with probability 1/2 about p_c
// of [CriticalFacts]. A single fact has no competitor and is stored for certain, so
// that Whole ≥ 1. 1 ≤ weights ≤ 10^300, 0 < probability < 1.
//
// The transition closes as the memory grows: from p_0.9 to p_0.1 it is
//
//	p_0.1 − p_0.9 ≈ 2·1.2816 √(p V_p)/(d(p D_p)/dp)
//
// wide, 2.563 √(V/p)/(D + 2) of p_c, which with V ≈ 2D and p D = N is
// 3.6/√N to leading order: ∝ 1/d, without a logarithm.
func (t *Transition) Facts(weights, probability float64) (Quantile, error) {
	if !(weights >= 1 && weights <= extremes.MaxSize) {
		return noQuantile(), fmt.Errorf("weights = %v: want 1 ≤ weights ≤ 1e300", weights)
	}
	if err := checkQuantile(probability); err != nil {
		return noQuantile(), err
	}
	guess, err := t.factsGuess(weights, normalQuantile(probability))
	if err != nil {
		return noQuantile(), err
	}
	s := quantileSearch{
		target: normalQuantile(probability),
		level:  probability,
		least:  1,
		most:   extremes.MaxSize,
		sign:   -1,
		at: func(p float64) (Probability, error) {
			if p < 2 {
				return Probability{Value: 1, Complement: 0, Status: status.Converged}, nil
			}
			if p == extremes.MaxSize { // D_p = 1361 weights a fact: 10^303
				return Probability{Value: 0, Complement: 1, Error: 1, Status: status.Converged}, nil
			}
			return t.Probability(weights, p, p)
		},
		meanError: func(p float64) float64 { return t.relativeMeanError(math.Max(2, math.Round(p))) },
	}
	return s.run(guess)
}

// FactsAmong is [Transition.Facts] with a fixed, integer-valued number n of
// candidates, 2 ≤ n ≤ 10^300; Whole is 0 if a single fact is too many.
func (t *Transition) FactsAmong(weights, n, probability float64) (Quantile, error) {
	if !(weights >= 1 && weights <= extremes.MaxSize) {
		return noQuantile(), fmt.Errorf("weights = %v: want 1 ≤ weights ≤ 1e300", weights)
	}
	if err := checkQuantile(probability); err != nil {
		return noQuantile(), err
	}
	l, err := t.law(lawKey{n: n, least: usualLeast})
	if err != nil {
		return noQuantile(), err
	}
	z := normalQuantile(probability)
	// Solve p D + z √(pV) = N for √p.
	half := z * math.Sqrt(l.variance) / 2
	root := (-half + math.Sqrt(half*half+l.mean*weights)) / l.mean
	s := quantileSearch{
		target: z,
		level:  probability,
		least:  0,
		most:   extremes.MaxSize,
		sign:   -1,
		at: func(p float64) (Probability, error) {
			if p < 1 {
				return Probability{Value: 1, Complement: 0, Status: status.Converged}, nil
			}
			return t.Probability(weights, p, n)
		},
		meanError: func(float64) float64 { return l.meanError / l.mean },
	}
	return s.run(root * root)
}

// Weights returns the number of weights that store p facts with n candidates each
// with the given probability. p and n are integer-valued, 1 ≤ p ≤ 10^300,
// 2 ≤ n ≤ 10^300, 0 < probability < 1; p·D_n ≤ 10^300.
func (t *Transition) Weights(p, n, probability float64) (Quantile, error) {
	if err := checkTransition(0, p); err != nil {
		return noQuantile(), err
	}
	if err := checkQuantile(probability); err != nil {
		return noQuantile(), err
	}
	l, err := t.law(lawKey{n: n, least: usualLeast})
	if err != nil {
		return noQuantile(), err
	}
	z := normalQuantile(probability)
	guess := p*l.mean + z*math.Sqrt(p*l.variance)
	if guess > extremes.MaxSize/2 {
		return noQuantile(), fmt.Errorf("p = %v, n = %v: want p·D_n ≤ 5e299 weights, not %v", p, n, p*l.mean)
	}
	most := math.Min(extremes.MaxSize, math.Max(1, p*l.top))
	if key := t.hullKey(n); key.dOut > 0 {
		best, err := t.Probability(most, p, n)
		if err == nil && best.Value < probability {
			return noQuantile(), fmt.Errorf("probability = %v: in d_out = %d dimensions all p = %v targets lie outside the hulls of their competitors with probability %.3g only, whatever the weights: want a larger d_out or fewer facts", probability, t.dOut, p, best.Value)
		}
	}
	s := quantileSearch{
		target: z,
		level:  probability,
		least:  0,
		most:   most,
		sign:   1,
		at:     func(weights float64) (Probability, error) { return t.Probability(weights, p, n) },

		meanError: func(float64) float64 { return l.meanError / l.mean },
	}
	return s.run(guess)
}

func noQuantile() Quantile {
	return Quantile{Value: math.NaN(), Whole: math.NaN(), Error: math.Inf(1)}
}

func checkQuantile(probability float64) error {
	if !(probability > 0 && probability < 1) {
		return fmt.Errorf("probability = %v: want 0 < probability < 1", probability)
	}
	return nil
}

// factsGuess solves p D_p + z √(p V_p) = weights for p = n, by Newton's method for
// log p with dD/dlog p ≈ 2 (less for small p, where the steps are damped by it).
func (t *Transition) factsGuess(weights, z float64) (float64, error) {
	p := math.Max(2, math.Round(weights/math.Max(1, 2*math.Log(weights))))
	for range 30 {
		l, err := t.law(lawKey{n: p, least: usualLeast})
		if err != nil {
			return 0, err
		}
		deviation := math.Sqrt(p * l.variance)
		need := p*l.mean + z*deviation - weights
		next := p * math.Exp(-math.Max(-2, math.Min(2, need/(p*(l.mean+2)))))
		next = math.Min(math.Max(2, math.Round(next)), extremes.MaxSize)
		if math.Abs(next-p) <= 1 || math.Abs(need) < 0.02*deviation {
			return next, nil
		}
		p = next
	}
	return p, nil
}

// quantileSearch finds where Φ⁻¹(P) crosses target over the integers from least to
// most. sign is that of dP/dx.
type quantileSearch struct {
	target, level float64
	least, most   float64
	sign          float64
	at            func(x float64) (Probability, error)
	meanError     func(x float64) float64 // relative error of D
}

// relativeMeanError is that of D_n, +Inf if there is no law.
func (t *Transition) relativeMeanError(n float64) float64 {
	l, err := t.law(lawKey{n: n, least: usualLeast})
	if err != nil {
		return math.Inf(1)
	}
	return l.meanError / l.mean
}

// point is a number of facts or weights with its probability.
type point struct {
	x, z float64 // z = Φ⁻¹(P)
	p    Probability
}

func (s quantileSearch) point(x float64) (point, error) {
	p, err := s.at(x)
	return point{x, p.probit(), p}, err
}

// height is positive above the crossing, where x is too large.
func (s quantileSearch) height(a point) float64 { return s.sign * (a.z - s.target) }

// satisfied reports whether P ≥ level within the error of P: 2^{1−p} and the like
// are met exactly.
func (s quantileSearch) satisfied(a point) bool {
	if a.p.Value <= a.p.Complement {
		return a.p.Value*(1+math.Min(a.p.Error, 1e-9)) >= s.level
	}
	return a.p.Complement*(1-math.Min(a.p.Error, 1e-9)) <= (1-s.level)*(1+0x1p-52)
}

// run brackets the crossing between integers, starting near guess, and closes the
// bracket to neighbours: by false position in Φ⁻¹(P), which is almost straight,
// with a bisection now and then.
func (s quantileSearch) run(guess float64) (Quantile, error) {
	lo, err := s.point(s.least)
	if err != nil {
		return noQuantile(), err
	}
	hi, err := s.point(s.most)
	if err != nil {
		return noQuantile(), err
	}
	if s.satisfied(lo) == (s.sign > 0) || s.satisfied(hi) == (s.sign < 0) {
		return noQuantile(), fmt.Errorf("probability = %v: it is not crossed between %v and %v", s.level, s.least, s.most)
	}
	next := s.within(math.Round(guess), lo.x, hi.x)
	step := 0.0
	for iteration := 1; neighbourAbove(lo.x) < hi.x; iteration++ {
		// Where all P are 0 or 1 at the resolution of p D_n there is nothing more to
		// be found.
		if !finite(lo) && !finite(hi) && hi.x-lo.x < 1e-14*hi.x {
			break
		}
		if iteration > 400 {
			return noQuantile(), fmt.Errorf("probability = %v: the crossing was not found between %v and %v", s.level, lo.x, hi.x)
		}
		a, err := s.point(next)
		if err != nil {
			return noQuantile(), err
		}
		if math.IsNaN(a.z) {
			return noQuantile(), fmt.Errorf("probability = %v: P is not a number at %v", s.level, a.x)
		}
		if s.satisfied(a) == (s.sign < 0) {
			lo = a
		} else {
			hi = a
		}
		next = s.propose(lo, hi, a, iteration, &step)
	}
	return s.between(lo, hi), nil
}

func finite(a point) bool { return !math.IsInf(a.z, 0) }

// propose returns the next integer to look at, strictly inside the bracket.
func (s quantileSearch) propose(lo, hi, newest point, iteration int, step *float64) float64 {
	away := newest.x // walking away from the newest, towards the end not near yet
	switch {
	case finite(lo) && finite(hi) && iteration%6 != 0:
		x := lo.x + (hi.x-lo.x)*(s.height(lo)/(s.height(lo)-s.height(hi)))
		// Aim just beyond the crossing as seen from the newest point, so that both
		// ends come close.
		if newest.x == lo.x {
			return s.within(math.Ceil(x), lo.x, hi.x)
		}
		return s.within(math.Floor(x), lo.x, hi.x)
	case newest.x == lo.x && hi.x == s.most:
		s.widen(newest, step)
		away = newest.x + *step
	case newest.x == hi.x && lo.x == s.least:
		s.widen(newest, step)
		away = newest.x - *step
	default:
		// Halve the bracket, in orders of magnitude if it is wide.
		away = lo.x + (hi.x-lo.x)/2
		if lo.x > 0 && hi.x > 4*lo.x {
			away = math.Sqrt(lo.x) * math.Sqrt(hi.x)
		}
	}
	return s.within(math.Round(away), lo.x, hi.x)
}

// widen sets the step of a walk: from what the width of the transition, about √x,
// says, or the resolution of float64, and then four times as long each time.
func (s quantileSearch) widen(a point, step *float64) {
	if *step > 0 {
		*step *= 4
		return
	}
	width := math.Sqrt(a.x)
	if finite(a) {
		width *= 0.05 + math.Abs(s.height(a))
	}
	*step = math.Max(math.Ceil(width), 0x1p-48*a.x)
}

// within moves an integer strictly inside (lo, hi).
func (s quantileSearch) within(x, lo, hi float64) float64 {
	return math.Min(math.Max(x, neighbourAbove(lo)), neighbourBelow(hi))
}

// neighbourAbove is the next integer that is a float64.
func neighbourAbove(x float64) float64 {
	return math.Max(x+1, math.Nextafter(x, math.Inf(1)))
}

func neighbourBelow(x float64) float64 {
	return math.Min(x-1, math.Nextafter(x, math.Inf(-1)))
}

// between interpolates between neighbours and says how far to trust it.
func (s quantileSearch) between(lo, hi point) Quantile {
	q := Quantile{Whole: lo.x, Status: status.Converged}
	if s.sign > 0 {
		q.Whole = hi.x
	}
	gap := hi.x - lo.x
	var share, slope, uncertain float64 // of z, over the gap
	if finite(lo) && finite(hi) {
		share = s.height(lo) / (s.height(lo) - s.height(hi))
		slope = math.Abs(hi.z - lo.z)
		for _, a := range []point{lo, hi} {
			// dz = dlog P · P/φ(z).
			smaller := math.Min(a.p.Value, a.p.Complement)
			uncertain = math.Max(uncertain, a.p.Error*smaller/math.Exp(extremes.LogDensity(a.z)))
		}
	} else {
		// Next to a certain end P itself.
		share = (lo.p.Value - s.level) / (lo.p.Value - hi.p.Value)
		slope = math.Abs(lo.p.Value - hi.p.Value)
		for _, a := range []point{lo, hi} {
			uncertain = math.Max(uncertain, a.p.Error*math.Min(a.p.Value, a.p.Complement))
		}
	}
	q.Value = lo.x + gap*math.Min(math.Max(share, 0), 1)
	q.Error = gap*math.Min(uncertain/slope, math.MaxFloat64) + 0x1p-52*q.Value
	if gap > 1 {
		q.Error += gap // neighbours are not integers any more
		if !finite(lo) || !finite(hi) || slope > 1 {
			q.Status = status.Roundoff
		}
	}
	if !(uncertain < 0.1) {
		// P is not resolved: the crossing is where p D_n and N agree to within their
		// rounding, what the law's mean is off, and the width of the transition,
		// below 80 √x.
		q.Status = status.Roundoff
		bound := gap + q.Value*(s.meanError(q.Value)+8*0x1p-52) + 80*math.Sqrt(q.Value)
		if !(q.Error <= bound) {
			q.Error = bound
		}
	}
	return q
}
