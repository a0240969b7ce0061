package extremes

import (
	"fmt"
	"math"

	"lamcap/internal/faddeeva"
	"lamcap/internal/sum"
)

// Volumes is the law of |A|, the number of competitors above m* in the projection
// of a standard normal vector of R^n onto the winner-take-all cone: the conic
// intrinsic volumes of the polar of that cone.
type Volumes struct {
	// Mass holds v_0, v_1, … up to the last that is kept.
	Mass []float64
	// Error bounds the relative error of each.
	Error float64
}

// leastVolume is where [IntrinsicVolumes] ends the law beyond its mode.
const leastVolume = 1e-60

// IntrinsicVolumes returns the law of |A| (see [Volumes]),
//
//	v_k(n) = P(|A| = k) = C(n−1, k) · a_k · ∫ N(m; 0, 1/(k+1)) Φ(m)^{n−1−k} dm,
//
// with a_k the angles of [LogSimplexAngle], for an integer-valued n, 2 ≤ n ≤
// 10^300. It ends at k = n − 1, or at the first k beyond the mode with v_k below
// 1e-60; below the mode all are kept. Σ_k v_k = 1, v_0 = 1/n, Gauss-Bonnet
// Σ_k (−1)^k v_k = 0 and Σ_k k v_k = D_n are checks, not used. The bound on the
// relative error is 5e-13 at n = 10^6 and 2e-11 at 10^300.
func IntrinsicVolumes(n float64) (Volumes, error) { return NewSimplex().IntrinsicVolumes(n) }

// IntrinsicVolumes is the function of that name, with the angles kept.
func (s *Simplex) IntrinsicVolumes(n float64) (Volumes, error) {
	return s.IntrinsicVolumesDown(n, leastVolume)
}

// IntrinsicVolumesDown is [IntrinsicVolumes] that ends at the first v_k < least
// beyond the mode, for 1e-300 ≤ least ≤ 1e-30: far tails of few facts need more than
// the usual law.
func (s *Simplex) IntrinsicVolumesDown(n, least float64) (Volumes, error) {
	none := Volumes{Error: math.Inf(1)}
	if !(n >= 2 && n <= MaxSize && n == math.Floor(n)) {
		return none, fmt.Errorf("n = %v: want an integer, 2 ≤ n ≤ 1e300", n)
	}
	if !(least >= 1e-300 && least <= 1e-30) {
		return none, fmt.Errorf("least volume = %v: want 1e-300 ≤ least ≤ 1e-30", least)
	}
	var v []float64
	var logChoose sum.Neumaier // log C(n−1, k) − k log(n−1)
	r := n - 1
	logR := newLogarithmOf(r)
	faces := faceIntegrals{r: r, logR: logR}
	worst := 0.0
	for k := 0; float64(k) <= r; k++ {
		kf := float64(k)
		if k > 0 {
			logChoose.Add(math.Log1p(-(kf - 1) / r))
			logChoose.Add(-math.Log(kf))
		}
		logAngle := s.logAngles(k + 1)[k]
		logFace, scale := faces.log(k)
		v = append(v, math.Exp(logChoose.Sum()+logAngle+logFace))
		// Every log is rounded where it is formed, and every factor of the k-fold
		// products (erfcx and its like) is good to a few roundings.
		worst = max(worst, math.Abs(logChoose.Sum())+2*math.Abs(logAngle)+scale+6*kf)
		if k > 1 && v[k] < v[k-1] && v[k] < least {
			break
		}
	}
	return Volumes{Mass: v, Error: 0x1p-53 * (16 + worst)}, nil
}

// logarithmOf is the log of a positive number in two parts.
type logarithmOf struct{ high, low float64 }

func newLogarithmOf(x float64) logarithmOf {
	// log 2 in two parts, the first with 12 trailing zeros so that its multiples
	// by exponents are exact.
	const ln2High, ln2Low = 0x1.62e42fefa3p-1, 0x1.3de6af278ece6p-42
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	a, b := float64(exponent)*ln2High, math.Log(fraction)
	high := a + b
	low := (a - high) + b
	if math.Abs(a) < math.Abs(b) {
		low = (b - high) + a
	}
	return logarithmOf{high, low + float64(exponent)*ln2Low}
}

// faceIntegrals evaluates r^k ∫ N(m; 0, 1/(k+1)) Φ(m)^{r−k} dm for k = 0, 1, …
// by the trapezoidal rule. The grid is shared by a block of k, so that the
// expensive log Φ is computed once a node.
//
// With log r of 690 and m of 37 every factor of the integrand is of order
// e^{±700 k}, of which next to nothing is left: λ = log r − m²/2 is formed
// exactly to a rounding, and all else from it.
type faceIntegrals struct {
	r    float64
	logR logarithmOf

	end      int // the block ends before this k
	step     float64
	origin   float64
	up, down []faceNode // nodes at origin + j·step for j ≥ 0 and j < 0
	peak     int        // index of the largest term for the last k
}

type faceNode struct {
	halfSquare float64 // m²/2
	lambda     float64 // log r − m²/2
	logCDF     float64 // log Φ(m)
	power      float64 // r log Φ(m)
}

// log returns the log of the integral and the size of the terms that cancelled in
// it. k must not fall from call to call.
func (f *faceIntegrals) log(k int) (value, scale float64) {
	kf := float64(k)
	if rest := f.r - kf; rest == 0 {
		return kf * (f.logR.high + f.logR.low), kf * f.logR.high // a normal density
	}
	if k >= f.end {
		f.startBlock(k)
	}
	exponent := func(j int) float64 {
		n := f.node(j)
		return kf*n.lambda + (n.power - kf*n.logCDF) - n.halfSquare
	}
	top := exponent(f.peak)
	for _, direction := range []int{-1, 1} {
		for {
			next := exponent(f.peak + direction)
			if !(next > top) {
				break
			}
			f.peak, top = f.peak+direction, next
		}
	}
	const negligible = -42 // e^{-42} = 6e-19
	total := 1.0
	for _, direction := range []int{-1, 1} {
		for j := f.peak + direction; ; j += direction {
			e := exponent(j) - top
			if e < negligible {
				break
			}
			total += math.Exp(e)
		}
	}
	n := f.node(f.peak)
	scale = kf*math.Abs(n.lambda) + math.Abs(n.power) + n.halfSquare
	return math.Log(total*f.step) + top + (math.Log(kf+1)-log2Pi)/2, scale
}

// startBlock lays the grid for k up to twice this one.
func (f *faceIntegrals) startBlock(k int) {
	f.end = 2*k + 4
	last := math.Min(float64(f.end-1), f.r)
	_, width := f.shape(last)
	// In u = −log r Q(m) the integrand is e^{−(k+1)u − e^{−u}} at large n, whose
	// Fourier transform Γ(k + 1 + iy) the step 2π/y must leave below 1e-16: y = 24
	// for k = 0, 8.7 √k for large k. Near-Gaussian integrands need less.
	f.step = onGrid(0.62 * width * math.Sqrt((last+1)/(last+8)))
	peak, _ := f.shape(float64(k))
	f.origin = onGrid(peak)
	f.up, f.down, f.peak = f.up[:0], f.down[:0], 0
}

// onGrid rounds to a multiple of 2^{−40}, so that nodes m < 64 are not rounded: at
// m = 37 and k = 2000 the integrand changes by 1e-11 from one float64 to the next.
func onGrid(m float64) float64 { return math.RoundToEven(m*0x1p40) * 0x1p-40 }

// shape returns where the integrand for k is largest, to a few digits, and its
// width there.
func (f *faceIntegrals) shape(k float64) (peak, width float64) {
	rest, precision := f.r-k, k+1
	if rest <= 0 {
		return 0, 1 / math.Sqrt(precision)
	}
	lo, hi := 0.0, 1+math.Sqrt(2*math.Log(rest+1))
	for hi-lo > 1e-3/(1+hi) {
		peak = (lo + hi) / 2
		if rest*Hazard(-peak) > precision*peak {
			lo = peak
		} else {
			hi = peak
		}
	}
	h := Hazard(-peak)
	return peak, 1 / math.Sqrt(precision+rest*h*(h+peak))
}

func (f *faceIntegrals) node(j int) *faceNode {
	side, i := &f.up, j
	if j < 0 {
		side, i = &f.down, -1-j
	}
	for len(*side) <= i {
		next := len(*side)
		if j < 0 {
			next = -1 - next
		}
		*side = append(*side, f.newNode(f.origin+float64(next)*f.step))
	}
	return &(*side)[i]
}

func (f *faceIntegrals) newNode(m float64) faceNode {
	square := float64(m * m)
	low := math.FMA(m, m, -square)
	lambda := (f.logR.high - square/2) + (f.logR.low - low/2)
	n := faceNode{halfSquare: square/2 + low/2, lambda: lambda}
	if m < 5 {
		n.logCDF = LogCDF(m)
		n.power = f.r * n.logCDF
		return n
	}
	// Q(m) = ½ e^{−m²/2} erfcx(m/√2) < 3e-7, and log(1 − Q) by its series.
	half := faddeeva.Erfcx(m/math.Sqrt2) / 2
	q := half * math.Exp(-n.halfSquare)
	series := -(1 + q/2 + q*q/3)
	n.logCDF = q * series
	n.power = half * math.Exp(lambda) * series
	return n
}
