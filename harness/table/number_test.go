package table

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHumanNumbers(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		verb   byte
		want   string
	}{
		// shortest exact
		{0.25, 0, 0, "0.25"},
		{math.Nextafter(0.3, 1), 0, 0, "0.30000000000000004"},
		{1000, 0, 0, "1000"},
		{999999, 0, 0, "999999"},
		{1e6, 0, 0, "1e6"},
		{1234567, 0, 0, "1234567"},
		{1.5e6, 0, 'g', "1.5e6"},
		{1e300, 0, 0, "1e300"},
		{-1e-15, 0, 0, "-1e-15"},
		{1e-4, 0, 0, "0.0001"},
		{1e-5, 0, 0, "1e-5"},
		{math.Copysign(0, -1), 0, 0, "0"},
		{math.SmallestNonzeroFloat64, 0, 0, "5e-324"},
		// significant digits: zeros kept, so that columns line up
		{0.5, 4, 0, "0.5000"},
		{0.96074770, 4, 0, "0.9607"},
		{12.345678, 4, 0, "12.35"},
		{1361.060722, 3, 0, "1361"}, // the integer part is never rounded to tens
		{999.96, 4, 0, "1000"},
		{9.9996, 4, 0, "10.00"},
		{0.00099996, 4, 0, "0.001000"},
		{0.000099996, 4, 0, "0.0001000"},
		{0.00001234567, 4, 0, "1.235e-5"},
		{1e300, 4, 0, "1e300"},
		{1.23456e300, 4, 0, "1.235e300"},
		{12345678.9, 9, 0, "12345678.9"},
		{999999.96, 7, 0, "1000000"},
		{999999.6, 4, 0, "1.000e6"},
		{0, 4, 0, "0"},
		// decimals
		{0.25, 4, 'f', "0.2500"},
		{0, 2, 'f', "0.00"},
		{math.Copysign(0, -1), 2, 'f', "0.00"},
		{1e-9, 4, 'f', "1e-9"},
		{-1.23456e-9, 3, 'f', "-1.23e-9"},
		{123456789, 1, 'f', "123456789.0"},
		{1e17, 4, 'f', "1e17"},
		{0.125, 0, 'f', "0.125"},
		// exponent
		{1.5, 3, 'e', "1.50e0"},
		{-1e-12, 3, 'e', "-1.00e-12"},
		{12345, 0, 'e', "1.2345e4"},
		{0, 3, 'e', "0"},
		// not finite
		{math.NaN(), 4, 'f', "nan"},
		{math.Inf(1), 0, 0, "inf"},
		{math.Inf(-1), 3, 'e', "-inf"},
	} {
		assert.Equal(t, c.want, Column{Digits: c.digits, Verb: c.verb}.human(c.x), "%v, %d digits, verb %q", c.x, c.digits, c.verb)
	}
}

func TestExactNumbers(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1e6: "1000000", 1e20: "100000000000000000000", 1e21: "1e21", 1e300: "1e300",
		1e-6: "0.000001", 1e-7: "1e-7", -0.1: "-0.1", 1.0 / 3: "0.3333333333333333",
	} {
		assert.Equal(t, want, exact(x))
	}
	assert.Equal(t, "-0", exact(math.Copysign(0, -1)), "the sign of zero survives in machine formats")
}
