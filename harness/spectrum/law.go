package spectrum

import (
	"math"
	"sort"

	"lamcap/quartercircle"
)

// Law is a continuous law of rescaled singular values, on a finite interval.
type Law interface {
	// Support returns the ends of the interval.
	Support() (lo, hi float64)
	// CDF returns F(x).
	CDF(x float64) float64
	// Quantile returns the x with F(x) = u, 0 ≤ u ≤ 1.
	Quantile(u float64) float64
	// Integral returns ∫_{−∞}^x F(t) dt.
	Integral(x float64) float64
	// SecondMoment returns ∫ x² dF.
	SecondMoment() float64
}

// spectral is a law of all singular values, known from above: κ(x) = 1 − F(x),
// its integral G(x) = ∫_x^hi κ(t) dt, and the x of a κ.
type spectral interface {
	support() (lo, hi float64)
	survival(x float64) float64
	excess(x float64) float64
	cut(kappa float64) float64
}

// quarterCircle is ρ(x) = √(4 − x²)/π. By parts ∫_x^2 κ = −x κ(x) + ∫_x^2 t ρ(t) dt.
type quarterCircle struct{}

func (quarterCircle) support() (lo, hi float64)  { return 0, 2 }
func (quarterCircle) survival(x float64) float64 { return quartercircle.Survival(x) }
func (quarterCircle) excess(x float64) float64 {
	x = math.Max(0, math.Min(2, x))
	square := (2 - x) * (2 + x)
	return square*math.Sqrt(square)/(3*math.Pi) - x*quartercircle.Survival(x)
}

func (quarterCircle) cut(kappa float64) float64 {
	if kappa <= 0 {
		return 2
	}
	x, err := quartercircle.Cut(kappa)
	if err != nil {
		panic("spectrum: " + err.Error())
	}
	return x
}

// truncated keeps the top kappa of a law, and stretches it.
type truncated struct {
	of           spectral
	kappa, scale float64
	lo, hi       float64 // of the law that is not stretched
	second       float64 // of the stretched one
}

func (l truncated) Support() (lo, hi float64) { return l.scale * l.lo, l.scale * l.hi }

func (l truncated) CDF(x float64) float64 {
	x /= l.scale
	switch {
	case x <= l.lo:
		return 0
	case x >= l.hi:
		return 1
	}
	return math.Max(0, math.Min(1, 1-l.of.survival(x)/l.kappa))
}

func (l truncated) Quantile(u float64) float64 {
	switch {
	case u <= 0:
		return l.scale * l.lo
	case u >= 1:
		return l.scale * l.hi
	}
	return l.scale * math.Max(l.lo, math.Min(l.hi, l.of.cut(l.kappa*(1-u))))
}

func (l truncated) Integral(x float64) float64 {
	x /= l.scale
	if x <= l.lo {
		return 0
	}
	top := math.Min(x, l.hi)
	return l.scale * (x - l.lo - (l.of.excess(l.lo)-l.of.excess(top))/l.kappa)
}

func (l truncated) SecondMoment() float64 { return l.second }

// parametric is a law along an angle θ ∈ [0, π] from its upper to its lower end,
// tabulated: x, κ and the partial first moment ∫_x t dF, with their derivatives,
// between which cubics interpolate. The error of κ and of G is below 1e-10.
type parametric struct {
	step                      float64
	x, kappa, first           []float64
	dx, dkappa, dfirst        []float64
	secondMoment, firstMoment float64
}

// tabulated is how many intervals of the angle are tabulated: a lower end of the
// support next to 0 has a narrow peak there, of the width of the end.
const tabulated = 8192

// newParametric tabulates a law from at, which returns x, dx/dθ ≤ 0 and dκ/dθ ≥ 0.
func newParametric(at func(theta float64) (x, dx, dkappa float64)) *parametric {
	n := tabulated + 1
	l := &parametric{step: math.Pi / tabulated}
	for _, s := range []*[]float64{&l.x, &l.kappa, &l.first, &l.dx, &l.dkappa, &l.dfirst} {
		*s = make([]float64, n)
	}
	second, previous := 0.0, 0.0
	for i := range n {
		x, dx, dk := at(float64(i) * l.step)
		l.x[i], l.dx[i], l.dkappa[i], l.dfirst[i] = x, dx, dk, x*dk
		if i > 0 { // Simpson's rule
			mx, _, mk := at((float64(i) - 0.5) * l.step)
			l.kappa[i] = l.kappa[i-1] + l.step/6*(previous+4*mk+dk)
			l.first[i] = l.first[i-1] + l.step/6*(l.dfirst[i-1]+4*mx*mk+x*dk)
			second += l.step / 6 * (l.x[i-1]*l.dfirst[i-1] + 4*mx*mx*mk + x*x*dk)
		}
		previous = dk
	}
	// The mass is 1: what it is off is the error of the rule.
	mass := l.kappa[n-1]
	for i := range n {
		l.kappa[i] /= mass
		l.first[i] /= mass
		l.dkappa[i] /= mass
		l.dfirst[i] /= mass
	}
	l.secondMoment, l.firstMoment = second/mass, l.first[n-1]
	return l
}

func (l *parametric) support() (lo, hi float64) { return l.x[len(l.x)-1], l.x[0] }

// hermite is the cubic between nodes i and i + 1 at a fraction t of the step, and
// its derivative in t.
func (l *parametric) hermite(value, slope []float64, i int, t float64) (v, dv float64) {
	a, b := value[i], value[i+1]
	da, db := l.step*slope[i], l.step*slope[i+1]
	d := b - a
	c2, c3 := 3*d-2*da-db, da+db-2*d
	return a + t*(da+t*(c2+t*c3)), da + t*(2*c2+3*t*c3)
}

// locate finds interval and fraction at which a monotone column has a value, by
// Newton's method kept within the interval.
func (l *parametric) locate(value, slope []float64, want float64, rising bool) (int, float64) {
	i := sort.Search(len(value), func(i int) bool { return rising == (value[i] >= want) || value[i] == want }) - 1
	i = max(0, min(len(value)-2, i))
	lo, hi, t := 0.0, 1.0, 0.5
	for range 60 {
		v, dv := l.hermite(value, slope, i, t)
		if v == want {
			break
		}
		if (v < want) == rising {
			lo = t
		} else {
			hi = t
		}
		next := t - (v-want)/dv
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-t) < 1e-15 {
			break
		}
		t = next
	}
	return i, t
}

func (l *parametric) survival(x float64) float64 {
	i, t := l.locate(l.x, l.dx, x, false)
	v, _ := l.hermite(l.kappa, l.dkappa, i, t)
	return v
}

func (l *parametric) excess(x float64) float64 {
	lo, hi := l.support()
	x = math.Max(lo, math.Min(hi, x))
	i, t := l.locate(l.x, l.dx, x, false)
	k, _ := l.hermite(l.kappa, l.dkappa, i, t)
	first, _ := l.hermite(l.first, l.dfirst, i, t)
	return first - x*k
}

func (l *parametric) cut(kappa float64) float64 {
	i, t := l.locate(l.kappa, l.dkappa, kappa, true)
	v, _ := l.hermite(l.x, l.dx, i, t)
	return v
}
