package predict

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/harness/pattern"
	"lamcap/harness/table"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// levelNote is what every table of margins says.
const levelNote = "Score level, d → ∞: hard margins at d = 24 are 10% smaller (embeddings of norm √d) to 21% (Gaussian), the std larger."

// MarginQuery says for which memories to tabulate the max-margin solution.
type MarginQuery struct {
	Memories   []Memory
	Candidates float64 // n; 0 means n = p

	// Level is score, or "" for it, or vector or corrected, which depend on the distributions
	// of keys and values. Vector is by Monte Carlo: to a relative standard error Precision of
	// the margin, 0 meaning 1%, from draws of a Seed; corrected is [saddle.MarginOfKeys], which
	// knows no scores. [FactsAtMargins] and [Scores] are at score level.
	Level        string
	Keys, Values pattern.Embedding
	Precision    float64
	Seed         uint64
}

// marginColumns: given p and n are integers and shown as they are (digits 0);
// where p is the answer, the margin is given.
func marginColumns(digitsOfP, digitsOfN int) []table.Column {
	return []table.Column{
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "rank", Head: "m"},
		{Key: "n_eff", Head: "N_eff", Digits: 6, Hidden: true},
		{Key: "n_eff_error", Head: "± (N_eff)", Digits: 2, Hidden: true},
		{Key: "p", Digits: digitsOfP},
		{Key: "p_error", Head: "± (p)", Digits: 2, Hidden: digitsOfP == 0},
		{Key: "n", Digits: digitsOfN},
		{Key: "margin", Head: "K*", Digits: 8},
		{Key: "margin_error", Head: "± (K*)", Digits: 2, Hidden: digitsOfP != 0},
		{Key: "correct_mean", Head: "correct score", Digits: 6},
		{Key: "correct_mean_error", Hidden: true},
		{Key: "correct_std", Head: "its std", Digits: 6},
		{Key: "correct_std_error", Hidden: true},
		{Key: "active_per_input", Head: "active/input", Digits: 6},
		{Key: "active_error", Hidden: true},
		{Key: "p_c", Digits: 8},
		{Key: "p_c_error", Head: "± (p_c)", Digits: 2, Hidden: true},
		{Key: "status", Hidden: true},
		{Key: "level", Hidden: true},
		{Key: "error_kind", Hidden: true},
		{Key: "keys_embedding", Hidden: true},
		{Key: "values_embedding", Hidden: true},
		{Key: "seed", Hidden: true},
		{Key: "criterion", Hidden: true},
	}
}

// Margins returns a table with a row for each memory and p < p_c: the margin K*
// of the max-margin solution, mean and standard deviation of the correct score
// and the number of tight constraints per input, scores in units of ‖W‖_F.
func Margins(facts []float64, q MarginQuery) (*table.Table, error) {
	if len(q.Memories) == 0 || len(facts) == 0 {
		return nil, fmt.Errorf("want at least one memory and one number of facts, got %d and %d", len(q.Memories), len(facts))
	}
	t := &table.Table{Name: "margin", Columns: marginColumns(0, 0)}
	err := q.each(t, func(m Memory, weights quartercircle.Estimate, add addMargin) error {
		for _, p := range facts {
			n, err := candidates(p, q.Candidates)
			if err != nil {
				return err
			}
			k, err := q.margin(m, weights.Value, spread(weights), p, n)
			if err != nil {
				return err
			}
			if err := add(p, 0, n, k); err != nil {
				return err
			}
		}
		return nil
	})
	return t, err
}

// FactsAtMargins returns the same table with a row for each memory and margin
// K ≥ 0: the load p, a real number, at which the margin is K.
func FactsAtMargins(margins []float64, q MarginQuery) (*table.Table, error) {
	if len(q.Memories) == 0 || len(margins) == 0 {
		return nil, fmt.Errorf("want at least one memory and one margin, got %d and %d", len(q.Memories), len(margins))
	}
	digitsOfN := 0
	if q.Candidates == 0 {
		digitsOfN = 8
	}
	t := &table.Table{Name: "margin", Columns: marginColumns(8, digitsOfN)}
	if level, err := q.level(); level != ScoreLevel || err != nil {
		return nil, cmp.Or(err, fmt.Errorf("level = %s: want score where the margin is given", q.Level))
	}
	err := q.each(t, func(_ Memory, weights quartercircle.Estimate, add addMargin) error {
		for _, margin := range margins {
			var c saddle.Critical
			var err error
			n := q.Candidates
			if n == 0 {
				c, err = saddle.FactsAtMargin(weights.Value, margin)
				n = c.Facts
			} else {
				c, err = saddle.FactsAtMarginAmong(weights.Value, n, margin)
			}
			if err != nil {
				return err
			}
			// The margin is given: no need to solve for it again.
			k, err := saddle.MarginSolution(extremes.MarginCone{N: n, Margin: margin})
			if err != nil {
				return err
			}
			if k.Status.OK() {
				k.Status = c.Status
			}
			if err := add(c.Facts, c.Error+c.Facts*spread(weights)/weights.Value, n, k); err != nil {
				return err
			}
		}
		return nil
	})
	return t, err
}

// addMargin adds a row for the max-margin solution k of p facts among n.
type addMargin func(p, pError, n float64, k saddle.MaxMargin) error

// each lets rows choose the loads of every memory and adds their rows.
func (q MarginQuery) each(t *table.Table, rows func(m Memory, weights quartercircle.Estimate, add addMargin) error) error {
	keys, values := q.Keys.String(), q.Values.String()
	seed := any(nil) // of draws
	level, err := q.level()
	if err != nil {
		return err
	}
	if level == VectorLevel {
		seed = q.Seed
	}
	if level != ScoreLevel {
		t.Columns[slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Key == "margin" })].Digits = 5
	}
	spectra := quartercircle.NewSpectra()
	c := caveats{transition: saddle.NewTransition()}
	for _, m := range q.Memories {
		weights, err := m.effective(spectra)
		if err != nil {
			return err
		}
		critical, err := criticalFacts(weights.Value, q.Candidates)
		if err != nil {
			return err
		}
		add := func(p, pError, n float64, k saddle.MaxMargin) error {
			row := []any{m.In, m.Out, m.rank(), weights.Value, spread(weights), p, pError, n, k.Margin, k.Error}
			for _, v := range [][2]float64{{k.CorrectMean, k.CorrectMeanError}, {k.CorrectStd, k.CorrectStdError}, {k.Active, k.ActiveError}} {
				if math.IsNaN(v[0]) { // not known at this level
					row = append(row, nil, nil)
					continue
				}
				row = append(row, v[0], v[1])
			}
			t.Append(append(row, critical.Facts, criticalError(critical, weights), k.Status, level, q.errorKind(), keys, values, seed, "all")...)
			_, err := c.see(m, p, math.Max(2, math.Round(n)))
			return err
		}
		if err := rows(m, weights, add); err != nil {
			return err
		}
	}
	show(t, "p_c_error", c.low)
	t.Notes = append([]string{"K*: p D_n(K*) = N_eff; scores in units of ‖W‖_F; active: tight constraints."}, q.notes()...)
	t.Notes = append(t.Notes, c.notes("")...)
	return nil
}

// Scores returns the score laws of the max-margin solution at one load: density
// and CDF of the correct score and of a competitor at each score.
func Scores(m Memory, p float64, scores []float64, n float64) (*table.Table, error) {
	if len(scores) == 0 {
		return nil, fmt.Errorf("want at least one score")
	}
	weights, err := m.effective(quartercircle.NewSpectra())
	if err != nil {
		return nil, err
	}
	if n, err = candidates(p, n); err != nil {
		return nil, err
	}
	k, err := saddle.Margin(weights.Value, p, n)
	if err != nil {
		return nil, err
	}
	c := caveats{transition: saddle.NewTransition()}
	if _, err := c.see(m, p, n); err != nil {
		return nil, err
	}
	k = k.Moved(spread(weights) / (2 * p * k.CorrectMean))
	t := &table.Table{Name: "scores", Title: fmt.Sprintf("Laws of the scores at p = %v, K* = %.6g", p, k.Margin), Columns: []table.Column{
		{Key: "d_in", Hidden: true},
		{Key: "d_out", Hidden: true},
		{Key: "rank", Hidden: true},
		{Key: "p", Hidden: true},
		{Key: "n", Hidden: true},
		{Key: "margin", Hidden: true},
		{Key: "margin_error", Hidden: true},
		{Key: "score"},
		{Key: "correct_density", Head: "correct density", Digits: 8},
		{Key: "correct_cdf", Head: "correct CDF", Digits: 8},
		{Key: "competitor_density", Head: "competitor density", Digits: 8},
		{Key: "competitor_cdf", Head: "competitor CDF", Digits: 8},
		{Key: "error", Head: "± (all)", Digits: 2},
	}, Notes: append([]string{"Scores in units of ‖W‖_F; ± is that of the laws at this K*.", levelNote}, c.notes("")...)}
	laws := []func(float64) (extremes.Value, error){k.Cone.CorrectDensity, k.Cone.CorrectCDF, k.Cone.CompetitorDensity, k.Cone.CompetitorCDF}
	for _, x := range scores {
		row := []any{m.In, m.Out, m.rank(), p, n, k.Margin, k.Error, x}
		bound := 0.0
		for _, law := range laws {
			v, err := law(x)
			if err != nil {
				return nil, err
			}
			row = append(row, v.Value)
			bound = math.Max(bound, v.Error)
		}
		t.Append(append(row, bound)...)
	}
	return t, nil
}
