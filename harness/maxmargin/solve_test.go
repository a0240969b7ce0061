package maxmargin_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/harness/learn"
	"lamcap/harness/maxmargin"
	"lamcap/harness/pattern"
	"lamcap/harness/pattern/patterntest"
	"lamcap/harness/proof"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

func sample(seed uint64, s pattern.Spec) *pattern.Instance {
	return patterntest.Draw(stream.New(seed, "maxmargin", "", 0), s)
}

// check verifies with plain loops that a solution is what it says.
func check(t require.TestingT, in *pattern.Instance, r maxmargin.Solution) {
	s := in.Spec()
	pools := make([]float64, s.N*s.DOut)
	sum := make([]float64, s.DOut*s.DIn) // Σ λ X
	total, active, mu := 0.0, 0, 0
	for i, lambda := range r.Multipliers {
		for i >= r.Set.Start()[mu+1] {
			mu++
		}
		require.GreaterOrEqual(t, lambda, 0.)
		total += lambda
		if lambda == 0 {
			continue
		}
		active++
		c := int(r.Set.Candidate()[i])
		pool, target := in.Pool(mu, pools), in.Target(mu)
		for a := range s.DOut {
			for b := range s.DIn {
				sum[a*s.DIn+b] += lambda * (pool[target*s.DOut+a] - pool[c*s.DOut+a]) * in.Key(mu)[b]
			}
		}
	}
	assert.Equal(t, active, r.Active)
	assert.InDelta(t, 1, total, 1e-12)
	size := in.Scale() * math.Sqrt(float64(s.DIn*s.DOut))
	assert.InDelta(t, r.Bound, norm(sum), 1e-11*size)
	assert.GreaterOrEqual(t, r.Bound, norm(sum)-1e-14*size)
	if r.Weights == nil {
		assert.True(t, math.IsNaN(r.Margin))
		assert.True(t, math.IsNaN(r.Gap))
		return
	}
	w := r.Weights.Parameters
	assert.InDelta(t, 1, norm(w), 1e-14)
	margin := math.Inf(1)
	for mu := range s.P {
		pool, target := in.Pool(mu, pools), in.Target(mu)
		for c := range s.N {
			if c == target {
				continue
			}
			x := 0.0
			for a := range s.DOut {
				for b := range s.DIn {
					x += (pool[target*s.DOut+a] - pool[c*s.DOut+a]) * w[a*s.DIn+b] * in.Key(mu)[b]
				}
			}
			margin = min(margin, x)
		}
	}
	assert.InDelta(t, margin, r.Margin, 1e-11*size)
	assert.LessOrEqual(t, r.Margin, margin+1e-14*size)
	assert.Equal(t, 1-r.Margin/r.Bound, r.Gap)
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// bruteForce returns the distance from 0 of the convex hull of all X, which is
// the largest margin, by trying every subset as the support: that of the least
// norm point ω has the same ⟨ω, X⟩ = ‖ω‖² and no X has less. It returns 0 if no
// subset will do.
func bruteForce(in *pattern.Instance) float64 {
	s := in.Spec()
	var x [][]float64
	for mu := range s.P {
		pool, target := in.Pool(mu, nil), in.Target(mu)
		for c := range s.N {
			if c == target {
				continue
			}
			v := make([]float64, 0, s.DOut*s.DIn)
			for a := range s.DOut {
				for b := range s.DIn {
					v = append(v, (pool[target*s.DOut+a]-pool[c*s.DOut+a])*in.Key(mu)[b])
				}
			}
			x = append(x, v)
		}
	}
	return hullDistance(x)
}

func hullDistance(x [][]float64) float64 {
	for subset := 1; subset < 1<<len(x); subset++ {
		var rows [][]float64
		for i := range x {
			if subset>>i&1 == 1 {
				rows = append(rows, x[i])
			}
		}
		if len(rows) > len(x[0]) {
			continue
		}
		omega, lambda, ok := leastNorm(rows)
		if !ok {
			continue
		}
		for _, l := range lambda {
			if l < 0 {
				ok = false
			}
		}
		for _, v := range x {
			if dot(omega, v) < 1-1e-14*norm(omega)*norm(v) {
				ok = false
			}
		}
		if ok {
			return 1 / norm(omega)
		}
	}
	return 0
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

// leastNorm returns the shortest ω with ω·x = 1 for all rows x, and the λ of
// ω = Σ λ x, from an orthonormal basis of the rows (Gram and Schmidt, twice,
// for a loss of no more digits than the condition number of the rows has).
func leastNorm(rows [][]float64) (omega, lambda []float64, ok bool) {
	k := len(rows)
	var q, r [][]float64 // x_i = Σ_{j≤i} r_ij q_j
	omega = make([]float64, len(rows[0]))
	for i, x := range rows {
		v, coefficients := append([]float64(nil), x...), make([]float64, k)
		for range 2 {
			for j := range i {
				c := dot(v, q[j])
				coefficients[j] += c
				for l := range v {
					v[l] -= c * q[j][l]
				}
			}
		}
		size := norm(v)
		if !(size > 1e-12*norm(x)) {
			return nil, nil, false
		}
		coefficients[i] = size
		for l := range v {
			v[l] /= size
		}
		q, r = append(q, v), append(r, coefficients)
		y := (1 - dot(omega, x)) / size
		for l := range v {
			omega[l] += y * v[l]
		}
	}
	lambda = make([]float64, k)
	for i := k - 1; i >= 0; i-- { // ω·q_i = Σ_{j≥i} λ_j r_ji
		lambda[i] = dot(omega, q[i])
		for j := i + 1; j < k; j++ {
			lambda[i] -= lambda[j] * r[j][i]
		}
		lambda[i] /= r[i][i]
	}
	return omega, lambda, true
}

// On tiny instances the solution must be the exact one, found by trying all
// subsets of pairs; not storable must be told from storable.
func TestBruteForce(t *testing.T) {
	storable, not := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := pattern.Spec{
			Model:  pattern.Model(rapid.IntRange(0, 2).Draw(t, "model")),
			DIn:    rapid.IntRange(1, 3).Draw(t, "d_in"),
			DOut:   rapid.IntRange(1, 3).Draw(t, "d_out"),
			Keys:   pattern.Embedding(rapid.IntRange(0, 1).Draw(t, "keys")),
			Values: pattern.Embedding(rapid.IntRange(0, 1).Draw(t, "values")),
			P:      rapid.IntRange(1, 3).Draw(t, "p"),
			N:      rapid.IntRange(2, 4).Draw(t, "n"),
		}
		if s.Model == pattern.OP {
			s.P = max(2, s.P)
			s.N = s.P
		}
		in := sample(rapid.Uint64().Draw(t, "seed"), s)
		r := maxmargin.Solve(in, maxmargin.Options{Gap: 1e-8})
		check(t, in, r)
		want := bruteForce(in)
		require.True(t, r.Status.OK(), "%v", r)
		if want < 1e-6 {
			not++
			require.True(t, r.NotStorable, "want %g, got %v", want, r)
			return
		}
		storable++
		require.False(t, r.NotStorable, "want %g, got %v", want, r)
		// The reference loses the condition number of the rows, ‖X‖/want with
		// ‖X‖ of order 5.
		reference := 1e-14 * (1 + 10/want)
		assert.LessOrEqual(t, r.Margin, want*(1+reference))
		assert.GreaterOrEqual(t, r.Bound, want*(1-reference))
		assert.InEpsilon(t, want, r.Margin, 1.1e-8+reference)
	})
	if !testing.Short() { // of 100 draws, some 30 to 70 each
		assert.Greater(t, storable, 10)
		assert.Greater(t, not, 10)
	}
}

// Around capacity, both problems, any shape: what is returned is what it says,
// the gap is reached, and so are smaller ones, within which the answers agree.
func TestGap(t *testing.T) {
	for _, s := range []pattern.Spec{
		{Model: pattern.DP, DIn: 12, DOut: 12, P: 20, N: 20},
		{Model: pattern.OP, DIn: 12, DOut: 12, P: 36, N: 36},
		{Model: pattern.Facts, DIn: 11, DOut: 12, P: 36, N: 15},
		{Model: pattern.DP, DIn: 20, DOut: 8, P: 30, N: 12, Keys: pattern.Sphere},
		{Model: pattern.OP, DIn: 8, DOut: 20, P: 30, N: 30, Values: pattern.Sphere},
		{Model: pattern.DP, DIn: 16, DOut: 16, P: 200, N: 2},
	} {
		in := sample(1, s)
		coarse := maxmargin.Solve(in, maxmargin.Options{})
		fine := maxmargin.Solve(in, maxmargin.Options{Gap: 1e-6, Start: coarse.Weights})
		finest := maxmargin.Solve(in, maxmargin.Options{Gap: 1e-10})
		for gap, r := range map[float64]maxmargin.Solution{1e-3: coarse, 1e-6: fine, 1e-10: finest} {
			check(t, in, r)
			require.Equal(t, status.Converged, r.Status, "%v", s)
			require.False(t, r.NotStorable)
			assert.LessOrEqual(t, r.Gap, gap)
			assert.LessOrEqual(t, finest.Margin, r.Bound)
			assert.LessOrEqual(t, r.Margin, finest.Bound)
			assert.Equal(t, s.P, proof.Verify(in, r.Weights).Recalled)
		}
	}
}

// Above capacity nothing may be called a margin. At d = 12 and p = 60, 1.5 p_c,
// P(storable) < 1e-9.
func TestNotStorable(t *testing.T) {
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		in := sample(1, pattern.Spec{Model: model, DIn: 12, DOut: 12, P: 60, N: 60})
		r := maxmargin.Solve(in, maxmargin.Options{})
		check(t, in, r)
		assert.Equal(t, status.Converged, r.Status)
		assert.True(t, r.NotStorable)
		assert.Nil(t, r.Weights)
		assert.LessOrEqual(t, r.Bound, maxmargin.DefaultTolerance)

		r = maxmargin.Solve(in, maxmargin.Options{MaxIterations: 20})
		check(t, in, r)
		assert.Equal(t, status.MaxIterations, r.Status)
		assert.False(t, r.NotStorable)
		assert.Less(t, r.Margin, 0.)
		assert.Greater(t, r.Gap, 1.)
		assert.Greater(t, r.Bound, maxmargin.DefaultTolerance)
	}
}

func data(t *testing.T, s pattern.Spec, keys, pools []float64) *pattern.Instance {
	in, err := pattern.FromData(s, keys, pools)
	require.NoError(t, err)
	return in
}

func TestEdges(t *testing.T) {
	// No competitor.
	for _, s := range []pattern.Spec{
		{Model: pattern.OP, DIn: 3, DOut: 2, P: 1, N: 1},
		{Model: pattern.DP, DIn: 3, DOut: 2, P: 9, N: 1},
	} {
		r := maxmargin.Solve(sample(1, s), maxmargin.Options{})
		assert.Equal(t, status.Converged, r.Status)
		assert.Equal(t, math.Inf(1), r.Margin)
		assert.Equal(t, math.Inf(1), r.Bound)
		assert.Zero(t, r.Gap)
		assert.Equal(t, 1., r.Weights.Norm())
	}
	// One weight, by hand: keys 1 and −2, (target, competitor) = (3, 1) and
	// (−1, 1): W = 1 leads by 2 and 4.
	s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 2, N: 2}
	r := maxmargin.Solve(data(t, s, []float64{1, -2}, []float64{3, 1, -1, 1}), maxmargin.Options{Gap: 1e-12})
	assert.Equal(t, status.Converged, r.Status)
	assert.InDelta(t, 2, r.Margin, 1e-11)
	assert.Equal(t, []float64{1}, r.Weights.Parameters)
	// The other sign cannot be stored; nor can a tie, a duplicate in a pool of
	// OP, an input with the key 0, or keys that are all 0.
	for name, in := range map[string]*pattern.Instance{
		"opposite":  data(t, s, []float64{1, 2}, []float64{3, 1, -1, 1}),
		"tie":       data(t, s, []float64{1, -2}, []float64{3, 3, -1, 1}),
		"zero key":  data(t, s, []float64{1, 0}, []float64{3, 1, -1, 1}),
		"zero keys": data(t, s, []float64{0, 0}, []float64{3, 1, -1, 1}),
		"duplicate": data(t, pattern.Spec{Model: pattern.OP, DIn: 3, DOut: 2, P: 3, N: 3},
			[]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, []float64{1, 2, 1, 2, -3, 1}),
	} {
		r := maxmargin.Solve(in, maxmargin.Options{})
		assert.Equal(t, status.Converged, r.Status, name)
		assert.True(t, r.NotStorable, name)
		check(t, in, r)
	}
	// Competitors that are equal are no obstacle.
	s.N = 3
	r = maxmargin.Solve(data(t, s, []float64{1, -2}, []float64{3, 1, 1, -1, 1, 1}), maxmargin.Options{Gap: 1e-9})
	assert.InDelta(t, 2, r.Margin, 1e-8)
	// A gap below round-off.
	r = maxmargin.Solve(sample(1, pattern.Spec{Model: pattern.DP, DIn: 6, DOut: 6, P: 8, N: 8}), maxmargin.Options{Gap: 1e-15})
	assert.Equal(t, status.Roundoff, r.Status)
	assert.Less(t, r.Gap, 1e-12)
	assert.Positive(t, r.Gap)
}

// The margin takes the scale of the data, from the smallest that an instance
// may have to the largest, and a power of 2 changes nothing else.
func TestScale(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 8, DOut: 6, P: 10, N: 8}
	scaled := func(keys, values float64) maxmargin.Solution {
		in := sample(3, s)
		k := append([]float64(nil), in.Keys()...)
		var pools []float64
		for mu := range s.P {
			pools = append(pools, in.Pool(mu, nil)...)
		}
		for i := range k {
			k[i] *= keys
		}
		for i := range pools {
			pools[i] *= values
		}
		return maxmargin.Solve(data(t, s, k, pools), maxmargin.Options{Gap: 1e-9})
	}
	want := scaled(1, 1)
	require.Equal(t, status.Converged, want.Status)
	for _, c := range [][2]float64{{2, 1}, {0.25, 8}, {0x1p-240, 0x1p-240}, {0x1p240, 0x1p240}, {0x1p240, 0x1p-240}} {
		r := scaled(c[0], c[1])
		assert.Equal(t, want.Weights, r.Weights, "%v", c)
		assert.InEpsilon(t, want.Margin*c[0]*c[1], r.Margin, 1e-13, "%v", c)
		assert.Equal(t, want.Iterations, r.Iterations)
	}
	assert.InEpsilon(t, want.Margin*6, scaled(2, 3).Margin, 2e-9)
}

// The order of the inputs does not matter to the margin.
func TestPermutation(t *testing.T) {
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		s := pattern.Spec{Model: model, DIn: 10, DOut: 10, P: 18, N: 18}
		in := sample(4, s)
		var keys, pools []float64
		for _, mu := range rand.New(rand.NewPCG(1, 2)).Perm(s.P) {
			keys = append(keys, in.Key(mu)...)
			if model == pattern.OP {
				pools = append(pools, in.TargetValue(mu, nil)...)
			} else {
				pools = append(pools, in.Pool(mu, nil)...)
			}
		}
		a := maxmargin.Solve(in, maxmargin.Options{Gap: 1e-9})
		b := maxmargin.Solve(data(t, s, keys, pools), maxmargin.Options{Gap: 1e-9})
		require.Equal(t, status.Converged, a.Status)
		assert.InEpsilon(t, a.Margin, b.Margin, 2e-9)
		assert.Equal(t, a.Active, b.Active)
	}
}

// Neither the number of threads nor how pools are kept may change a bit. The
// instance is large enough for its passes to be shared.
func TestThreads(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 220, DOut: 60, P: 90, N: 30}
	want := maxmargin.Solve(sample(5, s), maxmargin.Options{Threads: 1})
	require.Equal(t, status.Converged, want.Status)
	for _, threads := range []int{0, 3} {
		got := maxmargin.Solve(sample(5, s), maxmargin.Options{Threads: threads})
		assert.Equal(t, want.Weights, got.Weights)
		assert.Equal(t, want.Multipliers, got.Multipliers)
	}
	s = pattern.Spec{Model: pattern.DP, DIn: 8, DOut: 6, P: 10, N: 8}
	want = maxmargin.Solve(sample(5, s), maxmargin.Options{})
	got := maxmargin.Solve(pattern.SampleStreamed(stream.New(5, "maxmargin", "", 0), s), maxmargin.Options{})
	assert.Equal(t, want.Weights, got.Weights)
	assert.Equal(t, want.Multipliers, got.Multipliers)
}

// A solve can be ended between any two passes, at once, and then says what it
// knows; a Stop that is never true changes nothing.
func TestStop(t *testing.T) {
	s := pattern.Spec{Model: pattern.OP, DIn: 10, DOut: 8, P: 24, N: 24}
	in := sample(7, s)
	whole := maxmargin.Solve(in, maxmargin.Options{})
	require.Equal(t, status.Converged, whole.Status)
	asked := 0
	never := maxmargin.Solve(in, maxmargin.Options{Stop: func() bool { asked++; return false }})
	assert.Equal(t, whole.Weights, never.Weights)
	assert.Equal(t, whole.Iterations, never.Iterations)
	assert.Greater(t, asked, whole.Iterations)

	withWeights := 0
	for _, last := range []int{1, 2, 3, asked / 4, asked / 2, asked - 1} {
		calls := 0
		r := maxmargin.Solve(in, maxmargin.Options{Stop: func() bool { calls++; return calls >= last }})
		assert.Equal(t, status.Unknown, r.Status, "stopped at call %d of %d", last, asked)
		assert.False(t, r.NotStorable)
		assert.Equal(t, last, calls, "not asked again")
		assert.Less(t, r.Iterations, last)
		if last == 1 {
			assert.Nil(t, r.Weights)
			assert.True(t, math.IsInf(r.Bound, 1))
			continue
		}
		check(t, in, r)
		assert.GreaterOrEqual(t, r.Bound, whole.Margin)
		if r.Weights != nil {
			withWeights++
			assert.LessOrEqual(t, r.Margin, whole.Bound)
		}
	}
	assert.Positive(t, withWeights)
}

func TestValidate(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 3, P: 4, N: 5}
	require.NoError(t, maxmargin.Options{}.Validate(s))
	bad := learn.NewWeights(3, 2, 0)
	bad.Parameters[1] = math.Inf(1)
	for want, o := range map[string]maxmargin.Options{
		"gap = 1: want 0 < gap < 1, or 0 for 0.001":                   {Gap: 1},
		"gap = NaN: want 0 < gap < 1, or 0 for 0.001":                 {Gap: math.NaN()},
		"tolerance = -1: want a finite tolerance > 0, or 0 for 1e-06": {Tolerance: -1},
		"max iterations = -1: want ≥ 1, or 0 for 100000":              {MaxIterations: -1},
		"threads = -2: want ≥ 1, or 0 for all":                        {Threads: -2},
		"start of 2×3 weights: want d_out × d_in = 3×2":               {Start: learn.NewWeights(2, 3, 0)},
		"start of norm +Inf: want finite weights":                     {Start: bad},
	} {
		assert.EqualError(t, o.Validate(s), want)
		assert.PanicsWithValue(t, "maxmargin: "+want, func() { maxmargin.Solve(sample(1, s), o) })
	}
	s.N = 0
	assert.EqualError(t, maxmargin.Options{}.Validate(s), "n = 0: want n ≥ 1")
}

func BenchmarkSolve(b *testing.B) {
	for name, s := range map[string]pattern.Spec{
		"dp/d=24/p=20":    {Model: pattern.DP, DIn: 24, DOut: 24, P: 20, N: 20},
		"dp/d=24/p=60":    {Model: pattern.DP, DIn: 24, DOut: 24, P: 60, N: 60},
		"dp/d=24/p=110":   {Model: pattern.DP, DIn: 24, DOut: 24, P: 110, N: 110},
		"dp/d=48/p=180":   {Model: pattern.DP, DIn: 48, DOut: 48, P: 180, N: 180},
		"dp/d=64/p=380":   {Model: pattern.DP, DIn: 64, DOut: 64, P: 380, N: 380},
		"op/d=128/p=1200": {Model: pattern.OP, DIn: 128, DOut: 128, P: 1200, N: 1200},
	} {
		b.Run(name, func(b *testing.B) {
			in := sample(1, s)
			for b.Loop() {
				r := maxmargin.Solve(in, maxmargin.Options{})
				b.ReportMetric(float64(r.Iterations), "iterations")
			}
		})
	}
}

// Two keys at right angles are storable whatever their lengths, and the margin
// is √2 times the shorter one's: K*² = 1/Σ 1/‖X‖².
func TestSolveWithShortKey(t *testing.T) {
	for _, length := range []float64{1, 1e-2, 1e-5, 1e-8} {
		s := pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 2, N: 2}
		in, err := pattern.FromData(s, []float64{1, 0, 0, length}, []float64{1, 0, 0, 1})
		require.NoError(t, err)
		r := maxmargin.Solve(in, maxmargin.Options{})
		require.False(t, r.NotStorable, "length %g: %+v", length, r)
		assert.Equal(t, status.Converged, r.Status, "length %g", length)
		assert.InEpsilon(t, math.Sqrt2/math.Sqrt(1+1/(length*length)), r.Margin, 2*maxmargin.DefaultGap)
	}
}

// Without length nothing has a margin.
func TestSolveWithoutLength(t *testing.T) {
	for _, key := range []float64{0, 1} {
		s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 2, P: 2, N: 3}
		in, err := pattern.FromData(s, []float64{key, key}, make([]float64, 12))
		require.NoError(t, err)
		r := maxmargin.Solve(in, maxmargin.Options{})
		assert.True(t, r.NotStorable, "%+v", r)
		assert.Zero(t, r.Bound)
	}
}
