package chart

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"

	"gonum.org/v1/plot/vg/vgimg"
)

// resolution of PNG in dots per inch.
const resolution = 200

// png returns the picture with its resolution, without which programs take it for
// almost three times its size.
func (l *layout) png() ([]byte, error) {
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(l.width, l.height), vgimg.UseDPI(resolution))}
	l.draw(outlined{c})
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	const header = 8 + 25 // signature and IHDR, always first
	perMeter := uint32(math.Round(resolution / 0.0254))
	chunk := binary.BigEndian.AppendUint32([]byte("pHYs"), perMeter)
	chunk = append(binary.BigEndian.AppendUint32(chunk, perMeter), 1)
	whole := append(binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4)), chunk...)
	whole = binary.BigEndian.AppendUint32(whole, crc32.ChecksumIEEE(chunk))
	return bytes.Join([][]byte{b.Bytes()[:header], whole, b.Bytes()[header:]}, nil), nil
}
