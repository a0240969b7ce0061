package numlist

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
)

func FuzzInts(f *testing.F) {
	for _, text := range []string{"1,2,3", "1:9", "9:1:-3", "1:1e9:1", "1:1e18:1", "1:1e300:1e-300", "1e3,-1e3", "0.5", "1.5:9", "inf", "", ",", "9223372036854775807", "-9223372036854775808:0:4611686018427387904"} {
		f.Add(text, -5, 1000)
	}
	f.Fuzz(func(t *testing.T, text string, lo, hi int) {
		const limit = 1000
		values, err := Ints("p", text, lo, hi, limit)
		if err != nil {
			if len(values) != 0 || !strings.HasPrefix(err.Error(), "p = ") {
				t.Fatalf("%q: %v with %v", text, err, values)
			}
			return
		}
		if len(values) == 0 || len(values) > limit {
			t.Fatalf("%q: %d values", text, len(values))
		}
		for _, n := range values {
			if n < lo || n > hi {
				t.Fatalf("%q holds %d: want %d to %d", text, n, lo, hi)
			}
		}
		// What a range means, by integers of any size.
		if n, ok := new(big.Int).SetString(text, 10); ok && (len(values) != 1 || n.Cmp(big.NewInt(int64(values[0]))) != 0) {
			t.Fatalf("%q is %v", text, values)
		}
		if from, to, ok := strings.Cut(text, ":"); ok {
			a, errA := strconv.Atoi(from)
			b, errB := strconv.Atoi(to)
			if errA == nil && errB == nil && (values[0] != a || values[len(values)-1] != b || len(values)-1 != b-a) {
				t.Fatalf("%q is %v", text, values)
			}
		}
	})
}

// A seed is any number of 64 bits, in the digits that the standard library reads, and no
// other text is one.
func FuzzUint64(f *testing.F) {
	for _, text := range []string{"0", "42", "9223372036854775808", "18446744073709551615", "18446744073709551616", "0xffffffffffffffff", "0X2a", "0x", "-1", "+1", "1e3", "1_000", "010", " 7\n", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Uint64("seed", text)
		digits, base := strings.TrimSpace(text), 10
		if len(digits) > 1 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') {
			digits, base = digits[2:], 16
		}
		plain := digits != "" && strings.Trim(digits, "0123456789abcdefABCDEF"[:10+12*(base/16)]) == ""
		want, _ := new(big.Int).SetString("0"+digits, base)
		if allowed := plain && want.IsUint64(); allowed != (err == nil) {
			t.Fatalf("%q: %d, %v", text, n, err)
		}
		switch {
		case err == nil && n != want.Uint64():
			t.Fatalf("%q is %d, want %v", text, n, want)
		case err != nil && (n != 0 || !strings.HasPrefix(err.Error(), "seed = ") || strings.Contains(err.Error(), "\n")):
			t.Fatalf("%q: %d, %v", text, n, err)
		}
	})
}
