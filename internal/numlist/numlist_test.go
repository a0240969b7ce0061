package numlist

import (
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var (
	kappaRange = Range{Lo: 0, LoOpen: true, Hi: 1}
	nRange     = Range{Lo: 2, Hi: 1e300, Integer: true, AllowInf: true}
	anything   = Range{Lo: math.Inf(-1), Hi: math.Inf(1), AllowInf: true}
)

func TestFloats(t *testing.T) {
	inf := math.Inf(1)
	for text, want := range map[string][]float64{
		// The literals are rounded by the compiler, so equality is bit for bit.
		"0.1:1:0.1":                     {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1},
		"1:0.1:-0.1":                    {1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1},
		"0.25,0.5,1":                    {0.25, 0.5, 1},
		" 0.25 , 1 ":                    {0.25, 1},
		"10,1e3,1e300":                  {10, 1e3, 1e300},
		"1E3,+2.5,.5,5.,1e+2":           {1000, 2.5, 0.5, 5, 100},
		"-1e-2,-0":                      {-0.01, 0},
		"inf,-inf,+Inf,∞":               {inf, -inf, inf, inf},
		"1:4:1":                         {1, 2, 3, 4},
		"1 : 2 : 0.5":                   {1, 1.5, 2},
		"0:1:0.3":                       {0, 0.3, 0.6, 0.9}, // the stop is no step away
		"-1:1:1":                        {-1, 0, 1},
		"3:3:1":                         {3},
		"3:3:-1":                        {3},
		"3:4:10":                        {3},
		"0.1:0.3:0.1,7":                 {0.1, 0.2, 0.3, 7},
		"1e300:3e300:1e300":             {1e300, 2e300, 3e300},
		"5e-324,1.7976931348623157e308": {5e-324, math.MaxFloat64},
		"0.000000000000000000001e21":    {1},
		"0e999999999999":                {0},
		// Three steps miss the stop by 1e-18 or pass it by 2e-17: within the
		// rounding of a float64 at 1 either way.
		"0:1:0.333333333333333333": {0, 1.0 / 3, 2.0 / 3, 1},
		"0:1:0.33333333333333334":  {0, 1.0 / 3, 2.0 / 3, 1},
		"1:0:-0.33333333333333334": {1, 2.0 / 3, 1.0 / 3},
		"0:1:0.3333333333333334":   {0, 0.3333333333333334, 0.6666666666666668},
	} {
		got, err := Floats("x", text, anything, 20)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestInts(t *testing.T) {
	for text, want := range map[string][]int{
		"24":                   {24},
		"12,16,24":             {12, 16, 24},
		"1e3,0x":               nil,
		"8:64:8":               {8, 16, 24, 32, 40, 48, 56, 64},
		"3:1:-1":               {3, 2, 1},
		"1e3":                  {1000},
		"2.50e1":               {25},
		"9223372036854775807":  {math.MaxInt64},
		"-9223372036854775808": {math.MinInt64},
	} {
		got, err := Ints("d", text, math.MinInt, math.MaxInt, 10)
		assert.Equal(t, want, got, text)
		assert.Equal(t, want == nil, err != nil, text)
	}
}

func TestErrorsSayWhatIsWanted(t *testing.T) {
	const notANumber = "not a number: write one such as 0.25 or 1e3, or a range start:stop:step"
	for _, c := range []struct {
		name, text string
		r          Range
		want       string
	}{
		{"kappa", "1.2", kappaRange, "kappa = 1.2: want 0 < kappa ≤ 1"},
		{"rate", "0", Range{LoOpen: true, Hi: math.MaxFloat64}, "rate = 0: want a finite number, rate > 0"},
		{"rate", "inf", Range{Lo: math.Inf(-1), Hi: math.MaxFloat64}, "rate = inf: want a finite number"},
		{"kappa", "0.5,1.2,0.7", kappaRange, "kappa = 1.2: want 0 < kappa ≤ 1"},
		{"kappa", "0", kappaRange, "kappa = 0: want 0 < kappa ≤ 1"},
		{"kappa", "inf", kappaRange, "kappa = inf: want 0 < kappa ≤ 1"},
		{"kappa", "0:1:0.25", kappaRange, "kappa = 0:1:0.25: contains 0: want 0 < kappa ≤ 1"},
		{"kappa", "0.1:1:0", kappaRange, "kappa = 0.1:1:0: step must not be zero"},
		{"kappa", "1:0.1", kappaRange, "kappa = 1:0.1: stop lies below start: write a negative step, as in 5:1:-1"},
		{"kappa", "0.1:1:-0.1", kappaRange, "kappa = 0.1:1:-0.1: stop lies above start: the step must be positive"},
		{"kappa", "0.1,,1", kappaRange, "kappa = 0.1,,1: item 2 is empty: separate numbers by single commas"},
		{"kappa", "0.1,", kappaRange, "kappa = 0.1,: item 2 is empty: separate numbers by single commas"},
		{"kappa", "", kappaRange, `kappa = "": the list is empty: write numbers such as 0.25,0.5 or a range start:stop:step`},
		{"kappa", "nan", kappaRange, "kappa = nan: " + notANumber},
		{"kappa", "0.5,half", kappaRange, "kappa = half: " + notANumber},
		{"kappa", "1e", kappaRange, "kappa = 1e: " + notANumber},
		{"kappa", "0x1p-2", kappaRange, "kappa = 0x1p-2: " + notANumber},
		{"kappa", "1_0", kappaRange, "kappa = 1_0: " + notANumber},
		{"kappa", "--1", kappaRange, "kappa = --1: " + notANumber},
		{"kappa", "1\n2", kappaRange, `kappa = "1\n2": ` + notANumber},
		{"kappa", "0.1:x", kappaRange, "kappa = 0.1:x: stop x: " + notANumber},
		{"kappa", "0.1::1", kappaRange, "kappa = 0.1::1: the stop is missing: write start:stop:step"},
		{"kappa", "1:2:3:4", kappaRange, "kappa = 1:2:3:4: a range has the form start:stop or start:stop:step"},
		{"n", "2:inf", nRange, "n = 2:inf: the stop of a range must be finite"},
		{"n", "2.5", nRange, "n = 2.5: want an integer, 2 ≤ n ≤ 1e300, or inf"},
		{"n", "2:3:0.5", nRange, "n = 2:3:0.5: contains 2.5: want an integer, 2 ≤ n ≤ 1e300, or inf"},
		{"n", "-inf", nRange, "n = -inf: want an integer, 2 ≤ n ≤ 1e300, or inf"},
		{"n", "1e400", nRange, "n = 1e400: too large: the largest float64 is 1.8e308"},
		{"n", "1.8e308", nRange, "n = 1.8e308: too large: the largest float64 is 1.8e308"},
		{"n", "1e999999999999999999999", nRange, "n = 1e999999999999999999999: too large: the largest float64 is 1.8e308"},
		{"x", "1e-400", anything, "x = 1e-400: too small: a float64 cannot tell it from 0"},
		{"x", "2e-324", anything, "x = 2e-324: too small: a float64 cannot tell it from 0"},
		{"x", "1:1.0000000000000001:0.0000000000000001", anything, "x = 1:1.0000000000000001:0.0000000000000001: neighbouring values are both 1 in float64: use a larger step"},
		{"x", "1:11", anything, "x = 1:11: 11 values, want at most 10: use a larger step or fewer items"},
		{"x", "1:6,1:6", anything, "x = 1:6,1:6: 12 values, want at most 10: use a larger step or fewer items"},
		{"x", "0:1e18:1", anything, "x = 0:1e18:1: 1000000000000000001 values, want at most 10: use a larger step or fewer items"},
		{"x", "0:1e300:1", anything, "x = 0:1e300:1: about 1e300 values, want at most 10: use a larger step or fewer items"},
		{"load", "-1", Range{Lo: 0, Hi: math.Inf(1)}, "load = -1: want load ≥ 0"},
		{"load", "0", Range{Lo: 0, LoOpen: true, Hi: math.Inf(1)}, "load = 0: want load > 0"},
		{"load", "1", Range{Lo: math.Inf(-1), Hi: 1, HiOpen: true}, "load = 1: want load < 1"},
		{"load", "inf", Range{Lo: math.Inf(-1), Hi: math.Inf(1)}, "load = inf: want a number"},
		{"load", "0.5", Range{Lo: math.Inf(-1), Hi: math.Inf(1), Integer: true}, "load = 0.5: want an integer"},
	} {
		_, err := Floats(c.name, c.text, c.r, 10)
		assert.EqualError(t, err, c.want)
	}
	for text, want := range map[string]string{
		"0":                    "d = 0: want an integer, 1 ≤ d ≤ 64",
		"1e300":                "d = 1e300: want an integer, 1 ≤ d ≤ 64",
		"inf":                  "d = inf: want an integer, 1 ≤ d ≤ 64",
		"2.5":                  "d = 2.5: want an integer, 1 ≤ d ≤ 64",
		"60:68:4":              "d = 60:68:4: contains 68: want an integer, 1 ≤ d ≤ 64",
		"1:2:0.25":             "d = 1:2:0.25: contains 1.25: want an integer, 1 ≤ d ≤ 64",
		"1.000000000000000001": "d = 1.000000000000000001: want an integer, 1 ≤ d ≤ 64",
		"9223372036854775808":  "d = 9223372036854775808: want an integer, 1 ≤ d ≤ 64",
	} {
		_, err := Ints("d", text, 1, 64, 10)
		assert.EqualError(t, err, want)
	}
	_, err := Ints("trials", "0", 1, math.MaxInt, 10)
	assert.EqualError(t, err, "trials = 0: want an integer, trials ≥ 1")
}

func TestUint64(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "1": 1, " 42 ": 42, "0x2A": 42, "0Xff": 255, "007": 7,
		"18446744073709551615": math.MaxUint64, "0xffffffffffffffff": math.MaxUint64,
	} {
		got, err := Uint64("seed", text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"x", "0x", "-1", "+1", "1.5", "1e3", "0x1.8p3", "1_000"} {
		_, err := Uint64("seed", text)
		assert.EqualError(t, err, "seed = "+text+": want an unsigned integer of 64 bits, such as 42 or 0x2a")
	}
	_, err := Uint64("seed", "18446744073709551616")
	assert.EqualError(t, err, "seed = 18446744073709551616: want 0 ≤ seed ≤ 18446744073709551615")
	_, err = Uint64("seed", "")
	assert.EqualError(t, err, `seed = "": want an unsigned integer of 64 bits, such as 42 or 0x2a`)
}

// Counting must not list: 10^18 values would take 8 exabytes, 1e6 are 8 MB.
func TestCountingDoesNotAllocate(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, text := range []string{"0:1e18:1", "0:1e6:1", "0:1e300:1e-300", "1e-300:1e300:1e-323"} {
		_, err := Floats("x", text, anything, 1000)
		assert.Error(t, err, text)
	}
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

func TestMaxMustBePositive(t *testing.T) {
	assert.PanicsWithValue(t, "numlist: max must be positive", func() { _, _ = Floats("x", "1", anything, 0) })
}

func TestAPrintedListParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64(), 1, 20).Draw(t, "values")
		format := rapid.SampledFrom([]byte("efgG")).Draw(t, "format")
		texts := make([]string, len(values))
		for i, x := range values {
			texts[i] = strconv.FormatFloat(x, format, -1, 64)
		}
		text := strings.Join(texts, rapid.SampledFrom([]string{",", ", "}).Draw(t, "comma"))
		got, err := Floats("x", text, anything, len(values))
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range values {
			if x != got[i] {
				t.Fatalf("%x came back as %x from %s", x, got[i], text)
			}
		}
	})
}

// A range of k decimal steps holds the float64 of each decimal, and its stop.
func TestARangeHoldsItsDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.Int64Range(-1e6, 1e6).Draw(t, "start")
		step := rapid.Int64Range(-1e4, 1e4).Filter(func(n int64) bool { return n != 0 }).Draw(t, "step")
		steps := rapid.Int64Range(0, 50).Draw(t, "steps")
		exponent := rapid.IntRange(-20, 20).Draw(t, "exponent")
		decimal := func(n int64) string { return strconv.FormatInt(n, 10) + "e" + strconv.Itoa(exponent) }
		text := decimal(start) + ":" + decimal(start+steps*step) + ":" + decimal(step)
		got, err := Floats("x", text, anything, 51)
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(got)) != steps+1 {
			t.Fatalf("%d values in %s", len(got), text)
		}
		for k, x := range got {
			want, err := strconv.ParseFloat(decimal(start+int64(k)*step), 64)
			if err != nil {
				t.Fatal(err)
			}
			if x != want {
				t.Fatalf("value %d of %s is %x, want %x", k, text, x, want)
			}
		}
	})
}

func FuzzFloats(f *testing.F) {
	for _, text := range []string{"0.1:1:0.1", "1,2,inf", "5:1:-1", "1e3", "nan", ",", "1:2:3:4", "1e999", "-.5e-3", "0:1e18:1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const limit = 1000
		values, err := Floats("x", text, anything, limit)
		if err != nil {
			if len(values) != 0 || !strings.HasPrefix(err.Error(), "x = ") {
				t.Fatalf("%q: %v with %v", text, err, values)
			}
			return
		}
		if len(values) == 0 || len(values) > limit {
			t.Fatalf("%q: %d values", text, len(values))
		}
		for _, x := range values {
			if math.IsNaN(x) {
				t.Fatalf("%q holds a NaN", text)
			}
		}
		// A lone decimal agrees with the standard library.
		if !strings.ContainsAny(text, ",:") && len(values) == 1 {
			if want, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && want != values[0] {
				t.Fatalf("%q is %x, want %x", text, values[0], want)
			}
		}
	})
}

func TestCombinations(t *testing.T) {
	assert.NoError(t, Combinations(6, Axis{"d", 2}, Axis{"p", 3}))
	assert.NoError(t, Combinations(1))
	assert.EqualError(t, Combinations(5, Axis{"d", 2}, Axis{"p", 3}), "d, p: 2 × 3 = 6 combinations, want at most 5: use larger steps or fewer items")
	assert.EqualError(t, Combinations(5, Axis{"d", 1}, Axis{"p", 7}), "p: 7 values, want at most 5: use a larger step or fewer items")
	// 2⁶³ in an int is negative, 2⁶⁴ is 0.
	assert.EqualError(t, Combinations(math.MaxInt, Axis{"a", 1 << 31}, Axis{"b", 1 << 31}, Axis{"c", 4}),
		"a, b, c: 2147483648 × 2147483648 × 4 = 18446744073709551616 combinations, want at most 9223372036854775807: use larger steps or fewer items")
	assert.ErrorContains(t, Combinations(10, Axis{"a", math.MaxInt}, Axis{"b", math.MaxInt}), "= about 9e37 combinations")
	assert.Panics(t, func() { _ = Combinations(0) })
}

func TestUint64s(t *testing.T) {
	const top = math.MaxUint64
	got, err := Uint64s("seed", "0xffffffffffffffff, 3:1:-1,18446744073709551614:18446744073709551615,010", 8)
	require.NoError(t, err)
	assert.Equal(t, []uint64{top, 3, 2, 1, top - 1, top, 10}, got)
	for text, want := range map[string]string{
		"":      `seed = "": want an unsigned integer`,
		"1,":    `seed = "": want an unsigned integer`,
		"1,2,3": "seed = 1,2,3: more than 2 values",
		"1:3":   "seed = 1:3: 3 values, want at most 2",
		"1:1e9": "seed = 1:1e9: 1000000000 values, want at most 2",
		"18446744073709551615:18446744073709551616": "want integers, 0 ≤ seed ≤ 18446744073709551615",
		"-1:0":    "seed = -1:0: contains -1: want integers, 0 ≤ seed ≤ 18446744073709551615",
		"0.5:1":   "contains 0.5: want integers",
		"0x1:0x2": "start 0x1: not a number",
		"1e3":     "want an unsigned integer of 64 bits",
	} {
		values, err := Uint64s("seed", text, 2)
		assert.ErrorContains(t, err, want, text)
		assert.Empty(t, values)
	}
	assert.Panics(t, func() { _, _ = Uint64s("seed", "1", 0) })
}
