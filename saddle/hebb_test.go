package saddle_test

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/extremes"
	"lamcap/saddle"
)

// hebbTable reads a CSV file as one map per row, by column name.
func hebbTable(t *testing.T, name string) []map[string]float64 {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Greater(t, len(rows), 1)
	var table []map[string]float64
	for _, row := range rows[1:] {
		m := map[string]float64{}
		for i, cell := range row {
			v, err := strconv.ParseFloat(cell, 64)
			require.NoError(t, err)
			m[rows[0][i]] = v
		}
		table = append(table, m)
	}
	return table
}

// Budget: relative error 1e-12, and never more than the bound returned.
func TestHebbItemRecallReference(t *testing.T) {
	worst := 0.0
	for _, row := range hebbTable(t, "hebb_item_recall.csv") {
		v, err := saddle.HebbItemRecall(row["d"], row["p"], row["p"])
		require.NoError(t, err)
		want := row["P_item"]
		difference := math.Abs(v.Value - want)
		worst = math.Max(worst, difference/want)
		assert.LessOrEqual(t, difference, 1e-12*want, "d=%v p=%v", row["d"], row["p"])
		assert.LessOrEqual(t, difference, v.Error+0x1p-53*want, "bound at d=%v p=%v", row["d"], row["p"])
		assert.True(t, v.Status.OK(), v.Status)
	}
	t.Logf("largest relative error %.1e", worst)
}

// One competitor: z' < z + h for two independent normals has probability Φ(h/√2).
func TestHebbItemRecallOneCompetitor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Float64Range(1, 1e3).Draw(t, "d")
		p := rapid.Float64Range(1, 1e6).Draw(t, "p")
		v, err := saddle.HebbItemRecall(d, p, 2)
		if err != nil {
			t.Fatal(err)
		}
		want := math.Exp(extremes.LogCDF(d / math.Sqrt(2*p)))
		if math.Abs(v.Value-want) > 1e-13 {
			t.Fatalf("%x, want %x", v.Value, want)
		}
	})
}

// Without a signal (d/√p → 0) all n candidates are alike: P → 1/n. The first
// correction is n·h·E[largest]/n ≈ h√(2 log n) relative, 4e-144 here.
func TestHebbItemRecallWithoutSignal(t *testing.T) {
	for _, n := range []float64{2, 10, 1e6, 1e100, 1e300} {
		v, err := saddle.HebbItemRecall(1, 1e290, n)
		require.NoError(t, err)
		assert.InEpsilon(t, 1/n, v.Value, 1e-11, "n=%v", n)
	}
}

func TestHebbItemRecallMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Float64Range(2, 300).Draw(t, "d")
		p := math.Exp(rapid.Float64Range(0, 15).Draw(t, "log p"))
		n := math.Exp(rapid.Float64Range(math.Ln2, 30).Draw(t, "log n"))
		at := func(d, p, n float64) float64 {
			v, err := saddle.HebbItemRecall(d, p, n)
			if err != nil {
				t.Fatal(err)
			}
			return v.Value
		}
		middle := at(d, p, n)
		if middle < 0 || middle > 1 || at(1.01*d, p, n) < middle-1e-14 ||
			at(d, 1.01*p, n) > middle+1e-14 || at(d, p, 1.01*n) > middle+1e-14 {
			t.Fatalf("P = %v not monotone", middle)
		}
	})
}

func TestHebbErrors(t *testing.T) {
	law := func(v extremes.Value, err error) error { return err }
	for want, err := range map[string]error{
		"d = 0.5: want a finite d ≥ 1":                                       law(saddle.HebbItemRecall(0.5, 10, 10)),
		"p = 0: want 1 ≤ p ≤ 1e300":                                          law(saddle.HebbItemRecall(24, 0, 10)),
		"n = 1: want 2 ≤ n ≤ 1e300 (the target and at least one competitor)": law(saddle.HebbItemRecall(24, 10, 1)),
		"d = 1: want 2 ≤ d ≤ 100000":                                         law(saddle.HebbItemRecallDecoupled(1, 10, 10)),
		"p = NaN: want 1 ≤ p ≤ 1e300":                                        law(saddle.HebbItemRecallDecoupled(24, math.NaN(), 10)),
		"p = 1.5: want 2 ≤ p ≤ 1e300":                                        law(saddle.HebbItemRecallDecoupledCorrected(24, 1.5, 10)),
		"d = 1: want 2 ≤ d ≤ 10000":                                          law(saddle.HebbItemRecallOriginal(1, 10)),
		"p = 1.5: want p = 1 or 2 ≤ p ≤ 1e9":                                 law(saddle.HebbItemRecallOriginal(24, 1.5)),
	} {
		assert.EqualError(t, err, want)
	}
}
