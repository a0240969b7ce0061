package facts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lamcap/harness/pattern"
	"lamcap/harness/vectors"
)

// Candidates says which values compete.
type Candidates int

const (
	// All values do.
	All Candidates = iota
	// Used are those that are the value of some fact.
	Used
)

var candidateNames = [...]string{"all", "used"}

// String returns "all" or "used".
func (c Candidates) String() string {
	if c < 0 || int(c) >= len(candidateNames) {
		return fmt.Sprintf("candidates(%d)", int(c))
	}
	return candidateNames[c]
}

// ParseCandidates is the inverse of [Candidates.String].
func ParseCandidates(s string) (Candidates, error) {
	if i := slices.Index(candidateNames[:], strings.ToLower(s)); i >= 0 {
		return Candidates(i), nil
	}
	return 0, fmt.Errorf("candidates = %s: want all or used", s)
}

// Facts are associations to be stored. They are immutable.
type Facts struct {
	keys, values *vectors.Set
	pairs        []Pair // no two are the same
	candidates   Candidates
	rows         []int // of the values that compete, ascending
	targets      []int // of each fact, its place in rows
	instance     *pattern.Instance
	exponent     int // scores of the instance are those of the vectors times 2^−exponent
}

// New returns the facts given by pairs of rows; those that are there twice are
// used once. The sets may not be changed afterwards. It returns an error if there
// is no pair, one is of no row, or vectors differ so much in size that scores would
// leave the range of float64.
//
// Both sets are multiplied by powers of 2 that bring their numbers near 1: this
// rounds nothing and changes no recall, and lets vectors of any size be trained.
func New(keys, values *vectors.Set, pairs []Pair, c Candidates) (*Facts, error) {
	if c != All && c != Used {
		return nil, fmt.Errorf("candidates = %v: want all or used", c)
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("no facts: want at least one pair of a key and a value")
	}
	f := &Facts{keys: keys, values: values, candidates: c}
	seen := make(map[Pair]bool, len(pairs))
	for i, p := range pairs {
		if p.Key < 0 || p.Key >= keys.Rows || p.Value < 0 || p.Value >= values.Rows {
			return nil, fmt.Errorf("pair %d = (%d, %d): want rows from 0 to %d of the keys and to %d of the values", i, p.Key, p.Value, keys.Rows-1, values.Rows-1)
		}
		if !seen[p] {
			seen[p] = true
			f.pairs = append(f.pairs, p)
		}
	}
	place := make([]int, values.Rows)
	if c == Used {
		for i := range place {
			place[i] = -1
		}
		for _, p := range f.pairs {
			place[p.Value] = 0
		}
	}
	for row, used := range place {
		if used >= 0 {
			place[row] = len(f.rows)
			f.rows = append(f.rows, row)
		}
	}
	keyRows := make([]int, len(f.pairs))
	f.targets = make([]int, len(f.pairs))
	for i, p := range f.pairs {
		keyRows[i], f.targets[i] = p.Key, place[p.Value]
	}
	k, keyExponent, err := rescaled("keys", keys.Select(keyRows).Data)
	if err != nil {
		return nil, err
	}
	v, valueExponent, err := rescaled("values", values.Select(f.rows).Data)
	if err != nil {
		return nil, err
	}
	f.exponent = keyExponent + valueExponent
	if f.instance, err = pattern.FromPairs(k, v, keys.Columns, values.Columns, f.targets); err != nil {
		return nil, fmt.Errorf("keys and values, scaled to numbers near 1: %w", err)
	}
	return f, nil
}

// rescaled returns numbers times 2^−exponent, in place, with a root mean square
// near 1. It returns an error for numbers so much smaller than others that they
// would be rounded.
func rescaled(what string, x []float64) ([]float64, int, error) {
	least, largest := math.Inf(1), 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
		if v != 0 {
			least = min(least, math.Abs(v))
		}
	}
	if largest == 0 {
		return x, 0, nil
	}
	_, top := math.Frexp(largest)
	sum := 0.0
	for _, v := range x {
		v = math.Ldexp(v, -top)
		sum += v * v
	}
	exponent := top + int(math.Round(math.Log2(sum/float64(len(x)))/2))
	if exponent == 0 {
		return x, 0, nil
	}
	if exponent > 0 && least < math.Ldexp(1, exponent-1022) {
		return nil, 0, fmt.Errorf("%s: numbers from %g to %g in size: want them, unless 0, above 2^−1022 of their mean", what, least, largest)
	}
	for i, v := range x {
		x[i] = math.Ldexp(v, -exponent)
	}
	return x, exponent, nil
}

// Len returns the number of facts p.
func (f *Facts) Len() int { return len(f.pairs) }

// Pairs returns the facts. The caller must not change them.
func (f *Facts) Pairs() []Pair { return f.pairs }

// Keys and Values return the sets.
func (f *Facts) Keys() *vectors.Set   { return f.keys }
func (f *Facts) Values() *vectors.Set { return f.values }

// Instance returns the facts as an instance: input μ is fact μ, candidates are
// the values that compete, in their order.
func (f *Facts) Instance() *pattern.Instance { return f.instance }

// name is how a vector is called: its word, or its row.
func name(s *vectors.Set, row int) string {
	if s.Names == nil {
		return strconv.Itoa(row)
	}
	return s.Names[row]
}

// named is the word of a row, nil if there is none.
func named(s *vectors.Set, row int) any {
	if s.Names == nil {
		return nil
	}
	return s.Names[row]
}

// labelled is a row and its word.
func labelled(s *vectors.Set, row int) string {
	if s.Names == nil {
		return strconv.Itoa(row)
	}
	return fmt.Sprintf("%d (%s)", row, s.Names[row])
}
