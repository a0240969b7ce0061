package chart

import (
	"fmt"
	"io"
	"strings"
)

// Formats lists what [Figure.Write] can write.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// Write draws the figure in the format "svg", "png" or "pdf", 8.6 cm wide if it has one
// column of panels and 17.8 cm if it has more, the columns of journals. The same
// figure gives the same bytes.
//
// The errors are those of w, of an unknown format, of a figure without panels, and of
// text with a rune that the fonts do not have.
func (f *Figure) Write(w io.Writer, format string, t Theme) error {
	if len(f.Panels) == 0 {
		return fmt.Errorf("figure %s: no panels: want at least one", f.Name)
	}
	known := newFonts()
	l := known.lay(f, t)
	if known.err != nil {
		return fmt.Errorf("figure %s: %w", f.Name, known.err)
	}
	var c interface {
		canvas
		write(io.Writer) error
	}
	switch format {
	case "svg":
		c = newVector(known, l.width, l.height, f, t)
	case "png":
		c = newRaster(known, l.width, l.height, t.Background())
	case "pdf":
		c = newPage(known, l.width, l.height, f, t.Background())
	default:
		return fmt.Errorf("format = %s: want %s", format, strings.Join(Formats(), ", "))
	}
	l.draw(c)
	return c.write(w)
}
