package pairings

import (
	"context"
	"errors"
	"math"
	"slices"
)

// loadCount is the number of loads that Plan chooses, and reach how many widths beyond the predicted half-points
// they go.
const (
	loadCount = 7
	reach     = 2.0
)

// Plan predicts ensembles, and chooses the loads of a measurement of all of them unless they are given: evenly
// from below the least half-point that is predicted to above the largest.
func Plan(ctx context.Context, ensembles []Ensemble, o Options) ([]Prediction, []int, error) {
	var predictions []Prediction
	for _, e := range ensembles {
		for _, p := range o.Loads {
			if err := e.check(p); err != nil {
				return nil, nil, err
			}
		}
		p, err := Predict(ctx, e, o)
		if err != nil {
			return nil, nil, err
		}
		predictions = append(predictions, p)
	}
	if len(o.Loads) > 0 {
		return predictions, o.Loads, nil
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range predictions {
		for _, t := range []Transition{p.Gaussian, p.Pool} {
			if h := t.Facts.Value; !math.IsNaN(h) {
				lo, hi = min(lo, h-reach*t.Width), max(hi, h+reach*t.Width)
			}
		}
	}
	if math.IsInf(lo, 1) {
		return nil, nil, errors.New("no half-point is predicted: give the loads")
	}
	most := math.MaxInt
	for _, e := range ensembles {
		most = min(most, e.Keys.Rows, e.Values.Rows)
	}
	var loads []int
	for k := range loadCount {
		p := int(math.Round(lo + (hi-lo)*float64(k)/(loadCount-1)))
		loads = append(loads, min(max(p, 2), most))
	}
	slices.Sort(loads)
	return predictions, slices.Compact(loads), nil
}

// Measure predicts ensembles and decides instances of each at the loads of Plan.
func Measure(ctx context.Context, ensembles []Ensemble, o Options) ([]*Measurement, error) {
	predictions, loads, err := Plan(ctx, ensembles, o)
	if err != nil {
		return nil, err
	}
	o.Loads = loads
	var ms []*Measurement
	for i, e := range ensembles {
		m, err := Decide(ctx, e, o)
		if err != nil {
			return nil, err
		}
		m.Prediction = predictions[i]
		ms = append(ms, m)
	}
	return ms, nil
}
