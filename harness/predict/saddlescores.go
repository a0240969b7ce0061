package predict

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/table"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// scoreColumns are those of the laws, each with an error.
func scoreColumns() []table.Column {
	columns := []table.Column{
		{Key: "d_in", Hidden: true}, {Key: "d_out", Hidden: true}, {Key: "rank", Hidden: true},
		{Key: "p", Hidden: true}, {Key: "n", Hidden: true}, {Key: "ridge", Hidden: true}, {Key: "loss_function", Hidden: true},
		{Key: "level", Hidden: true}, {Key: "keys_embedding", Hidden: true}, {Key: "values_embedding", Hidden: true},
		{Key: "phase", Hidden: true}, {Key: "norm", Hidden: true}, {Key: "normalised", Hidden: true}, {Key: "error_kind", Hidden: true},
		{Key: "score"},
	}
	for _, c := range []table.Column{
		{Key: "correct_density", Head: "correct density", Digits: 6}, {Key: "correct_cdf", Head: "correct CDF", Digits: 6},
		{Key: "largest_density", Head: "largest wrong density", Digits: 6}, {Key: "largest_cdf", Head: "largest wrong CDF", Digits: 6},
	} {
		columns = append(columns, c, table.Column{Key: c.Key + "_error", Head: "±", Digits: 2})
	}
	return append(columns, table.Column{Key: "status", Hidden: true})
}

// scoreLaws are densities and distribution functions in the order of scoreColumns.
type scoreLaws func(x float64) [4]extremes.Value

func lawsOf(l saddle.ScoreLaws) scoreLaws {
	return func(x float64) [4]extremes.Value {
		return [4]extremes.Value{l.Correct.Density(x), l.Correct.CDF(x), l.Largest.Density(x), l.Largest.CDF(x)}
	}
}

// SaddleScores returns a table of the laws of the correct score and of the largest wrong one
// at the minimum of one training, at the given scores: in units of ‖W‖ where the facts are
// storable without a ridge.
func SaddleScores(q SaddleQuery, scores []float64) (*table.Table, error) {
	if len(q.Memories) != 1 || len(q.Facts) != 1 || len(q.Ridges) > 1 {
		return nil, fmt.Errorf("want one memory, one number of facts and one ridge, got %d, %d and %d", len(q.Memories), len(q.Facts), len(q.Ridges))
	}
	if len(scores) == 0 {
		return nil, fmt.Errorf("want at least one score")
	}
	ridge := 0.0
	if len(q.Ridges) == 1 {
		ridge = q.Ridges[0]
	}
	m, p := q.Memories[0], q.Facts[0]
	weights, err := m.effective(quartercircle.NewSpectra())
	if err != nil {
		return nil, err
	}
	training, err := q.training(weights.Value, p, ridge)
	if err != nil {
		return nil, err
	}
	s, laws, err := q.laws(m, training)
	if err != nil {
		return nil, err
	}
	var moved scoreLaws // by an uncertainty of N_eff
	if uncertain := spread(weights); uncertain > 0 && s.errorKind == errorBound {
		training.Weights += uncertain
		if _, moved, err = q.laws(m, training); err != nil {
			return nil, err
		}
	}
	title := fmt.Sprintf("Laws of the scores at p = %v, ‖W‖ = %.6g", p, s.norm.Value)
	if s.normalised {
		title = fmt.Sprintf("Laws of the scores at p = %v, in units of ‖W‖", p)
	}
	c := caveats{transition: saddle.NewTransition()}
	if _, err := c.see(m, p, math.Max(2, math.Round(training.Candidates))); err != nil {
		return nil, err
	}
	var seen phases
	seen.see(s)
	notes := append(q.notes(seen), c.notes("")...)
	if s.errorKind == standardError {
		notes = append(notes, "Densities are smoothed by a normal kernel, whose bias is not in the errors.")
	}
	t := &table.Table{Name: "saddle_scores", Title: title, Columns: scoreColumns(), Notes: notes}
	for _, x := range scores {
		row := []any{m.In, m.Out, m.rank(), p, training.Candidates, ridge, q.Loss.String(), q.level(), q.Keys.String(), q.Values.String(),
			s.phase.String(), s.norm.Value, s.normalised, s.errorKind, x}
		values := laws(x)
		st := s.status
		for i, v := range values {
			if moved != nil {
				v.Error += math.Abs(moved(x)[i].Value - v.Value)
			}
			if !v.Status.OK() {
				st = v.Status
			}
			row = append(row, v.Value, v.Error)
		}
		t.Append(append(row, st)...)
	}
	return t, nil
}

// laws solves one training and returns its laws.
func (q SaddleQuery) laws(m Memory, t saddle.Training) (trained, scoreLaws, error) {
	switch q.level() {
	case ScoreLevel:
		s, err := saddle.SolveTraining(t)
		if err != nil {
			return trained{}, nil, err
		}
		laws, err := s.ScoreLaws()
		return ofTrained(s), lawsOf(laws), err
	case VectorLevel:
		s, err := q.vectors(m, t)
		if err != nil {
			return trained{}, nil, err
		}
		if s.Correct == nil || s.Largest == nil {
			return trained{}, nil, fmt.Errorf("phase = %v: want a minimum of positive norm, scores of W = 0 are all 0", s.Phase)
		}
		return ofVectors(s), func(x float64) [4]extremes.Value {
			return [4]extremes.Value{s.Correct.Density(x), s.Correct.Between(math.Inf(-1), x), s.Largest.Density(x), s.Largest.Between(math.Inf(-1), x)}
		}, nil
	}
	return trained{}, nil, fmt.Errorf("level = %s: laws of scores are known at levels %s and %s", q.Level, ScoreLevel, VectorLevel)
}
