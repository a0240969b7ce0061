package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"regexp"
	"unicode/utf16"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// exact draws on gonum's PDF canvas what that draws wrongly: it writes quadratic curves as the
// operator v, which is a cubic one, and translucent colors darker than they are.
type exact struct{ vg.Canvas }

func (e exact) Fill(p vg.Path) {
	cubic := make(vg.Path, len(p))
	var at vg.Point
	for i, c := range p {
		if len(c.Control) == 1 {
			q := c.Control[0].Scale(2. / 3)
			c.Control = []vg.Point{at.Scale(1. / 3).Add(q), c.Pos.Scale(1. / 3).Add(q)}
		}
		at, cubic[i] = c.Pos, c
	}
	e.Canvas.Fill(cubic)
}

func (e exact) SetColor(c color.Color) {
	e.Canvas.SetColor(straight(color.NRGBAModel.Convert(c).(color.NRGBA)))
}

// straight is a color that is not multiplied by its opacity.
type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// pdf returns the figure as PDF. Gonum's canvas keeps its document to itself: the time
// that is stamped on it becomes no real one, as the same figure is the same file, and title and
// subject are added as an update of the file (ISO 32000-1, 7.5.6).
func (l *layout) pdf(f *Figure) ([]byte, error) {
	c := vgpdf.New(l.width, l.height)
	l.draw(outlined{exact{c}})
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	const never = "(D:20000101000000)"
	b = *bytes.NewBuffer(regexp.MustCompile(`\(D:\d{14}\)`).ReplaceAll(b.Bytes(), []byte(never)))
	var size, root, info, previous int
	at := bytes.LastIndex(b.Bytes(), []byte("trailer"))
	if _, err := fmt.Sscanf(string(b.Bytes()[max(at, 0):]), "trailer\n<<\n/Size %d\n/Root %d 0 R\n/Info %d 0 R\n>>\nstartxref\n%d", &size, &root, &info, &previous); err != nil {
		return nil, fmt.Errorf("trailer of the PDF: %w", err)
	}
	object := b.Len()
	fmt.Fprintf(&b, "%d 0 obj\n<<\n/Title %s\n/Subject %s\n/Creator (lamcap)\n/CreationDate %s\n/ModDate %s\n>>\nendobj\n",
		info, utf16Text(f.Title), utf16Text(f.Caption), never, never)
	table := b.Len()
	fmt.Fprintf(&b, "xref\n%d 1\n%010d 00000 n \ntrailer\n<<\n/Size %d\n/Root %d 0 R\n/Info %d 0 R\n/Prev %d\n>>\nstartxref\n%d\n%%%%EOF\n",
		info, object, size, root, info, previous, table)
	return b.Bytes(), nil
}

// utf16Text is a string of a PDF.
func utf16Text(s string) string {
	hex := "FEFF"
	for _, u := range utf16.Encode([]rune(s)) {
		hex += fmt.Sprintf("%04X", u)
	}
	return "<" + hex + ">"
}
