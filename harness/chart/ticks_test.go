package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"

	"lamcap/internal/logarithm"
)

var powerLabel = regexp.MustCompile(`^(?:(\d)×)?10\^\{(−?\d+)\}$`)

// number reads a label back.
func number(t require.TestingT, label string, power int) float64 {
	mantissa, exponent := label, strconv.Itoa(power)
	if m := powerLabel.FindStringSubmatch(label); m != nil {
		if mantissa = m[1]; mantissa == "" {
			mantissa = "1"
		}
		exponent = m[2]
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(mantissa+"e"+exponent, "−", "-"), 64)
	require.NoError(t, err, label)
	return x
}

// Ticks are in the frame, labels do not overlap, and a label is the number at its place.
func TestTickLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyAxis().Draw(t, "axis")
		s := a.scaled(extent{}, extent{})
		r := ruler{s, vg.Length(rapid.Float64Range(20, 500).Draw(t, "length")), styled(tickSize, false), rapid.Bool().Draw(t, "vertical")}
		ticks, factor := r.ticks()
		power := 0
		if factor != "" {
			power = int(math.Round(logarithm.Decimal(number(t, strings.TrimPrefix(factor, "×"), 0))))
		}
		last := plot.Tick{}
		for _, m := range ticks {
			require.True(t, m.Value >= 0 && m.Value <= 1, "%g", m.Value)
			if m.IsMinor() {
				continue
			}
			x := number(t, m.Label, power)
			if math.Abs(x) > 1e-300 { // below, ParseFloat rounds as the labels do not
				require.InDelta(t, m.Value, s.place(x), 1e-5, m.Label)
			}
			if last.Label != "" {
				gap := vg.Length(m.Value-last.Value) * r.length
				if r.vertical {
					require.Greater(t, gap, tickSize*vg.Length(1))
				} else {
					require.Greater(t, gap, (r.style.Width(m.Label)+r.style.Width(last.Label))/2)
				}
			}
			last = m
		}
	})
}

// labels of an axis 150 points long.
func labels(a Axis, vertical bool) string {
	ticks, factor := ruler{a.scaled(extent{}, extent{}), 150, styled(tickSize, false), vertical}.ticks()
	var all []string
	for _, m := range ticks {
		if !m.IsMinor() {
			all = append(all, m.Label)
		}
	}
	if factor != "" {
		all = append(all, factor)
	}
	return strings.Join(all, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		scale  Scale
		want   string
	}{
		{0, 1, Linear, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{-1, 1, Linear, "−1.0 −0.5 0.0 0.5 1.0"},
		{0, 7, Linear, "0 2 4 6"},
		{0.48, 0.66, Linear, "0.50 0.55 0.60 0.65"},
		{0, 50000, Linear, "0 10000 20000 30000 40000 50000"},
		{0, 3e6, Linear, "0.0 0.5 1.0 1.5 2.0 2.5 3.0 ×10^{6}"},
		{-2e-4, 3e-4, Linear, "−2 −1 0 1 2 3 ×10^{−4}"},
		{0, 1e300, Linear, "0.0 0.2 0.4 0.6 0.8 1.0 ×10^{300}"},
		{-math.MaxFloat64, math.MaxFloat64, Linear, "−1 0 1 ×10^{308}"},
		{1, 1000, Log, "1 10 100 1000"},
		{0.001, 1000, Log, "0.001 0.01 0.1 1 10 100 1000"},
		{1e-8, 1, Log, "10^{−8} 10^{−6} 10^{−4} 10^{−2} 10^{0}"},
		{1e-300, 1e300, Log, "10^{−300} 10^{−200} 10^{−100} 10^{0} 10^{100} 10^{200} 10^{300}"},
		{0.5, 20, Log, "0.5 1 2 5 10 20"},
		{100, 150, Log, "100 110 120 130 140 150"},
	} {
		assert.Equal(t, c.want, labels(Axis{Scale: c.scale, Min: c.lo, Max: c.hi}, false), "%g … %g", c.lo, c.hi)
	}
}

// Ordinary axes have two labels or more, whatever their range.
func TestEnoughTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := math.Pow(10, rapid.Float64Range(-12, 12).Draw(t, "lo"))
		factor := math.Pow(10, rapid.Float64Range(0.01, 9).Draw(t, "factor"))
		a := Axis{Scale: Scale(rapid.IntRange(0, 1).Draw(t, "scale")), Min: lo, Max: lo * factor}
		vertical := rapid.Bool().Draw(t, "vertical")
		assert.GreaterOrEqual(t, len(strings.Fields(labels(a, vertical))), 2, labels(a, vertical))
	})
}
