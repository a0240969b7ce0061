package anisotropy

import (
	"math"
	"math/rand/v2"

	"lamcap/harness/pattern"
	theory "lamcap/saddle/anisotropy"
)

// Sample draws p facts with n candidates each, whose keys and values have normal entries of the
// variances that the spectra give. From equal streams, instances of different spectra are
// linear maps of each other. It returns an error if the sizes are not valid, n ≠ p in OP
// among them.
func Sample(rng *rand.Rand, model pattern.Model, s theory.Spectra, p, n int) (*pattern.Instance, error) {
	spec := pattern.Spec{Model: model, DIn: len(s.Keys), DOut: len(s.Values), P: p, N: n}
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	pools := 1
	if model == pattern.DP {
		pools = p
	}
	return pattern.FromData(spec, draw(rng, s.Keys, p), draw(rng, s.Values, pools*n))
}

// draw returns vectors row by row.
func draw(rng *rand.Rand, spectrum []float64, count int) []float64 {
	deviations := make([]float64, len(spectrum))
	for i, x := range spectrum {
		deviations[i] = math.Sqrt(x)
	}
	out := make([]float64, 0, count*len(spectrum))
	for range count {
		for _, d := range deviations {
			out = append(out, d*rng.NormFloat64())
		}
	}
	return out
}
