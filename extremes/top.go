package extremes

import (
	"fmt"
	"math"

	"lamcap/internal/quad"
	"lamcap/internal/root"
	"lamcap/internal/status"
)

// TopConeDimension returns the mean squared distance to the set of scores
// whose target is among the k best of n,
//
//	D_{n,k} = E min_m { (m − t_0)_+² + Σ'_ρ (t_ρ − m)_+² },
//
// Σ' without the k − 1 largest competitors, for an integer k and 1 ≤ k ≤ n ≤ 10^300,
// with a bound on the absolute error. D_{n,1} = D_n, D_{n,n} = 0. The set is a
// cone but not convex: D_{n,k} is not a number of constraints. A real n less than
// 64 above k is interpolated between integers, as in [ConeDimension].
//
// Given the value y of the (k−1)-th largest competitor, the n − k below it are
// independent. With S(t) = Σ' (t_ρ − t)_+ the distance is an integral over levels,
//
//	dist² = 2 ∫_{t_0}^∞ min(S(t), t − t_0) dt,
//
// whose mean follows from the law of t_0 + S(t); the mean over y is the last
// integral. For n → ∞ at k = rn the pool is a fixed threshold, D_{n,k} → E(z − t)_+²
// with Q(z) = r; for k ≪ n it is 2 log(n/k) to leading order.
func TopConeDimension(n, k float64) (Value, error) {
	none := Value{Value: math.NaN(), Error: math.Inf(1)}
	if err := checkSize(n, 2); err != nil {
		return none, err
	}
	if !(k >= 1 && k <= n && k == math.Floor(k)) {
		return none, fmt.Errorf("k = %v: want an integer, 1 ≤ k ≤ n = %v, the ranks that count as recalled", k, n)
	}
	if k == 1 {
		return ConeDimension(n)
	}
	return BetweenTopSizes(n, k, func(n float64) Value { return topDimension(n, k) }), nil
}

// BetweenTopSizes evaluates a function f of n for the k best at n, between
// integers less than 64 above k by interpolation, as [BetweenSizes].
func BetweenTopSizes(n, k float64, f func(float64) Value) Value {
	if n == math.Floor(n) || n-k >= integersBelow {
		return f(n)
	}
	return InterpolateSizes(n, math.Max(k, math.Floor(n)-1), f)
}

// topDimension is D_{n,k} for k ≥ 2.
func topDimension(n, k float64) Value {
	if n == k {
		return Value{Status: status.Converged}
	}
	return orderStatistic{k - 1, n - k + 1}.mean(func(y, tolerance float64) Value {
		return cappedDistance(y, n-k, tolerance)
	})
}

// orderStatistic is the law of the normal y whose upper tail Q(y) has a Beta
// law with parameters a and b: the a-th largest of a + b − 1.
type orderStatistic struct{ a, b float64 }

const (
	firstStep = 0.7  // of u, about the standard deviation; halved once or twice
	sharp     = 1e-8 // a spread at which the weights would lose their digits, too
)

// mean averages f(y) by the trapezoidal rule in u,
//
//	log(Q/(1−Q)) = log(a/b) + v,   v = w (u + (e^u − 1)/√b − (e^{−u} − 1)/√a),
//
// which makes both tails of v, exponential at a or b near 1, fall doubly
// exponentially. The weights are normalised by their own sum. f is asked for a
// relative tolerance, which is the larger the smaller the weight.
func (o orderStatistic) mean(f func(y, tolerance float64) Value) Value {
	a, b := o.a, o.b
	share := a / (a + b) // Q at the mode in v
	rest := b / (a + b)
	spread := math.Sqrt((a + b) / a / b)
	right, left := 1/math.Sqrt(b), 1/math.Sqrt(a)
	node := func(u float64) (y, weight float64) {
		v := spread / (1 + left + right) * (u + right*math.Expm1(u) - left*math.Expm1(-u))
		slope := 1 + right*math.Exp(u) + left*math.Exp(-u)
		// Q^a (1−Q)^b over its value at v = 0: the terms linear in v cancel.
		logWeight := -a*math.Log1p(rest*math.Expm1(-v)) - b*math.Log1p(share*math.Expm1(v))
		weight = slope * math.Exp(logWeight)
		if weight == 0 {
			return 0, 0
		}
		logit := math.Log(a/b) + v
		if logit < 0 {
			y, _ = SurvivalQuantile(logit - math.Log1p(math.Exp(logit)))
		} else {
			y, _ = CDFQuantile(-logit - math.Log1p(math.Exp(-logit)))
		}
		return y, weight
	}
	var total, value, bound, top float64
	st := status.Converged
	visit := func(u float64) (weight float64) {
		y, weight := node(u)
		if weight < 1e-19*total {
			return weight
		}
		top = math.Max(top, weight)
		v := f(y, math.Min(1e-12*top/weight, 1e-4))
		if !v.Status.OK() {
			st = v.Status
		}
		total += weight
		value += weight * v.Value
		bound += weight * v.Error
		return weight
	}
	sweep := func(start, step float64) {
		for _, sign := range []float64{1, -1} {
			for u := start; ; u += step {
				if u == 0 && sign < 0 {
					continue
				}
				if w := visit(sign * u); w < 1e-16*total {
					break
				}
			}
		}
	}
	if spread < sharp {
		// y is as good as certain: its mean square deviation is below rounding.
		y, _ := node(0)
		return f(y, 1e-12)
	}
	step := firstStep
	sweep(0, step)
	last := value / total
	for range 5 {
		sweep(step/2, step)
		step /= 2
		mean := value / total
		difference := math.Abs((mean - last) / mean)
		last = mean
		// The rule converges like e^{−A/step}: with the half step the error is the
		// square of what it was.
		if difference < 3e-7 && mean > 0 {
			return Value{mean, bound/total + mean*(10*difference*difference+0x1p-50), st}
		}
	}
	return Value{last, math.Inf(1), status.MaxIterations}
}

// cappedDistance returns E min_m (m − t_0)_+² + Σ (x_i − m)_+² for the given
// number of independent competitors below y, with a relative tolerance.
func cappedDistance(y, rest, tolerance float64) Value {
	l := &levels{y: y, rest: rest}
	// The level splits where the mean of t_0 + S(t) crosses t, at a width below y
	// (nowhere for y ≤ 0, where S alone is above).
	var top, split float64
	unit := 1 / (1 + math.Abs(y) + math.Sqrt(rest*Hazard(-y)))
	if y > 0 {
		surplus := func(logWidth float64) float64 {
			e := newCapped(y, math.Exp(logWidth), rest)
			return e.mean - e.t
		}
		lo := math.Log(y) - 1
		for surplus(lo) > 0 {
			lo -= 4
		}
		split = math.Exp(root.Find(surplus, lo, math.Log(y), root.Options{AbsX: 1e-3}).X)
		unit = split
	}
	closed := capSquare(y - split)
	out := Value{Value: closed, Error: 0x1p-51 * closed, Status: status.Converged}
	add := func(f func(float64) float64, from, to, sign float64) {
		// A short way below y needs no digits of its own.
		r := quad.Integrate(f, from, to, quad.Options{Rel: tolerance, Abs: 1e-3 * tolerance * closed})
		out.Value += sign * 2 * r.Value
		out.Error += 2 * (r.Error + l.worst*(to-from))
		if !r.Status.OK() {
			out.Status = r.Status
		}
		l.worst = 0
	}
	if split > 0 {
		// Where the competitors that reach the level are too few to count.
		for step := split / 8; top+step < split; top += step {
			if e := newCapped(y, top+step, rest); e.mean > closed*1e-16 {
				break
			}
		}
		add(l.high, top, split, 1)
	}
	far := split
	negligible := -42 + math.Log(closed)
	step := unit / 8
	for range 1000 {
		far += step
		step *= 1.2
		t := y - far
		// E w_+ bounds it, and so does Chernoff.
		if LogDensity(t)+math.Log(meanExcess(-t)) < negligible {
			break
		}
		e := newCapped(y, far, rest)
		if _, value, _ := e.saddle(true, negligible); value < negligible {
			break
		}
	}
	add(l.low, split, far, -1)
	return out
}

// levels gives the two forms of the integrand over levels t = y − width.
type levels struct {
	y, rest float64
	worst   float64 // largest error of the inner integral so far
}

// high is E min(S, w_+), w = t − t_0, where it is nearly E S: S + w_− − (S − w)_+.
func (l *levels) high(width float64) float64 {
	e := newCapped(l.y, width, l.rest)
	behind := math.Exp(LogDensity(e.t)) * meanExcess(e.t)
	negligible := -42 + math.Log(e.mean)
	c, value, curvature := e.saddle(false, negligible)
	if value < negligible {
		return e.mean + behind
	}
	line, err := e.line(c, curvature)
	l.worst = math.Max(l.worst, err)
	return e.mean + behind - line
}

// low is w_+ − min(S, w_+) = (w − S)_+, which is small where S mostly exceeds w.
func (l *levels) low(width float64) float64 {
	e := newCapped(l.y, width, l.rest)
	const negligible = -100
	c, value, curvature := e.saddle(true, negligible)
	if value < negligible {
		return 0
	}
	line, err := e.line(c, curvature)
	l.worst = math.Max(l.worst, err)
	return line
}

// capSquare returns E(y − t)_+² = (1 + y²) Φ(y) + y φ(y).
func capSquare(y float64) float64 {
	density := math.Exp(LogDensity(y))
	if y > -1 {
		return (1+y*y)*math.Exp(LogCDF(y)) + y*density
	}
	r := quad.Integrate(func(u float64) float64 { return u * u * math.Exp(y*u-u*u/2) }, 0, 40/(1-y), quad.Options{Rel: 1e-14})
	return density * r.Value
}
