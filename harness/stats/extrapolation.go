package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// Extrapolation is a fit of value = Value + Σ_k Coefficients[k]·size^(−powers[k]) to
// a [Scaling], read at infinite size.
type Extrapolation struct {
	Value, StandardError float64
	Interval             Interval // of Value, normal
	Coefficients         []float64
	Fit                  Goodness
	// Status is NoBracket with fewer points than parameters, and Roundoff when the
	// powers cannot be told apart at these sizes: Value is NaN then.
	Status status.Status
}

// Extrapolate fits a constant and corrections that fall as the given powers of the
// size (1 for 1/d) by weighted least squares. The standard error is that of the
// points alone: whether the powers are the right ones Fit can only deny, and a second
// fit with one more power shows how much it matters. It panics unless 0 < level < 1
// and all powers and sizes are positive.
func (s Scaling) Extrapolate(level float64, powers ...float64) Extrapolation {
	checkLevel("Extrapolate", level)
	for _, power := range powers {
		if !(power > 0) || math.IsInf(power, 1) {
			panic(fmt.Sprintf("stats: Extrapolate: power %v: want a finite power > 0", power))
		}
	}
	points, parameters := s.points(), len(powers)+1
	f := Extrapolation{Value: math.NaN(), StandardError: math.NaN(), Interval: everything(), Fit: goodness(math.NaN(), 0), Status: status.NoBracket}
	if len(points) < parameters {
		return f
	}
	reference := middle(points)
	design, right := mat.NewDense(len(points), parameters, nil), mat.NewVecDense(len(points), nil)
	for i, p := range points {
		root := math.Sqrt(p.weight)
		design.Set(i, 0, root)
		for k, power := range powers {
			design.Set(i, k+1, root*math.Pow(p.size/reference, -power))
		}
		right.SetVec(i, root*p.value)
	}
	var qr mat.QR
	qr.Factorize(design)
	const illConditioned = 1e12
	if !(qr.Cond() < illConditioned) {
		f.Status = status.Roundoff
		return f
	}
	var solution mat.VecDense
	if err := qr.SolveVecTo(&solution, false, right); err != nil {
		f.Status = status.Roundoff
		return f
	}
	// The covariance is (AᵀA)⁻¹ = R⁻¹R⁻ᵀ: the variance of the constant is the square of the
	// first row of R⁻¹.
	var r, inverse mat.Dense
	qr.RTo(&r)
	if err := inverse.Inverse(r.Slice(0, parameters, 0, parameters)); err != nil {
		f.Status = status.Roundoff
		return f
	}
	f.Value, f.StandardError, f.Status = solution.AtVec(0), mat.Norm(inverse.RowView(0).T(), 2), status.Converged
	for k, power := range powers {
		f.Coefficients = append(f.Coefficients, solution.AtVec(k+1)*math.Pow(reference, power))
	}
	var residual mat.VecDense
	residual.MulVec(design, &solution)
	residual.SubVec(&residual, right)
	chi := mat.Dot(&residual, &residual)
	f.Fit = goodness(chi, len(points)-parameters)
	half := levelQuantile(level) * f.StandardError
	f.Interval = Interval{Lo: f.Value - half, Hi: f.Value + half}
	return f
}

// Z returns how many standard errors the extrapolated value is above the given one.
func (f Extrapolation) Z(value float64) float64 { return (f.Value - value) / f.StandardError }

// PValue returns the two-sided normal p-value of a predicted limit.
func (f Extrapolation) PValue(value float64) float64 { return math.Exp(f.tails(value).logTwoSided()) }

// Rejects returns how strongly the fit speaks against a named theory with this limit.
func (f Extrapolation) Rejects(theory string, value float64) Rejection {
	return newRejection(theory, f.tails(value))
}

func (f Extrapolation) tails(value float64) tails {
	z := f.Z(value)
	if math.IsNaN(z) {
		return tails{math.NaN(), math.NaN()}
	}
	return tails{lower: extremes.LogCDF(z), upper: extremes.LogSurvival(z)}
}
