package pairings

import (
	"context"
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/status"
	"lamcap/saddle"
	"lamcap/saddle/anisotropy"
)

// Transition is a predicted half-point with a width: P(storable) = Φ((Facts − p)/Width).
type Transition struct {
	// Facts has the size of what is left out as its error.
	Facts extremes.Value
	Width float64
}

// At returns the probability that p facts are storable, NaN without a prediction.
func (t Transition) At(p float64) float64 {
	return math.Exp(extremes.LogCDF((t.Facts.Value - p) / t.Width))
}

// none is what is said where nothing is predicted.
func none() Transition {
	return Transition{Facts: extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: status.Unknown}, Width: math.NaN()}
}

// Prediction is what theory says of random pairings.
type Prediction struct {
	// DIn and DOut are the dimensions of the spaces that keys and values span about their means:
	// no more is used of them.
	DIn, DOut int
	// Decoupled is p_c of Gaussian vectors in these dimensions, where p_c D = N. Gaussian has the
	// half-point of Gaussian vectors with a shared pool, [saddle.OriginalFacts].
	Decoupled float64
	Gaussian  Transition
	// Pool is [PoolLevel].
	Pool Transition
	// Notes say why one of them is missing.
	Notes []string
}

// Predict returns what theory says of an ensemble. What cannot be predicted is NaN, with a note.
func Predict(ctx context.Context, e Ensemble, o Options) (Prediction, error) {
	var out Prediction
	keys, err := e.Keys.Spectrum()
	if err != nil {
		return out, fmt.Errorf("keys: %w", err)
	}
	values, err := e.Values.Spectrum()
	if err != nil {
		return out, fmt.Errorf("values: %w", err)
	}
	out.DIn, out.DOut, out.Gaussian, out.Pool = keys.Rank, values.Rank, none(), none()
	original, err := saddle.OriginalFacts(out.DIn, out.DOut)
	out.Decoupled = original.Decoupled.Facts
	if err != nil {
		out.Notes = append(out.Notes, "No prediction: "+err.Error()+".")
		return out, nil
	}
	out.Gaussian.Facts = original.Facts
	if out.Gaussian.Width, err = gaussianWidth(original.Decoupled.Facts); err != nil {
		return out, err
	}
	out.Pool, err = PoolLevel(ctx, e, original, o)
	if err != nil && ctx.Err() == nil {
		out.Notes = append(out.Notes, "No prediction for the pool as it is: "+err.Error()+".")
		return out, nil
	}
	return out, err
}

// gaussianWidth is √(p V_p)/(d(p D_p)/dp).
func gaussianWidth(p float64) (float64, error) {
	v, err := extremes.ConeVariance(p)
	if err != nil {
		return math.NaN(), err
	}
	slope, err := anisotropy.Growth(p)
	return math.Sqrt(p*v.Value) / slope, err
}

// PoolLevel predicts the half-point from the values as they are. In the mean over pools of p of them,
//
//	Σ_μ D_μ(pool) = d_in d_out at p = p_pool,   p_½ = p_pool · (p_½/p_c)_Gaussian,
//
// D_μ with Gaussian keys that have the mean of those given, d_in → ∞, by Monte Carlo (anisotropy.PoolDimension); the last factor is
// what memories gain that adapt to the pool that their facts share, as for a Gaussian pool. Pools are those
// of the first trials, but for those, if they are fewer than half, in which a value lies in the hull of the
// others and nothing can be stored. The error is that of the draws and half of the shift by the last factor, which is
// not known for other pools than Gaussian ones: an estimate of what is left out, not a bound.
func PoolLevel(ctx context.Context, e Ensemble, original saddle.Original, o Options) (Transition, error) {
	pools := o.Pools
	if pools == 0 {
		pools = DefaultPools
	}
	critical := original.Decoupled.Facts
	near, err := e.poolCost(ctx, o.Seed, critical, 2)
	if err != nil {
		return none(), err
	}
	near, err = e.poolCost(ctx, o.Seed, near.solution(), pools)
	if err != nil {
		return none(), err
	}
	own := extremes.Value{Value: near.solution(), Error: near.error(), Status: original.Facts.Status}
	return Transition{Facts: original.Shared(own), Width: near.width()}, nil
}

// cost is what pools of p values take of the weights.
type cost struct {
	p                     float64
	weights               float64 // d_in d_out
	total, spread, square float64 // means over pools of Σ D, Σ V and (Σ D)²
	pools                 int     // of those
	growth                float64 // d log(p D)/d log p, Gaussian
}

// poolCost measures some pools of about the given number of values.
func (e Ensemble) poolCost(ctx context.Context, seed uint64, facts float64, pools int) (cost, error) {
	p := int(math.Round(facts))
	c := cost{p: float64(p)}
	if err := e.check(p); err != nil {
		return c, err
	}
	slope, err := anisotropy.Growth(c.p)
	if err != nil {
		return c, err
	}
	dimension, err := extremes.ConeDimension(c.p)
	if err != nil {
		return c, err
	}
	c.growth = slope / dimension.Value
	keys, err := e.Keys.Spectrum()
	if err != nil {
		return c, err
	}
	beta, err := KeyMean(e.Keys)
	if err != nil {
		return c, err
	}
	dIn := keys.Rank
	if math.IsInf(beta, 1) {
		dIn++
	}
	targets := make([]int, p)
	for i := range targets {
		targets[i] = i
	}
	inside := 0
	for t := range pools {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		_, rows := e.Rows(seed, p, t)
		pool, err := anisotropy.PoolDimension(e.Values.Select(rows).Data, e.Values.Columns, targets, anisotropy.PoolOptions{Seed: seed + uint64(t), KeyMean: beta})
		switch {
		case err != nil:
			return c, err
		case !pool.Status.OK():
			return c, fmt.Errorf("a projection ended %s", pool.Status)
		case len(pool.Inside) > 0:
			inside = len(pool.Inside)
			continue
		}
		c.pools++
		c.weights = float64(dIn * pool.Rank)
		c.total += pool.Total.Value
		c.square += pool.Total.Value * pool.Total.Value
		c.spread += pool.Spread.Value
	}
	if 2*c.pools < pools {
		return c, fmt.Errorf("of %d pools of %d values %d have values in the hull of the others, %d in the last: no memory gives them the largest score", pools, p, pools-c.pools, inside)
	}
	n := float64(c.pools)
	c.total, c.square, c.spread = c.total/n, c.square/n, c.spread/n
	return c, nil
}

// solution is the p of Σ D = d_in d_out, from the measured one by the growth of a Gaussian pool.
func (c cost) solution() float64 { return c.p * math.Pow(c.weights/c.total, 1/c.growth) }

// error is a standard error of solution.
func (c cost) error() float64 {
	if c.pools < 2 {
		return math.Inf(1)
	}
	variance := math.Max(0, c.square-c.total*c.total) / float64(c.pools-1)
	return c.solution() * math.Sqrt(variance) / c.total / c.growth
}

// width of the transition.
func (c cost) width() float64 { return math.Sqrt(c.spread) / (c.growth * c.total / c.p) }
