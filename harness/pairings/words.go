package pairings

import (
	"encoding/binary"
	"math"
	"strings"

	"lamcap/harness/testdata"
	"lamcap/harness/vectors"
)

// Words returns GloVe vectors of the 1,500 most frequent words of three letters and more, in 100
// dimensions ([GloVe]).
func Words() *vectors.Set {
	const preamble = 8 // magic and version; the length of the header follows
	file := []byte(testdata.Vectors())
	header := preamble + 2 + int(binary.LittleEndian.Uint16(file[preamble:]))
	names := strings.Fields(testdata.Words())
	numbers := make([]float64, (len(file)-header)/4)
	for i := range numbers {
		numbers[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(file[header+4*i:])))
	}
	s, err := vectors.NewSet(len(names), len(numbers)/len(names), numbers)
	if err == nil {
		err = s.SetNames(names)
	}
	if err != nil {
		panic("pairings: the words built in: " + err.Error())
	}
	s.Source = "GloVe, 1,500 words"
	return s
}
