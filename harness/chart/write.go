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
	l := f.lay(t)
	if l.err != nil {
		return fmt.Errorf("figure %s: %w", f.Name, l.err)
	}
	var data []byte
	var err error
	switch format {
	case "svg":
		data, err = l.svg(f, t)
	case "png":
		data, err = l.png()
	case "pdf":
		data, err = l.pdf(f)
	default:
		return fmt.Errorf("format = %s: want %s", format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("figure %s: %w", f.Name, err)
	}
	_, err = w.Write(data)
	return err
}
