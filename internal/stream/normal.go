package stream

import (
	"math"
	"math/rand/v2"
)

// Normal returns a standard normal number from rng, by the ziggurat of [Marsaglia00]: the
// same bits on every architecture, which those of [rand.Rand.NormFloat64] are not. There
// the tail takes a logarithm that package math computes differently, and what is rejected
// depends on whether the compiler fuses products with sums. The two take the same words
// from rng and agree, but for last bits in the tail.
//
// A number is a 32-bit integer times one of 128 widths, or, with probability 3e-4, comes
// from the tail |x| > 3.44, where it has about 53 bits.
//
//   - [Marsaglia00] G. Marsaglia, W. W. Tsang, The ziggurat method for generating random
//     variables, J. Stat. Softw. 5 (2000), no. 8.
func Normal(rng *rand.Rand) float64 {
	for {
		word := rng.Uint64()
		j := int32(word)
		i := word >> 32 & (strips - 1)
		x := float64(float64(j) * float64(ziggurat.width[i]))
		switch magnitude := uint32(max(int64(j), -int64(j))); {
		case magnitude < ziggurat.inside[i]:
			return x
		case i == 0:
			return math.Copysign(base+beyondBase(rng), positive(j))
		}
		low, high := ziggurat.density[i], ziggurat.density[i-1]
		height := low + float32(float32(rng.Float64())*(high-low))
		if height < float32(exponential(float64(float64(-0.5*x)*x))) {
			return x
		}
	}
}

// positive is +1 for j > 0, else −1.
func positive(j int32) float64 {
	if j > 0 {
		return 1
	}
	return -1
}

// beyondBase returns a normal number that is larger than base, less base.
func beyondBase(rng *rand.Rand) float64 {
	for {
		x := float64(-uniformLogarithm(rng) * (1 / base))
		y := -uniformLogarithm(rng)
		if y+y >= float64(x*x) {
			return x
		}
	}
}

// uniformLogarithm returns log u for a uniform number u, −Inf for u = 0, of
// probability 2^−53.
func uniformLogarithm(rng *rand.Rand) float64 {
	u := rng.Float64()
	if u == 0 {
		return math.Inf(-1)
	}
	return logarithm(u)
}

const (
	strips = 128
	base   = 3.442619855899      // where the tail begins
	area   = 9.91256303526217e-3 // of each strip, and of the base with the tail
)

// ziggurat is the covering of the density e^{−x²/2} by strips of equal area: the widths
// as multiples of 2^−31, the integers that are inside of the next strip whatever the
// height, and the density at the right end.
var ziggurat = func() (z struct {
	width, density [strips]float32
	inside         [strips]uint32
}) {
	const scale = 1 << 31
	density := func(x float64) float64 { return exponential(float64(float64(-0.5*x) * x)) }
	x := base
	q := area / density(x)
	z.inside[0], z.inside[1] = uint32(x/q*scale), 0
	z.width[0], z.width[strips-1] = float32(q/scale), float32(x/scale)
	z.density[0], z.density[strips-1] = 1, float32(density(x))
	for i := strips - 2; i > 0; i-- {
		outer := x
		x = math.Sqrt(-2 * logarithm(area/outer+density(outer)))
		z.inside[i+1] = uint32(x / outer * scale)
		z.density[i] = float32(density(x))
		z.width[i] = float32(x / scale)
	}
	return z
}()
