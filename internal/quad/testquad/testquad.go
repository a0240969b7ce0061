package testquad

import "math"

// Problem is a definite integral.
type Problem struct {
	Name string
	F    func(x float64) float64
	// A and B are the limits, possibly infinite.
	A, B float64
	// Breaks are interior points where F is not smooth; a good routine does
	// without them, at a price.
	Breaks []float64
	// Value is the integral.
	Value float64
}

// Smooth returns integrals of analytic functions over finite ranges.
func Smooth() []Problem {
	return []Problem{
		{Name: "exponential", F: math.Exp, A: 0, B: 1, Value: math.E - 1},
		{Name: "backwards", F: math.Exp, A: 1, B: 0, Value: 1 - math.E},
		{Name: "power 20", F: func(x float64) float64 { return math.Pow(x, 20) }, A: -1, B: 1, Value: 2.0 / 21},
		{Name: "odd", F: math.Sin, A: -1, B: 1, Value: 0},
	}
}

// Oscillatory returns integrals that cancel.
func Oscillatory() []Problem {
	return []Problem{
		{Name: "cos 100x", F: func(x float64) float64 { return math.Cos(100 * x) }, A: 0, B: 1, Value: math.Sin(100) / 100},
		{Name: "sine integral", F: func(x float64) float64 { return math.Sin(x) / x }, A: 0, B: 50, Value: 1.551617072485935897436}, // Si(50)
		{Name: "Bessel J0(20)", F: func(x float64) float64 { return math.Cos(20*math.Sin(x)) / math.Pi }, A: 0, B: math.Pi, Value: math.J0(20)},
		{Name: "damped cosine", F: func(x float64) float64 { return math.Exp(-x) * math.Cos(10*x) }, A: 0, B: math.Inf(1), Value: 1.0 / 101},
		// e^{−200}: nothing but cancellation is left in float64.
		{Name: "Gaussian cos 20x", F: func(x float64) float64 { return normal(x, 0, 1) * math.Cos(20*x) }, A: math.Inf(-1), B: math.Inf(1), Value: math.Exp(-200)},
	}
}

// Singular returns integrals with singularities at 0, which a float
// resolves, kinks and jumps.
func Singular() []Problem {
	return []Problem{
		{Name: "x^(-1/2)", F: func(x float64) float64 { return 1 / math.Sqrt(x) }, A: 0, B: 1, Value: 2},
		{Name: "x^(-9/10)", F: func(x float64) float64 { return math.Pow(x, -0.9) }, A: 0, B: 1, Value: 10},
		{Name: "log", F: math.Log, A: 0, B: 1, Value: -1},
		{Name: "log squared", F: func(x float64) float64 { return math.Log(x) * math.Log(x) }, A: 0, B: 1, Value: 2},
		{Name: "square root", F: math.Sqrt, A: 0, B: 1, Value: 2.0 / 3},
		{Name: "quarter circle", F: func(x float64) float64 { return math.Sqrt((2-x)*(2+x)) / math.Pi }, A: 0, B: 2, Value: 1},
		{Name: "kink", F: func(x float64) float64 { return math.Abs(x - 1.0/3) }, A: 0, B: 1, Breaks: []float64{1.0 / 3}, Value: 5.0 / 18},
		{Name: "jump", F: func(x float64) float64 {
			if x < 0.3 {
				return 0
			}
			return 1
		}, A: 0, B: 1, Breaks: []float64{0.3}, Value: 0.7},
		{Name: "inner x^(-1/2)", F: func(x float64) float64 { return 1 / math.Sqrt(math.Abs(x)) }, A: -1, B: 4, Breaks: []float64{0}, Value: 6},
		{Name: "Beta(1/2,1/2) on a half line", F: func(x float64) float64 { return 1 / (math.Sqrt(x) * (1 + x)) }, A: 0, B: math.Inf(1), Value: math.Pi},
		{Name: "Gamma(1/2)", F: func(x float64) float64 { return math.Exp(-x) / math.Sqrt(x) }, A: 0, B: math.Inf(1), Value: math.Sqrt(math.Pi)},
	}
}

// Peaked returns integrals of functions that live in a small part of the range.
func Peaked() []Problem {
	inf := math.Inf(1)
	return []Problem{
		{Name: "Lorentz 1e-3", F: func(x float64) float64 { return 1 / ((x-0.3)*(x-0.3) + 1e-6) }, A: 0, B: 1, Breaks: []float64{0.3}, Value: 1000 * (math.Atan(700) + math.Atan(300))},
		{Name: "normal 1e-3 in [0,1]", F: func(x float64) float64 { return normal(x, 0.3, 1e-3) }, A: 0, B: 1, Breaks: []float64{0.3}, Value: 1},
		{Name: "mean of N(800,1)", F: func(x float64) float64 { return x * normal(x, 800, 1) }, A: -inf, B: inf, Breaks: []float64{800}, Value: 800},
		{Name: "N(800,1) on a half line", F: func(x float64) float64 { return normal(x, 800, 1) }, A: 0, B: inf, Breaks: []float64{800}, Value: 1},
		{Name: "N(-30000,1000)", F: func(x float64) float64 { return normal(x, -30000, 1000) }, A: -inf, B: inf, Breaks: []float64{-30000}, Value: 1},
		{Name: "normal up to 38", F: func(x float64) float64 { return math.Exp(-x * x) }, A: -inf, B: 38, Breaks: []float64{0}, Value: math.Sqrt(math.Pi)},
	}
}

// Decaying returns integrals over the real line of functions analytic near it
// that decay at least exponentially.
func Decaying() []Problem {
	inf := math.Inf(1)
	return []Problem{
		{Name: "normal", F: func(x float64) float64 { return normal(x, 0, 1) }, A: -inf, B: inf, Value: 1},
		{Name: "sech", F: func(x float64) float64 { return 1 / math.Cosh(x) }, A: -inf, B: inf, Value: math.Pi},
		{Name: "logistic variance", F: func(x float64) float64 {
			e := math.Exp(-math.Abs(x))
			return x * x * e / ((1 + e) * (1 + e))
		}, A: -inf, B: inf, Value: math.Pi * math.Pi / 3},
		{Name: "normal kurtosis", F: func(x float64) float64 { return x * x * x * x * normal(x, 0, 1) }, A: -inf, B: inf, Value: 3},
		{Name: "normal cosine", F: func(x float64) float64 { return math.Cos(3*x) * normal(x, 0, 1) }, A: -inf, B: inf, Value: math.Exp(-4.5)},
	}
}

// HeavyTailed returns integrals whose tails decay like a power.
func HeavyTailed() []Problem {
	inf := math.Inf(1)
	return []Problem{
		{Name: "Cauchy", F: func(x float64) float64 { return 1 / (1 + x*x) }, A: -inf, B: inf, Value: math.Pi},
		{Name: "x^-2", F: func(x float64) float64 { return 1 / (x * x) }, A: 1, B: inf, Value: 1},
		{Name: "x^-1.1", F: func(x float64) float64 { return math.Pow(x, -1.1) }, A: 1, B: inf, Value: 10},
		{Name: "left tail", F: func(x float64) float64 { return 1 / (x * x * x * x) }, A: -inf, B: -2, Value: 1.0 / 24},
	}
}

// All returns every problem.
func All() []Problem {
	var all []Problem
	for _, list := range [][]Problem{Smooth(), Oscillatory(), Singular(), Peaked(), Decaying(), HeavyTailed()} {
		all = append(all, list...)
	}
	return all
}

func normal(x, mean, deviation float64) float64 {
	z := (x - mean) / deviation
	return math.Exp(-0.5*z*z) / (deviation * math.Sqrt(2*math.Pi))
}
