package extremes

import (
	"cmp"
	"slices"

	"lamcap/internal/sum"
)

// Projection is the projection of a vector t ∈ R^n onto the winner-take-all
// cone: the target's score rises to max(t_0, m*), competitors above m* fall to it.
type Projection struct {
	Level           float64 // m*, the common value of the tight scores; t_0 if none
	Active          int     // |A|, the number of competitors pushed down
	DistanceSquared float64 // dist²(t, C_n)
}

// Project projects scores onto the cone {s : s_0 ≥ s_ρ}; scores[0] is the
// target's. It sorts the competitors in place and panics without a target.
// The minimiser of (m − t_0)_+² + Σ (t_ρ − m)_+² is the mean of t_0 and of the
// competitors above it, which is found by taking them in from the top.
func Project(scores []float64) Projection {
	if len(scores) == 0 {
		panic("extremes: projection of an empty vector: want the target's score first")
	}
	target, competitors := scores[0], scores[1:]
	slices.SortFunc(competitors, func(a, b float64) int { return cmp.Compare(b, a) })
	p := Projection{Level: target}
	var total sum.Neumaier // of many equal scores the plain sum rounds away the last digits of the level
	total.Add(target)
	for i, x := range competitors {
		if x <= p.Level {
			break
		}
		total.Add(x)
		p.Active = i + 1
		p.Level = total.Sum() / float64(p.Active+1)
	}
	rise := p.Level - target
	p.DistanceSquared = rise * rise
	for _, x := range competitors[:p.Active] {
		p.DistanceSquared += (x - p.Level) * (x - p.Level)
	}
	return p
}
