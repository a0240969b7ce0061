// Package chart draws figures for papers and web pages as SVG, PNG and PDF.
//
// A [Figure] holds panels, a [Panel] two axes and series of points. Everything a
// reader has to see is in these values: the package knows no physics, and the same
// figure gives the same bytes on every run.
//
// Axes, plotters, legends, the arrangement of panels and the formats are those of
// gonum.org/v1/plot. What it would do differently is done here: legends are outside of the frames,
// numbers without a place on a logarithmic axis are left out and counted, error bars may
// be open, ticks depend on the length of their axis, and text has markup and is drawn as
// the outlines of its glyphs, in every format alike.
//
//	figure.go               what a figure is made of
//	scale.go extent.go      from numbers to places in 0 … 1, which are all that gonum sees
//	ticks.go                which numbers are at the axes
//	marks.go glyph.go       how series are drawn
//	omitted.go              what cannot be drawn
//	layout.go legend.go     where everything is
//	text.go markup.go       text
//	theme.go                colors
//	svg.go png.go pdf.go    the formats
package chart
