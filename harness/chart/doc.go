// Package chart draws figures for papers and web pages as SVG, PNG and PDF.
//
// A [Figure] holds panels, a [Panel] two axes and series of points. Everything a
// reader has to see is in these values: the package knows no physics, and the same
// figure gives the same bytes on every run.
package chart
