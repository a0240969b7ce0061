package sweep

import (
	"encoding/json"
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
	"lamcap/harness/trial"
	"lamcap/internal/status"
)

// anyFloat draws every kind of float64.
func anyFloat() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.SmallestNonzeroFloat64, math.MaxFloat64}))
}

// anyRecord draws a record that could have been written.
func anyRecord(t *rapid.T) Record {
	count := rapid.IntRange(0, math.MaxInt32)
	seconds := rapid.Float64Range(0, 1e9)
	text := rapid.String()
	r := Record{
		Cell: Cell{
			Address: Address{
				Experiment: rapid.StringN(1, -1, 40).Draw(t, "experiment"),
				Measure:    rapid.SampledFrom([]Measure{Storage, Training}).Draw(t, "measure"),
				Spec: pattern.Spec{
					Model: rapid.SampledFrom([]pattern.Model{pattern.OP, pattern.DP}).Draw(t, "model"),
					DIn:   rapid.IntRange(1, 40).Draw(t, "d_in"), DOut: rapid.IntRange(1, 40).Draw(t, "d_out"),
					P: rapid.IntRange(1, 12).Draw(t, "p"), Values: pattern.Sphere,
				},
				Rule: rapid.SampledFrom([]learn.Rule{learn.LBFGS, learn.Adam, learn.GradientDescent}).Draw(t, "rule"),
				Seed: rapid.Uint64().Draw(t, "seed"),
			},
			Options:  Options{MaxEvaluations: count.Draw(t, "evaluations"), Restarts: count.Draw(t, "restarts"), LearningRate: seconds.Draw(t, "rate")},
			Critical: rapid.Float64Range(1e-300, 1e300).Draw(t, "critical"),
		},
		Trial: rapid.Uint64().Draw(t, "trial"),
		Program: Program{
			Version: text.Draw(t, "version"), Revision: text.Draw(t, "revision"), Modified: rapid.Bool().Draw(t, "modified"),
			Build: text.Draw(t, "build"), Arch: "amd64", Instructions: "avx2",
		},
		Result: trial.Result{
			Status: rapid.SampledFrom([]status.Status{status.Converged, status.Stalled, status.MaxIterations}).Draw(t, "status"),
			Margin: anyFloat().Draw(t, "margin"), MarginBound: anyFloat().Draw(t, "bound"),
			Evaluations: count.Draw(t, "passes"), Refutations: count.Draw(t, "refutations"), Corrections: count.Draw(t, "corrections"),
			Seconds: seconds.Draw(t, "seconds"), ProofSeconds: seconds.Draw(t, "proof"),
		},
		Loss: math.NaN(), Gradient: math.NaN(), Norm: math.NaN(),
		Started: time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "started"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC(),
		Worker:  text.Draw(t, "worker"),
	}
	r.Rank = rapid.IntRange(1, min(r.Spec.DIn, r.Spec.DOut)).Draw(t, "rank")
	r.Spec.N = r.Spec.P
	if r.Spec.Model == pattern.DP {
		r.Spec.N = rapid.IntRange(1, 50).Draw(t, "n")
	}
	r.Result.Seed = r.Seed
	r.Result.Recalled = rapid.IntRange(0, r.Spec.P).Draw(t, "recalled")
	r.Result.Accuracy = float64(r.Result.Recalled) / float64(r.Spec.P)
	switch {
	case r.Result.Recalled == r.Spec.P:
		r.Result.Outcome = trial.Stored
	case rapid.Bool().Draw(t, "not storable"):
		r.Result.Outcome, r.Result.Exact = trial.NotStorable, rapid.Bool().Draw(t, "exact")
	}
	r.Result.MarginBound = math.Abs(r.Result.MarginBound)
	if math.IsNaN(r.Result.MarginBound) {
		r.Result.MarginBound = math.Inf(1)
	}
	if r.Result.Outcome == trial.Stored && !(r.Result.Margin > 0) {
		r.Result.Margin = math.SmallestNonzeroFloat64
	}
	if r.Measure == Training {
		for _, x := range []*float64{&r.Loss, &r.Gradient, &r.Norm} {
			*x = math.Abs(anyFloat().Draw(t, "loss, gradient or norm"))
		}
		r.Options.GradientTolerance, r.Options.LossTolerance = seconds.Draw(t, "gradient tolerance"), seconds.Draw(t, "loss tolerance")
		r.Options.Spectrum, r.Options.Scores = rapid.Bool().Draw(t, "spectrum"), rapid.Bool().Draw(t, "scores")
	}
	if r.Options.Spectrum {
		r.SingularValues = rapid.SliceOfN(rapid.Float64Range(0, math.MaxFloat64), r.Rank, r.Rank).Draw(t, "singular values")
	}
	if r.Options.Scores {
		r.Correct = rapid.SliceOfN(anyFloat(), r.Spec.P, r.Spec.P).Draw(t, "correct")
		r.Wrong = rapid.SliceOfN(anyFloat(), r.Spec.P, r.Spec.P).Draw(t, "wrong")
	}
	return r
}

// Every bit of a record reads back, and the text is the same again.
func TestRecordsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRecord(t)
		text, err := r.MarshalJSON()
		require.NoError(t, err)
		require.NotContains(t, string(text), "\n")
		require.True(t, json.Valid(text), "%s", text)
		var back Record
		require.NoError(t, back.UnmarshalJSON(text), "%s", text)
		again, err := back.MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, string(text), string(again))
		require.Empty(t, Difference(r, back))
		// The text says all: as Go prints it, a NaN is equal to itself.
		require.Equal(t, fmt.Sprintf("%#v", r), fmt.Sprintf("%#v", back))

		// By way of encoding/json, which writes <, > and & in another way.
		text, err = json.Marshal(map[string]any{"record": r})
		require.NoError(t, err)
		var wrapped struct{ Record Record }
		require.NoError(t, json.Unmarshal(text, &wrapped))
		require.Empty(t, Difference(r, wrapped.Record))

		w := Work{r.Cell, r.Spec.N}
		text, err = w.MarshalJSON()
		require.NoError(t, err)
		var work Work
		require.NoError(t, work.UnmarshalJSON(text))
		require.Equal(t, w, work)
		text, err = json.Marshal(Job{r.Cell, r.Trial})
		require.NoError(t, err)
		var job Job
		require.NoError(t, json.Unmarshal(text, &job))
		require.Equal(t, Job{r.Cell, r.Trial}, job)
	})
}

// example is a record whose text is known.
func example() Record {
	return Record{
		Cell: Cell{Address: Address{
			Experiment: "a <b>", Spec: pattern.Spec{Model: pattern.DP, DIn: 4, DOut: 8, P: 4, N: 3}, Rank: 4, Seed: math.MaxUint64,
		}, Critical: 5},
		Trial:   7,
		Program: Program{Version: "v1", Revision: "abc", Arch: "amd64", Instructions: "avx2"},
		Result: trial.Result{
			Outcome: trial.NotStorable, Exact: true, Status: status.Converged, Recalled: 3, Accuracy: 0.75, Margin: -0.1,
			MarginBound: math.Inf(1), Evaluations: 12, Refutations: 1, Corrections: 20, Seconds: 0.5, ProofSeconds: 0.25, Seed: math.MaxUint64,
		},
		Loss: math.NaN(), Gradient: math.NaN(), Norm: math.NaN(),
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Worker: "host/0",
	}
}

const exampleText = `{"format":1,"experiment":"a <b>","measure":"storage","model":"dp","rule":"lbfgs","d_in":4,"d_out":8,"rank":4,"p":4,"n":3,` +
	`"keys":"gaussian","values":"gaussian","seed":18446744073709551615,"critical":5,"load":0.8,"alpha":0.17328679513998632,"kappa":1,` +
	`"trial":7,"max_evaluations":0,"restarts":0,"learning_rate":0,"gradient_tolerance":0,"loss_tolerance":0,"spectrum":false,"scores":false,` +
	`"outcome":"not_storable","exact":true,"status":"converged","recalled":3,"accuracy":0.75,"margin":-0.1,"margin_bound":null,"margin_bound_status":"inf",` +
	`"evaluations":12,"refutations":1,"corrections":20,"loss":null,"loss_status":"nan","gradient":null,"gradient_status":"nan","norm":null,"norm_status":"nan",` +
	`"seconds":0.5,"proof_seconds":0.25,"started":"2026-01-02T03:04:05Z","worker":"host/0",` +
	`"program_version":"v1","program_revision":"abc","program_modified":false,"program_build":"","arch":"amd64","instructions":"avx2"}`

// The format is a contract: files of today are to be read tomorrow.
func TestRecordFormat(t *testing.T) {
	text, err := example().MarshalJSON()
	require.NoError(t, err)
	assert.Equal(t, exampleText, string(text))
}

func TestRecordsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`{"format":1`, `{"format":2`, "format = 2: this program reads format 1"},
		{`"format":1,`, ``, "format is missing"},
		{`"trial":7`, `"trial":7,"colour":1`, "colour is not known"},
		{`"trial":7`, `"Trial":7`, "trial is missing"},
		{`"trial":7`, `"trial":7,"trial":7`, "trial is given twice"},
		{`"trial":7`, `"trial":7,"tr\u0069al":7`, "trial is given twice"},
		{`"trial":7`, `"trial":-7`, "trial = -7: want an integer ≥ 0 and below 2⁶⁴"},
		{`"trial":7`, `"trial":7.0`, "trial = 7.0"},
		{`"trial":7`, `"trial":18446744073709551616`, "trial = 18446744073709551616"},
		{`"trial":7`, `"trial":null`, "trial = null"},
		{`"p":4`, `"p":4000000000`, "p = 4000000000: want an integer ≥ 0 and below 2³¹"},
		{`"p":4`, `"p":0`, "load = 0.8: want 0, which the other fields give"},
		{`"d_in":4`, `"d_in":0`, "rank = 4: want 1 ≤ rank ≤ min(d_in, d_out) = 0"},
		{`"rank":4`, `"rank":5`, "kappa = 1: want 1.25"},
		{`"rank":4`, `"rank":0`, "kappa = 1: want 0"},
		{`"load":0.8`, `"load":0.80001`, "load = 0.80001: want 0.8, which the other fields give"},
		{`"model":"dp"`, `"model":"op"`, "n = 3: want n = p = 4 in model op"},
		{`"model":"dp"`, `"model":"DP"`, `model = "DP": want dp`},
		{`"model":"dp"`, `"model":"xp"`, "model = xp: want op or dp"},
		{`"model":"dp"`, `"model":1`, "model = 1: want a name"},
		{`"rule":"lbfgs"`, `"rule":"sgd"`, "rule = sgd: want"},
		{`"measure":"storage"`, `"measure":"both"`, "measure = both: want"},
		{`"experiment":"a <b>"`, `"experiment":""`, "experiment without a name"},
		{`"experiment":"a <b>"`, "\"experiment\":\"\xff\"", "not valid UTF-8"},
		{`"critical":5`, `"critical":null,"critical_status":"inf"`, "load = 0.8: want 0"},
		{`"critical":5,"load":0.8`, `"critical":-5,"load":-0.8`, "critical = -5: want a finite number of facts > 0"},
		{`"max_evaluations":0`, `"max_evaluations":1e3`, "max_evaluations = 1e3: want an integer"},
		{`"learning_rate":0`, `"learning_rate":-1`, "learning rate = -1"},
		{`"loss_tolerance":0`, `"loss_tolerance":0.1`, "want measure training"},
		{`"spectrum":false`, `"spectrum":0`, "spectrum = 0: want true or false"},
		{`"outcome":"not_storable"`, `"outcome":"stored"`, "recalled = 3 of an instance that is stored"},
		{`"outcome":"not_storable"`, `"outcome":"undecided"`, "exact = true: want outcome not_storable"},
		{`"outcome":"not_storable"`, `"outcome":"unknown"`, `outcome = "unknown": want`},
		{`"status":"converged"`, `"status":"diverged"`, "a trial that failed is no record"},
		{`"status":"converged"`, `"status":"fine"`, `status = "fine": want`},
		{`"recalled":3`, `"recalled":5`, "recalled = 5: want 0 ≤ recalled ≤ p = 4"},
		{`"accuracy":0.75`, `"accuracy":0.7`, "accuracy = 0.7: want recalled/p = 0.75"},
		{`"margin_bound":null,"margin_bound_status":"inf"`, `"margin_bound":-1`, "margin_bound = -1: want ≥ 0"},
		{`"margin_bound_status":"inf"`, `"margin_bound_status":"nan"`, "margin_bound = NaN: want ≥ 0"},
		{`"loss":null,"loss_status":"nan"`, `"loss":2`, "loss, gradient, norm = 2, NaN, NaN: want none of measure storage"},
		{`"margin":-0.1`, `"margin":"-0.1"`, `margin = "-0.1": want a number`},
		{`"margin":-0.1`, `"margin":1e999`, "margin = 1e999: want a number"},
		{`"margin":-0.1`, `"margin":-0.1,"margin_status":"nan"`, `margin = -0.1 with margin_status = "nan"`},
		{`"loss_status":"nan"`, `"loss_status":"none"`, `loss_status = "none": want nan, inf or -inf`},
		{`,"loss_status":"nan"`, ``, `loss_status = "": want nan, inf or -inf`},
		{`"loss":null`, `"loss":null,"singular_values":[1,2,3,4]`, "singular_values: want 4 of them, and only with spectrum"},
		{`"loss":null`, `"loss":null,"correct":[1,2,3,4]`, "correct and wrong: want 4 of each, and only with scores"},
		{`"loss":null`, `"loss":null,"correct":1`, "correct = 1: want a list of numbers"},
		{`"loss":null`, `"loss":null,"correct":[null],"correct_status":[]`, "correct_status = []: want a name for each"},
		{`"loss":null`, `"loss":null,"correct":[{}]`, "correct = {}: want a number"},
		{`"seconds":0.5`, `"seconds":-0.5`, "seconds = -0.5: want a finite time ≥ 0"},
		{`"started":"2026-01-02T03:04:05Z"`, `"started":"yesterday"`, `started = "yesterday": want a time`},
		{`"worker":"host/0"`, `"worker":["host"]`, `worker = ["host"]: want a string`},
		{`"instructions":"avx2"}`, `"instructions":"avx2"`, "not JSON at byte"},
		{exampleText, `[1]`, "[1]: want a JSON object"},
		{exampleText, `{}`, "format is missing"},
		{exampleText, ``, "not JSON"},
		{exampleText, strings.Repeat("\x00", 20), "not JSON"},
		{exampleText, exampleText + exampleText, "not JSON"},
	} {
		require.Contains(t, exampleText, c.old)
		var r Record
		err := r.UnmarshalJSON([]byte(strings.Replace(exampleText, c.old, c.new, 1)))
		assert.ErrorContains(t, err, c.want, "%s → %s", c.old, c.new)
		assert.Zero(t, r, "nothing is left of what was refused")
	}
	// White space is no difference.
	var r Record
	require.NoError(t, r.UnmarshalJSON([]byte(strings.NewReplacer(`,"`, " ,\r\t \"", `":`, `" : `).Replace(" "+exampleText+" "))))
	assert.Empty(t, Difference(example(), r))
}

func TestRecordsThatAreNotWritten(t *testing.T) {
	for want, spoil := range map[string]func(*Record){
		"seed = 1 of the result":   func(r *Record) { r.Result.Seed = 1 },
		"want valid UTF-8":         func(r *Record) { r.Experiment = "\xff" },
		`"\xfe": want valid UTF-8`: func(r *Record) { r.Worker = "\xfe" },
		"critical = 0":             func(r *Record) { r.Critical = 0 },
		"margin = -0.1 of an instance that is stored: want > 0": func(r *Record) {
			r.Result.Outcome, r.Result.Exact, r.Result.Recalled, r.Result.Accuracy = trial.Stored, false, 4, 1
		},
		"loss, gradient, norm = 1, -2, 3: want ≥ 0": func(r *Record) { r.Measure, r.Loss, r.Gradient, r.Norm = Training, 1, -2, 3 },
		"status = diverged":                         func(r *Record) { r.Result.Status = status.Diverged },
		"seconds = NaN":                             func(r *Record) { r.Result.Seconds = math.NaN() },
		"want a year of four digits":                func(r *Record) { r.Started = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
	} {
		r := example()
		spoil(&r)
		_, err := r.MarshalJSON()
		assert.ErrorContains(t, err, want)
	}
}

func TestDifference(t *testing.T) {
	a, b := example(), example()
	b.Worker, b.Started, b.Result.Seconds, b.Result.ProofSeconds, b.Program = "elsewhere", time.Now(), 3, 2, Program{}
	assert.Empty(t, Difference(a, b))
	b.Result.Margin = math.Nextafter(b.Result.Margin, 0)
	b.Result.Evaluations, b.Loss, b.Options.Restarts = 13, 2, 4
	assert.Equal(t, `restarts = 0 and 4, margin = -0.1 and -0.09999999999999999, evaluations = 12 and 13, loss = null,"loss_status":"nan" and 2`, Difference(a, b))
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte(exampleText))
	f.Add([]byte(`{"format":1,"a":"\"}","b":[{"c":[]}],"d":{"e":null}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r Record
		if r.UnmarshalJSON(text) != nil {
			return
		}
		again, err := r.MarshalJSON()
		require.NoError(t, err)
		var back Record
		require.NoError(t, back.UnmarshalJSON(again))
		require.Empty(t, Difference(r, back))
	})
}
