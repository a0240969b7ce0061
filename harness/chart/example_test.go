package chart_test

import (
	"bytes"
	"fmt"
	"math"

	"lamcap/harness/chart"
)

func Example() {
	nan := math.NaN()
	f := &chart.Figure{
		Name:    "half_point",
		Title:   "Half-point of the transition",
		Caption: "Load at which half of all instances are stored, against the dimension.",
		Panels: []chart.Panel{{
			X: chart.Axis{Label: "d", Scale: chart.Log},
			Y: chart.Axis{Label: "p_½/d²"},
			Series: []chart.Series{
				{Name: "limit", Mark: chart.Dashed, Color: 6, Points: []chart.Point{
					chart.At(math.Inf(-1), 0.5), chart.At(math.Inf(1), 0.5)}},
				{Name: "simulated, 95 % intervals", Mark: chart.Points, Points: []chart.Point{
					{X: 8, Y: 0.55, XLo: nan, XHi: nan, YLo: 0.53, YHi: 0.57},
					{X: 32, Y: 0.51, XLo: nan, XHi: nan, YLo: 0.50, YHi: math.Inf(1)}, // no upper end: an arrow
				}},
			},
		}},
	}
	for _, format := range chart.Formats() {
		var b bytes.Buffer
		if err := f.Write(&b, format, chart.Light); err != nil {
			panic(err)
		}
		fmt.Println(format, b.Len() < 50_000)
	}
	// Output:
	// svg true
	// png true
	// pdf true
}
