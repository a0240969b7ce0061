package stats

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type referenceRow struct {
	function string
	args     []float64
	value    float64
}

func reference(t *testing.T) []referenceRow {
	file, err := os.Open("testdata/reference.csv")
	require.NoError(t, err)
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	rows := make([]referenceRow, len(records))
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		return v
	}
	for i, r := range records {
		rows[i] = referenceRow{function: r[0], value: number(r[2])}
		for _, a := range strings.Fields(r[1]) {
			rows[i].args = append(rows[i].args, number(a))
		}
	}
	return rows
}

// The fits of reference.py, in its order.
var referenceSets = []Transition{
	{Loads: []float64{0, 1, 2, 3, 4}, Stored: []int{19, 17, 9, 4, 1}, Trials: []int{20, 20, 20, 20, 20}},
	{Loads: []float64{106, 111, 116, 120, 125}, Stored: []int{23, 21, 10, 2, 0}, Trials: []int{24, 24, 24, 24, 24}},
	{Loads: []float64{38, 40, 42, 44}, Stored: []int{15, 10, 6, 1}, Trials: []int{20, 20, 20, 20}},
}

// TestReference compares with 40-digit arithmetic. The budgets are relative errors,
// except for logarithms near 0, where they are absolute.
func TestReference(t *testing.T) {
	fits := make([]HalfPoint, len(referenceSets))
	for i, set := range referenceSets {
		fits[i] = set.fit(0.95, 0) // χ² interval, as in the script
	}
	evaluate := map[string]struct {
		budget float64
		value  func(a []float64) float64
	}{
		"wilson_lo": {5e-15, func(a []float64) float64 { return proportionOf(a).Wilson(a[2]).Lo }},
		"wilson_hi": {5e-15, func(a []float64) float64 { return proportionOf(a).Wilson(a[2]).Hi }},
		"cp_lo":     {1e-14, func(a []float64) float64 { return proportionOf(a).ClopperPearson(a[2]).Lo }},
		"cp_hi":     {1e-14, func(a []float64) float64 { return proportionOf(a).ClopperPearson(a[2]).Hi }},
		"log_upper": {1e-14, func(a []float64) float64 {
			return logBinomialUpper(int(a[0]), int(a[1]), a[2], 1-a[2])
		}},
		"log_lower": {1e-14, func(a []float64) float64 {
			return logBinomialUpper(int(a[1]-a[0]), int(a[1]), 1-a[2], a[2])
		}},
		// gonum's incomplete beta function: 4e-13 at 1000 degrees of freedom.
		"log_student":        {1e-12, func(a []float64) float64 { return logStudentTwoSided(a[0], a[1]) }},
		"upper_quantile":     {2e-15, func(a []float64) float64 { return upperQuantile(a[0]) }},
		"fit_half":           {1e-13, func(a []float64) float64 { return fits[int(a[0])].X }},
		"fit_width":          {1e-11, func(a []float64) float64 { return fits[int(a[0])].Width }},
		"fit_log_likelihood": {1e-14, func(a []float64) float64 { return fits[int(a[0])].LogLikelihood }},
		// Located to 1e-9 of the range of the loads (halfPointTolerance).
		"fit_lo": {1e-8, func(a []float64) float64 { return fits[int(a[0])].Interval.Lo }},
		"fit_hi": {1e-8, func(a []float64) float64 { return fits[int(a[0])].Interval.Hi }},
	}
	worst, seen := map[string]float64{}, map[string]int{}
	for _, row := range reference(t) {
		e, known := evaluate[row.function]
		require.True(t, known, row.function)
		got := e.value(row.args)
		scale := math.Abs(row.value)
		if strings.HasPrefix(row.function, "log_") {
			scale = math.Max(scale, 1)
		}
		relative := 0.0
		if got != row.value {
			relative = math.Abs(got-row.value) / scale
		}
		seen[row.function]++
		worst[row.function] = math.Max(worst[row.function], relative)
		if !(relative <= e.budget) {
			t.Errorf("%s%v = %.17g (%x), want %.17g: relative error %.2g > %.2g",
				row.function, row.args, got, math.Float64bits(got), row.value, relative, e.budget)
		}
	}
	for name := range evaluate {
		require.Positive(t, seen[name], name)
		t.Logf("%-20s %3d values, largest relative error %.1e", name, seen[name], worst[name])
	}
}

func proportionOf(a []float64) Proportion { return Proportion{int(a[0]), int(a[1])} }
