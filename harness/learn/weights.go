package learn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"lamcap/internal/stream"
)

// Weights are a memory W ∈ R^{DOut×DIn}, either any matrix or a product Q Rᵀ.
type Weights struct {
	// DOut and DIn are the numbers of rows and columns of W.
	DOut, DIn int
	// Rank is the number of columns of Q and R; 0 means that W is stored itself.
	Rank int
	// Parameters holds W (DOut×DIn), or Q (DOut×Rank) followed by R (DIn×Rank),
	// all row-major.
	Parameters []float64
}

// NewWeights returns W = 0 if rank is 0, else Q = R = 0 with rank columns. It
// panics if a dimension is below 1 or the rank is negative.
func NewWeights(dOut, dIn, rank int) *Weights {
	if dOut < 1 || dIn < 1 || rank < 0 {
		panic("learn: want dimensions ≥ 1 and rank ≥ 0")
	}
	n := dOut * dIn
	if rank > 0 {
		n = (dOut + dIn) * rank
	}
	return &Weights{DOut: dOut, DIn: dIn, Rank: rank, Parameters: make([]float64, n)}
}

// RandomWeights returns Q Rᵀ with independent normal entries of the variance
// that gives E‖Q Rᵀ‖²_F = norm². It panics if rank < 1 or norm ≤ 0.
func RandomWeights(rng *rand.Rand, dOut, dIn, rank int, norm float64) *Weights {
	if rank < 1 || !(norm > 0) {
		panic("learn: want rank ≥ 1 and norm > 0")
	}
	w := NewWeights(dOut, dIn, rank)
	// E‖Q Rᵀ‖² = d_out d_in m σ⁴.
	sigma := math.Sqrt(norm / math.Sqrt(float64(dOut)*float64(dIn)*float64(rank)))
	for i := range w.Parameters {
		w.Parameters[i] = sigma * stream.Normal(rng)
	}
	return w
}

// Validate reports what keeps w from being weights: a dimension below 1, a
// negative rank, or parameters of another number than those have.
func (w *Weights) Validate() error {
	if w.DOut < 1 || w.DIn < 1 || w.Rank < 0 {
		return fmt.Errorf("weights: d_out = %d, d_in = %d, rank = %d: want dimensions ≥ 1 and rank ≥ 0", w.DOut, w.DIn, w.Rank)
	}
	// In float64, where no product overflows.
	want := float64(w.DOut) * float64(w.DIn)
	if w.Rank > 0 {
		want = (float64(w.DOut) + float64(w.DIn)) * float64(w.Rank)
	}
	if float64(len(w.Parameters)) != want {
		return fmt.Errorf("weights: %d numbers: want %.0f", len(w.Parameters), want)
	}
	return nil
}

// Clone returns a copy that shares nothing with w.
func (w *Weights) Clone() *Weights {
	c := *w
	c.Parameters = append([]float64(nil), w.Parameters...)
	return &c
}

// Factors returns Q (DOut×Rank) and R (DIn×Rank), views of Parameters. It
// panics if the weights have no factors.
func (w *Weights) Factors() (q, r []float64) {
	if w.Rank == 0 {
		panic("learn: full-rank weights have no factors")
	}
	n := w.DOut * w.Rank
	return w.Parameters[:n], w.Parameters[n:]
}

// Matrix returns W, DOut×DIn row-major: a view of Parameters at full rank,
// otherwise the product Q Rᵀ written to buffer, which needs a length of DOut·DIn.
func (w *Weights) Matrix(buffer []float64) []float64 {
	if w.Rank == 0 {
		return w.Parameters
	}
	q, r := w.Factors()
	buffer = buffer[:w.DOut*w.DIn]
	for i := range w.DOut { // a row of W is R times a row of Q
		gemv(w.DIn, w.Rank, r, q[i*w.Rank:(i+1)*w.Rank], buffer[i*w.DIn:(i+1)*w.DIn])
	}
	return buffer
}

// Norm returns the Frobenius norm of W, without overflow or underflow of
// squares: exactly 0 or, up to round-off, at least the largest entry.
func (w *Weights) Norm() float64 {
	return floats.Norm(w.Matrix(make([]float64, w.DOut*w.DIn)), 2)
}

// gemv computes y = A x, A having rows×cols entries. On amd64 gonum's vector code
// takes half the time of a plain loop, and of its own Dgemm, at the sizes used
// here; and unlike Dgemm it starts no goroutines.
func gemv(rows, cols int, a, x, y []float64) {
	blas64.Implementation().Dgemv(blas.NoTrans, rows, cols, 1, a, cols, x, 1, 0, y, 1)
}
