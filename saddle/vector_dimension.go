package saddle

import (
	"fmt"
	"math"
	"math/cmplx"

	"lamcap/extremes"
	"lamcap/internal/faddeeva"
)

// VectorMoments are exact at vector level: of the squared distance in R^d from a
// normal v⁰ to {v : s_0 ≥ s_ρ + K}, s_ρ = u_ρ·v/√d, for n values u with normal entries.
type VectorMoments struct {
	Dimension float64 // E dist², but for what Excluded is the probability of
	Active    float64 // E|A|, the mean number of tight constraints
	// Excluded is the probability that the set is empty, which at K = 0 is π
	// ([Transition.Hull]), and for K > 0 also of more than d − 3 tight constraints. Their
	// dist² has no mean: it is K² over the squared distance of the target to the hull
	// of its competitors, which vanishes with a positive density. An instance with
	// p·Excluded ≪ 1 has none of them.
	Excluded float64
}

// MaxVectorMargin is the largest margin of [VectorDimension].
const MaxVectorMargin = 30

// VectorDimension returns E dist² at vector level, exactly, for 2 ≤ n ≤ 10^12 and
// 2 ≤ d ≤ 10^6. At finite d the set is a polyhedron in R^d. v⁰ projects onto a face with
// k tight constraints, a set A of k competitors, when
//
//	y = (BUUᵀBᵀ/d)⁻¹ (K 1 − B U v⁰/√d) > 0,  B U the differences u_ρ − u_0,
//
// and all other scores, which given v are independent normals of variance σ² = ‖v‖²/d,
// are below m = s_A. Given v, m is normal with mean −K/(k+1) and variance σ²/(k+1).
// Σ = BUUᵀBᵀ is a Wishart matrix of d degrees of freedom with scale BBᵀ = 1 + 11ᵀ,
//
//	dist² = yᵀΣy/d,   ‖v‖² = K² d T + χ²_{d−k},   T = 1ᵀΣ⁻¹1 = k/((k+1) ζ),   ζ ~ χ²_{d−k+1},
//
// and the density of y given Σ adds the factor |Σ|^{1/2}, a degree of freedom. What is left
// of Σ given ζ integrates to powers of 1 + Q/d and 1 + y_1²/d, with b = Σ y, Q = Σ y² + b²,
// y_1² = b² (k+1)/k; the former is an average of e^{−τQ/2d} over τ. With y = η√(d/τ), β = Ση,
//
//	P(A) = √(k+1) ∫dβ e^{Kb − β²/2} f_k(β) E[(1 + y_1²/d)^{(d−k+2)/2} e^{−ζ y_1²/2d − K² d T/2} J(ζ)],
//	τ ~ χ²_{d+1−k},  ζ ~ χ²_{d−k+2},  b = β√(d/τ),
//	J = E Φ(m/σ)^{n−1−k},   dist² → ζ y_1²/d − (d−k+2) (y_1²/d)/(1 + y_1²/d) + Ση² + β²,
//
// where f_k is the density of the sum of k independent η > 0 with weights φ(η). The
// sum over C(n−1, k) sets is D. At K = 0 it is D_n for every d.
func VectorDimension(n, margin, d float64) (VectorMoments, error) {
	none := VectorMoments{math.NaN(), math.NaN(), math.NaN()}
	switch {
	case !(n >= 2 && n <= MaxCorrectedSize):
		return none, fmt.Errorf("n = %v: want 2 ≤ n ≤ 1e12", n)
	case !(margin >= 0 && margin <= MaxVectorMargin):
		return none, fmt.Errorf("margin = %v: want 0 ≤ margin ≤ %d", margin, MaxVectorMargin)
	case !(d >= 2 && d <= 1e6):
		return none, fmt.Errorf("d_out = %v: want 2 ≤ d_out ≤ 1e6", d)
	}
	var out VectorMoments
	included := 0.0
	// No constraint is tight: v = v⁰, and the target's score is σ times a normal.
	for _, c := range chiSquareRule(d) {
		included += c.weight * winProbability(n, margin/math.Sqrt(c.x/d))
	}
	logBinomial := 0.0
	for k := 1.0; k <= math.Min(n-1, d); k++ {
		logBinomial += math.Log(n-k) - math.Log(k)
		mass, square := activeSet(n, margin, d, k, logBinomial)
		if k*k*mass < 1e-14 && included > 0.3 {
			break
		}
		if margin > 0 && k > d-3 {
			break
		}
		included += mass
		out.Active += k * mass
		out.Dimension += square
	}
	out.Active /= included
	out.Dimension /= included
	out.Excluded = math.Max(0, 1-included)
	return out, nil
}

// activeSet returns the probability of any active set of k competitors and E[dist²; k].
func activeSet(n, margin, d, k, logBinomial float64) (mass, square float64) {
	tau, zeta := chiSquareRule(d+1-k), chiSquareRule(d-k+2)
	across := []node{{0, 1}}
	if d > k {
		across = chiSquareRule(d - k)
	}
	// J at each ζ, with what else depends on it alone.
	var kappas levelRange
	kappa := func(z, c float64) float64 {
		if d <= k { // nothing is across, nor is there a limit K → 0
			return math.Sqrt((k + 1) * z / k)
		}
		return margin * math.Sqrt(d/(margin*margin*d*k/((k+1)*z)+c)) // K/σ, ‖p‖² and the rest
	}
	for _, z := range zeta {
		for _, c := range across {
			kappas.include(kappa(z.x, c.x))
		}
	}
	below := belowTable(n, k, kappas)
	largest := below(kappas.lo) // far below the range of float64 for large n
	logJ := make([]float64, len(zeta))
	for i, z := range zeta {
		j := 0.0
		for _, c := range across {
			if c.weight > 1e-15 {
				j += c.weight * math.Exp(below(kappa(z.x, c.x))-largest)
			}
		}
		logJ[i] = math.Log(z.weight) + largest + math.Log(j) - margin*margin*d*k/((k+1)*z.x)/2
	}
	front := logBinomial + math.Log(k+1)/2
	const dx = 0.1
	for x := -3.4; x <= 3.6; x += dx {
		beta := math.Exp(x - math.Exp(-x))
		slope := beta * (1 + math.Exp(-x))
		logF, etaSquare := halfNormalSum(k, beta)
		for _, t := range tau {
			b := beta * math.Sqrt(d/t.x)
			y := b * b * (k + 1) / (k * d) // y_1²/d
			log := front + margin*b - beta*beta/2 + logF + math.Log(slope*dx*t.weight) + (d-k+2)/2*math.Log1p(y)
			if log < -60 {
				continue
			}
			for i, z := range zeta {
				p := math.Exp(log + logJ[i] - z.x*y/2)
				mass += p
				square += p * (z.x*y - (d-k+2)*y/(1+y) + etaSquare + beta*beta)
			}
		}
	}
	return mass, square
}

type node struct{ x, weight float64 }

// chiSquareRule is the trapezoidal rule in log x for the χ² law.
func chiSquareRule(freedom float64) []node {
	half := freedom / 2
	lg, _ := math.Lgamma(half)
	density := func(l float64) float64 { return half*l - math.Exp(l)/2 - half*math.Ln2 - lg } // of log x
	center := math.Log(freedom)
	step := 0.5 / math.Sqrt(half)
	if step > 0.4 {
		step = 0.4
	}
	var out []node
	for _, direction := range []float64{1, -1} {
		for i := 0; i < 400; i++ {
			if direction < 0 && i == 0 {
				continue
			}
			l := center + direction*step*float64(i)
			v := density(l)
			if v < density(center)-36 {
				break
			}
			out = append(out, node{math.Exp(l), step * math.Exp(v)})
		}
	}
	return out
}

// winProbability returns ∫ φ(x) Φ(x − κ)^{n−1} dx.
func winProbability(n, kappa float64) float64 {
	const h = 0.05
	sum := 0.0
	for x := -12.0; x <= 12; x += h {
		sum += h * math.Exp(extremes.LogDensity(x)+(n-1)*extremes.LogCDF(x-kappa))
	}
	return sum
}

// levelRange is an interval of κ.
type levelRange struct{ lo, hi float64 }

func (r *levelRange) include(x float64) {
	if r.hi == 0 {
		r.lo = x
	}
	r.lo, r.hi = math.Min(r.lo, x), math.Max(r.hi, x)
}

// belowTable returns [logBelow] as a function of κ in a range, by Chebyshev interpolation in
// log κ, to about 1e-11.
func belowTable(n, k float64, kappas levelRange) func(kappa float64) float64 {
	const degree = 40
	if kappas.lo == kappas.hi {
		log := logBelow(n, k, kappas.lo)
		return func(float64) float64 { return log }
	}
	middle, half := math.Log(kappas.lo*kappas.hi)/2, math.Log(kappas.hi/kappas.lo)/2
	var values, coefficients [degree]float64
	for i := range values {
		x := math.Cos(math.Pi * (float64(i) + 0.5) / degree)
		values[i] = logBelow(n, k, math.Exp(middle+half*x))
	}
	for j := range coefficients {
		for i, v := range values {
			coefficients[j] += 2.0 / degree * v * math.Cos(math.Pi*float64(j)*(float64(i)+0.5)/degree)
		}
	}
	return func(kappa float64) float64 {
		x := (math.Log(kappa) - middle) / half
		var a, b float64
		for j := degree - 1; j > 0; j-- {
			a, b = 2*x*a-b+coefficients[j], a
		}
		return x*a - b + coefficients[0]/2
	}
}

// logBelow returns log E Φ(m)^{n−1−k} for m normal of mean −κ/(k+1) and variance
// 1/(k+1).
func logBelow(n, k, kappa float64) float64 {
	deviation := 1 / math.Sqrt(k+1)
	mean := -kappa / (k + 1)
	exponent := func(m float64) float64 {
		z := (m - mean) / deviation
		return -z*z/2 + (n-1-k)*extremes.LogCDF(m)
	}
	m, bend := mean, 0.0
	for range 100 {
		h := extremes.Hazard(-m)
		slope := -(m-mean)*(k+1) + (n-1-k)*h
		bend = -(k + 1) - (n-1-k)*h*(m+h)
		step := -slope / bend
		m += math.Max(-1, math.Min(1, step))
		if math.Abs(step) < 1e-4 {
			break
		}
	}
	top := exponent(m)
	step := 0.5 / math.Sqrt(-bend)
	sum := 0.0
	for _, direction := range []float64{1, -1} {
		for i := 0; i < 400; i++ {
			if direction < 0 && i == 0 {
				continue
			}
			v := exponent(m+direction*step*float64(i)) - top
			if v < -36 {
				break
			}
			sum += math.Exp(v)
		}
	}
	return top + math.Log(sum*step/(deviation*math.Sqrt(2*math.Pi)))
}

// halfNormalSum returns the log of the density at β of the sum of k numbers η > 0 with
// weights φ(η), and the mean of Ση² there, by the contour integral
//
//	(1/2πi) ∫ e^{sβ} [R(s)/√2π]^k ds,   R(s) = ∫_0^∞ e^{−sη − η²/2} dη.
func halfNormalSum(k, beta float64) (log, square float64) {
	if k == 1 {
		return extremes.LogDensity(beta), beta * beta
	}
	if beta < 0.05 {
		// On the simplex Ση = β, e^{−Ση²/2} is 1 − β²/(k+1) on average, but for β⁴.
		lg, _ := math.Lgamma(k)
		return (k-1)*math.Log(beta) - lg - k/2*math.Log(2*math.Pi) + math.Log1p(-beta*beta/(k+1)), 2 * beta * beta / (k + 1)
	}
	// The saddle point: k E η = β under the tilt e^{−cη}.
	c := (k - 1) / beta
	tilted := func(c float64) (log, mean, variance float64) {
		h := extremes.Hazard(c)
		if c > 100 { // 1 − h (h − c) cancels
			return c*c/2 + extremes.LogSurvival(c), 1 / c, 1 / (c * c)
		}
		return c*c/2 + extremes.LogSurvival(c), h - c, 1 - h*(h-c)
	}
	for range 200 {
		_, mean, variance := tilted(c)
		step := (k*mean - beta) / (k * math.Max(variance, 1e-300))
		limit := 1 + math.Abs(c)/2
		step = math.Max(-limit, math.Min(limit, step))
		c += step
		if math.Abs(step) < 1e-3*(1+math.Abs(c)) {
			break
		}
	}
	top, _, variance := tilted(c)
	width := 2 / math.Sqrt(k*math.Max(variance, 1e-300))
	const h = 0.14
	const bend = 0.4
	var sum, second float64
	peak := 0.0
	for i := range contourEnd {
		x := h * float64(i)
		omega, root := width*math.Sinh(x), width*math.Cosh(x)
		shift := complex(-bend*(root-width), omega) // s − c
		log, square := millsMoments(complex(c, 0) + shift)
		f := cmplx.Exp(shift*complex(beta, 0)+complex(k, 0)*(log-complex(top, 0))) * complex(-bend*omega, root)
		if i == 0 {
			f /= 2
		}
		sum += imag(f)
		second += imag(f * complex(k, 0) * square)
		size := cmplx.Abs(f)
		peak = math.Max(peak, size)
		if !(size >= contourTail*peak) {
			break
		}
	}
	return c*beta + k*top + math.Log(sum*h/math.Pi), second / sum
}

// millsMoments returns log R(s)/√2π and E η² under the weight e^{−sη − η²/2}, which
// is R″/R = 1 + s² − s/R.
func millsMoments(s complex128) (log, square complex128) {
	r := mills(s)
	log = cmplx.Log(r) - complex(math.Log(2*math.Pi)/2, 0)
	if cmplx.Abs(s) < 30 {
		return log, 1 + s*s - s/r
	}
	// R = Σ (−1)^j (2j−1)!!/s^{2j+1}, differentiated twice.
	q := 1 / (s * s)
	second := 2 * q / s * (1 - 6*q*(1-7.5*q*(1-28.0/3*q)))
	return log, second / r
}

// mills is R(s) = √(π/2) erfcx(s/√2).
func mills(s complex128) complex128 {
	return complex(math.Sqrt(math.Pi/2), 0) * faddeeva.W(complex(-imag(s), real(s))/complex(math.Sqrt2, 0))
}
