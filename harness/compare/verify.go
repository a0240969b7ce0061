package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lamcap/harness/progress"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// DefaultRate bounds the probability of any false alarm in a report.
const DefaultRate = 0.01

// Options say what to verify.
type Options struct {
	// Seed is the master seed: same seed, same report.
	Seed uint64
	// Full runs larger dimensions and more instances.
	Full bool
	// Rate bounds the probability that a report on a right theory disagrees
	// anywhere; 0 means [DefaultRate].
	Rate float64
	// Theory predicts the transitions; nil means [Exact].
	Theory Theory
	// Progress, if not nil, is told of each instance that is done out of
	// [Instances]. Verify does not call its Done.
	Progress progress.Reporter

	spectra *quartercircle.Spectra
	quick   bool // small sizes, for the tests of this package
	// decided keeps the outcomes of transitions by their streams, for tests that judge several
	// theories by the same instances; nil keeps none.
	decided map[string]measured
}

func (o *Options) tick() {
	if o.Progress != nil {
		o.Progress.Add(1)
	}
}

// section computes one section of a report; instances is the number of
// instances it will report as progress.
type section struct {
	instances int
	run       func(ctx context.Context) ([]Section, error)
}

func (o *Options) prepare() error {
	if o.Rate == 0 { // the zero value of Options
		o.Rate = DefaultRate
	}
	if !(o.Rate > 0 && o.Rate < 1) {
		return fmt.Errorf("rate = %v: want 0 < rate < 1, the probability of any false alarm", o.Rate)
	}
	if o.Theory == nil {
		o.Theory = Exact{saddle.NewTransition()}
	}
	o.spectra = quartercircle.NewSpectra()
	return nil
}

func (o *Options) sections() ([]section, error) {
	transitions, err := o.transitionSections()
	if err != nil {
		return nil, err
	}
	equivalence, err := o.equivalenceSection()
	if err != nil {
		return nil, err
	}
	accuracy, err := o.accuracySection()
	if err != nil {
		return nil, err
	}
	return []section{
		o.identities(), transitions, o.hebbSection(), o.trainingSection(), o.vectorSection(), o.volumeSection(),
		equivalence, accuracy, o.spectraSection(), o.scoresSection(), o.wordsSection(),
	}, nil
}

// Instances returns how many instances Verify will run.
func Instances(o Options) (int, error) {
	if err := o.prepare(); err != nil {
		return 0, err
	}
	sections, err := o.sections()
	total := 0
	for _, s := range sections {
		total += s.instances
	}
	return total, err
}

// Verify compares the theory with computations by other routes and with
// simulations, and judges all rows together. It returns an error when it could
// not be done; that the theory disagrees is no error but
// [Report.Disagreements].
func Verify(ctx context.Context, o Options) (*Report, error) {
	if err := o.prepare(); err != nil {
		return nil, err
	}
	sections, err := o.sections()
	if err != nil {
		return nil, err
	}
	r := &Report{Seed: o.Seed, Rate: o.Rate}
	for _, s := range sections {
		done, err := s.run(ctx)
		if err != nil {
			return nil, err
		}
		r.Sections = append(r.Sections, done...)
	}
	// Finite size and transition read the instances of capacity and are shown last.
	slices.SortStableFunc(r.Sections, func(a, b Section) int { return cmp.Compare(a.Letter, b.Letter) })
	r.judge()
	return r, nil
}
