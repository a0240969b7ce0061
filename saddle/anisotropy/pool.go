package anisotropy

import (
	"errors"
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// PoolOptions say how a pool is measured. The zero value has all the defaults.
type PoolOptions struct {
	// Draws is the number of projections for each target, at least 2; 0 means
	// [DefaultDraws].
	Draws int
	// Seed is the master seed of the draws.
	Seed uint64
	// Raw keeps the coordinates of the values: without it they are whitened. See
	// [PoolDimension] for what that means.
	Raw bool
	// KeyMean is the length β of the mean of the keys in coordinates in which their covariance is 1, 0 to ∞:
	// the memory then has a bias. See [PoolDimension].
	KeyMean float64
	// Adaptation asks for [Pool.Adaptation].
	Adaptation bool
	// Threads is the most goroutines; 0 means GOMAXPROCS. It changes no result.
	Threads int
}

const (
	// DefaultDraws is the default of [PoolOptions.Draws].
	DefaultDraws = 4

	maxDraws     = 1 << 20
	maxDimension = 1 << 14
	maxNumbers   = 1 << 28 // of a pool
)

// Pool is what the facts of a given pool of values cost, see [PoolDimension].
type Pool struct {
	// Facts is the number of targets, Candidates that of the values, and Rank the
	// dimension of the affine space that the values span.
	Facts, Candidates, Rank int
	// Draws is the number of projections for each fact.
	Draws int
	// Total is Σ_μ D_μ, the weights that the facts take, and Spread Σ_μ V_μ, the
	// variance of that number. Both errors are standard errors of the draws.
	Total, Spread extremes.Value
	// Bias holds what the best bias adds to the score of each value, for a key at the mean of the keys and scores
	// with the variance |u|² in the coordinates taken; nil if KeyMean is 0.
	Bias []float64
	// Adaptation is the number of weights that the facts take less than Total, since W adapts to the pool that they
	// share, to second order; 0 if it was not asked for. See the package's documentation.
	Adaptation float64
	// Dimensions holds the estimate of D_μ of each target. Its standard error is
	// about √(V_μ/Draws), V_μ some D_μ: single ones say little.
	Dimensions []float64
	// Inside lists the targets, as positions in the list of targets, that no W gives
	// the strictly largest score: they lie in the hull of their competitors, or one of
	// these equals them. Their D_μ is Rank, or less if they lie on the boundary of the
	// hull.
	Inside []int
	// Status is Converged, or Roundoff, or what went wrong in a projection.
	Status status.Status
}

// PoolDimension returns what each fact takes of the weights, for a given pool of n
// values that all facts share and the rows of it that are their targets (one for each
// fact; rows may repeat). Values holds the pool row by row, n×d_out.
//
// With Gaussian keys of any covariance of full rank, d_in → ∞, W e_μ has to reach the
// cone K_μ = {v : (u_μ − u_ρ)ᵀv ≥ 0 for all ρ}, and all facts are storable up to
//
//	Σ_μ D_μ = d_in · Rank,   D_μ = E dist²(v⁰, K_μ),   v⁰ ~ N(0, 1),
//
// with a width of √(Σ_μ V_μ), V_μ = Var |A_μ|; see [Pool.Probability]. Given the face of
// K_μ that v⁰ is projected to, dist² is χ² with as many degrees of freedom as constraints
// are tight, |A_μ|. So D_μ = E|A_μ|, which is what is averaged: its variance V_μ is that
// of the conic intrinsic volumes, where dist² has V_μ + 2 D_μ.
//
// D_μ depends on the coordinates of the values, storability does not: W may adapt to the
// pool. Coordinates in which Σ_μ D_μ is stationary are the right ones to first order, and
// whitened ones (the covariance of the pool is 1) nearly are; they are taken unless Raw.
// Values in a space of fewer dimensions, Rank < d_out, are whitened in that space, which is
// all that recall can depend on.
//
// Keys with a mean (KeyMean = β > 0) give W a bias; D_μ is then that of fields v⁰ + t s with the best s, as derived in
// the package's documentation, and Total less what s gains by fitting the fields of one instance, so that the condition
// for weights to exist is the one above. With β = ∞ a mean outside the space in which keys vary counts in d_in.
//
// Compared with simulation in the package's documentation. Targets whose score cannot
// become the largest are listed, not left out.
//
// It takes, on one core, 0.2 ms for each projection at n = 1,000, d_out = 100. Errors are
// those of input; the status of the result those of the computation.
func PoolDimension(values []float64, dOut int, targets []int, o PoolOptions) (Pool, error) {
	var none Pool
	n, err := checkPool(values, dOut, targets)
	if err != nil {
		return none, err
	}
	if o.Draws == 0 {
		o.Draws = DefaultDraws
	}
	if o.Draws < 2 || o.Draws > maxDraws {
		return none, fmt.Errorf("draws = %d: want 2 ≤ draws ≤ %d, or 0 for %d", o.Draws, maxDraws, DefaultDraws)
	}
	if !(o.KeyMean >= 0) {
		return none, fmt.Errorf("mean of the keys = %v: want 0 ≤ β ≤ ∞", o.KeyMean)
	}
	if o.Adaptation && o.KeyMean > 0 {
		return none, fmt.Errorf("mean of the keys = %v: want keys of mean 0 with Adaptation, whose expansion has no bias", o.KeyMean)
	}
	coordinates, dimension, rank, err := coordinatesOf(values, n, dOut, o.Raw)
	if err != nil {
		return none, err
	}
	p := Pool{Facts: len(targets), Candidates: n, Rank: rank, Draws: o.Draws, Status: status.Converged,
		Dimensions: make([]float64, len(targets))}
	run := &sweep{coordinates: coordinates, dimension: dimension, targets: targets, draws: o.Draws, seed: o.Seed,
		gain: newGain(o.KeyMean), threads: o.Threads}
	var shift []float64
	if o.KeyMean > 0 {
		var fluctuations float64
		if shift, fluctuations, p.Status = run.bias(); !p.Status.OK() {
			return p, nil
		}
		// The shift was fitted to some draws, and misses the least mean of others by fluctuations/draws.
		p.Total.Value = float64(rank) - fluctuations - fluctuations/float64(o.Draws)
		p.Bias = make([]float64, n)
		for i := range p.Bias {
			p.Bias[i] = run.gain.mean * dot(coordinates[i*dimension:(i+1)*dimension], shift)
		}
	}
	adaptations := make([]adaptation, run.parts())
	if o.Adaptation {
		for i := range adaptations {
			adaptations[i] = newAdaptation(dimension, o.Draws)
		}
	}
	spreads, errors := make([]float64, len(targets)), make([]float64, len(targets))
	squares, costs := make([]float64, len(targets)), make([]float64, len(targets))
	inside := make([]bool, len(targets))
	statuses := make([]status.Status, len(targets))
	run.run("pool dimension", shift, func(r projection) {
		if r.draw == 0 {
			statuses[r.target] = status.Converged
		}
		statuses[r.target] = worse(statuses[r.target], r.Status)
		tight := float64(len(r.Active))
		cost := tight
		for i, x := range shift {
			cost += r.t * x * (r.w.field[i] - r.w.point[i])
		}
		p.Dimensions[r.target] += cost / float64(o.Draws)
		costs[r.target] += cost * cost
		spreads[r.target] += tight
		squares[r.target] += tight * tight
		if o.Adaptation {
			adaptations[r.part].add(r)
		}
	}, func(part, target int, w *projector) {
		sum, mean := spreads[target], p.Dimensions[target]
		spreads[target] = math.Max(0, squares[target]-sum*sum/float64(o.Draws)) / float64(o.Draws-1)
		errors[target] = math.Max(0, costs[target]-mean*mean*float64(o.Draws)) / float64(o.Draws-1)
		inside[target] = !w.separable(targets[target])
		if o.Adaptation {
			adaptations[part].finish()
		}
	})
	if o.Adaptation {
		whole := adaptations[0]
		for _, a := range adaptations[1:] {
			whole.join(a)
		}
		p.Adaptation = whole.weights()
	}
	variance, fourth := 0.0, 0.0
	for i, d := range p.Dimensions {
		p.Total.Value += d
		variance += errors[i] / float64(o.Draws)
		p.Spread.Value += spreads[i]
		// For normal |A|, Var s² = 2σ⁴/(m − 1) and E s⁴ = σ⁴ (m + 1)/(m − 1).
		fourth += 2 * spreads[i] * spreads[i] / float64(o.Draws+1)
		if inside[i] {
			p.Inside = append(p.Inside, i)
		}
		p.Status = worse(p.Status, statuses[i])
	}
	p.Total.Error, p.Spread.Error = math.Sqrt(variance), math.Sqrt(fourth)
	p.Total.Status, p.Spread.Status = p.Status, p.Status
	return p, nil
}

// checkPool returns the number of values.
func checkPool(values []float64, dOut int, targets []int) (int, error) {
	if dOut < 1 || dOut > maxDimension {
		return 0, fmt.Errorf("d_out = %d: want 1 ≤ d_out ≤ %d", dOut, maxDimension)
	}
	n := len(values) / dOut
	switch {
	case n*dOut != len(values):
		return 0, fmt.Errorf("%d numbers are no whole number of values of d_out = %d", len(values), dOut)
	case n < 2:
		return 0, fmt.Errorf("n = %d: want a pool of at least 2 values", n)
	case len(values) > maxNumbers:
		return 0, fmt.Errorf("n = %d, d_out = %d: want a pool of at most %d numbers", n, dOut, maxNumbers)
	case len(targets) == 0:
		return 0, errors.New("no targets: want one for each fact")
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("value %d, entry %d is %v: want finite numbers", i/dOut, i%dOut, v)
		}
	}
	for i, t := range targets {
		if t < 0 || t >= n {
			return 0, fmt.Errorf("target %d is row %d: want 0 ≤ row < n = %d", i, t, n)
		}
	}
	return n, nil
}

// Critical returns the number of facts at which half of the instances are storable,
//
//	p_c = d_in · Rank/D̄,   D̄ = Σ_μ D_μ/p,
//
// for facts whose targets are drawn as the given ones among the same n candidates, and
// keys with dIn dimensions. Its error is a standard error, that of the draws and, since
// other targets would have been drawn too, of the sample of targets. It counts targets in the hull
// of their competitors, [Pool.Inside], as Rank weights each: where there are some, p_c facts that
// are drawn with them are not storable at all ([Pool.Probability] is 0), nor are most instances
// of far fewer. dIn is real: the rank of the keys, or an effective one.
func (p Pool) Critical(dIn float64) (extremes.Value, error) {
	if err := checkKeys(dIn); err != nil {
		return extremes.Value{}, err
	}
	if p.Total.Value == 0 {
		return extremes.Value{Value: math.Inf(1), Status: p.Status}, nil
	}
	mean := p.Total.Value / float64(p.Facts)
	square := 0.0
	for _, d := range p.Dimensions {
		square += (d - mean) * (d - mean)
	}
	count := float64(p.Facts)
	relative := math.Inf(1)
	if p.Facts > 1 {
		relative = math.Sqrt(square/(count-1)/count) / mean
	}
	critical := dIn * float64(p.Rank) / mean
	return extremes.Value{Value: critical, Error: critical * relative, Status: p.Status}, nil
}

// Probability returns the chance that all the given facts are storable with keys in dIn
// dimensions, Φ((d_in Rank − Σ D_μ)/√(Σ V_μ)), or 0 if a target is inside; the error is
// what one standard error of the draws moves it by.
func (p Pool) Probability(dIn float64) (extremes.Value, error) {
	if err := checkKeys(dIn); err != nil {
		return extremes.Value{}, err
	}
	if len(p.Inside) > 0 {
		return extremes.Value{Status: p.Status}, nil
	}
	room := dIn*float64(p.Rank) - p.Total.Value
	if p.Spread.Value == 0 {
		out := extremes.Value{Status: p.Status}
		if room > 0 {
			out.Value = 1
		}
		return out, nil
	}
	width := math.Sqrt(p.Spread.Value)
	at := func(room, width float64) float64 { return math.Exp(extremes.LogCDF(room / width)) }
	value := at(room, width)
	side := room // of the smaller of P and 1 − P, whose differences are no 0 far from the transition
	if room > 0 {
		side = -room
	}
	byTotal := math.Abs(at(side+p.Total.Error, width)-at(side-p.Total.Error, width)) / 2
	bySpread := math.Abs(at(side, width*(1+p.Spread.Error/p.Spread.Value/2)) - at(side, width))
	return extremes.Value{Value: value, Error: math.Hypot(byTotal, bySpread), Status: p.Status}, nil
}

func checkKeys(dIn float64) error {
	if !(dIn > 0 && dIn <= extremes.MaxSize) {
		return fmt.Errorf("d_in = %v: want 0 < d_in ≤ 1e300", dIn)
	}
	return nil
}

func worse(a, b status.Status) status.Status {
	switch {
	case !a.OK():
		return a
	case !b.OK():
		return b
	case a == status.Roundoff || b == status.Roundoff:
		return status.Roundoff
	}
	return status.Converged
}
