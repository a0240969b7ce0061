package saddle

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
)

// An additive ensemble has one target and N independent competitors, each with a
// load w and statistics x, y, …, on the surface where the loads add up to a given
// total, w_0 + Σ_ρ w_ρ = X. Expectations on it,
//
//	E[F δ(X − Σ w)] = (1/2πi) ∫ e^{sX} E[F e^{−sΣw}] ds,
//
// factorise for every F that is a polynomial in additive statistics Σ x: with
// T_P = E[P(t) e^{−sw}] of one competitor, a product Σx·Σy is N T_xy T_1^{N−1} +
// N(N−1) T_x T_y T_1^{N−2}, and so on; the target multiplies.

// particles are the nodes of a quadrature over one score.
type particles struct {
	weight []float64   // those of competitors times N
	load   []float64   // w
	stat   [][]float64 // by statistic, then node
}

// monomial is coefficient·Σx·Σy·…, of at most three statistics.
type monomial struct {
	coefficient float64
	stats       []int
}

// functional is a sum of monomials.
type functional []monomial

// plan is what a list of functionals needs: the products of statistics of one
// particle, and how their expectations combine.
type additivePlan struct {
	products [][]int // sorted indices of statistics
	terms    [][]planTerm
}

type planTerm struct {
	coefficient float64
	target      int   // index of a product, −1 for none
	competitors []int // indices of products, each of another competitor
}

func newPlan(functionals []functional) *additivePlan {
	p := &additivePlan{terms: make([][]planTerm, len(functionals))}
	for i, f := range functionals {
		for _, m := range f {
			p.expand(i, planTerm{coefficient: m.coefficient, target: -1}, nil, nil, m.stats)
		}
	}
	return p
}

// expand deals out the statistics that are left: to the target, to a competitor
// that has some, or to another one.
func (p *additivePlan) expand(i int, t planTerm, target []int, blocks [][]int, left []int) {
	if len(left) == 0 {
		if len(target) > 0 {
			t.target = p.product(target)
		}
		for _, b := range blocks {
			t.competitors = append(t.competitors, p.product(b))
		}
		p.terms[i] = append(p.terms[i], t)
		return
	}
	x, rest := left[0], left[1:]
	p.expand(i, t, append(slices.Clone(target), x), blocks, rest)
	for j := range blocks {
		more := slices.Clone(blocks)
		more[j] = append(slices.Clone(blocks[j]), x)
		p.expand(i, t, target, more, rest)
	}
	p.expand(i, t, target, append(slices.Clone(blocks), []int{x}), rest)
}

func (p *additivePlan) product(stats []int) int {
	stats = slices.Clone(stats)
	slices.Sort(stats)
	for i, q := range p.products {
		if slices.Equal(q, stats) {
			return i
		}
	}
	p.products = append(p.products, stats)
	return len(p.products) - 1
}

// weighted returns weight·Π stat for every product of the plan.
func (p *additivePlan) weighted(of particles) [][]float64 {
	out := make([][]float64, len(p.products))
	for i, stats := range p.products {
		v := slices.Clone(of.weight)
		for _, s := range stats {
			for j, x := range of.stat[s] {
				v[j] *= x
			}
		}
		out[i] = v
	}
	return out
}

// ensemble is an additive ensemble at one level.
type additive struct {
	plan                *additivePlan
	target, competitors particles
	number              float64 // N
	total               float64 // X
}

// exponent returns sX + log E e^{−sΣw} at real s, with two derivatives.
func (e *additive) exponent(s float64) (value, slope, curvature float64) {
	var u, u1, u2 float64
	for i, w := range e.target.load {
		x := e.target.weight[i] * math.Exp(-s*w)
		u += x
		u1 -= x * w
		u2 += x * w * w
	}
	var psi, c1, c2 float64
	for i, w := range e.competitors.load {
		x := e.competitors.weight[i]
		psi += x * math.Expm1(-s*w)
		x *= math.Exp(-s * w)
		c1 -= x * w
		c2 += x * w * w
	}
	one := 1 + psi/e.number
	c1 /= one
	c2 /= one
	value = s*e.total + math.Log(u) + e.number*math.Log1p(psi/e.number)
	slope = e.total + u1/u + c1
	curvature = u2/u - u1/u*u1/u + c2 - c1*c1/e.number
	return value, slope, curvature
}

// saddle minimises the convex exponent, from a start.
func (e *additive) saddle(start float64) (s, value, curvature float64) {
	lo, hi := math.Inf(-1), math.Inf(1)
	s = start
	for range 100 {
		v, slope, bend := e.exponent(s)
		if math.IsNaN(v) || math.IsInf(v, 0) || !(bend > 0) {
			// Too far out: back towards 0.
			if s > 0 {
				hi = s
			} else {
				lo = s
			}
			s /= 2
			continue
		}
		value, curvature = v, bend
		if slope > 0 {
			hi = s
		} else {
			lo = s
		}
		step := -slope / bend
		if math.Abs(step)*math.Sqrt(bend) < 0.05 {
			break
		}
		// At most a few widths at a time: the exponent is far from a parabola.
		limit := 3/math.Sqrt(bend) + math.Abs(s)
		next := s + math.Max(-limit, math.Min(limit, step))
		if !(next > lo && next < hi) {
			next = (math.Max(lo, s-limit) + math.Min(hi, s+limit)) / 2
		}
		s = next
	}
	return s, value, curvature
}

const (
	// contourStep of the trapezoidal rule along the contour, in asinh of the
	// imaginary part over two widths.
	contourStep = 0.14
	// contourTail: the contour ends where what is left is this small.
	contourTail = 1e-14
	// roundingFloor: the contour also ends where the target's transform has decayed to
	// what its nodes can resolve, relative to the sum of moduli.
	roundingFloor = 3e-14
	// contourEnd bounds the number of points.
	contourEnd = 400
)

// expectations adds height·E[F δ(X − Σw)] of every functional to out, given the
// saddle point.
func (e *additive) expectations(c, value, curvature, height float64, out []float64) {
	width := 2 / math.Sqrt(curvature)
	target, competitors := e.plan.weighted(e.target), e.plan.weighted(e.competitors)
	products := len(e.plan.products)
	u, k := make([]complex128, products), make([]complex128, products)
	sums := make([]float64, len(out))
	peak := 0.0
	for point := range contourEnd {
		x := contourStep * float64(point)
		omega := width * math.Sinh(x)
		s := complex(c, omega)
		ds := complex(0, width*math.Cosh(x)) // ds/dx
		empty := weightedSums(s, e.target.load, e.target.weight, target, u, false)
		if cmplx.Abs(empty) < roundingFloor*e.target.modulus(real(s)) {
			break
		}
		psi := weightedSums(s, e.competitors.load, e.competitors.weight, competitors, k, true)
		less := psi / complex(e.number, 0)
		for i := range k {
			k[i] /= 1 + less
		}
		front := cmplx.Exp(s*complex(e.total, 0)+complex(e.number, 0)*complexLog1p(less)-complex(value, 0)) * ds
		weight := 1.0
		if point == 0 {
			weight = 0.5
		}
		size := 0.0
		for i, terms := range e.plan.terms {
			var v complex128
			for _, t := range terms {
				y := complex(t.coefficient, 0)
				if t.target >= 0 {
					y *= u[t.target]
				} else {
					y *= empty
				}
				for j, m := range t.competitors {
					y *= k[m] * complex(1-float64(j)/e.number, 0)
				}
				v += y
			}
			v *= front
			sums[i] += weight * imag(v)
			size = math.Max(size, cmplx.Abs(v))
		}
		peak = math.Max(peak, size)
		if size <= contourTail*peak {
			break
		}
	}
	scale := height * contourStep / math.Pi * math.Exp(value)
	for i, v := range sums {
		out[i] += scale * v
	}
}

// modulus returns Σ weight e^{−sw} at real s.
func (p *particles) modulus(s float64) float64 {
	sum := 0.0
	for i, w := range p.load {
		sum += p.weight[i] * math.Exp(-s*w)
	}
	return sum
}

// complexLog1p is log(1 + z).
func complexLog1p(z complex128) complex128 {
	return complex(math.Log1p(2*real(z)+real(z)*real(z)+imag(z)*imag(z))/2, math.Atan2(imag(z), 1+real(z)))
}

// moments returns Σ weight e^{−sw}, or with minusOne Σ weight (e^{−sw} − 1), and
// fills out with those of the products.
func weightedSums(s complex128, load, weight []float64, products [][]float64, out []complex128, minusOne bool) complex128 {
	clear(out)
	var total complex128
	for i, w := range load {
		r := -real(s) * w
		sin, cos := math.Sincos(-imag(s) * w)
		size := math.Exp(r)
		re, im := size*cos, size*sin
		if minusOne {
			half := math.Sin(imag(s) * w / 2)
			total += complex(weight[i]*(math.Expm1(r)*cos-2*half*half), weight[i]*im)
		} else {
			total += complex(weight[i]*re, weight[i]*im)
		}
		for j := range products {
			x := products[j][i]
			out[j] += complex(x*re, x*im)
		}
	}
	return total
}

// levels integrates the functionals over the level of an ensemble, which orders
// them: at(x) is the ensemble at level x, and Σw − X falls with x. It starts from the
// level start, near which the loads add up on average, and takes steps of fraction of
// the level's standard deviation.
func overLevels(at func(x float64) *additive, start, fraction float64, functionals int) ([]float64, error) {
	out := make([]float64, functionals)
	x, step, err := typicalLevel(at, start)
	if err != nil {
		return nil, err
	}
	step *= fraction
	for _, direction := range []float64{1, -1} {
		c := 0.0
		for i := range maxLevels {
			if direction < 0 && i == 0 {
				continue
			}
			e := at(x + direction*float64(i)*step)
			s, value, curvature := e.saddle(c)
			c = s
			if !(value > levelTail) {
				if math.IsNaN(value) {
					return nil, fmt.Errorf("no saddle point of the law of a level at %v", x+direction*float64(i)*step)
				}
				break
			}
			e.expectations(s, value, curvature, step, out)
			if i == maxLevels-1 {
				return nil, fmt.Errorf("the law of the level has no end within %d steps", maxLevels)
			}
		}
	}
	return out, nil
}

const (
	// levelTail is the log of the density, about, below which a level does not count.
	levelTail = -42
	maxLevels = 2000
)

// typicalLevel returns the level at which the loads add up on average, by bisection
// with growing steps, and about the standard deviation of the level.
func typicalLevel(at func(x float64) *additive, start float64) (x, deviation float64, err error) {
	// The slope of the exponent at s = 0 is X − E Σw.
	excess := func(x float64) (float64, float64) {
		_, slope, curvature := at(x).exponent(0)
		return slope, curvature
	}
	lo, hi := start, start
	width := 0.5
	for f, _ := excess(lo); f > 0; f, _ = excess(lo) {
		lo -= width
		width *= 2
		if width > 1e9 {
			return 0, 0, fmt.Errorf("no level below %v", start)
		}
	}
	width = 0.5
	for f, _ := excess(hi); f <= 0; f, _ = excess(hi) {
		hi += width
		width *= 2
		if width > 1e9 {
			return 0, 0, fmt.Errorf("no level above %v", start)
		}
	}
	for range 60 {
		x = (lo + hi) / 2
		f, curvature := excess(x)
		h := 1e-3 * (hi - lo + 1e-3)
		g, _ := excess(x + h)
		deviation = math.Sqrt(curvature) * h / math.Abs(g-f)
		if hi-lo < 0.02*deviation {
			break
		}
		if f > 0 {
			hi = x
		} else {
			lo = x
		}
	}
	if !(deviation > 0) || math.IsInf(deviation, 0) {
		return 0, 0, fmt.Errorf("no spread of the level at %v", x)
	}
	return x, deviation, nil
}
