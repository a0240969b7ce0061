package pattern

import (
	"fmt"
	"math"
	"strings"

	"lamcap/internal/embedding"
)

// Model says how inputs and candidates are coupled.
type Model int

const (
	// OP is the original problem: one pool of p values for all p inputs.
	OP Model = iota
	// DP is the decoupled problem: an independent pool for every input.
	DP
	// Facts are given associations, not drawn: one pool of n values shared by
	// all p inputs, with n and p unrelated, and any row the target of any input.
	// OP is the case n = p where input μ has the target μ. See [FromPairs].
	Facts
)

// SharedPool reports whether all inputs have the same candidates.
func (m Model) SharedPool() bool { return m == OP || m == Facts }

// String returns "op", "dp" or "facts".
func (m Model) String() string {
	if m < 0 || int(m) >= len(modelNames) {
		return fmt.Sprintf("model(%d)", int(m))
	}
	return modelNames[m]
}

// ParseModel is the inverse of [Model.String] for the models that are drawn, op
// and dp; it ignores case.
func ParseModel(s string) (Model, error) {
	drawn := modelNames[:Facts]
	for i, n := range drawn {
		if strings.EqualFold(s, n) {
			return Model(i), nil
		}
	}
	return 0, fmt.Errorf("model = %s: want %s", s, strings.Join(drawn, " or "))
}

// Embedding is the distribution of a key or a value in R^d.
type Embedding = embedding.Kind

const (
	// Gaussian vectors have independent standard normal entries.
	Gaussian = embedding.Gaussian
	// Sphere vectors are uniform on the sphere of radius √d.
	Sphere = embedding.Sphere
)

// ParseEmbedding is the inverse of [Embedding.String]; it ignores case.
func ParseEmbedding(s string) (Embedding, error) { return embedding.Parse(s) }

var modelNames = [...]string{"op", "dp", "facts"}

// Spec describes an ensemble of instances.
type Spec struct {
	Model Model
	// DIn and DOut are the dimensions of keys and values, at least 1.
	DIn, DOut int
	// P is the number of inputs, at least 1.
	P int
	// N is the number of candidates of each input, the target included:
	// at least 1, and P in OP. An input with N = 1 has no competitor.
	N int
	// Keys and Values are the distributions of keys and of values; of given data
	// they say nothing.
	Keys, Values Embedding
}

// Validate reports the first field outside its range.
func (s Spec) Validate() error {
	if s.Model < OP || s.Model > Facts {
		return fmt.Errorf("model = %v: want op or dp", s.Model)
	}
	for _, f := range []struct {
		name  string
		value int
	}{{"d_in", s.DIn}, {"d_out", s.DOut}, {"p", s.P}, {"n", s.N}} {
		if f.value < 1 {
			return fmt.Errorf("%s = %d: want %s ≥ 1", f.name, f.value, f.name)
		}
	}
	if s.Model == OP && s.N != s.P {
		return fmt.Errorf("n = %d: want n = p = %d in model op, whose pool all inputs share", s.N, s.P)
	}
	for _, f := range []struct {
		name  string
		value Embedding
	}{{"keys", s.Keys}, {"values", s.Values}} {
		if !f.value.Valid() {
			return fmt.Errorf("%s = %v: want gaussian or sphere", f.name, f.value)
		}
	}
	// Everything but the pools is stored whatever the size.
	if numbers := float64(s.P) * (float64(s.DIn) + float64(s.DOut)); numbers > maxStored {
		return fmt.Errorf("p = %d with d_in = %d, d_out = %d: want p(d_in + d_out) ≤ %g", s.P, s.DIn, s.DOut, float64(maxStored))
	}
	if s.Model == Facts && s.PoolNumbers() > maxStored {
		return fmt.Errorf("n = %d with d_out = %d: want n d_out ≤ %g", s.N, s.DOut, float64(maxStored))
	}
	return nil
}

// maxStored is the most float64 numbers kept in one array, 8 GiB of them: a
// request beyond it is answered with an error, not with a failed allocation.
const maxStored = math.MaxInt32 / 2

// PoolNumbers returns the count of numbers in all pools, P·N·DOut in DP
// and N·DOut where one is shared, as a float64 since it may exceed the integers.
func (s Spec) PoolNumbers() float64 {
	numbers := float64(s.N) * float64(s.DOut)
	if s.Model == DP {
		numbers *= float64(s.P)
	}
	return numbers
}

// Fits reports whether the pools that are drawn are small enough to be kept in
// memory (8 GiB): float64 numbers in OP, float32 numbers in DP. [Sample] needs
// that, [SampleStreamed] does not.
func (s Spec) Fits() bool {
	if s.Model == DP {
		return s.PoolNumbers() <= 2*maxStored
	}
	return s.PoolNumbers() <= maxStored
}
