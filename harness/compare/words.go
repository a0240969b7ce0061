package compare

import (
	"context"
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/pairings"
	"lamcap/harness/stats"
	"lamcap/harness/trial"
	"lamcap/harness/vectors"
)

// wordsPlan is the experiment on random pairings of real vectors: leading components of the words.
type wordsPlan struct {
	d, trials int // of half-points, at wordOffsets
	// same counts the instances at each load that are decided in other coordinates too, unit those at loads of raw
	// values that are decided with unit norm.
	same, unit int
	// bias and biasTrials are the components and the instances, at each of biasOffsets, of which keys
	// are centred or not; 0 for none.
	bias, biasTrials int
}

// wordOffsets are loads of half-points, in widths from the predicted one, and biasOffsets loads for pairs, from that
// of raw keys. unitFrom is the first of wordOffsets at which values of unit norm are paired with others: above the
// half-point of these.
func wordOffsets() []float64 { return []float64{-1.6, -0.8, 0, 0.8, 1.6} }
func biasOffsets() []float64 { return []float64{0, 0.6} }

const unitFrom = 3

func (o *Options) wordsPlan() (wordsPlan, bool) {
	switch {
	case o.quick:
		return wordsPlan{d: 12, trials: 24, same: 4, unit: 12}, true
	case o.Full:
		return wordsPlan{d: 24, trials: 60, same: 8, unit: 24, bias: 48, biasTrials: 20}, true
	}
	return wordsPlan{}, false
}

func (w wordsPlan) instances() int {
	n := len(wordOffsets())*(2*w.trials+w.same) + (len(wordOffsets())-unitFrom)*w.unit
	if w.bias > 0 {
		n += 2 * len(biasOffsets()) * w.biasTrials
	}
	return n
}

// wordsEnsemble are leading components of the words, preprocessed.
func wordsEnsemble(d int, keys, values vectors.Preprocessing) (pairings.Ensemble, error) {
	s, err := pairings.Leading(pairings.Words(), d)
	if err != nil {
		return pairings.Ensemble{}, err
	}
	e, err := pairings.Ensemble{Keys: s, Values: s}.Preprocess(keys, values)
	e.Name = fmt.Sprintf("words d=%d, %s", d, e.Name)
	return e, err
}

// wordsSection is (n): real vectors, paired at random.
func (o *Options) wordsSection() section {
	plan, ok := o.wordsPlan()
	if !ok {
		return section{0, func(context.Context) ([]Section, error) { return nil, nil }}
	}
	return section{plan.instances(), func(ctx context.Context) ([]Section, error) {
		s := Section{
			Name: "words", Letter: "n",
			Title: "Real vectors: random pairings of 1,500 words, leading components of their GloVe vectors",
			Notes: []string{
				"Predicted: Σ_μ D_μ = d² for pools of p of these values, keys Gaussian, D_μ by projection, with the shift of OP's half-point. How far",
				"that may be off is half of this shift and the errors of both; a half-point as near as that is ok. Invertible linear maps of the keys",
				"and affine ones of the values change no instance: a covariance is no cause of another capacity. Lengths of the values are one.",
				"A mean of the keys is a bias, which makes up for a part of the lengths: predicted, with half-points of both some per cent too low at d=48.",
			},
		}
		white := vectors.Preprocessing{vectors.Whiten}
		raw, err := o.wordsRows(ctx, plan, white, white, &s)
		if err != nil {
			return nil, err
		}
		unitNorm := vectors.Preprocessing{vectors.Whiten, vectors.UnitNorm}
		if _, err := o.wordsRows(ctx, plan, white, unitNorm, &s); err != nil {
			return nil, err
		}
		s.Rejections = append(s.Rejections, participation(plan.d, raw))
		e, err := wordsEnsemble(plan.d, white, unitNorm)
		if err != nil {
			return nil, err
		}
		above := raw.Loads[min(unitFrom, len(raw.Loads)-1):]
		unit, err := pairings.Decide(ctx, e, pairings.Options{Seed: o.Seed, Trials: plan.unit, Loads: above, Progress: o.Progress})
		if err != nil {
			return nil, err
		}
		s.Rejections = append(s.Rejections, sameLoads(unit, raw).Rejects(
			fmt.Sprintf("unit norm of the values changes nothing (p = %d to %d)", above[0], above[len(above)-1])))
		if err := o.coordinatesRow(ctx, plan, raw, &s); err != nil {
			return nil, err
		}
		if plan.bias > 0 {
			if err := o.biasRow(ctx, plan, &s); err != nil {
				return nil, err
			}
		}
		return []Section{s}, nil
	}}
}

// wordsRows adds the half-point of words with some preprocessing, and what it rejects.
func (o *Options) wordsRows(ctx context.Context, plan wordsPlan, keys, values vectors.Preprocessing, s *Section) (*pairings.Measurement, error) {
	e, err := wordsEnsemble(plan.d, keys, values)
	if err != nil {
		return nil, err
	}
	options := pairings.Options{Seed: o.Seed, Trials: plan.trials, Progress: o.Progress}
	q, err := pairings.Predict(ctx, e, options)
	if err != nil {
		return nil, err
	}
	predicted := q.Pool.Facts
	if math.IsNaN(predicted.Value) {
		return nil, fmt.Errorf("%s: %v", e.Name, q.Notes)
	}
	options.Loads = around(predicted.Value, q.Pool.Width, wordOffsets())
	m, err := pairings.Decide(ctx, e, options)
	if err != nil {
		return nil, err
	}
	m.Prediction = q
	counts := m.Decided()
	half := counts.Fit(level)
	undecided := 0
	for _, c := range m.Outcomes {
		undecided += c.Undecided
	}
	nearest := nearestOf(predicted, half.X)
	s.Rows = append(s.Rows, Row{
		Quantity:  fmt.Sprintf("%s p_½, ± %.1f", e.Name, predicted.Error),
		Predicted: predicted.Value, Limit: math.NaN(), Measured: half.X, Interval: half.Interval,
		Z: counts.Z(nearest), P: counts.PValue(nearest),
		Trials: len(options.Loads) * plan.trials, Undecided: undecided,
	})
	gaussian := q.Gaussian.Facts
	s.Rejections = append(s.Rejections, counts.Rejects(
		fmt.Sprintf("Gaussian theory for %s: p_½ = %.1f ± %.1f", e.Name, gaussian.Value, gaussian.Error), nearestOf(gaussian, half.X)))
	return m, nil
}

// nearestOf is the point within the error of v that is nearest to x, the value itself for NaN: a hypothesis that is a
// range has the largest p-value in it.
func nearestOf(v extremes.Value, x float64) float64 {
	if math.IsNaN(x) {
		return v.Value
	}
	return math.Min(math.Max(x, v.Value-v.Error), v.Value+v.Error)
}

// participation rejects the dimension that covariance spectra suggest, Π = (tr C)²/tr C² for keys and for values.
func participation(d int, m *pairings.Measurement) stats.Rejection {
	s, err := pairings.Leading(pairings.Words(), d)
	if err != nil {
		panic("compare: " + err.Error())
	}
	spectrum, err := s.Spectrum()
	if err != nil {
		panic("compare: " + err.Error())
	}
	ratio := spectrum.ParticipationRatio()
	facts, err := Exact{}.Critical(ratio * ratio)
	if err != nil {
		panic("compare: " + err.Error())
	}
	return m.Decided().RejectsKnownWidth(
		fmt.Sprintf("p D_p = Π² with the participation ratio Π = %.1f of the covariance of the words: p_c = %.1f", ratio, facts),
		facts, m.Prediction.Gaussian.Width)
}

// sameLoads pairs the decided trials at the loads that two measurements share.
func sameLoads(first, second *pairings.Measurement) stats.Paired {
	var a, b, decided []bool
	for i, p := range first.Loads {
		for j, q := range second.Loads {
			if p != q {
				continue
			}
			for t := range min(len(first.Results[i]), len(second.Results[j])) {
				x, y := first.Results[i][t], second.Results[j][t]
				a, b = append(a, x == trial.Stored), append(b, y == trial.Stored)
				decided = append(decided, x != trial.Undecided && y != trial.Undecided)
			}
		}
	}
	return stats.NewPaired(a, b, decided)
}

// coordinatesRow decides some of the instances in other coordinates: keys centred and values raw.
func (o *Options) coordinatesRow(ctx context.Context, plan wordsPlan, white *pairings.Measurement, s *Section) error {
	e, err := wordsEnsemble(plan.d, vectors.Preprocessing{vectors.Centre, vectors.UnitNorm}, nil)
	if err != nil {
		return err
	}
	other, err := pairings.Decide(ctx, e, pairings.Options{Seed: o.Seed, Trials: plan.same, Loads: white.Loads, Progress: o.Progress})
	if err != nil {
		return err
	}
	pairs := sameLoads(white, other)
	row := bounded(fmt.Sprintf("of %d instances, those that whitening changes", pairs.Pairs()), 0, float64(pairs.First+pairs.Second), 0)
	row.Trials = len(white.Loads) * plan.same
	s.Rows = append(s.Rows, row)
	return nil
}

// biasRow compares raw keys, whose mean is a bias, with centred ones, instance by instance.
func (o *Options) biasRow(ctx context.Context, plan wordsPlan, s *Section) error {
	var ms [2]*pairings.Measurement
	var loads []int
	for i, keys := range []vectors.Preprocessing{nil, {vectors.Centre}} {
		e, err := wordsEnsemble(plan.bias, keys, nil)
		if err != nil {
			return err
		}
		options := pairings.Options{Seed: o.Seed, Trials: plan.biasTrials, Progress: o.Progress, Pools: 4}
		q, err := pairings.Predict(ctx, e, options)
		if err != nil {
			return err
		}
		if loads == nil {
			loads = around(q.Pool.Facts.Value, q.Pool.Width, biasOffsets())
		}
		options.Loads = loads
		if ms[i], err = pairings.Decide(ctx, e, options); err != nil {
			return err
		}
		ms[i].Prediction = q
	}
	pairs := sameLoads(ms[0], ms[1])
	predicted := 0.0
	for _, p := range loads {
		predicted += (ms[0].Prediction.Pool.At(float64(p)) - ms[1].Prediction.Pool.At(float64(p))) / float64(len(loads))
	}
	row := Row{
		Quantity:  fmt.Sprintf("words d=%d, p = %v: fraction stored, raw keys less centred", plan.bias, loads),
		Predicted: predicted, Limit: math.NaN(), Measured: pairs.Difference(), Interval: pairs.Interval(level),
		Trials: len(loads) * plan.biasTrials,
	}
	row.Z, row.P = untested()
	s.Rows = append(s.Rows, row)
	s.Rejections = append(s.Rejections, pairs.Rejects(fmt.Sprintf("centring the keys changes nothing at d=%d", plan.bias)))
	return nil
}
