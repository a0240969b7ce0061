package chart

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"lamcap/internal/logarithm"
)

// ruler chooses the ticks of one axis: the finest that read well in the length there is. Those of
// gonum's tickers do not depend on it: three or so on every linear axis, and on a logarithmic one
// all powers of ten, be it one or six hundred, and nothing at all from 0.3 to 0.9.
type ruler struct {
	scale    scale
	length   vg.Length
	style    text.Style // of the labels
	vertical bool
}

// ticks returns the ticks, their values places in 0 … 1, and what their labels have to be
// multiplied by if that is not 1.
func (r ruler) ticks() (t plot.ConstantTicks, factor string) {
	if !r.scale.log {
		return r.linear(r.scale.lo, r.scale.hi)
	}
	lo, hi := math.Pow(10, r.scale.lo), math.Pow(10, r.scale.hi)
	if hi < 5*lo && lo >= 0x1p-1022 && hi <= math.MaxFloat64 {
		return r.linear(lo, hi)
	}
	return r.logarithmic(), ""
}

// linear returns ticks at multiples of 1, 2 or 5 times a power of ten in lo … hi.
func (r ruler) linear(lo, hi float64) (best plot.ConstantTicks, factor string) {
	power := 0
	if largest := max(math.Abs(lo), math.Abs(hi)); largest >= 1e5 || largest < 1e-3 {
		power = int(math.Floor(logarithm.Decimal(largest) + 1e-9))
	}
	if power != 0 {
		factor = "×10^{" + minus(strconv.Itoa(power)) + "}"
	}
	var minor plot.ConstantTicks
	first := int(math.Floor(logarithm.Decimal(hi/2-lo/2))) - 2 // hi − lo may not be a float64
	for i := 0; i < 12 && len(best) < 2; i++ {
		digit, e := []int{1, 2, 5}[i%3], first+i/3
		if t := r.multiples(lo, hi, digit, e, power); len(t) > 0 && r.fits(t) {
			// Minor steps: 1/5 of 1 and 5, 1/4 of 2.
			best, minor = t, r.multiples(lo, hi, []int{2, 5, 10}[i%3], e-1, power)
		}
	}
	return append(best, unlabeled(minor)...), factor
}

// multiples returns the multiples of digit·10^e in lo … hi, labeled in units of 10^power.
func (r ruler) multiples(lo, hi float64, digit, e, power int) (t plot.ConstantTicks) {
	size := float64(digit) * math.Pow(10, float64(e))
	if size == 0 || math.IsInf(size, 0) {
		return nil
	}
	first, last := math.Ceil(lo/size-1e-6), math.Floor(hi/size+1e-6)
	if last-first > 1000 {
		return nil
	}
	for k := first; k <= last; k++ {
		label := strconv.FormatFloat(scaled(k*float64(digit), e-power), 'f', max(power-e, 0), 64)
		t = append(t, plot.Tick{Value: unit(r.scale.place(scaled(k*float64(digit), e))), Label: minus(label)})
	}
	return t
}

// scaled is x·10^e, correctly rounded for small powers.
func scaled(x float64, e int) float64 {
	if e < 0 && e > -300 {
		return x / math.Pow(10, float64(-e))
	}
	return x * math.Pow(10, float64(e))
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

// logarithmic returns ticks at several multiples of each power of ten if there are few of them,
// at powers of ten otherwise, every so many of them.
func (r ruler) logarithmic() (t plot.ConstantTicks) {
	decades := math.Ceil(r.scale.hi+1e-9) - math.Floor(r.scale.lo-1e-9)
	minor := []int{2, 3, 4, 5, 6, 7, 8, 9}
	for _, digits := range [][]int{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 5}, {1, 2, 5}, {1, 3}} {
		if d := r.decades(1, digits); len(t) == 0 && decades <= 3 && r.fits(d) {
			t = d
		}
	}
	for _, every := range []int{1, 2, 3, 5, 10, 20, 50, 100, 200, 500} {
		if len(t) > 0 {
			break
		}
		if t = r.decades(every, []int{1}); !r.fits(t) {
			t = nil
		}
		if every > 1 {
			minor = []int{1}
		}
	}
	if decades <= 80 && float64(r.length) > 1.5*float64(len(minor))*decades {
		t = append(t, unlabeled(r.decades(1, minor))...)
	}
	return t
}

// decades returns digits times powers of ten that the axis shows; of the powers those
// that every divides.
func (r ruler) decades(every int, digits []int) (t plot.ConstantTicks) {
	plainly := r.scale.lo > -3.01 && r.scale.hi < 4.01
	for e := int(math.Floor(r.scale.lo - 1e-9)); float64(e) <= math.Ceil(r.scale.hi+1e-9); e++ {
		for _, digit := range digits {
			x := scaled(float64(digit), e)
			u := r.scale.place(x)
			if e%every != 0 || math.IsInf(x, 0) || !(u >= -1e-6 && u <= 1+1e-6) {
				continue
			}
			label := "10^{" + minus(strconv.Itoa(e)) + "}"
			switch {
			case plainly:
				label = strconv.FormatFloat(x, 'f', max(-e, 0), 64)
			case digit != 1:
				label = strconv.Itoa(digit) + "×" + label
			}
			t = append(t, plot.Tick{Value: unit(u), Label: label})
		}
	}
	return t
}

// unlabeled makes ticks minor ones.
func unlabeled(t plot.ConstantTicks) plot.ConstantTicks {
	for i := range t {
		t[i].Label = ""
	}
	return t
}

// fits says whether these labels leave space between them, and are not more than one needs.
func (r ruler) fits(t plot.ConstantTicks) bool {
	for i := 1; i < len(t); i++ {
		need := vg.Length(17)
		if !r.vertical {
			need = max(22, (r.style.Width(t[i-1].Label)+r.style.Width(t[i].Label))/2+0.8*r.style.Font.Size)
		}
		if vg.Length(t[i].Value-t[i-1].Value)*r.length < need {
			return false
		}
	}
	return true
}
