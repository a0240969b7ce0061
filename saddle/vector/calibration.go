package vector

import (
	"math"

	"lamcap/extremes"
	"lamcap/internal/sum"
	"lamcap/saddle"
)

// calibration weighs draws such that the averages of some controls, numbers of a draw
// whose expectations are known, are exact:
//
//	w_i = (1 + Σ_j q_ij o_j)/M,
//
// with q the orthonormalised controls, centered, of mean square 1, and o_j the
// expectation less the average of the j-th. Weighted means are those of the
// regression on the controls, whose errors are those of its residuals ([SSW], section
// 6.4); the bias of the weights is of order (controls)/M.
type calibration struct {
	weights []float64
	q       [][]float64
}

// calibrate makes the weights for controls, less their expectations. Those that depend
// on others are left out, and all of them if draws are too few for a regression.
func calibrate(draws int, controls [][]float64) *calibration {
	c := &calibration{weights: make([]float64, draws)}
	m := float64(draws)
	for i := range c.weights {
		c.weights[i] = 1 / m
	}
	const drawsPerControl = 16
	if draws < drawsPerControl*len(controls) {
		return c
	}
	var offsets []float64
	for _, control := range controls {
		average := mean(control)
		q, offset := make([]float64, draws), -average
		for i, x := range control {
			q[i] = x - average
		}
		size := math.Sqrt(meanOfProducts(q, q))
		for range 2 {
			for j, other := range c.q {
				overlap := meanOfProducts(q, other)
				for i, x := range other {
					q[i] -= overlap * x
				}
				offset -= overlap * offsets[j]
			}
		}
		length := math.Sqrt(meanOfProducts(q, q))
		if !(length > 1e-3*size) {
			continue
		}
		for i := range q {
			q[i] /= length
		}
		c.q, offsets = append(c.q, q), append(offsets, offset/length)
	}
	for j, q := range c.q {
		for i, x := range q {
			c.weights[i] += x * offsets[j] / m
		}
	}
	return c
}

func mean(x []float64) float64 { return sum.Pairwise(x) / float64(len(x)) }

func meanOfProducts(x, y []float64) float64 {
	products := make([]float64, len(x))
	for i, v := range x {
		products[i] = v * y[i]
	}
	return mean(products)
}

// mean is the weighted mean.
func (c *calibration) mean(x []float64) float64 {
	products := make([]float64, len(x))
	for i, v := range x {
		products[i] = v * c.weights[i]
	}
	return sum.Pairwise(products)
}

// standardError is that of the weighted mean of x, from the weighted residuals of the
// regression. It spoils x.
func (c *calibration) standardError(x []float64) float64 {
	average := mean(x)
	for i := range x {
		x[i] -= average
	}
	for _, q := range c.q {
		overlap := meanOfProducts(q, x)
		for i, v := range q {
			x[i] -= overlap * v
		}
	}
	for i, w := range c.weights {
		x[i] *= w
	}
	m := float64(len(x))
	return m * math.Sqrt(meanOfProducts(x, x)/(m-1-float64(len(c.q))))
}

// controls are numbers of a draw at score level: with the normal numbers g_ρ that the
// values are made of, t_ρ = g_ρᵀv⁰/‖v⁰‖ are independent and normal.
type controls struct {
	margins    []float64 // K of squared distances dist²(t, C_n^K) …
	dimensions []float64 // … and their expectations D_n(K)
	maximum    float64   // the expectation of the largest competitor
	keys       bool      // ρ varies
}

// newControls chooses the margins around that of the score level.
func newControls(weights, p, n float64, e Ensemble) (controls, error) {
	k := 1.0
	if m, err := saddle.Margin(weights, p, n); err == nil && m.Status.OK() {
		k = math.Max(k, m.Margin)
	}
	c := controls{margins: []float64{0, k / 2, k, 2 * k}, keys: e.lengthsVary()}
	for _, k := range c.margins {
		m, err := extremes.MarginCone{N: n, Margin: k}.Moments()
		if err != nil {
			return c, err
		}
		c.dimensions = append(c.dimensions, m.Dimension.Value)
	}
	m, err := extremes.MaximumMean(n - 1)
	c.maximum = m.Value
	return c, err
}

func (c controls) count() int {
	count := 6 + len(c.margins)
	if c.keys {
		count++
	}
	return count
}

// write fills in the controls of a draw, all of expectation 0.
func (c controls) write(dst, t []float64, field2, target2, length float64) {
	largest := t[1]
	for _, x := range t[2:] {
		largest = math.Max(largest, x)
	}
	dst[0] = field2 - 1
	dst[1] = target2 - 1
	dst[2] = t[0]
	dst[3] = t[0]*t[0] - 1
	dst[4] = largest - c.maximum
	dst[5] = t[0] * (largest - c.maximum)
	for i, k := range c.margins {
		dst[6+i] = distance2(t, k) - c.dimensions[i]
	}
	if c.keys {
		dst[6+len(c.margins)] = length*length - 1
	}
}

// distance2 is dist²(t, C_n^K) = (m + K − t_0)_+² + Σ_ρ (t_ρ − m)_+² at the level m with
// m + K − t_0 = Σ_ρ (t_ρ − m)_+, by Newton's method, which is monotone: the equation is
// convex and piecewise linear in m.
func distance2(t []float64, k float64) float64 {
	m := math.Inf(-1)
	for _, x := range t[1:] {
		m = math.Max(m, x)
	}
	if m+k <= t[0] {
		return 0
	}
	m = t[0] - k // where the left side is 0, to the left of the root
	for range 100 {
		total, count := 0.0, 0.0
		for _, x := range t[1:] {
			if x > m {
				total += x - m
				count++
			}
		}
		step := (total - (m + k - t[0])) / (1 + count)
		if !(step > 1e-14*(1+math.Abs(m))) {
			break
		}
		m += step
	}
	up := math.Max(0, m+k-t[0])
	square := up * up
	for _, x := range t[1:] {
		if x > m {
			square += (x - m) * (x - m)
		}
	}
	return square
}
