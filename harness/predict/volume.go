package predict

import (
	"fmt"

	"lamcap/harness/table"
	"lamcap/saddle"
)

// VolumeQuery says of which memories, at full rank and below capacity, to tabulate the
// volume of solutions.
type VolumeQuery struct {
	Memories   []Memory
	Facts      []float64 // p < p_c
	Candidates float64   // n, an integer; 0 means n = p
	Draws      int       // of the disorder; 0 for the default of [saddle.Volume]
	Seed       uint64
}

// Volumes returns a table with a row for each memory and number of facts: the overlap
// of two W that are uniform among those that store everything, and the log of the
// fraction of all W that do, per weight. Errors are standard errors of the disorder.
func Volumes(q VolumeQuery) (*table.Table, error) {
	if len(q.Memories) == 0 || len(q.Facts) == 0 {
		return nil, fmt.Errorf("want at least one memory and one number of facts, got %d and %d", len(q.Memories), len(q.Facts))
	}
	t := &table.Table{Name: "volume", Columns: []table.Column{
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "rank", Head: "m"},
		{Key: "n_eff", Head: "N_eff", Digits: 6, Hidden: true},
		{Key: "p"},
		{Key: "n"},
		{Key: "p_c", Digits: 8},
		{Key: "overlap", Head: "q", Digits: 5},
		{Key: "overlap_error", Head: "± (q)", Digits: 2},
		{Key: "entropy", Head: "entropy/weight", Digits: 5},
		{Key: "entropy_error", Head: "± (entropy)", Digits: 2},
		{Key: "residual", Digits: 2, Hidden: true},
		{Key: "draws", Hidden: true},
		{Key: "status", Hidden: true},
		{Key: "error_kind", Hidden: true},
	}}
	// What is out of range is told before seconds are spent.
	if err := q.each(func(_ Memory, ask saddle.VolumeQuery) error { return ask.Check() }); err != nil {
		return nil, err
	}
	c := caveats{transition: saddle.NewTransition()}
	err := q.each(func(m Memory, ask saddle.VolumeQuery) error {
		weights := float64(m.In) * float64(m.Out)
		critical, err := criticalFacts(weights, q.Candidates)
		if err != nil {
			return err
		}
		v, err := saddle.Volume(ask)
		if err != nil {
			return err
		}
		t.Append(m.In, m.Out, m.rank(), weights, ask.Facts, ask.Candidates, critical.Facts,
			v.Overlap.Value, v.Overlap.Error, v.FreeEnergy.Value, v.FreeEnergy.Error,
			v.Residual, v.Draws, v.Status, standardError)
		_, err = c.see(m, ask.Facts, ask.Candidates)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.Notes = append([]string{
		"q: cosine of two W that are uniform among those that store everything; q → 2α in the limit, q → 1 at capacity.",
		"Entropy: log of the fraction of W that store everything, over N. Replica-symmetric, score level; ± standard errors.",
	}, c.notes("")...)
	return t, nil
}

// each calls f for every memory and number of facts.
func (q VolumeQuery) each(f func(m Memory, ask saddle.VolumeQuery) error) error {
	for _, m := range q.Memories {
		if err := m.check(); err != nil {
			return err
		}
		for _, p := range q.Facts {
			n, err := candidates(p, q.Candidates)
			if err != nil {
				return err
			}
			ask := saddle.VolumeQuery{DIn: m.In, DOut: m.Out, Rank: m.Rank, Facts: p, Candidates: n, Draws: q.Draws, Seed: q.Seed}
			if err := f(m, ask); err != nil {
				return err
			}
		}
	}
	return nil
}
