package chart

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// tick is a mark on an axis, labeled if it is a major one.
type tick struct {
	at    float64 // 0 … 1
	label line    // no pieces: a minor one
}

func (t tick) major() bool { return len(t.label.pieces) > 0 }

// ticks are the marks of an axis and the power of ten that its labels have to be
// multiplied by, if any.
type ticks struct {
	marks []tick
	power int
}

// value is a number with its label.
type value struct {
	x     float64
	label string
}

// ruler chooses the ticks of one axis: the finest that read well in the length there is.
type ruler struct {
	*fonts
	scale    scale
	length   vg.Length
	size     vg.Length // of the labels
	vertical bool
}

// choose returns the ticks.
func (r ruler) choose() ticks {
	if !r.scale.log {
		return r.linear(r.scale.lo, r.scale.hi)
	}
	lo, hi := math.Pow(10, r.scale.lo), math.Pow(10, r.scale.hi)
	if hi < 5*lo && lo >= 0x1p-1022 && hi <= math.MaxFloat64 {
		return r.linear(lo, hi)
	}
	return r.logarithmic()
}

// steps returns numbers 1, 2 or 5 times a power of ten as pairs (digit, exponent), from
// a fiftieth of the width on.
func steps(width float64) [][2]int {
	var s [][2]int
	first := int(math.Floor(log10(width))) - 2
	for e := first; e <= first+3; e++ {
		for _, digit := range []int{1, 2, 5} {
			s = append(s, [2]int{digit, e})
		}
	}
	return s
}

// linear returns ticks at multiples of a step in lo … hi.
func (r ruler) linear(lo, hi float64) ticks {
	half := hi/2 - lo/2 // hi − lo may not be a float64
	power := 0
	if largest := max(math.Abs(lo), math.Abs(hi)); largest >= 1e5 || largest < 1e-3 {
		power = int(math.Floor(log10(largest) + 1e-9))
	}
	var best []value
	var bestStep [2]int
	for _, s := range steps(half) {
		v := multiples(lo, hi, s, power)
		if len(v) == 0 || len(v) > 400 || !r.fits(v) {
			continue
		}
		if best == nil || len(v) >= 2 {
			best, bestStep = v, s
		}
		if len(v) <= r.most() {
			break
		}
	}
	t := ticks{marks: r.marks(best), power: power}
	if best != nil {
		digit, e := 1, bestStep[1] // minor steps: 1/5 of 1 and 5, 1/4 of 2
		switch bestStep[0] {
		case 1:
			digit, e = 2, e-1
		case 2:
			digit, e = 5, e-1
		}
		for _, v := range multiples(lo, hi, [2]int{digit, e}, power) {
			t.marks = append(t.marks, tick{at: r.scale.place(v.x)})
		}
	}
	return t
}

// most is how many labels are enough.
func (r ruler) most() int {
	apart := vg.Length(28)
	if r.vertical {
		apart = 18
	}
	return min(max(int(r.length/apart)+1, 2), 8)
}

// multiples returns the multiples of a step in lo … hi, labeled in units of 10^power.
func multiples(lo, hi float64, step [2]int, power int) []value {
	digit, e := step[0], step[1]
	unit := math.Pow(10, float64(e)) // 0 or infinite far out
	size := float64(digit) * unit
	if unit == 0 || math.IsInf(size, 0) {
		return nil
	}
	first, last := math.Ceil(lo/size-1e-6), math.Floor(hi/size+1e-6)
	if last-first > 1000 {
		return nil
	}
	var v []value
	for k := first; k <= last; k++ {
		whole := k * float64(digit) // in units of 10^e
		x := whole * unit
		if e < 0 && e > -300 {
			x = whole / math.Pow(10, float64(-e)) // correctly rounded for small powers
		}
		shown := whole * math.Pow(10, float64(e-power))
		if e < power {
			shown = whole / math.Pow(10, float64(power-e))
		}
		label := strconv.FormatFloat(shown, 'f', max(power-e, 0), 64)
		v = append(v, value{x, minus(label)})
	}
	return v
}

// minus writes negative numbers with a minus, not a hyphen, and zero with none.
func minus(label string) string {
	if digits, negative := strings.CutPrefix(label, "-"); negative {
		if strings.Trim(digits, "0.") == "" {
			return digits
		}
		return "−" + digits
	}
	return label
}

// logarithmic returns ticks at powers of ten, every so many of them, or at several
// multiples in each decade if there are few.
func (r ruler) logarithmic() ticks {
	lo, hi := int(math.Floor(r.scale.lo-1e-9)), int(math.Ceil(r.scale.hi+1e-9))
	plainly := r.scale.lo > -3.01 && r.scale.hi < 4.01
	var t ticks
	found := false
	if hi-lo <= 3 {
		for _, digits := range [][]int{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 5}, {1, 2, 5}, {1, 3}} {
			v := r.decades(lo, hi, 1, digits, plainly)
			if len(v) <= r.most() && r.fits(v) {
				t.marks, found = r.marks(v), true
				break
			}
		}
	}
	every := 1
	for _, n := range []int{1, 2, 3, 5, 10, 20, 50, 100, 200, 500} {
		if found {
			break
		}
		every = n
		v := r.decades(lo, hi, n, []int{1}, plainly)
		if len(v) > 0 && (len(v) <= r.most()+2 || n == 500) && r.fits(v) {
			t.marks, found = r.marks(v), true
		}
	}
	minor := []int{2, 3, 4, 5, 6, 7, 8, 9}
	if every > 1 {
		minor = []int{1}
	}
	if hi-lo <= 80 && float64(r.length) > 1.5*float64(len(minor)*(hi-lo)) {
		for _, v := range r.decades(lo, hi, 1, minor, plainly) {
			t.marks = append(t.marks, tick{at: r.scale.place(v.x)})
		}
	}
	return t
}

// decades returns digits times powers of ten that the axis shows; of the powers those
// that every divides.
func (r ruler) decades(lo, hi, every int, digits []int, plainly bool) []value {
	var v []value
	for e := lo; e <= hi; e++ {
		if e%every != 0 {
			continue
		}
		for _, digit := range digits {
			power := math.Pow(10, float64(e))
			if e < 0 && e > -300 {
				power = 1 / math.Pow(10, float64(-e))
			}
			x := float64(digit) * power
			if u := r.scale.place(x); math.IsInf(x, 0) || !(u >= -1e-6 && u <= 1+1e-6) {
				continue
			}
			exponent := "10^{" + minus(strconv.Itoa(e)) + "}"
			switch {
			case plainly:
				v = append(v, value{x, strconv.FormatFloat(float64(digit)*math.Pow(10, float64(e)), 'f', max(-e, 0), 64)})
			case digit == 1:
				v = append(v, value{x, exponent})
			default:
				v = append(v, value{x, strconv.Itoa(digit) + "×" + exponent})
			}
		}
	}
	return v
}

// marks lays out the labels.
func (r ruler) marks(values []value) []tick {
	var t []tick
	for _, v := range values {
		t = append(t, tick{at: r.scale.place(v.x), label: r.line(v.label, r.size, false)})
	}
	return t
}

// fits says whether labels at these numbers leave space between them.
func (r ruler) fits(values []value) bool {
	marks := r.marks(values)
	sort.Slice(marks, func(i, j int) bool { return marks[i].at < marks[j].at })
	for i := 1; i < len(marks); i++ {
		a, b := marks[i-1].label, marks[i].label
		need := (a.width+b.width)/2 + 0.8*r.size
		if r.vertical {
			need = (a.ascent+a.descent+b.ascent+b.descent)/2 + 0.4*r.size
		}
		if vg.Length(marks[i].at-marks[i-1].at)*r.length < need {
			return false
		}
	}
	return true
}
