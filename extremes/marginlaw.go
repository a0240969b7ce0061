package extremes

import (
	"fmt"
	"math"

	"lamcap/internal/status"
)

// CorrectCDF returns P(m* + K ≤ x), the distribution of the correct score, with a
// bound on the absolute error. Below the median it has the relative accuracy
// of the bound; x may be infinite.
func (c MarginCone) CorrectCDF(x float64) (Value, error) {
	return c.law(x, func(c MarginCone, x float64) Value {
		// x − K is rounded: that moves the value by so much of a density.
		level := x - c.Margin
		moved := 0x1p-53 * (math.Abs(x) + c.Margin) * c.levelDensity(level).Value
		v := c.levelCDF(level)
		v.Error += moved
		return v
	})
}

// CorrectDensity returns the density of the correct score at x,
//
//	(1/2πi) ∫ e^{s(t+K) + s²/2} L(s)^{n−2} [L(s) + (n−1) ψ₁(s)] ds,  t = x − K,
//
// the derivative of [MarginCone.CorrectCDF] under the integral, with a bound on
// the absolute error. L(s) = E e^{−s(x−t)_+}, ψ₁ its part from x > t.
func (c MarginCone) CorrectDensity(x float64) (Value, error) {
	return c.law(x, func(c MarginCone, x float64) Value {
		v := c.levelDensity(x - c.Margin)
		// The relative slope of the density is about distance/variance: take the
		// difference over the rounding of x − K.
		if step := 0x1p-52 * (math.Abs(x) + c.Margin); v.Value > 0 {
			const many = 1 << 20
			v.Error += math.Abs(c.levelDensity(x-c.Margin+many*step).Value-v.Value) / many
		}
		return v
	})
}

// CompetitorCDF returns P(min(t_ρ, m*) ≤ x), the distribution of one given
// competitor's score, with a bound on the absolute error:
//
//	Φ(x) + P(t_ρ > x, t_0 + (t_ρ − x) + Σ_{i≤n−2} (t_i − x)_+ ≤ x + K).
func (c MarginCone) CompetitorCDF(x float64) (Value, error) {
	return c.law(x, func(c MarginCone, x float64) Value {
		if c.allActive() {
			return c.levelCDF(x)
		}
		cdf := math.Erfc(-x/math.Sqrt2) / 2
		if v, ok := outside(x); ok {
			return Value{v, beyond, status.Converged}
		}
		e := newExcess(x, c.Margin, c.N-2, 1)
		p := e.probability()
		held := e.density * p.value
		err := e.density*p.err + c.rounding(p)*e.density*math.Min(p.value, p.complement)
		return Value{math.Min(1, cdf+held), err + 0x1p-52*(4+x*x)*math.Min(cdf, 1) + 0x1p-52*(4+x*x)*held, status.Converged}
	})
}

// CompetitorDensity returns the density of one given competitor's score at x,
// with a bound on the absolute error,
//
//	φ(x) P(t_0 + Σ_{i≤n−2} (t_i − x)_+ > x + K)
//	  + (1/2πi) ∫ e^{s(x+K) + s²/2} L^{n−3} ψ₁ [2 L + (n−2) ψ₁] ds,
//
// of which the first part is from competitors that stay where they are and the
// second from those that are held at m*.
func (c MarginCone) CompetitorDensity(x float64) (Value, error) {
	return c.law(x, func(c MarginCone, x float64) Value {
		if c.allActive() {
			return c.levelDensity(x)
		}
		if _, ok := outside(x); ok {
			return Value{0, beyond, status.Converged}
		}
		e := newExcess(x, c.Margin, c.N-2, 0)
		free := e.probability()
		stay := e.density * free.complement
		freeError := e.density * (free.err + c.rounding(free)*math.Min(free.value, free.complement))
		e = newExcess(x, c.Margin, c.N-2, 1)
		held, err, noise := e.derivative()
		held *= e.density
		err = err*e.density + (noise+0x1p-52*2*math.Log(c.N))*held
		return Value{stay + held, freeError + err + 0x1p-52*(4+x*x)*(stay+held), status.Converged}
	})
}

// law checks x and evaluates f, between integers by interpolation.
func (c MarginCone) law(x float64, f func(c MarginCone, x float64) Value) (Value, error) {
	none := Value{Value: math.NaN(), Error: math.Inf(1)}
	if err := c.check(); err != nil {
		return none, err
	}
	if math.IsNaN(x) {
		return none, fmt.Errorf("x = %v: want a number", x)
	}
	x = math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, x))
	return BetweenSizes(c.N, func(n float64) Value { return f(MarginCone{n, c.Margin}, x) }), nil
}

// beyond bounds what is left of a law where outside cuts it.
const beyond = 0x1p-800

// outside reports that the level is above or below x but for less than beyond:
// unless allActive its mean is above −12 and its variance at most 1/2, and it
// is never above the largest of n competitors and t_0.
func outside(x float64) (cdf float64, ok bool) {
	switch {
	case x < -36.5: // e^{−(36.5−12)²}; the moments of x > t overflow soon after
		return 0, true
	case x > 100:
		return 1, true
	}
	return 0, false
}

// rounding is the relative rounding error of the smaller of p's values.
func (c MarginCone) rounding(p probability) float64 {
	return p.noise + 0x1p-52*2*math.Log(c.N)
}

func (c MarginCone) levelCDF(x float64) Value {
	if c.allActive() {
		z, density := c.allActiveDensity(x)
		v := math.Exp(LogCDF(z))
		if density == 0 {
			return Value{v, 4*0x1p-52*v + beyond, status.Converged}
		}
		return Value{v, 0x1p-52 * (4*v + (math.Abs(x)+c.Margin/c.N)*density), status.Converged}
	}
	if v, ok := outside(x); ok {
		return Value{v, beyond, status.Converged}
	}
	e := newExcess(x, c.Margin, c.N-1, 0)
	p := e.probability()
	return Value{p.value, p.err + c.rounding(p)*math.Min(p.value, p.complement) + 0x1p-53*p.value, status.Converged}
}

// allActiveDensity returns the density of m*, normal with mean −K/n and variance
// 1/n, and z = √n (x + K/n).
func (c MarginCone) allActiveDensity(x float64) (z, density float64) {
	root := math.Sqrt(c.N)
	z = root * (x + c.Margin/c.N)
	return z, math.Exp(LogDensity(z)) * root
}

func (c MarginCone) levelDensity(x float64) Value {
	if c.allActive() {
		z, v := c.allActiveDensity(x)
		if v == 0 {
			return Value{0, beyond, status.Converged}
		}
		return Value{v, 0x1p-52 * v * (4 + math.Abs(z)*math.Sqrt(c.N)*(math.Abs(x)+c.Margin/c.N)), status.Converged}
	}
	if _, ok := outside(x); ok {
		return Value{0, beyond, status.Converged}
	}
	e := newExcess(x, c.Margin, c.N-1, 0)
	v, err, noise := e.derivative()
	return Value{v, err + (noise+0x1p-52*2*math.Log(c.N))*v, status.Converged}
}
