package proof

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// Outcome is what is known about an instance.
type Outcome int

const (
	// Undecided is the zero value: neither a witness nor multipliers are known.
	// No certificate has this outcome.
	Undecided Outcome = iota
	// Stored means that weights recall every input.
	Stored
	// NotStorable means that multipliers bound the margin of all weights; by 0
	// if they are exact.
	NotStorable
)

var outcomeNames = [...]string{"undecided", "stored", "not_storable"}

// String returns "undecided", "stored" or "not_storable".
func (o Outcome) String() string {
	if o < 0 || int(o) >= len(outcomeNames) {
		return fmt.Sprintf("outcome(%d)", int(o))
	}
	return outcomeNames[o]
}

// Address is the stream that an instance was drawn from by pattern.Sample.
type Address struct {
	Seed             uint64
	Experiment, Cell string
	Trial            uint64
}

// Draw generates the instance of a spec at the address; pools of DP are
// generated whenever they are asked for. It returns an error if the spec is
// not valid or is of facts.
func (a Address) Draw(s pattern.Spec) (*pattern.Instance, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Model == pattern.Facts {
		return nil, fmt.Errorf("model = %v: want op or dp; facts are not drawn", s.Model)
	}
	return pattern.SampleStreamed(stream.New(a.Seed, a.Experiment, a.Cell, a.Trial), s), nil
}

// Certificate is a proof that an instance can or cannot be stored, with all
// that is needed to draw the instance and to check the proof. Facts are not
// drawn: of them it has the fingerprint, and the check needs their vectors.
type Certificate struct {
	Spec    pattern.Spec
	Address Address // zero for facts
	// Fingerprint is that of the instance: see [Fingerprint].
	Fingerprint string
	Outcome     Outcome
	// Margin is claimed of Weights: no ⟨W, X⟩/‖W‖_F is below it.
	Margin  float64
	Weights *learn.Weights
	// Bound is claimed of all weights: none has a normalised margin above it;
	// and if Exact, none has one above 0.
	Bound       float64
	Exact       bool
	Multipliers *Multipliers
}

// NewStored certifies weights that v found to be a witness of the instance at
// an address.
func NewStored(in *pattern.Instance, a Address, w *learn.Weights, v Verification) (*Certificate, error) {
	if p := in.Spec().P; v.Recalled != p {
		return nil, fmt.Errorf("recalled = %d: want all p = %d inputs for a certificate", v.Recalled, p)
	}
	if !finite(v.Certified) && in.Spec().N > 1 {
		return nil, fmt.Errorf("margin = %g: want a finite one for a certificate", v.Certified)
	}
	margin := v.Certified
	if in.Spec().N == 1 {
		margin = 0 // no competitors: nothing to claim
	}
	return &Certificate{Spec: in.Spec(), Address: a, Fingerprint: Fingerprint(in), Outcome: Stored, Margin: margin, Weights: w}, nil
}

// NewNotStorable certifies multipliers returned by [Refute].
func NewNotStorable(in *pattern.Instance, a Address, m *Multipliers, r Refutation) (*Certificate, error) {
	if !r.Outcome || m == nil {
		return nil, fmt.Errorf("refutation: %v: want a successful one for a certificate", r.Status)
	}
	return &Certificate{Spec: in.Spec(), Address: a, Fingerprint: Fingerprint(in), Outcome: NotStorable, Bound: r.Bound, Exact: r.Exact, Multipliers: m}, nil
}

// Fingerprint is [pattern.Instance.Fingerprint] in hexadecimal.
func Fingerprint(in *pattern.Instance) string {
	f := in.Fingerprint()
	return hex.EncodeToString(f[:])
}

// Validate reports the first field that no certificate can have, before
// anything is drawn or computed; and sizes whose check would take more than
// [MaxNumbers] or [MaxWork].
func (c *Certificate) Validate() error {
	s := c.Spec
	if err := s.Validate(); err != nil {
		return err
	}
	if err := validateSizes(s); err != nil {
		return err
	}
	if given := (pattern.Spec{Model: s.Model, DIn: s.DIn, DOut: s.DOut, P: s.P, N: s.N}); s.Model == pattern.Facts && (c.Address != Address{} || s != given) {
		return fmt.Errorf("model = facts with a seed or an embedding: want none, facts are not drawn")
	}
	if b, err := hex.DecodeString(c.Fingerprint); err != nil || len(b) != sha256.Size {
		return fmt.Errorf("fingerprint = %.80q: want %d hexadecimal digits", c.Fingerprint, 2*sha256.Size)
	}
	switch c.Outcome {
	case Stored:
		if c.Multipliers != nil || c.Exact || c.Bound != 0 {
			return fmt.Errorf("outcome = stored with multipliers, a bound or exact: want weights and a margin only")
		}
		if !finite(c.Margin) || c.Margin < 0 {
			return fmt.Errorf("margin = %g: want a finite number ≥ 0", c.Margin)
		}
		if err := validateWork(s, "p d_out (n + d_in)", float64(s.P)*float64(s.DOut)*(float64(s.N)+float64(s.DIn))); err != nil {
			return err
		}
		return validateWeights(c.Weights, s)
	case NotStorable:
		if c.Weights != nil || c.Margin != 0 {
			return fmt.Errorf("outcome = not_storable with weights or a margin: want multipliers and a bound only")
		}
		if !finite(c.Bound) || c.Bound < 0 {
			return fmt.Errorf("bound = %g: want a finite number ≥ 0", c.Bound)
		}
		if c.Multipliers == nil {
			return fmt.Errorf("multipliers are missing: want them with outcome not_storable")
		}
		pairs := float64(c.Multipliers.Len())
		if s.DOut <= sideLimit {
			pairs *= float64(s.DOut) // for exactness
		}
		if err := validateWork(s, "d_out (pairs d_out + p d_in)", float64(s.DOut)*(pairs+float64(s.P)*float64(s.DIn))); err != nil {
			return err
		}
		return c.Multipliers.Validate(s)
	}
	return fmt.Errorf("outcome = %v: want stored or not_storable", c.Outcome)
}

func validateWeights(w *learn.Weights, s pattern.Spec) error {
	switch {
	case w == nil:
		return fmt.Errorf("weights are missing: want them with outcome stored")
	case w.DOut != s.DOut || w.DIn != s.DIn:
		return fmt.Errorf("weights of %d × %d: want d_out × d_in = %d × %d", w.DOut, w.DIn, s.DOut, s.DIn)
	case w.Rank < 0 || w.Rank > min(s.DIn, s.DOut):
		return fmt.Errorf("weights of rank %d: want 0 (W itself) to min(d_in, d_out) = %d", w.Rank, min(s.DIn, s.DOut))
	}
	if err := w.Validate(); err != nil {
		return err
	}
	for i, x := range w.Parameters {
		if !finite(x) {
			return fmt.Errorf("weights: number %d = %g: want it finite", i, x)
		}
	}
	return nil
}
