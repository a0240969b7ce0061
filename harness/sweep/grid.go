package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

const (
	// MaxCells and MaxInstances bound a plan.
	MaxCells     = 1_000_000
	MaxInstances = 100_000_000
	// MaxGridBytes bounds the text of a grid.
	MaxGridBytes = 1 << 17
)

// Grid is what a grid file asks for, read and counted but not yet resolved into
// cells: [Grid.Plan] does that. In TOML,
//
//	title = "storage of OP and DP"
//	seed = 1                  # of all experiments without one; "0xffff" for 64 bits
//	[[experiment]]
//	name = "transition"       # its random streams have it: what shares a name shares keys
//	measure = "storage"       # or "training", with observe = ["spectrum", "scores"]
//	[experiment.axes]         # every combination: values, ranges and lists of both
//	model = ["op", "dp"]
//	d = [12, "24:96:24"]
//	load = "0.9:1.1:0.05"
//	[[experiment.zip]]        # lists of one length that vary together
//	kappa = [0.25, 1]
//	trials = [20, 200]        # of each cell
//
// A key stands in one place of an experiment: as an option, with one value for all
// its cells, in axes, or in a zip; trials not in axes, name and observe as options
// only.
//
//	model           op or dp
//	d               dimension of keys and values; d_in and d_out where they differ
//	kappa, rank     rank of W, the first as a fraction of the smaller dimension; full
//	                unless given
//	load, alpha, p  number of facts: as a fraction of p_c, by p log p = α d_in d_out, as
//	                it is; one of them
//	n               candidates of each input in model dp; p unless given
//	rule            hebb, descent, adam, lbfgs (default) or maxmargin
//	embedding       gaussian (default) or sphere; "gaussian,sphere" of keys and values
//	seed            master seeds
//	max_evaluations, restarts, learning_rate, gradient_tolerance, loss_tolerance
//	                as in [Options]; a cell keeps those that its measure and rule use
//
// Axes vary in one order whatever that of the file: embedding, options, seeds and
// measure slowest, then dimensions, ranks, n and loads, the rule and the model fastest; a
// zip with the first of its keys.
type Grid struct {
	// Title is what the file says, or "".
	Title string
	// Source is the text.
	Source string

	experiments []*experiment
}

// experiment is one table [[experiment]].
type experiment struct {
	name  string
	wrong func(error) error // says in which file, line and experiment
	base  draft
	axes  []axis // in the order of keys, slowest first
	given map[string]bool
	// cells and instances are counted before they are listed: no less than there are.
	cells, instances int
}

// axis is keys that vary together.
type axis struct {
	order int // of its first key
	names []string
	steps []step
}

// ParseGrid reads the text of a grid; name is that of its file in errors, "" where
// there is none. Errors say what was given, and in which line. So does a grid of more than
// [MaxCells] cells or [MaxInstances] instances, which is not listed before.
func ParseGrid(text, name string) (*Grid, error) {
	if len(text) > MaxGridBytes {
		return nil, inFile(name, 0, fmt.Errorf("%d bytes of TOML: want at most %d", len(text), MaxGridBytes))
	}
	if line := tooDeep(text); line > 0 {
		return nil, inFile(name, line, errors.New("lists, tables or parts of keys within each other: more than any grid has"))
	}
	var root map[string]any
	meta, err := toml.Decode(text, &root)
	if err != nil {
		if syntax := (toml.ParseError{}); errors.As(err, &syntax) {
			return nil, inFile(name, syntax.Position.Line, errors.New(syntax.Message))
		}
		return nil, inFile(name, 0, err)
	}
	r := &reader{name: name, lines: keyLines(text, meta.Keys())}
	g := &Grid{Source: text}
	return g, g.read(r, root)
}

// Cells is the number of cells before those of one address are joined.
func (g *Grid) Cells() int {
	n := 0
	for _, e := range g.experiments {
		n += e.cells
	}
	return n
}

// reader knows where keys stand.
type reader struct {
	name  string
	lines map[string]int // by path, as in experiment[0].zip[1].d
}

// wrong says in which line of the file a key is wrong: that of the path, or else that of
// what holds it.
func (r *reader) wrong(path string, err error) error {
	for ; path != ""; path = path[:max(0, strings.LastIndexByte(path, '.'))] {
		if line := r.lines[path]; line > 0 {
			return inFile(r.name, line, err)
		}
	}
	return inFile(r.name, 0, err)
}

// within is wrong for a key of an experiment. Where there is no file there is one
// experiment.
func (r *reader) within(path, experiment string, err error) error {
	if r.name == "" {
		return err
	}
	return r.wrong(path, fmt.Errorf("experiment %q: %w", experiment, err))
}

func inFile(name string, line int, err error) error {
	switch {
	case name == "":
		return err
	case line == 0:
		return fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Errorf("%s:%d: %w", name, line, err)
}

func (g *Grid) read(r *reader, root map[string]any) error {
	for _, k := range sorted(root) {
		if k != "title" && k != "seed" && k != "experiment" {
			return r.wrong(k, unknown(k, []string{"title", "seed", "experiment"}))
		}
	}
	var err error
	if v, ok := root["title"]; ok {
		if g.Title, err = line("title", v); err != nil {
			return r.wrong("title", err)
		}
	}
	base := defaultDraft()
	if v, ok := root["seed"]; ok {
		if err := readOne(keyNamed("seed"), v, &base); err != nil {
			return r.wrong("seed", err)
		}
	}
	tables, err := tablesOf("experiment", root["experiment"])
	if err != nil {
		return r.wrong("experiment", err)
	}
	if len(tables) == 0 {
		return r.wrong("", errors.New("no [[experiment]]: want at least one"))
	}
	cells, instances := 0, 0
	for i, t := range tables {
		e, err := readExperiment(r, fmt.Sprintf("experiment[%d]", i), t, base)
		if err != nil {
			return err
		}
		cells, instances = cells+e.cells, instances+e.instances
		if err := limits(cells, instances); err != nil {
			return e.wrong(fmt.Errorf("with those before it %w", err))
		}
		g.experiments = append(g.experiments, e)
	}
	return nil
}

// limits refuses what is too much to list.
func limits(cells, instances int) error {
	switch {
	case cells > MaxCells:
		return fmt.Errorf("%d cells: want at most %d in a plan", cells, MaxCells)
	case instances > MaxInstances:
		return fmt.Errorf("%d instances: want at most %d in a plan", instances, MaxInstances)
	}
	return nil
}

// readExperiment reads one table.
func readExperiment(r *reader, path string, t map[string]any, base draft) (*experiment, error) {
	e := &experiment{base: base, given: map[string]bool{}}
	v, ok := t["name"]
	if !ok {
		return nil, r.wrong(path, errors.New("experiment without a name: want one, which its random streams have"))
	}
	var err error
	if e.name, err = line("name", v); err != nil {
		return nil, r.wrong(path+".name", err)
	}
	if e.name == "" {
		return nil, r.wrong(path+".name", errors.New(`name = "": want one, which the random streams have`))
	}
	e.wrong = func(err error) error { return r.within(path, e.name, err) }
	within := func(path string, err error) error { return r.within(path, e.name, err) }
	e.base.cell.Experiment = e.name
	for _, k := range sorted(t) {
		if k == "name" || k == "axes" || k == "zip" {
			continue
		}
		if err := e.readOption(k, t[k]); err != nil {
			return nil, within(path+"."+k, err)
		}
	}
	if v, ok := t["axes"]; ok {
		axes, ok := v.(map[string]any)
		if !ok {
			return nil, within(path+".axes", errors.New("axes: want a table, [experiment.axes]"))
		}
		if err := e.readAxes(axes, path+".axes", within); err != nil {
			return nil, err
		}
	}
	zips, err := tablesOf("experiment.zip", t["zip"])
	if err != nil {
		return nil, within(path+".zip", err)
	}
	for i, zip := range zips {
		if err := e.readZip(zip, fmt.Sprintf("%s.zip[%d]", path, i), within); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(e.axes, func(a, b axis) int { return a.order - b.order })
	if err := e.complete(); err != nil {
		return nil, e.wrong(err)
	}
	if err := e.count(); err != nil {
		return nil, e.wrong(err)
	}
	return e, nil
}

// readOption reads a key that has one value for all cells.
func (e *experiment) readOption(name string, v any) error {
	if name == "observe" {
		return e.observe(v)
	}
	key := keyNamed(name)
	if key == nil {
		return unknown(name, keyNames("name", "observe", "axes", "zip"))
	}
	if err := e.take(name); err != nil {
		return err
	}
	return readOne(key, v, &e.base)
}

// take notes that a key is given, once.
func (e *experiment) take(key string) error {
	if e.given[key] {
		return fmt.Errorf("%s is given twice: want it as an option, in axes or in one zip", key)
	}
	e.given[key] = true
	return nil
}

// readAxes reads [experiment.axes].
func (e *experiment) readAxes(t map[string]any, path string, within func(string, error) error) error {
	for _, k := range sorted(t) {
		here, key := path+"."+k, keyNamed(k)
		switch {
		case k == "trials":
			return within(here, errors.New("trials in axes: want it as an option, or in a zip beside what it varies with"))
		case k == "name" || k == "observe":
			return within(here, fmt.Errorf("%s in axes: want it as an option of [[experiment]]", k))
		case key == nil:
			return within(here, unknown(k, keyNames()))
		}
		if err := e.take(k); err != nil {
			return within(here, err)
		}
		steps, err := readSteps(key, t[k])
		if err != nil {
			return within(here, err)
		}
		e.axes = append(e.axes, axis{key.order, []string{k}, steps})
		if err := e.multiply(); err != nil {
			return within(path, err)
		}
	}
	return nil
}

// readZip reads one [[experiment.zip]].
func (e *experiment) readZip(t map[string]any, path string, within func(string, error) error) error {
	names := sorted(t)
	if len(names) == 0 {
		return within(path, errors.New("empty zip: want lists that vary together"))
	}
	zipped := axis{order: len(keys)}
	for i, k := range names {
		here, key := path+"."+k, keyNamed(k)
		switch {
		case k == "name" || k == "observe":
			return within(here, fmt.Errorf("%s in a zip: want it as an option of [[experiment]]", k))
		case key == nil:
			return within(here, unknown(k, keyNames()))
		}
		if err := e.take(k); err != nil {
			return within(here, err)
		}
		steps, err := readSteps(key, t[k])
		if err != nil {
			return within(here, err)
		}
		if i == 0 {
			zipped.steps = steps
		} else if len(steps) != len(zipped.steps) {
			return within(here, fmt.Errorf("zip of %d %s with %d %s: want lists of one length", len(zipped.steps), names[0], len(steps), k))
		} else {
			for j, first := range zipped.steps {
				zipped.steps[j] = func(d *draft) { first(d); steps[j](d) }
			}
		}
		zipped.order, zipped.names = min(zipped.order, key.order), append(zipped.names, k)
	}
	e.axes = append(e.axes, zipped)
	if err := e.multiply(); err != nil {
		return within(path, err)
	}
	return nil
}

// observe reads what is kept of trained memories.
func (e *experiment) observe(v any) error {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	for _, item := range items {
		switch item {
		case "spectrum":
			e.base.cell.Options.Spectrum = true
		case "scores":
			e.base.cell.Options.Scores = true
		default:
			return fmt.Errorf("observe = %v: want spectrum, scores or both in a list", item)
		}
	}
	e.given["observe"] = true
	return nil
}

// complete refuses an experiment with a question left open.
func (e *experiment) complete() error {
	count := func(names ...string) (n int) {
		for _, name := range names {
			if e.given[name] {
				n++
			}
		}
		return n
	}
	switch {
	case !e.given["model"]:
		return errors.New("model is missing: want op, dp or both in a list")
	case count("d", "d_in", "d_out") == 0:
		return errors.New("d is missing: want d, or both d_in and d_out")
	case e.given["d"] && count("d_in", "d_out") > 0, !e.given["d"] && count("d_in", "d_out") == 1:
		return errors.New("want d, or both d_in and d_out, and no more")
	case count("kappa", "rank") > 1:
		return errors.New("want kappa or rank, not both")
	case count("load", "alpha", "p") != 1:
		return errors.New("want one of load, alpha and p")
	case !e.given["trials"]:
		return errors.New("trials is missing: want the number of instances of each cell")
	}
	return nil
}

// multiply counts the cells of the axes so far, without listing them.
func (e *experiment) multiply() error {
	e.cells = 1
	var factors []string
	for _, a := range e.axes {
		e.cells *= len(a.steps) // both ≤ MaxCells: no overflow
		if len(a.steps) > 1 {
			factors = append(factors, fmt.Sprintf("%d %s", len(a.steps), strings.Join(a.names, "+")))
		}
		if e.cells > MaxCells {
			return fmt.Errorf("%s: %w", strings.Join(factors, " × "), limits(e.cells, 0))
		}
	}
	return nil
}

// count counts cells and instances.
func (e *experiment) count() error {
	if err := e.multiply(); err != nil {
		return err
	}
	varied := false
	for _, a := range e.axes {
		for _, name := range a.names {
			if name != "trials" {
				continue
			}
			varied = true
			for _, s := range a.steps {
				var d draft
				s(&d)
				e.instances += d.trials
			}
			e.instances *= e.cells / len(a.steps)
		}
	}
	if !varied {
		e.instances = e.cells * e.base.trials
	}
	return limits(e.cells, e.instances)
}

// line reads a text of one line.
func line(key string, v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%s = %v: want a text in quotes", key, v)
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return "", fmt.Errorf("%s = %q: want one line of printable text", key, s)
	}
	return s, nil
}

// tablesOf returns an array of tables, which TOML writes in two ways.
func tablesOf(name string, v any) ([]map[string]any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []map[string]any:
		return v, nil
	case []any:
		var out []map[string]any
		for _, item := range v {
			t, ok := item.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("%s: want tables, [[%s]]", name, name)
			}
			out = append(out, t)
		}
		return out, nil
	}
	return nil, fmt.Errorf("%s: want tables, [[%s]]", name, name)
}

// readSteps reads a value, a range or a list of both.
func readSteps(k *key, v any) ([]step, error) {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%s = []: want at least one value", k.name)
	}
	var steps []step
	for _, item := range items {
		text, err := itemText(k.name, item)
		if err != nil {
			return nil, err
		}
		more, err := k.read(k.name, text)
		if err != nil {
			return nil, err
		}
		if steps = append(steps, more...); len(steps) > MaxCells {
			return nil, fmt.Errorf("more than %d values of %s: want at most as many cells in a plan", MaxCells, k.name)
		}
	}
	return steps, nil
}

// readOne reads an option, which has one value.
func readOne(k *key, v any, d *draft) error {
	steps, err := readSteps(k, v)
	if err != nil {
		return err
	}
	if len(steps) > 1 {
		return fmt.Errorf("%d values of %s: want one here, several in [experiment.axes] or a zip", len(steps), k.name)
	}
	steps[0](d)
	return nil
}

// itemText writes an item as it would stand on a command line.
func itemText(name string, v any) (string, error) {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return "", fmt.Errorf("%s = %v: want numbers, words, ranges or lists of them", name, v)
}
