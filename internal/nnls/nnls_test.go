package nnls_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/nnls"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// brute projects v0 by trying every set of independent constraints as the active one: the
// solution is the nearest feasible point among the projections on their
// intersections. ok is false if no such point is feasible.
func brute(v0, normals, levels []float64) (best []float64, ok bool) {
	d, n := len(v0), len(levels)
	nearest := math.Inf(1)
	for set := range 1 << n {
		point := affine(v0, normals, levels, set)
		if point == nil {
			continue
		}
		feasible, distance := true, 0.0
		for j := range n {
			lead := -levels[j]
			size := 0.0
			for i := range d {
				lead += normals[j*d+i] * point[i]
				size += math.Abs(normals[j*d+i]) * (1 + math.Abs(point[i]))
			}
			feasible = feasible && lead >= -1e-9*size
		}
		for i := range d {
			distance += (point[i] - v0[i]) * (point[i] - v0[i])
		}
		if feasible && distance < nearest {
			best, nearest, ok = point, distance, true
		}
	}
	return best, ok
}

// affine projects v0 on {a_jᵀv = b_j, j in set}, by Gram-Schmidt; nil if the a_j depend on each other.
func affine(v0, normals, levels []float64, set int) []float64 {
	d := len(v0)
	point := append([]float64(nil), v0...)
	var basis [][]float64
	var values []float64 // of the basis vectors at the intersection
	for j, level := range levels {
		if set&(1<<j) == 0 {
			continue
		}
		q := append([]float64(nil), normals[j*d:(j+1)*d]...)
		size := math.Sqrt(product(q, q))
		for range 2 {
			for i, b := range basis {
				c := product(q, b)
				level -= c * values[i]
				for l := range q {
					q[l] -= c * b[l]
				}
			}
		}
		length := math.Sqrt(product(q, q))
		if length <= 1e-7*size || len(basis) == d {
			return nil
		}
		for l := range q {
			q[l] /= length
		}
		basis, values = append(basis, q), append(values, level/length)
	}
	for i, b := range basis {
		c := values[i] - product(point, b)
		for l := range point {
			point[l] += c * b[l]
		}
	}
	return point
}

func product(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// The solution is that of brute force over all active sets, for random and for
// degenerate problems: whole numbers make columns equal, opposite, dependent and 0.
func TestAgainstAllActiveSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := rapid.IntRange(1, 4).Draw(t, "d"), rapid.IntRange(0, 8).Draw(t, "n")
		entry := rapid.Float64Range(-2, 2)
		if rapid.Bool().Draw(t, "whole") {
			entry = rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) })
		}
		entry = rapid.Map(entry, func(x float64) float64 { return math.Round(x*1e6) / 1e6 })
		numbers := func(count int, name string) []float64 { return rapid.SliceOfN(entry, count, count).Draw(t, name) }
		v0, normals, levels := numbers(d, "v0"), numbers(n*d, "normals"), numbers(n, "levels")
		r := nnls.New(d, n).Project(v0, normals, levels)
		want, ok := brute(v0, normals, levels)
		if !ok {
			// Nearly infeasible problems may be decided by round-off.
			if r.Status != status.NoBracket && r.Residual < 1e-10 && r.Distance2 < 1e6 {
				t.Fatalf("%v, residual %v, distance² %v: no point is feasible", r.Status, r.Residual, r.Distance2)
			}
			return
		}
		if r.Status == status.NoBracket && math.Sqrt(product(want, want)) > 1e6 {
			return // a corner of nearly parallel planes
		}
		if !r.Status.OK() {
			t.Fatalf("%v: feasible point %v", r.Status, want)
		}
		for i := range want {
			if math.Abs(want[i]-r.Point[i]) > 1e-6*(1+math.Abs(want[i])) {
				t.Fatalf("%v %v: want %v (residual %v)", r.Status, r.Point, want, r.Residual)
			}
		}
	})
}

// The conditions of Karush, Kuhn and Tucker hold at the returned point, checked from
// the data alone, on random problems of the sizes of use.
func TestConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := rapid.IntRange(1, 24).Draw(t, "d"), rapid.IntRange(1, 120).Draw(t, "n")
		k := rapid.Float64Range(0, 3).Draw(t, "K")
		rng := stream.New(rapid.Uint64().Draw(t, "seed"), "nnls", "", 0)
		v0, normals, levels := margins(rng, d, n, k)
		r := nnls.New(d, n).Project(v0, normals, levels)
		if r.Status == status.NoBracket && n > d {
			return // inside the hull
		}
		if !r.Status.OK() {
			t.Fatalf("%v", r.Status)
		}
		size := math.Sqrt(product(r.Point, r.Point)) + math.Sqrt(product(v0, v0)) + k
		rest := append([]float64(nil), v0...)
		active := map[int]bool{}
		for i, j := range r.Active {
			active[j] = true
			if !(r.Multipliers[i] >= 0) {
				t.Fatalf("multiplier %v", r.Multipliers[i])
			}
			for l := range rest {
				rest[l] += r.Multipliers[i] * normals[j*d+l]
			}
		}
		for l := range rest {
			if math.Abs(rest[l]-r.Point[l]) > 1e-11*size {
				t.Fatalf("v − v⁰ − Σ x a = %g", rest[l]-r.Point[l])
			}
		}
		for j := range levels {
			lead := product(normals[j*d:(j+1)*d], r.Point) - levels[j]
			if lead < -1e-11*size || active[j] && lead > 1e-11*size {
				t.Fatalf("constraint %d (active: %v): %g", j, active[j], lead)
			}
		}
	})
}

// margins draws the projection of use: v must lead n competitors by k.
func margins(rng *rand.Rand, d, n int, k float64) (v0, normals, levels []float64) {
	v0, normals, levels = make([]float64, d), make([]float64, n*d), make([]float64, n)
	target := make([]float64, d)
	for i := range v0 {
		v0[i], target[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	for i := range normals {
		normals[i] = (target[i%d] - rng.NormFloat64()) / math.Sqrt(float64(d))
	}
	for i := range levels {
		levels[i] = k
	}
	return v0, normals, levels
}

// The problem of Lawson and Hanson: min ‖A x − y‖ over x ≥ 0. The free minimum of
// these columns, (1, 1)ᵀ x₁ + (1, 0)ᵀ x₂ = (1, 2)ᵀ, is x = (2, −1); with x ≥ 0 it is
// x₁ = 3/2 alone, with misfit (1, 2) − (3/2, 3/2).
func TestSolve(t *testing.T) {
	r := nnls.New(2, 2).Solve([]float64{1, 1, 1, 0}, []float64{1, 2})
	require.Equal(t, status.Converged, r.Status)
	assert.Equal(t, []int{0}, r.Active)
	assert.InDelta(t, 1.5, r.Multipliers[0], 1e-15)
	assert.InDelta(t, 0.5, r.Point[0], 1e-15) // Σ x a − y
	assert.InDelta(t, -0.5, r.Point[1], 1e-15)
}

func TestDegenerate(t *testing.T) {
	for _, c := range []struct {
		name                string
		v0, normals, levels []float64
		want                status.Status
		point               []float64
	}{
		{"no constraint", []float64{1, 2}, nil, []float64{}, status.Converged, []float64{1, 2}},
		{"twice the same", []float64{0, 0}, []float64{1, 0, 1, 0}, []float64{1, 1}, status.Converged, []float64{1, 0}},
		{"the same, stricter", []float64{0, 0}, []float64{1, 0, 1, 0, 2, 0}, []float64{1, 3, 4}, status.Converged, []float64{3, 0}},
		{"a thin strip", []float64{5, 0}, []float64{1, 0, -1, 0}, []float64{1, -1}, status.Converged, []float64{1, 0}},
		{"an empty strip", []float64{5, 0}, []float64{1, 0, -1, 0}, []float64{1, 0}, status.NoBracket, nil},
		{"a corner of three", []float64{0, 0}, []float64{1, 0, 0, 1, 1, 1}, []float64{1, 1, 2}, status.Converged, []float64{1, 1}},
		{"zero normal", []float64{1, 1}, []float64{0, 0, 1, 0}, []float64{0, 2}, status.Converged, []float64{2, 1}},
		{"zero normal, no point", []float64{1, 1}, []float64{0, 0}, []float64{1}, status.NoBracket, nil},
		{"not a number", []float64{1, 1}, []float64{math.NaN(), 0}, []float64{1}, status.Diverged, nil},
		{"infinite", []float64{1, math.Inf(1)}, []float64{1, 0}, []float64{1}, status.Diverged, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := nnls.New(2, 3).Project(c.v0, c.normals, c.levels)
			require.Equal(t, c.want, r.Status)
			for i, want := range c.point {
				assert.InDelta(t, want, r.Point[i], 1e-14)
			}
		})
	}
}

// Respond and Remove are the derivatives of the solution.
func TestDerivatives(t *testing.T) {
	const d, n, step = 6, 12, 1e-6
	rng := stream.New(1, "nnls", "derivatives", 0)
	v0, normals, levels := margins(rng, d, n, 1)
	s := nnls.New(d, n)
	r := s.Project(v0, normals, levels)
	require.Equal(t, status.Converged, r.Status)
	require.Greater(t, len(r.Active), 1)
	active := append([]int(nil), r.Active...)
	point := append([]float64(nil), r.Point...)
	multipliers := append([]float64(nil), r.Multipliers...)
	ones := make([]float64, len(active))
	for i := range ones {
		ones[i] = 1
	}
	s.Respond(ones, ones)
	move := make([]float64, d)
	for i := range move {
		move[i] = rng.NormFloat64()
	}
	change := append([]float64(nil), move...)
	s.Remove(change)

	for j := range levels {
		levels[j] += step
	}
	r = s.Project(v0, normals, levels)
	for i, j := range r.Active {
		require.Equal(t, active[i], j)
		assert.InDelta(t, ones[i], (r.Multipliers[i]-multipliers[i])/step, 1e-7)
	}
	for j := range levels {
		levels[j] -= step
	}
	for i := range v0 {
		v0[i] += step * move[i]
	}
	r = s.Project(v0, normals, levels)
	for i := range change {
		assert.InDelta(t, change[i], (r.Point[i]-point[i])/step, 1e-7)
	}
}

func TestMisuse(t *testing.T) {
	assert.Panics(t, func() { nnls.New(0, 1) })
	assert.Panics(t, func() { nnls.New(2, 1).Project([]float64{1}, nil, nil) })
	assert.Panics(t, func() { nnls.New(2, 1).Project([]float64{1, 2}, make([]float64, 4), nil) })
	assert.Panics(t, func() { nnls.New(2, 1).Project([]float64{1, 2}, make([]float64, 2), make([]float64, 2)) })
	assert.Panics(t, func() { nnls.New(2, 1).Solve(nil, nil) })
	assert.Panics(t, func() { nnls.New(2, 1).Respond(make([]float64, 1), nil) })
	assert.Panics(t, func() { nnls.New(2, 1).Remove(nil) })
}

// One projection of the vector level at d = 24: 115 candidates, K near 1.
func BenchmarkProject(b *testing.B) {
	const d, n = 24, 114
	rng := stream.New(1, "nnls", "benchmark", 0)
	s := nnls.New(d, n)
	var v0, normals, levels [16][]float64
	for i := range v0 {
		v0[i], normals[i], levels[i] = margins(rng, d, n, 1)
	}
	active := 0
	for i := 0; b.Loop(); i++ {
		active += len(s.Project(v0[i%16], normals[i%16], levels[i%16]).Active)
	}
	b.ReportMetric(float64(active)/float64(b.N), "active")
}
