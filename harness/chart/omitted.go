package chart

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// omitted counts points that are not drawn, by reason.
type omitted struct {
	logarithm, curveLogarithm int // not positive, on a logarithmic axis
	undefined                 int // NaN or infinite
	outside                   int // beyond given ends of an axis
}

// count adds the points of a panel.
func (o *omitted) count(v *view) {
	lacks := func(a Axis, x float64) bool { return a.Scale == Log && x <= 0 && !math.IsInf(x, -1) }
	for _, s := range v.Series {
		for _, q := range s.Points {
			switch {
			case (lacks(v.X, q.X) || lacks(v.Y, q.Y)) && s.Mark.curve():
				o.curveLogarithm++
			case lacks(v.X, q.X) || lacks(v.Y, q.Y):
				o.logarithm++
			case s.Mark.curve(): // interrupted by NaN, and cut off at the frame
			case !v.X.Scale.holds(q.X) || !v.Y.Scale.holds(q.Y):
				o.undefined++
			case s.Mark == Points && !v.shows(q), s.Mark == Bars && !within(v.x.place(q.X)):
				o.outside++
			}
		}
	}
}

// notes says what is not drawn, in lines of a width.
func notes(frames []frame, sty text.Style, width vg.Length) string {
	var o omitted
	for i := range frames {
		o.count(&frames[i].view)
	}
	var n []string
	note := func(form, what string) { n = append(n, broken(fmt.Sprintf(form, what), sty, width)) }
	count := func(k int, what string) string {
		if k == 1 {
			return "1 " + what
		}
		return fmt.Sprintf("%d %ss", k, what)
	}
	var what []string
	if o.logarithm > 0 {
		what = append(what, count(o.logarithm, "point"))
	}
	if o.curveLogarithm > 0 {
		what = append(what, count(o.curveLogarithm, "curve value"))
	}
	if len(what) > 0 {
		note("Not shown: %s ≤ 0 on a logarithmic axis.", strings.Join(what, " and "))
	}
	if o.undefined > 0 {
		note("Not shown: %s without a finite value.", count(o.undefined, "point"))
	}
	if o.outside > 0 {
		note("Outside the frame: %s.", count(o.outside, "point"))
	}
	return strings.Join(n, "\n")
}
