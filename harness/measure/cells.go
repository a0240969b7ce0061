package measure

import (
	"fmt"
	"math"
	"slices"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// Cell is one ensemble of trained memories.
type Cell struct {
	Spec pattern.Spec
	Rule learn.Rule
	Rank int // m, never 0
	// Critical is p_c by N_eff, and Load = p/p_c.
	Critical, Load float64
}

// Problem returns the cell's problem in an experiment.
func (c Cell) Problem(seed uint64, experiment string, o Options) Problem {
	return Problem{Spec: c.Spec, Rule: c.Rule, Rank: c.Rank, Seed: seed, Experiment: experiment, Cell: StreamCell(c.Spec, c.Rank), Options: o}
}

// StreamCell is the cell in the address of random streams: rules and models at one load
// have the same, so that rules are trained on the same instances, and models on the same
// keys.
func StreamCell(s pattern.Spec, rank int) string {
	return fmt.Sprintf("%dx%d rank %d p=%d n=%d %v %v", s.DOut, s.DIn, rank, s.P, s.N, s.Keys, s.Values)
}

// Shape is that of a memory, W ∈ R^{DOut×DIn} of rank Rank.
type Shape struct {
	DOut, DIn int
	Rank      int // m, 1 ≤ m ≤ min(DOut, DIn)
}

// Grid asks for every combination of shapes, models, rules and loads.
type Grid struct {
	Shapes []Shape
	Models []pattern.Model
	Rules  []learn.Rule
	// Loads are fractions of p_c; Facts, numbers of facts; one of the two.
	Loads        []float64
	Facts        []int
	Keys, Values pattern.Embedding
}

// Cells lists them: Hebb's rule and max-margin at full rank only. n = p.
func (g Grid) Cells(spectra *quartercircle.Spectra) ([]Cell, error) {
	if (len(g.Loads) > 0) == (len(g.Facts) > 0) {
		return nil, fmt.Errorf("%d loads and %d numbers of facts: want either", len(g.Loads), len(g.Facts))
	}
	var cells []Cell
	for _, s := range g.Shapes {
		weights, err := spectra.EffectiveDimension(s.DOut, s.DIn, s.Rank)
		if err != nil {
			return nil, err
		}
		critical, err := saddle.CriticalFacts(weights.Value)
		if err != nil {
			return nil, err
		}
		facts := slices.Clone(g.Facts)
		for _, load := range g.Loads {
			if !(load > 0) || math.IsInf(load, 1) {
				return nil, fmt.Errorf("load = %v: want a finite load > 0, a fraction of p_c", load)
			}
			facts = append(facts, FactsAt(load, critical.Facts))
		}
		for _, p := range facts {
			for _, rule := range g.Rules {
				for _, model := range g.Models {
					if s.Rank != min(s.DIn, s.DOut) && (rule == learn.Hebb || rule == learn.MaxMargin) {
						continue
					}
					c := Cell{
						Spec: pattern.Spec{Model: model, DIn: s.DIn, DOut: s.DOut, P: p, N: p, Keys: g.Keys, Values: g.Values},
						Rule: rule, Rank: s.Rank, Critical: critical.Facts, Load: float64(p) / critical.Facts,
					}
					if err := (Problem{Spec: c.Spec, Rule: rule, Rank: s.Rank}).Validate(); err != nil {
						return nil, err
					}
					cells = append(cells, c)
				}
			}
		}
	}
	if len(cells) == 0 {
		return nil, fmt.Errorf("nothing to measure: rules hebb and maxmargin have full rank only")
	}
	return cells, nil
}
