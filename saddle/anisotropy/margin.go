package anisotropy

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/embedding"
	"lamcap/internal/root"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// MarginSolution is the largest margin for vectors with given spectra, at score level.
type MarginSolution struct {
	// Margin is the largest min over facts and competitors of (S_correct − S_ρ)/‖W‖_F,
	// in the units of u·(W e), and Error a bound on what rounding and quadrature moved it.
	Margin, Error float64
	// Equal is the margin for covariances that are multiples of 1 with the same traces:
	// the prediction that ignores anisotropy.
	Equal float64
	// Dimension is N_eff(ν) = (Σ f)²/Σ f², f = σ²/(1 + νσ²): the number of directions that
	// the margin uses, from the product of participation ratios at small load
	// (Participation) to the number of weights at capacity (Weights).
	Dimension, Participation, Weights float64
	// Filter is 1/ν, in the units of λ_K λ_V: directions of variances far above it are used
	// alike, those far below in proportion to them.
	Filter float64
	// Cone has the law of the scores: those of the solution, per ‖W‖_F, are Scale times
	// the scores projected on it. Margin = Scale·Cone.Margin.
	Cone  extremes.MarginCone
	Scale float64
	// CorrectMean and CorrectStd are mean and standard deviation of the correct score per
	// ‖W‖_F, Active the mean number of competitors at the margin, per fact: p·Active =
	// Σ νσ²/(1 + νσ²), a number of degrees of freedom as in ridge regression.
	CorrectMean, CorrectStd, Active float64
	// Residual is that of the second equation, the difference of the logarithms of its
	// sides; the first is solved by saddle.Margin for each ν.
	Residual float64
	Status   status.Status
}

// mostLogNu limits the search for log ν, in units of the largest product.
const mostLogNu = 690

// Margin returns the largest margin with which p facts with n candidates each are stored, for
// Gaussian keys and values of the given spectra, at score level (d → ∞):
//
//	p D_n(K) = (Σ f)²/Σ f²,   Σ f(1 − νf)/Σ f = K B/D_n(K),   f = σ²/(1 + νσ²),
//	margin = K (Σ f²/Σ f(1 − νf))^{1/2},
//
// sums over all σ² = λ_K λ_V, 2B = D_n′(K); see the package documentation. For equal
// eigenvalues it is saddle.Margin, times σ. 0 < p ≤ 10^300 below capacity,
// Weights/D_n; 2 ≤ n ≤ 10^300. Eigenvalues span at most a factor 10^140; where their products
// span more than some 10^15, Error is not below Margin near capacity.
//
// At finite d margins are smaller: [MarginAtDimensions].
func Margin(s Spectra, p, n float64) (MarginSolution, error) {
	none := MarginSolution{Margin: math.NaN(), Error: math.Inf(1), Residual: math.NaN()}
	if err := s.check(); err != nil {
		return none, err
	}
	law := newProducts(s)
	top, err := saddle.Margin(law.count, p, n)
	if err != nil {
		none.Status = top.Status
		return none, err
	}
	capacity, err := extremes.ConeDimension(n)
	if err != nil {
		return none, err
	}
	sigma := math.Sqrt(law.unit)
	first := law.filter(0)
	out := MarginSolution{Weights: law.count, Participation: first.dimension(law.count),
		Equal: top.Margin * sigma * math.Sqrt(first.sum/law.count)}

	// At log ν = x: K of the first equation, and the difference of the second, whose sides
	// are taken over 1 less themselves.
	var kept saddle.MaxMargin
	var failure error
	difference := func(x float64) float64 {
		f := law.filter(math.Exp(x))
		dimension := f.dimension(law.count)
		if dimension <= p*capacity.Value {
			return math.Inf(1) // no margin uses so few directions
		}
		m, err := saddle.Margin(dimension, p, n)
		if err != nil {
			failure = err
			return math.NaN()
		}
		kept = m
		return math.Log(f.rest) - x - math.Log(f.square) - math.Log(m.Margin) - math.Log(m.CorrectMean/m.Active)
	}
	bracket := [2]float64{-1, 1}
	for i, sign := range []float64{1, -1} {
		// The difference decreases from +∞ to −∞.
		for difference(bracket[i])*sign <= 0 && failure == nil {
			bracket[i] *= 1.5
			if math.Abs(bracket[i]) > mostLogNu {
				none.Status = status.NoBracket
				return none, fmt.Errorf("p = %v: the margin was not found (%v): too close to capacity, %v facts, or to 0", p, none.Status, law.count/capacity.Value)
			}
		}
		if failure != nil {
			return none, failure
		}
	}
	lo, hi := bracket[0], bracket[1]
	r := root.Find(difference, lo, hi, root.Options{AbsX: 1e-11})
	if failure != nil {
		return none, failure
	}
	out.Residual = difference(r.X)
	out.Status = r.Status
	f := law.filter(math.Exp(r.X))
	out.Dimension = f.dimension(law.count)
	out.Filter = law.unit * math.Exp(-r.X)
	out.Scale = sigma * math.Sqrt(f.square/f.rest)
	out.Cone = kept.Cone
	out.Margin = out.Scale * kept.Margin
	out.CorrectMean, out.CorrectStd, out.Active = out.Scale*kept.CorrectMean, out.Scale*kept.CorrectStd, kept.Active
	// The margin is stationary in ν: what ν is off by counts to second order.
	out.Error = out.Scale*kept.Error + out.Margin*(0x1p-46+out.Residual*out.Residual)
	return out, nil
}

// MarginAtDimensions returns the margin at the dimensions that the vectors have, d_out and d_in the
// numbers of positive eigenvalues: [Margin] times the factor by which saddle.MarginOfKeys
// says that Gaussian isotropic vectors of these dimensions miss the score level at
// this load. That the factor is the same for other spectra is observed, not derived; see
// the package documentation for how well. Error bounds rounding and quadrature only. d_in ≥ 8.
func MarginAtDimensions(s Spectra, p, n float64) (extremes.Value, error) {
	m, err := Margin(s, p, n)
	if err != nil {
		return extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: m.Status}, err
	}
	dIn, dOut := float64(len(positive(s.Keys))), float64(len(positive(s.Values)))
	v, err := saddle.MarginOfKeys(m.Weights, p, n, dOut, dIn, embedding.Gaussian)
	if err != nil {
		return extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: v.Status}, err
	}
	factor := v.Margin / v.Score
	return extremes.Value{Value: m.Margin * factor, Error: m.Error*factor + m.Margin*v.Error/v.Score, Status: worse(m.Status, v.Status)}, nil
}
