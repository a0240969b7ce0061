package sweep

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

// Seconds estimates the time of all trials on one core, each as [Seconds] does.
func (p *Plan) Seconds() float64 {
	s := 0.0
	for _, w := range p.Cells {
		s += float64(w.Trials) * Seconds(w.Cell)
	}
	return s
}
