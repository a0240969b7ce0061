package saddle

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// HebbItemRecallDecoupled returns the probability that Hebb's rule recalls one
// item in the decoupled problem (DP), keys and values of norm √d, by the law at
// the level of vectors with Gaussian interference. W e_μ = d u_μ + b, where b is
// the interference of the p − 1 other facts, of variance (p − 1)d per
// component; with z normal and χ² of d − 1 degrees of freedom the angle
// between W e_μ and u_μ has
//
//	a = d√d + √((p−1)d) z,   x = (p−1) d χ²_{d−1},   cos φ = a/√(a² + x),
//
// and the competitors, independent of W, have uniform directions:
//
//	P = E F_d(cos φ)^{n−1},   F_d(c) = P(cos(angle to a uniform direction) ≤ c).
//
// The length |W e_μ| is integrated in closed form, with h = d/√(p−1):
//
//	P = C ∫_0^π sin^{d−2}φ F_d(cos φ)^{n−1} e^{−h² sin²φ/2} K_{d−1}(h cos φ) dφ,
//	K_k(m) = ∫_0^∞ y^k e^{−(y−m)²/2} dy,   C = 2π^{(d−1)/2}/(Γ((d−1)/2)(2π)^{d/2}).
//
// b is not quite Gaussian: see [HebbItemRecallDecoupledCorrected], which agrees
// with simulation where this law is 0.0010 (d = 24, p = 50), 0.0053 (d = 24,
// p = 100) or 0.0078 (d = 12, p = 20) too low. Relative error about 1e-13.
//
// 2 ≤ d ≤ 10^5, 1 ≤ p ≤ 10^300 (real), 2 ≤ n ≤ 10^300.
func HebbItemRecallDecoupled(d int, p, n float64) (extremes.Value, error) {
	if err := checkVector(d, p, n, 1); err != nil {
		return noValue(), err
	}
	return decoupledAtNoise(d, p-1, n), nil
}

// HebbItemRecallDecoupledCorrected is [HebbItemRecallDecoupled] with the
// fluctuation of the interference, exact to order 1/p. The variance per component
// is Σ_{ν≠μ} ε_ν² with ε_ν = e_ν·e_μ, which is (p − 1)d only on average; b is
// isotropic in any case, so one number is left to match, the variance of |b|²:
//
//	P = E_τ P(p−1 → τ(p−1)),   τ ~ Gamma, E τ = 1,
//	Var τ = 2(d² − 2d − 2)/((d + 2)²(p − 1)).
//
// Against simulated full instances (± one standard error; n = p) it is right to
// 0.0003, or 0.0004 at d = 12, p = 9:
//
//	             this law   simulated            Gaussian b
//	d=12 p=20    0.7271     0.7269 ± 0.0001      0.7193
//	d=12 p=40    0.3635     0.3637 ± 0.0002      0.3559
//	d=24 p=50    0.8103     0.8103 ± 0.0001      0.8092
//	d=24 p=100   0.4163     0.4164 ± 0.0001      0.4111
//	d=64 p=300   0.7432     0.7435 ± 0.0002      0.7426
//	d=100 p=1200 0.3264     0.3263 ± 0.0002      0.3256
//
// 2 ≤ d ≤ 10^4, 2 ≤ p ≤ 10^300 (real), 2 ≤ n ≤ 10^300. It takes 13 integrals: 0.2 s
// at d = 2,000, seconds at 10^4, where the correction is below 1e-6.
func HebbItemRecallDecoupledCorrected(d int, p, n float64) (extremes.Value, error) {
	if err := checkVector(d, p, n, 2); err != nil {
		return noValue(), err
	}
	if d > 10_000 {
		return noValue(), fmt.Errorf("d = %d: want 2 ≤ d ≤ 10000; beyond, use the law without the correction", d)
	}
	coarse, fine := noiseRule(d, p-1, 5), noiseRule(d, p-1, 8)
	value, bound, st := 0.0, 0.0, status.Converged
	for i, tau := range fine.nodes {
		v := decoupledAtNoise(d, tau*(p-1), n)
		value += fine.weights[i] * v.Value
		bound += fine.weights[i] * v.Error
		if !v.Status.OK() {
			st = v.Status
		}
	}
	check := 0.0
	for i, tau := range coarse.nodes {
		check += coarse.weights[i] * decoupledAtNoise(d, tau*(p-1), n).Value
	}
	return extremes.Value{Value: value, Error: bound + math.Abs(value-check), Status: st}, nil
}

func checkVector(d int, p, n, leastLoad float64) error {
	if d < 2 || d > 100_000 {
		return fmt.Errorf("d = %d: want 2 ≤ d ≤ 100000", d)
	}
	return checkHebb(p, n, leastLoad)
}

// decoupledAtNoise is the law with interference of variance load·d per component.
func decoupledAtNoise(d int, load, n float64) extremes.Value {
	if load == 0 {
		return extremes.Value{Value: 1, Status: status.Converged}
	}
	s := newSphere(d)
	h := float64(d) / math.Sqrt(load)
	// tan(φ/2) = e^v turns dφ into sin φ dv and [0, π] into the line, where
	// the trapezoidal rule converges geometrically for every d.
	logIntegrand := func(v float64) float64 {
		sine := 1 / math.Cosh(v)
		cosine := -math.Tanh(v)
		if sine == 0 {
			return math.Inf(-1)
		}
		return s.logRadial + float64(d-1)*math.Log(sine) + (n-1)*math.Log1p(-s.tail(cosine, sine)) -
			h*h*sine*sine/2 + logGaussianMoment(d-1, h*cosine)
	}
	v := integratePeak(logIntegrand, -700, 700)
	// The logs are sums of terms up to d log d and h².
	v.Error += 4 * 0x1p-52 * (float64(d)*math.Log(float64(d)) + math.Min(h*h, float64(d)*float64(d))) * v.Value
	v.Value = math.Min(v.Value, 1)
	return v
}

// sphere holds the constants of the uniform law of directions in R^d.
type sphere struct {
	d         int
	logRadial float64 // log C of HebbItemRecallDecoupled
	logAngle  float64 // log of the factor of sin^{d−2}θ in the density of an angle
}

func newSphere(d int) sphere {
	half, _ := math.Lgamma(float64(d) / 2)
	less, _ := math.Lgamma(float64(d-1) / 2)
	logPi := math.Log(math.Pi)
	return sphere{
		d: d,
		logRadial: math.Ln2 + float64(d-1)/2*logPi - less -
			float64(d)/2*math.Log(2*math.Pi),
		logAngle: half - less - logPi/2,
	}
}

// tail returns 1 − F_d(cosine), the probability of a direction within the angle
// φ, given both its cosine and its sine.
func (s sphere) tail(cosine, sine float64) float64 {
	if s.d == 2 {
		return math.Atan2(sine, cosine) / math.Pi // sin² of an angle of 1e-200 is 0
	}
	a := float64(s.d-1) / 2
	if cosine*cosine*float64(s.d) < 1 {
		// Near the equator sin² no longer holds the angle.
		half := 0.5 * mathext.RegIncBeta(0.5, a, cosine*cosine)
		if cosine < 0 {
			return 0.5 + half
		}
		return 0.5 - half
	}
	t := 0.5 * mathext.RegIncBeta(a, 0.5, sine*sine)
	if cosine < 0 {
		return 1 - t
	}
	return t
}

// logGaussianMoment returns log ∫_0^∞ y^k e^{−(y−m)²/2} dy for k ≥ 0, from the
// recurrence K_{k+1} = m K_k + k K_{k−1} for the ratios r_k = K_k/K_{k−1}. For
// m < 0 the moments are its minimal solution, and the ratios come from the
// continued fraction r_k = k/(r_{k+1} + |m|).
func logGaussianMoment(k int, m float64) float64 {
	logZeroth := 0.5*math.Log(2*math.Pi) + extremes.LogCDF(m)
	if k == 0 {
		return logZeroth
	}
	var product logProduct
	size := -m * math.Sqrt(float64(k))
	if size < 3 {
		// Rounding grows by e^{2·size} at most.
		ratio := m + extremes.Hazard(-m)
		product.times(ratio)
		for j := 1; j < k; j++ {
			ratio = m + float64(j)/ratio
			product.times(ratio)
		}
		return logZeroth + product.log()
	}
	// The error of a ratio far up shrinks like exp(−2|m|(√M − √k)).
	root := math.Sqrt(float64(k)) + 18/-m
	start := int(root*root) + 2
	ratio := 2 * float64(start) / (-m + math.Sqrt(m*m+4*float64(start)))
	for j := start; j >= 1; j-- {
		ratio = float64(j) / (ratio - m)
		if j <= k {
			product.times(ratio)
		}
	}
	return logZeroth + product.log()
}

// logProduct is a product kept as mantissa and exponent.
type logProduct struct {
	mantissa float64
	exponent int
	started  bool
}

func (p *logProduct) times(x float64) {
	if !p.started {
		p.mantissa, p.started = 1, true
	}
	p.mantissa *= x
	if p.mantissa > 0x1p200 || p.mantissa < 0x1p-200 {
		fraction, exponent := math.Frexp(p.mantissa)
		p.mantissa = fraction
		p.exponent += exponent
	}
}

func (p *logProduct) log() float64 {
	return math.Log(p.mantissa) + float64(p.exponent)*math.Ln2
}
