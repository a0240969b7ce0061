package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// ScoreLaw is the law of a score of a trained memory.
type ScoreLaw struct {
	density, cdf func(s float64) extremes.Value
}

// Density returns the density at the score s.
func (l ScoreLaw) Density(s float64) extremes.Value { return l.density(s) }

// CDF returns P(score ≤ s).
func (l ScoreLaw) CDF(s float64) extremes.Value { return l.cdf(s) }

// ScoreLaws are the laws of the correct score s_0 and of the largest competitor,
// max_{ρ≠0} s_ρ, in the units of [Trained]: of ‖W‖ where it is Normalised.
type ScoreLaws struct{ Correct, Largest ScoreLaw }

// ScoreLaws computes the laws of the scores at the minimum. In the phase [Storable] they are those of the max-margin
// solution. Where W = 0 there are none.
//
// For the cross-entropy all scores are explicit in the level x and the pushes, s_ρ = x +
// log w_ρ. With the push of one candidate fixed, the others are in a contour integral:
// with C_k = E[(Σ_i J_i)^k δ(d − Σ_i w_i)] of the n − 1 competitors at the level x, the
// joint density of (x, w_0) is
//
//	φ(t_0) (dt_0/dw_0) [J_0 C_0 + C_1],   d = χ − w_0,   t_0 = (x + log w_0 − d)/r,
//
// and that of the largest competitor is the same with one of n − 1 competitors at u = log w
// and the others cut off there (largestJoint). A density at s is then ∫ dw of the joint
// density at x = s − log w. It is tabulated on a grid of (x, w) where s does not enter,
// for s may fix x closely, or w.
//
// For the hinge s_0 = min(x + 1, r t_0 + χ), and the largest competitor is x, or below it
// where nothing is pushed.
//
// It takes a second or two of one processor, more where the norm is large: 30 s at r = 40, for pushes
// spread over e^{±9r}.
//
// Of the cross-entropy with 10^4 candidates and more the sum of the others' pushes is so narrow that the
// contours lose it above the typical level: laws with an error above 1e-2 are refused. Up to 703
// candidates their mass was 1 within 1e-8, mean and standard deviation those of the solution within
// 2e-6 standard deviations.
//
// Errors are twice what a second computation at another resolution changes anywhere, and
// what the errors of ‖W‖ and χ may.
func (t Trained) ScoreLaws() (ScoreLaws, error) {
	if !t.Status.OK() {
		return ScoreLaws{}, fmt.Errorf("status = %v: want a solved training", t.Status)
	}
	if t.Normalised {
		return marginLaws(t.Margin), nil
	}
	if t.Phase == Zero {
		return ScoreLaws{}, fmt.Errorf("phase = %v: at W = 0 all scores are 0 and have no density", t.Phase)
	}
	e := &ensemble{response: t.Training.Loss.response(), n: t.Training.Candidates, r: t.Norm.Value, chi: t.Chi.Value}
	var at [2]scoreTables
	for i, o := range []lawResolution{finerLaws, controlLaws} {
		var err error
		if at[i], err = e.scoreTables(o, t); err != nil {
			return ScoreLaws{}, err
		}
	}
	// A relative error of r moves scores r g by as much, and one of χ the pushes, of which d =
	// χ − w_0 is at most χ and of the order of |s_0| + r.
	size := math.Abs(t.CorrectMean.Value) + t.Norm.Value
	moved := (t.Norm.Error/t.Norm.Value + t.Chi.Error/t.Chi.Value) * (size + math.Min(t.Chi.Value, size))
	laws := ScoreLaws{
		Correct: at[0].correct.law(at[1].correct, moved, t.Status),
		Largest: at[0].largest.law(at[1].largest, moved, t.Status),
	}
	for _, l := range []ScoreLaw{laws.Correct, laws.Largest} {
		if v := l.CDF(t.CorrectMean.Value); !(v.Error < unresolved) {
			return ScoreLaws{}, fmt.Errorf("r = %v, χ = %v: n = %v: the laws were not resolved (error of the CDF %.1g): want fewer candidates or a smaller norm", e.r, e.chi, e.n, v.Error)
		}
	}
	return laws, nil
}

// unresolved is the error of a CDF from which on no law is given.
const unresolved = 1e-2

// lawResolution is a resolution with steps of the grid of pushes.
type lawResolution struct {
	resolution
	pushStep  float64 // of a node in log(w/(χ − w))
	layerStep float64 // of a node in the normal variable, where others are cut off
	panelStep float64 // width of a panel of the tabulated law, in standard deviations
}

var (
	finerLaws = lawResolution{
		resolution: resolution{logStep: 0.09, normStep: 0.35, lineStep: 0.1, bend: 0.35, turn: 0.6, levelStep: 0.125, negligible: -30},
		pushStep:   0.14, layerStep: 0.1, panelStep: 0.7,
	}
	controlLaws = lawResolution{
		resolution: resolution{logStep: 0.11, normStep: 0.42, lineStep: 0.125, bend: 0.32, turn: 0.56, levelStep: 0.14, negligible: -28},
		pushStep:   0.18, layerStep: 0.12, panelStep: 0.9,
	}
)

// scoreTables are both laws at one resolution.
type scoreTables struct{ correct, largest *lawTable }

func (e *ensemble) scoreTables(o lawResolution, t Trained) (scoreTables, error) {
	panel := newGaussPanel()
	w := e.window(panel, o.resolution, 0)
	if !w.ok {
		return scoreTables{}, fmt.Errorf("r = %v, χ = %v: the level was not bracketed", e.r, e.chi)
	}
	g := newLevelGrid(w, o.levelStep)
	var correct, largest func(s float64) float64
	if e.soft == 0 {
		correct, largest = e.hingeDensities(panel, o, g)
	} else {
		correct = e.correctJoint(panel, o, g).density
		largest = e.largestJoint(panel, o, g).density
	}
	return scoreTables{
		correct: newLawTable(panel, correct, t.CorrectMean.Value, t.CorrectStd.Value, e.r, o.panelStep),
		largest: newLawTable(panel, largest, t.LargestMean.Value, t.LargestStd.Value, e.r, o.panelStep),
	}, nil
}

// levelGrid are levels x = center + width sinh v, equidistant in v, which a window has.
type levelGrid struct {
	window
	step   float64
	x      []float64
	weight []float64 // of an integral over x
}

func newLevelGrid(w window, step float64) levelGrid {
	levels := 2 + int((w.hi-w.lo)/step)
	g := levelGrid{window: w, step: (w.hi - w.lo) / float64(levels-1)}
	for i := range levels {
		v := w.lo + g.step*float64(i)
		g.x = append(g.x, w.center+w.width*math.Sinh(v))
		g.weight = append(g.weight, g.step*w.width*math.Cosh(v))
	}
	return g
}

// at interpolates what vanishes at both ends of the grid: the cardinal series, which is as
// exact as the trapezoidal rule on the same grid.
func (g *levelGrid) at(values []float64, x float64) float64 {
	k := (math.Asinh((x-g.center)/g.width) - g.lo) / g.step
	last := float64(len(values) - 1)
	if !(k >= 0 && k <= last) {
		return 0
	}
	near := math.Round(k)
	if k == near {
		return values[int(near)]
	}
	sum := 0.0
	for i := 0; i < len(values); i += 2 {
		sum += values[i] / (k - float64(i))
	}
	for i := 1; i < len(values); i += 2 {
		sum -= values[i] / (k - float64(i))
	}
	sin := math.Sin(math.Pi * (k - near))
	if int(near)%2 != 0 {
		sin = -sin
	}
	return sum * sin / math.Pi
}

// jointTable is the joint density of the level and of a push, at nodes of both; the score
// is x + offset.
type jointTable struct {
	grid   levelGrid
	offset []float64
	values [][]float64 // by node of the push, then level; weights of the former included
}

// density integrates over the push.
func (t *jointTable) density(s float64) float64 {
	total := 0.0
	for j, values := range t.values {
		if values != nil {
			total += t.grid.at(values, s-t.offset[j])
		}
	}
	return total
}

// newJointTable takes rows by level and drops columns of nothing.
func newJointTable(g levelGrid, offset []float64, rows [][]float64) *jointTable {
	t := &jointTable{grid: g, offset: offset, values: make([][]float64, len(offset))}
	for j := range offset {
		column := make([]float64, len(rows))
		size := 0.0
		for i, row := range rows {
			column[i] = row[j]
			size += math.Abs(row[j]) * g.weight[i]
		}
		if size > 1e-18 {
			t.values[j] = column
		}
	}
	return t
}

// lawTable is a law in panels of Gauss-Legendre nodes, from which its values are
// interpolated.
type lawTable struct {
	panel        *gaussPanel
	lo, width    float64 // of the first panel, of all
	density, cdf [][panelOrder]float64
	before       []float64 // the mass before each panel
	mass, peak   float64
}

func newLawTable(panel *gaussPanel, density func(s float64) float64, mean, std, r, panelStep float64) *lawTable {
	const far = 10 // standard deviations of normals
	half := far * math.Max(std, r)
	return newPanelTable(panel, density, mean-half, mean+half, panelStep*std)
}

// newPanelTable tabulates from lo to hi in panels of about the given width.
func newPanelTable(panel *gaussPanel, density func(s float64) float64, lo, hi, width float64) *lawTable {
	panels := int(math.Ceil((hi - lo) / width))
	t := &lawTable{panel: panel, lo: lo, width: (hi - lo) / float64(panels)}
	t.density = make([][panelOrder]float64, panels)
	t.cdf = make([][panelOrder]float64, panels)
	t.before = make([]float64, panels)
	parallel(panels, func(i int) {
		for k, x := range panel.x {
			t.density[i][k] = density(t.lo + t.width*(float64(i)+(1+x)/2))
		}
	})
	for i := range panels {
		t.before[i] = t.mass
		total := 0.0
		for k, w := range panel.w {
			total += w * t.density[i][k]
			t.peak = math.Max(t.peak, t.density[i][k])
		}
		for k := range panelOrder {
			above := 0.0
			for m, a := range panel.above[k] {
				above += a * t.density[i][m]
			}
			t.cdf[i][k] = (total - above) * t.width / 2
		}
		t.mass += total * t.width / 2
	}
	return t
}

// at returns density and CDF.
func (t *lawTable) at(s float64) (density, cdf float64) {
	p := (s - t.lo) / t.width
	if !(p >= 0) {
		return 0, 0
	}
	if p >= float64(len(t.density)) {
		return 0, t.mass
	}
	i := int(p)
	weights := t.panel.interpolation(2*(p-float64(i)) - 1)
	for k, w := range weights {
		density += w * t.density[i][k]
		cdf += w * t.cdf[i][k]
	}
	return density, t.before[i] + cdf
}

// interpolation returns the weights of the values at the nodes in the polynomial through
// them at x.
func (g *gaussPanel) interpolation(x float64) (weights [panelOrder]float64) {
	// Barycentric weights of Legendre nodes are (−1)^k √((1 − x_k²) w_k).
	total := 0.0
	for k, node := range g.x {
		if x == node {
			clear(weights[:])
			weights[k] = 1
			return weights
		}
		weights[k] = math.Sqrt((1-node*node)*g.w[k]) / (x - node)
		if k%2 == 1 {
			weights[k] = -weights[k]
		}
		total += weights[k]
	}
	for k := range weights {
		weights[k] /= total
	}
	return weights
}

// law is the tabulated one with errors by comparison with another; moved is how far the
// scores may be off.
func (t *lawTable) law(other *lawTable, moved float64, st status.Status) ScoreLaw {
	density, cdf := 0.0, math.Abs(t.mass-1)
	for i := range t.density {
		for k, x := range t.panel.x {
			f, c := other.at(t.lo + t.width*(float64(i)+(1+x)/2))
			density = math.Max(density, math.Abs(f-t.density[i][k]))
			cdf = math.Max(cdf, math.Abs(c-t.before[i]-t.cdf[i][k]))
		}
	}
	// |f'| is of the order of f/std; the width of a panel is less.
	density = 2*density + moved*t.peak/t.width
	cdf = 2*cdf + moved*t.peak
	return ScoreLaw{
		density: func(s float64) extremes.Value {
			f, _ := t.at(s)
			return extremes.Value{Value: math.Max(0, f), Error: density, Status: st}
		},
		cdf: func(s float64) extremes.Value {
			_, c := t.at(s)
			return extremes.Value{Value: math.Min(1, math.Max(0, c)), Error: cdf, Status: st}
		},
	}
}
