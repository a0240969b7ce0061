package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"lamcap/extremes"
)

// hillDegrees is the number of degrees of freedom from which Hill's normal
// transformation replaces the incomplete beta function, which loses digits there in
// gonum (1e-10 at 1e5 degrees). Its own error grows with t²/ν and is below 1e-12 in
// log P up to hillRatio.
const (
	hillDegrees = 1000
	hillRatio   = 0.1
)

// logStudentTwoSided returns log P(|T| ≥ |t|) for Student's t with ν > 0 degrees of
// freedom (+Inf: the normal law), accurate in tails below the smallest float64.
func logStudentTwoSided(t, degrees float64) float64 {
	t = math.Abs(t)
	if math.IsNaN(t) || math.IsNaN(degrees) {
		return math.NaN()
	}
	if math.IsInf(t, 1) {
		return math.Inf(-1)
	}
	r := t / math.Sqrt(degrees)
	if degrees >= hillDegrees && r*r <= hillRatio {
		return math.Min(0, math.Ln2+extremes.LogSurvival(hill(t, degrees)))
	}
	// P = I_x(ν/2, 1/2) with x = 1/(1 + r²), written to survive r² overflowing.
	logX := -math.Log1p(r * r)
	if r > 1e150 {
		logX = -2 * math.Log(r)
	}
	a, x := 0.5*degrees, math.Exp(logX)
	if degrees < hillDegrees {
		if p := mathext.RegIncBeta(a, 0.5, x); p > 1e-250 {
			return math.Min(0, math.Log(p))
		}
	}
	// Far tail: I_x(a, b) = x^a (1−x)^b/(a B(a,b)) Σ_k (a+b)_k/(a+1)_k x^k. Here x < 0.91 (by
	// hillRatio, or by the underflow with a < 500), so a few hundred terms are enough.
	sum, term := 1.0, 1.0
	for k := 0.0; term > 1e-17*sum; k++ {
		term *= (a + 0.5 + k) / (a + 1 + k) * x
		sum += term
	}
	return a*logX + 0.5*math.Log1p(-x) - math.Log(a) - mathext.Lbeta(a, 0.5) + math.Log(sum)
}

// hill maps t to the normal deviate with the same tail [Hill, Algorithm 395].
func hill(t, degrees float64) float64 {
	if math.IsInf(degrees, 1) {
		return t
	}
	a := degrees - 0.5
	b := 48 * a * a
	z2 := a * math.Log1p(t*t/degrees)
	z := math.Sqrt(z2)
	return z + z*((z2+3)/b-(((4*z2+33)*z2+240)*z2+855)/(10*b*(b+0.8*z2*z2+100)))
}

// studentQuantile returns t with P(|T| ≤ t) = level.
func studentQuantile(level, degrees float64) float64 {
	target := math.Log1p(-level)
	hi := 1.0
	for logStudentTwoSided(hi, degrees) > target {
		hi *= 2
	}
	lo := 0.0
	if hi > 1 {
		lo = hi / 2
	}
	for range 60 {
		mid := 0.5 * (lo + hi)
		if logStudentTwoSided(mid, degrees) > target {
			lo = mid
		} else {
			hi = mid
		}
	}
	return 0.5 * (lo + hi)
}
