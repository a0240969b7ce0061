// Package page writes a report as one HTML file that needs nothing else: no network,
// no other file, and no JavaScript to be read.
//
// A [Document] has sections of text, figures and tables, and the tables of what made
// it. Figures stand in the file as SVG, drawn once for a light and once for a dark
// page, and where they have panels beside each other once more for phones; the reader's
// system chooses, or the reader. Tables are those of [lamcap/harness/table] and can be
// saved as CSV; with JavaScript a click on a column's head sorts by what the cells hold,
// not by what is shown. Package inbrowser checks all of this in a browser.
//
// The file forbids itself everything but its own style and script, by their hashes
// (a Content-Security-Policy), and all text is escaped: a name of a model that holds
// markup is shown, not run. The same document gives the same bytes.
package page
