package bench

import (
	"context"
	"slices"
	"time"

	"lamcap/harness/table"
)

// seconds times one call.
func seconds(f func()) float64 {
	begin := time.Now()
	f()
	return time.Since(begin).Seconds()
}

// median returns the middle of the values, or the mean of the two in the
// middle. It does not change them.
func median(values []float64) float64 {
	v := slices.Clone(values)
	slices.Sort(v)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// span returns the smallest and the largest of the values: what a median of a
// few is worth. It panics if there are none.
func span(values []float64) table.Interval {
	return table.Interval{Lo: slices.Min(values), Hi: slices.Max(values)}
}

// turns calls each function in turn, repeats times round, after one round that
// does not count, and returns what each call returned, by function. It returns an
// error if ctx ends before all was measured.
func turns(ctx context.Context, repeats int, functions ...func() float64) ([][]float64, error) {
	results := make([][]float64, len(functions))
	for round := range repeats + 1 {
		for i, f := range functions {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if x := f(); round > 0 {
				results[i] = append(results[i], x)
			}
		}
	}
	return results, nil
}

// ratios divides two lists, entry by entry.
func ratios(a, b []float64) []float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	return r
}
