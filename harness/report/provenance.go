package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"lamcap/harness/learn"
	"lamcap/harness/page"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
)

// finish adds verdicts, the abstract and where everything comes from.
func (b *builder) finish(records []sweep.Record) {
	judged, disagree := b.decide(b.o.Rate)
	rejections := b.rejectionTable(b.o.Rate)
	if len(rejections.Rows) > 0 {
		b.doc.Sections = append(b.doc.Sections, page.Section{
			ID: "rejections", Title: "What the same data reject",
			Text:   []string{"A test that could not have failed proves nothing. These are theories known to be wrong at finite size, with the z at which the data above speak against them."},
			Tables: []*table.Table{rejections},
		})
	}
	b.doc.Title = b.o.Title
	b.doc.Abstract = b.abstract(records, judged, disagree)
	b.doc.Provenance = []*table.Table{b.experimentTable(), programTable(records), b.cellTable()}
}

func (b *builder) abstract(records []sweep.Record, judged, disagree int) []string {
	stored, not, undecided, trained := 0, 0, 0, 0
	for i := range records {
		switch r := &records[i]; {
		case r.Measure == sweep.Training || r.Rule == learn.Hebb:
			trained++
		case r.Result.Outcome.String() == "stored":
			stored++
		case r.Result.Outcome.String() == "undecided":
			undecided++
		default:
			not++
		}
	}
	counts := fmt.Sprintf("%s in %s.", counted(len(records), "trial"), counted(len(b.cells), "cell"))
	if n := stored + not + undecided; n > 0 {
		counts += fmt.Sprintf(" %d instances were decided or tried to be: %d are stored, by a witness, %d are not storable, by a proof, and %d are undecided.", n, stored, not, undecided)
	}
	if trained > 0 {
		counts += fmt.Sprintf(" %d memories were trained, or made by Hebb's rule, and measured.", trained)
	}
	verdict := fmt.Sprintf("%d rows are judged against theory, and %d disagree: all together, by Holm's procedure, so that a false alarm anywhere has probability ≤ %v. Intervals are of %v%%; z is the normal equivalent of a p-value, positive when more was measured than predicted.", judged, disagree, b.o.Rate, 100*b.o.Confidence)
	if judged == 0 {
		verdict = fmt.Sprintf("No row has a theory that is claimed to hold at its size: none is judged. Intervals are of %v%%.", 100*b.o.Confidence)
	}
	return []string{counts, verdict}
}

// counted is "1 cell", "2 cells".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// experimentTable says what was asked for.
func (b *builder) experimentTable() *table.Table {
	type key struct {
		experiment string
		measure    sweep.Measure
		options    sweep.Options
	}
	type sums struct {
		key
		cells, records             int
		seconds                    float64
		models, sizes, rules, seed map[string]bool
		embeddings                 map[string]bool
		first, last                time.Time
	}
	of := map[key]*sums{}
	for _, c := range b.cells {
		counted := map[string]bool{}
		for _, r := range c.records {
			k := key{r.Experiment, r.Measure, r.Options}
			s := of[k]
			if s == nil {
				s = &sums{key: k, models: map[string]bool{}, sizes: map[string]bool{}, rules: map[string]bool{}, seed: map[string]bool{}, embeddings: map[string]bool{}, first: r.Started, last: r.Started}
				of[k] = s
			}
			s.records++
			s.seconds += r.Result.Seconds
			s.models[upper(r.Spec.Model)] = true
			s.sizes[strings.TrimPrefix(c.shape().whole().String(), "d = ")] = true
			s.rules[r.Rule.String()] = true
			s.seed[fmt.Sprint(r.Seed)] = true
			s.embeddings[fmt.Sprintf("%v/%v", r.Spec.Keys, r.Spec.Values)] = true
			if r.Started.Before(s.first) {
				s.first = r.Started
			}
			if r.Started.After(s.last) {
				s.last = r.Started
			}
			if id := fmt.Sprint(r.Experiment, r.Seed); !counted[id] {
				counted[id] = true
				s.cells++
			}
		}
	}
	usual := func(is func(o sweep.Options) bool) bool {
		return !slices.ContainsFunc(b.cells, func(c *cell) bool { return !is(c.options) })
	}
	t := &table.Table{
		Name: "experiments", Title: "What was run",
		Columns: []table.Column{
			{Key: "experiment"}, {Key: "measure"}, {Key: "models"}, {Key: "sizes", Head: "d"}, {Key: "rules"}, {Key: "embeddings", Head: "keys/values"}, {Key: "seeds"},
			{Key: "max_evaluations", Head: "evaluations", Hidden: usual(func(o sweep.Options) bool { return o.MaxEvaluations == 0 })},
			{Key: "restarts", Hidden: usual(func(o sweep.Options) bool { return o.Restarts == 0 })},
			{Key: "learning_rate", Head: "learning rate", Hidden: usual(func(o sweep.Options) bool { return o.LearningRate == 0 })},
			{Key: "gradient_tolerance", Head: "gradient tolerance", Hidden: usual(func(o sweep.Options) bool { return o.GradientTolerance == 0 })},
			{Key: "loss_tolerance", Head: "loss tolerance", Hidden: usual(func(o sweep.Options) bool { return o.LossTolerance == 0 })},
			{Key: "cells"}, {Key: "trials"}, {Key: "cpu_seconds", Head: "time, s", Digits: 1, Verb: 'f'}, {Key: "first_started"}, {Key: "last_started"},
		},
		Notes: []string{"Options that are not shown, and -: the default of the program. Times are those that the records tell, one trial on one thread each: not reproducible, as all else here is."},
	}
	sorted := slices.SortedFunc(maps.Values(of), func(a, b *sums) int {
		return cmp.Or(cmp.Compare(a.experiment, b.experiment), cmp.Compare(a.measure, b.measure), compareOptions(a.options, b.options))
	})
	for _, s := range sorted {
		o := s.options
		t.Append(s.experiment, s.measure, joined(s.models), joined(s.sizes), joined(s.rules), joined(s.embeddings), joined(s.seed),
			given(o.MaxEvaluations), given(o.Restarts), given(o.LearningRate), given(o.GradientTolerance), given(o.LossTolerance),
			s.cells, s.records, s.seconds, moment(s.first), moment(s.last))
	}
	return onPaper(t, "last_started")
}

// joined lists a set: numbers in their order.
func joined(set map[string]bool) string {
	return strings.Join(slices.SortedFunc(maps.Keys(set), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	}), ", ")
}

func given[N int | float64](x N) any {
	if x == 0 {
		return nil
	}
	return x
}

func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// programTable lists the programs that made the records.
func programTable(records []sweep.Record) *table.Table {
	counts := map[sweep.Program]int{}
	for i := range records {
		counts[records[i].Program]++
	}
	t := &table.Table{
		Name: "programs", Title: "Programs that made the records",
		Columns: []table.Column{{Key: "version"}, {Key: "revision"}, {Key: "modified"}, {Key: "build"}, {Key: "arch"}, {Key: "instructions"}, {Key: "records"}},
		Notes:   []string{"modified: there were changes that are not in the revision. Last bits may differ between architectures and instruction sets."},
	}
	sorted := slices.SortedFunc(maps.Keys(counts), func(a, b sweep.Program) int {
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	for _, p := range sorted {
		t.Append(text(p.Version), text(p.Revision), p.Modified, text(p.Build), text(p.Arch), text(p.Instructions), counts[p])
	}
	return t
}

// cellTable lists all cells.
func (b *builder) cellTable() *table.Table {
	var all []ensemble
	fixed := false
	for _, c := range b.cells {
		all, fixed = append(all, c.ensemble), fixed || c.fixed() > 0
	}
	columns := sizeColumns(all, fixed)
	t := &table.Table{
		Name: "cells", Title: "Cells",
		Columns: append([]table.Column{{Key: "measure"}}, append(columns,
			table.Column{Key: "p"}, table.Column{Key: "alpha", Head: "α", Digits: 4}, table.Column{Key: "trials"},
			table.Column{Key: "seconds", Head: "time, s", Digits: 2, Verb: 'f'}, table.Column{Key: "evaluations", Digits: 4})...),
		Notes: []string{"time: of all trials of the cell, one thread each, as the records tell; not reproducible. evaluations: passes over an instance, a mean over trials."},
	}
	for _, c := range b.cells {
		seconds, evaluations := 0.0, 0.0
		for _, r := range c.records {
			seconds += r.Result.Seconds
			evaluations += float64(r.Result.Evaluations) / float64(len(c.records))
		}
		row := append([]any{c.measure}, c.size(c.fixed())...)
		t.Append(append(row, c.spec.P, c.shape().load(float64(c.spec.P)), len(c.records), math.Round(100*seconds)/100, evaluations)...)
	}
	return onPaper(t)
}
