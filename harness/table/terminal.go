package table

import (
	"bytes"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
)

// writeTerminal draws t with light borders.
func writeTerminal(b *bytes.Buffer, t *Table) error {
	if title := oneLine(t.Title); title != "" {
		b.WriteString(title + "\n")
	}
	g := newGrid(t, func(c Column, v cell) string { return oneLine(plain(c, v)) })
	if len(g.heads) > 0 {
		align := make(tw.Alignment, len(g.heads))
		for i, right := range g.right {
			align[i] = tw.AlignLeft
			if right {
				align[i] = tw.AlignRight
			}
			g.heads[i] = oneLine(g.heads[i])
		}
		cells := tw.CellConfig{
			// Automatic formatting would turn alpha_c into ALPHA C.
			Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
			Alignment:  tw.CellAlignment{Global: tw.AlignLeft, PerColumn: align},
		}
		drawn := tablewriter.NewTable(b,
			tablewriter.WithConfig(tablewriter.Config{Header: cells, Row: cells}),
			tablewriter.WithHeaderAutoFormat(tw.Off),
			tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleLight)}),
			// The widths of κ and ≤ would otherwise follow the user's locale.
			tablewriter.WithEastAsian(tw.Off),
		)
		drawn.Header(g.heads)
		if err := drawn.Bulk(g.rows); err != nil {
			return err
		}
		if err := drawn.Render(); err != nil {
			return err
		}
	}
	for _, note := range noteLines(t) {
		b.WriteString(note + "\n")
	}
	return nil
}
