package extremes

import (
	"math"

	"lamcap/internal/status"
)

// implicit is the variable T of the expansion at some n.
type implicit struct {
	n     float64 // +Inf where it overflows
	t     float64 // T + 3 log T = 2 log(n − ½) − log 2π
	slope float64 // dT/d log n
	bend  float64 // d²T/d(log n)²
}

// newImplicit solves for T to rounding.
func newImplicit(logN float64) implicit {
	n := math.Exp(logN)
	right := 2*(logN+math.Log1p(-0.5/n)) - log2Pi
	// T + 3 log T is increasing and concave: from below, Newton's steps go up to
	// the solution without passing it. Each start is below for its right side.
	t := math.Exp((right - 1) / 3)
	if right > 1 {
		t = math.Max(1, right-3*math.Log(right))
	}
	for {
		next := t - (t+3*math.Log(t)-right)/(1+3/t)
		if !(next > t*(1+0x1p-52)) {
			break
		}
		t = next
	}
	// Differentiate the equation once and twice.
	return implicit{n: n, t: t, slope: 2 * t / (t + 3), bend: 12 * t / math.Pow(t+3, 3)}
}

// series returns Σ c_i T^{1−i} up to T^{−order}. Error is the next term.
func (p implicit) series(order int, c []float64) Value {
	v := Value{Status: status.Converged}
	modulus, power := 0.0, p.t
	for i := range order + 2 {
		v.Value += c[i] * power
		modulus += math.Abs(c[i] * power)
		power /= p.t
	}
	v.Error = math.Abs(c[order+2]*power) + 0x1p-50*modulus
	return v
}

// dimension returns a convergent of D_n. Error is the distance to the next one.
func (p implicit) dimension(order int) Value {
	value, _ := p.convergent(order)
	next, _ := p.convergent(order + 1)
	return Value{value, math.Abs(next-value) + 0x1p-50*value, status.Converged}
}

// variance returns V_n from convergents of D_n and V_n − 2 D_n. Error is the
// distance of both to the next one.
func (p implicit) variance(order int) Value {
	d := p.dimension(order)
	value, _ := p.fraction(variancePartial[:order])
	next, _ := p.fraction(variancePartial[:order+1])
	return Value{2*d.Value - 10 + value/p.t, 2*d.Error + math.Abs(next-value)/p.t, status.Converged}
}

// convergent returns T + 3 + (e_1/T)/(1 + … (e_k/T)), k = order, and its derivative.
func (p implicit) convergent(order int) (value, slope float64) {
	f, df := p.fraction(dimensionPartial[:order])
	return p.t + 3 + f/p.t, 1 + df/p.t - f/(p.t*p.t)
}

// fraction returns a_1/(1 + (a_2/T)/(1 + … (a_k/T))) and its derivative in T.
func (p implicit) fraction(a []float64) (value, slope float64) {
	if len(a) == 0 {
		return 0, 0
	}
	r, dr := 1.0, 0.0
	for i := len(a) - 1; i >= 1; i-- {
		z := a[i] / p.t
		r, dr = 1+z/r, -z/r*(1/p.t+dr/r)
	}
	return a[0] / r, -a[0] / r * (dr / r)
}
