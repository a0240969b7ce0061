package status

import "strconv"

// Status says how an iterative computation ended.
type Status int

const (
	// Unknown is the zero value: nothing was computed.
	Unknown Status = iota
	// Converged means the requested tolerance was met at the returned point.
	Converged
	// Roundoff means floating-point round-off, not the requested tolerance,
	// ended the computation; the reported error is the one reached.
	Roundoff
	// MaxIterations means the budget was spent before the tolerance was met.
	// It says nothing about whether a solution exists.
	MaxIterations
	// Diverged means a NaN or an infinity appeared.
	Diverged
	// NoBracket means a root finder was given, or could find, no sign change.
	NoBracket
	// Stalled means no step made progress although the tolerance was not met.
	Stalled
)

var names = [...]string{"unknown", "converged", "roundoff", "max_iterations", "diverged", "no_bracket", "stalled"}

// String returns the snake_case name used in every output format.
func (s Status) String() string {
	if s < 0 || int(s) >= len(names) {
		return "status(" + strconv.Itoa(int(s)) + ")"
	}
	return names[s]
}

// OK reports whether the result can be used with its stated error: the
// computation converged or was limited by round-off alone.
func (s Status) OK() bool { return s == Converged || s == Roundoff }
