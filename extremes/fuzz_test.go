package extremes

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// laplace is Q(x)/φ(x) for x ≥ 4 by Laplace's continued fraction, 1/(x + 1/(x + 2/(x + …))).
func laplace(x float64) float64 {
	tail := x
	for k := 300; k > 0; k-- {
		tail = x + float64(k)/tail
	}
	return 1 / tail
}

// FuzzNormal takes the tails of the normal law and their inverses at any float64,
// against the complementary error function, and a continued fraction in the tails.
func FuzzNormal(f *testing.F) {
	for _, x := range []float64{0, 1, -1, 9, 40, -9, -38.5, -39.7, 5, -5, 1e8, 1e154, 1e200, math.MaxFloat64, 5e-324, -1e-17, -0.693, math.Inf(1), math.Inf(-1), math.NaN()} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		l := LogSurvival(x)
		h := Hazard(x)
		q, err := SurvivalQuantile(x)
		if math.IsNaN(x) {
			require.True(t, math.IsNaN(l))
			require.Error(t, err)
			return
		}
		require.LessOrEqual(t, l, 0.0)
		require.GreaterOrEqual(t, h, 0.0)
		require.Equal(t, l, LogCDF(-x))
		var want, tolerance float64
		switch {
		case x > 1e155: // −x²/2 overflows
			want = math.Inf(-1)
			if -x*x/2 > want {
				want, tolerance = -x*x/2, 4*ulp
			}
		case x >= 5:
			want, tolerance = LogDensity(x)+math.Log(laplace(x)), 8*ulp
		case x <= -5:
			want = math.Log1p(-math.Exp(LogDensity(x)) * laplace(-x))
			tolerance = ulp * (16 + 2*x*x) // of the exponential
			if want > -1e-300 {
				require.LessOrEqual(t, l, 0.0)
				require.GreaterOrEqual(t, l, -1e-299)
				want = l
			}
		case x < 0:
			want, tolerance = math.Log1p(-math.Erfc(-x/math.Sqrt2)/2), 64*ulp
		default:
			want, tolerance = math.Log(math.Erfc(x/math.Sqrt2)/2), 64*ulp
		}
		if l != want && !(math.Abs(l-want) <= tolerance*math.Abs(want)) {
			t.Fatalf("log Q(%v) = %v, want %v: off by %.3g, allowed %.3g relative", x, l, want, (l-want)/want, tolerance)
		}
		// Not increasing, but for roundings.
		if next := LogSurvival(math.Nextafter(x, math.Inf(1))); next > l*(1-8*ulp) {
			t.Fatalf("log Q rises from %v to %v behind %v", l, next, x)
		}

		if (err != nil) != (x > 0) {
			t.Fatalf("quantile of %v: %v, %v", x, q, err)
		}
		if x > 0 {
			return
		}
		require.False(t, math.IsNaN(q), "quantile of %v", x)
		if x < -1e300 || x > -1e-300 {
			return // x², or what is left of Q, is beyond the range of float64
		}
		back := LogSurvival(q)
		if allowed := 16 * ulp * (-x + Hazard(q)*math.Abs(q)); !(math.Abs(back-x) <= allowed) {
			t.Fatalf("the quantile of %v is %v, where log Q = %v: off by %.3g, allowed %.3g", x, q, back, back-x, allowed)
		}
	})
}

// FuzzConeDimension compares D_n within its bound with the sum over intrinsic volumes
// where n is small and with the expansion for large n elsewhere, and with its neighbours.
func FuzzConeDimension(f *testing.F) {
	for _, n := range []float64{2, 3, 2.5, 63.5, 64, 65, 100.25, 1e3, 1e6, 0x1p53, 1e300, math.Nextafter(1e300, 2e300), 1.99, 0, -1, math.NaN(), math.Inf(1)} {
		f.Add(n, 1e-3)
	}
	f.Fuzz(func(t *testing.T, n, step float64) {
		d, err := ConeDimension(n)
		if !(n >= 2 && n <= MaxSize) {
			require.Error(t, err)
			require.True(t, math.IsNaN(d.Value) && math.IsInf(d.Error, 1))
			return
		}
		require.NoError(t, err)
		require.True(t, d.Status.OK(), "%+v", d)
		logN := math.Log(n)
		if !(d.Value >= 0.5-d.Error && d.Value <= 2*logN+1) || !(d.Error >= 0 && d.Error <= 1e-9*d.Value) {
			t.Fatalf("D_n = %v ± %.3g at n = %v", d.Value, d.Error, n)
		}
		if n == math.Floor(n) && n <= 64 {
			v, err := IntrinsicVolumes(n)
			require.NoError(t, err)
			mean := v.Mean()
			if !(math.Abs(mean.Value-d.Value) <= d.Error+mean.Error) {
				t.Fatalf("D_n = %v ± %.3g at n = %v, by volumes %v ± %.3g", d.Value, d.Error, n, mean.Value, mean.Error)
			}
		}
		if n == math.Floor(n) || n >= integersBelow {
			for _, form := range ExpansionForms() {
				x, err := ConeDimensionExpansion(form, logN, MaxExpansionOrder)
				require.NoError(t, err)
				// dD/dlog n ≤ 2: what a rounding of log n is worth.
				if allowed := d.Error + x.Error + 4*ulp*logN + 16*ulp*x.Value; !(math.Abs(x.Value-d.Value) <= allowed) {
					t.Fatalf("D_n = %v ± %.3g at n = %v, by the expansion (%v) %v ± %.3g", d.Value, d.Error, n, form, x.Value, x.Error)
				}
			}
		}
		if above := n * (1 + math.Abs(step)); above <= MaxSize {
			b, err := ConeDimension(above)
			require.NoError(t, err)
			if b.Value < d.Value-d.Error-b.Error {
				t.Fatalf("D_n falls from %v ± %.3g at %v to %v ± %.3g at %v", d.Value, d.Error, n, b.Value, b.Error, above)
			}
		}
	})
}

// FuzzProject checks what makes a projection one: the target's score rises to the level
// as much as the competitors above it fall, and no other competitor is above it.
func FuzzProject(f *testing.F) {
	bytes := func(scores ...float64) (b []byte) {
		for _, x := range scores {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	f.Add(bytes(1))
	f.Add(bytes(1, 1, 1))
	f.Add(bytes(-1, 2, 3, 0.5))
	f.Add(bytes(0, 5e-324, 1e150, -1e150, 1e150))
	f.Add(bytes(3.99466881e-315, 4.740359163e-315, 4.57457824e-315))
	f.Add(bytes(math.Copysign(0, -1), 0))
	f.Add(bytes(1, math.Inf(1), math.NaN()))
	f.Add(bytes(append([]float64{1.4e-76}, slices.Repeat([]float64{32.501960784313724}, 195)...)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		var scores []float64
		size, plain := 0.0, true
		for ; len(b) >= 8 && len(scores) < 200; b = b[8:] {
			x := math.Float64frombits(binary.LittleEndian.Uint64(b))
			scores = append(scores, x)
			size = max(size, math.Abs(x))
			plain = plain && math.Abs(x) <= 1e150
		}
		if len(scores) == 0 {
			return
		}
		before := slices.Clone(scores)
		p := Project(slices.Clone(scores))
		require.True(t, p.Active >= 0 && p.Active < len(scores))
		if !plain {
			return
		}
		tolerance := (8*ulp*size + 4*math.SmallestNonzeroFloat64) * float64(len(scores))
		balance, squares, above := before[0]-p.Level, 0.0, 0
		for _, x := range before[1:] {
			if x > p.Level {
				balance += x - p.Level
				squares += (x - p.Level) * (x - p.Level)
				above++
			}
		}
		squares += (p.Level - before[0]) * (p.Level - before[0])
		require.GreaterOrEqual(t, p.Level, before[0]-tolerance)
		if !(math.Abs(balance) <= tolerance) && !(above == 0 && p.Level == before[0]) {
			t.Fatalf("%v: level %v, out of balance by %v, allowed %v", before, p.Level, balance, tolerance)
		}
		if !(math.Abs(squares-p.DistanceSquared) <= 8*tolerance*size*float64(len(scores))+math.SmallestNonzeroFloat64*float64(len(scores))) {
			t.Fatalf("%v: distance² %v, want %v", before, p.DistanceSquared, squares)
		}
	})
}
