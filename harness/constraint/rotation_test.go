package constraint_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/harness/constraint"
	"lamcap/harness/pattern/patterntest"
	"lamcap/internal/stream"
)

// A rotation changes no lead and no norm, takes Σ c X where it takes W, and makes
// the second moments diagonal.
func TestRotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := specs().Draw(t, "spec")
		seed := rapid.Uint64().Draw(t, "seed")
		in := patterntest.Draw(stream.New(seed, "rotation", "", 0), spec)
		rng := rand.New(rand.NewPCG(seed, 1))
		start, candidate := someset(rng, in)
		s := constraint.New(in, start, candidate)
		r := constraint.PrincipalAxes(s)
		rotated := r.Set(s)
		size := (1 + s.Size()) * 1e-12

		w := normals(rng, spec.DOut*spec.DIn)
		back := make([]float64, len(w))
		r.Back(back, w)
		assert.InDelta(t, norm(w), norm(back), 1e-12*norm(w))
		want, got := make([]float64, s.Len()), make([]float64, s.Len())
		s.Forward(want, back)
		rotated.Forward(got, w)
		for i := range want {
			assert.InDelta(t, want[i], got[i], size*norm(w))
		}

		c := normals(rng, s.Len())
		force := make([]float64, len(w))
		s.Backward(force, c)
		rotated.Backward(w, c)
		r.Back(w, w)
		for i := range w {
			assert.InDelta(t, force[i], w[i], size*(1+norm(c))*float64(1+s.Len()))
		}

		// The squares of the diagonal are all of ‖Σ δ δᵀ‖_F² and of ‖Σ e eᵀ‖_F².
		values, keys := make([]float64, spec.DOut), make([]float64, spec.DIn)
		for i := range c {
			c[i] = float64(rng.IntN(2))
		}
		active := 0.0
		for _, x := range c {
			active += x
		}
		assert.Equal(t, int(active), rotated.Squares(values, keys, c))
		for i := range c {
			c[i] = 1
		}
		assert.Equal(t, s.Len(), rotated.Squares(values, keys, c))
		var left, right [][]float64
		buffer := make([]float64, spec.N*spec.DOut)
		for mu := range spec.P {
			pool, target := in.Pool(mu, buffer), in.Target(mu)
			for _, k := range candidate[start[mu]:start[mu+1]] {
				delta := make([]float64, spec.DOut)
				for a := range delta {
					delta[a] = pool[target*spec.DOut+a] - pool[int(k)*spec.DOut+a]
				}
				left, right = append(left, delta), append(right, in.Key(mu))
			}
		}
		for _, x := range []struct {
			rows    [][]float64
			squares []float64
		}{{left, values}, {right, keys}} {
			square := 0.0 // Σ_ij (x_i·x_j)²
			for _, a := range x.rows {
				for _, b := range x.rows {
					dot := 0.0
					for k := range a {
						dot += a[k] * b[k]
					}
					square += dot * dot
				}
			}
			assert.InDelta(t, math.Sqrt(square), norm(x.squares), 1e-12*(1+math.Sqrt(square)))
		}
	})
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

func TestRotationPanics(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sets := make([]*constraint.Set, 2)
	for i := range sets {
		in := patterntest.Draw(stream.New(uint64(i), "rotation", "", 0), specs().Example(3))
		start, candidate := someset(rng, in)
		sets[i] = constraint.New(in, start, candidate)
	}
	assert.PanicsWithValue(t, "constraint: Rotation: want a set of the same instance", func() {
		constraint.PrincipalAxes(sets[0]).Set(sets[1])
	})
	assert.Panics(t, func() { sets[0].Squares(nil, nil, nil) })
}
