package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"lamcap/extremes"
	"lamcap/internal/logarithm"
)

// curveLoad is one load of a transition under a fully specified prediction.
type curveLoad struct {
	stored, trials int
	p, q           float64
	weight         int
}

// largestWeight is the integer the largest score weight is rounded to: weights are
// right to 2%, which costs 1e-4 of the power and nothing of the validity. At
// many trials latticeBudget lowers it (5 × 1000 trials: 1e-2 of the power).
const largestWeight = 50

// latticeBudget bounds the multiplications of one convolution (a few ms).
const latticeBudget = 4_000_000

// CurvePValue returns the exact two-sided p-value of all loads of a transition
// together, when theory predicts the whole curve: stored[i] of trials[i] decided
// instances against the probability predicted[i].
//
// The statistic is the score of a shift of the curve along the probit scale,
//
//	T = Σ_i w_i stored_i,    w_i ∝ φ(η_i)/(p_i (1 − p_i)),    η_i = Φ⁻¹(p_i),
//
// locally the most powerful one against a transition of the predicted width at
// another load. The weights are rounded to integers before the data are looked at,
// so the distribution of T is on a lattice and is summed without approximation;
// the p-value is the doubled smaller tail capped at 1, valid at any counts. A wrong
// width leaves T centred and is seen by CurveDeviancePValue.
//
// A prediction of exactly 0 or 1 says nothing when met and gives p = 0 when
// contradicted. Loads without trials do not count; without any trial, or with a NaN
// prediction at a load with trials, there is no test and the result is NaN. It panics
// for slices of different lengths, counts that are not 0 ≤ stored ≤ trials, and
// predictions outside [0, 1].
func CurvePValue(stored, trials []int, predicted []float64) float64 {
	return math.Exp(curveTails(stored, trials, predicted).logTwoSided())
}

// CurveZ returns the normal equivalent of CurvePValue, positive when more is stored
// than predicted; ±Inf when the data are impossible under the prediction.
func CurveZ(stored, trials []int, predicted []float64) float64 {
	return curveTails(stored, trials, predicted).z()
}

// CurveRejects returns how strongly a transition speaks against a named theory that
// predicts the whole curve.
func CurveRejects(theory string, stored, trials []int, predicted []float64) Rejection {
	return newRejection(theory, curveTails(stored, trials, predicted))
}

// curveLoads validates its arguments and drops what cannot contribute. With
// nothing to test, tested is false; impossible is the sign of a contradiction of a
// prediction of 0 or 1.
func curveLoads(stored, trials []int, predicted []float64) (loads []curveLoad, tested bool, impossible int) {
	if len(stored) != len(trials) || len(stored) != len(predicted) {
		panic(fmt.Sprintf("stats: curve: %d stored, %d trials, %d predicted: want equal lengths",
			len(stored), len(trials), len(predicted)))
	}
	for i, n := range trials {
		Proportion{stored[i], n}.check("curve")
		p := checkProbability("curve", predicted[i])
		switch {
		case n == 0:
			continue
		case math.IsNaN(p):
			return nil, false, 0
		case p == 0 && stored[i] > 0:
			impossible = 1
		case p == 1 && stored[i] < n:
			impossible = -1
		case p > 0 && p < 1:
			loads = append(loads, curveLoad{stored: stored[i], trials: n, p: p, q: 1 - p})
		}
		tested = true
	}
	return loads, tested, impossible
}

func curveTails(stored, trials []int, predicted []float64) tails {
	loads, tested, impossible := curveLoads(stored, trials, predicted)
	switch {
	case !tested:
		return tails{math.NaN(), math.NaN()}
	case impossible > 0:
		return tails{lower: 0, upper: math.Inf(-1)}
	case impossible < 0:
		return tails{lower: math.Inf(-1), upper: 0}
	case len(loads) == 0:
		return tails{0, 0}
	}
	setWeights(loads)
	return latticeTails(loads)
}

// setWeights chooses the integer score weights from the prediction alone.
func setWeights(loads []curveLoad) {
	weights := make([]float64, len(loads))
	largest, cells, steps := 0.0, 0.0, 0.0
	for i, c := range loads {
		eta := -mathext.NormalQuantile(c.q)
		if c.p < 0.5 {
			eta = mathext.NormalQuantile(c.p)
		}
		weights[i] = math.Exp(extremes.LogDensity(eta) - logarithm.Natural(c.p) - logarithm.Natural(c.q))
		largest = math.Max(largest, weights[i])
		window := math.Min(float64(c.trials), 24*math.Sqrt(0.25*float64(c.trials)))
		cells += window
		steps += window * cells
	}
	// The convolution costs largest weight × Σ window × range: coarser at large counts.
	scale := math.Max(1, math.Min(largestWeight, math.Floor(latticeBudget/math.Max(1, steps))))
	for i := range loads {
		loads[i].weight = max(1, int(math.Round(scale*weights[i]/largest)))
	}
}

// latticeTails returns both tails of T = Σ w_i X_i, X_i ~ Binomial(trials_i, p_i), at the
// observed value t. The law is tilted exponentially so that t becomes its mean,
//
//	P(T = u) = M(θ) e^{−θu} P_θ(T = u),    p_θ/(1 − p_θ) = e^{θw} p/(1 − p),
//
// an identity [Dan], so far tails come out without underflow.
func latticeTails(loads []curveLoad) tails {
	total := 0
	mean := 0.0
	for _, c := range loads {
		total += c.weight * c.stored
		mean += float64(c.weight) * float64(c.trials) * c.p
	}
	theta := tilt(loads, float64(total))
	law, offset, logM := tiltedLaw(loads, theta)
	at := total - offset
	atom, beyond := 0.0, 0.0
	if at >= 0 && at < len(law) {
		atom = law[at]
	}
	upward := float64(total) >= mean
	for j, v := range law {
		// e^{−θ(u−t)} ≤ 1 on the summed side, where θ has the sign of u − t.
		if (upward && j > at) || (!upward && j < at) {
			beyond += v * math.Exp(-theta*float64(j-at))
		}
	}
	shift := logM - theta*float64(total)
	small := math.Min(0, shift+logarithm.Natural(atom+beyond))
	large := 0.0 // 1 − P(strictly beyond)
	if beyond > 0 {
		large = logarithm.OneMinusExp(math.Min(0, shift+logarithm.Natural(beyond)))
	}
	if upward {
		return tails{lower: large, upper: small}
	}
	return tails{lower: small, upper: large}
}

// tiltedLaw returns the law of T = Σ w_i X_i tilted by θ, P_θ(T = offset + j) = law[j], and
// log M(θ) = log E e^{θT}.
func tiltedLaw(loads []curveLoad, theta float64) (law []float64, offset int, logM float64) {
	law = []float64{1}
	for _, c := range loads {
		logP, logQ := logProbability(c.p, c.q), logProbability(c.q, c.p)
		x := theta*float64(c.weight) + logP - logQ
		p, q := fromLogOdds(x)
		// log(q + p e^{θw})
		logM += float64(c.trials) * (logQ + softplus(x))
		pmf, first := binomialWindow(c.trials, p, q)
		next := make([]float64, len(law)+c.weight*(len(pmf)-1))
		for k, v := range pmf {
			for j, u := range law {
				next[j+k*c.weight] += u * v
			}
		}
		law = next
		offset += c.weight * first
	}
	return law, offset, logM
}

// tilt returns θ with E_θ T = t, of the sign of t − E T, bounded where t is an
// end of the support.
func tilt(loads []curveLoad, t float64) float64 {
	meanAt := func(theta float64) float64 {
		mean := 0.0
		for _, c := range loads {
			x := theta*float64(c.weight) + logProbability(c.p, c.q) - logProbability(c.q, c.p)
			p, _ := fromLogOdds(x)
			mean += float64(c.weight) * float64(c.trials) * p
		}
		return mean
	}
	// Log-odds span ±745; 40 more push every load to its end.
	lo, hi := 0.0, 800.0
	sign := 1.0
	if t < meanAt(0) {
		sign = -1
	}
	for range 60 {
		mid := 0.5 * (lo + hi)
		if sign*(meanAt(sign*mid)-t) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return sign * lo
}

// softplus returns log(1 + e^x).
func softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// binomialWindow returns the probabilities of Binomial(n, p) around its mode, without
// the tails below 1e-40 of the mode, and the first count kept. After tilting the
// observation is at the mean, so what is left out is below 1e-30 of what is summed.
func binomialWindow(n int, p, q float64) (pmf []float64, first int) {
	mode := min(n, int(float64(n+1)*p))
	peak := math.Exp(logBinomialPMF(mode, n, p, q))
	const negligible = 1e-40
	lo, hi := mode, mode
	down := []float64{}
	for v := peak; lo > 0; lo-- {
		v *= float64(lo) / float64(n-lo+1) * (q / p)
		if v < negligible*peak {
			break
		}
		down = append(down, v)
	}
	pmf = make([]float64, 0, len(down)+1)
	for i := len(down) - 1; i >= 0; i-- {
		pmf = append(pmf, down[i])
	}
	pmf = append(pmf, peak)
	for v := peak; hi < n; hi++ {
		v *= float64(n-hi) / float64(hi+1) * (p / q)
		if v < negligible*peak {
			break
		}
		pmf = append(pmf, v)
	}
	return pmf, mode - len(down)
}
