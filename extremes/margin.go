package extremes

import (
	"fmt"
	"math"

	"lamcap/internal/status"
)

// MaxMargin is the largest margin that is supported: D_n(K) is about K².
const MaxMargin = 1e150

// MarginCone is the winner-take-all cone with a margin,
//
//	C_n^K = {s ∈ R^n : s_0 ≥ s_ρ + K, ρ = 1 … n−1},
//
// for 2 ≤ n ≤ 10^300 and 0 ≤ K ≤ 10^150, in units of the standard deviation of a
// score. The projection of a standard normal vector t onto it, the law of the
// scores of the solution of largest margin, has the correct score m* + K and
// competitors min(t_ρ, m*), with the level m* from
//
//	m* + K − t_0 = Σ_ρ (t_ρ − m*)_+,
//
// so that, as for K = 0,
//
//	P(m* ≤ x) = P(t_0 + Σ_{i≤n−1} (t_i − x)_+ ≤ x + K).
//
// This is the score level, d → ∞: the n scores of an input are independent. At
// finite d the lengths have corrections that it lacks: W e contains the correct
// score along its value vector, which gives competitors the variance 1 + (s_0² −
// 1)/d, and embedding norms fluctuate. At d = 24 the largest margins of Gaussian
// instances are about 20% below K* (10 to 13% with embeddings of norm √d), and the
// correct score spreads 1.5 to 1.9 times as much. At K = 0 lengths do not matter.
type MarginCone struct {
	N      float64 // n, candidates per input; between integers below 64 interpolated, see [ConeDimension]
	Margin float64 // K
}

// MarginMoments are expectations under the projection onto a [MarginCone].
type MarginMoments struct {
	// Dimension is D_n(K) = E dist²(g, C_n^K) = E|A_K| + K·(E m* + K); its
	// derivative in K is 2(E m* + K).
	Dimension Value
	// Active is E|A_K|, the mean number of competitors held at distance K,
	// (n−1) ∫ φ(t) P(t_0 + Σ_{i≤n−2} (t_i − t)_+ ≤ t + K) dt.
	Active Value
	// LevelMean and LevelVariance are those of m*, where the highest competitors
	// end; the correct score is m* + K.
	LevelMean, LevelVariance Value
}

func (c MarginCone) check() error {
	if err := checkSize(c.N, 2); err != nil {
		return err
	}
	if !(c.Margin >= 0 && c.Margin <= MaxMargin) {
		return fmt.Errorf("margin = %v: want 0 ≤ margin ≤ 1e150", c.Margin)
	}
	return nil
}

// allActive reports that every competitor is above m* = (Σ t − K)/n, but for a
// probability of less than n·1e-32.
func (c MarginCone) allActive() bool { return c.Margin >= 12*c.N }

// deterministic reports that m* has no spread that a float64 could show: with
// about K competitors or more in A the corrections are of relative order 1/K.
func (c MarginCone) deterministic() bool { return c.Margin > 1e15 }

// Moments returns the expectations with bounds on their absolute errors.
func (c MarginCone) Moments() (MarginMoments, error) {
	if err := c.check(); err != nil {
		none := Value{Value: math.NaN(), Error: math.Inf(1)}
		return MarginMoments{none, none, none, none}, err
	}
	known := map[float64]MarginMoments{}
	at := func(part func(MarginMoments) Value) Value {
		return BetweenSizes(c.N, func(n float64) Value {
			m, ok := known[n]
			if !ok {
				m = MarginCone{n, c.Margin}.moments()
				known[n] = m
			}
			return part(m)
		})
	}
	return MarginMoments{
		Dimension:     at(func(m MarginMoments) Value { return m.Dimension }),
		Active:        at(func(m MarginMoments) Value { return m.Active }),
		LevelMean:     at(func(m MarginMoments) Value { return m.LevelMean }),
		LevelVariance: at(func(m MarginMoments) Value { return m.LevelVariance }),
	}, nil
}

func (c MarginCone) moments() MarginMoments {
	var m MarginMoments
	switch {
	case c.allActive():
		m = c.allActiveMoments()
	case c.deterministic():
		m = c.deterministicMoments()
	default:
		m.Active = activeMoment(c.N, c.Margin, 0)
		m.LevelMean, m.LevelVariance = c.level()
	}
	k := c.Margin
	rise := m.LevelMean.Value + k
	m.Dimension = Value{
		Value:  m.Active.Value + k*rise,
		Error:  m.Active.Error + k*(m.LevelMean.Error+0x1p-52*rise) + 0x1p-52*m.Active.Value,
		Status: worse(m.Active.Status, m.LevelMean.Status),
	}
	return m
}

func worse(a, b status.Status) status.Status {
	if !a.OK() {
		return a
	}
	return b
}

// exactly is a value of a closed form.
func exactly(x, relativeError float64) Value {
	return Value{x, math.Abs(x) * relativeError, status.Converged}
}

func (c MarginCone) allActiveMoments() MarginMoments {
	const rounding = 4 * 0x1p-52
	return MarginMoments{
		Active:        exactly(c.N-1, rounding),
		LevelMean:     exactly(-c.Margin/c.N, rounding),
		LevelVariance: exactly(1/c.N, rounding),
	}
}

// deterministicMoments takes expectations at the m at which the mean of the sum
// is m + K.
func (c MarginCone) deterministicMoments() MarginMoments {
	lo, hi := -13.0, 40.0
	var e excess
	for hi-lo > 0x1p-50 {
		middle := (lo + hi) / 2
		if middle == lo || middle == hi {
			break
		}
		if e = newExcess(middle, c.Margin, c.N-1, 0); e.mean() > 0 {
			lo = middle
		} else {
			hi = middle
		}
	}
	e = newExcess(lo, c.Margin, c.N-1, 0)
	// log n and t² are rounded in φ(t): relative 1e-13, half of it in m/t.
	const share = 2e-13
	active := e.kDensity * e.ratio
	_, _, variance := e.realExponent(0)
	return MarginMoments{
		Active:        exactly(active, share*(1+math.Abs(lo))),
		LevelMean:     Value{lo, share, status.Converged},
		LevelVariance: exactly(variance/((1+active)*(1+active)), 10*share),
	}
}

// level returns mean and variance of m* from its density.
func (c MarginCone) level() (mean, variance Value) {
	k := c.N - 1
	b := crossing(c.Margin, k, 0)
	b.right = 0
	v, errors, st := b.integrate(func(t, distance float64) sample {
		e := newExcess(t, c.Margin, k, 0)
		density, err, noise := e.derivative()
		first := distance * density
		return sample{[bellPowers]float64{density, first, distance * first}, relative(err, density), noise}
	})
	// The mass is 1: what it is off shows the rounding of exponents and of t.
	mass := v[0]
	shift := v[1] / mass
	second := v[2]/mass - shift*shift
	spread := math.Sqrt(second)
	off := math.Abs(mass-1) + 0x1p-52*(16+2*math.Log(c.N)+math.Abs(b.center)/b.scale)
	mean = Value{
		Value:  b.center + shift,
		Error:  errors[1] + (errors[0]+off)*(spread+math.Abs(shift)) + 0x1p-52*math.Abs(b.center),
		Status: st,
	}
	variance = Value{
		Value:  second,
		Error:  errors[2] + 2*math.Abs(shift)*errors[1] + (errors[0]+4*off)*(second+shift*shift),
		Status: st,
	}
	return mean, variance
}
