package chart

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"image/png"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// resolution of PNG in dots per inch.
const resolution = 200

// raster draws on gonum's image canvas.
type raster struct {
	*fonts
	to *vgimg.Canvas
}

func newRaster(f *fonts, w, h vg.Length, background color.NRGBA) raster {
	return raster{f, vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(resolution), vgimg.UseBackgroundColor(background))}
}

func (r raster) group(_ string, draw func()) { draw() }

func (r raster) fill(p vg.Path, c color.NRGBA) {
	r.to.SetColor(c)
	r.to.Fill(p)
}

func (r raster) stroke(p vg.Path, with pen) {
	if with.width <= 0 || len(p) == 0 {
		return
	}
	r.to.SetColor(with.color)
	r.to.SetLineWidth(with.width)
	r.to.SetLineDash(with.dashes, 0)
	r.to.Stroke(p)
}

func (r raster) stamp(shape vg.Path, at []vg.Point, inside color.NRGBA, with pen) {
	for _, q := range at {
		s := shifted(shape, q)
		r.fill(s, inside)
		r.stroke(s, with)
	}
}

func (r raster) text(l line, at vg.Point, vertical bool, c color.NRGBA) {
	r.fill(r.placed(l, at, vertical), c)
}

// write writes the picture with its resolution, without which programs take it for
// almost three times its size.
func (r raster) write(w io.Writer) error {
	var b bytes.Buffer
	if err := png.Encode(&b, r.to.Image()); err != nil {
		return err
	}
	const header = 8 + 25 // signature and IHDR, always first
	data := b.Bytes()
	perMeter := uint32(math.Round(resolution / 0.0254))
	chunk := []byte("pHYs")
	chunk = binary.BigEndian.AppendUint32(chunk, perMeter)
	chunk = binary.BigEndian.AppendUint32(chunk, perMeter)
	chunk = append(chunk, 1)
	whole := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))
	whole = append(whole, chunk...)
	whole = binary.BigEndian.AppendUint32(whole, crc32.ChecksumIEEE(chunk))
	for _, part := range [][]byte{data[:header], whole, data[header:]} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
