package bench

import (
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/table"
	"lamcap/internal/stream"
)

// experiment is that of the streams of all instances measured.
const experiment = "bench"

// draw returns an instance of OP.
func (r *run) draw(cell string, trial uint64, d, p int) *pattern.Instance {
	s := pattern.Spec{Model: pattern.OP, DIn: d, DOut: d, P: p, N: p}
	return pattern.Sample(stream.New(r.Seed, experiment, cell, trial), s)
}

// newSteps returns the table of steps without its rows.
func newSteps(r *run) *table.Table {
	t := &table.Table{
		Name:  "steps",
		Title: "One full-batch Adam step on the cross-entropy, OP, n = p",
		Columns: []table.Column{
			{Key: "d"}, {Key: "p"},
			{Key: "threads"},
			{Key: "single_ms", Head: "float32 ms", Digits: 3},
			{Key: "single_ms_range", Head: "range", Digits: 3},
			{Key: "single_gflops", Head: "GFLOP/s", Digits: 3},
			{Key: "double_ms", Head: "float64 ms", Digits: 3},
			{Key: "pytorch_ms", Head: "PyTorch ms", Digits: 3},
			{Key: "ratio", Head: "PyTorch/float32", Digits: 3},
			{Key: "ratio_range", Head: "range", Digits: 3},
			{Key: "installed_ms", Head: "as installed ms", Digits: 3},
			{Key: "installed_ratio", Head: "as installed/float32", Digits: 3},
		},
		Notes: []string{
			"GFLOP/s: 4 p (p + d) d operations of the two products with the pool and the two with the keys. Near W = 0, where nothing can be skipped.",
		},
	}
	if r.torch != nil {
		t.Notes = append(t.Notes,
			"PyTorch "+r.torch.version+", float32, as many threads: with its allocator and threads tuned, and as installed. Measured in turns; ratios are medians of pairs, with their ranges.")
	}
	return t
}

// steps measures a full Adam step at each size.
func (r *run) steps() (*table.Table, error) {
	t := newSteps(r)
	for _, size := range r.sizes() {
		if err := r.step(t, size); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// step measures one size.
func (r *run) step(t *table.Table, size size) error {
	in := r.draw("step", 0, size.d, size.facts)
	single, double := r.stepper(in, learn.Single), r.stepper(in, learn.Double)
	functions := []func() float64{single, double}
	var failed error
	if r.torch != nil {
		for _, other := range []*torch{r.torch, r.installed} {
			if err := other.load(in); err != nil {
				return err
			}
			functions = append(functions, func() float64 {
				a, err := other.ask("step %g", r.stepSeconds)
				if err != nil {
					failed = err
				}
				return a.Seconds
			})
		}
	}
	m, err := turns(r.ctx, r.repeats, functions...)
	if err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	ms := func(i int) any {
		if i >= len(m) {
			return nil
		}
		return median(m[i]) * 1e3
	}
	ratio := func(i int) any {
		if i >= len(m) {
			return nil
		}
		return median(ratios(m[i], m[0]))
	}
	var ratioRange any
	if len(m) > 2 {
		ratioRange = span(ratios(m[2], m[0]))
	}
	each := span(m[0])
	each.Lo, each.Hi = each.Lo*1e3, each.Hi*1e3
	p, d := float64(size.facts), float64(size.d)
	t.Append(size.d, size.facts, r.threads, ms(0), each, 4*p*(p+d)*d/median(m[0])/1e9, ms(1), ms(2), ratio(2), ratioRange, ms(3), ratio(3))
	r.tick()
	return nil
}

// stepSeconds is how long a measurement of steps takes, if the steps are short.
const stepSeconds = 0.3

// stepper returns a measurement of the time of a step: the mean over those
// taken in a while, in rounds that begin at W = 0. The rate is so small that no
// score competes less than another: nothing can be skipped.
func (r *run) stepper(in *pattern.Instance, precision learn.Precision) func() float64 {
	obj := learn.NewObjectiveWith(in, learn.Engine{Precision: precision, Threads: r.threads})
	s := in.Spec()
	const warm, steps = 2, 20
	return func() float64 {
		total, taken := 0.0, 0
		for taken == 0 || total < r.stepSeconds {
			trainer := learn.NewTrainer(learn.Adam, obj, learn.NewWeights(s.DOut, s.DIn, 0), learn.Options{LearningRate: 1e-3})
			trainer.Run(warm)
			done := warm
			for range steps / 4 {
				done += 4
				total += seconds(func() { trainer.Run(done) })
				taken += 4
				if total > 10*r.stepSeconds {
					break
				}
			}
		}
		return total / float64(taken)
	}
}
