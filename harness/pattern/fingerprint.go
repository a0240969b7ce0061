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
// changed, gives another one. Of Facts, which no seed gives again, it is that of
// the shape, of keys and rows of targets, and of all candidates.
func (in *Instance) Fingerprint() [sha256.Size]byte {
	s := in.spec
	h := sha256.New()
	h.Write([]byte(fingerprintTag))
	b := make([]byte, 0, 8*max(s.DIn, s.DOut, 5))
	for _, n := range []int{int(s.Model), s.DIn, s.DOut, s.P, s.N} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	h.Write(b)
	if s.Model == Facts {
		for mu := range s.P {
			h.Write(appendBits(b[:0], in.Key(mu)))
			h.Write(binary.LittleEndian.AppendUint64(b[:0], uint64(in.targets[mu])))
		}
		for rho := range s.N {
			h.Write(appendBits(b[:0], in.PoolRows(0, rho, 1, nil)))
		}
		return [sha256.Size]byte(h.Sum(nil))
	}
	buffer := make([]float64, s.DOut)
	for mu := range s.P {
		for _, numbers := range [][]float64{in.Key(mu), in.TargetValue(mu, buffer)} {
			h.Write(appendBits(b[:0], numbers))
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func appendBits(b []byte, numbers []float64) []byte {
	for _, x := range numbers {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}
