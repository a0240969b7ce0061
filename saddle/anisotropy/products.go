package anisotropy

import (
	"math"
	"slices"
)

// products is the law of the variances σ² = λ_K λ_V of the weights' directions, in units of
// the largest, as nodes with weights whose sum is their number N. Sums over it of functions
// that are smooth in log σ² are those over all pairs.
type products struct {
	unit  float64 // the largest λ_K λ_V
	nodes []atom
	count float64 // N
}

type atom struct{ x, weight float64 }

// maxAtoms is the number of distinct products up to which they are kept as they are.
const maxAtoms = 1 << 14

func newProducts(s Spectra) products {
	keys, values := distinct(s.Keys), distinct(s.Values)
	p := products{unit: slices.Max(s.Keys) * slices.Max(s.Values)}
	for _, c := range [][]atom{keys, values} {
		n := 0.0
		for _, a := range c {
			n += a.weight
		}
		if p.count == 0 {
			p.count = 1
		}
		p.count *= n
	}
	if len(keys)*len(values) > maxAtoms {
		keys, values = gathered(keys), gathered(values)
	}
	for _, k := range keys {
		for _, v := range values {
			p.nodes = append(p.nodes, atom{k.x * v.x, k.weight * v.weight})
		}
	}
	if len(p.nodes) > maxAtoms {
		p.nodes = gathered(p.nodes)
	}
	return p
}

// distinct returns the positive eigenvalues in units of the largest, each once.
func distinct(spectrum []float64) []atom {
	sorted := positive(spectrum)
	slices.Sort(sorted)
	largest := sorted[len(sorted)-1]
	var out []atom
	for i, x := range sorted {
		if i > 0 && x == sorted[i-1] {
			out[len(out)-1].weight++
			continue
		}
		out = append(out, atom{x / largest, 1})
	}
	return out
}

const (
	binWidth  = 0.5 // of log σ²
	chebyshev = 12  // nodes in a bin
)

// gathered moves the weight of atoms to the Chebyshev nodes of bins of log x, so that sums of
// polynomials in log x of degree below 12 on each bin stay what they are. The functions
// that are summed, rational in νx, are analytic up to |Im log x| = π: on the ellipse through
// there a bin of half width 1/4 has the parameter 25, and the error is about 25^−12 = 2e-17.
func gathered(atoms []atom) []atom {
	bins := map[int]*[chebyshev]float64{}
	var order []int
	for _, a := range atoms {
		l := math.Log(a.x)
		bin := int(math.Floor(l / binWidth))
		w := bins[bin]
		if w == nil {
			w = new([chebyshev]float64)
			bins[bin] = w
			order = append(order, bin)
		}
		addLagrange(w, l/binWidth-float64(bin), a.weight)
	}
	slices.Sort(order)
	out := make([]atom, 0, chebyshev*len(order))
	for _, bin := range order {
		for i, w := range bins[bin] {
			out = append(out, atom{math.Exp((float64(bin) + chebyshevNode(i)) * binWidth), w})
		}
	}
	return out
}

// chebyshevNode is node i of the unit interval.
func chebyshevNode(i int) float64 {
	return (1 - math.Cos(math.Pi*(float64(i)+0.5)/chebyshev)) / 2
}

// addLagrange adds weight times the Lagrange polynomials at t, by the barycentric formula.
func addLagrange(w *[chebyshev]float64, t, weight float64) {
	var terms [chebyshev]float64
	sum := 0.0
	for i := range terms {
		gap := t - chebyshevNode(i)
		if gap == 0 {
			w[i] += weight
			return
		}
		c := math.Sin(math.Pi * (float64(i) + 0.5) / chebyshev)
		if i%2 == 1 {
			c = -c
		}
		terms[i] = c / gap
		sum += terms[i]
	}
	for i, c := range terms {
		w[i] += weight * c / sum
	}
}

// filtered are sums of f = x/(1 + νx) over all products.
type filtered struct {
	sum    float64 // Σ f
	square float64 // Σ f²
	rest   float64 // Σ x/(1 + νx)² = Σ f (1 − νf)
	// spread is N Σ f²/(Σ f)² − 1, the squared coefficient of variation of f.
	spread float64
}

// dimension returns (Σ f)²/Σ f².
func (f filtered) dimension(count float64) float64 { return count / (1 + f.spread) }

func (p products) filter(nu float64) filtered {
	var f filtered
	for _, a := range p.nodes {
		d := 1 + nu*a.x
		y := a.x / d
		f.sum += a.weight * y
		f.square += a.weight * y * y
		f.rest += a.weight * y / d
	}
	mean := f.sum / p.count
	off := 0.0 // what rounding left in the mean
	for _, a := range p.nodes {
		c := a.x/(1+nu*a.x)/mean - 1
		off += a.weight * c / p.count
		f.spread += a.weight * c * c
	}
	f.spread = math.Max(0, f.spread/p.count-off*off)
	return f
}
