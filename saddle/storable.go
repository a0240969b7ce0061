package saddle

import (
	"math"

	"lamcap/extremes"
	"lamcap/internal/logarithm"
	"lamcap/internal/status"
	"lamcap/internal/sum"
)

// law is a law of |A| on 0, 1, 2, … whose alternating sum is 0 (Gauss-Bonnet).
type law struct {
	mass, logMass []float64 // total 1
	massError     float64   // bound on the relative error of each
	top           float64   // largest value with mass, of which the end may be missing
	hull          float64   // probability of a closed hull, on which the law is conditioned
	open          float64   // 1 − hull

	mean, variance, third float64 // cumulants
	meanError             float64
}

func newLaw(mass []float64, massError, top float64) *law {
	v := extremes.Volumes{Mass: mass, Error: massError}
	l := &law{mass: make([]float64, len(mass)), logMass: make([]float64, len(mass)), massError: massError, top: top, open: 1}
	var total sum.Neumaier
	for _, x := range mass {
		total.Add(x)
	}
	for k, x := range mass {
		l.mass[k] = x / total.Sum()
		l.logMass[k] = logarithm.Natural(l.mass[k])
	}
	mean := v.Mean()
	l.mean, l.meanError = mean.Value, mean.Error
	l.variance, l.third = v.Variance().Value, v.Cumulant(3).Value
	return l
}

// cut reports whether the far end of the law is missing.
func (l *law) cut() bool { return float64(len(l.mass)-1) < l.top }

// offset returns p·mean − weights, formed exactly, and how far the error of the
// mean can move it.
func (l *law) offset(weights, p float64) (offset, err float64) {
	high := float64(p * l.mean) // not to be fused with the difference
	low := math.FMA(p, l.mean, -high)
	offset = (high - weights) + low
	return offset, p * l.meanError
}

// storable returns P = 2 Σ_{j = N−1, N−3, … ≥ 0} c_j with c the p-fold
// convolution of the law, for an integer number N of weights, and a bound on the
// relative error that the missing end of the law makes (also in Error).
//
// With g(z) = Σ v_k z^k and z = e^{s+iθ},
//
//	P/2 = (1/2πi) ∮ g(z)^p z^{−N}/(1 − z²) dz   on |z| = e^s < 1,
//
// and the complement with the other sign on |z| > 1; z = −1 is no pole, as
// g(−1) = 0. The circle goes through the real saddle point (exponential tilting:
// the smaller of the two is then of the order of the integrand and loses no
// accuracy), the trapezoidal rule in θ is exact but for aliasing, which is
// bounded. With p up to 10^300 everything is formed relative to the mean D: from
// p D − N, and from sums of e^x − 1 − x ≥ 0.
func (l *law) storable(weights, p float64) (r Probability, truncation float64) {
	switch {
	case weights == 0:
		return Probability{Value: 0, Complement: 1, Status: status.Converged}, 0
	case weights >= p*l.top:
		return Probability{Value: 1, Complement: 0, Status: status.Converged}, 0
	}
	c := contour{law: l, p: p, weights: weights}
	var offsetError float64
	c.offset, offsetError = l.offset(weights, p)
	below := c.offset >= 0 // N ≤ p D: P is the smaller
	c.findSaddle(below)

	truncation = c.truncation()
	// Errors of the masses act through the mean and the rest, or in themselves;
	// the rounding of offset and mean comes in any case.
	relative := math.Min(math.Abs(c.at.s)*offsetError+p*c.massEffect(), 2*p*l.massError) +
		math.Abs(c.at.s)*0x1p-52*(math.Abs(c.offset)+p*l.mean)
	switch {
	case c.logScale()+relative < underflow:
		r = Probability{Value: 0, Complement: 1, Error: 1, Status: status.Converged}
	case relative > 1:
		// p D − N is not known to the width of the transition: no integral would
		// be right, the saddle point alone says as much.
		value := math.Min(1, 2*math.Exp(c.logScale())/math.Sqrt(2*math.Pi*c.curvature(c.at)))
		r = Probability{Value: value, Complement: 1 - value, Error: math.Expm1(relative)}
	default:
		value, rounding := c.integrate()
		r = Probability{Value: value, Complement: 1 - value, Status: status.Converged}
		r.Error = math.Expm1(relative + truncation + rounding)
		if value < 0x1p-1022 { // subnormal: multiples of 2^{−1074}
			r.Error += 0x1p-1074 / math.Max(value, 0x1p-1074)
		}
	}
	if !(r.Error <= usefulError) && r.Error != 1 {
		r.Status = status.Roundoff
	}
	if !below {
		r.Value, r.Complement = r.Complement, r.Value
	}
	return r, truncation
}

// underflow is where e^x is 0.
const underflow = -746

// tilted is the law times e^{ks}, seen from the mean D of the law.
type tilted struct {
	s          float64
	logRatio   float64 // log g(e^s) − D s ≥ 0
	shift      float64 // mean − D
	variance   float64
	smallShift bool // formed from e^x − 1, for x = (k − D)s of moderate size
}

func (l *law) tilt(s float64) tilted {
	at := tilted{s: s}
	last := float64(len(l.mass) - 1)
	const moderate = 300 // e^{±x} far from over- and underflow
	at.smallShift = math.Abs(s)*math.Max(l.mean, last-l.mean) < moderate
	if at.smallShift {
		var excess, first, second float64
		for k, v := range l.mass {
			d := float64(k) - l.mean
			m := math.Expm1(d * s)
			excess += v * expm1MinusX(d*s, m)
			first += v * d * m
			second += v * d * d * (1 + m)
		}
		g := 1 + excess
		at.logRatio = math.Log1p(excess)
		at.shift = first / g
		at.variance = second/g - at.shift*at.shift
		return at
	}
	largest := math.Inf(-1)
	for k, v := range l.logMass {
		largest = math.Max(largest, v+(float64(k)-l.mean)*s)
	}
	var g, first, second float64
	for k, v := range l.logMass {
		d := float64(k) - l.mean
		w := math.Exp(v + d*s - largest)
		g += w
		first += w * d
	}
	at.logRatio = largest + math.Log(g)
	at.shift = first / g
	for k, v := range l.logMass {
		d := float64(k) - l.mean - at.shift
		second += math.Exp(v+(float64(k)-l.mean)*s-largest) * d * d
	}
	at.variance = second / g
	return at
}

// expm1MinusX returns e^x − 1 − x, given e^x − 1.
func expm1MinusX(x, expm1 float64) float64 {
	if math.Abs(x) > 0.5 {
		return expm1 - x
	}
	// Taylor: the first term left out is below x^16/16! of x²/2.
	term := x * x / 2
	total := term
	for j := 3.0; j <= 16; j++ {
		term *= x / j
		total += term
		if math.Abs(term) < 0x1p-55*total {
			break
		}
	}
	return total
}
