package saddle

import (
	"fmt"
	"math"
	"sync"

	"lamcap/extremes"
	"lamcap/internal/logarithm"
	"lamcap/internal/status"
)

// Probability is the probability that everything can be stored, with its
// complement. Both are formed without subtraction, so that the smaller keeps its
// relative accuracy down to 1e-300.
type Probability struct {
	Value, Complement float64
	// Error bounds the relative error of the smaller of the two: 0 where they
	// are exactly 0 and 1, 1 where the smaller is below the least float64 and
	// given as 0, +Inf where rounding leaves nothing.
	Error float64
	// Status is Converged, or Roundoff where Error exceeds 1e-6.
	Status status.Status
}

// usefulError separates Converged from Roundoff.
const usefulError = 1e-6

// Transition computes the probability that facts can be stored, as a function of
// the number of weights N, of facts p and of candidates n,
//
//	P = 2 Σ_{j = N−1, N−3, … ≥ 0} c_j,   c = v(n)^{*p},
//
// with v(n) the intrinsic volumes of the winner-take-all cone, and its quantiles.
// It keeps the angles and laws it has computed: use one for a whole curve. It is
// safe for concurrent use.
type Transition struct {
	*laws
	dOut int // see [Transition.Decoupled]; 0: competitors are independent
}

// laws is what transitions with and without an output dimension share.
type laws struct {
	simplex extremes.Simplex

	mutex sync.Mutex
	known map[lawKey]*law
	kept  int // numbers in known
}

type lawKey struct {
	n     float64
	dOut  int // 0 if not conditioned
	least float64
}

// maxKept is about 16 MB of laws.
const maxKept = 1 << 20

// NewTransition returns a Transition that has computed nothing yet.
func NewTransition() *Transition { return &Transition{laws: new(laws)} }

const (
	usualLeast = 1e-60
	leastOfAll = 1e-300
)

// Probability returns the probability that p facts with n candidates each can be
// stored in a memory with the given number of weights, N = d_out d_in at full
// rank. It is exact for score vectors that form a uniformly random subspace;
// n = 2 is Cover's 2^{1−p} Σ_{k<N} C(p−1, k) ([cover]). p and n are
// integer-valued, 1 ≤ p ≤ 10^300, 2 ≤ n ≤ 10^300, 0 ≤ weights ≤ 10^300.
//
// The sum is a contour integral through its saddle point. The
// relative error is about 1e-13 down to probabilities of 1e-300, by its bound below
// 1e-9 for p up to 10^6, and grows like √p, because p D_n − N is known to p
// roundings only; where that is no longer small beside the width √(p V_n), Error
// says so.
//
// Weights that are not an integer, the N_eff of a rank below full, are
// interpolated between the neighbouring integers, linearly in Φ⁻¹(P). For those P
// is a prediction, not a theorem, and Error is that of the neighbours.
func (t *Transition) Probability(weights, p, n float64) (Probability, error) {
	if err := checkTransition(weights, p); err != nil {
		return noProbability(), err
	}
	return betweenWeights(weights, func(weights float64) (Probability, error) {
		return t.withHulls(weights, p, n)
	})
}

func noProbability() Probability {
	return Probability{Value: math.NaN(), Complement: math.NaN(), Error: math.Inf(1)}
}

func checkTransition(weights, p float64) error {
	if !(weights >= 0 && weights <= extremes.MaxSize) {
		return fmt.Errorf("weights = %v: want 0 ≤ weights ≤ 1e300", weights)
	}
	if !(p >= 1 && p <= extremes.MaxSize && p == math.Floor(p)) {
		return fmt.Errorf("p = %v: want an integer, 1 ≤ p ≤ 1e300", p)
	}
	return nil
}

// storable uses the usual law, and the longest if the tail asks for it, or the
// conditioning, whose last mass is made of all beyond.
func (t *laws) storable(key lawKey, weights, p float64) (Probability, error) {
	for _, least := range []float64{usualLeast, leastOfAll} {
		if key.least = least; key.dOut > 0 {
			key.least = leastOfAll
		}
		l, err := t.law(key)
		if err != nil {
			return noProbability(), err
		}
		r, truncation := l.storable(weights, p)
		if truncation < 1e-16 || least == leastOfAll {
			return r, nil
		}
	}
	panic("saddle: unreachable")
}

// law returns the law of |A| for n candidates, ending at v_k < least, and
// conditioned on an open hull in R^dOut if dOut > 0.
func (t *laws) law(key lawKey) (*law, error) {
	t.mutex.Lock()
	l := t.known[key]
	t.mutex.Unlock()
	if l != nil {
		return l, nil
	}
	v, err := t.simplex.IntrinsicVolumesDown(key.n, key.least)
	if err != nil {
		return nil, err
	}
	if key.dOut > 0 {
		l = conditionedLaw(v, key.n, key.dOut)
	} else {
		l = newLaw(v.Mass, v.Error, key.n-1)
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if size := 2 * len(l.mass); t.known == nil || t.kept+size > maxKept {
		t.known, t.kept = map[lawKey]*law{}, 0
	}
	t.known[key] = l
	t.kept += 2 * len(l.mass)
	return l, nil
}

// betweenWeights evaluates f at integer weights and interpolates linearly in
// Φ⁻¹(P) between them, or in P where one of the two is certain.
func betweenWeights(weights float64, f func(weights float64) (Probability, error)) (Probability, error) {
	below := math.Floor(weights)
	a, err := f(below)
	if err != nil || below == weights {
		return a, err
	}
	b, err := f(below + 1)
	if err != nil {
		return noProbability(), err
	}
	share := weights - below
	za, zb := a.probit(), b.probit()
	out := Probability{Error: math.Max(a.Error, b.Error), Status: a.Status}
	if b.Status != status.Converged {
		out.Status = b.Status
	}
	if math.IsInf(za, 0) || math.IsInf(zb, 0) {
		out.Value = (1-share)*a.Value + share*b.Value
		out.Complement = (1-share)*a.Complement + share*b.Complement
		return out, nil
	}
	z := (1-share)*za + share*zb
	out.Value, out.Complement = math.Exp(extremes.LogCDF(z)), math.Exp(extremes.LogSurvival(z))
	return out, nil
}

// probit returns Φ⁻¹(P), ∓Inf where P is 0 or 1.
func (r Probability) probit() float64 {
	if r.Value <= r.Complement {
		return normalQuantile(r.Value)
	}
	return -normalQuantile(r.Complement)
}

// normalQuantile returns Φ⁻¹(p) for 0 ≤ p ≤ 1.
func normalQuantile(p float64) float64 {
	x, err := extremes.CDFQuantile(logarithm.Natural(p))
	if err != nil {
		return math.NaN()
	}
	return x
}

// Normal returns the normal form of the transition, for independent competitors
// (an output dimension is not in it),
//
//	P ≈ Φ(z),   z = (N − p D_n)/√(p V_n),
//
// for real weights and p ≥ 1 facts with an integer-valued n of candidates. Since
// every second c_j is summed, half of a lattice step is already in it, and what
// it leaves out first is the skewness (Edgeworth),
//
//	P − Φ(z) = −φ(z) κ_3/(6 √p V^{3/2}) (z² − 1) + O(1/p).
//
// Error is an estimate of the relative error of the smaller: the size of that
// term with twice its coefficient for all that follows, so not a bound far in the
// tails, where the normal form fails.
func (t *Transition) Normal(weights, p, n float64) (Probability, error) {
	if err := checkTransition(weights, 1); err != nil {
		return noProbability(), err
	}
	if !(p >= 1 && p <= extremes.MaxSize) {
		return noProbability(), fmt.Errorf("p = %v: want 1 ≤ p ≤ 1e300", p)
	}
	l, err := t.law(lawKey{n: n, least: usualLeast})
	if err != nil {
		return noProbability(), err
	}
	offset, offsetError := l.offset(weights, p)
	offsetError += 0x1p-52 * (math.Abs(offset) + p*l.mean)
	deviation := math.Sqrt(p * l.variance)
	z := -offset / deviation
	out := Probability{
		Value:      math.Exp(extremes.LogCDF(z)),
		Complement: math.Exp(extremes.LogSurvival(z)),
		Status:     status.Converged,
	}
	skewness := math.Abs(l.third) / (6 * deviation * l.variance)
	// d log Φ/dz of the smaller, for the rounding of z.
	relative := math.Expm1(extremes.Hazard(math.Abs(z)) * offsetError / deviation)
	density := math.Exp(extremes.LogDensity(z))
	out.Error = relative + density*(2*skewness*math.Abs(z*z-1)+(1+z*z*z*z)/(p*l.variance))/math.Min(out.Value, out.Complement)
	if math.IsNaN(out.Error) {
		out.Error = math.Inf(1)
	}
	if !(relative <= usefulError) {
		out.Status = status.Roundoff
	}
	return out, nil
}
