package quartercircle

import (
	"fmt"
	"math"

	"lamcap/internal/quad"
	"lamcap/internal/root"
	"lamcap/internal/status"
	"lamcap/internal/sum"
)

// Rectangular is the law of the singular values of a d_out×d_in Gaussian matrix
// divided by √max(d_out, d_in), as both grow with y = min/max fixed ([mp]):
//
//	ρ(x) = √((b² − x²)(x² − a²))/(π y x),  a = 1 − √y ≤ x ≤ b = 1 + √y
//
// over the min(d_out, d_in) singular values, so that its second moment is 1 for
// every y and y = 1 is the quarter circle. With x² = 1 + y + 2√y cos φ,
//
//	κ = (2/π) ∫_0^{φ_κ} sin²φ/x² dφ,   I(κ) = (2φ_κ − sin 2φ_κ)/(2π),
//
// and N_eff → d_out d_in I(κ), κ = m/min(d_out, d_in).
type Rectangular struct {
	y       float64 // min/max
	sqrtY   float64
	sqrtLow float64 // what √y has beyond its float64
	gap     float64 // 1 − √y without cancellation
}

// Value is a number with a bound on its absolute error.
type Value struct {
	Value, Error float64
	Status       status.Status
}

// NewRectangular returns the law for the aspect ratio y = min(d_out, d_in)/
// max(d_out, d_in), 0 < y ≤ 1.
func NewRectangular(y float64) (Rectangular, error) {
	if !(y > 0 && y <= 1) {
		return Rectangular{}, fmt.Errorf("ratio = %v: want 0 < ratio ≤ 1, the smaller dimension divided by the larger", y)
	}
	s := math.Sqrt(y)
	low := -math.FMA(s, s, -y) / (2 * s)
	return Rectangular{y: y, sqrtY: s, sqrtLow: low, gap: (1 - y) / (1 + s)}, nil
}

// Support returns the ends of the law, 1 − √y and 1 + √y.
func (r Rectangular) Support() (lo, hi float64) { return r.gap, 1 + r.sqrtY }

// edges returns b − x and x − a with small relative errors: next to an edge of
// the support the rounding of √y alone would be of their size.
func (r Rectangular) edges(x float64) (below, above float64) {
	var toUpper, toLower sum.Neumaier
	for _, v := range [...]float64{1, r.sqrtY, r.sqrtLow, -x} {
		toUpper.Add(v)
	}
	for _, v := range [...]float64{x, -1, r.sqrtY, r.sqrtLow} {
		toLower.Add(v)
	}
	return toUpper.Sum(), toLower.Sum()
}

// Density returns ρ(x), 0 outside the support.
func (r Rectangular) Density(x float64) float64 {
	below, above := r.edges(x)
	if !(below >= 0 && above >= 0) {
		return nanOr(x, 0)
	}
	if x == 0 {
		return 2 / math.Pi // the square law at its hard edge: √4/π
	}
	a, b := r.Support()
	// Separate roots: at ratio 1 above and x + a are both x, and x² underflows.
	return math.Sqrt(below*(b+x)) * (math.Sqrt(above) * math.Sqrt(x+a) / x) / (math.Pi * r.y)
}

// angle is φ ∈ [0, π], kept as its distance from one end so that it is accurate
// at that end: φ = size, or π − size where fromLower.
type angle struct {
	size      float64
	fromLower bool
}

// value returns x at an angle, without cancellation at either end:
//
//	x² = (1 − √y)² + 4√y cos²(φ/2).
func (r Rectangular) value(a angle) float64 {
	c := math.Cos(a.size / 2)
	if a.fromLower {
		c = math.Sin(a.size / 2)
	}
	return math.Hypot(r.gap, 2*math.Sqrt(r.sqrtY)*c)
}

// weight returns |dκ/dφ| = (2/π) sin²φ/x².
func (r Rectangular) weight(a angle) float64 {
	x := r.value(a)
	if x == 0 {
		return 2 / math.Pi // sin²φ/(4cos²(φ/2)) → 1 as φ → π when y = 1
	}
	s := math.Sin(a.size) / x
	return 2 / math.Pi * s * s
}

func (r Rectangular) angle(x float64) angle {
	below, above := r.edges(x)
	switch {
	case above <= 0:
		return angle{0, true}
	case below <= 0:
		return angle{0, false}
	}
	a, b := r.Support()
	// tan²(φ/2) = (b² − x²)/(x² − a²).
	opposite, adjacent := math.Sqrt(below*(b+x)), math.Sqrt(above)*math.Sqrt(x+a)
	if opposite > adjacent {
		return angle{2 * math.Atan2(adjacent, opposite), true}
	}
	return angle{2 * math.Atan2(opposite, adjacent), false}
}

// fraction integrates the density from the angle's end to the angle.
func (r Rectangular) fraction(a angle) quad.Result {
	// Near ratio 1 the weight rises from 0 to 1 over an angle of the order of the
	// gap, which no node would meet.
	var breaks []float64
	if a.fromLower && r.gap > 0 {
		for b := r.gap / math.Sqrt(r.sqrtY); b < a.size; b *= 8 {
			breaks = append(breaks, b)
		}
	}
	return quad.Integrate(func(size float64) float64 {
		return r.weight(angle{size, a.fromLower})
	}, 0, a.size, quad.Options{Rel: 1e-14, Breaks: breaks})
}

// Survival returns the fraction κ of singular values above x, by quadrature.
func (r Rectangular) Survival(x float64) Value { return r.beyond(x, false) }

// CDF returns the fraction of singular values at or below x, by quadrature.
func (r Rectangular) CDF(x float64) Value { return r.beyond(x, true) }

// beyond returns the fraction between x and the lower or the upper edge.
func (r Rectangular) beyond(x float64, lower bool) Value {
	if math.IsNaN(x) {
		return Value{Value: x, Status: status.Diverged}
	}
	a := r.angle(x)
	v := r.fraction(a)
	// The rounding of the angle, a few ulp, moves the fraction by its weight.
	v.Error += 8 * 0x1p-53 * a.size * r.weight(a)
	if a.fromLower != lower {
		v.Value = 1 - v.Value
		v.Error += 0x1p-53
	}
	return Value{v.Value, v.Error, v.Status}
}

// cutAngle solves κ(φ) = kappa from the end that has the smaller share.
func (r Rectangular) cutAngle(kappa float64) (a angle, err float64, st status.Status) {
	share := kappa
	if kappa > 0.5 {
		a.fromLower = true
		share = 1 - kappa // exact
	}
	if share == 0 {
		return a, 0, status.Converged
	}
	var last quad.Result
	excess := func(size float64) float64 {
		last = r.fraction(angle{size, a.fromLower})
		return last.Value - share
	}
	f := root.Find(excess, 0, math.Pi, root.Options{})
	a.size = f.X
	residual := math.Abs(excess(f.X)) // and last of the same point
	// What the quadrature and the root leave in κ moves φ by 1/weight of it.
	return a, (residual+last.Error)/r.weight(a) + math.Abs(f.Hi-f.Lo), f.Status
}

// Cut returns x_κ, above which the fraction kappa of the singular values lies.
func (r Rectangular) Cut(kappa float64) (Value, error) {
	if err := checkKappa(kappa); err != nil {
		return Value{Value: math.NaN(), Error: math.Inf(1)}, err
	}
	a, da, st := r.cutAngle(kappa)
	x := r.value(a)
	// |dx/dφ| = √y sin φ/x ≤ √y, as (√y + cos φ)² ≥ 0.
	return Value{x, r.sqrtY*da + 4e-16*x, st}, nil
}

// TruncatedSecondMoment returns I(κ) = ∫_{x_κ}^b x² ρ(x) dx with its error
// bound; I(1) = 1.
func (r Rectangular) TruncatedSecondMoment(kappa float64) (Value, error) {
	if err := checkKappa(kappa); err != nil {
		return Value{Value: math.NaN(), Error: math.Inf(1)}, err
	}
	a, da, st := r.cutAngle(kappa)
	i := kepler(2*a.size) / (2 * math.Pi)
	if a.fromLower {
		i = 1 - i
	}
	s := math.Sin(a.size)
	return Value{i, 2/math.Pi*s*s*da + 8e-16*i, st}, nil
}

// Capacity returns α_c(κ) = I(κ)/2 as a load α = p log p/(d_out d_in).
func (r Rectangular) Capacity(kappa float64) (Value, error) {
	v, err := r.TruncatedSecondMoment(kappa)
	return Value{v.Value / 2, v.Error / 2, v.Status}, err
}
