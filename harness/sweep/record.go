package sweep

import (
	"time"

	"lamcap/harness/trial"
)

// Record is one trial.
type Record struct {
	Cell
	Trial   uint64
	Program Program // what ran it
	// Result is the outcome; MarginBound is +Inf where no bound was found.
	Result trial.Result
	// Loss is the mean cross-entropy per input, in nats, Gradient what is left of the
	// gradient, Norm is ‖W‖_F, as in [lamcap/harness/measure.Memory]; NaN where there
	// is none.
	Loss, Gradient, Norm float64
	// SingularValues are those of W, as they are, largest first; nil unless asked for.
	SingularValues []float64
	// Correct and Wrong are the scores of the targets and the largest of the other
	// candidates of every input over ‖W‖_F; nil unless asked for.
	Correct, Wrong []float64
	// Started, Worker and the times of Result are not reproducible.
	Started time.Time
	Worker  string
}

// ID says which trial a record is of.
type ID struct {
	Address
	Trial uint64
}

// ID returns that of the record.
func (r *Record) ID() ID { return ID{r.Address, r.Trial} }

// Program is what made a record.
type Program struct {
	Version  string // of the module
	Revision string // of the version control, "" where it is unknown
	Modified bool   // there were changes that are not in the revision
	// Build is the hash of the program's file, where there is no revision that
	// stands for it: "" otherwise.
	Build string
	// Arch is GOARCH and Instructions the instruction set of the kernels: last bits
	// may differ between them.
	Arch, Instructions string
}
