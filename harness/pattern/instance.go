package pattern

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"lamcap/internal/counter"
	"lamcap/internal/stream"
)

// Instance is one draw of keys and candidates. It is immutable, so it may be
// read from several goroutines.
type Instance struct {
	spec Spec
	keys []float64 // P×DIn, row-major
	// pools holds the N×DOut pool that is shared, or P given pools of DP one after
	// the other. Drawn pools of DP are float32 numbers: drawn holds them, or is nil
	// when they are generated from normals on demand.
	pools   []float64
	drawn   []float32
	normals counter.Key
	// targets holds the rows of the targets of Facts; nil otherwise.
	targets []int
}

// Sample draws an instance and keeps all its pools in memory: those of DP as
// float32 numbers, which they are. It panics if the spec is not valid, is of Facts, or its
// pools do not fit (see [Spec.Validate], [Spec.Fits]).
func Sample(rng *rand.Rand, s Spec) *Instance {
	in := SampleStreamed(rng, s)
	if s.Model == OP {
		return in
	}
	if !s.Fits() {
		panic("pattern: the pools do not fit in memory")
	}
	size := s.N * s.DOut
	drawn := make([]float32, s.P*size)
	for mu := range s.P {
		draw(in, drawn[mu*size:(mu+1)*size], mu, 0)
	}
	in.drawn = drawn
	return in
}

// SampleStreamed draws the same instance as [Sample] from the same rng, number
// for number, but generates a pool of DP, or any rows of it, whenever it is asked
// for: memory stays O(P·DIn + N·DOut) instead of O(P·N·DOut), time is spent at
// every reading. It panics if the spec is not valid, or is of
// Facts, which are given.
func SampleStreamed(rng *rand.Rand, s Spec) *Instance {
	if err := s.Validate(); err != nil {
		panic("pattern: " + err.Error())
	}
	if s.Model == Facts {
		panic("pattern: facts are given, not drawn")
	}
	in := &Instance{spec: s, keys: make([]float64, s.P*s.DIn)}
	fill(rng, in.keys, s.DIn, s.Keys)
	// Each pool has a sub-stream of its own, so that it can be generated again.
	key := stream.NewKey(rng)
	if s.Model == OP {
		in.pools = make([]float64, s.N*s.DOut)
		fill(key.Stream(0), in.pools, s.DOut, s.Values)
		return in
	}
	in.normals = counter.NewKey(key)
	return in
}

// FromData builds an instance of OP or DP from given numbers, which it does not copy: keys
// is P×DIn row-major; pools is N×DOut in OP (the target of input μ is row μ)
// and P blocks of N×DOut in DP (the target is row 0 of block μ). The
// embeddings of the spec are not enforced. It returns an error if the spec is
// not valid, a length does not match, a number is not finite, or the largest
// entry of a key or of a pool, unless 0, is not of a size from 1e-75 to 1e75:
// beyond, scores would leave the range in which round-off can be bounded.
func FromData(s Spec, keys, pools []float64) (*Instance, error) {
	if s.Model == Facts {
		return nil, fmt.Errorf("model = %v: want op or dp; facts have targets of their own, see FromPairs", s.Model)
	}
	return fromData(s, keys, pools, nil)
}

// fromData is FromData with the targets of Facts.
func fromData(s Spec, keys, pools []float64, targets []int) (*Instance, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if len(keys) != s.P*s.DIn {
		return nil, fmt.Errorf("keys: %d numbers: want p·d_in = %d", len(keys), s.P*s.DIn)
	}
	if float64(len(pools)) != s.PoolNumbers() {
		return nil, fmt.Errorf("pools: %d numbers: want %.0f", len(pools), s.PoolNumbers())
	}
	for _, f := range []struct {
		name   string
		values []float64
	}{{"keys", keys}, {"pools", pools}} {
		for i, v := range f.values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s[%d] = %g: want a finite number", f.name, i, v)
			}
		}
	}
	in := &Instance{spec: s, keys: keys, pools: pools, targets: targets}
	pooled := 1
	if s.Model == DP {
		pooled = s.P
	}
	for mu := range s.P {
		if err := checkSize("key", mu, in.Key(mu)); err != nil {
			return nil, err
		}
		if mu < pooled {
			if err := checkSize("pool", mu, in.Pool(mu, nil)); err != nil {
				return nil, err
			}
		}
	}
	return in, nil
}

// checkSize refuses vectors whose products may overflow or vanish.
func checkSize(name string, mu int, values []float64) error {
	const least, greatest = 1e-75, 1e75
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	if largest != 0 && !(largest >= least && largest <= greatest) {
		return fmt.Errorf("%s %d: largest entry %g: want %g to %g, or 0; rescale it, which changes no recall", name, mu, largest, least, greatest)
	}
	return nil
}

// Scale returns the root mean square of a key's entries times that of a
// value's, the size of u·(W e) for ‖W‖_F = 1: about 1 for what Sample draws in
// OP, and 1 for what it draws in DP.
func (in *Instance) Scale() float64 {
	s := in.spec
	if !in.Stored() {
		return 1
	}
	return floats.Norm(in.keys, 2) / math.Sqrt(float64(len(in.keys))) *
		floats.Norm(in.pools, 2) / math.Sqrt(s.PoolNumbers())
}

// LeastScale is [Instance.Scale] of the shortest key that is not 0 with the
// shortest pool that is not 0. Rescaling a key, or a pool of DP, changes no
// recall, but all margins that it has a part in.
func (in *Instance) LeastScale() float64 {
	s := in.spec
	key := leastSize(in.keys, s.DIn)
	switch {
	case in.pools == nil:
		return key
	case s.Model.SharedPool():
		return key * leastSize(in.pools, len(in.pools))
	}
	return key * leastSize(in.pools, s.N*s.DOut)
}

// leastSize is the least root mean square, but for zeros, of vectors of length
// n; 0 if all are 0.
func leastSize(vectors []float64, n int) float64 {
	least := math.Inf(1)
	for ; len(vectors) > 0; vectors = vectors[n:] {
		if size := floats.Norm(vectors[:n], 2) / math.Sqrt(float64(n)); size > 0 {
			least = min(least, size)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// Spec returns the ensemble that the instance was drawn from.
func (in *Instance) Spec() Spec { return in.spec }

// Keys returns all keys, P×DIn row-major. The caller must not change them.
func (in *Instance) Keys() []float64 { return in.keys }

// Key returns e_μ, of length DIn. The caller must not change it.
func (in *Instance) Key(mu int) []float64 {
	d := in.spec.DIn
	return in.keys[mu*d : (mu+1)*d : (mu+1)*d]
}

// Target returns the row of input μ's target in its pool: μ in OP, 0 in DP, and
// as given in Facts.
func (in *Instance) Target(mu int) int {
	switch in.spec.Model {
	case OP:
		return mu
	case Facts:
		return in.targets[mu]
	}
	return 0
}
