package sweep

import (
	"fmt"
	"slices"
)

// Work is a cell and how many trials of it are wanted.
type Work struct {
	Cell
	Trials int // trials 0 … Trials − 1, ≥ 1
}

// Plan is a grid resolved into cells, each address once.
type Plan struct {
	Title string
	// Source is the text of the grid, from which [ParseGrid] makes the same plan.
	Source string
	Cells  []Work
}

// Instances is the number of trials of all cells.
func (p *Plan) Instances() int {
	n := 0
	for _, w := range p.Cells {
		n += w.Trials
	}
	return n
}

// String names the plan in a message.
func (p *Plan) String() string {
	title := "a grid"
	if p.Title != "" {
		title = fmt.Sprintf("the grid %q", p.Title)
	}
	return fmt.Sprintf("%s of %s with %s", title, counted(len(p.Cells), "cell"), counted(p.Instances(), "trial"))
}

// covers reports whether the plan asks for all trials of another one.
func (p *Plan) covers(old *Plan) bool {
	cells := p.index()
	return !slices.ContainsFunc(old.Cells, func(w Work) bool {
		i, planned := cells[w.Address]
		return !planned || p.Cells[i].Trials < w.Trials
	})
}

// Seconds estimates the time of all trials on one core, each as [Seconds] does.
func (p *Plan) Seconds() float64 {
	s := 0.0
	for _, w := range p.Cells {
		s += float64(w.Trials) * Seconds(w.Cell)
	}
	return s
}
