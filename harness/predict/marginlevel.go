package predict

import (
	"fmt"
	"math"

	"lamcap/harness/pattern"
	"lamcap/saddle"
	"lamcap/saddle/vector"
)

// level checks and returns the level of margins.
func (q MarginQuery) level() (string, error) {
	switch q.Level {
	case "":
		return ScoreLevel, nil
	case ScoreLevel, VectorLevel, CorrectedLevel:
		return q.Level, nil
	}
	return "", fmt.Errorf("level = %s: want %s, %s or %s", q.Level, ScoreLevel, VectorLevel, CorrectedLevel)
}

// margin is the solution at the level asked for, with the uncertainty of N_eff in it.
func (q MarginQuery) margin(m Memory, weights, spread, p, n float64) (saddle.MaxMargin, error) {
	level, err := q.level()
	if err != nil {
		return saddle.MaxMargin{}, err
	}
	switch level {
	case VectorLevel:
		return q.vectorMargin(m, weights, spread, p, n)
	case CorrectedLevel:
		return q.correctedMargin(m, weights, spread, p, n)
	}
	k, err := saddle.Margin(weights, p, n)
	// dK/dN = 1/(p dD/dK), dD/dK = 2 E(m* + K).
	return k.Moved(spread / (2 * p * k.CorrectMean)), err
}

// correctedMargin is that of vectors without draws, which has no scores.
func (q MarginQuery) correctedMargin(m Memory, weights, spread, p, n float64) (saddle.MaxMargin, error) {
	dIn := math.Inf(1)
	if q.Keys == pattern.Gaussian {
		dIn = float64(m.In)
	}
	solve := func(weights float64) (saddle.VectorMargin, error) {
		return saddle.MarginOfKeys(weights, p, n, float64(m.Out), dIn, q.Values)
	}
	v, err := solve(weights)
	if err != nil {
		return saddle.MaxMargin{}, err
	}
	k := saddle.MaxMargin{
		Margin: v.Margin, Error: v.Error, Residual: v.Residual, Status: v.Status,
		CorrectMean: math.NaN(), CorrectStd: math.NaN(),
		Active: v.Active, ActiveError: v.ActiveError,
	}
	if spread == 0 {
		return k, nil
	}
	moved, err := solve(weights + spread)
	k.Error += moved.Margin - v.Margin
	k.ActiveError += math.Abs(moved.Active - v.Active)
	return k, err
}

// vectorMargin is that of vectors drawn.
func (q MarginQuery) vectorMargin(m Memory, weights, spread, p, n float64) (saddle.MaxMargin, error) {
	e := vector.Ensemble{DOut: m.Out, Values: q.Values, Keys: q.Keys, KeyDimension: m.In, Seed: q.Seed}
	if q.Keys == pattern.Sphere {
		e.KeyDimension = 0
	}
	v, err := vector.Margin(weights, p, n, e, vector.Precision{Target: q.Precision, MaxDraws: maxMarginDraws})
	if err != nil {
		return saddle.MaxMargin{}, err
	}
	k := saddle.MaxMargin{
		Margin: v.Margin.Value, Error: v.Margin.Error, Residual: v.Residual, Status: v.Status,
		CorrectMean: v.CorrectMean.Value, CorrectMeanError: v.CorrectMean.Error,
		CorrectStd: v.CorrectStd.Value, CorrectStdError: v.CorrectStd.Error,
		Active: v.Active.Value, ActiveError: v.Active.Error,
	}
	if spread == 0 {
		return k, nil
	}
	// dD/dK = 2 E Σx with D = E|A| + K E Σx.
	return k.Moved(spread * k.Margin / (2 * math.Abs(weights-p*k.Active))), nil
}

// maxMarginDraws is the budget of a row.
const maxMarginDraws = 1 << 17

// errorKind says what the errors of a margin are.
func (q MarginQuery) errorKind() string {
	switch level, _ := q.level(); {
	case level == VectorLevel:
		return standardError
	case level == CorrectedLevel && !q.exact():
		return "estimate"
	}
	return errorBound
}

// exact says whether the corrected level is, for d_in → ∞ at the given lengths.
func (q MarginQuery) exact() bool { return q.Keys == pattern.Sphere && q.Values == pattern.Gaussian }

// notes are what the table says of its level.
func (q MarginQuery) notes() []string {
	switch level, _ := q.level(); level {
	case VectorLevel:
		return []string{fmt.Sprintf("Vector level, exact for d_in → ∞: keys %v, values %v; ± are standard errors. Trained DP: 1%% lower at d = 24.", q.Keys, q.Values)}
	case CorrectedLevel:
		accuracy := "exact for d_in → ∞; ± is a bound."
		switch {
		case q.exact():
		case q.Values == pattern.Gaussian:
			accuracy = "exact for d_in → ∞; ± estimates quadrature."
		default:
			accuracy = "first order in 1/d_out; ± estimates what is left out."
		}
		return []string{
			fmt.Sprintf("Vector level without draws: keys %v, values %v: %s", q.Keys, q.Values, accuracy),
			"Scores are not known there (--level vector has them). Trained DP: 1% lower at d = 24.",
		}
	}
	return []string{levelNote}
}
