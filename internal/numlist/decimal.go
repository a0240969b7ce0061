package numlist

import (
	"math/big"
	"strconv"
	"strings"
)

const (
	// Powers of ten of the leading digit beyond which a float64 is certainly
	// infinite (1.8e308) or zero (5e-324); they bound the size of the exact
	// numbers, whatever exponent was written.
	overflowExponent  = 309
	underflowExponent = -326
)

// parseDecimal reads a decimal number exactly. ok is false when s is not a
// decimal number; scale is +1 when it is too large for a float64, −1 when it
// is too small to differ from zero, and x is nil then.
func parseDecimal(s string) (x *big.Rat, scale int, ok bool) {
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	mantissa, exponent := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		var valid bool
		if exponent, valid = parseExponent(s[i+1:]); !valid {
			return nil, 0, false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return nil, 0, false
	}
	exponent -= len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(trimmed)
	if trimmed = strings.TrimLeft(trimmed, "0"); trimmed == "" {
		return new(big.Rat), 0, true
	}
	switch leading := exponent + len(trimmed) - 1; {
	case leading >= overflowExponent:
		return nil, 1, true
	case leading <= underflowExponent:
		return nil, -1, true
	}
	n, _ := new(big.Int).SetString(trimmed, 10)
	if negative {
		n.Neg(n)
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exponent, -exponent))), nil)
	if exponent < 0 {
		return new(big.Rat).SetFrac(n, power), 0, true
	}
	return new(big.Rat).SetInt(n.Mul(n, power)), 0, true
}

// parseExponent reads a signed integer and clamps it, so that arithmetic with
// the length of a mantissa cannot overflow.
func parseExponent(s string) (int, bool) {
	digits := strings.TrimPrefix(s, "+")
	if digits == s {
		digits = strings.TrimPrefix(s, "-")
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	const clamp = 1 << 30
	n, err := strconv.Atoi(digits)
	if err != nil || n > clamp {
		n = clamp
	}
	if s[0] == '-' {
		n = -n
	}
	return n, true
}

// nearest rounds x to the nearest float64.
func nearest(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}
