package numlist

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Floats reads a list of at most max numbers within r. The errors name the
// option and what it was given: "kappa = 1.2: want 0 < kappa ≤ 1". It panics
// unless max is positive.
func Floats(name, text string, r Range, max int) ([]float64, error) {
	items, culprit, err := parse(text, max)
	if err != nil {
		return nil, given(name, culprit, err)
	}
	var values []float64
	for _, it := range items {
		if it.short && !r.Integer {
			return nil, given(name, it.text, errors.New("the step is missing: write start:stop:step"))
		}
		if values, err = it.appendFloats(values, name, r); err != nil {
			return nil, given(name, it.text, err)
		}
	}
	return values, nil
}

// Ints reads a list of at most max integers from lo to hi, both allowed. It
// panics unless max is positive.
func Ints(name, text string, lo, hi int, max int) ([]int, error) {
	items, culprit, err := parse(text, max)
	if err != nil {
		return nil, given(name, culprit, err)
	}
	var values []int
	for _, it := range items {
		if values, err = it.appendInts(values, name, lo, hi); err != nil {
			return nil, given(name, it.text, err)
		}
	}
	return values, nil
}

// Uint64 reads one unsigned integer of 64 bits, decimal or hexadecimal with
// the prefix 0x, such as a seed.
func Uint64(name, text string) (uint64, error) {
	digits, base := strings.TrimSpace(text), 10
	if rest, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		digits, base = rest, 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, given(name, text, fmt.Errorf("want 0 ≤ %s ≤ %d", name, uint64(math.MaxUint64)))
	case err != nil:
		return 0, given(name, text, errors.New("want an unsigned integer of 64 bits, such as 42 or 0x2a"))
	}
	return n, nil
}

// Uint64s reads a list of at most max unsigned integers of 64 bits, as [Uint64] does, and
// ranges of them in decimal. It panics unless max is positive.
func Uint64s(name, text string, max int) ([]uint64, error) {
	if max <= 0 {
		panic("numlist: max must be positive")
	}
	var values []uint64
	for field := range strings.SplitSeq(text, ",") {
		if !strings.Contains(field, ":") {
			n, err := Uint64(name, field)
			if err != nil {
				return nil, err
			}
			values = append(values, n)
		} else {
			items, culprit, err := parse(field, max)
			if err != nil {
				return nil, given(name, culprit, err)
			}
			for exact := range items[0].all {
				if !exact.IsInt() || !exact.Num().IsUint64() {
					return nil, given(name, field, items[0].outside(short(nearest(exact)), fmt.Sprintf("integers, 0 ≤ %s ≤ %d", name, uint64(math.MaxUint64))))
				}
				values = append(values, exact.Num().Uint64())
			}
		}
		if len(values) > max {
			return nil, given(name, text, fmt.Errorf("more than %d values: use a larger step or fewer items", max))
		}
	}
	return values, nil
}

// given prefixes err with what the user wrote, quoted where it cannot stand
// in a line as it is.
func given(name, text string, err error) error {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		text = strconv.Quote(text)
	}
	return fmt.Errorf("%s = %s: %w", name, text, err)
}

// item is a number, an infinity or a range.
type item struct {
	text  string
	inf   int      // ±1 for an infinity
	start *big.Rat // a number when step is nil
	step  *big.Rat
	stop  float64
	count *big.Int // number of values
	// short ranges have no step of their own: it is 1, which only integers imply.
	short bool
}

// parse splits text and counts the values without listing them. With an error
// comes the part of text it is about.
func parse(text string, max int) (items []item, culprit string, err error) {
	if max <= 0 {
		panic("numlist: max must be positive")
	}
	if strings.TrimSpace(text) == "" {
		return nil, text, errors.New("the list is empty: write numbers such as 0.25,0.5 or a range start:stop:step")
	}
	total := new(big.Int)
	for i, field := range strings.Split(text, ",") {
		field = strings.TrimSpace(field)
		if field == "" {
			return nil, text, fmt.Errorf("item %d is empty: separate numbers by single commas", i+1)
		}
		it, err := parseItem(field)
		if err != nil {
			return nil, field, err
		}
		items = append(items, it)
		total.Add(total, it.count)
	}
	if !total.IsInt64() || total.Int64() > int64(max) {
		return nil, text, fmt.Errorf("%s values, want at most %d: use a larger step or fewer items", count(total), max)
	}
	return items, "", nil
}

// count writes an integer of any size, the large ones in short.
func count(n *big.Int) string {
	if s := n.String(); len(s) <= 20 {
		return s
	}
	return "about " + tidyExponent(new(big.Float).SetInt(n).Text('e', 0))
}

func parseItem(text string) (item, error) {
	fields := strings.Split(text, ":")
	if len(fields) == 1 {
		if sign := infinity(text); sign != 0 {
			return item{text: text, inf: sign, count: big.NewInt(1)}, nil
		}
		x, err := number(text)
		return item{text: text, start: x, count: big.NewInt(1)}, err
	}
	if len(fields) > 3 {
		return item{}, errors.New("a range has the form start:stop or start:stop:step")
	}
	parts := []*big.Rat{nil, nil, big.NewRat(1, 1)}
	for i, field := range fields {
		field = strings.TrimSpace(field)
		part := [...]string{"start", "stop", "step"}[i]
		if field == "" {
			return item{}, fmt.Errorf("the %s is missing: write start:stop:step", part)
		}
		if infinity(field) != 0 {
			return item{}, fmt.Errorf("the %s of a range must be finite", part)
		}
		var err error
		if parts[i], err = number(field); err != nil {
			return item{}, fmt.Errorf("%s %s: %w", part, field, err)
		}
	}
	it, err := newRange(text, parts[0], parts[1], parts[2])
	it.short = len(fields) == 2
	return it, err
}

// newRange counts the values start, start+step, … up to stop.
func newRange(text string, start, stop, step *big.Rat) (item, error) {
	if step.Sign() == 0 {
		return item{}, errors.New("step must not be zero")
	}
	span := new(big.Rat).Sub(stop, start)
	if span.Sign()*step.Sign() < 0 {
		if span.Sign() < 0 {
			return item{}, errors.New("stop lies below start: write a negative step, as in 5:1:-1")
		}
		return item{}, errors.New("stop lies above start: the step must be positive")
	}
	ratio := new(big.Rat).Quo(span, step)
	steps := new(big.Int).Quo(ratio.Num(), ratio.Denom()) // floor: ratio ≥ 0
	it := item{text: text, start: start, step: step, stop: nearest(stop)}
	// The next value belongs to the range when it is the stop for a float64.
	next := new(big.Int).Add(steps, big.NewInt(1))
	if !ratio.IsInt() && nearest(it.at(next)) == it.stop {
		steps = next
	}
	it.count = new(big.Int).Add(steps, big.NewInt(1))
	return it, nil
}

// at is the value after k steps.
func (it item) at(k *big.Int) *big.Rat {
	x := new(big.Rat).Mul(it.step, new(big.Rat).SetInt(k))
	return x.Add(x, it.start)
}

// all yields the exact values in order. Numbers yield themselves.
func (it item) all(yield func(*big.Rat) bool) {
	if it.step == nil {
		yield(it.start)
		return
	}
	for k := range it.count.Int64() {
		if !yield(it.at(big.NewInt(k))) {
			return
		}
	}
}

func (it item) appendFloats(values []float64, name string, r Range) ([]float64, error) {
	if it.inf != 0 {
		x := math.Inf(it.inf)
		if !r.AllowInf || it.inf < 0 && !math.IsInf(r.Lo, -1) {
			return nil, fmt.Errorf("want %s", r.want(name))
		}
		return append(values, x), nil
	}
	n := len(values)
	for exact := range it.all {
		x := nearest(exact)
		if !r.contains(x) || r.Integer && !exact.IsInt() {
			return nil, it.outside(short(x), r.want(name))
		}
		if len(values) > n && x == values[len(values)-1] {
			return nil, fmt.Errorf("neighbouring values are both %s in float64: use a larger step", short(x))
		}
		values = append(values, x)
	}
	return values, nil
}

func (it item) appendInts(values []int, name string, lo, hi int) ([]int, error) {
	want := fmt.Sprintf("an integer, %d ≤ %s ≤ %d", lo, name, hi)
	if hi == math.MaxInt {
		want = fmt.Sprintf("an integer, %s ≥ %d", name, lo)
	}
	if it.inf != 0 {
		return nil, fmt.Errorf("want %s", want)
	}
	for exact := range it.all {
		if !exact.IsInt() {
			return nil, it.outside(short(nearest(exact)), want)
		}
		n := exact.Num()
		if !n.IsInt64() || n.Cmp(big.NewInt(int64(lo))) < 0 || n.Cmp(big.NewInt(int64(hi))) > 0 {
			return nil, it.outside(count(n), want)
		}
		values = append(values, int(n.Int64()))
	}
	return values, nil
}

// outside says what is wanted and, for a range, which value breaks it.
func (it item) outside(value, want string) error {
	if it.step == nil {
		return fmt.Errorf("want %s", want)
	}
	return fmt.Errorf("contains %s: want %s", value, want)
}

// infinity returns the sign of an infinity written as inf or ∞, else 0.
func infinity(s string) int {
	sign := 1
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		s, sign = rest, -1
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	if slices.Contains([]string{"inf", "infinity", "∞"}, strings.ToLower(s)) {
		return sign
	}
	return 0
}

func number(s string) (*big.Rat, error) {
	x, scale, ok := parseDecimal(s)
	switch {
	case !ok:
		return nil, errors.New("not a number: write one such as 0.25 or 1e3, or a range start:stop:step")
	case scale < 0:
		return nil, errors.New("too small: a float64 cannot tell it from 0")
	case scale > 0 || math.IsInf(nearest(x), 0):
		return nil, errors.New("too large: the largest float64 is 1.8e308")
	case x.Sign() != 0 && nearest(x) == 0:
		return nil, errors.New("too small: a float64 cannot tell it from 0")
	}
	return x, nil
}

// tidyExponent turns 1e+300 into 1e300 and 1e-05 into 1e-5.
func tidyExponent(s string) string {
	mantissa, e, ok := strings.Cut(s, "e")
	n, err := strconv.Atoi(e)
	if !ok || err != nil {
		return s
	}
	return mantissa + "e" + strconv.Itoa(n)
}
