package harness_test

import (
	"context"
	"fmt"
	"math"
	"os"

	"lamcap/extremes"
	"lamcap/harness"
	"lamcap/harness/pattern"
	"lamcap/harness/predict"
	"lamcap/harness/table"
)

// A table of α_c(κ), in the limit and with 1,000 candidates. predict.Capacity returns it with error
// bounds, table.Write writes it as Markdown, CSV, JSON or LaTeX too.
func Example_capacity() {
	t, err := predict.Capacity(predict.CapacityQuery{Kappas: []float64{0.25, 0.5, 1}, Candidates: []float64{1000}})
	if err == nil {
		err = table.Write(os.Stdout, table.Markdown, t)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// |    κ |    n |    α_limit |        α_c |       γ_c |
	// | ---: | ---: | ---------: | ---------: | --------: |
	// | 0.25 | 1000 | 0.31145628 | 0.52990166 | 0.0767111 |
	// |  0.5 | 1000 | 0.44686540 | 0.76028237 |  0.110062 |
	// |    1 | 1000 | 0.50000000 | 0.85068386 |  0.123149 |
}

// How big must a memory be for 10,000 facts, at full rank and at rank d/4? PlanMemory has a d for
// each, PlanFacts the facts of a given one.
func Example_plan() {
	t, err := predict.PlanMemory([]float64{10_000}, predict.PlanQuery{Kappas: []float64{1, 0.25}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("full rank: d =", t.Rows[0][3], "κ = 1/4: d =", t.Rows[1][3])
	// Output:
	// full rank: d = 345 κ = 1/4: d = 437
}

// Is my simulation right at this size? Its counts at d = 12 against P(storable), with the
// half-point, and what these counts could have found.
func ExampleJudgeCurve() {
	theory, err := harness.Decoupled(predict.Memory{In: 12, Out: 12}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	j := harness.JudgeCurve(theory, []harness.Count{
		{Load: 36, Stored: 191, Trials: 200},
		{Load: 38, Stored: 163, Undecided: 1, Trials: 200},
		{Load: 40, Stored: 104, Trials: 200},
		{Load: 42, Stored: 40, Trials: 200},
		{Load: 44, Stored: 13, Trials: 200},
	}, theory.Scaled("5% more", 1.05), theory.Scaled("1% more", 1.01))
	for i, p := range j.Predicted {
		fmt.Printf("p = %v: %.3f stored, %.3f predicted\n", j.Counts[i].Load, float64(j.Counts[i].Stored)/200, p)
	}
	measured, predicted := j.HalfPoint()
	fmt.Printf("half-point %.2f [%.2f, %.2f], predicted %.2f\n", measured.X, measured.Interval.Lo, measured.Interval.Hi, predicted)
	found := j.Resolution()
	fmt.Printf("would have found %.1f%% less or %.1f%% more\n", 100*(1-found.Lo), 100*(found.Hi-1))
	fmt.Println(j)
	// Output:
	// p = 36: 0.955 stored, 0.957 predicted
	// p = 38: 0.815 stored, 0.802 predicted
	// p = 40: 0.520 stored, 0.504 predicted
	// p = 42: 0.200 stored, 0.212 predicted
	// p = 44: 0.065 stored, 0.057 predicted
	// half-point 40.13 [39.88, 40.37], predicted 40.07
	// would have found 1.2% less or 1.2% more
	// the theory of DP: 511 of 1000 stored, 1 undecided at 5 loads from 36 to 44, 506.4 predicted: ok, p = 0.7 (z = 0.4); 5% more: rejected (z = -15.7), power > 0.99; the data could not have told the theory of DP from 1% more: power 0.74, want 0.9
}

// One load: 33 of 40 instances were stored where a theory says 0.804. So few could
// not have told it from one that says 0.85, and Err says so.
func ExampleJudgeCounts() {
	j := harness.JudgeCounts(0.804, 33, 40, harness.Alternative{Name: "the limit", Predicted: 1e-3}, harness.Alternative{Name: "mine", Predicted: 0.85})
	fmt.Println(j.Verdict)
	fmt.Println(j.Err())
	// Output:
	// ok
	// the counts could not have told the theory from another: the theory: 33 of 40 stored, 32.16 predicted: ok, p = 0.92 (z = 0.1); the limit: rejected (z = 20.4), power > 0.99; the data could not have told the theory from mine: power 0.012, want 0.9
}

// Pin a theory of one's own in a regression test: draw and decide instances, judge them,
// and fail with a sentence. Here t prints.
func ExamplePin() {
	var t printer // *testing.T
	// Yours: here a normal law with the mean and the variance of what p facts cost.
	mine := harness.Theory{Name: "my normal form", Storable: func(p float64) float64 {
		mean, _ := extremes.ConeDimension(p)
		variance, _ := extremes.ConeVariance(p)
		return math.Exp(extremes.LogCDF((144 - p*mean.Value) / math.Sqrt(p*variance.Value)))
	}}
	spec := pattern.Spec{Model: pattern.DP, DIn: 12, DOut: 12}
	counts, err := harness.DecideLoads(context.Background(), spec, []int{36, 40, 44}, 1, 20)
	if err != nil {
		t.Fatal(err)
	}
	harness.Pin(t, harness.JudgeCurve(mine, counts, mine.Scaled("10% more", 1.1), mine.Scaled("2% more", 1.02)))
	harness.Pin(t, harness.JudgeCurve(mine, counts, mine.Scaled("10% more", 1.1)))
	// Output:
	// the counts could not have told the theory from another: my normal form: 31 of 60 stored at 3 loads from 36 to 44, 30.39 predicted: ok, p = 0.91 (z = 0.1); 10% more: rejected (z = -7.2), power > 0.99; the data could not have told my normal form from 2% more: power 0.14, want 0.9
	// my normal form: 31 of 60 stored at 3 loads from 36 to 44, 30.39 predicted: ok, p = 0.91 (z = 0.1); 10% more: rejected (z = -7.2), power > 0.99
}

type printer struct{}

func (printer) Helper()           {}
func (printer) Log(args ...any)   { fmt.Println(args...) }
func (printer) Fatal(args ...any) { fmt.Println(args...) }
