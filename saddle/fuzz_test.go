package saddle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/extremes"
)

// FuzzCritical solves for the capacity of any number of weights, and for the margin at
// any load: what is returned solves its equation, by D_n computed anew.
func FuzzCritical(f *testing.F) {
	for _, w := range []float64{1, 1.5, 2, 576, 1e6, 1e15, 1e300, 0, -1, math.NaN(), math.Inf(1)} {
		f.Add(w, 0.5, 100.0)
		f.Add(w, 1e-3, 2.0)
		f.Add(w, 1.01, 1e300)
	}
	f.Fuzz(func(t *testing.T, weights, load, n float64) {
		c, err := CriticalFacts(weights)
		if !(weights >= 1 && weights <= extremes.MaxSize) {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.True(t, c.Status.OK())
		require.True(t, c.Facts >= 2-c.Error && c.Facts <= 2*weights*(1+1e-15), "%+v", c)
		if !(math.Abs(c.Residual) <= 1e-12) || !(c.Error >= 0 && c.Error <= 1e-8*c.Facts) {
			t.Fatalf("%v weights: %+v", weights, c)
		}
		p := math.Min(math.Max(2, c.Facts), extremes.MaxSize)
		d, err := extremes.ConeDimension(p)
		require.NoError(t, err)
		if got := p * d.Value; !(math.Abs(got/weights-1) <= math.Abs(c.Residual)+2*d.Error/d.Value+1e-12) {
			t.Fatalf("%v weights: p D_p = %v at p_c = %v", weights, got, c.Facts)
		}
		if !(n >= 2 && n <= extremes.MaxSize) || !(load > 0 && load < 1e3) {
			return
		}
		among, err := CriticalFactsAmong(weights, n)
		require.NoError(t, err)
		facts := load * among.Facts
		k, err := Margin(weights, facts, n)
		if err != nil {
			require.True(t, load > 1-1e-9 || facts > extremes.MaxSize || facts < weights/1e299 || !(facts > 0), "load %v of %v facts: %v", load, among.Facts, err)
			return
		}
		require.Less(t, load, 1+1e-9)
		require.True(t, k.Status.OK() && k.Margin >= 0 && k.Error >= 0 && !math.IsInf(k.Error, 0), "%+v", k)
		back, err := extremes.MarginCone{N: n, Margin: k.Margin}.Moments()
		require.NoError(t, err)
		// dD_n/dK is what the error of K is worth in D_n.
		slope := 2 * (back.LevelMean.Value + k.Margin)
		if got := back.Dimension.Value; !(math.Abs(got-weights/facts) <= slope*k.Error+2*back.Dimension.Error+1e-12*got) {
			t.Fatalf("%v weights, %v facts, n = %v: D_n(%v ± %.3g) = %v, want %v", weights, facts, n, k.Margin, k.Error, got, weights/facts)
		}
	})
}
