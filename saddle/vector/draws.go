package vector

import (
	"fmt"
	"runtime"

	"lamcap/internal/team"
)

// Precision says how many draws to take. The zero value asks for the defaults.
type Precision struct {
	// Target is the standard error at which draws suffice: relative for a norm, χ, a
	// loss and a margin, absolute for an accuracy, in units of the norm for scores;
	// 0 means [DefaultTarget].
	Target float64
	// MaxDraws is the budget; 0 means [DefaultMaxDraws].
	MaxDraws int
}

const (
	// DefaultTarget is the default of [Precision.Target].
	DefaultTarget = 0.01
	// DefaultMaxDraws is the default of [Precision.MaxDraws].
	DefaultMaxDraws = 1 << 16

	leastDraws   = 16  // a standard error needs some
	firstBatch   = 512 // draws; then their number doubles
	mostDraws    = 1 << 20
	drawsPerUnit = 32 // that one worker does at a time
)

func (p *Precision) prepare() error {
	if p.Target == 0 { // the zero value of Precision
		p.Target = DefaultTarget
	}
	if p.MaxDraws == 0 {
		p.MaxDraws = DefaultMaxDraws
	}
	if !(p.Target > 0 && p.Target < 1) {
		return fmt.Errorf("target = %v: want a standard error 0 < target < 1, or 0 for %v", p.Target, DefaultTarget)
	}
	if p.MaxDraws < leastDraws || p.MaxDraws > mostDraws {
		return fmt.Errorf("max draws = %d: want %d ≤ max draws ≤ %d, or 0 for %d", p.MaxDraws, leastDraws, mostDraws, DefaultMaxDraws)
	}
	return nil
}

// next returns the number of draws after the given one, 0 at first: it doubles, and
// a last batch of less than half the size of all is not worth a stop of its own.
func (p Precision) next(draws int) int {
	next := max(firstBatch, 2*draws)
	if next > p.MaxDraws*2/3 {
		return p.MaxDraws
	}
	return next
}

// crew works on draws with one worker per goroutine.
type crew[W any] struct {
	team    *team.Team
	workers []W
}

func newCrew[W any](worker func() W) *crew[W] {
	c := &crew[W]{team: team.New(), workers: make([]W, runtime.GOMAXPROCS(0))}
	for i := range c.workers {
		c.workers[i] = worker()
	}
	return c
}

// each calls f for every draw, 0 … draws−1, on some worker.
func (c *crew[W]) each(draws int, f func(w W, draw int)) {
	units := (draws + drawsPerUnit - 1) / drawsPerUnit
	c.team.Run(len(c.workers), units, func(unit, worker int) {
		for i := unit * drawsPerUnit; i < min(draws, (unit+1)*drawsPerUnit); i++ {
			f(c.workers[worker], i)
		}
	})
}

// calibrated draws the controls of all draws and weighs them.
func calibrated[W any](c *crew[W], draws int, of controls, sampler func(W) *sampler) *calibration {
	columns := make([][]float64, of.count())
	for k := range columns {
		columns[k] = make([]float64, draws)
	}
	c.each(draws, func(w W, i int) {
		var buffer [16]float64
		row := buffer[:of.count()]
		sampler(w).controls(uint64(i), of, row)
		for k, x := range row {
			columns[k][i] = x
		}
	})
	return calibrate(draws, columns)
}
