package report

import (
	"io"
	"math"
	"time"

	"github.com/parquet-go/parquet-go"

	"lamcap/harness/sweep"
)

// trialRow is one trial in Parquet, raw. What there is none of is null; an infinite number is
// one (a margin bound of a search that found none).
type trialRow struct {
	Experiment string `parquet:"experiment,dict"`
	Measure    string `parquet:"measure,dict"`
	Model      string `parquet:"model,dict"`
	DIn        int64  `parquet:"d_in"`
	DOut       int64  `parquet:"d_out"`
	Rank       int64  `parquet:"rank"`
	P          int64  `parquet:"p"`
	N          int64  `parquet:"n"`
	Keys       string `parquet:"keys_embedding,dict"`
	Values     string `parquet:"values_embedding,dict"`
	Rule       string `parquet:"rule,dict"`
	Seed       uint64 `parquet:"seed"`
	Trial      uint64 `parquet:"trial"`

	MaxEvaluations    int64   `parquet:"max_evaluations"`
	Restarts          int64   `parquet:"restarts"`
	LearningRate      float64 `parquet:"learning_rate"`
	GradientTolerance float64 `parquet:"gradient_tolerance"`
	LossTolerance     float64 `parquet:"loss_tolerance"`

	Kappa    float64 `parquet:"kappa"`
	Alpha    float64 `parquet:"alpha"`
	Critical float64 `parquet:"p_c"`

	Outcome     string   `parquet:"outcome,dict"`
	Exact       bool     `parquet:"exact"`
	Status      string   `parquet:"status,dict"`
	Recalled    int64    `parquet:"recalled"`
	Accuracy    float64  `parquet:"accuracy"`
	Margin      *float64 `parquet:"margin"`
	MarginBound *float64 `parquet:"margin_bound"`
	Loss        *float64 `parquet:"loss"`
	Gradient    *float64 `parquet:"gradient"`
	Norm        *float64 `parquet:"norm"`

	SingularValues []float64 `parquet:"singular_values,optional,list"`
	Correct        []float64 `parquet:"correct_scores,optional,list"`
	Wrong          []float64 `parquet:"largest_wrong_scores,optional,list"`

	Evaluations  int64   `parquet:"evaluations"`
	Refutations  int64   `parquet:"refutations"`
	Corrections  int64   `parquet:"corrections"`
	Seconds      float64 `parquet:"seconds"`
	ProofSeconds float64 `parquet:"proof_seconds"`

	Version      string     `parquet:"version,dict"`
	Revision     string     `parquet:"revision,dict"`
	Modified     bool       `parquet:"modified"`
	Build        string     `parquet:"build,dict"`
	Arch         string     `parquet:"arch,dict"`
	Instructions string     `parquet:"instructions,dict"`
	Worker       string     `parquet:"worker,dict"`
	Started      *time.Time `parquet:"started,timestamp(microsecond)"`
}

// newTrialRow copies a record.
func newTrialRow(r *sweep.Record) trialRow {
	s, o, x := r.Spec, r.Options, r.Result
	row := trialRow{
		Experiment: r.Experiment, Measure: r.Measure.String(), Model: s.Model.String(),
		DIn: int64(s.DIn), DOut: int64(s.DOut), Rank: int64(r.Rank), P: int64(s.P), N: int64(s.N),
		Keys: s.Keys.String(), Values: s.Values.String(), Rule: r.Rule.String(), Seed: r.Seed, Trial: r.Trial,
		MaxEvaluations: int64(o.MaxEvaluations), Restarts: int64(o.Restarts), LearningRate: o.LearningRate,
		GradientTolerance: o.GradientTolerance, LossTolerance: o.LossTolerance,
		Kappa: r.Kappa(), Alpha: r.Alpha(), Critical: r.Critical,
		Outcome: x.Outcome.String(), Exact: x.Exact, Status: x.Status.String(),
		Recalled: int64(x.Recalled), Accuracy: x.Accuracy, Margin: orNull(x.Margin), MarginBound: orNull(x.MarginBound),
		Loss: orNull(r.Loss), Gradient: orNull(r.Gradient), Norm: orNull(r.Norm),
		SingularValues: r.SingularValues, Correct: r.Correct, Wrong: r.Wrong,
		Evaluations: int64(x.Evaluations), Refutations: int64(x.Refutations), Corrections: int64(x.Corrections),
		Seconds: x.Seconds, ProofSeconds: x.ProofSeconds,
		Version: r.Program.Version, Revision: r.Program.Revision, Modified: r.Program.Modified, Build: r.Program.Build,
		Arch: r.Program.Arch, Instructions: r.Program.Instructions, Worker: r.Worker,
	}
	if !r.Started.IsZero() {
		started := r.Started.UTC()
		row.Started = &started
	}
	return row
}

func orNull(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// writeTrials writes all records as Parquet, in the order of cells and trials. The same
// records give the same bytes, whatever their order.
func writeTrials(w io.Writer, records []sweep.Record) error {
	cells, err := newCells(records)
	if err != nil {
		return err
	}
	file := parquet.NewGenericWriter[trialRow](w, parquet.CreatedBy("lamcap", "1", ""), parquet.Compression(&parquet.Snappy))
	for _, c := range cells {
		for _, r := range c.records {
			if _, err := file.Write([]trialRow{newTrialRow(r)}); err != nil {
				return err
			}
		}
	}
	return file.Close()
}
