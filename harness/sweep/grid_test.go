package sweep_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/sweep"
	"lamcap/quartercircle"
)

// planned reads a grid that is right.
func planned(t require.TestingT, text string) *sweep.Plan {
	g, err := sweep.ParseGrid(text, "grid.toml")
	require.NoError(t, err)
	p, err := g.Plan(quartercircle.NewSpectra())
	require.NoError(t, err)
	return p
}

func TestPlan(t *testing.T) {
	text := `
title = "storage of OP and DP"
seed = 7
[[experiment]]
name = "transition"
trials = 40
[experiment.axes]
model = ["op", "dp"]
d = [8, "12:24:12"]
kappa = [0.5, 1]
load = "0.9:1.1:0.1"
[[experiment]]
name = "trained"
measure = "training"
observe = ["spectrum", "scores"]
embedding = "sphere,gaussian"
rule = "adam"
learning_rate = 0.05
max_evaluations = 300
[experiment.axes]
model = "op"
alpha = 0.75
seed = ["0xffffffffffffffff", "1:2"]
[[experiment.zip]]
d_in = [12, 48]
d_out = "48:12:-36"
trials = [10, 4]
`
	p := planned(t, text)
	assert.Equal(t, "storage of OP and DP", p.Title)
	assert.Equal(t, text, p.Source)
	require.Len(t, p.Cells, 3*2*3*2+3*2)
	assert.Equal(t, 36*40+3*14, p.Instances())
	// The model varies fastest, the dimension slowest.
	first, second := p.Cells[0], p.Cells[1]
	assert.Equal(t, sweep.Address{
		Experiment: "transition", Rank: 4, Seed: 7,
		Spec: pattern.Spec{Model: pattern.OP, DIn: 8, DOut: 8, P: first.Spec.P, N: first.Spec.P},
	}, first.Address)
	assert.Equal(t, pattern.DP, second.Spec.Model)
	assert.Equal(t, first.Spec.P, second.Spec.P)
	assert.InDelta(t, 0.9, first.Load(), 0.5/first.Critical)
	last := p.Cells[35]
	assert.Equal(t, 24, last.Rank)
	assert.Equal(t, 127, last.Spec.P, "1.1 of p_c = 115.467 at 24 × 24 weights")
	assert.InDelta(t, 115.467416, last.Critical, 1e-6)
	// Seeds vary slower than dimensions.
	trained := p.Cells[36:]
	for i, want := range []struct {
		seed              uint64
		dIn, dOut, trials int
	}{{math.MaxUint64, 12, 48, 10}, {math.MaxUint64, 48, 12, 4}, {1, 12, 48, 10}, {1, 48, 12, 4}, {2, 12, 48, 10}, {2, 48, 12, 4}} {
		w := trained[i]
		assert.Equal(t, sweep.Work{Trials: want.trials, Cell: sweep.Cell{
			Critical: last.Critical, // as many weights
			Options:  sweep.Options{MaxEvaluations: 300, LearningRate: 0.05, Spectrum: true, Scores: true},
			Address: sweep.Address{
				Experiment: "trained", Measure: sweep.Training, Rule: learn.Adam, Rank: 12, Seed: want.seed,
				Spec: pattern.Spec{DIn: want.dIn, DOut: want.dOut, P: w.Spec.P, N: w.Spec.P, Keys: pattern.Sphere},
			},
		}}, w)
		assert.InDelta(t, 0.75, w.Alpha(), 0.6*(1+math.Log(float64(w.Spec.P)))/576)
	}
}

// Loads that round to one p are one cell with the larger number of trials, in two tables
// of one name too; options are kept where they are used, so that rules and ranks that do
// not use them need no table of their own.
func TestCellsOfOneAddress(t *testing.T) {
	p := planned(t, `
[[experiment]]
name = "x"
model = "dp"
d = 6
restarts = 2
[experiment.axes]
rank = [3, 6]
[[experiment.zip]]
load = [1, 1.001, 1.5]
trials = [3, 9, 4]
[[experiment]]
name = "x"
trials = 20
axes = {model = "dp", d = 6, load = [1.5, 2]}
`)
	require.Len(t, p.Cells, 5)
	var got []string
	for _, w := range p.Cells {
		got = append(got, fmt.Sprintf("m=%d p=%d: %d trials, %d restarts", w.Rank, w.Spec.P, w.Trials, w.Options.Restarts))
	}
	assert.Equal(t, []string{
		"m=3 p=14: 9 trials, 2 restarts", "m=3 p=21: 4 trials, 2 restarts",
		"m=6 p=15: 9 trials, 0 restarts", "m=6 p=22: 20 trials, 0 restarts", "m=6 p=30: 20 trials, 0 restarts",
	}, got)
}

// With n candidates p_c is that of n, and of n = p where that is what n is.
func TestCandidates(t *testing.T) {
	p := planned(t, `
[[experiment]]
name = "cover"
trials = 1
[experiment.axes]
model = "dp"
d = 6
n = [2, 11]
p = 11
`)
	require.Len(t, p.Cells, 2)
	assert.InDelta(t, 72, p.Cells[0].Critical, 1e-9, "Cover: two facts of two candidates for each weight")
	own := planned(t, "[[experiment]]\nname = \"cover\"\ntrials = 1\nmodel = \"dp\"\nd = 6\np = 11")
	assert.Equal(t, own.Cells[0], p.Cells[1])
	byLoad := planned(t, "[[experiment]]\nname = \"cover\"\ntrials = 1\nmodel = \"dp\"\nd = 6\nload = 1\nn = 2")
	assert.Equal(t, 72, byLoad.Cells[0].Spec.P)
}

// Every refusal says what is wrong, where, and what to do.
func TestRefusals(t *testing.T) {
	const head = "[[experiment]]\nname = \"x\"\n"
	const whole = head + "trials = 2\nmodel = \"dp\"\nd = 6\nload = 1\n"
	in := func(extra string) string { return whole + extra }
	without := func(key string) string {
		var lines []string
		for l := range strings.Lines(whole) {
			if !strings.HasPrefix(l, key) {
				lines = append(lines, l)
			}
		}
		return strings.Join(lines, "")
	}
	x := func(line int, message string) string {
		return fmt.Sprintf(`grid.toml:%d: experiment "x": %s`, line, message)
	}
	for _, c := range []struct{ text, want string }{
		{"", "grid.toml: no [[experiment]]: want at least one"},
		{"a = [", "grid.toml:1: unexpected EOF; expected value"},
		{"title = \"a\"\nb = " + strings.Repeat("[", 9), "grid.toml:2: lists, tables or parts of keys within each other: more than any grid has"},
		{"# [[[[[[[[[\ntitle = '{{{{{{{{{'\na" + strings.Repeat(".a", 8), "grid.toml:3: lists, tables or parts of keys within each other: more than any grid has"},
		{"title = \"a\"\ntitle = \"b\"", "grid.toml:2: Key 'title' has already been defined."},
		{"seed = 1\ntitel = \"x\"", "grid.toml:2: unknown key titel: the nearest known here is title"},
		{"title = 3", "grid.toml:1: title = 3: want a text in quotes"},
		{`title = "a\nb"`, `grid.toml:1: title = "a\nb": want one line of printable text`},
		{"seed = -1", "grid.toml:1: seed = -1: want an unsigned integer of 64 bits, such as 42 or 0x2a"},
		{"seed = [1, 2]", "grid.toml:1: 2 values of seed: want one here, several in [experiment.axes] or a zip"},
		{"experiment = 3", "grid.toml:1: experiment: want tables, [[experiment]]"},
		{"[[experiment]]\ntrials = 2", "grid.toml:1: experiment without a name: want one, which its random streams have"},
		{"[[experiment]]\nname = \"\"", `grid.toml:2: name = "": want one, which the random streams have`},
		{without("model"), x(1, "model is missing: want op, dp or both in a list")},
		{without("d ="), x(1, "d is missing: want d, or both d_in and d_out")},
		{without("load"), x(1, "want one of load, alpha and p")},
		{without("trials"), x(1, "trials is missing: want the number of instances of each cell")},
		{in("p = 3"), x(1, "want one of load, alpha and p")},
		{in("d_in = 3"), x(1, "want d, or both d_in and d_out, and no more")},
		{without("d =") + "d_in = 3", x(1, "want d, or both d_in and d_out, and no more")},
		{in("rank = 3\nkappa = 0.5"), x(1, "want kappa or rank, not both")},
		{in("trails = 3"), x(7, "unknown key trails: the nearest known here is trials")},
		{"title = \"trails = 3\" # trails = 3\n" + in("seed = '''2\n'''\ntrails = 3"), `grid.toml:10: experiment "x": unknown key trails: the nearest known here is trials`},
		{in("[[experiment.zip]]\nd_in = [\n3,\n4\n]\ntrails = [3, 4]"), x(12, "unknown key trails: the nearest known here is trials")},
		{in("zip = [{n = [3, 4], trails = [3, 4]}]"), x(7, "unknown key trails: the nearest known here is trials")},
		{in("[experiment.axes]\n# d_inn = 3\nd_inn = 3"), x(9, "unknown key d_inn: the nearest known here is d_in")},
		{in("[[experiment.zip]]\n\"lod\" = [3]"), x(7, "unknown key lod: the nearest known here is load")},
		{in("[experiment.axes]\nload = 2"), x(8, "load is given twice: want it as an option, in axes or in one zip")},
		{in("[[experiment.zip]]\nn = [9]\n[[experiment.zip]]\nn = [10]"), x(10, "n is given twice: want it as an option, in axes or in one zip")},
		{in("[experiment.axes]\ntrials = 2"), x(8, "trials in axes: want it as an option, or in a zip beside what it varies with")},
		{in("[experiment.axes]\nname = 2"), x(8, "name in axes: want it as an option of [[experiment]]")},
		{in("[[experiment.zip]]\nobserve = 2"), x(8, "observe in a zip: want it as an option of [[experiment]]")},
		{in("axes = 3"), x(7, "axes: want a table, [experiment.axes]")},
		{in("zip = 3"), x(7, "experiment.zip: want tables, [[experiment.zip]]")},
		{in("[[experiment.zip]]"), x(7, "empty zip: want lists that vary together")},
		{in("[[experiment.zip]]\nkappa = [1, 0.5]\nseed = [1]"), x(9, "zip of 2 kappa with 1 seed: want lists of one length")},
		{in("[experiment.axes]\nkappa = 1.2"), x(8, "kappa = 1.2: want 0 < kappa ≤ 1")},
		{in("[experiment.axes]\nkappa = []"), x(8, "kappa = []: want at least one value")},
		{in("[experiment.axes]\nkappa = true"), x(8, "kappa = true: want numbers, words, ranges or lists of them")},
		{in("[experiment.axes]\nkappa = nan"), x(8, "kappa = NaN: not a number: write one such as 0.25 or 1e3, or a range start:stop:step")},
		{in("rule = \"sgd\""), x(7, "rule = sgd: want hebb, descent, adam, lbfgs or maxmargin")},
		{in("rule = [\"adam\", \"lbfgs\"]"), x(7, "2 values of rule: want one here, several in [experiment.axes] or a zip")},
		{in("measure = \"margin\""), x(7, "measure = margin: want storage or training")},
		{in("embedding = \"cube\""), x(7, "embedding = cube: want gaussian or sphere")},
		{in("observe = [\"norm\"]"), x(7, "observe = norm: want spectrum, scores or both in a list")},
		{in("max_evaluations = 1.5"), x(7, "max_evaluations = 1.5: want an integer, 1 ≤ max_evaluations ≤ 2147483647")},
		{in("learning_rate = 0"), x(7, "learning_rate = 0: want a finite number, learning_rate > 0")},
		{in("seed = \"3:1\""), x(7, "seed = 3:1: stop lies below start: write a negative step, as in 5:1:-1")},
		{without("d =") + "[experiment.axes]\nd = \"1:1e12\"", x(7, "d = 1:1e12: 1000000000000 values, want at most 1000000: use a larger step or fewer items")},
		// What the cells say is found when they are listed.
		{in("rank = 7"), x(1, "rank = 7: want 1 ≤ rank ≤ min(d_out, d_in) = 6")},
		{in("kappa = 0.5\nrule = \"hebb\""), x(1, "cell x storage dp hebb d=6 m=3 p=14 seed=1: rank = 3: want full rank, 6, with rule hebb")},
		{strings.Replace(in("n = 3"), "dp", "op", 1), x(1, "cell x storage op lbfgs d=6 m=6 p=43 n=3 seed=1: n = 3: want n = p = 43 in model op, whose pool all inputs share")},
		{in("restarts = 2"), x(1, "no cell uses restarts: want it with a rank below full")},
		{in("learning_rate = 0.1"), x(1, "no cell uses learning_rate: want it with rule adam or descent")},
		{in("observe = \"scores\""), x(1, "no cell uses observe: want it with measure training")},
		{in("loss_tolerance = 0.1"), x(1, "no cell uses loss_tolerance: want it with measure training by lbfgs, adam or descent")},
		{in("rule = \"hebb\"\nmax_evaluations = 5"), x(1, "no cell uses max_evaluations: want it with rule lbfgs, adam or descent, or measure storage of maxmargin")},
		{in("[experiment.axes]\nmax_evaluations = [5, 6]"), x(1, "cell x storage dp lbfgs d=6 m=6 p=15 seed=1 is there already with other options, max_evaluations = 5 and 6: want another name, seed or load for one of them")},
		{in(whole + "max_evaluations = 7"), x(7, "cell x storage dp lbfgs d=6 m=6 p=15 seed=1 is there already with other options, max_evaluations = 0 and 7: want another name, seed or load for one of them")},
		{strings.Replace(whole, "load = 1", "alpha = 1000", 1) + "[experiment.axes]\nseed = 1\n", ""},
		{strings.Replace(strings.Replace(whole, "d = 6", "d = 2147483647", 1), "load = 1", "p = 2", 1), x(1, "cell x storage dp lbfgs d=2147483647 m=2147483647 p=2 seed=1: p = 2 with d_in = 2147483647, d_out = 2147483647: want p(d_in + d_out) ≤ 1.073741823e+09")},
		{strings.Repeat("#", sweep.MaxGridBytes+1), "grid.toml: 131073 bytes of TOML: want at most 131072"},
	} {
		g, err := sweep.ParseGrid(c.text, "grid.toml")
		if err == nil {
			_, err = g.Plan(quartercircle.NewSpectra())
		}
		if c.want == "" {
			assert.NoError(t, err, c.text)
		} else {
			assert.EqualError(t, err, c.want, c.text)
		}
	}
	// Without a file there is one experiment, and nothing to point at.
	_, err := sweep.ParseGrid(in("kappa = 2"), "")
	assert.EqualError(t, err, "kappa = 2: want 0 < kappa ≤ 1")
}

// What is too much is counted, not listed.
func TestTooMuch(t *testing.T) {
	for text, want := range map[string]string{
		"d = \"1:30000\"\nkappa = \"0.0001:1:0.0001\"\nseed = \"1:20\"": `grid.toml:6: experiment "x": 30000 d × 10000 kappa: 300000000 cells: want at most 1000000 in a plan`,
		"d = \"1:1000\"\nseed = \"1:1000\"":                             `grid.toml:1: experiment "x": 1000000000 instances: want at most 100000000 in a plan`,
	} {
		begin := time.Now()
		_, err := sweep.ParseGrid("[[experiment]]\nname = \"x\"\ntrials = 1000\nload = 1\nmodel = \"op\"\n[experiment.axes]\n"+text, "grid.toml")
		assert.EqualError(t, err, want)
		assert.Less(t, time.Since(begin), 10*time.Second)
	}
	half := "[[experiment]]\nname = \"%s\"\ntrials = %d\nload = 1\nmodel = \"op\"\n[experiment.axes]\nd = \"1:1000\"\nseed = \"1:600\"\n"
	_, err := sweep.ParseGrid(fmt.Sprintf(half+half, "a", 1, "b", 1), "grid.toml")
	assert.EqualError(t, err, `grid.toml:9: experiment "b": with those before it 1200000 cells: want at most 1000000 in a plan`)
	_, err = sweep.ParseGrid("[[experiment]]\nname = \"x\"\nload = 1\nmodel = \"op\"\naxes.d = \"1:1000\"\n[[experiment.zip]]\ntrials = [1, 1e5]\nkappa = [1, 0.5]", "grid.toml")
	assert.EqualError(t, err, `grid.toml:1: experiment "x": 100001000 instances: want at most 100000000 in a plan`)
}

// The numbers of cells and instances are those of the product of the axes, whatever
// stands where, and each value of an axis is in as many cells as any other.
func TestProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seeds, p := rapid.IntRange(1, 4).Draw(t, "seeds"), rapid.IntRange(1, 4).Draw(t, "p")
		zipped := rapid.SliceOfN(rapid.IntRange(1, 50), 1, 4).Draw(t, "trials")
		var dims []int
		sum := 0
		for i, n := range zipped {
			dims = append(dims, 4+i)
			sum += n
		}
		list := func(v []int) string { return strings.ReplaceAll(fmt.Sprint(v), " ", ", ") }
		text := fmt.Sprintf("[[experiment]]\nname = \"x\"\n[experiment.axes]\nmodel = [\"op\", \"dp\"]\nseed = \"1:%d\"\np = \"5:%d\"\n[[experiment.zip]]\nd = %s\ntrials = %s\n",
			seeds, 4+p, list(dims), list(zipped))
		plan := planned(t, text)
		require.Len(t, plan.Cells, 2*seeds*p*len(zipped))
		require.Equal(t, 2*seeds*p*sum, plan.Instances())
		of := map[int]int{}
		for _, w := range plan.Cells {
			require.Equal(t, zipped[w.Spec.DIn-4], w.Trials)
			of[w.Spec.DIn]++
		}
		for _, n := range of {
			require.Equal(t, 2*seeds*p, n)
		}
		require.Equal(t, plan, planned(t, plan.Source))
	})
}

// FuzzParseGrid looks for texts that panic or hang, and for plans that do not read back
// as they are.
func FuzzParseGrid(f *testing.F) {
	const head = "[[experiment]]\nname = \"x\"\ntrials = 2\n"
	for _, s := range []string{
		"", "title = 'a'", head + "model = \"dp\"\nd = 6\nload = 1",
		head + "[experiment.axes]\nmodel = [\"op\"]\nd = [3, \"4:8:2\"]\np = \"4:5\"\nseed = \"0x1f,3:4\"",
		head + "axes.model = 'op'\nzip = [{d = [3, 4], alpha = [1, 2]}]\nmeasure = 'training'\nobserve = ['scores']\nloss_tolerance = 1e-2",
		head + "\"d\" = 3\n'model' = \"\"\"\nd = 3\"\"\"\n# d = 4\n[[experiment]]\n[[experiment.zip]]\nd = [\"1:1e9\"]",
		"[[experiment]]\nname = \"x\"\n[[experiment.zip]]\ntrials = [1]\nd = [2]\nmodel = ['dp']\nn = [7]\nload = [0.5]\nembedding = ['sphere,gaussian']",
	} {
		f.Add(s)
	}
	spectra := quartercircle.NewSpectra()
	f.Fuzz(func(t *testing.T, text string) {
		g, err := sweep.ParseGrid(text, "grid.toml")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "grid.toml:") {
				t.Fatalf("an error without the file: %v", err)
			}
			return
		}
		if g.Cells() > 100 {
			return // the theory of many takes long
		}
		p, err := g.Plan(spectra)
		if err != nil {
			return
		}
		if p.Source != text || len(p.Cells) == 0 || len(p.Cells) > g.Cells() || p.Instances() < len(p.Cells) {
			t.Fatalf("%d cells, %d instances of at most %d cells", len(p.Cells), p.Instances(), g.Cells())
		}
		seen := map[sweep.Address]bool{}
		for _, w := range p.Cells {
			if err := w.Validate(); err != nil || seen[w.Address] || !(w.Critical > 0) || w.Trials < 1 || !(sweep.Seconds(w.Cell) > 0) {
				t.Fatalf("cell %v, p_c = %v, %d trials, %v s: %v", w.Address, w.Critical, w.Trials, sweep.Seconds(w.Cell), err)
			}
			seen[w.Address] = true
		}
		require.Equal(t, p, planned(t, p.Source))
	})
}
