package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"lamcap/harness/progress"
	"lamcap/harness/table"
)

// Options of a run.
type Options struct {
	// Parts names what is measured, in order: kernels, steps, decisions; empty
	// means all.
	Parts []string
	// Full adds d = 512.
	Full bool
	// Repeats is the number of measurements behind each median of kernels and
	// steps; 0 means [DefaultRepeats]. Decisions have 5 instances at d ≤ 128, 3
	// at 256, 1 at 512.
	Repeats int
	// Seed is the master seed of the instances.
	Seed uint64
	// Torch is the Python interpreter whose PyTorch is measured beside, as
	// installed and tuned; "" means none.
	Torch string
	// Progress, if not nil, is told of each measurement done.
	Progress progress.Reporter
}

// DefaultRepeats is the default of [Options.Repeats].
const DefaultRepeats = 7

// Validate reports the first option outside its range.
func (o Options) Validate() error {
	if o.Repeats < 0 {
		return fmt.Errorf("repeats = %d: want ≥ 1, or 0 for %d", o.Repeats, DefaultRepeats)
	}
	for _, name := range o.Parts {
		if !slices.Contains(partNames[:], name) {
			last := len(partNames) - 1
			return fmt.Errorf("part = %s: want %s or %s", name, strings.Join(partNames[:last], ", "), partNames[last])
		}
	}
	return nil
}

var partNames = [...]string{"kernels", "steps", "decisions"}

// Run measures. It returns an error if the options are not valid, PyTorch was
// asked for and cannot be used ([ErrTorch]), or ctx ended.
func Run(ctx context.Context, o Options) ([]*table.Table, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if len(o.Parts) == 0 {
		o.Parts = partNames[:]
	}
	if o.Repeats == 0 {
		o.Repeats = DefaultRepeats
	}
	r := &run{Options: o, ctx: ctx, repeats: o.Repeats, threads: runtime.GOMAXPROCS(0), stepSeconds: stepSeconds}
	if o.Torch != "" {
		var err error
		if r.torch, err = startTorch(ctx, o.Torch, r.threads, true); err != nil {
			return nil, err
		}
		defer r.torch.close()
		if r.installed, err = startTorch(ctx, o.Torch, r.threads, false); err != nil {
			return nil, err
		}
		defer r.installed.close()
	}
	var tables []*table.Table
	for _, part := range o.parts(r) {
		t, err := part()
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// parts are the measurements asked for, in order.
func (o Options) parts(r *run) []func() (*table.Table, error) {
	all := map[string]func() (*table.Table, error){"kernels": r.kernels, "steps": r.steps, "decisions": r.decisions}
	var parts []func() (*table.Table, error)
	for _, name := range o.Parts {
		parts = append(parts, all[name])
	}
	return parts
}

// run is one run of all measurements.
type run struct {
	Options
	ctx     context.Context
	repeats int
	threads int
	// stepSeconds is that of the constant, less in tests.
	stepSeconds float64
	// torch is PyTorch tuned, installed as it was; nil without.
	torch, installed *torch
}

// tick reports a measurement done.
func (r *run) tick() {
	if r.Progress != nil {
		r.Progress.Add(1)
	}
}

// sizes are the dimensions measured, with the number of facts of a step.
func (r *run) sizes() []size {
	s := []size{{64, 430}, {128, 1400}, {256, 4800}}
	if r.Full {
		s = append(s, size{512, 19300})
	}
	return s
}

type size struct{ d, facts int }
