package equivalence

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/trial"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// Shape is the shape of W.
type Shape struct{ DIn, DOut int }

// String returns "24" or "12×48", d_in first.
func (s Shape) String() string {
	if s.DIn == s.DOut {
		return fmt.Sprint(s.DIn)
	}
	return fmt.Sprintf("%d×%d", s.DIn, s.DOut)
}

// Storage asks for the transitions of both problems at one shape.
type Storage struct {
	Shape
	// Trials is the number of instances at each load of OP, DPTrials of DP: 0 leaves DP to
	// its theory, but for the load next to p_c.
	Trials, DPTrials int
	// NearTrials is the number of pairs at the load next to p_c.
	NearTrials int
}

// offsets place the loads around a half-point, in widths of DP's transition.
func offsets() []float64 { return []float64{-1.6, -0.8, 0, 0.8, 1.6} }

// startExcess places OP's loads: (p_½ of OP − p_½ of DP)/d_out of the order found at d = 12 … 96. It
// decides where instances are spent, not what they say.
const startExcess = 0.15

// Transition is what was measured at one shape, n = p.
type Transition struct {
	Shape
	// Critical is p_c, p_c D = d_in d_out; TheoryHalf and Width are the half-point of DP and
	// the standard deviation of its transition by the exact theory with its d_out.
	Critical, TheoryHalf, Width float64
	// TheoryOP is that of OP by [saddle.OriginalFacts], resummed in d_out/p,
	// its Error an estimate of what is left out; NaN for values that are not Gaussian and
	// shapes outside its range.
	TheoryOP extremes.Value
	OP, DP   Curve
	// Near is p_c rounded, Pairs the pairs decided there, OP first.
	Near  int
	Pairs stats.Paired
}

// Curve is a measured transition.
type Curve struct {
	Loads     []int
	Outcomes  []stats.Outcomes
	Undecided int
	// Half is the half-point in facts, its width fitted too; the zero value without
	// loads.
	Half stats.HalfPoint
}

// placed is a storage experiment with its loads.
type placed struct {
	Storage
	critical, half, width float64
	near                  int
	op, dp                []int
}

func (s Storage) place() (placed, error) {
	out := placed{Storage: s}
	weights := float64(s.DIn) * float64(s.DOut)
	c, err := saddle.CriticalFacts(weights)
	if err != nil {
		return out, err
	}
	out.critical, out.near = c.Facts, measure.FactsAt(1, c.Facts)
	theory := saddle.NewTransition().Decoupled(s.DOut)
	// Φ(1) and Φ(−1): one standard deviation to both sides.
	const upper = 0.8413447460685429
	var at [3]float64
	for i, probability := range []float64{upper, 0.5, 1 - upper} {
		q, err := theory.Facts(weights, probability)
		if err != nil {
			return out, err
		}
		at[i] = q.Value
	}
	out.half, out.width = at[1], (at[2]-at[0])/2
	if s.Trials > 0 {
		out.op = around(out.half+startExcess*float64(s.DOut), out.width)
	}
	if s.DPTrials > 0 {
		out.dp = around(out.half, out.width)
	}
	return out, nil
}

// around returns distinct loads around a half-point.
func around(center, width float64) []int {
	var loads []int
	for _, k := range offsets() {
		loads = append(loads, max(2, int(math.Round(center+k*width))))
	}
	slices.Sort(loads)
	return slices.Compact(loads)
}

func (p placed) instances() int {
	return len(p.op)*p.Trials + len(p.dp)*p.DPTrials + 2*p.NearTrials
}

// run decides all instances of the shape.
func (p placed) run(ctx context.Context, o *Options) (Transition, error) {
	t := Transition{Shape: p.Shape, Critical: p.critical, TheoryHalf: p.half, Width: p.width, Near: p.near,
		TheoryOP: extremes.Value{Value: math.NaN(), Error: math.NaN()}}
	if o.Values == pattern.Gaussian {
		if theory, err := saddle.OriginalFacts(p.DIn, p.DOut); err == nil && theory.Facts.Status.OK() {
			t.TheoryOP = theory.Facts
		}
	}
	var err error
	if t.OP, err = p.curve(ctx, o, pattern.OP, p.op, p.Trials); err != nil {
		return t, err
	}
	if t.DP, err = p.curve(ctx, o, pattern.DP, p.dp, p.DPTrials); err != nil {
		return t, err
	}
	if p.NearTrials == 0 {
		return t, nil
	}
	// The same streams draw the same keys in both problems.
	op, err := p.decide(ctx, o, pattern.OP, "near", p.near, p.NearTrials)
	if err != nil {
		return t, err
	}
	dp, err := p.decide(ctx, o, pattern.DP, "near", p.near, p.NearTrials)
	if err != nil {
		return t, err
	}
	first, second, decided := make([]bool, len(op)), make([]bool, len(op)), make([]bool, len(op))
	for i := range op {
		first[i], second[i] = op[i].Outcome == trial.Stored, dp[i].Outcome == trial.Stored
		decided[i] = op[i].Outcome != trial.Undecided && dp[i].Outcome != trial.Undecided
	}
	t.Pairs = stats.NewPaired(first, second, decided)
	return t, nil
}

func (p placed) curve(ctx context.Context, o *Options, m pattern.Model, loads []int, trials int) (Curve, error) {
	c := Curve{Loads: loads}
	for _, load := range loads {
		results, err := p.decide(ctx, o, m, "curve", load, trials)
		if err != nil {
			return c, err
		}
		outcomes := stats.Outcomes{Trials: len(results)}
		for _, r := range results {
			switch r.Outcome {
			case trial.Stored:
				outcomes.Stored++
			case trial.Undecided:
				outcomes.Undecided++
			}
		}
		c.Outcomes = append(c.Outcomes, outcomes)
		c.Undecided += outcomes.Undecided
	}
	if len(loads) > 0 {
		c.Half = c.Counts().Fit(o.level())
	}
	return c, nil
}

// Counts are the decided instances at each load.
func (c Curve) Counts() stats.Transition {
	var t stats.Transition
	for i, load := range c.Loads {
		t.Loads = append(t.Loads, float64(load))
		t.Stored = append(t.Stored, c.Outcomes[i].Stored)
		t.Trials = append(t.Trials, c.Outcomes[i].Trials-c.Outcomes[i].Undecided)
	}
	return t
}

// decide runs one cell. The cell's address does not name the model: trial t of both
// problems has the same keys.
func (p placed) decide(ctx context.Context, o *Options, m pattern.Model, what string, load, trials int) ([]trial.Result, error) {
	cell := fmt.Sprintf("%s d=%v p=%d", what, p.Shape, load)
	spec := o.spec(m, p.Shape, load)
	results := trial.Many(ctx, spec, trial.Options{}, o.Seed, "equivalence", cell, trials, o.tick)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, r := range results {
		if r.Status == status.Diverged {
			return nil, fmt.Errorf("%v %s, seed %d, trial %d: the training diverged", m, cell, o.Seed, i)
		}
	}
	return results, nil
}

// Excess returns OP's half-point over that of DP by theory, less 1, as a point at the given
// size; of no weight if the loads do not bracket it. (p_c in place of DP's half-point would say
// the same at d ≥ 12, but not where targets lie inside the hull of their competitors.)
func (t Transition) Excess(size, level float64) stats.ScalingPoint {
	return t.OP.Half.At(size, t.TheoryHalf, 1/t.TheoryHalf, level)
}
