package quartercircle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzLaw inverts the distribution function and the capacity at any number.
func FuzzLaw(f *testing.F) {
	for _, x := range []float64{0, 1, 0.5, 0.25, 1e-300, 5e-324, 1 - 0x1p-53, 0.5 - 0x1p-54, 2, -1, math.NaN(), math.Inf(1)} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, p float64) {
		x, err := Quantile(p)
		require.Equal(t, p >= 0 && p <= 1, err == nil)
		c, s := CDF(p), Survival(p)
		if !math.IsNaN(p) {
			require.True(t, c >= 0 && c <= 1 && s >= 0 && s <= 1 && math.Abs(c+s-1) <= 0x1p-50, "CDF %v, survival %v", c, s)
		}
		if err == nil {
			// dF/dx ≤ 2/π; towards 0 with relative accuracy.
			if got := CDF(x); !(math.Abs(got-p) <= 0x1p-48*p+5e-324) {
				t.Fatalf("CDF(Quantile(%v) = %v) = %v", p, x, got)
			}
		}
		alpha, err := Capacity(p)
		require.Equal(t, p > 0 && p <= 1, err == nil)
		if err != nil {
			return
		}
		require.True(t, alpha >= 0 && alpha <= 0.5)
		if p < 1e-300 {
			return // subnormal numbers have fewer digits
		}
		kappa, err := Kappa(alpha)
		require.NoError(t, err)
		back, err := Capacity(kappa)
		require.NoError(t, err)
		if !(math.Abs(back-alpha) <= 0x1p-48*alpha) {
			t.Fatalf("κ = %v has the capacity %v, of κ = %v, which has %v", p, alpha, kappa, back)
		}
	})
}
