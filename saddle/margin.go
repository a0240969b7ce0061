package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// MaxMargin is the largest margin with which a memory stores its facts, at score
// level.
type MaxMargin struct {
	// Margin is K*, the largest min over inputs and competitors of (S_correct −
	// S_ρ)/‖W‖.
	Margin float64
	// Cone is the cone with that margin; its laws are those of the normalised
	// scores of the solution.
	Cone extremes.MarginCone
	// CorrectMean and CorrectStd are mean and standard deviation of the correct
	// score, Active the mean number of competitors that end at distance K* from
	// it, per input.
	CorrectMean, CorrectStd, Active float64
	// Bounds on their errors, that of Margin included: m* moves by at most as much
	// as K, so the mean and the standard deviation do, and E|A| by E(m* + K) of it.
	CorrectMeanError, CorrectStdError, ActiveError float64
	Residual                                       float64 // p·D_n(K*)/N_eff − 1 at the returned margin
	Error                                          float64 // bound on Margin, from the residual and the bound on D_n
	Status                                         status.Status
}

// Margin returns the largest margin at which a memory with the given number of
// weights stores p facts among n candidates each, the solution of
//
//	p · D_n(K*) = N_eff,   D_n(K) = E dist²(g, C_n^K),   dD_n/dK = 2 E(m* + K),
//
// for 0 < weights, p ≤ 10^300, 2 ≤ n ≤ 10^300 and p below capacity: an error says
// that there is no margin above it, and where it is. A load so small that the
// margin exceeds 10^150 is refused.
//
// This is the score level, d → ∞. At finite d lengths have corrections that it
// lacks (competitors' variance 1 + (s_0² − 1)/d, norms of embeddings): at d = 24 the
// largest margins of Gaussian instances are about 20% smaller (10 to 13% with
// embeddings of norm √d), the mean of the correct score 10 to 14%, and its standard
// deviation is 1.5 to 1.9 times as large. At capacity, K* = 0, lengths do not
// matter; that a target may lie inside the hull of its competitors
// ([Transition.Decoupled]) is not in it.
func Margin(weights, p, n float64) (MaxMargin, error) {
	none := MaxMargin{Margin: math.NaN(), CorrectMean: math.NaN(), CorrectStd: math.NaN(), Active: math.NaN(), Residual: math.NaN(), Error: math.Inf(1)}
	if err := checkWeights(weights); err != nil {
		return none, err
	}
	if !(p > 0 && p <= extremes.MaxSize) {
		return none, fmt.Errorf("p = %v: want 0 < p ≤ 1e300", p)
	}
	perFact := weights / p
	d, err := extremes.ConeDimension(n)
	if err != nil {
		return none, err
	}
	if !d.Status.OK() {
		none.Status = d.Status
		return none, fmt.Errorf("n = %v: D_n was not computed (%v)", n, d.Status)
	}
	// D_n(K) ≥ K²/2, which n = 2 attains.
	if limit := extremes.MaxMargin * extremes.MaxMargin / 4; !(perFact <= limit) {
		return none, fmt.Errorf("p = %v: want p ≥ weights/%.3g: the margin of fewer is above 1e150", p, limit)
	}
	if perFact < d.Value-d.Error {
		return none, noMargin(weights, p, n, d.Value)
	}
	cone := extremes.MarginCone{N: n}
	// D_n(K) is convex, so Newton's method comes down on K* from the right after
	// its first step; the start is to the left, for E(m* + K) grows slower than K.
	start, err := cone.Moments()
	if err != nil {
		return none, err
	}
	room := math.Max(0, perFact-d.Value)
	rise := start.LevelMean.Value
	k := room / (rise + math.Sqrt(rise*rise+room))
	for range 60 {
		cone.Margin = math.Min(k, extremes.MaxMargin)
		m, err := cone.Moments()
		if err != nil {
			return none, err
		}
		slope := 2 * (m.LevelMean.Value + cone.Margin)
		excess := m.Dimension.Value - perFact
		if math.IsNaN(excess) {
			none.Status = status.Diverged
			return none, fmt.Errorf("weights = %v, p = %v, n = %v: D_n(K) was not computed at K = %v", weights, p, n, cone.Margin)
		}
		uncertain := m.Dimension.Error + 0x1p-52*perFact
		step := -excess / slope
		// A margin of 0 at capacity is bounded by the uncertainty of D_n.
		done := math.Abs(excess) <= uncertain || math.Abs(step) <= 0x1p-52*k
		if done {
			out := solutionOf(cone, m)
			out.Residual = excess / perFact
			return out.Moved((math.Abs(excess)+uncertain)/slope + 0x1p-52*cone.Margin), nil
		}
		none.Residual = excess / perFact
		k = math.Max(0, k+step)
	}
	none.Status = status.MaxIterations
	return none, fmt.Errorf("weights = %v, p = %v, n = %v: p·D_n(K) = weights was not solved (%v)", weights, p, n, none.Status)
}

// MarginSolution describes the scores of the solution of a given margin, without
// error in it: the inverse question, where [FactsAtMargin] gave the load.
func MarginSolution(cone extremes.MarginCone) (MaxMargin, error) {
	m, err := cone.Moments()
	return solutionOf(cone, m), err
}

func solutionOf(cone extremes.MarginCone, m extremes.MarginMoments) MaxMargin {
	deviation := math.Sqrt(m.LevelVariance.Value)
	// √(v + e) − √v is below both √e and e/√v.
	deviationError := math.Sqrt(m.LevelVariance.Error)
	if deviation > deviationError {
		deviationError *= deviationError / deviation
	}
	return MaxMargin{
		Margin:           cone.Margin,
		Cone:             cone,
		CorrectMean:      m.LevelMean.Value + cone.Margin,
		CorrectStd:       deviation,
		Active:           m.Active.Value,
		CorrectMeanError: m.LevelMean.Error + 0x1p-52*cone.Margin,
		CorrectStdError:  deviationError,
		ActiveError:      m.Active.Error,
		Status:           worstOf(m.Active.Status, m.LevelMean.Status),
	}
}

// Moved widens all bounds by an uncertainty of the margin, such as that of a
// sampled N_eff: δN/(2 p E(m* + K)).
func (k MaxMargin) Moved(by float64) MaxMargin {
	k.Error += by
	k.CorrectMeanError += by
	k.CorrectStdError += by
	k.ActiveError += k.CorrectMean * by
	return k
}

// noMargin says that p facts are too many.
func noMargin(weights, p, n, dimension float64) error {
	critical := weights / dimension
	if n == p {
		if c, err := CriticalFacts(weights); err == nil {
			critical = c.Facts
		}
	}
	return fmt.Errorf("p = %v: no margin above capacity: want p ≤ p_c = %.10g (%v weights, %v candidates)", p, critical, weights, candidates(n, p))
}

func candidates(n, p float64) any {
	if n == p {
		return "n = p"
	}
	return n
}

func checkWeights(weights float64) error {
	if !(weights > 0 && weights <= extremes.MaxSize) {
		return fmt.Errorf("weights = %v: want 0 < weights ≤ 1e300", weights)
	}
	return nil
}

func checkMargin(margin float64) error {
	if !(margin >= 0 && margin <= extremes.MaxMargin) {
		return fmt.Errorf("margin = %v: want 0 ≤ margin ≤ 1e150", margin)
	}
	return nil
}

func worstOf(a, b status.Status) status.Status {
	if !a.OK() {
		return a
	}
	return b
}

// FactsAtMarginAmong returns how many facts with n candidates each can be stored
// with a normalised margin, p = N_eff/D_n(K), for margins from 0 (capacity) to
// 10^150; [Margin] is its inverse, at score level like it.
func FactsAtMarginAmong(weights, n, margin float64) (Critical, error) {
	none := noCritical()
	if err := checkWeights(weights); err != nil {
		return none, err
	}
	if err := checkMargin(margin); err != nil {
		return none, err
	}
	d, err := marginDimension(n, margin)
	if err != nil {
		return none, err
	}
	return criticalAmong(weights, d), nil
}

func marginDimension(n, margin float64) (extremes.Value, error) {
	if margin == 0 {
		return extremes.ConeDimension(n)
	}
	m, err := extremes.MarginCone{N: n, Margin: margin}.Moments()
	return m.Dimension, err
}

// FactsAtMargin returns how many facts can be stored with a normalised margin,
// with as many candidates as facts, the solution of
//
//	p · D_p(K) = N_eff,   p ≥ 2.
//
// Margins at which two facts are too many get an error that says so.
func FactsAtMargin(weights, margin float64) (Critical, error) {
	none := noCritical()
	if err := checkWeights(weights); err != nil {
		return none, err
	}
	if err := checkMargin(margin); err != nil {
		return none, err
	}
	if margin == 0 {
		return CriticalFacts(weights)
	}
	dimension := remembered(func(n float64) (extremes.Value, error) { return marginDimension(n, margin) })
	two := dimension(2)
	if 2*two.Value > weights {
		return none, fmt.Errorf("margin = %v: two facts take %.10g of %v weights with it: want a smaller margin or more weights", margin, 2*two.Value, weights)
	}
	e := factsEquation{weights: weights, least: 2, used: func(p float64) extremes.Value {
		return extremes.BetweenSizes(p, dimension)
	}}
	// D_p(K) increases with p from D_2(K).
	hi := math.Min(math.Log(weights)-math.Log(two.Value), math.Log(extremes.MaxSize))
	return e.solve(math.Ln2, hi+1e-9, fmt.Sprintf("weights = %v, margin = %v", weights, margin))
}
