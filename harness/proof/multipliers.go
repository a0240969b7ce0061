package proof

import (
	"fmt"
	"math"

	"lamcap/harness/pattern"
)

// Multipliers are weights λ_μρ ≥ 0 of pairs of an input μ and one of its
// competitors ρ; those of all other pairs are 0.
type Multipliers struct {
	// Start holds P+1 offsets: the pairs of input μ are Start[μ] … Start[μ+1]−1.
	Start []int
	// Candidate is the row of every pair's competitor in the pool of its
	// input; within an input, rows increase.
	Candidate []int32
	// Value is λ of every pair.
	Value []float64
}

// Len returns the number of pairs.
func (m *Multipliers) Len() int { return len(m.Candidate) }

// Validate reports what keeps the multipliers from being those of an instance:
// lengths that do not match, rows that are the target, no row of the pool or
// not in increasing order, values that are negative or not finite, or no value
// above 0. Which rows are targets of given facts the spec does not say; that is
// for [Multipliers.ValidateFor].
func (m *Multipliers) Validate(s pattern.Spec) error {
	if len(m.Start) != s.P+1 || len(m.Candidate) != len(m.Value) || m.Start[0] != 0 || m.Start[s.P] != len(m.Value) {
		return fmt.Errorf("multipliers: %d offsets, %d candidates, %d values: want p + 1 = %d offsets from 0 to the number of values", len(m.Start), len(m.Candidate), len(m.Value), s.P+1)
	}
	for mu := range s.P {
		if m.Start[mu] > m.Start[mu+1] || m.Start[mu+1] > len(m.Value) {
			return fmt.Errorf("multipliers: offsets %d, %d of input %d: want them to increase, to %d at most", m.Start[mu], m.Start[mu+1], mu, len(m.Value))
		}
		target := -1
		switch s.Model {
		case pattern.OP:
			target = mu
		case pattern.DP:
			target = 0
		}
		last := int32(-1)
		for _, c := range m.Candidate[m.Start[mu]:m.Start[mu+1]] {
			switch {
			case c < 0 || int(c) >= s.N:
				return fmt.Errorf("multipliers: input %d: candidate %d: want 0 to n − 1 = %d", mu, c, s.N-1)
			case int(c) == target:
				return targetError(mu, c)
			case c <= last:
				return fmt.Errorf("multipliers: input %d: candidate %d after %d: want each once, in increasing order", mu, c, last)
			}
			last = c
		}
	}
	largest := 0.0
	for i, v := range m.Value {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("multipliers: value %d = %g: want a finite number ≥ 0", i, v)
		}
		largest = max(largest, v)
	}
	if largest == 0 {
		return fmt.Errorf("multipliers: all %d are 0: want one above 0", len(m.Value))
	}
	return nil
}

// ValidateFor is [Multipliers.Validate] for an instance, whose targets are known.
func (m *Multipliers) ValidateFor(in *pattern.Instance) error {
	if err := m.Validate(in.Spec()); err != nil {
		return err
	}
	for mu := range in.Spec().P {
		target := in.Target(mu)
		for _, c := range m.Candidate[m.Start[mu]:m.Start[mu+1]] {
			if int(c) == target {
				return targetError(mu, c)
			}
		}
	}
	return nil
}

func targetError(mu int, c int32) error {
	return fmt.Errorf("multipliers: input %d: candidate %d is its target: want competitors only", mu, c)
}

// scaled returns the multipliers times the power of 2 that brings the largest
// into [½, 1). Products that underflow are rounded: they are then other
// multipliers, and all that is said of the result is said of those.
func (m *Multipliers) scaled() *Multipliers {
	largest := 0.0
	for _, v := range m.Value {
		largest = max(largest, v)
	}
	_, exponent := math.Frexp(largest)
	c := *m
	c.Value = make([]float64, len(m.Value))
	for i, v := range m.Value {
		c.Value[i] = math.Ldexp(v, -exponent)
	}
	return &c
}

// compact returns the multipliers without those that are 0.
func (m *Multipliers) compact() *Multipliers {
	c := &Multipliers{Start: make([]int, len(m.Start))}
	for mu := range len(m.Start) - 1 {
		for i := m.Start[mu]; i < m.Start[mu+1]; i++ {
			if m.Value[i] > 0 {
				c.Candidate = append(c.Candidate, m.Candidate[i])
				c.Value = append(c.Value, m.Value[i])
			}
		}
		c.Start[mu+1] = len(c.Value)
	}
	return c
}
