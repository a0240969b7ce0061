package spectrum

import (
	"fmt"
	"math"

	"lamcap/quartercircle"
)

// Shape is that of a memory, W ∈ R^{DOut×DIn} of rank Rank.
type Shape struct {
	DOut, DIn int
	Rank      int // m, 1 ≤ m ≤ min(DOut, DIn)
}

func (s Shape) check() error {
	if s.DOut < 1 || s.DIn < 1 {
		return fmt.Errorf("d_out × d_in = %d × %d: want both ≥ 1", s.DOut, s.DIn)
	}
	if s.Rank < 1 || s.Rank > s.smaller() {
		return fmt.Errorf("rank = %d: want 1 ≤ rank ≤ min(d_out, d_in) = %d", s.Rank, s.smaller())
	}
	return nil
}

func (s Shape) smaller() int { return min(s.DOut, s.DIn) }
func (s Shape) larger() int  { return max(s.DOut, s.DIn) }
func (s Shape) full() bool   { return s.Rank == s.smaller() }

// Kappa returns m/min(d_out, d_in).
func (s Shape) Kappa() float64 { return float64(s.Rank) / float64(s.smaller()) }

// base is the law of all singular values of a Gaussian matrix of this aspect
// ratio over √max(d_out, d_in).
func (s Shape) base() spectral {
	if s.DOut == s.DIn {
		return quarterCircle{}
	}
	return marchenkoPastur(float64(s.smaller()) / float64(s.larger()))
}

// marchenkoPastur is quartercircle.Rectangular along its angle φ,
//
//	x² = 1 + y + 2√y cos φ,   dκ = (2/π) sin²φ/x² dφ.
func marchenkoPastur(y float64) spectral {
	root := math.Sqrt(y)
	gap := (1 - y) / (1 + root) // 1 − √y
	return newParametric(func(phi float64) (x, dx, dkappa float64) {
		x = math.Hypot(gap, 2*math.Sqrt(root)*math.Cos(phi/2))
		ratio := math.Sin(phi) / x
		if x == 0 {
			ratio = 1
		}
		return x, -root * ratio, 2 / math.Pi * ratio * ratio
	})
}

// SecondMoment returns I(κ)/κ, to which singular values and laws are rescaled.
func (s Shape) SecondMoment() (float64, error) {
	if err := s.check(); err != nil {
		return math.NaN(), err
	}
	var i float64
	if s.DOut == s.DIn {
		var err error
		if i, err = quartercircle.TruncatedSecondMoment(s.Kappa()); err != nil {
			return math.NaN(), err
		}
	} else {
		r, err := quartercircle.NewRectangular(float64(s.smaller()) / float64(s.larger()))
		if err != nil {
			return math.NaN(), err
		}
		v, err := r.TruncatedSecondMoment(s.Kappa())
		if err != nil {
			return math.NaN(), err
		}
		i = v.Value
	}
	return i / s.Kappa(), nil
}

// Capacity returns the law of the optimal W at capacity: that of a Gaussian matrix
// truncated to its largest singular values.
func (s Shape) Capacity() (Law, error) {
	second, err := s.SecondMoment()
	if err != nil {
		return nil, err
	}
	return s.truncate(1, second), nil
}

func (s Shape) truncate(scale, second float64) truncated {
	base, kappa := s.base(), s.Kappa()
	lo, hi := base.support()
	if kappa < 1 {
		lo = base.cut(kappa)
	}
	return truncated{of: base, kappa: kappa, scale: scale, lo: lo, hi: hi, second: second}
}

// Whole returns the law without its cut, the whole quarter circle, at the same
// second moment: what the truncated one is not, at a rank below full.
func (s Shape) Whole() (Law, error) {
	second, err := s.SecondMoment()
	if err != nil {
		return nil, err
	}
	whole := s
	whole.Rank = s.smaller()
	return whole.truncate(math.Sqrt(second), second), nil
}

// Initial returns the law of Q Rᵀ with independent Gaussian factors, with which a
// training of rank m begins, at the same second moment. Singular values squared
// are eigenvalues of the product of two Wishart matrices of order m; with a =
// m/d_out, c = m/d_in and E λ = 1 their S-transforms multiply ([V]),
//
//	λ z = (1 + z)(1 + a z)(1 + c z),   density of λ = |Im z|/(πλ),
//
// a cubic for z = ρe^{iθ}: λ is real where 1 = (a + c + ac) ρ² + 2ac ρ³ cos θ.
//
// At full rank, where W is stored itself, training begins at W = 0; with W Gaussian
// it would begin at the law of [Shape.Capacity].
func (s Shape) Initial() (Law, error) {
	second, err := s.SecondMoment()
	if err != nil {
		return nil, err
	}
	if s.full() {
		return s.truncate(1, second), nil
	}
	base := product(float64(s.Rank)/float64(s.DOut), float64(s.Rank)/float64(s.DIn))
	lo, hi := base.support()
	return truncated{of: base, kappa: 1, scale: math.Sqrt(second), lo: lo, hi: hi, second: second}, nil
}

// product is the law of the singular values of Q Rᵀ/√(d_out d_in), 0 < a, c ≤ 1,
// second moment 1.
func product(a, c float64) *parametric {
	linear, square := a+c+a*c, a*c
	lambda := func(theta, radius float64) float64 {
		return math.Cos(theta)/radius + 1 + a + c + linear*radius*math.Cos(theta) + square*radius*radius*math.Cos(2*theta)
	}
	return newParametric(func(theta float64) (x, dx, dkappa float64) {
		r := productRadius(theta, linear, square)
		l := math.Max(lambda(theta, r), 0)
		// At fixed θ, dλ/dρ; and dρ/dθ from the cubic.
		cos, sin := math.Cos(theta), math.Sin(theta)
		byRadius := -cos/(r*r) + linear*cos + 2*square*r*math.Cos(2*theta)
		byAngle := -sin/r - linear*r*sin - 2*square*r*r*math.Sin(2*theta)
		slope := 2 * square * r * r * r * sin / (2*linear*r + 6*square*cos*r*r)
		dl := byAngle + byRadius*slope
		if l == 0 {
			return 0, 0, 0
		}
		x = math.Sqrt(l)
		return x, dl / (2 * x), r * sin / (math.Pi * l) * -dl
	})
}

// productRadius solves 2ac cos θ ρ³ + (a + c + ac) ρ² = 1 for its smallest root
// ρ > 0: where cos θ < 0 the left side rises up to ρ = linear/(3ac|cos θ|).
func productRadius(theta, linear, square float64) float64 {
	cos := math.Cos(theta)
	lo, hi := 0.0, 1/math.Sqrt(linear)
	if cos < 0 {
		hi = linear / (-3 * square * cos)
		if math.IsInf(hi, 1) || hi > 4/math.Sqrt(linear) {
			hi = 4 / math.Sqrt(linear)
		}
	}
	f := func(r float64) float64 { return r*r*(linear+2*square*cos*r) - 1 }
	for range 200 {
		middle := (lo + hi) / 2
		if middle <= lo || middle >= hi {
			break
		}
		if f(middle) < 0 {
			lo = middle
		} else {
			hi = middle
		}
	}
	return (lo + hi) / 2
}

// Rescale brings the singular values of a W of this shape, in any order and of any
// scale, to the second moment of its laws, in ascending order.
func (s Shape) Rescale(sigma []float64) ([]float64, error) {
	second, err := s.SecondMoment()
	if err != nil {
		return nil, err
	}
	if len(sigma) != s.Rank {
		return nil, fmt.Errorf("%d singular values: want as many as the rank, %d", len(sigma), s.Rank)
	}
	return rescale(sigma, second), nil
}
