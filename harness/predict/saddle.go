package predict

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/pattern"
	"lamcap/harness/table"
	"lamcap/internal/status"
	"lamcap/quartercircle"
	"lamcap/saddle"
	"lamcap/saddle/vector"
)

// Levels of a prediction of trained memories.
const (
	ScoreLevel     = "score"     // d → ∞ at a fixed load
	VectorLevel    = "vector"    // finite d_out, d_in → ∞
	CorrectedLevel = "corrected" // score level with its first correction in 1/d_out
)

// Levels returns the names of the levels.
func Levels() []string { return []string{ScoreLevel, VectorLevel, CorrectedLevel} }

// SaddleQuery says which trainings to tabulate.
type SaddleQuery struct {
	Memories   []Memory
	Facts      []float64
	Candidates float64   // n; 0 means n = p
	Ridges     []float64 // λ of Σ ℓ + (λ/2)‖W‖², a row for each; empty means 0
	Loss       saddle.Loss
	Level      string
	Keys       pattern.Embedding
	Values     pattern.Embedding
	// Precision and Seed are those of the draws at the vector level: the standard
	// error to reach, relative, 0 for the default.
	Precision float64
	Seed      uint64
}

// trained is a prediction of any level.
type trained struct {
	phase                   saddle.Phase
	accuracy, loss          extremes.Value
	norm, chi               extremes.Value
	correctMean, correctStd extremes.Value
	largestMean, largestStd extremes.Value
	normalised              bool
	residual                float64
	status                  status.Status
	errorKind               string // what the errors are
	draws                   int    // of a Monte Carlo
	failure                 string // why there are no numbers
}

// Kinds of errors.
const (
	errorBound    = "bound"
	standardError = "standard_error"
	errorEstimate = "estimate" // of what an expansion leaves out
)

// solver predicts one training of a memory with the given effective weights.
type solver func(q SaddleQuery, m Memory, t saddle.Training) (trained, error)

func (q SaddleQuery) solver() (solver, error) {
	switch q.Level {
	case ScoreLevel, "":
		return scoreTrained, nil
	case VectorLevel:
		return vectorTrained, nil
	case CorrectedLevel:
		return correctedTrained, nil
	}
	return nil, fmt.Errorf("level = %s: want %s, %s or %s", q.Level, ScoreLevel, VectorLevel, CorrectedLevel)
}

func (q SaddleQuery) level() string {
	if q.Level == "" {
		return ScoreLevel
	}
	return q.Level
}

// ofTrained is the prediction in a result of package saddle.
func ofTrained(s saddle.Trained) trained {
	return trained{phase: s.Phase, accuracy: s.Accuracy, loss: s.Loss, norm: s.Norm, chi: s.Chi,
		correctMean: s.CorrectMean, correctStd: s.CorrectStd, largestMean: s.LargestMean, largestStd: s.LargestStd,
		normalised: s.Normalised, residual: s.Residual, status: s.Status, errorKind: errorBound}
}

func scoreTrained(_ SaddleQuery, _ Memory, t saddle.Training) (trained, error) {
	s, err := saddle.SolveTraining(t)
	return ofTrained(s), err
}

func correctedTrained(q SaddleQuery, m Memory, t saddle.Training) (trained, error) {
	s, err := saddle.TrainingCorrection{DOut: float64(m.Out), Values: q.Values, DIn: float64(m.In), Keys: q.Keys}.Solve(t)
	out := ofTrained(s)
	out.errorKind = errorEstimate
	return out, err
}

func vectorTrained(q SaddleQuery, m Memory, t saddle.Training) (trained, error) {
	s, err := q.vectors(m, t)
	return ofVectors(s), err
}

// vectors solves one training at vector level.
func (q SaddleQuery) vectors(m Memory, t saddle.Training) (vector.Trained, error) {
	return vector.Solve(vector.Training{
		Training:  t,
		Ensemble:  vector.Ensemble{DOut: m.Out, Values: q.Values, Keys: q.Keys, KeyDimension: m.In, Seed: q.Seed},
		Precision: vector.Precision{Target: q.Precision},
	})
}

// ofVectors is the prediction in a result of package vector.
func ofVectors(s vector.Trained) trained {
	return trained{phase: s.Phase, accuracy: s.Accuracy, loss: s.Loss, norm: s.Norm, chi: s.Chi,
		correctMean: s.CorrectMean, correctStd: s.CorrectStd, largestMean: s.LargestMean, largestStd: s.LargestStd,
		normalised: s.Normalised, residual: s.Residual, status: s.Status, errorKind: standardError, draws: s.Draws}
}

// values lists the numbers of a prediction, by column.
func (s *trained) values() []*extremes.Value {
	return []*extremes.Value{&s.accuracy, &s.loss, &s.norm, &s.chi, &s.correctMean, &s.correctStd, &s.largestMean, &s.largestStd}
}

// saddleColumns has a value and its error for each of trained.values.
func saddleColumns() []table.Column {
	columns := []table.Column{
		{Key: "d_in"}, {Key: "d_out"}, {Key: "rank", Head: "m"},
		{Key: "n_eff", Head: "N_eff", Digits: 6, Hidden: true},
		{Key: "n_eff_error", Head: "± (N_eff)", Digits: 2, Hidden: true},
		{Key: "p"}, {Key: "n"},
		{Key: "ridge", Hidden: true},
		{Key: "loss_function", Hidden: true},
		{Key: "level", Hidden: true},
		{Key: "keys_embedding", Hidden: true}, {Key: "values_embedding", Hidden: true},
		{Key: "phase"},
	}
	for _, v := range []table.Column{
		{Key: "accuracy", Digits: 6}, {Key: "loss", Digits: 6}, {Key: "norm", Head: "‖W‖", Digits: 6}, {Key: "chi", Head: "χ", Digits: 6, Hidden: true},
		{Key: "correct_mean", Head: "correct score", Digits: 5}, {Key: "correct_std", Head: "its std", Digits: 5},
		{Key: "largest_mean", Head: "largest wrong", Digits: 5}, {Key: "largest_std", Head: "its std", Digits: 5},
	} {
		columns = append(columns, v, table.Column{Key: v.Key + "_error", Head: "± (" + v.Key + ")", Digits: 2, Hidden: true})
	}
	return append(columns,
		table.Column{Key: "normalised", Hidden: true},
		table.Column{Key: "error_kind", Hidden: true},
		table.Column{Key: "draws", Hidden: true},
		table.Column{Key: "seed", Hidden: true},
		table.Column{Key: "residual", Digits: 2, Hidden: true},
		table.Column{Key: "status", Hidden: true})
}

// Saddles returns a table with a row for each memory and number of facts: what
// training to the minimum of the loss reaches, below and beyond capacity.
func Saddles(q SaddleQuery) (*table.Table, error) {
	if len(q.Memories) == 0 || len(q.Facts) == 0 {
		return nil, fmt.Errorf("want at least one memory and one number of facts, got %d and %d", len(q.Memories), len(q.Facts))
	}
	t := &table.Table{Name: "saddle", Columns: saddleColumns()}
	c := caveats{transition: saddle.NewTransition()}
	var seen phases
	ridges := false
	err := q.each(func(m Memory, weights quartercircle.Estimate, training saddle.Training, s trained) error {
		row := []any{m.In, m.Out, m.rank(), weights.Value, spread(weights), training.Facts, training.Candidates,
			training.Ridge, q.Loss.String(), q.level(), q.Keys.String(), q.Values.String(), s.phase.String()}
		for _, v := range s.values() {
			row = append(row, v.Value, v.Error)
		}
		t.Append(append(row, s.normalised, s.errorKind, s.draws, q.seed(), s.residual, s.status)...)
		seen.see(s)
		ridges = ridges || training.Ridge > 0
		_, err := c.see(m, training.Facts, math.Max(2, math.Round(training.Candidates)))
		return err
	})
	if err != nil {
		return nil, err
	}
	show(t, "ridge", ridges)
	if q.level() != ScoreLevel { // errors that matter
		for _, key := range []string{"accuracy_error", "loss_error", "norm_error", "correct_mean_error"} {
			show(t, key, true)
		}
	}
	t.Notes = append(q.notes(seen), seen.failures...)
	if q.level() == VectorLevel {
		c.hulls = false // its pools have them
	}
	t.Notes = append(t.Notes, c.notes("")...)
	return t, nil
}

// seed is that of the draws; missing where nothing is drawn.
func (q SaddleQuery) seed() any {
	if q.level() != VectorLevel {
		return nil
	}
	return q.Seed
}

// phases says what the rows of a table are about.
type phases struct {
	normalised bool     // some are the max-margin limit
	beyond     bool     // some are beyond capacity, without a ridge
	zero       bool     // some are W = 0
	small      bool     // of some, scores nearly agree
	failures   []string // points that were not found
}

func (p *phases) see(s trained) {
	p.normalised = p.normalised || s.normalised
	p.beyond = p.beyond || s.phase == saddle.Unstorable && s.status.OK()
	p.zero = p.zero || s.phase == saddle.Zero
	p.small = p.small || s.status.OK() && s.errorKind == errorBound && math.IsNaN(s.largestMean.Value)
	if s.failure != "" {
		p.failures = append(p.failures, s.failure)
	}
}

func (q SaddleQuery) notes(seen phases) []string {
	out := []string{"Minimum of Σ ℓ + (λ/2)‖W‖², ℓ the " + q.Loss.String() + ", λ the ridge; loss: mean ℓ per input; scores are S, not divided by ‖W‖."}
	switch {
	case seen.normalised && q.Loss == saddle.Hinge:
		out = append(out, "storable: the minimiser of least norm, the max-margin solution; there scores are in units of ‖W‖.")
	case seen.normalised:
		out = append(out, "storable: no finite minimum; the limit is the max-margin solution, its scores in units of ‖W‖.")
	}
	if seen.zero {
		out = append(out, "zero: at this load no W has less than the loss of W = 0.")
	}
	if seen.small {
		out = append(out, "nan: W is so small that round-off leaves nothing of which score is the largest.")
	}
	switch q.level() {
	case ScoreLevel:
		if seen.beyond && q.Loss == saddle.CrossEntropy {
			out = append(out, "Score level, d → ∞: trained norms are larger, without a ridge by 6% (d = 48, p = 527), 10% (d = 24, p = 231) and more near capacity.")
		} else {
			out = append(out, "Score level, d → ∞: see --level vector for finite d.")
		}
	case VectorLevel:
		out = append(out, "Vector level: d_out as given, keys of the given norms, their correlations at finite d_in left out; ± are standard errors.")
	case CorrectedLevel:
		out = append(out, "Corrected level: score level to first order in 1/d_out, and in 1/d_in for the lengths of gaussian keys, in log ‖W‖, log χ and the other values; ± estimate the next order. The largest wrong score is not known to first order.")
	}
	return out
}

// each solves for every memory and number of facts.
func (q SaddleQuery) each(row func(m Memory, weights quartercircle.Estimate, t saddle.Training, s trained) error) error {
	solve, err := q.solver()
	if err != nil {
		return err
	}
	ridges := q.Ridges
	if len(ridges) == 0 {
		ridges = []float64{0}
	}
	single := len(q.Memories)*len(q.Facts)*len(ridges) == 1
	spectra := quartercircle.NewSpectra()
	for _, m := range q.Memories {
		weights, err := m.effective(spectra)
		if err != nil {
			return err
		}
		for _, p := range q.Facts {
			for _, ridge := range ridges {
				training, err := q.training(weights.Value, p, ridge)
				if err != nil {
					return err
				}
				s, err := q.solve(solve, m, training, spread(weights))
				switch {
				case err != nil && (s.status == status.Unknown || single):
					return err
				case err != nil: // a point that was not found does not take the others along
					s.failure = err.Error()
				}
				if err := row(m, weights, training, s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// solve adds to the bounds what an uncertainty of N_eff moves.
func (q SaddleQuery) solve(solve solver, m Memory, t saddle.Training, uncertain float64) (trained, error) {
	s, err := solve(q, m, t)
	if err != nil || uncertain == 0 || s.errorKind == standardError {
		return s, err
	}
	t.Weights += uncertain
	other, err := solve(q, m, t)
	if err != nil {
		return s, err
	}
	theirs := other.values()
	for i, v := range s.values() {
		if d := math.Abs(v.Value - theirs[i].Value); !math.IsNaN(d) {
			v.Error += d
		}
	}
	return s, nil
}

func (q SaddleQuery) training(weights, p, ridge float64) (saddle.Training, error) {
	n, err := candidates(p, q.Candidates)
	return saddle.Training{Weights: weights, Facts: p, Candidates: n, Ridge: ridge, Loss: q.Loss}, err
}
