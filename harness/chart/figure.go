package chart

import "math"

// Figure is one picture: panels in a grid under a common title.
type Figure struct {
	Name    string  // of the file, without its ending; snake_case
	Title   string  // drawn above the panels, if not empty
	Caption string  // not drawn: the description of the SVG and the subject of the PDF
	Panels  []Panel // row by row
	Columns int     // panels in a row; ≤ 0: one for a single panel, two otherwise
}

// Panel is a frame with two axes and the series drawn in it: bars at the back, curves
// before them, then error bars, then points, and of each the first series behind the next.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
}

// Axis describes one direction of a panel. In its label and in all other texts, _ and ^
// lower and raise the letters or the digits that follow, or all in braces: α_c, d_in,
// 10^{-3}. Letters that stand alone are symbols, and italic. A backslash takes away the
// meaning of what follows it.
//
// An end that is NaN or not allowed by the scale is taken from the data, and so are both
// if both are 0 or Min is not below Max.
type Axis struct {
	Label    string
	Scale    Scale
	Min, Max float64
}

// Scale is how an axis maps numbers to lengths.
type Scale int

const (
	// Linear maps equal differences to equal lengths.
	Linear Scale = iota
	// Log maps equal ratios to equal lengths. What is not positive has no place on it:
	// such points are left out and counted below the figure, such ends of error bars
	// are open.
	Log
)

// Series is a set of points drawn in one way.
type Series struct {
	Name   string // for the legend; "" leaves the series out of it
	Mark   Mark
	Color  int // index of the palette, ≥ 0, reused with another glyph or dash from the end on
	Glyph  int // index of the glyphs for Points, of the dashes for Line and Step, ≥ 0
	Points []Point
}

// Mark is the way in which a series is drawn.
type Mark int

const (
	// Points draws a glyph at each point.
	Points Mark = iota
	// Line joins the points in their order; a NaN interrupts it. Infinite coordinates are
	// beyond the frame: from (−∞, y) to (∞, y), a line goes all the way across.
	Line
	// Step joins the points by a function that is constant from each point to the next
	// and jumps there; a NaN interrupts it.
	Step
	// Bars draws a bar at each point from 0, or the bottom of a logarithmic axis, to Y.
	// XLo and XHi are its sides; where they are NaN, it reaches half-way to its neighbors.
	Bars
	// Dashed is Line with dashes, for references.
	Dashed
)

// Point is a point with error bars from XLo to XHi and from YLo to YHi. An end that is
// NaN is not drawn; 0 is, so that points without error bars are best made by [At]. An
// infinite end is open, and so is one beyond the frame: the bar ends in an arrow there.
type Point struct{ X, Y, XLo, XHi, YLo, YHi float64 }

// At is a point without error bars.
func At(x, y float64) Point {
	nan := math.NaN()
	return Point{X: x, Y: y, XLo: nan, XHi: nan, YLo: nan, YHi: nan}
}

// Theme is the choice of colors.
type Theme int

const (
	// Light is for paper and white pages.
	Light Theme = iota
	// Dark is for dark pages.
	Dark
)
