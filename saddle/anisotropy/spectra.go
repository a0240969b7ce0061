package anisotropy

import (
	"fmt"
	"math"
)

// Spectra are the eigenvalues of two covariances, those of the keys and of the values, in any
// order and units. Zeros count for nothing: those of a covariance without full rank may be
// left in. A mean of the values shifts all scores of an input alike; one of the keys does
// not, so Keys are the eigenvalues of the matrix of second moments E e eᵀ.
type Spectra struct {
	Keys, Values []float64
}

// Isotropic are the spectra of vectors with covariance 1.
func Isotropic(dIn, dOut int) Spectra {
	ones := func(d int) []float64 {
		v := make([]float64, d)
		for i := range v {
			v[i] = 1
		}
		return v
	}
	return Spectra{ones(dIn), ones(dOut)}
}

// Weights returns rank(C_K)·rank(C_V), the number of weights that facts can use.
func (s Spectra) Weights() float64 {
	return float64(len(positive(s.Keys))) * float64(len(positive(s.Values)))
}

// Participation returns (Σ λ)²/Σ λ², the participation ratio of a spectrum: between 1 and
// the number of its eigenvalues, which it is when they are equal. It is NaN for a spectrum
// without a positive eigenvalue.
func Participation(spectrum []float64) float64 {
	largest := 0.0
	for _, x := range spectrum {
		largest = math.Max(largest, x)
	}
	sum, square := 0.0, 0.0
	for _, x := range spectrum {
		x /= largest
		sum += x
		square += x * x
	}
	return sum * sum / square
}

func (s Spectra) check() error {
	if err := checkSpectrum("keys", s.Keys); err != nil {
		return err
	}
	return checkSpectrum("values", s.Values)
}

// leastEigenvalue and its inverse limit the range of eigenvalues.
const leastEigenvalue = 1e-70

func checkSpectrum(name string, spectrum []float64) error {
	if len(spectrum) > maxDimension {
		return fmt.Errorf("%s: %d eigenvalues: want at most %d", name, len(spectrum), maxDimension)
	}
	count := 0
	for i, x := range spectrum {
		if x == 0 {
			continue
		}
		if !(x >= leastEigenvalue && x <= 1/leastEigenvalue) {
			return fmt.Errorf("%s: eigenvalue %d is %v: want 0, or a number from %v to %v", name, i, x, leastEigenvalue, 1/leastEigenvalue)
		}
		count++
	}
	if count == 0 {
		return fmt.Errorf("%s: no positive eigenvalue", name)
	}
	return nil
}

func positive(spectrum []float64) []float64 {
	out := make([]float64, 0, len(spectrum))
	for _, x := range spectrum {
		if x > 0 {
			out = append(out, x)
		}
	}
	return out
}
