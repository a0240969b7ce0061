package pairings

import (
	"fmt"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// Tables shows the fractions stored at all loads and the half-points, measured and predicted.
func Tables(ms []*Measurement) []*table.Table { return []*table.Table{fractions(ms), halfPoints(ms)} }

// fractions has a row for each load.
func fractions(ms []*Measurement) *table.Table {
	undecided := slices.ContainsFunc(ms, func(m *Measurement) bool {
		return slices.ContainsFunc(m.Outcomes, func(c stats.Outcomes) bool { return c.Undecided > 0 })
	})
	t := &table.Table{
		Name: "pairings", Title: "Random pairings: the fraction of instances stored",
		Columns: []table.Column{
			{Key: "vectors"}, {Key: "p"}, {Key: "trials"}, {Key: "stored"}, {Key: "undecided", Hidden: !undecided},
			{Key: "fraction", Digits: 3},
			{Key: "interval", Head: "95% interval", Digits: 3},
			{Key: "gaussian", Head: "Gaussian theory", Digits: 3},
			{Key: "pool", Head: "pool theory", Digits: 3},
		},
		Notes: []string{
			"An instance: p keys and p values, drawn without replacement and paired at random; all p values are candidates.",
			"Interval: Wilson's; both readings of undecided instances. Theories: normal form, Φ((p_½ − p)/width).",
		},
	}
	for _, m := range ms {
		for i, p := range m.Loads {
			c := m.Outcomes[i]
			var fraction any
			if decided := c.Trials - c.Undecided; decided > 0 {
				fraction = float64(c.Stored) / float64(decided)
			}
			t.Append(m.Name, p, c.Trials, c.Stored, c.Undecided, fraction, table.Interval(c.Interval(level)),
				number(m.Prediction.Gaussian.At(float64(p))), number(m.Prediction.Pool.At(float64(p))))
		}
	}
	return t
}

// halfPoints has a row for each ensemble.
func halfPoints(ms []*Measurement) *table.Table {
	t := &table.Table{
		Name: "half_points", Title: "The load where half the instances are stored",
		Columns: []table.Column{
			{Key: "vectors"}, {Key: "d_in"}, {Key: "d_out"},
			{Key: "half_point", Head: "p_½", Digits: 4},
			{Key: "half_point_interval", Head: "95% interval", Digits: 4},
			{Key: "gaussian", Head: "Gaussian theory", Digits: 4},
			{Key: "gaussian_error", Head: "±", Digits: 2},
			{Key: "pool", Head: "pool theory", Digits: 4},
			{Key: "pool_error", Head: "± (pool)", Digits: 2},
			{Key: "p_c", Digits: 4, Hidden: true},
		},
		Notes: []string{
			"p_½: probit fit to the decided instances. Gaussian theory: vectors with independent normal entries in the dimensions",
			"that these span about their means. Pool theory, of the values as they are: Σ_μ D_μ(pool) = d_in d_out, keys Gaussian with the mean of those given, a bias. Both with",
			"the shift of a shared pool; ± is an estimate of what they leave out.",
			"Linear maps and lengths of the keys and affine maps of the values change no instance: only centred keys and values of unit",
			"norm can differ from raw ones.",
		},
	}
	for _, m := range ms {
		q := m.Prediction
		half := table.Interval(m.Half.Interval)
		t.Append(m.Name, q.DIn, q.DOut, number(m.Half.X), half, number(q.Gaussian.Facts.Value), errorOf(q.Gaussian.Facts),
			number(q.Pool.Facts.Value), errorOf(q.Pool.Facts), number(q.Decoupled))
		for _, w := range m.Half.Warnings {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %v.", m.Name, w))
		}
		for _, n := range q.Notes {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s", m.Name, n))
		}
	}
	return t
}

func number(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}

// errorOf is the error of what is there.
func errorOf(v extremes.Value) any {
	if math.IsNaN(v.Value) {
		return nil
	}
	return v.Error
}
