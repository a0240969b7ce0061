package root

import (
	"math"

	"lamcap/internal/status"
)

// Options says when to stop. The zero value asks for a bracket of a few units in
// the last place within 200 iterations.
type Options struct {
	// AbsX and RelX: the search ends when the bracket is no wider than
	// AbsX + RelX·|x|. If both are zero RelX is 2^−51, two to four ulp.
	AbsX, RelX float64
	// AbsF: the search also ends at |f(x)| ≤ AbsF; 0 asks for an exact zero.
	AbsF float64
	// MaxIterations limits the evaluations between the endpoints; 0 means
	// 200, enough for any bracket.
	MaxIterations int
}

// Result is a zero, or the state in which the search ended.
type Result struct {
	// X is the end of the bracket with the smaller |f|; F = f(X), the
	// residual. A pole or a jump has a bracket as narrow as a zero: only F
	// tells.
	X, F float64
	// Lo ≤ X ≤ Hi is the final bracket, Lo = Hi = X at an exact zero.
	Lo, Hi      float64
	Evaluations int
	// Status is Converged; MaxIterations; NoBracket if f(lo) and f(hi) have the
	// same sign; Diverged if f was NaN, or infinite at both ends of the
	// final bracket.
	Status status.Status
}

const (
	defaultRelX          = 0x1p-51
	defaultMaxIterations = 200
	// patience is the number of iterations after which every second one bisects
	// the bit patterns of the bracket, which ends within 2·64 more.
	patience = 60
)

// Find returns a zero of f between lo and hi (in either order; infinite ends
// stand for the largest float). f may be infinite at the ends.
func Find(f func(float64) float64, lo, hi float64, o Options) Result {
	o = o.normalised()
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return Result{X: math.NaN(), F: math.NaN(), Lo: lo, Hi: hi, Status: status.Diverged}
	}
	lo, hi = clamp(min(lo, hi)), clamp(max(lo, hi))
	s := search{f: f, options: o}
	fLo, fHi := s.at(lo), s.at(hi)
	switch {
	case math.IsNaN(fLo):
		return s.result(lo, fLo, lo, hi, status.Diverged)
	case math.IsNaN(fHi):
		return s.result(hi, fHi, lo, hi, status.Diverged)
	case fLo == 0:
		return s.result(lo, fLo, lo, lo, status.Converged)
	case fHi == 0:
		return s.result(hi, fHi, hi, hi, status.Converged)
	case math.Signbit(fLo) == math.Signbit(fHi):
		x, fx := lo, fLo
		if math.Abs(fHi) < math.Abs(fLo) {
			x, fx = hi, fHi
		}
		return s.result(x, fx, lo, hi, status.NoBracket)
	}
	return s.narrow(lo, hi, fLo, fHi)
}

type search struct {
	f           func(float64) float64
	options     Options
	evaluations int
}

func (s *search) at(x float64) float64 {
	s.evaluations++
	return s.f(x)
}

func (s *search) result(x, fx, lo, hi float64, st status.Status) Result {
	return Result{X: x, F: fx, Lo: lo, Hi: hi, Evaluations: s.evaluations, Status: st}
}

// narrow is Chandrupatla's method. a is the newest point, b the other end of
// the bracket, c the point a replaced.
func (s *search) narrow(a, b, fa, fb float64) Result {
	c, fc := b, fb
	fraction := 0.5 // next point a + fraction (b − a)
	for iteration := 0; ; iteration++ {
		lo, hi := min(a, b), max(a, b)
		x, fx := a, fa
		if math.Abs(fb) < math.Abs(fa) {
			x, fx = b, fb
		}
		tolerance := s.options.AbsX + s.options.RelX*math.Abs(x)
		width := hi - lo
		adjacent := math.Nextafter(lo, hi) >= hi
		switch {
		case math.Abs(fx) <= s.options.AbsF || width <= tolerance || adjacent:
			if math.IsInf(fx, 0) {
				return s.result(x, fx, lo, hi, status.Diverged)
			}
			return s.result(x, fx, lo, hi, status.Converged)
		case iteration >= s.options.MaxIterations:
			return s.result(x, fx, lo, hi, status.MaxIterations)
		}

		var next float64
		if iteration >= patience && iteration%2 == 0 {
			next = middleFloat(lo, hi)
		} else {
			// At least half a tolerance away from both ends, so that the
			// bracket closes from both sides.
			least := 0.5 * tolerance / width
			fraction = max(least, min(1-least, fraction))
			next = a + fraction*(b-a)
			if math.IsInf(b-a, 0) {
				next = 0.5*a + 0.5*b
			}
			if next <= lo || next >= hi {
				next = middleFloat(lo, hi)
			}
		}
		fNext := s.at(next)
		switch {
		case math.IsNaN(fNext):
			return s.result(next, fNext, lo, hi, status.Diverged)
		case fNext == 0:
			return s.result(next, 0, next, next, status.Converged)
		case math.Signbit(fNext) == math.Signbit(fa):
			c, fc = a, fa
		default:
			c, fc = b, fb
			b, fb = a, fa
		}
		a, fa = next, fNext
		fraction = interpolate(a, b, c, fa, fb, fc)
	}
}

// interpolate returns where in [a, b] to look next: inverse quadratic
// interpolation if it is monotone there ([C]), else the middle.
func interpolate(a, b, c, fa, fb, fc float64) float64 {
	xi := (a - b) / (c - b)
	phi := (fa - fb) / (fc - fb)
	// Comparisons with NaN (infinite values) fail and bisect.
	if !(phi*phi < xi && (1-phi)*(1-phi) < 1-xi) {
		return 0.5
	}
	fraction := fa/(fb-fa)*(fc/(fb-fc)) + (c-a)/(b-a)*(fa/(fc-fa))*(fb/(fc-fb))
	if !(fraction > 0 && fraction < 1) {
		return 0.5
	}
	return fraction
}

// middleFloat returns the float with half as many floats to either side: it
// bisects over orders of magnitude as over digits.
func middleFloat(lo, hi float64) float64 {
	a, b := ordered(lo), ordered(hi)
	return unordered(a/2 + b/2 + (a%2+b%2)/2)
}

// ordered maps floats to integers, increasing and one step per float.
func ordered(x float64) int64 {
	bits := int64(math.Float64bits(x))
	if bits < 0 {
		return math.MinInt64 - bits
	}
	return bits
}

func unordered(i int64) float64 {
	if i < 0 {
		i = math.MinInt64 - i
	}
	return math.Float64frombits(uint64(i))
}

func clamp(x float64) float64 {
	return max(-math.MaxFloat64, min(math.MaxFloat64, x))
}

func (o Options) normalised() Options {
	if !(o.AbsX >= 0) || !(o.RelX >= 0) || !(o.AbsF >= 0) || o.MaxIterations < 0 {
		panic("root: options must not be negative or NaN")
	}
	if o.AbsX == 0 && o.RelX == 0 {
		o.RelX = defaultRelX
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = defaultMaxIterations
	}
	return o
}
