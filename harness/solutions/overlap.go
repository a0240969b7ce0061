package solutions

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/maxmargin"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// Options say how long the chains are. The zero value has the defaults.
type Options struct {
	// Samples are taken of each chain after BurnIn; 0 means 400 and 50.
	Samples, BurnIn int
}

// MaxConstraints is the largest number of pairs (input, competitor): their products
// are kept.
const MaxConstraints = 4000

// Overlap returns the mean cosine of two independent weights that are uniform among
// those that store the instance. An error if the instance is not storable or has
// more than [MaxConstraints] pairs.
func Overlap(rng *rand.Rand, in *pattern.Instance, o Options) (float64, error) {
	if o.Samples == 0 { // the zero value of Options
		o.Samples = 400
	}
	if o.BurnIn == 0 {
		o.BurnIn = 50
	}
	if o.Samples < 1 || o.BurnIn < 0 {
		return math.NaN(), fmt.Errorf("samples = %d, burn-in = %d: want ≥ 1 and ≥ 0", o.Samples, o.BurnIn)
	}
	s := in.Spec()
	if pairs := s.P * (s.N - 1); pairs > MaxConstraints {
		return math.NaN(), fmt.Errorf("%d pairs of inputs and competitors: want ≤ %d", pairs, MaxConstraints)
	}
	solution := maxmargin.Solve(in, maxmargin.Options{Gap: 0.05, Threads: 1})
	if solution.Weights == nil || !(solution.Margin > 0) {
		return math.NaN(), fmt.Errorf("no weights that store the instance were found (%v)", solution.Status)
	}
	start := solution.Weights.Matrix(nil)
	cone := newCone(in)
	var mean [2][]float64
	for i := range mean {
		c := cone.start(start)
		for range o.BurnIn {
			c.move(rng)
		}
		mean[i] = make([]float64, len(start))
		for range o.Samples {
			c.move(rng)
			floats.AddScaled(mean[i], 1/(floats.Norm(c.w, 2)*float64(o.Samples)), c.w)
		}
	}
	return floats.Dot(mean[0], mean[1]), nil
}

// cone is a polyhedral cone {w : x_j·w ≥ 0}, its rows x_j of norm 1.
type cone struct {
	size int // of a row
	rows []float64
	gram []float64 // x_i·x_j
	m    int
}

func newCone(in *pattern.Instance) *cone {
	s := in.Spec()
	c := &cone{size: s.DIn * s.DOut}
	var pool []float64
	for mu := range s.P {
		pool = in.Pool(mu, pool)
		target := in.Target(mu)
		u := pool[target*s.DOut : (target+1)*s.DOut]
		for rho := range s.N {
			if rho == target {
				continue
			}
			row := make([]float64, 0, c.size)
			for k, x := range u {
				difference := x - pool[rho*s.DOut+k]
				for _, e := range in.Key(mu) {
					row = append(row, difference*e)
				}
			}
			floats.Scale(1/floats.Norm(row, 2), row)
			c.rows = append(c.rows, row...)
			c.m++
		}
	}
	c.gram = make([]float64, c.m*c.m)
	for i := range c.m {
		for j := range i + 1 {
			g := floats.Dot(c.row(i), c.row(j))
			c.gram[i*c.m+j], c.gram[j*c.m+i] = g, g
		}
	}
	return c
}

func (c *cone) row(j int) []float64 { return c.rows[j*c.size : (j+1)*c.size] }

// chain is a state of the dynamics.
type chain struct {
	cone *cone
	w, v []float64
	a, b []float64 // x_j·w, x_j·v
}

// start returns a chain at a point inside, scaled to the typical norm.
func (c *cone) start(w []float64) *chain {
	out := &chain{cone: c, w: append([]float64(nil), w...), v: make([]float64, c.size), a: make([]float64, c.m), b: make([]float64, c.m)}
	floats.Scale(math.Sqrt(float64(c.size))/floats.Norm(w, 2), out.w)
	return out
}

// products computes x_j·w of all walls anew, so that rounding does not add up.
func (c *chain) products() {
	for j := range c.a {
		row := c.cone.row(j)
		c.a[j], c.b[j] = floats.Dot(row, c.w), floats.Dot(row, c.v)
	}
}

// move goes on for a random time between π/4 and 3π/4 with a new velocity.
func (c *chain) move(rng *rand.Rand) {
	for i := range c.v {
		c.v[i] = stream.Normal(rng)
	}
	c.products()
	left := math.Pi / 4 * (1 + 2*rng.Float64())
	for {
		// a cos t + b sin t = ρ cos(t − φ) vanishes at φ + π/2.
		wall, time := -1, left
		for j, a := range c.a {
			if c.b[j] >= 0 && left < math.Pi/2 {
				continue // φ ≥ 0
			}
			if t := math.Atan2(c.b[j], math.Max(a, 0)) + math.Pi/2; t < time {
				wall, time = j, t
			}
		}
		c.rotate(time)
		if wall < 0 {
			return
		}
		left -= time
		speed := c.b[wall]
		if speed > 0 {
			speed = 0 // rounding
		}
		floats.AddScaled(c.v, -2*speed, c.cone.row(wall))
		floats.AddScaled(c.b, -2*speed, c.cone.gram[wall*c.cone.m:(wall+1)*c.cone.m])
		c.a[wall] = 0
	}
}

// rotate moves along the circle for a time.
func (c *chain) rotate(time float64) {
	sin, cos := math.Sincos(time)
	turn := func(x, y []float64) {
		for i, a := range x {
			b := y[i]
			x[i], y[i] = a*cos+b*sin, b*cos-a*sin
		}
	}
	turn(c.w, c.v)
	turn(c.a, c.b)
}
