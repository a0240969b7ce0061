package counter

// blockSize is the numbers that one counter gives.
const blockSize = 4

// The multipliers of Philox4x32, and by how much the halves of its key grow
// from round to round (the golden ratio and √3 − 1, in units of 2^−32).
const (
	philoxM0 = 0xd2511f53
	philoxM1 = 0xcd9e8d57
	philoxW0 = 0x9e3779b9
	philoxW1 = 0xbb67ae85
	rounds   = 10
)

// philox is Philox4x32-10: a permutation of the counters for every key, whose
// low half is the first word.
func philox(c [4]uint32, key uint64) [4]uint32 {
	k0, k1 := uint32(key), uint32(key>>32)
	for range rounds {
		p0, p1 := uint64(philoxM0)*uint64(c[0]), uint64(philoxM1)*uint64(c[2])
		c = [4]uint32{uint32(p1>>32) ^ c[1] ^ k0, uint32(p1), uint32(p0>>32) ^ c[3] ^ k1, uint32(p0)}
		k0 += philoxW0
		k1 += philoxW1
	}
	return c
}
