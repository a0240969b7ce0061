package sweep

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/numlist"
)

// draft is a cell of which not everything is known yet.
type draft struct {
	cell        Cell
	kappa       float64 // 0: by rank
	rank        int     // 0: full
	load, alpha float64
	p, n        int // 0: by load or alpha, n = p
	trials      int
}

func defaultDraft() draft {
	var d draft
	d.cell.Seed = 1
	return d
}

// step sets one value, or several in a zip.
type step func(*draft)

// key is one that axes and zips may vary.
type key struct {
	name  string
	order int
	read  func(name, text string) ([]step, error)
}

// keys are all of them, those whose axes vary slowest first.
var keys = [...]key{
	{name: "embedding", read: words(parseEmbeddings, func(d *draft, e [2]pattern.Embedding) {
		d.cell.Spec.Keys, d.cell.Spec.Values = e[0], e[1]
	})},
	{name: "max_evaluations", read: integers(1, func(d *draft, v int) { d.cell.Options.MaxEvaluations = v })},
	{name: "restarts", read: integers(1, func(d *draft, v int) { d.cell.Options.Restarts = v })},
	{name: "learning_rate", read: numbers(math.MaxFloat64, func(d *draft, v float64) { d.cell.Options.LearningRate = v })},
	{name: "gradient_tolerance", read: numbers(math.MaxFloat64, func(d *draft, v float64) { d.cell.Options.GradientTolerance = v })},
	{name: "loss_tolerance", read: numbers(math.MaxFloat64, func(d *draft, v float64) { d.cell.Options.LossTolerance = v })},
	{name: "seed", read: func(name, text string) ([]step, error) {
		values, err := numlist.Uint64s(name, text, MaxCells)
		return steps(values, func(d *draft, v uint64) { d.cell.Seed = v }), err
	}},
	{name: "measure", read: words(ParseMeasure, func(d *draft, m Measure) { d.cell.Measure = m })},
	{name: "d", read: integers(1, func(d *draft, v int) { d.cell.Spec.DIn, d.cell.Spec.DOut = v, v })},
	{name: "d_in", read: integers(1, func(d *draft, v int) { d.cell.Spec.DIn = v })},
	{name: "d_out", read: integers(1, func(d *draft, v int) { d.cell.Spec.DOut = v })},
	{name: "kappa", read: numbers(1, func(d *draft, v float64) { d.kappa = v })},
	{name: "rank", read: integers(1, func(d *draft, v int) { d.rank = v })},
	{name: "n", read: integers(2, func(d *draft, v int) { d.n = v })},
	{name: "load", read: numbers(maxLoad, func(d *draft, v float64) { d.load = v })},
	{name: "alpha", read: numbers(maxLoad, func(d *draft, v float64) { d.alpha = v })},
	{name: "p", read: integers(2, func(d *draft, v int) { d.p = v })},
	{name: "rule", read: words(learn.ParseRule, func(d *draft, r learn.Rule) { d.cell.Rule = r })},
	{name: "model", read: words(pattern.ParseModel, func(d *draft, m pattern.Model) { d.cell.Spec.Model = m })},
	{name: "trials", read: integers(1, func(d *draft, v int) { d.trials = v })},
}

// maxLoad is that of other commands.
const maxLoad = 1000

// keyNamed returns the key of a name, or nil.
func keyNamed(name string) *key {
	for i := range keys {
		if keys[i].name == name {
			k := keys[i]
			k.order = i
			return &k
		}
	}
	return nil
}

// keyNames lists them, and others.
func keyNames(others ...string) []string {
	names := slices.Clone(others)
	for _, k := range keys {
		names = append(names, k.name)
	}
	return names
}

// parseEmbeddings reads that of keys and values, or two, as --embedding does.
func parseEmbeddings(text string) (e [2]pattern.Embedding, err error) {
	k, v, two := strings.Cut(text, ",")
	if !two {
		v = k
	}
	if e[0], err = pattern.ParseEmbedding(strings.TrimSpace(k)); err != nil {
		return e, err
	}
	e[1], err = pattern.ParseEmbedding(strings.TrimSpace(v))
	return e, err
}

// steps makes one of every value.
func steps[T any](values []T, set func(*draft, T)) []step {
	out := make([]step, len(values))
	for i, v := range values {
		out[i] = func(d *draft) { set(d, v) }
	}
	return out
}

// integers reads a list of integers ≥ lo.
func integers(lo int, set func(*draft, int)) func(name, text string) ([]step, error) {
	return func(name, text string) ([]step, error) {
		values, err := numlist.Ints(name, text, lo, math.MaxInt32, MaxCells)
		return steps(values, set), err
	}
}

// numbers reads a list of numbers in (0, hi].
func numbers(hi float64, set func(*draft, float64)) func(name, text string) ([]step, error) {
	return func(name, text string) ([]step, error) {
		values, err := numlist.Floats(name, text, numlist.Range{LoOpen: true, Hi: hi}, MaxCells)
		return steps(values, set), err
	}
}

// words reads one word; several stand in a TOML list.
func words[T any](parse func(string) (T, error), set func(*draft, T)) func(name, text string) ([]step, error) {
	return func(_, text string) ([]step, error) {
		v, err := parse(text)
		return steps([]T{v}, set), err
	}
}

// sorted returns the keys of a table in order: errors are the same every time.
func sorted(t map[string]any) []string { return slices.Sorted(maps.Keys(t)) }

// unknown refuses a key and names the one that was meant, most likely.
func unknown(name string, known []string) error {
	best, least := "", math.MaxInt
	for _, k := range known {
		if n := edits(name, k); n < least {
			best, least = k, n
		}
	}
	return fmt.Errorf("unknown key %s: the nearest known here is %s", quoted(name), best)
}

// quoted writes a key as TOML would: bare where it can be.
func quoted(name string) string {
	if name != "" && strings.Trim(name, bareCharacters) == "" {
		return name
	}
	return fmt.Sprintf("%q", name)
}

// edits is the least number of characters inserted, deleted or replaced between two
// names; of a name too long for any key, its length.
func edits(a, b string) int {
	if len(a) > 100 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
