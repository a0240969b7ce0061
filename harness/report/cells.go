package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/sweep"
)

// ensemble is what the records of one cell have in common: cells that differ in
// experiment and seed alone are independent draws of it.
type ensemble struct {
	measure sweep.Measure
	spec    pattern.Spec
	rank    int
	rule    learn.Rule
	options sweep.Options
}

// shape is the size of a memory.
type shape struct{ dIn, dOut, rank int }

func (s shape) full() bool     { return s.rank == min(s.dIn, s.dOut) }
func (s shape) square() bool   { return s.dIn == s.dOut }
func (s shape) kappa() float64 { return float64(s.rank) / float64(min(s.dIn, s.dOut)) }
func (s shape) whole() shape   { return shape{s.dIn, s.dOut, min(s.dIn, s.dOut)} }

// String is "d = 24", "d_in × d_out = 12 × 48", and the rank where it is not full.
func (s shape) String() string {
	text := fmt.Sprintf("d = %d", s.dOut)
	if !s.square() {
		text = fmt.Sprintf("d_in × d_out = %d × %d", s.dIn, s.dOut)
	}
	if !s.full() {
		text += fmt.Sprintf(", m = %d", s.rank)
	}
	return text
}

func compareShapes(a, b shape) int {
	return cmp.Or(cmp.Compare(a.dIn*a.dOut, b.dIn*b.dOut), cmp.Compare(a.dOut, b.dOut), cmp.Compare(a.rank, b.rank))
}

// cell is an ensemble with its records, sorted by experiment, seed and trial.
type cell struct {
	ensemble
	records []*sweep.Record
}

func (e ensemble) shape() shape { return shape{e.spec.DIn, e.spec.DOut, e.rank} }

// embeddings names those that are not Gaussian.
func embeddings(s pattern.Spec) string {
	var out []string
	if s.Keys != pattern.Gaussian {
		out = append(out, fmt.Sprintf("%v keys", s.Keys))
	}
	if s.Values != pattern.Gaussian {
		out = append(out, fmt.Sprintf("%v values", s.Values))
	}
	return strings.Join(out, ", ")
}

func compareEnsembles(a, b ensemble) int {
	return cmp.Or(
		cmp.Compare(a.measure, b.measure), compareShapes(a.shape().whole(), b.shape().whole()),
		cmp.Compare(a.rank, b.rank), cmp.Compare(a.spec.Model, b.spec.Model), cmp.Compare(a.rule, b.rule),
		cmp.Compare(a.spec.Keys, b.spec.Keys), cmp.Compare(a.spec.Values, b.spec.Values),
		cmp.Compare(a.spec.P, b.spec.P), cmp.Compare(a.spec.N, b.spec.N),
		compareOptions(a.options, b.options))
}

func compareOptions(a, b sweep.Options) int {
	flag := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(a.MaxEvaluations, b.MaxEvaluations), cmp.Compare(a.Restarts, b.Restarts), cmp.Compare(a.LearningRate, b.LearningRate),
		cmp.Compare(a.GradientTolerance, b.GradientTolerance), cmp.Compare(a.LossTolerance, b.LossTolerance),
		cmp.Compare(flag(a.Spectrum), flag(b.Spectrum)), cmp.Compare(flag(a.Scores), flag(b.Scores)))
}

// newCells groups records, whose order does not matter.
func newCells(records []sweep.Record) ([]*cell, error) {
	of := map[ensemble]*cell{}
	var cells []*cell
	seen := map[sweep.ID]bool{}
	for i := range records {
		r := &records[i]
		if seen[r.ID()] {
			return nil, fmt.Errorf("%v, trial %d: two records: want one of each trial", r.Address, r.Trial)
		}
		seen[r.ID()] = true
		e := ensemble{r.Measure, r.Spec, r.Rank, r.Rule, r.Options}
		if of[e] == nil {
			of[e] = &cell{ensemble: e}
			cells = append(cells, of[e])
		}
		of[e].records = append(of[e].records, r)
	}
	slices.SortFunc(cells, func(a, b *cell) int { return compareEnsembles(a.ensemble, b.ensemble) })
	for _, c := range cells {
		slices.SortFunc(c.records, func(a, b *sweep.Record) int {
			return cmp.Or(cmp.Compare(a.Experiment, b.Experiment), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Trial, b.Trial))
		})
	}
	return cells, nil
}

// upper is OP or DP.
func upper(m pattern.Model) string { return strings.ToUpper(m.String()) }
