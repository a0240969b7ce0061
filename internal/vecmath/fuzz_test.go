package vecmath_test

import (
	"math"
	"testing"

	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// FuzzExp takes exponentials and their sums of any two numbers, of every bit pattern, at
// any place of a vector, against math.Exp in float64.
func FuzzExp(f *testing.F) {
	for _, x := range []float64{0, 1, -1, 709.42, 709.44, -708, -708.01, 88.36, 88.38, -87.33, -87.34, 5e-324, -1e-310, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()} {
		f.Add(x, 0.5, uint8(3))
		f.Add(-0.25, x, uint8(40))
	}
	var double []*vecmath.Routines[float64]
	var single []*vecmath.Routines[float32]
	for _, l := range simd.Available() {
		double, single = append(double, vecmath.New[float64](l)), append(single, vecmath.New[float32](l))
	}
	f.Fuzz(func(t *testing.T, x, y float64, at uint8) {
		for _, r := range double {
			fuzzExp(t, r, x, y, int(at%48), 708, 709.43, 5e-16)
		}
		for _, r := range single {
			fuzzExp(t, r, float32(x), float32(y), int(at%48), 87.33, 88.37, 1.5e-7)
		}
	})
}

// fuzzExp has y in all places but one. Within its range exp has the relative error u.
func fuzzExp[T vecmath.Float](t *testing.T, r *vecmath.Routines[T], x, y T, at int, least, top, u float64) {
	v := make([]T, at+1, at+5)
	for i := range v {
		v[i] = y
	}
	v[at] = x
	v = append(v, y, y, y, y)[:min(at+4, cap(v))]
	got := make([]T, len(v))
	r.Exp(got, v)
	nan, largest, sum, rises := false, math.Inf(-1), 0.0, false
	for i, e := range v {
		a, want := float64(e), math.Exp(float64(e))
		g := float64(got[i])
		nan = nan || math.IsNaN(a)
		largest = math.Max(largest, a)
		switch {
		case math.IsNaN(a):
			if !math.IsNaN(g) {
				t.Fatalf("%v: exp NaN = %v", r.Level, g)
			}
		case a < -least-0.01:
			if g != 0 {
				t.Fatalf("%v: exp %v = %v, want 0", r.Level, a, g)
			}
		case a >= top+0.01:
			if !math.IsInf(g, 1) {
				t.Fatalf("%v: exp %v = %v, want +Inf", r.Level, a, g)
			}
		case a >= -least && a < top:
			if !(math.Abs(g-want) <= u*want) {
				t.Fatalf("%v: exp %v = %v, want %v: %.3g relative", r.Level, a, g, want, g/want-1)
			}
		}
	}
	if m := float64(r.Max(v)); nan != math.IsNaN(m) || !nan && m != largest {
		t.Fatalf("%v: max %v = %v", r.Level, v, m)
	}
	l := float64(r.LogSumExp(v))
	if nan || math.IsInf(largest, 0) {
		if nan != math.IsNaN(l) || !nan && l != largest {
			t.Fatalf("%v: log Σ exp %v = %v", r.Level, v, l)
		}
		return
	}
	for _, e := range v {
		sum += math.Exp(float64(e) - largest)
	}
	want := largest + math.Log(sum)
	rises = want > maxOf[T]()
	if tolerance := u + u*math.Abs(want) + float64(len(v))*u; !rises && !(math.Abs(l-want) <= tolerance) {
		t.Fatalf("%v: log Σ exp %v = %v, want %v", r.Level, v, l, want)
	}
}

func maxOf[T vecmath.Float]() float64 {
	var zero T
	if _, ok := any(zero).(float32); ok {
		return math.MaxFloat32
	}
	return math.MaxFloat64
}
