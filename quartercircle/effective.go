package quartercircle

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/stat/distuv"

	"lamcap/internal/stream"
)

const (
	// sampledUpTo is the largest smaller dimension whose spectra are sampled;
	// beyond it the 1/d expansion is more accurate than an affordable average.
	sampledUpTo = 128
	minSpectra  = 64
	maxSpectra  = 4096
)

// spectraFor returns how many spectra are averaged. It depends on the shape
// alone, so that no number depends on what was asked before. The relative
// spread of a sum of squares falls like 1/d, so 1/d² keeps the relative
// standard error (about 2e-4 in the bulk) and the cost (under a second) level.
func spectraFor(smaller int) int {
	const level = 64
	return min(maxSpectra, max(minSpectra, maxSpectra*level*level/(smaller*smaller)))
}

// Estimate is a number known up to an error: a standard error when it is the
// average of Samples spectra, a bound when Samples is 0 (both 0: exact).
type Estimate struct {
	Value         float64
	StandardError float64 // of the average; 0 when nothing was sampled
	Bound         float64 // on what an expansion leaves out; 0 when sampled or exact
	Samples       int
}

// Spectra averages sums of squared singular values of Gaussian matrices and
// remembers the averages, so that all ranks of one shape cost one sampling.
// It is safe for concurrent use. The streams are fixed: two Spectra give
// the same numbers.
type Spectra struct {
	mu    sync.Mutex
	known map[[2]int]*average // keyed by (max, min) of the dimensions
}

// NewSpectra returns an empty cache of averages.
func NewSpectra() *Spectra { return &Spectra{known: make(map[[2]int]*average)} }

// average holds, for one shape, the mean share of ‖G‖² in the top m singular
// values, m = 1 … min, and the standard error of it.
type average struct {
	share, standardError []float64
	samples              int
}

// EffectiveDimension returns N_eff(d_out, d_in, m) = E Σ_{i≤m} σ_i²(G) for
// G ∈ R^{d_out×d_in} with i.i.d. N(0, 1) entries, 1 ≤ m ≤ min(d_out, d_in).
//
// At m = min it is d_out·d_in, exactly. Below, up to 4,096 spectra are sampled
// from a fixed stream by the bidiagonal model of [de], which has the law of
// σ(G) at the cost of a bidiagonal SVD. The share Σ_{i≤m} σ_i²/‖G‖² is independent of ‖G‖, so averaging it and
// multiplying by E‖G‖² = d_out d_in removes most of the variance. For
// min(d_out, d_in) > 128 the law's first two orders in 1/d are used instead
// ([bs]), with a bound on the rest.
func (s *Spectra) EffectiveDimension(dOut, dIn, m int) (Estimate, error) {
	if dOut < 1 || dIn < 1 {
		return Estimate{Value: math.NaN()}, fmt.Errorf("d_out × d_in = %d × %d: want both ≥ 1", dOut, dIn)
	}
	larger, smaller := max(dOut, dIn), min(dOut, dIn)
	if m < 1 || m > smaller {
		return Estimate{Value: math.NaN()}, fmt.Errorf("rank = %d: want 1 ≤ rank ≤ min(d_out, d_in) = %d", m, smaller)
	}
	total := float64(larger) * float64(smaller)
	switch {
	case m == smaller:
		return Estimate{Value: total}, nil
	case smaller > sampledUpTo:
		return expansion(larger, smaller, m)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [2]int{larger, smaller}
	a := s.known[key]
	if a == nil {
		a = sampleShares(larger, smaller)
		s.known[key] = a
	}
	return Estimate{
		Value:         total * a.share[m-1],
		StandardError: total * a.standardError[m-1],
		Samples:       a.samples,
	}, nil
}

// sampleShares averages the cumulative shares of spectra drawn from a stream
// addressed by the shape.
func sampleShares(larger, smaller int) *average {
	rng := stream.New(0, "effective dimension", fmt.Sprintf("%dx%d", larger, smaller), 0)
	mean := make([]float64, smaller)
	square := make([]float64, smaller) // Σ (x − mean)², Welford
	diagonal := make([]float64, smaller)
	off := make([]float64, smaller)
	work := make([]float64, 4*smaller)
	chi := func(k int) float64 {
		return math.Sqrt(distuv.ChiSquared{K: float64(k), Src: rng}.Rand())
	}
	a := &average{share: mean, standardError: make([]float64, smaller)}
	for a.samples < spectraFor(smaller) {
		for i := range diagonal {
			diagonal[i] = chi(larger - i)
		}
		for i := range smaller - 1 {
			off[i] = chi(smaller - 1 - i)
		}
		// Values only: no vectors, so the vector arguments are empty.
		if !(lapack.Implementation{}).Dbdsqr(blas.Upper, smaller, 0, 0, 0, diagonal, off, nil, 1, nil, 1, nil, 1, work) {
			panic("quartercircle: the bidiagonal SVD did not converge")
		}
		a.samples++
		accumulate(diagonal, mean, square, a.samples)
	}
	n := float64(a.samples)
	for i := range mean {
		a.standardError[i] = math.Sqrt(square[i] / (n * (n - 1)))
	}
	return a
}

// accumulate updates running means and squared deviations of the cumulative
// shares of the descending singular values sigma.
func accumulate(sigma, mean, square []float64, n int) {
	total := 0.0
	for _, x := range sigma {
		total += x * x
	}
	top := 0.0
	for i, x := range sigma {
		top += x * x
		delta := top/total - mean[i]
		mean[i] += delta / float64(n)
		square[i] += delta * (top/total - mean[i])
	}
}

// expansion returns d_out d_in I(κ) plus the order-d term. With c the cut in
// λ = σ²/max and the linear statistic (λ − c)_+, [bs] (their eq. 5.12, real
// case) gives the shift of its mean,
//
//	X = √y [(1 − cos φ_κ)/2 − (sin φ_κ − φ_κ cos φ_κ)/π].
func expansion(larger, smaller, m int) (Estimate, error) {
	n := float64(larger)
	law, err := NewRectangular(float64(smaller) / n)
	if err != nil {
		return Estimate{Value: math.NaN()}, err
	}
	kappa := float64(m) / float64(smaller)
	i, err := law.TruncatedSecondMoment(kappa)
	if err != nil {
		return Estimate{Value: math.NaN()}, err
	}
	cut, _, _ := law.cutAngle(kappa)
	phi := cut.size
	if cut.fromLower {
		phi = math.Pi - phi
	}
	sin, cos := math.Sincos(phi)
	half := math.Sin(phi / 2)
	shift := law.sqrtY * (half*half - (sin-phi*cos)/math.Pi)
	total := n * float64(smaller)
	return Estimate{
		Value: total*i.Value + n*shift,
		Bound: edgeBound(larger, smaller) + total*i.Error,
	}, nil
}

// edgeBound is an empirical bound on what the expansion leaves out of N_eff: the
// scale of the fluctuation of one σ² at the soft edge, times a constant above
// the differences from sampled spectra (tests). What is left out lowers N_eff,
// as E min_c ≤ min_c E says of Σ_{i≤m} λ_i = min_c [mc + Σ (λ_i − c)_+].
func edgeBound(larger, smaller int) float64 {
	n, p := math.Sqrt(float64(larger)), math.Sqrt(float64(smaller))
	return 0.4 * (n + p) * math.Cbrt(1/n+1/p)
}
