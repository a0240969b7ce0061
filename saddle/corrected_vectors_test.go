package saddle

import (
	"math"
	"math/rand/v2"

	"lamcap/internal/embedding"
	"lamcap/internal/stream"
)

// vectorDraw is one draw of the vector level beside the score level it belongs to:
// x = U v̂⁰ are the n independent normal scores of the limit, and what of the pool is
// orthogonal to v⁰ adds the Gram matrix.
type vectorDraw struct {
	n, d   int
	x      []float64 // scores at score level
	length float64   // ‖v⁰‖/√d
	t      []float64 // U v⁰/√d
	gram   []float64 // U Uᵀ/d, n×n, by rows
	// Fluctuations of the orthogonal part with mean 0 given x: (U_⊥U_⊥ᵀ − (d − 1))/d,
	// to be used as control variates.
	fluctuation []float64
	values      embedding.Kind
	pool        []float64 // U, n×d; v⁰ = length·√d along the first axis
}

func newVectorDraw(rng *rand.Rand, n, d int, values embedding.Kind) *vectorDraw {
	v := &vectorDraw{n: n, d: d, values: values, x: make([]float64, n), t: make([]float64, n)}
	square := 0.0
	for range d {
		g := rng.NormFloat64()
		square += g * g
	}
	v.length = math.Sqrt(square / float64(d))
	across := make([]float64, n*(d-1))
	for i := range v.x {
		v.x[i] = rng.NormFloat64()
	}
	for i := range across {
		across[i] = rng.NormFloat64()
	}
	v.gram = make([]float64, n*n)
	v.fluctuation = make([]float64, n*n)
	for i := range n {
		a := across[i*(d-1) : (i+1)*(d-1)]
		for j := range i + 1 {
			b := across[j*(d-1) : (j+1)*(d-1)]
			dot := 0.0
			for k := range a {
				dot += a[k] * b[k]
			}
			h := dot
			if i == j {
				h -= float64(d - 1)
			}
			g := dot + v.x[i]*v.x[j]
			v.gram[i*n+j], v.gram[j*n+i] = g/float64(d), g/float64(d)
			v.fluctuation[i*n+j], v.fluctuation[j*n+i] = h/float64(d), h/float64(d)
		}
	}
	scale := make([]float64, n)
	for i := range n {
		scale[i] = 1
		if values == embedding.Sphere {
			scale[i] = 1 / math.Sqrt(v.gram[i*n+i])
		}
		v.t[i] = v.length * v.x[i] * scale[i]
	}
	v.pool = make([]float64, n*d)
	for i := range n {
		v.pool[i*d] = v.x[i] * scale[i]
		for k, y := range across[i*(d-1) : (i+1)*(d-1)] {
			v.pool[i*d+1+k] = y * scale[i]
		}
		for j := range n {
			v.gram[i*n+j] *= scale[i] * scale[j]
		}
	}
	return v
}

// linear is the first-order change of a convex cost max_z [r z·t − χ/2 zᵀGz − …] with
// maximiser z that has mean 0: the control variate.
func (v *vectorDraw) linear(r, chi float64, z []float64) float64 {
	c := 0.0
	along := 0.0
	for i := range v.n {
		along += z[i] * v.x[i]
		row := 0.0
		for j := range v.n {
			if v.values == embedding.Sphere && i == j {
				continue
			}
			row += v.fluctuation[i*v.n+j] * z[j]
		}
		c -= chi / 2 * z[i] * row
		if v.values == embedding.Sphere {
			c -= r / 2 * v.fluctuation[i*v.n+i] * v.x[i] * z[i]
		}
	}
	return c + (v.length*v.length-1)/2*r*along
}

// margin returns the squared distances to {s : s_0 ≥ s_ρ + K} at vector and score
// level, the latter with its control variate.
func (v *vectorDraw) margin(k float64) (vector, score float64) {
	identity := func(i, j int) float64 {
		if i == j {
			return 1
		}
		return 0
	}
	_, vector = pushBack(v.n, k, v.t, func(i, j int) float64 { return v.gram[i*v.n+j] })
	y, score := pushBack(v.n, k, v.x, identity)
	z := make([]float64, v.n)
	for i := 1; i < v.n; i++ {
		z[i] = y[i]
		z[0] -= y[i]
	}
	return vector, score + 2*v.linear(1, 1, z)
}

// pushBack maximises Σ_ρ y_ρ (K − t_0 + t_ρ) − ½ zᵀGz over y ≥ 0, z = Σ y_ρ (e_ρ − e_0), by
// coordinates; the squared distance is twice the maximum.
func pushBack(n int, k float64, t []float64, gram func(i, j int) float64) (y []float64, square float64) {
	y = make([]float64, n)
	slope := make([]float64, n) // of the objective
	for i := 1; i < n; i++ {
		slope[i] = k - t[0] + t[i]
	}
	p := func(i, j int) float64 { return gram(i, j) - gram(0, j) - gram(i, 0) + gram(0, 0) }
	var active []int
	for range 100000 {
		// The most violated constraint enters; then the active ones to convergence.
		worst, best := 1e-9, -1
		for i := 1; i < n; i++ {
			if slope[i] > worst {
				worst, best = slope[i], i
			}
		}
		if best < 0 {
			break
		}
		found := false
		for _, i := range active {
			found = found || i == best
		}
		if !found {
			active = append(active, best)
		}
		for range 100000 {
			moved := 0.0
			for _, i := range active {
				next := math.Max(0, y[i]+slope[i]/p(i, i))
				delta := next - y[i]
				if delta == 0 {
					continue
				}
				y[i] = next
				for _, j := range active {
					slope[j] -= delta * p(i, j)
				}
				moved = math.Max(moved, math.Abs(delta))
			}
			if moved < 1e-10 {
				break
			}
		}
		for i := 1; i < n; i++ {
			slope[i] = k - t[0] + t[i]
			for _, j := range active {
				slope[i] -= y[j] * p(i, j)
			}
		}
	}
	for i := 1; i < n; i++ {
		square += y[i] * (k - t[0] + t[i] + slope[i])
	}
	return y, square
}

// vectorMargin estimates E dist² − D_n(K) at vector level, with a standard error.
func vectorMargin(seed uint64, draws, n, d int, k float64, values embedding.Kind) (difference, standardError float64) {
	var sum, squares float64
	for i := range draws {
		v := newVectorDraw(stream.New(seed, "corrected margin", values.String(), uint64(i)), n, d, values)
		a, b := v.margin(k)
		sum += a - b
		squares += (a - b) * (a - b)
	}
	mean := sum / float64(draws)
	return mean, math.Sqrt((squares/float64(draws) - mean*mean) / float64(draws))
}
