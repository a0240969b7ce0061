package vector

import (
	"cmp"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// column is a number of each draw with its derivative in each parameter.
type column struct {
	value []float64
	slope [][]float64
}

func newColumn(parameters, draws int) column {
	c := column{value: make([]float64, draws), slope: make([][]float64, parameters)}
	for k := range c.slope {
		c.slope[k] = make([]float64, draws)
	}
	return c
}

// meanOf is the (weighted) mean of a column.
func (c *calibration) meanOf(x column) float64 { return c.mean(x.value) }

// gradient returns the derivatives of the mean.
func (c *calibration) gradient(x column) []float64 {
	g := make([]float64, len(x.slope))
	for k, s := range x.slope {
		g[k] = c.mean(s)
	}
	return g
}

// sample is a set of draws at the root of their averages.
type sample struct {
	*calibration
	draws int
	// parameters are the influences of each draw on each parameter: their mean is 0,
	// and that of all draws moves the root to the true one, to first order.
	parameters [][]float64
	status     status.Status
}

// atRoot makes a sample from the terms of equations mean(equations[j]) = 0 at their
// root and the matrix J_jk = ∂ mean(equations[j])/∂θ_k: influences −J⁻¹ f_i.
func atRoot(c *calibration, equations [][]float64, jacobian [][]float64) *sample {
	s := &sample{calibration: c, draws: len(equations[0]), status: status.Converged}
	s.parameters = make([][]float64, len(equations))
	for k := range s.parameters {
		s.parameters[k] = make([]float64, s.draws)
	}
	switch j := jacobian; len(j) {
	case 1:
		for i, f := range equations[0] {
			s.parameters[0][i] = -f / j[0][0]
		}
	case 2:
		for i, f := range equations[0] {
			s.parameters[0][i], s.parameters[1][i] = solve2(j, -f, -equations[1][i])
		}
	default:
		panic("vector: one or two parameters")
	}
	return s
}

// solve2 solves j x = (a, b).
func solve2(j [][]float64, a, b float64) (x, y float64) {
	det := j[0][0]*j[1][1] - j[0][1]*j[1][0]
	return (a*j[1][1] - b*j[0][1]) / det, (b*j[0][0] - a*j[1][0]) / det
}

// estimate returns a value with its standard error: influence i is
// terms(i) + gradientᵀ(influences on the parameters).
func (s *sample) estimate(value float64, gradient []float64, terms func(i int) float64) extremes.Value {
	influence := make([]float64, s.draws)
	for i := range influence {
		x := terms(i)
		for k, g := range gradient {
			x += g * s.parameters[k][i]
		}
		influence[i] = x
	}
	out := extremes.Value{Value: value, Error: s.standardError(influence), Status: s.status}
	if math.IsNaN(value) || math.IsNaN(out.Error) {
		out.Error, out.Status = math.Inf(1), status.Diverged
	}
	return out
}

// parameter is the estimate of a function of parameter k with the given slope in it.
func (s *sample) parameter(k int, value, slope float64) extremes.Value {
	gradient := make([]float64, len(s.parameters))
	gradient[k] = slope
	return s.estimate(value, gradient, func(int) float64 { return 0 })
}

// average is the estimate of E of a column.
func (s *sample) average(c column) extremes.Value {
	return s.estimate(s.meanOf(c), s.gradient(c), func(i int) float64 { return c.value[i] })
}

// deviation is the estimate of the standard deviation σ of a column: influences
// ((x − E x)² − σ²)/(2σ), slopes Cov(x, ∂x)/σ.
func (s *sample) deviation(c column) extremes.Value {
	center := s.meanOf(c)
	squares := make([]float64, s.draws)
	for i, x := range c.value {
		squares[i] = (x - center) * (x - center)
	}
	m := float64(s.draws)
	sigma := math.Sqrt(math.Max(0, s.mean(squares)) * m / (m - 1))
	gradient := make([]float64, len(c.slope))
	for k, slope := range c.slope {
		products := make([]float64, s.draws)
		for i, x := range c.value {
			products[i] = (x - center) * slope[i]
		}
		gradient[k] = s.mean(products) / sigma
	}
	return s.estimate(sigma, gradient, func(i int) float64 { return squares[i] / (2 * sigma) })
}

// positive is the estimate of P(x > 0) of a column. Its derivative in a parameter is
// E[∂x δ(x)], with δ smoothed to a normal kernel of width h.
func (s *sample) positive(c column) extremes.Value {
	v := s.between(c, 0, math.Inf(1))
	v.Value = min(1, max(0, v.Value)) // weights sum to 1 but for round-off
	// Where all draws agree, one more might not.
	v.Error = max(v.Error, 1/float64(s.draws))
	return v
}

// between is the estimate of P(lo < x ≤ hi) of a column.
func (s *sample) between(c column, lo, hi float64) extremes.Value {
	inside := make([]float64, s.draws)
	for i, x := range c.value {
		if x > lo && x <= hi {
			inside[i] = 1
		}
	}
	h := bandwidth(c.value)
	gradient := make([]float64, len(c.slope))
	for k, slope := range c.slope {
		flow := func(edge float64) float64 {
			if math.IsInf(edge, 0) {
				return 0
			}
			terms := make([]float64, s.draws)
			for i, x := range c.value {
				terms[i] = slope[i] * kernel(x-edge, h)
			}
			return s.mean(terms)
		}
		gradient[k] = flow(lo) - flow(hi)
	}
	return s.estimate(s.mean(inside), gradient, func(i int) float64 { return inside[i] })
}

// bandwidth is the rule of thumb 1.06 σ M^{−1/5}.
func bandwidth(x []float64) float64 {
	center, squares := mean(x), 0.0
	for _, v := range x {
		squares += (v - center) * (v - center)
	}
	m := float64(len(x))
	return 1.06 * math.Sqrt(squares/m) * math.Pow(m, -0.2)
}

// kernel is the normal density of standard deviation h.
func kernel(x, h float64) float64 {
	z := x / h
	return math.Exp(-z*z/2) / (h * math.Sqrt(2*math.Pi))
}

// Distribution is the law of a score, as far as draws know it.
type Distribution struct {
	sample *sample
	column column
	order  []int // of the draws by their score
}

func (s *sample) distribution(c column) *Distribution {
	d := &Distribution{sample: s, column: c, order: make([]int, s.draws)}
	for i := range d.order {
		d.order[i] = i
	}
	slices.SortFunc(d.order, func(i, j int) int {
		return cmp.Or(cmp.Compare(c.value[i], c.value[j]), cmp.Compare(i, j))
	})
	return d
}

// Between returns P(lo < score ≤ hi) with its standard error: a bar of a histogram, or,
// with an infinite end, a tail or the distribution function.
func (d *Distribution) Between(lo, hi float64) extremes.Value {
	return d.sample.between(d.column, lo, hi)
}

// Density returns the density of the score at x, smoothed by a normal kernel of width
// 1.06 σ M^{−1/5} for M draws, with its standard error; the bias of the smoothing,
// about half the second derivative times the square of the width, is not in it.
func (d *Distribution) Density(x float64) extremes.Value {
	h := bandwidth(d.column.value)
	smooth := newColumn(len(d.column.slope), d.sample.draws)
	for i, v := range d.column.value {
		smooth.value[i] = kernel(v-x, h)
		for k, slope := range d.column.slope {
			smooth.slope[k][i] = -slope[i] * (v - x) / (h * h) * smooth.value[i]
		}
	}
	return d.sample.average(smooth)
}

// Quantile returns the score below which a share 0 < q < 1 lies, with its standard
// error, that of P(score ≤ x) over the (smoothed) density there.
func (d *Distribution) Quantile(q float64) extremes.Value {
	if !(q > 0 && q < 1) {
		return extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: status.Diverged}
	}
	x, total := math.NaN(), 0.0
	for _, i := range d.order {
		x = d.column.value[i]
		if total += d.sample.weights[i]; total >= q {
			break
		}
	}
	below := d.Between(math.Inf(-1), x)
	return extremes.Value{Value: x, Error: below.Error / d.Density(x).Value, Status: d.sample.status}
}
