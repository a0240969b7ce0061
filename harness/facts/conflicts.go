package facts

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/proof"
	"lamcap/harness/vectors"
)

// ConflictKind says why facts cannot all be stored, whatever the others.
type ConflictKind int

const (
	// EqualValues: the value of a fact has the same vector as another candidate, so
	// that their scores are equal.
	EqualValues ConflictKind = iota
	// EqualKeys: facts with the same key, as a row or as a vector, have different
	// values.
	EqualKeys
	// MultipleKeys: facts whose keys are positive multiples of each other, which
	// rank all values in the same way, have different values. (Negative multiples
	// rank them in the opposite way: no conflict by itself.)
	MultipleKeys
	// ZeroKey: the key of a fact is 0, so that all scores are 0.
	ZeroKey
)

var kindNames = [...]string{"equal_values", "equal_keys", "multiple_keys", "zero_key"}

// String returns "equal_values", "equal_keys", "multiple_keys" or "zero_key".
func (k ConflictKind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("conflict(%d)", int(k))
	}
	return kindNames[k]
}

// Conflict is a reason why the facts cannot all be stored.
type Conflict struct {
	Kind ConflictKind
	// Keys and Values are the rows it is about, ascending: of EqualValues the rows
	// with one vector, and no keys; of ZeroKey the key alone.
	Keys, Values []int
	// Facts are those that no memory recalls together (of which one at least is
	// recalled by none), as positions in the list of pairs.
	Facts []int
	proof []contradiction
}

// Conflicts returns the reasons, each a proof by itself, why the facts cannot be
// stored that can be seen without training: comparisons of numbers, exactly. The
// vectors compared are those that were given to [New], after preprocessing.
func (f *Facts) Conflicts() []Conflict {
	if len(f.rows) == 1 {
		return nil // nothing competes
	}
	return append(f.equalValues(), f.keyConflicts()...)
}

func (f *Facts) equalValues() []Conflict {
	pool, err := vectors.NewSet(len(f.rows), f.values.Columns, f.instance.Pool(0, nil))
	if err != nil {
		panic("facts: " + err.Error())
	}
	byTarget := make(map[int][]int, len(f.targets))
	for mu, t := range f.targets {
		byTarget[t] = append(byTarget[t], mu)
	}
	var all []Conflict
	for _, group := range pool.Duplicates() {
		c := Conflict{Kind: EqualValues}
		for _, place := range group {
			c.Values = append(c.Values, f.rows[place])
			c.Facts = append(c.Facts, byTarget[place]...)
		}
		if len(c.Facts) == 0 {
			continue // they only compete
		}
		slices.Sort(c.Facts)
		other := group[0]
		if other == f.targets[c.Facts[0]] {
			other = group[1]
		}
		c.proof = []contradiction{{c.Facts[0], other, 1}}
		all = append(all, c)
	}
	return all
}

// contradiction is a multiplier of a fact and a competitor. Those of a conflict
// are of facts in ascending order, and have Σ λ X = 0.
type contradiction struct {
	fact, candidate int
	value           float64
}

// multipliers are the proof that a conflict is.
func (f *Facts) multipliers(c *Conflict) *proof.Multipliers {
	m := &proof.Multipliers{Start: make([]int, len(f.pairs)+1)}
	at := 0
	for mu := range f.pairs {
		for at < len(c.proof) && c.proof[at].fact == mu {
			m.Candidate, m.Value = append(m.Candidate, int32(c.proof[at].candidate)), append(m.Value, c.proof[at].value)
			at++
		}
		m.Start[mu+1] = at
	}
	return m
}

func (f *Facts) keyConflicts() []Conflict {
	var zeros, multiples []Conflict
	for _, group := range f.directions() {
		first := f.instance.Key(group[0])
		if floats.Norm(first, math.Inf(1)) == 0 {
			for _, mu := range group {
				other := 0
				if f.targets[mu] == 0 {
					other = 1
				}
				zeros = append(zeros, Conflict{Kind: ZeroKey, Keys: []int{f.pairs[mu].Key}, Values: []int{f.pairs[mu].Value}, Facts: []int{mu},
					proof: []contradiction{{mu, other, 1}}})
			}
			continue
		}
		c := Conflict{Kind: EqualKeys, Facts: group}
		another := -1
		for _, mu := range group {
			if f.targets[mu] != f.targets[group[0]] && another < 0 {
				another = mu
			}
			if !slices.Equal(f.instance.Key(mu), first) {
				c.Kind = MultipleKeys
			}
			c.Keys, c.Values = append(c.Keys, f.pairs[mu].Key), append(c.Values, f.pairs[mu].Value)
		}
		if another < 0 {
			continue // one value: no conflict
		}
		slices.Sort(c.Keys)
		slices.Sort(c.Values)
		c.Keys, c.Values = slices.Compact(c.Keys), slices.Compact(c.Values)
		// λ e_1 = λ' e_2 at the largest entries, hence everywhere.
		second := f.instance.Key(another)
		at := pivot(first)
		c.proof = []contradiction{{group[0], f.targets[another], math.Abs(second[at])}, {another, f.targets[group[0]], math.Abs(first[at])}}
		multiples = append(multiples, c)
	}
	return append(multiples, zeros...)
}

// pivot is the place of the first entry of the largest size.
func pivot(x []float64) int {
	best := 0
	for i, v := range x {
		if math.Abs(v) > math.Abs(x[best]) {
			best = i
		}
	}
	return best
}

// directions returns the facts whose keys are positive multiples of each other,
// or 0, in groups of two or more (of one, if it is 0). Of exact multiples x and
// c x, the quotients of entries by the largest are the same numbers, of which
// division gives the same rounding: those are compared first, by a hash.
func (f *Facts) directions() [][]int {
	seed := maphash.MakeSeed()
	byHash := make(map[uint64][][]int, len(f.pairs))
	var order []uint64
	var buffer []byte
	for mu := range f.pairs {
		key := f.instance.Key(mu)
		at := pivot(key)
		buffer = binary.LittleEndian.AppendUint64(buffer[:0], uint64(at))
		if key[at] != 0 {
			for _, x := range key {
				// +0 makes −0 equal to 0; dividing by the size keeps the sign.
				buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(x/math.Abs(key[at])+0))
			}
		}
		hash := maphash.Bytes(seed, buffer)
		groups, ok := byHash[hash]
		if !ok {
			order = append(order, hash)
		}
		i := slices.IndexFunc(groups, func(g []int) bool { return sameDirection(f.instance.Key(g[0]), key) })
		if i < 0 {
			byHash[hash] = append(groups, []int{mu})
		} else {
			groups[i] = append(groups[i], mu)
		}
	}
	var all [][]int
	for _, hash := range order {
		for _, g := range byHash[hash] {
			if len(g) > 1 || floats.Norm(f.instance.Key(g[0]), math.Inf(1)) == 0 {
				all = append(all, g)
			}
		}
	}
	slices.SortFunc(all, func(a, b []int) int { return a[0] - b[0] })
	return all
}

// sameDirection reports whether x = c y for some c > 0, or both are 0, in exact
// arithmetic: x_i y_k = y_i x_k for the largest entries k.
func sameDirection(x, y []float64) bool {
	if slices.Equal(x, y) {
		return true
	}
	k := pivot(x)
	if x[k] == 0 || y[k] == 0 || math.Signbit(x[k]) != math.Signbit(y[k]) {
		return false
	}
	for i := range x {
		if !equalProducts(x[i], y[k], y[i], x[k]) {
			return false
		}
	}
	return true
}

// equalProducts reports whether a b = c d exactly.
func equalProducts(a, b, c, d float64) bool {
	p, q := a*b, c*d
	if p != q {
		return false
	}
	// The errors of the products are numbers themselves, unless they underflow.
	if size := math.Abs(p); size > 1e-250 && size < 1e300 {
		return math.FMA(a, b, -p) == math.FMA(c, d, -q)
	}
	exact := func(x, y float64) *big.Float {
		return new(big.Float).SetPrec(128).Mul(new(big.Float).SetFloat64(x), new(big.Float).SetFloat64(y))
	}
	return exact(a, b).Cmp(exact(c, d)) == 0
}

// describe says a conflict in words, with at most so many rows.
func (f *Facts) describe(c *Conflict, most int) string {
	values, keys := f.labels(f.values, c.Values, most), f.labels(f.keys, c.Keys, most)
	switch c.Kind {
	case EqualValues:
		return fmt.Sprintf("values %s are equal: their scores are, too", values)
	case ZeroKey:
		return fmt.Sprintf("key %s is 0: every value has the score 0", keys)
	case EqualKeys:
		if len(c.Keys) == 1 {
			return fmt.Sprintf("key %s has several values, %s", keys, values)
		}
		return fmt.Sprintf("keys %s are equal, with several values, %s", keys, values)
	}
	return fmt.Sprintf("keys %s are positive multiples of each other, which rank values alike, with several values, %s", keys, values)
}

func (f *Facts) labels(s *vectors.Set, rows []int, most int) string {
	words := make([]string, len(rows))
	for i, row := range rows {
		words[i] = labelled(s, row)
	}
	return list(words, most)
}
