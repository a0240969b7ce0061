package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
	"lamcap/internal/status"
)

// recordFormat is the version of the format of records and plans.
const recordFormat = 1

// formatted is what stands before everything else.
type formatted struct{ version int }

var formatField = []field[formatted]{intField("format", func(f *formatted) *int { return &f.version })}

var cellFields = []field[Cell]{
	textField("experiment", func(c *Cell) *string { return &c.Experiment }),
	nameField("measure", func(c *Cell) *Measure { return &c.Measure }, ParseMeasure),
	nameField("model", func(c *Cell) *pattern.Model { return &c.Spec.Model }, pattern.ParseModel),
	nameField("rule", func(c *Cell) *learn.Rule { return &c.Rule }, learn.ParseRule),
	intField("d_in", func(c *Cell) *int { return &c.Spec.DIn }),
	intField("d_out", func(c *Cell) *int { return &c.Spec.DOut }),
	intField("rank", func(c *Cell) *int { return &c.Rank }),
	intField("p", func(c *Cell) *int { return &c.Spec.P }),
	intField("n", func(c *Cell) *int { return &c.Spec.N }),
	nameField("keys", func(c *Cell) *pattern.Embedding { return &c.Spec.Keys }, pattern.ParseEmbedding),
	nameField("values", func(c *Cell) *pattern.Embedding { return &c.Spec.Values }, pattern.ParseEmbedding),
	uintField("seed", func(c *Cell) *uint64 { return &c.Seed }),
	floatField("critical", func(c *Cell) *float64 { return &c.Critical }),
	derivedField("load", Cell.Load),
	derivedField("alpha", func(c Cell) float64 { return c.Alpha() }),
	derivedField("kappa", func(c Cell) float64 { return c.Kappa() }),
}

var optionFields = []field[Options]{
	intField("max_evaluations", func(o *Options) *int { return &o.MaxEvaluations }),
	intField("restarts", func(o *Options) *int { return &o.Restarts }),
	floatField("learning_rate", func(o *Options) *float64 { return &o.LearningRate }),
	floatField("gradient_tolerance", func(o *Options) *float64 { return &o.GradientTolerance }),
	floatField("loss_tolerance", func(o *Options) *float64 { return &o.LossTolerance }),
	boolField("spectrum", func(o *Options) *bool { return &o.Spectrum }),
	boolField("scores", func(o *Options) *bool { return &o.Scores }),
}

var resultFields = []field[Record]{
	uintField("trial", func(r *Record) *uint64 { return &r.Trial }),
	nameField("outcome", func(r *Record) *trial.Outcome { return &r.Result.Outcome }, parseOutcome),
	boolField("exact", func(r *Record) *bool { return &r.Result.Exact }),
	nameField("status", func(r *Record) *status.Status { return &r.Result.Status }, parseStatus),
	intField("recalled", func(r *Record) *int { return &r.Result.Recalled }),
	floatField("accuracy", func(r *Record) *float64 { return &r.Result.Accuracy }),
	floatField("margin", func(r *Record) *float64 { return &r.Result.Margin }),
	floatField("margin_bound", func(r *Record) *float64 { return &r.Result.MarginBound }),
	intField("evaluations", func(r *Record) *int { return &r.Result.Evaluations }),
	intField("refutations", func(r *Record) *int { return &r.Result.Refutations }),
	intField("corrections", func(r *Record) *int { return &r.Result.Corrections }),
	floatField("loss", func(r *Record) *float64 { return &r.Loss }),
	floatField("gradient", func(r *Record) *float64 { return &r.Gradient }),
	floatField("norm", func(r *Record) *float64 { return &r.Norm }),
	listField("singular_values", func(r *Record) *[]float64 { return &r.SingularValues }),
	listField("correct", func(r *Record) *[]float64 { return &r.Correct }),
	listField("wrong", func(r *Record) *[]float64 { return &r.Wrong }),
	floatField("seconds", func(r *Record) *float64 { return &r.Result.Seconds }).irreproducible(),
	floatField("proof_seconds", func(r *Record) *float64 { return &r.Result.ProofSeconds }).irreproducible(),
	timeField("started", func(r *Record) *time.Time { return &r.Started }).irreproducible(),
	textField("worker", func(r *Record) *string { return &r.Worker }).irreproducible(),
}

var programFields = []field[Program]{
	textField("program_version", func(p *Program) *string { return &p.Version }),
	textField("program_revision", func(p *Program) *string { return &p.Revision }),
	boolField("program_modified", func(p *Program) *bool { return &p.Modified }),
	textField("program_build", func(p *Program) *string { return &p.Build }),
	textField("arch", func(p *Program) *string { return &p.Arch }),
	textField("instructions", func(p *Program) *string { return &p.Instructions }),
}

// derivedField goes along for those who read the file without this program. It must
// agree with what it is derived from, but for round-off.
func derivedField(key string, value func(Cell) float64) field[Cell] {
	return field[Cell]{
		key:   key,
		write: func(c *Cell) []byte { return appendFloat(nil, value(*c)) },
		read: func(c *Cell, m members) error {
			text, err := m.take(key)
			if err != nil {
				return err
			}
			x, err := parseFloat(key, text, "")
			if err != nil {
				return err
			}
			if want := value(*c); !(math.Abs(x-want) <= 1e-9*math.Abs(want)) {
				return wrong(key, text, fmt.Sprintf("%g, which the other fields give", want))
			}
			return nil
		},
		free: true, // it says nothing of its own
	}
}

func parseOutcome(s string) (trial.Outcome, error) {
	for _, o := range []trial.Outcome{trial.Undecided, trial.Stored, trial.NotStorable} {
		if o.String() == s {
			return o, nil
		}
	}
	return 0, fmt.Errorf("outcome = %.40q: want stored, not_storable or undecided", s)
}

func parseStatus(s string) (status.Status, error) {
	for v := status.Unknown; v <= status.Stalled; v++ {
		if v.String() == s {
			return v, nil
		}
	}
	return 0, fmt.Errorf("status = %.40q: want how a computation ended, as converged or stalled", s)
}

// MarshalJSON returns the record as one flat object, whose keys are the field names in
// snake_case. Every number reads back to the last bit; NaN and infinities are null with
// a second key, as "loss_status": "nan". A record that would not be read is not written.
func (r Record) MarshalJSON() ([]byte, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	b := appendFormat()
	b = appendFields(b, cellFields, &r.Cell)
	b = appendFields(b, resultFields[:1], &r)
	b = appendFields(b, optionFields, &r.Options)
	b = appendFields(b, resultFields[1:], &r)
	return append(appendFields(b, programFields, &r.Program), '}'), nil
}

// UnmarshalJSON is the inverse of [Record.MarshalJSON]. It refuses unknown, missing and
// repeated keys, another format and what no trial could have written.
func (r *Record) UnmarshalJSON(text []byte) error {
	m, err := parseFormatted(text)
	if err != nil {
		return err
	}
	var read Record
	err = errors.Join(
		readFields(m, cellFields, &read.Cell), readFields(m, optionFields, &read.Options),
		readFields(m, resultFields, &read), readFields(m, programFields, &read.Program),
	)
	if err = first(err, m.empty); err != nil {
		return err
	}
	read.Result.Seed = read.Seed
	if err := read.validate(); err != nil {
		return err
	}
	*r = read
	return nil
}

// MarshalJSON returns the cell as one flat object with the keys that a record has for it.
func (c Cell) MarshalJSON() ([]byte, error) {
	if err := c.storable(); err != nil {
		return nil, err
	}
	return append(appendCell(appendFormat(), &c), '}'), nil
}

// UnmarshalJSON is the inverse of [Cell.MarshalJSON], as strict as that of a record.
func (c *Cell) UnmarshalJSON(text []byte) error {
	w := Work{Trials: 1}
	if err := w.read(text, false); err != nil {
		return err
	}
	*c = w.Cell
	return nil
}

// MarshalJSON returns the cell's object with the number of trials.
func (w Work) MarshalJSON() ([]byte, error) {
	if err := w.storable(); err != nil {
		return nil, err
	}
	if w.Trials < 1 {
		return nil, fmt.Errorf("trials = %d: want ≥ 1", w.Trials)
	}
	return append(appendFields(appendCell(appendFormat(), &w.Cell), workFields, &w), '}'), nil
}

// UnmarshalJSON is the inverse of [Work.MarshalJSON].
func (w *Work) UnmarshalJSON(text []byte) error {
	var read Work
	if err := read.read(text, true); err != nil {
		return err
	}
	*w = read
	return nil
}

var workFields = []field[Work]{intField("trials", func(w *Work) *int { return &w.Trials })}

func (w *Work) read(text []byte, trials bool) error {
	m, err := parseFormatted(text)
	if err != nil {
		return err
	}
	err = errors.Join(readFields(m, cellFields, &w.Cell), readFields(m, optionFields, &w.Options))
	if trials {
		err = errors.Join(err, readFields(m, workFields, w))
	}
	if err = first(err, m.empty); err != nil {
		return err
	}
	if w.Trials < 1 {
		return fmt.Errorf("trials = %d: want ≥ 1", w.Trials)
	}
	return w.storable()
}

// first returns what was wrong first, or the error of next.
func first(err error, next func() error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()[0]
	}
	if err != nil {
		return err
	}
	return next()
}

func appendCell(b []byte, c *Cell) []byte {
	return appendFields(appendFields(b, cellFields, c), optionFields, &c.Options)
}

func appendFormat() []byte {
	return appendFields([]byte{'{'}, formatField, &formatted{recordFormat})
}

func parseFormatted(text []byte) (members, error) {
	m, err := parseObject(text)
	if err != nil {
		return nil, err
	}
	var f formatted
	if err := readFields(m, formatField, &f); err != nil {
		return nil, err
	}
	if f.version != recordFormat {
		return nil, fmt.Errorf("format = %d: this program reads format %d", f.version, recordFormat)
	}
	return m, nil
}

// storable reports why a cell could not be stored.
func (c Cell) storable() error {
	if !utf8.ValidString(c.Experiment) {
		return fmt.Errorf("experiment = %q: want valid UTF-8", c.Experiment)
	}
	if !(c.Critical > 0) || math.IsInf(c.Critical, 0) {
		return fmt.Errorf("critical = %g: want a finite number of facts > 0", c.Critical)
	}
	return c.Validate()
}

// validate reports the first field that no trial could have left so.
func (r *Record) validate() error {
	if err := r.storable(); err != nil {
		return err
	}
	x := &r.Result
	share := float64(x.Recalled) / float64(r.Spec.P)
	for _, text := range []string{r.Worker, r.Program.Version, r.Program.Revision, r.Program.Build, r.Program.Arch, r.Program.Instructions} {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q: want valid UTF-8", text)
		}
	}
	switch {
	case x.Seed != r.Seed:
		return fmt.Errorf("seed = %d of the result: want that of the cell, %d", x.Seed, r.Seed)
	case x.Recalled < 0 || x.Recalled > r.Spec.P:
		return fmt.Errorf("recalled = %d: want 0 ≤ recalled ≤ p = %d", x.Recalled, r.Spec.P)
	case x.Accuracy != share:
		return fmt.Errorf("accuracy = %g: want recalled/p = %g", x.Accuracy, share)
	case x.Outcome == trial.Stored && x.Recalled != r.Spec.P:
		return fmt.Errorf("recalled = %d of an instance that is stored: want p = %d", x.Recalled, r.Spec.P)
	case x.Outcome == trial.Stored && !(x.Margin > 0):
		return fmt.Errorf("margin = %g of an instance that is stored: want > 0", x.Margin)
	case !(x.MarginBound >= 0):
		return fmt.Errorf("margin_bound = %g: want ≥ 0", x.MarginBound)
	case r.Measure == Storage && !(math.IsNaN(r.Loss) && math.IsNaN(r.Gradient) && math.IsNaN(r.Norm)):
		return fmt.Errorf("loss, gradient, norm = %g, %g, %g: want none of measure storage", r.Loss, r.Gradient, r.Norm)
	case r.Loss < 0 || r.Gradient < 0 || r.Norm < 0:
		return fmt.Errorf("loss, gradient, norm = %g, %g, %g: want ≥ 0", r.Loss, r.Gradient, r.Norm)
	case x.Exact && x.Outcome != trial.NotStorable:
		return fmt.Errorf("exact = true: want outcome not_storable with it")
	case x.Status == status.Diverged:
		return errors.New("status = diverged: a trial that failed is no record")
	case min(x.Evaluations, x.Refutations, x.Corrections) < 0:
		return fmt.Errorf("evaluations, refutations, corrections = %d, %d, %d: want ≥ 0", x.Evaluations, x.Refutations, x.Corrections)
	case r.SingularValues != nil && (!r.Options.Spectrum || len(r.SingularValues) != r.Rank):
		return fmt.Errorf("singular_values: want %d of them, and only with spectrum", r.Rank)
	case (r.Correct == nil) != (r.Wrong == nil) || r.Correct != nil && (!r.Options.Scores || len(r.Correct) != r.Spec.P || len(r.Wrong) != r.Spec.P):
		return fmt.Errorf("correct and wrong: want %d of each, and only with scores", r.Spec.P)
	case slices.ContainsFunc(r.SingularValues, func(s float64) bool { return !(s >= 0) }):
		return errors.New("singular_values: want numbers ≥ 0")
	case r.Started.Year() < 1 || r.Started.Year() > 9999:
		return fmt.Errorf("started = %v: want a year of four digits", r.Started)
	}
	for _, s := range []struct {
		key   string
		value float64
	}{{"seconds", x.Seconds}, {"proof_seconds", x.ProofSeconds}} {
		if !(s.value >= 0) || math.IsInf(s.value, 0) {
			return fmt.Errorf("%s = %g: want a finite time ≥ 0", s.key, s.value)
		}
	}
	return nil
}

// Difference says in which fields two records of one trial differ, or "" if they agree
// bit for bit but for the times, the worker and the program.
func Difference(a, b Record) string {
	list := differences(nil, cellFields, &a.Cell, &b.Cell)
	list = differences(list, optionFields, &a.Options, &b.Options)
	return strings.Join(differences(list, resultFields, &a, &b), ", ")
}

// compareIDs is the canonical order of records.
func compareIDs(a, b ID) int {
	x, y := a.key(), b.key()
	if c := strings.Compare(a.Experiment, b.Experiment); c != 0 {
		return c
	}
	return slices.Compare(x[:], y[:])
}

// key lists what orders the IDs of one experiment.
func (i ID) key() [12]uint64 {
	s := i.Spec
	return [...]uint64{
		uint64(i.Measure), uint64(s.Model), uint64(i.Rule), uint64(s.DOut), uint64(s.DIn), uint64(i.Rank), uint64(s.P),
		uint64(s.N), uint64(s.Keys), uint64(s.Values), i.Seed, i.Trial,
	}
}

// decodeRecord reads one line of a file of records.
func decodeRecord(line []byte) (r Record, err error) {
	err = r.UnmarshalJSON(bytes.TrimSuffix(line, []byte("\r")))
	return r, err
}
