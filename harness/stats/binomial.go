package stats

import (
	"math"

	"lamcap/extremes"
	"lamcap/internal/logarithm"
)

// logBinomialPMF returns log P(X = k) for X ~ Binomial(n, p), q = 1 − p given
// apart so that p near 1 loses nothing. Loader's deviance form [Loa]: relative
// error of a few units of round-off at any n, where log-gamma differences lose
// digits like n log n.
func logBinomialPMF(k, n int, p, q float64) float64 {
	switch {
	case k < 0 || k > n:
		return math.Inf(-1)
	case p == 0:
		return boolLog(k == 0)
	case q == 0:
		return boolLog(k == n)
	case k == 0:
		return float64(n) * logProbability(q, p)
	case k == n:
		return float64(n) * logProbability(p, q)
	}
	x, m, y := float64(k), float64(n), float64(n-k)
	return stirlingError(n) - stirlingError(k) - stirlingError(n-k) -
		deviance(x, m*p) - deviance(y, m*q) + 0.5*math.Log(m/(2*math.Pi*x*y))
}

func boolLog(certain bool) float64 {
	if certain {
		return 0
	}
	return math.Inf(-1)
}

// logProbability returns log p from p and its complement.
func logProbability(p, complement float64) float64 {
	if complement < 0.5 {
		return math.Log1p(-complement)
	}
	return logarithm.Natural(p)
}

// stirlingError returns log n! − log(√(2πn) (n/e)^n).
func stirlingError(n int) float64 {
	if n == 0 {
		return 0
	}
	x := float64(n)
	if n < 16 { // small terms: the difference is exact to 1e-15
		factorial := 1.0
		for i := 2; i <= n; i++ {
			factorial *= float64(i)
		}
		return math.Log(factorial) - (x+0.5)*math.Log(x) + x + extremes.LogDensity(0)
	}
	// Stirling's series; the next term is below 2e-16 at n = 16.
	y := 1 / (x * x)
	return (1./12 - y*(1./360-y*(1./1260-y*(1./1680-y*(1./1188-y*(691./360360)))))) / x
}

// deviance returns x log(x/m) + m − x, without cancellation when x ≈ m.
func deviance(x, m float64) float64 {
	if math.Abs(x-m) >= 0.1*(x+m) {
		return x*(math.Log(x)-logarithm.Natural(m)) + m - x
	}
	// log(x/m) = 2 artanh v with v = (x−m)/(x+m).
	v := (x - m) / (x + m)
	sum, term := (x-m)*v, 2*x*v
	for j := 3.0; ; j += 2 {
		term *= v * v
		next := sum + term/j
		if next == sum {
			return sum
		}
		sum = next
	}
}

// logBinomialUpper returns log P(X ≥ k) for X ~ Binomial(n, p), q = 1 − p.
func logBinomialUpper(k, n int, p, q float64) float64 {
	if k <= 0 {
		return 0
	}
	if k > n {
		return math.Inf(-1)
	}
	if float64(k) >= float64(n)*p {
		return logBinomialTailSum(k, n, p, q)
	}
	return logarithm.OneMinusExp(logBinomialTailSum(n-k+1, n, q, p))
}

// logBinomialTailSum sums P(X ≥ k) term by term for k ≥ n p, where the terms
// decrease and are all positive.
func logBinomialTailSum(k, n int, p, q float64) float64 {
	first := logBinomialPMF(k, n, p, q)
	if math.IsInf(first, -1) {
		return first
	}
	sum, term := 1.0, 1.0
	for j := k; j < n; j++ {
		term *= float64(n-j) / float64(j+1) * (p / q)
		sum += term
		if term < 1e-17*sum {
			break
		}
	}
	return math.Min(0, first+math.Log(sum))
}

// binomialTails returns both tails of the observation k.
func binomialTails(k, n int, p, q float64) tails {
	return tails{lower: logBinomialUpper(n-k, n, q, p), upper: logBinomialUpper(k, n, p, q)}
}
