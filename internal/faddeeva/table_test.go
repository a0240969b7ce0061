package faddeeva

import (
	"encoding/csv"
	"math"
	"math/cmplx"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readTable returns the rows of a table made by testdata/generate.py.
func readTable(t *testing.T, name string) [][]float64 {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	var rows [][]float64
	for _, record := range records[1:] {
		row := make([]float64, len(record))
		for i, text := range record {
			row[i], err = strconv.ParseFloat(text, 64)
			require.NoError(t, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// worst keeps the largest relative error and where it was.
type worst struct {
	largest, total float64
	count          int
	where          []float64
}

func (w *worst) add(got, want float64, where []float64) {
	w.addError(relativeError(got, want), where)
}

func (w *worst) addError(e float64, where []float64) {
	w.total += e
	w.count++
	if !(e <= w.largest) { // a NaN counts as the largest
		w.largest, w.where = e, where
	}
}

func (w *worst) check(t *testing.T, what string, budget float64) {
	t.Helper()
	t.Logf("%-28s max %.1e mean %.1e at %v (%d points, budget %.1e)", what, w.largest, w.total/float64(w.count), w.where, w.count, budget)
	assert.LessOrEqual(t, w.largest, budget, "%s at %v", what, w.where)
}

func relativeError(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Abs(want)
}

// smallestNormal is where float64 begins to lose digits.
const smallestNormal = 0x1p-1022

func TestWAgainstTable(t *testing.T) {
	// Over 20000 random points of [0,7]², half of them close to the real axis,
	// the maxima are 0.9e-15 (modulus), 1.5e-15 (Re), 1.1e-15 (Im); this table
	// is a part of what was tried.
	var modulus, re, im worst
	for _, row := range readTable(t, "w.csv") {
		got, want := W(complex(row[0], row[1])), complex(row[2], row[3])
		modulus.addError(cmplx.Abs(got-want)/cmplx.Abs(want), row)
		if row[2] > smallestNormal {
			re.add(real(got), row[2], row)
		} else {
			assert.InDelta(t, row[2], real(got), 0x1p-1073, "underflow at %v", row)
		}
		im.add(imag(got), row[3], row)
	}
	modulus.check(t, "w, first quadrant, modulus", 1.2e-15)
	re.check(t, "w, first quadrant, Re", 1.6e-15)
	im.check(t, "w, first quadrant, Im", 1.3e-15)
}

func TestWElsewhereAgainstTable(t *testing.T) {
	var modulus worst
	for _, row := range readTable(t, "w_elsewhere.csv") {
		got, want := W(complex(row[0], row[1])), complex(row[2], row[3])
		modulus.addError(cmplx.Abs(got-want)/cmplx.Abs(want), row)
	}
	modulus.check(t, "w, other quadrants, modulus", 1e-15)
}

func TestErfcxAgainstTable(t *testing.T) {
	var e worst
	for _, row := range readTable(t, "erfcx.csv") {
		e.add(Erfcx(row[0]), row[1], row)
	}
	e.check(t, "erfcx", 6e-16)
}

func TestLogErfcAgainstTable(t *testing.T) {
	var e worst
	for _, row := range readTable(t, "log_erfc.csv") {
		e.add(LogErfc(row[0]), row[1], row)
	}
	e.check(t, "log erfc", 4e-16)
}
