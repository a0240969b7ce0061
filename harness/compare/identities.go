package compare

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"lamcap/extremes"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/trial"
	"lamcap/internal/quad"
	"lamcap/internal/stream"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// closedFormError is the relative budget of closed forms (accuracy table).
const closedFormError = 2e-15

// identities is section (a): each number by two routes that share no code.
func (o *Options) identities() section {
	// Cover's theorem needs only vectors in general position: exactly 1/2 of
	// the instances with p = 2N inputs and one competitor are storable.
	cover := transition{experiment: "cover", model: pattern.DP, d: 6, trials: 400}
	draws := 100_000
	switch {
	case o.quick:
		draws, cover.trials = 20_000, 100
	case o.Full:
		draws, cover.trials = 1_000_000, 2000
	}
	return section{cover.trials, func(ctx context.Context) ([]Section, error) {
		s := Section{
			Name:   "identities",
			Letter: "a",
			Title:  "Identities: every number by two computations that share no code",
			Digits: 14,
			Notes:  []string{"ok: predicted lies within the sum of both error bounds of measured."},
		}
		random := Section{
			Name:   "identities_monte_carlo",
			Letter: "a",
			Title:  "Identities, by simulation: projections onto the cone, Cover's theorem",
		}
		for _, add := range []func(*Section) error{quarterCircleRows, coneRows, coverRows} {
			if err := add(&s); err != nil {
				return nil, err
			}
		}
		for _, n := range []int{10, 100} {
			if err := o.monteCarloRows(ctx, n, draws, &random); err != nil {
				return nil, err
			}
		}
		row, err := o.coverSimulation(ctx, cover)
		if err != nil {
			return nil, err
		}
		random.Rows = append(random.Rows, row)
		return []Section{s, random}, nil
	}}
}

// quarterCircleRows compares closed forms with quadrature over the density.
func quarterCircleRows(s *Section) error {
	for _, kappa := range []float64{0.25, 0.5} {
		x, err := quartercircle.Cut(kappa)
		if err != nil {
			return err
		}
		closed, err := quartercircle.TruncatedSecondMoment(kappa)
		if err != nil {
			return err
		}
		mass := quad.Integrate(quartercircle.Density, x, 2, quad.Options{Rel: 1e-13})
		moment := quad.Integrate(func(x float64) float64 { return x * x * quartercircle.Density(x) }, x, 2, quad.Options{Rel: 1e-13})
		s.Rows = append(s.Rows,
			bounded(fmt.Sprintf("κ = ∫ρ above x_κ, κ = %v", kappa), kappa, mass.Value, mass.Error+closedFormError),
			bounded(fmt.Sprintf("I(κ) = ∫x²ρ, closed form, κ = %v", kappa), closed, moment.Value, moment.Error+closedFormError))
	}
	return nil
}

// coneRows compares D_n and V_n by the contour integrals with the intrinsic
// volumes, and D_n with its expansion.
func coneRows(s *Section) error {
	const n = 100
	d, err := extremes.ConeDimension(n)
	if err != nil {
		return err
	}
	variance, err := extremes.ConeVariance(n)
	if err != nil {
		return err
	}
	v, err := extremes.IntrinsicVolumes(n)
	if err != nil {
		return err
	}
	mean, spread := v.Mean(), v.Variance()
	s.Rows = append(s.Rows,
		bounded("D_100 = Σ k v_k", d.Value, mean.Value, d.Error+mean.Error),
		bounded("V_100 = Σ (k − D)² v_k", variance.Value, spread.Value, variance.Error+spread.Error))
	for _, large := range []float64{1e100, 1e300} {
		exact, err := extremes.ConeDimension(large)
		if err != nil {
			return err
		}
		series, err := extremes.ConeDimensionExpansion(extremes.FractionForm, math.Log(large), extremes.MaxExpansionOrder)
		if err != nil {
			return err
		}
		s.Rows = append(s.Rows, bounded(fmt.Sprintf("D_n by expansion, n = %v", large),
			series.Value, exact.Value, exact.Error+series.Error))
	}
	return nil
}

// coverRows are Cover's theorem, the case n = 2, in closed form.
func coverRows(s *Section) error {
	const weights, facts = 36, 80
	c, err := saddle.CriticalFactsAmong(weights, 2)
	if err != nil {
		return err
	}
	s.Rows = append(s.Rows, bounded("γ_c = p_c/N at n = 2 (Cover: 2)", 2, c.Facts/weights, c.Error/weights))
	p, err := saddle.NewTransition().Probability(weights, facts, 2)
	if err != nil {
		return err
	}
	// 2^{1−p} Σ_{k<N} C(p−1, k), summed by ratios.
	term, sum := math.Exp2(1-facts), 0.0
	for k := range weights {
		sum += term
		term *= float64(facts-1-k) / float64(k+1)
	}
	s.Rows = append(s.Rows, bounded("P(storable), n = 2, N = 36, p = 80 (Cover)", sum, p.Value, p.Error*math.Min(p.Value, p.Complement)+closedFormError))
	gardner, err := saddle.Gardner{Threshold: 1}.Capacity()
	if err != nil {
		return err
	}
	square := quad.Integrate(func(t float64) float64 {
		return (1 - t) * (1 - t) * math.Exp(extremes.LogDensity(t))
	}, math.Inf(-1), 1, quad.Options{Rel: 1e-13})
	s.Rows = append(s.Rows, bounded("Gardner's 1/γ_c = ∫(1 − t)²φ, T = 1", 1/gardner.Value, square.Value, square.Error+closedFormError))
	return nil
}

// coverSimulation decides instances with one competitor at p = 2N.
func (o *Options) coverSimulation(ctx context.Context, t transition) (Row, error) {
	p := 2 * t.d * t.d
	spec := pattern.Spec{Model: t.model, DIn: t.d, DOut: t.d, P: p, N: 2}
	results := trial.Many(ctx, spec, t.options, o.Seed, t.experiment, fmt.Sprintf("d=%d", t.d), t.trials, o.tick)
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	c, err := tally(results)
	if err != nil {
		return Row{}, fmt.Errorf("Cover's theorem, seed %d, %w", o.Seed, err)
	}
	return Row{
		Quantity:  fmt.Sprintf("stored at n = 2, d = %d, p = 2N = %d (Cover)", t.d, p),
		Predicted: 0.5, Limit: math.NaN(), Measured: float64(c.Stored) / float64(c.Trials-c.Undecided), Interval: c.Interval(level),
		Z: c.Z(0.5), P: c.PValue(0.5), Trials: c.Trials, CountsStored: true, Stored: c.Stored, Undecided: c.Undecided,
	}, nil
}

// monteCarloRows compares D_n and V_n with projections of Gaussian vectors
// onto the cone.
func (o *Options) monteCarloRows(ctx context.Context, n, draws int, s *Section) error {
	const chunks = 64 // streams: the values do not depend on who draws them
	active := make([]float64, draws)
	distance := make([]float64, draws)
	err := trial.Run(ctx, chunks, runtime.GOMAXPROCS(0), func(i int) {
		rng := stream.New(o.Seed, "cone", fmt.Sprintf("n=%d", n), uint64(i))
		scores := make([]float64, n)
		for j := i * draws / chunks; j < (i+1)*draws/chunks; j++ {
			for k := range scores {
				scores[k] = stream.Normal(rng)
			}
			p := extremes.Project(scores)
			active[j], distance[j] = float64(p.Active), p.DistanceSquared
		}
	})
	if err != nil {
		return err
	}
	d, err := extremes.ConeDimension(float64(n))
	if err != nil {
		return err
	}
	v, err := extremes.ConeVariance(float64(n))
	if err != nil {
		return err
	}
	spread := make([]float64, draws)
	for i, a := range active {
		spread[i] = (a - d.Value) * (a - d.Value)
	}
	limit := 2 * math.Log(float64(n))
	sample := stats.NewSample(distance)
	s.Rows = append(s.Rows,
		meanRow(fmt.Sprintf("D_%d = E dist²(g, C_n)", n), d.Value, limit, sample),
		meanRow(fmt.Sprintf("D_%d = E|A|", n), d.Value, limit, stats.NewSample(active)),
		meanRow(fmt.Sprintf("V_%d = E(|A| − D)²", n), v.Value, math.NaN(), stats.NewSample(spread)))
	s.Rejections = append(s.Rejections, sample.Rejects(fmt.Sprintf("D_%d = 2 log n = %.3f (the limit)", n, limit), stats.Prediction{Value: limit}))
	return nil
}

// meanRow compares a predicted mean with a sample.
func meanRow(quantity string, predicted, limit float64, s stats.Sample) Row {
	return Row{
		Quantity: quantity, Predicted: predicted, Limit: limit, Measured: s.Mean, Interval: s.Interval(level),
		Z: s.Z(predicted), P: s.PValue(predicted), Trials: s.N,
	}
}
