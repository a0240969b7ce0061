// Package chart draws figures for papers and web pages as SVG, PNG and PDF.
//
// A [Figure] holds panels, a [Panel] two axes and series of points. Everything a
// reader has to see is in these values: the package knows no physics, and the same
// figure gives the same bytes on every run.
//
// Lines, fonts and pixels are those of gonum.org/v1/plot (vg, vgimg and its fonts). What its
// Plot would do differently is done here: legends are outside of the frames, numbers
// without a place on a logarithmic axis are left out and counted, error bars may
// be open, and text is drawn as the outlines of its glyphs, in every format alike.
//
//	figure.go                  what a figure is made of
//	scale.go extent.go         from numbers to lengths
//	ticks.go                   which numbers are at the axes
//	layout.go legend.go        where everything is
//	draw.go marks.go shapes.go how it is drawn
//	fonts.go markup.go text.go text
//	theme.go                   colors
//	svg.go png.go pdf.go       the formats
package chart
