// Package table writes every table of this module, in every format.
//
// A [Table] holds columns and rows of plain Go values. [Write] turns one or
// more of them into a terminal table, a GitHub Markdown table, CSV, JSON
// lines, a LaTeX booktabs tabular or a piece of an HTML page. Two families of formats treat numbers
// differently:
//
//	human    table, markdown, latex, html   Column.Digits significant digits, Column.Head as header
//	machine  json, csv                      shortest digits that read back exactly, Column.Key as header
//
// Machine formats carry every column, every float64 to the last bit and
// every string unchanged. Human formats leave out columns marked Hidden and
// show a missing cell as "-", a NaN as "nan" and infinities as "inf" (∞ in
// LaTeX). The bytes written depend on the tables alone, not on locale,
// terminal or environment.
//
// References:
//
//	[RFC 4180]  Y. Shafranovich, Common Format and MIME Type for CSV Files, 2005
//	[GFM]       GitHub Flavored Markdown Spec 0.29, section 4.10 Tables
//	[booktabs]  S. Fear, Publication quality tables in LaTeX
package table
