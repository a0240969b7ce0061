package accuracy

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// 0.1 is not a float64: the nearest is 0.1 + 5.55e-18.
func TestNumber(t *testing.T) {
	tenth := Decimal("0.1")
	assert.InEpsilon(t, 5.551115123125783e-18, tenth.absolute(0.1), 1e-12)
	assert.Zero(t, Exact(0.1).absolute(0.1))
	assert.Equal(t, 0.1, tenth.Float64())
	// f(x) = 3x at the decimal 0.1 is 0.3; at the float64 it is 3 × 5.55e-18 more,
	// and the float64 0.3 is 1.11e-17 less than 0.3.
	moved := Decimal("0.3").At(tenth, 3)
	assert.InEpsilon(t, 3*5.551115123125783e-18+1.1102230246251565e-17, moved.absolute(0.3), 1e-12)
	assert.True(t, math.IsInf(tenth.relative(math.NaN()), 1))
	assert.True(t, math.IsInf(tenth.absolute(math.Inf(1)), 1))
	assert.Equal(t, 0.5, Decimal("2").relative(3))
	assert.Equal(t, 0.5, Decimal("-2").relative(-3))
	assert.Panics(t, func() { Decimal("one") })
}

// failures counts what a test would report.
type failures struct {
	testing.TB
	count int
}

func (f *failures) Helper()               {}
func (f *failures) Logf(string, ...any)   {}
func (f *failures) Errorf(string, ...any) { f.count++ }

func TestTable(t *testing.T) {
	var table Table
	good := table.Add(Row{Function: "good", Range: "r", Against: "a", Budget: 0.1})
	good.Compare(1.05, Exact(1), "x")
	good.Compare(1, Exact(1), "y")
	table.Add(Row{Function: "absolute", Kind: Absolute, Budget: 1e-3}).Compare(100.0078125, Exact(100), "x")
	bound := table.Add(Row{Function: "bound", Kind: Bound, Budget: 1})
	bound.CompareBound(3, 2, Exact(2), "x")
	bound.CompareBound(2, 0, Exact(2), "exact")
	table.Add(Row{Function: "undefined", Budget: math.MaxFloat64}).Compare(math.NaN(), Exact(2), "x")
	table.Add(Row{Function: "empty", Budget: 1})

	var f failures
	table.check(&f)
	assert.Equal(t, 3, f.count, "absolute, undefined and empty")
	assert.Equal(t, `BEGIN TABLE
| function | range | against | points | max error | budget |
|---|---|---|---:|---:|---:|
| good | r | a | 2 | 0.05 | 0.1 |
| absolute |  |  | 1 | 0.008 abs. | 0.001 abs. |
| bound |  |  | 2 | 0.5 of bound | 1 of bound |
| undefined |  |  | 1 | +Inf | 1.8e+308 |
| empty |  |  | 0 | 0 | 1 |
END TABLE
`, table.markdown())
	assert.Panics(t, func() { bound.Compare(1, Exact(1), "x") })
	assert.Panics(t, func() { good.CompareBound(1, 1, Exact(1), "x") })
}

func TestRoundUp(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1e-16: "1e-16", 1.01e-16: "2e-16", 9.5e-16: "1e-15", 0.341: "0.4", 0.01: "0.01", 1: "1", 12: "20"} {
		assert.Equal(t, want, roundUp(x), "%v", x)
	}
}

// A subnormal number has few digits, and the difference from its reference is smaller than
// any float64: the relative error is that of the numbers all the same.
func TestRelativeErrorOfSubnormalNumbers(t *testing.T) {
	var table Table
	row := table.Add(Row{Budget: 1})
	row.Compare(5e-324, Decimal("7.41e-324"), "half of the smallest number off")
	assert.InDelta(t, 1./3, row.max, 1e-3)
	row.Compare(0, Decimal("1e-330"), "underflow")
	assert.Equal(t, 1.0, row.max)
	assert.True(t, math.IsInf(Decimal("0").relative(1), 1))
	assert.Zero(t, Decimal("0").relative(0))
}
