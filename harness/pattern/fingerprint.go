package pattern

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// fingerprintTag carries a version: a change of the encoding must change it.
const fingerprintTag = "lamcap instance 1\x00"

// Fingerprint is the SHA-256 of the shape of the instance and of the bits of its
// keys and of all its target values: another seed, or a generator that has
// changed, gives another one.
func (in *Instance) Fingerprint() [sha256.Size]byte {
	s := in.spec
	h := sha256.New()
	h.Write([]byte(fingerprintTag))
	b := make([]byte, 0, 8*max(s.DIn, s.DOut, 5))
	for _, n := range []int{int(s.Model), s.DIn, s.DOut, s.P, s.N} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	h.Write(b)
	buffer := make([]float64, s.DOut)
	for mu := range s.P {
		for _, numbers := range [][]float64{in.Key(mu), in.TargetValue(mu, buffer)} {
			b = b[:0]
			for _, x := range numbers {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
			h.Write(b)
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}
