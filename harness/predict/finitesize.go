package predict

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/table"
	"lamcap/saddle"
)

// FiniteSize returns a table with a row for each number of candidates n, 2 ≤ n
// ≤ 10^300: D_n with its error bound, the exact full-rank capacity α_c = log
// n/D_n, its expansion for n → ∞, Gardner's threshold form with T the mean of
// the largest of n − 1 normals, and the limit 1/2.
func FiniteSize(ns []float64) (*table.Table, error) {
	if len(ns) == 0 {
		return nil, fmt.Errorf("n: want at least one value")
	}
	t := &table.Table{Name: "finite_size", Columns: []table.Column{
		{Key: "n"},
		{Key: "log_n", Head: "log n", Digits: 6},
		{Key: "d_n", Head: "D_n", Digits: 12},
		{Key: "d_n_error", Head: "± (D_n)", Digits: 2},
		{Key: "alpha_c", Head: "α_c", Digits: 10},
		{Key: "alpha_expansion", Head: "α (expansion)", Digits: 6},
		{Key: "alpha_threshold", Head: "α (threshold)", Digits: 6},
		{Key: "alpha_limit", Head: "α_limit"},
	}}
	t.Notes = []string{
		"α = log n/D_n (facts per weight times log n), expansion: D_n = 2 log n − 3 log(2 log n) − log 2π + 3,",
		"threshold: the competitors as a fixed threshold at the mean of their maximum.",
	}
	for _, n := range ns {
		d, err := extremes.ConeDimension(n)
		if err != nil {
			return nil, err
		}
		largest, err := extremes.MaximumMean(n - 1)
		if err != nil {
			return nil, err
		}
		gamma, err := saddle.Gardner{Threshold: largest.Value}.Capacity()
		if err != nil {
			return nil, err
		}
		logN := math.Log(n)
		expansion, err := extremes.ConeDimensionExpansion(extremes.ExplicitForm, logN, 0)
		if err != nil {
			return nil, err
		}
		t.Append(n, logN, d.Value, d.Error, logN/d.Value, logN/expansion.Value, logN*gamma.Value, saddle.LimitCapacity)
	}
	return t, nil
}
