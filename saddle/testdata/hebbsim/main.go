// Command hebbsim simulates Hebb's rule on full instances, keys and values of
// norm √d, n = p, and prints the table hebb_simulation.csv (about fifteen minutes):
//
//	go run ./testdata/hebbsim > testdata/hebb_simulation.csv
//
// original: one shared pool, every score compared. decoupled: the angle φ
// between W e_μ and u_μ is simulated, and the chance that n − 1 uniform
// competitors miss it, F_d(cos φ)^{n−1}, is exact. Standard errors are those
// of means over instances.
package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
)

func main() {
	fmt.Println("d,p,instances,original,original_se,original_all,original_all_se,decoupled,decoupled_se,decoupled_all,decoupled_all_se")
	for _, c := range []struct{ d, p, instances int }{
		{8, 10, 400_000},
		{12, 9, 400_000}, {12, 20, 300_000}, {12, 40, 100_000},
		{24, 16, 100_000}, {24, 22, 150_000}, {24, 25, 100_000}, {24, 27, 100_000}, {24, 50, 100_000}, {24, 100, 50_000},
		{48, 64, 40_000}, {48, 79, 30_000},
		{64, 300, 6_000}, {100, 1200, 3_000},
	} {
		s := newSimulation(c.d, c.p)
		for range c.instances {
			s.instance()
		}
		fmt.Printf("%d,%d,%d,%v,%v,%v,%v\n", c.d, c.p, c.instances, s.original, s.originalAll, s.decoupled, s.decoupledAll)
	}
}

// tally is a mean with its standard error.
type tally struct{ n, sum, squares float64 }

func (t *tally) add(x float64) { t.n++; t.sum += x; t.squares += x * x }

func (t tally) String() string {
	mean := t.sum / t.n
	return fmt.Sprintf("%.6f,%.6f", mean, math.Sqrt(max(0, t.squares/t.n-mean*mean)/t.n))
}

type simulation struct {
	d, p                                           int
	rng                                            *rand.Rand
	values, keys, memory                           [][]float64
	output                                         []float64
	original, originalAll, decoupled, decoupledAll tally
}

func newSimulation(d, p int) *simulation {
	matrix := func(rows int) [][]float64 {
		m := make([][]float64, rows)
		for i := range m {
			m[i] = make([]float64, d)
		}
		return m
	}
	return &simulation{
		d: d, p: p, rng: rand.New(rand.NewPCG(uint64(d), uint64(p))),
		values: matrix(p), keys: matrix(p), memory: matrix(d), output: make([]float64, d),
	}
}

func (s *simulation) instance() {
	for mu := range s.p {
		s.draw(s.values[mu])
		s.draw(s.keys[mu])
	}
	for i, row := range s.memory {
		clear(row)
		for mu, key := range s.keys {
			value := s.values[mu][i]
			for j, k := range key {
				row[j] += value * k
			}
		}
	}
	recalled, chance, logAll := 0, 0.0, 0.0
	for mu, target := range s.values {
		for i, row := range s.memory {
			s.output[i] = dot(row, s.keys[mu])
		}
		score := dot(target, s.output)
		best := true
		for nu, u := range s.values {
			if nu != mu && dot(u, s.output) >= score {
				best = false
				break
			}
		}
		if best {
			recalled++
		}
		cosine := score / math.Sqrt(float64(s.d)*dot(s.output, s.output))
		tail := 0.5 * mathext.RegIncBeta(float64(s.d-1)/2, 0.5, 1-cosine*cosine)
		if cosine < 0 {
			tail = 1 - tail
		}
		log := float64(s.p-1) * math.Log1p(-tail)
		chance += math.Exp(log)
		logAll += log
	}
	s.original.add(float64(recalled) / float64(s.p))
	s.originalAll.add(map[bool]float64{true: 1}[recalled == s.p])
	s.decoupled.add(chance / float64(s.p))
	s.decoupledAll.add(math.Exp(logAll))
}

// draw fills x with a uniform direction of length √d.
func (s *simulation) draw(x []float64) {
	for i := range x {
		x[i] = s.rng.NormFloat64()
	}
	scale := math.Sqrt(float64(s.d) / dot(x, x))
	for i := range x {
		x[i] *= scale
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
