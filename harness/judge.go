package harness

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"lamcap/harness/stats"
	"lamcap/internal/status"
)

const (
	// DefaultRate is the probability of a false alarm of one judgement: that it
	// disagrees with a theory that is right.
	DefaultRate = 0.01
	// DefaultPower is the least probability to find out a wrong theory that a
	// judgement asks of its counts.
	DefaultPower = 0.9
	// ShapeShare of the rate of false alarms goes to the test of every load for itself, where
	// there are several; the rest to that of all together.
	ShapeShare = 0.1
	// Confidence is that of the intervals in a Judgement.
	Confidence = 0.95
)

var (
	// ErrDisagrees means that the counts contradict the theory.
	ErrDisagrees = errors.New("the counts contradict the theory")
	// ErrUntested means that there was nothing to test: no trials, or a theory or counts that
	// are none.
	ErrUntested = errors.New("nothing was tested")
	// ErrPowerless means that the counts agree with the theory and would probably do so if another
	// one that was named were true.
	ErrPowerless = errors.New("the counts could not have told the theory from another")
)

// Judge says how strictly counts are judged. The zero value has the defaults.
type Judge struct {
	Rate  float64 // probability of a false alarm, in (0, 1); 0 means DefaultRate
	Power float64 // wanted against each named wrong theory, in (0, 1); 0 means DefaultPower
}

// Alternative is a wrong theory of a single load.
type Alternative struct {
	Name string
	// Predicted is the probability that an instance is stored.
	Predicted float64
}

// JudgeCounts judges a predicted probability of being stored by the instances stored
// out of those decided at one load, and says with which probability they would have
// contradicted it if an alternative were true. Undecided instances: see [JudgeCurve].
func JudgeCounts(predicted float64, stored, trials int, wrong ...Alternative) Judgement {
	return Judge{}.Counts(predicted, stored, trials, wrong...)
}

// JudgeCurve judges a theory of a whole transition by counts at several loads, in
// any order: all together, which has the most power against another capacity, and, at
// ShapeShare of the rate, each for itself, which finds a wrong width around the right load, or
// a single load off the curve ([stats.OutcomesCurve.DeviancePValue]).
func JudgeCurve(right Theory, counts []Count, wrong ...Theory) Judgement {
	return Judge{}.Curve(right, counts, wrong...)
}

// Counts is JudgeCounts with this rate and power.
func (o Judge) Counts(predicted float64, stored, trials int, wrong ...Alternative) Judgement {
	theories := make([]Theory, len(wrong))
	for i, w := range wrong {
		theories[i] = At(w.Name, w.Predicted)
	}
	return o.Curve(At("the theory", predicted), []Count{{Stored: stored, Trials: trials}}, theories...)
}

// Curve is JudgeCurve with this rate and power.
func (o Judge) Curve(right Theory, counts []Count, wrong ...Theory) Judgement {
	j := Judgement{
		Theory: right.Name, right: right, Rate: o.Rate, Wanted: o.Power, Counts: slices.Clone(counts),
		PValue: math.NaN(), Z: math.NaN(), Shape: math.NaN(),
		Fraction: stats.Interval{Lo: 0, Hi: 1},
	}
	if j.Rate == 0 {
		j.Rate = DefaultRate
	}
	if j.Wanted == 0 {
		j.Wanted = DefaultPower
	}
	for _, x := range []struct {
		name  string
		value float64
	}{{"rate", j.Rate}, {"power", j.Wanted}} {
		if !(x.value > 0 && x.value < 1) {
			return j.untested(fmt.Errorf("%s = %v: want 0 < %s < 1", x.name, x.value, x.name))
		}
	}
	curve := make(stats.OutcomesCurve, len(counts))
	for i, c := range counts {
		if err := c.check(); err != nil {
			return j.untested(err)
		}
		if math.IsNaN(c.Load) || math.IsInf(c.Load, 0) {
			return j.untested(fmt.Errorf("load = %v: want a finite one", c.Load))
		}
		curve[i] = c.outcomes()
		j.Total.Stored += c.Stored
		j.Total.Undecided += c.Undecided
		j.Total.Trials += c.Trials
	}
	j.Fraction = j.Total.Interval(Confidence)
	var err error
	if j.Predicted, err = right.at(counts); err != nil {
		return j.untested(err)
	}
	if j.Total.Trials == 0 {
		return j.untested(errors.New("no trials"))
	}
	j.PValue, j.Z = curve.PValue(j.Predicted), curve.Z(j.Predicted)
	j.Verdict = stats.Verdicts([]float64{j.PValue}, j.sumRate())[0]
	if j.several() {
		j.Shape = curve.DeviancePValue(j.Predicted)
		if shape := stats.Verdicts([]float64{j.Shape}, j.Rate*ShapeShare)[0]; shape == stats.Disagrees {
			j.Verdict = shape
		}
	}
	for _, w := range wrong {
		predicted, err := w.at(counts)
		if err != nil {
			return j.untested(err)
		}
		j.Against = append(j.Against, Contrast{Rejection: curve.Rejects(w.Name, predicted), Predicted: predicted, Power: curve.Power(j.Predicted, predicted, j.sumRate())})
	}
	return j
}

// at asks for the probabilities at loads that have trials.
func (t Theory) at(counts []Count) ([]float64, error) {
	predicted := make([]float64, len(counts))
	for i, c := range counts {
		if c.Trials == 0 {
			predicted[i] = math.NaN()
			continue
		}
		if predicted[i] = t.Storable(c.Load); !(predicted[i] >= 0 && predicted[i] <= 1) {
			return predicted, fmt.Errorf("%s predicts %v%s: want a probability, 0 ≤ P ≤ 1", t.Name, predicted[i], at(c.Load))
		}
	}
	return predicted, nil
}

// at names a load, 0 for the only one.
func at(load float64) string {
	if load == 0 {
		return ""
	}
	return fmt.Sprintf(" at load %v", load)
}

// Judgement is what counts say of a theory.
type Judgement struct {
	Theory string
	// Verdict is OK or Disagrees at Rate, Untested with the reason in Err.
	Verdict stats.Verdict
	// PValue and Z are of an exact two-sided test of the number stored at all loads, in the
	// reading of undecided instances that is least favourable to a rejection; Z is
	// positive when more is stored than predicted. NaN without a test.
	PValue, Z float64
	// Shape is the p-value of every load for itself, against any other
	// probabilities; NaN unless there are several. The theory is contradicted by
	// PValue ≤ Rate (1 − ShapeShare) or Shape ≤ Rate ShapeShare; at one load
	// by PValue ≤ Rate.
	Shape float64
	// Rate is the probability of a false alarm, Wanted the power that was asked for.
	Rate, Wanted float64

	Counts    []Count
	Predicted []float64 // at the loads of Counts; NaN where nothing was tried
	// Total adds all loads up, and Fraction is Wilson's interval of the share stored, of
	// both readings of undecided instances: of all loads, so that it means something at
	// one of them.
	Total    stats.Outcomes
	Fraction stats.Interval

	// Against has the wrong theories in the order in which they were named.
	Against []Contrast

	right   Theory
	problem error
}

// Contrast is a judged theory beside a wrong one.
type Contrast struct {
	// Rejection says how strongly the counts speak against the wrong theory.
	stats.Rejection
	Predicted []float64 // by the wrong theory, at the loads
	// Power is the probability that counts like these contradict the judged theory, all together, if
	// this one is true: a lower bound on it if some are undecided, or if its curve has another shape. It does not depend on
	// what was stored.
	Power float64
}

func (j Judgement) untested(reason error) Judgement {
	j.Verdict, j.problem = stats.Untested, reason
	j.PValue, j.Z, j.Shape, j.Against = math.NaN(), math.NaN(), math.NaN(), nil
	return j
}

// several tells whether instances were tried at more than one load.
func (j Judgement) several() bool {
	tried := 0
	for _, c := range j.Counts {
		if c.Trials > 0 {
			tried++
		}
	}
	return tried > 1
}

// sumRate is the rate of false alarms of the test of all loads together.
func (j Judgement) sumRate() float64 {
	if j.several() {
		return j.Rate * (1 - ShapeShare)
	}
	return j.Rate
}

// Weak are the wrong theories that the counts had less than the wanted power to tell from
// the judged one.
func (j Judgement) Weak() []Contrast {
	var weak []Contrast
	for _, c := range j.Against {
		if c.Power < j.Wanted {
			weak = append(weak, c)
		}
	}
	return weak
}

// Err is nil if the counts agree with the theory and had the power that was asked for against
// each wrong one that was named. Else it wraps ErrDisagrees, ErrUntested or ErrPowerless, and
// says so in a sentence.
func (j Judgement) Err() error {
	switch {
	case j.problem != nil:
		return fmt.Errorf("%w: %w", ErrUntested, j.problem)
	case j.Verdict == stats.Disagrees:
		return fmt.Errorf("%w: %v", ErrDisagrees, j)
	case len(j.Weak()) > 0:
		return fmt.Errorf("%w: %v", ErrPowerless, j)
	}
	return nil
}

// HalfPoint fits the load at which half of the instances are stored, as
// [stats.Transition.Fit] does at Confidence; the interval spans both readings of undecided
// instances, which count in neither number for X. Predicted is what the same
// fit finds when the theory is true: a transition that is not quite a probit crosses 1/2
// a little elsewhere. NaN and infinite ends where counts or theory leave it open. It takes
// up to a second or so.
func (j Judgement) HalfPoint() (measured stats.HalfPoint, predicted float64) {
	predicted = math.NaN()
	read := func(of func(Count) (stored, trials int)) stats.Transition {
		t := stats.Transition{}
		for _, c := range j.Counts {
			stored, trials := of(c)
			t.Loads, t.Stored, t.Trials = append(t.Loads, c.Load), append(t.Stored, stored), append(t.Trials, trials)
		}
		return t
	}
	none := stats.HalfPoint{X: math.NaN(), Width: math.NaN(), Interval: stats.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}, Status: status.NoBracket}
	if j.problem != nil {
		return none, predicted
	}
	decided := read(func(c Count) (int, int) { return c.Stored, c.Trials - c.Undecided })
	known, asked := stats.Transition{}, []float64{}
	for i, n := range decided.Trials {
		if n > 0 {
			known.Loads, known.Trials, asked = append(known.Loads, decided.Loads[i]), append(known.Trials, n), append(asked, j.Predicted[i])
		}
	}
	measured = decided.Fit(Confidence)
	if j.Total.Undecided > 0 {
		fewest := read(func(c Count) (int, int) { return c.Stored, c.Trials }).Fit(Confidence).Interval
		most := read(func(c Count) (int, int) { return c.Stored + c.Undecided, c.Trials }).Fit(Confidence).Interval
		measured.Interval = stats.Interval{Lo: min(measured.Interval.Lo, fewest.Lo), Hi: max(measured.Interval.Hi, most.Hi)}
	}
	return measured, stats.PredictedHalfPoint(known.Loads, known.Trials, asked)
}

// Resolution returns the factors by which the capacity would have to be smaller and larger than
// the theory's for the wanted power to find it out at the loads of j, with as many
// undecided instances: 0 and +Inf where no factor is found so often. [0, +Inf] of
// a theory made by [At], which knows no capacity, and without a test.
func (j Judgement) Resolution() stats.Interval {
	if j.problem != nil {
		return stats.Interval{Lo: 0, Hi: math.Inf(1)}
	}
	curve := make(stats.OutcomesCurve, len(j.Counts))
	for i, c := range j.Counts {
		curve[i] = c.outcomes()
	}
	return curve.Resolution(stats.CurveFamily{At: func(scale float64) []float64 {
		predicted, err := j.right.Scaled("", scale).at(j.Counts)
		if err != nil { // no test, no power
			return nans(len(predicted))
		}
		return predicted
	}}, 1, j.sumRate(), j.Wanted)
}

func nans(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }
