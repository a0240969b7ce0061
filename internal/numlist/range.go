package numlist

import (
	"math"
	"strconv"
)

// Range says which values a list may hold.
type Range struct {
	Lo, Hi         float64 // ends of the allowed interval; ±Inf for no end
	LoOpen, HiOpen bool    // the end itself is not allowed
	Integer        bool    // integers only
	AllowInf       bool    // inf is allowed beside [Lo, Hi] (-inf when Lo is -Inf)
}

// contains reports whether the finite x lies between the ends.
func (r Range) contains(x float64) bool {
	return (x > r.Lo || x == r.Lo && !r.LoOpen) && (x < r.Hi || x == r.Hi && !r.HiOpen)
}

// want describes the allowed values of name: "0 < kappa ≤ 1".
func (r Range) want(name string) string {
	less := func(open bool) string {
		if open {
			return " < "
		}
		return " ≤ "
	}
	bounds := ""
	finite := r.Hi == math.MaxFloat64 && !r.HiOpen // no bound that anybody would ask about
	switch lo, hi := !math.IsInf(r.Lo, -1), !math.IsInf(r.Hi, 1) && !finite; {
	case lo && hi:
		bounds = short(r.Lo) + less(r.LoOpen) + name + less(r.HiOpen) + short(r.Hi)
	case hi:
		bounds = name + less(r.HiOpen) + short(r.Hi)
	case lo && r.LoOpen:
		bounds = name + " > " + short(r.Lo)
	case lo:
		bounds = name + " ≥ " + short(r.Lo)
	}
	switch {
	case r.Integer && bounds != "":
		bounds = "an integer, " + bounds
	case r.Integer:
		bounds = "an integer"
	case finite && bounds != "":
		bounds = "a finite number, " + bounds
	case finite:
		bounds = "a finite number"
	case bounds == "":
		bounds = "a number"
	}
	if r.AllowInf {
		bounds += ", or inf"
	}
	return bounds
}

// short writes x with the fewest digits: 0.5, 1000, 1e300.
func short(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e6) {
		return tidyExponent(strconv.FormatFloat(x, 'e', -1, 64))
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
