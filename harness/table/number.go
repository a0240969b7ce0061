package table

import (
	"math"
	"strconv"
	"strings"
)

const (
	// Fixed-point notation is easier to compare down a column between these
	// magnitudes; outside them counting zeros is harder than reading an exponent.
	fixedFrom = -4 // 0.0001
	fixedTo   = 6  // 999999
	// Above this no decimal of a float64 means anything, whatever the verb.
	fixedLimit = 1e15
)

// status names what keeps x from being a number, "" for finite x.
func status(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return ""
}

// exact returns the shortest decimal that reads back as x, in the notation of
// encoding/json without the plus sign and zeros of the exponent. x is finite.
func exact(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return tidyExponent(strconv.FormatFloat(x, 'e', -1, 64))
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// human formats x for people, as [Column] describes.
func (c Column) human(x float64) string {
	if s := status(x); s != "" {
		return s
	}
	if x == 0 {
		x = 0 // a zero has no sign worth showing
	}
	switch c.Verb {
	case 'e':
		if x == 0 {
			return "0"
		}
		return tidyExponent(strconv.FormatFloat(x, 'e', c.Digits-1, 64))
	case 'f':
		return c.fixed(x)
	}
	return c.general(x)
}

func (c Column) fixed(x float64) string {
	if math.Abs(x) >= fixedLimit {
		return scientific(x, c.Digits)
	}
	if c.Digits == 0 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	s := strconv.FormatFloat(x, 'f', c.Digits, 64)
	if strings.Trim(s, "-0.") == "" && x != 0 {
		return scientific(x, c.Digits)
	}
	return s
}

func (c Column) general(x float64) string {
	if x == 0 {
		return "0"
	}
	if c.Digits == 0 {
		fixed := strconv.FormatFloat(x, 'f', -1, 64)
		short := scientific(x, 0)
		if e := exponent(x, -1); e >= fixedFrom && e < fixedTo || len(fixed) <= len(short) {
			return fixed
		}
		return short
	}
	e := exponent(x, c.Digits-1)
	if e < fixedFrom || e >= max(fixedTo, c.Digits) {
		return scientific(x, c.Digits)
	}
	return strconv.FormatFloat(x, 'f', max(0, c.Digits-1-e), 64)
}

// exponent is the decimal exponent of x after rounding to decimals+1 digits.
func exponent(x float64, decimals int) int {
	_, e, _ := strings.Cut(strconv.FormatFloat(x, 'e', decimals, 64), "e")
	n, err := strconv.Atoi(e)
	if err != nil {
		panic("table: exponent of " + e)
	}
	return n
}

// scientific writes x with an exponent and at most digits significant digits,
// fewer when x is exactly a shorter decimal: 1e300, not 1.000e300.
func scientific(x float64, digits int) string {
	short := strconv.FormatFloat(x, 'e', -1, 64)
	if s := strconv.FormatFloat(x, 'e', digits-1, 64); len(s) < len(short) {
		short = s
	}
	return tidyExponent(short)
}

// tidyExponent turns 1e+300 into 1e300 and 1e-05 into 1e-5.
func tidyExponent(s string) string {
	mantissa, e, ok := strings.Cut(s, "e")
	if !ok {
		return s
	}
	n, err := strconv.Atoi(e)
	if err != nil {
		panic("table: exponent of " + s)
	}
	return mantissa + "e" + strconv.Itoa(n)
}
