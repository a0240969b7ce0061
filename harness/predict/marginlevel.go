package predict

import (
	"fmt"
	"math"

	"lamcap/harness/pattern"
	"lamcap/saddle"
	"lamcap/saddle/vector"
)

// vectorLevel says whether margins are those of the vector level.
func (q MarginQuery) vectorLevel() (bool, error) {
	switch q.Level {
	case "", "score":
		return false, nil
	case "vector":
		return true, nil
	}
	return false, fmt.Errorf("level = %s: want score or vector", q.Level)
}

// margin is the solution at the level asked for, with the uncertainty of N_eff in it.
func (q MarginQuery) margin(m Memory, weights, spread, p, n float64) (saddle.MaxMargin, error) {
	isVector, err := q.vectorLevel()
	if err != nil {
		return saddle.MaxMargin{}, err
	}
	if !isVector {
		k, err := saddle.Margin(weights, p, n)
		// dK/dN = 1/(p dD/dK), dD/dK = 2 E(m* + K).
		return k.Moved(spread / (2 * p * k.CorrectMean)), err
	}
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
	if isVector, _ := q.vectorLevel(); isVector {
		return "standard_error"
	}
	return "bound"
}

// note is what the table says of its level.
func (q MarginQuery) note() string {
	if isVector, _ := q.vectorLevel(); isVector {
		return fmt.Sprintf("Vector level, exact for d_in → ∞: keys %v, values %v; ± are standard errors. Trained DP is some 1%% lower at d = 24.", q.Keys, q.Values)
	}
	return levelNote
}
