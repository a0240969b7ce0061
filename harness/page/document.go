package page

import (
	"lamcap/harness/chart"
	"lamcap/harness/table"
)

// Section is one subject of a report: paragraphs of plain text, where p_c, 10^3 and
// `code` are set as such, then figures, then tables.
type Section struct {
	ID, Title string // ID is the anchor; made from the title where it is empty
	Text      []string
	Figures   []chart.Figure
	Tables    []*table.Table
}

// Document is a report.
type Document struct {
	Title    string
	Abstract []string // paragraphs
	Sections []Section
	// Provenance says what made the report: parameters, versions, machines.
	Provenance []*table.Table
}
