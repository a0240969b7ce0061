package constraint_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/harness/constraint"
	"lamcap/harness/pattern"
	"lamcap/harness/pattern/patterntest"
	"lamcap/internal/roundoff"
	"lamcap/internal/stream"
)

func specs() *rapid.Generator[pattern.Spec] {
	return rapid.Custom(func(t *rapid.T) pattern.Spec {
		s := pattern.Spec{
			Model:  pattern.Model(rapid.IntRange(0, 2).Draw(t, "model")),
			DIn:    rapid.IntRange(1, 6).Draw(t, "d_in"),
			DOut:   rapid.IntRange(1, 6).Draw(t, "d_out"),
			P:      rapid.IntRange(1, 40).Draw(t, "p"),
			N:      rapid.IntRange(1, 9).Draw(t, "n"),
			Values: pattern.Embedding(rapid.IntRange(0, 1).Draw(t, "values")),
		}
		if s.Model == pattern.OP {
			s.N = s.P
		}
		return s
	})
}

// someset lists about a third of all pairs.
func someset(rng *rand.Rand, in *pattern.Instance) (start []int, candidate []int32) {
	s := in.Spec()
	start = make([]int, 1, s.P+1)
	for mu := range s.P {
		for c := range s.N {
			if c != in.Target(mu) && rng.IntN(3) == 0 {
				candidate = append(candidate, int32(c))
			}
		}
		start = append(start, len(candidate))
	}
	return start, candidate
}

func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// exact computes ⟨W, X⟩ of all pairs and Σ c X in 300 bits.
func exact(in *pattern.Instance, start []int, candidate []int32, w, c []float64) (forward, backward []*big.Float) {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	s := in.Spec()
	for range w {
		backward = append(backward, number(0))
	}
	for mu := range s.P {
		key, pool, target := in.Key(mu), in.Pool(mu, make([]float64, s.N*s.DOut)), in.Target(mu)
		for i := start[mu]; i < start[mu+1]; i++ {
			sum := number(0)
			for a := range s.DOut {
				for b := range s.DIn {
					x := number(pool[target*s.DOut+a])
					x.Sub(x, number(pool[int(candidate[i])*s.DOut+a]))
					x.Mul(x, number(key[b]))
					term := number(w[a*s.DIn+b])
					sum.Add(sum, term.Mul(term, x))
					g := backward[a*s.DIn+b]
					g.Add(g, x.Mul(x, number(c[i])))
				}
			}
			forward = append(forward, sum)
		}
	}
	return forward, backward
}

func distance(x *big.Float, y float64) float64 {
	d, _ := new(big.Float).SetPrec(300).Sub(x, new(big.Float).SetFloat64(y)).Float64()
	return math.Abs(d)
}

// Forward and Backward must agree with exact arithmetic within the bounds they
// state, on stored and on streamed instances alike, number for number. The
// bounds are of order 1e-14 here: a wrong row or sign is off by order 1.
func TestExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := specs().Draw(t, "spec")
		seed := rapid.Uint64().Draw(t, "seed")
		in := patterntest.Draw(stream.New(seed, "", "", 0), s)
		streamed := in
		if s.Model != pattern.Facts {
			streamed = pattern.SampleStreamed(stream.New(seed, "", "", 0), s)
		}
		rng := stream.New(seed, "weights", "", 0)
		start, candidate := someset(rng, in)
		w := normals(rng, s.DOut*s.DIn)
		c := normals(rng, len(candidate))
		set := constraint.New(in, start, candidate)
		dst, g := make([]float64, set.Len()), make([]float64, len(w))
		set.Forward(dst, w)
		set.Backward(g, c)
		scaled := make([]float64, set.Len())
		c2 := append([]float64(nil), c...)
		for i := 0; i < len(c2); i += 2 {
			c2[i] = 0
		}
		set.ForwardScaled(scaled, w, c2)
		for i, x := range scaled {
			assert.Equal(t, c2[i]*dst[i], x)
		}

		other := constraint.New(streamed, start, candidate)
		dst2, g2 := make([]float64, set.Len()), make([]float64, len(w))
		other.Forward(dst2, w)
		other.Backward(g2, c)
		assert.Equal(t, dst, dst2)
		assert.Equal(t, g, g2)

		forward, backward := exact(in, start, candidate, w, c)
		// The bounds that the documentation states.
		forwardError := roundoff.Gamma(s.DIn+s.DOut+8) * set.Size()
		norm, size, off := 0.0, 0.0, 0.0
		for _, x := range w {
			norm = math.Hypot(norm, x)
		}
		for i, x := range c {
			size += math.Abs(x)
			assert.LessOrEqual(t, distance(forward[i], dst[i]), forwardError*norm)
		}
		for i := range g {
			off = math.Hypot(off, distance(backward[i], g[i]))
		}
		assert.LessOrEqual(t, off, set.BackwardError()*size)
		assert.LessOrEqual(t, forwardError, 1e-12)
		assert.LessOrEqual(t, set.BackwardError(), 1e-12)
	})
}

// A set selected by a scan is the set listed by hand, and the scan's scores are
// those of the set.
func TestSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := specs().Draw(t, "spec")
		seed := rapid.Uint64().Draw(t, "seed")
		in := patterntest.Draw(stream.New(seed, "", "", 0), s)
		if s.Model != pattern.Facts && rapid.Bool().Draw(t, "streamed") {
			in = pattern.SampleStreamed(stream.New(seed, "", "", 0), s)
		}
		rng := stream.New(seed, "weights", "", 0)
		start, candidate := someset(rng, in)
		w := normals(rng, s.DOut*s.DIn)
		var differences []float64
		set := constraint.Select(in, w, func(mu int, scores []float64, target int, add func(int)) {
			for _, c := range candidate[start[mu]:start[mu+1]] {
				add(int(c))
				differences = append(differences, scores[target]-scores[c]) // one thread at this size
			}
		})
		assert.Equal(t, start, set.Start())
		assert.Equal(t, len(candidate), set.Len())
		for i, c := range candidate {
			assert.Equal(t, c, set.Candidate()[i])
		}
		listed := constraint.New(in, start, candidate)
		a, b := make([]float64, len(candidate)), make([]float64, len(candidate))
		set.Forward(a, w)
		listed.Forward(b, w)
		assert.Equal(t, b, a)
		for i := range a {
			assert.InDelta(t, a[i], differences[i], 1e-12)
		}
		assert.Equal(t, in, set.Instance())
	})
}

// large returns an instance whose passes are shared by threads.
func large(model pattern.Model) *pattern.Instance {
	return pattern.Sample(stream.New(1, "large", "", 0),
		pattern.Spec{Model: model, DIn: 72, DOut: 60, P: 310, N: map[pattern.Model]int{pattern.OP: 310, pattern.DP: 40}[model]})
}

// The number of threads may change no bit.
func TestThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		in := large(model)
		rng := stream.New(2, "large", "", 0)
		w := normals(rng, 72*60)
		var want [3][]float64
		for threads := range 5 {
			scanner := constraint.NewScanner(in)
			scanner.Threads = threads
			sums := make([]float64, 310)
			set := scanner.Select(w, func(mu int, scores []float64, target int, add func(int)) {
				for c, x := range scores {
					if sums[mu] += x; c != target && x > scores[target]-10 {
						add(c)
					}
				}
			})
			require.Equal(t, threads, set.Threads)
			require.Greater(t, set.Len(), 310)
			dst, g := make([]float64, set.Len()), make([]float64, len(w))
			set.Forward(dst, w)
			set.Backward(g, dst)
			if threads == 0 {
				want = [3][]float64{sums, dst, g}
			}
			assert.Equal(t, want, [3][]float64{sums, dst, g}, "%v, %d threads", model, threads)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	in := large(pattern.DP)
	rng := stream.New(3, "large", "", 0)
	start, candidate := someset(rng, in)
	set := constraint.New(in, start, candidate)
	w, c := normals(rng, 72*60), normals(rng, set.Len())
	g := make([]float64, len(w))
	for _, threads := range []int{1, 2} {
		set.Threads = threads
		// A goroutine started now and then needs a new descriptor.
		assert.Less(t, testing.AllocsPerRun(20, func() { set.Forward(c, w); set.Backward(g, c) }), 1.)
	}
}

func TestPanics(t *testing.T) {
	in := pattern.Sample(stream.New(1, "", "", 0), pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 3, P: 3, N: 3})
	for want, f := range map[string]func(){
		"constraint: want 4 starts from 0 to the number of candidates":                func() { constraint.New(in, []int{0, 1, 1}, []int32{1}) },
		"constraint: the list of input 1 has a negative length":                       func() { constraint.New(in, []int{0, 1, 0, 1}, []int32{1}) },
		"constraint: candidate 0 of input 0: want a row from 0 to 2, not the target":  func() { constraint.New(in, []int{0, 1, 1, 1}, []int32{0}) },
		"constraint: candidate 3 of input 0: want a row from 0 to 2, not the target":  func() { constraint.New(in, []int{0, 1, 1, 1}, []int32{3}) },
		"constraint: candidate -1 of input 2: want a row from 0 to 2, not the target": func() { constraint.New(in, []int{0, 0, 0, 1}, []int32{-1}) },
		"constraint: Forward: want a number for each pair, and DOut·DIn weights":      func() { constraint.New(in, make([]int, 4), nil).Forward(nil, nil) },
		"constraint: Backward: want a number for each pair, and DOut·DIn weights":     func() { constraint.New(in, make([]int, 4), nil).Backward(make([]float64, 6), make([]float64, 1)) },
		"constraint: ForwardScaled: want a number for each pair":                      func() { constraint.New(in, make([]int, 4), nil).ForwardScaled(nil, nil, make([]float64, 1)) },
		"constraint: Scan: want DOut·DIn weights":                                     func() { constraint.NewScanner(in).Scan(nil, nil) },
		"constraint: candidate 1 of input 1: want a row from 0 to 2, not the target": func() {
			constraint.Select(in, make([]float64, 6), func(_ int, _ []float64, _ int, add func(int)) { add(1) })
		},
	} {
		assert.PanicsWithValue(t, want, f)
	}
	empty := constraint.New(in, make([]int, 4), nil)
	g := []float64{1, 1, 1, 1, 1, 1}
	empty.Forward(nil, g)
	empty.Backward(g, nil)
	assert.Equal(t, make([]float64, 6), g)
	assert.Zero(t, empty.Size())
}

// Costs at d = 128: BenchmarkForward/p=1200/pairs=10 and so on; the matrix
// products are in all of them.
func benchmark(b *testing.B, f func(set *constraint.Set, w, c []float64)) {
	const d = 128
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		for _, p := range []int{300, 1200} {
			for _, pairs := range []int{0, 10, 50} {
				b.Run(fmt.Sprintf("%v/p=%d/pairs=%d", model, p, pairs), func(b *testing.B) {
					n := p
					if model == pattern.DP {
						n = 100
					}
					in := pattern.Sample(stream.New(1, "benchmark", "", 0), pattern.Spec{Model: model, DIn: d, DOut: d, P: p, N: n})
					start := []int{0}
					var candidate []int32
					for mu := range p {
						for k := range pairs {
							c := (37*k + 11*mu + 1) % n
							if c == in.Target(mu) {
								c = (c + 1) % n
							}
							candidate = append(candidate, int32(c))
						}
						start = append(start, len(candidate))
					}
					if pairs == 0 { // the products run if there is a pair
						for mu := range p {
							start[mu+1] = mu + 1
							candidate = append(candidate, int32((in.Target(mu)+1)%n))
						}
					}
					set := constraint.New(in, start, candidate)
					rng := stream.New(2, "benchmark", "", 0)
					w, c := normals(rng, d*d), normals(rng, set.Len())
					b.ReportAllocs()
					for b.Loop() {
						f(set, w, c)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*set.Len()), "ns/pair")
				})
			}
		}
	}
}

func BenchmarkForward(b *testing.B) {
	benchmark(b, func(set *constraint.Set, w, c []float64) { set.Forward(c, w) })
}

func BenchmarkBackward(b *testing.B) {
	benchmark(b, func(set *constraint.Set, w, c []float64) { set.Backward(w, c) })
}

func BenchmarkScan(b *testing.B) {
	for _, p := range []int{300, 1200} {
		b.Run(fmt.Sprintf("op/d=128/p=%d", p), func(b *testing.B) {
			in := pattern.Sample(stream.New(1, "benchmark", "", 0), pattern.Spec{Model: pattern.OP, DIn: 128, DOut: 128, P: p, N: p})
			w := normals(stream.New(2, "benchmark", "", 0), 128*128)
			scanner := constraint.NewScanner(in)
			for b.Loop() {
				scanner.Scan(w, func(int, []float64, int, []float64) {})
			}
		})
	}
}
