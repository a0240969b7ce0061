package predict

import "lamcap/saddle"

// visibleHulls is the expected number of targets inside hulls, p·π, from which on
// a table speaks of them.
const visibleHulls = 1e-4

// caveats collects what the numbers of a table do not know or cannot promise.
type caveats struct {
	transition *saddle.Transition
	low        bool // some rank is below full
	thin       bool // some rank below full is 1 or 2
	hulls      bool // some target may lie inside the hull of its competitors
}

// see looks at one row and returns π, the probability that a target lies inside
// the hull of its competitors.
func (c *caveats) see(m Memory, p, n float64) (float64, error) {
	if !m.full() {
		c.low = true
		c.thin = c.thin || m.rank() <= 2
	}
	hull, err := c.transition.Hull(m.Out, n)
	if err != nil {
		return 0, err
	}
	c.hulls = c.hulls || p*hull.Value >= visibleHulls
	return hull.Value, nil
}

// notes returns the lines below a table; inTheNumbers says which of its numbers
// know of hulls, "" if none do.
func (c *caveats) notes(inTheNumbers string) []string {
	var out []string
	if c.hulls && inTheNumbers != "" {
		out = append(out, "π: a target lies in the hull of its competitors in R^d_out, where no W recalls it. "+inTheNumbers)
	} else if c.hulls {
		out = append(out, "In R^d_out targets may lie inside the hull of their competitors: see lamcap probability. These numbers ignore it.")
	}
	if c.low {
		out = append(out, "Below full rank N_eff stands for the weights: a prediction, and as d → ∞ an upper bound.")
	}
	if c.thin {
		out = append(out, "At m = 1 it is too high (one pool shared by all inputs: 2 facts at any d), and at m = 2 doubtful.")
	}
	return out
}
