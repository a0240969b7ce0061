package vectors

import (
	"fmt"
	"slices"
	"strings"
)

// Step is one step of preprocessing.
type Step int

const (
	// Centre subtracts the mean of the fitted vectors.
	Centre Step = iota
	// UnitNorm divides each vector by its Euclidean norm.
	UnitNorm
	// Whiten subtracts the mean and multiplies by C^(−1/2), C the covariance of
	// the fitted vectors, on their span.
	Whiten
)

var stepNames = [...]string{"centre", "unit", "whiten"}

// Valid reports whether s is one of the constants.
func (s Step) Valid() bool { return s >= 0 && int(s) < len(stepNames) }

// String returns "centre", "unit" or "whiten".
func (s Step) String() string {
	if !s.Valid() {
		return fmt.Sprintf("step(%d)", int(s))
	}
	return stepNames[s]
}

// Preprocessing is a chain of steps, the first first. Empty, it changes nothing.
type Preprocessing []Step

// MarshalText is [Step.String] of a valid step.
func (s Step) MarshalText() ([]byte, error) {
	if !s.Valid() {
		return nil, fmt.Errorf("%s: want one of %s", s, strings.Join(stepNames[:], ", "))
	}
	return []byte(s.String()), nil
}

// UnmarshalText is the inverse of [Step.MarshalText].
func (s *Step) UnmarshalText(text []byte) error {
	i := slices.Index(stepNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("step = %s: want one of %s", text, strings.Join(stepNames[:], ", "))
	}
	*s = Step(i)
	return nil
}

// maxSteps bounds a chain: longer ones repeat themselves.
const maxSteps = 8

// ParsePreprocessing is the inverse of [Preprocessing.String]; it ignores case,
// and spaces about commas.
func ParsePreprocessing(text string) (Preprocessing, error) {
	if strings.EqualFold(strings.TrimSpace(text), "none") {
		return nil, nil
	}
	var p Preprocessing
	for word := range strings.SplitSeq(text, ",") {
		word = strings.ToLower(strings.TrimSpace(word))
		step := slices.Index(stepNames[:], word)
		if step < 0 {
			return nil, fmt.Errorf("preprocessing = %s: want none, or steps out of %s, separated by commas, the first first", text, strings.Join(stepNames[:], ", "))
		}
		if len(p) == maxSteps {
			return nil, fmt.Errorf("preprocessing = %s: want at most %d steps", text, maxSteps)
		}
		p = append(p, Step(step))
	}
	return p, nil
}

// String returns "none", or the steps separated by commas.
func (p Preprocessing) String() string {
	if len(p) == 0 {
		return "none"
	}
	words := make([]string, len(p))
	for i, s := range p {
		words[i] = s.String()
	}
	return strings.Join(words, ",")
}

// Fit determines the means and matrices of the steps from s, each from what
// the steps before it made of s. It returns an error if a step cannot be done:
// a vector without direction for [UnitNorm], vectors that are all the same for
// [Whiten], entries beyond 1e-75 to 1e75 for [Centre] and [Whiten].
func (p Preprocessing) Fit(s *Set) (*Transform, error) {
	t := &Transform{columns: s.Columns}
	for i, step := range p {
		f, err := fit(step, s)
		if err != nil {
			return nil, err
		}
		t.steps = append(t.steps, f)
		if i == len(p)-1 && step != UnitNorm {
			break // what can be fitted can be applied, but for unit norm
		}
		if s, err = f.apply(s); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func fit(step Step, s *Set) (fitted, error) {
	switch step {
	case Centre:
		if err := s.checkSize("centre"); err != nil {
			return fitted{}, err
		}
		return fitted{Step: Centre, Mean: s.mean()}, nil
	case UnitNorm:
		return fitted{Step: UnitNorm}, nil
	case Whiten:
		return fitWhitening(s)
	}
	panic("vectors: " + step.String())
}
