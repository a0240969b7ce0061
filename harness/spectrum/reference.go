package spectrum

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"lamcap/harness/stats"
	"lamcap/harness/trial"
	"lamcap/internal/stream"
)

// Ensemble is a kind of random matrices of a shape.
type Ensemble int

const (
	// GaussianMatrix has independent normal entries; the m largest singular values.
	GaussianMatrix Ensemble = iota
	// GaussianFactors is Q Rᵀ with independent normal entries of both; at full rank
	// a Gaussian matrix.
	GaussianFactors
)

// String returns "gaussian_matrix" or "gaussian_factors".
func (e Ensemble) String() string {
	switch e {
	case GaussianMatrix:
		return "gaussian_matrix"
	case GaussianFactors:
		return "gaussian_factors"
	}
	return fmt.Sprintf("ensemble(%d)", int(e))
}

// Draw returns m singular values of one matrix of the ensemble, largest first,
// not rescaled. It panics if the shape is none.
func (e Ensemble) Draw(rng *rand.Rand, s Shape) []float64 {
	if err := s.check(); err != nil {
		panic("spectrum: " + err.Error())
	}
	if e == GaussianFactors && !s.full() {
		return drawProduct(rng, s)
	}
	return drawGaussian(rng, s)[:s.Rank]
}

// drawGaussian takes the bidiagonal matrix that Householder reflections make of a
// Gaussian one: independent χ_k, k = larger, larger − 1, … on the diagonal and
// smaller − 1, … beside it ([DE]).
func drawGaussian(rng *rand.Rand, s Shape) []float64 {
	n := s.smaller()
	diagonal, off := make([]float64, n), make([]float64, n)
	for i := range n {
		diagonal[i] = chi(rng, s.larger()-i)
	}
	for i := range n - 1 {
		off[i] = chi(rng, n-1-i)
	}
	if !(lapack.Implementation{}).Dbdsqr(blas.Upper, n, 0, 0, 0, diagonal, off[:n-1], nil, 1, nil, 1, nil, 1, make([]float64, 4*n)) {
		panic("spectrum: no singular values of a bidiagonal matrix")
	}
	return diagonal
}

// drawProduct takes for Q and R the triangular factors that reflections make of
// them: χ_k on the diagonal, normals above.
func drawProduct(rng *rand.Rand, s Shape) []float64 {
	m := s.Rank
	triangle := func(rows int) *mat.Dense {
		t := mat.NewDense(m, m, nil)
		for i := range m {
			t.Set(i, i, chi(rng, rows-i))
			for j := i + 1; j < m; j++ {
				t.Set(i, j, stream.Normal(rng))
			}
		}
		return t
	}
	var product mat.Dense
	q, r := triangle(s.DOut), triangle(s.DIn)
	product.Mul(q, r.T())
	var svd mat.SVD
	if !svd.Factorize(&product, mat.SVDNone) {
		panic("spectrum: no singular values of a product")
	}
	return svd.Values(nil)
}

func chi(rng *rand.Rand, k int) float64 {
	return math.Sqrt(distuv.ChiSquared{K: float64(k), Src: rng}.Rand())
}

// Distances are those of one spectrum from one law, with its fourth moment.
type Distances struct{ KS, W1 float64 }

// Measure returns the distances of rescaled values, in ascending order.
func Measure(values []float64, l Law) Distances {
	return Distances{KolmogorovSmirnov(values, l), Wasserstein(values, l)}
}

// Reference is what distances from a law are for true random matrices of a shape.
type Reference struct {
	KS, W1 stats.Simulated
	// FourthMoment is that of [FourthMoment].
	FourthMoment stats.Simulated
	// StableRank is Σσ²/max σ².
	StableRank stats.Simulated
	// Values are the means of the rescaled values in ascending order, and their
	// standard deviations.
	Values, Deviations []float64
}

// Simulate draws the matrices of an ensemble and measures their distances from a
// law. Draws come from the stream of the seed that the shape addresses, so that
// they do not depend on the number of threads.
func Simulate(ctx context.Context, e Ensemble, s Shape, l Law, draws int, seed uint64) (Reference, error) {
	second, err := s.SecondMoment()
	if err != nil {
		return Reference{}, err
	}
	if draws < 2 {
		return Reference{}, fmt.Errorf("references = %d: want references ≥ 2", draws)
	}
	ks, w1, fourth, stable := make([]float64, draws), make([]float64, draws), make([]float64, draws), make([]float64, draws)
	columns := make([][]float64, draws)
	key := stream.NewKey(stream.New(seed, "spectrum reference", fmt.Sprintf("%v %dx%d rank %d", e, s.DOut, s.DIn, s.Rank), 0))
	err = trial.Run(ctx, draws, runtime.GOMAXPROCS(0), func(i int) {
		values := rescale(e.Draw(key.Stream(uint64(i)), s), second)
		d := Measure(values, l)
		ks[i], w1[i], fourth[i], stable[i], columns[i] = d.KS, d.W1, FourthMoment(values), StableRank(values), values
	})
	if err != nil {
		return Reference{}, err
	}
	r := Reference{KS: stats.NewSimulated(ks), W1: stats.NewSimulated(w1), FourthMoment: stats.NewSimulated(fourth), StableRank: stats.NewSimulated(stable)}
	r.Values, r.Deviations = profile(columns)
	return r, nil
}

// profile returns mean and standard deviation of each order statistic.
func profile(columns [][]float64) (mean, deviation []float64) {
	if len(columns) == 0 {
		return nil, nil
	}
	mean, deviation = make([]float64, len(columns[0])), make([]float64, len(columns[0]))
	one := make([]float64, len(columns))
	for i := range mean {
		for j, c := range columns {
			one[j] = c[i]
		}
		s := stats.NewSample(one)
		mean[i], deviation[i] = s.Mean, s.StandardDeviation
	}
	return mean, deviation
}

// References keeps what was simulated, of all shapes; it is safe for concurrent use.
type References struct {
	mu    sync.Mutex
	known map[referenceKey]Reference
	draws int
	seed  uint64
}

type referenceKey struct {
	ensemble Ensemble
	shape    Shape
	law      string
}

// NewReferences returns an empty one, for that many random matrices of a shape.
func NewReferences(draws int, seed uint64) *References { return &References{draws: draws, seed: seed} }

// get simulates once.
func (r *References) get(ctx context.Context, e Ensemble, s Shape, name string, l Law) (Reference, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := referenceKey{e, s, name}
	if known, ok := r.known[key]; ok {
		return known, nil
	}
	made, err := Simulate(ctx, e, s, l, r.draws, r.seed)
	if err == nil {
		if r.known == nil {
			r.known = map[referenceKey]Reference{}
		}
		r.known[key] = made
	}
	return made, err
}
