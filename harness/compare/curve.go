package compare

import (
	"fmt"
	"math"
	"strings"

	"lamcap/harness/stats"
)

const (
	// power is the probability with which a wrong theory is to be found, where a section says how
	// wrong it must be.
	power = 0.9
	// wider is the factor of a width that the χ² should reject.
	wider = 2.
)

// curveOffsets complete the loads of capacity, at 0, ±0.8 and ±1.6 widths, to a curve from about
// 0.99 to 0.01.
func curveOffsets() []float64 { return []float64{-2.4, -0.4, 0.4, 2.4} }

// Resolution says which values other than the measured one the test of a row tells from it, at the level
// of the whole report: p ≤ rate/(number of tests), where Holm's procedure rejects whatever the
// other rows are.
type Resolution struct {
	// Kept holds the predictions that the row would not reject.
	Kept stats.Interval
	// Detectable has the nearest wrong predictions on both sides that a row of this size rejects with
	// probability 0.9 if the theory is right; NaN for rows that are not tested.
	Detectable stats.Interval
}

func newCurveSection() Section {
	return Section{
		Name:   "transition",
		Letter: "f",
		Title:  "Transition: the whole curve of P(storable) against fractions stored, its χ², and which p_c it rejects",
		Notes: []string{
			"χ² = Σ (stored − trials P)²/(trials P (1 − P)), predicted: its degrees of freedom. The p-value is an exact sum over counts,",
			"terms rounded to 1/16, not a χ² law. OP has no theory at finite d: there p_c and the width of the transition are fitted,",
			"predicted is the fitted curve, and the p-value is conservative. p_c ratio: the c for which P(p/c) is most likely, for DP with",
			"the exact score test of c = 1.",
			"Not rejected: for these c the row would not disagree whatever the other rows are, p > rate/(number of tests).",
		},
	}
}

// curveRows adds the rows of both whole curves at one size; critical is the theory's.
func (o *Options) curveRows(p problem, critical float64, m curves, s *Section) error {
	limit, err := LimitDimension().Critical(p.weights)
	if err != nil {
		return err
	}
	theory := newStretched(o.Theory, p.weights, p.width/p.critical)
	for _, c := range []wholeCurve{{measured: m.wholeDP}, {measured: m.wholeOP, fitted: true}} {
		c.counts = c.decided()
		c.family, c.wide = theory.family(c.loads, 1), theory.family(c.loads, wider)
		c.scale, c.width = c.family.Fit(c.counts.Stored, c.counts.Trials).Scale, 1
		if c.fitted {
			loads := c.loads
			c.shape = stats.CurveShape{At: func(width float64) stats.CurveFamily { return theory.family(loads, width) }}.
				Fit(c.counts.Stored, c.counts.Trials, level)
			if c.shape.Status.OK() {
				c.scale, c.width = c.shape.Scale, c.shape.Width
			}
		}
		c.best = theory.family(c.loads, c.width)
		c.addRows(s, limit/critical)
		if c.fitted {
			reject, err := c.rejects(LimitDimension(), p.weights)
			if err != nil {
				return err
			}
			shifted := c.family.ChiSquare(c.counts.Stored, c.counts.Trials)
			s.Rejections = append(s.Rejections, c.rejectsScale(fmt.Sprintf("the curve of DP for %s", c.name()), 1), reject,
				stats.Rejection{Theory: fmt.Sprintf("the curve of DP with another p_c, but its width, for %s, by its χ²", c.name()),
					PValue: shifted.PValue, Z: shifted.Z()})
		}
	}
	return theory.err
}

// wholeCurve is a measured transition with the family of curves it is compared with.
type wholeCurve struct {
	measured
	counts       stats.Transition
	family, wide stats.CurveFamily // of the width predicted, and wider
	fitted       bool              // scale and width are: OP
	shape        stats.ShapeFit    // if fitted
	scale, width float64           // the most likely
	best         stats.CurveFamily // of that width
}

func (c wholeCurve) addRows(s *Section, limitRatio float64) {
	predicted, chi := c.family.At(1), stats.ChiSquare{}
	if c.fitted {
		predicted, chi = c.best.At(c.scale), c.shape.ChiSquare
	} else {
		chi = stats.CurveChiSquare(c.counts.Stored, c.counts.Trials, predicted)
	}
	for i := range c.loads {
		s.Rows = append(s.Rows, c.row(i, predicted[i], math.NaN()))
	}
	s.Rows = append(s.Rows, chiSquareRow(c.measured, chi))
	ratio := Row{
		Quantity:  c.name() + " p_c ratio",
		Predicted: 1, Limit: limitRatio, Measured: c.scale,
		Interval: c.best.Kept(c.counts.Stored, c.counts.Trials, level),
		Trials:   c.instances(), resolve: c.resolve,
	}
	ratio.Z, ratio.P = untested()
	if !c.fitted {
		ratio.Z = stats.CurveZ(c.counts.Stored, c.counts.Trials, predicted)
		ratio.P = stats.CurvePValue(c.counts.Stored, c.counts.Trials, predicted)
	}
	s.Rows = append(s.Rows, ratio)
	if c.fitted {
		width := Row{Quantity: c.name() + " width ratio", Predicted: 1, Limit: math.NaN(), Measured: c.width,
			Interval: c.shape.Interval, Trials: c.instances()}
		width.Z, width.P = untested()
		s.Rows = append(s.Rows, width)
	}
	wide := c.chiSquare(c.wide)
	s.Rejections = append(s.Rejections, stats.Rejection{
		Theory: fmt.Sprintf("a transition %v times as wide for %s, by its χ²", wider, c.name()),
		PValue: wide.PValue, Z: wide.Z(),
	})
}

// chiSquareRow shows a test of a whole curve.
func chiSquareRow(m measured, chi stats.ChiSquare) Row {
	return Row{
		Quantity:  fmt.Sprintf("%s χ² of %d loads", m.name(), len(m.loads)),
		Predicted: float64(chi.Degrees), Limit: math.NaN(),
		Measured: chi.Statistic, Interval: noInterval(),
		Z: chi.Z(), P: chi.PValue, Trials: m.instances(),
	}
}

// chiSquare tests a width: at its scale 1, or at the fitted one.
func (c wholeCurve) chiSquare(f stats.CurveFamily) stats.ChiSquare {
	if c.fitted {
		return f.ChiSquare(c.counts.Stored, c.counts.Trials)
	}
	return stats.CurveChiSquare(c.counts.Stored, c.counts.Trials, f.At(1))
}

func (c wholeCurve) rejectsScale(theory string, scale float64) stats.Rejection {
	return stats.CurveRejects(theory, c.counts.Stored, c.counts.Trials, c.family.At(scale))
}

// resolve says what the curve tells apart at a significance level.
func (c wholeCurve) resolve(significance float64) (Resolution, []stats.Rejection) {
	r := Resolution{Kept: c.best.Kept(c.counts.Stored, c.counts.Trials, 1-significance), Detectable: noInterval()}
	if c.fitted {
		return r, nil
	}
	r.Detectable = c.family.Detectable(c.counts.Trials, 1, significance, power)
	var reject []stats.Rejection
	for _, scale := range []float64{r.Detectable.Lo, r.Detectable.Hi} {
		if scale > 0 && !math.IsInf(scale, 1) {
			reject = append(reject, c.rejectsScale(fmt.Sprintf("a p_c off by %+.2g%% for %s", 100*(scale-1), c.name()), scale))
		}
	}
	return r, reject
}

// String says it of p_c.
func (r Resolution) String() string {
	percent := func(ratio float64) string {
		if ratio == 0 || math.IsInf(ratio, 1) { // an end that the data leave open
			return "any share"
		}
		return fmt.Sprintf("%+.1f%%", 100*(ratio-1))
	}
	s := fmt.Sprintf("not rejected from %s to %s", percent(r.Kept.Lo), percent(r.Kept.Hi))
	if math.IsNaN(r.Detectable.Lo) {
		return s
	}
	var found []string
	for _, end := range []float64{r.Detectable.Lo, r.Detectable.Hi} {
		if end > 0 && !math.IsInf(end, 1) {
			found = append(found, percent(end))
		}
	}
	if found == nil {
		return s + fmt.Sprintf("; no wrong p_c is found with probability %v", power)
	}
	return s + fmt.Sprintf("; off by %s is found with probability %v", strings.Join(found, " or "), power)
}
