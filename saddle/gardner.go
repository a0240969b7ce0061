package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/quad"
	"lamcap/internal/root"
	"lamcap/internal/status"
)

// Gardner is the perceptron with margin T: each input asks that one Gaussian
// score exceed the fixed Threshold in place of the competitors. With T the mean
// of the largest of p − 1 normals it approximates a memory at finite p; the
// winner-take-all cone is exact.
type Gardner struct {
	// Threshold is T, in units of the standard deviation of a score.
	Threshold float64
}

// Stationary is a solution of a one-dimensional saddle-point equation.
type Stationary struct {
	Overlap    float64 // q
	FreeEnergy float64 // Φ(q), per weight
	Residual   float64 // of the stationarity condition at Overlap
	Error      float64 // bound on Overlap from bracket and quadrature
	Status     status.Status
}

// Capacity returns γ_c = 1/E(T − t)_+², inputs per weight, with a bound on
// its error:
//
//	E(T − t)_+² = (1 + T²) Φ(T) + T φ(T).
func (g Gardner) Capacity() (extremes.Value, error) {
	if err := g.check(); err != nil {
		return undefined(), err
	}
	m := g.meanSquare()
	return extremes.Value{
		Value:  1 / m.Value,
		Error:  m.Error/m.Value/m.Value + 0x1p-52/m.Value, // m.Value² may underflow
		Status: m.Status,
	}, nil
}

// meanSquare returns E(T − t)_+². For T < 0 the closed form cancels; there it
// is φ(T) ∫_0^∞ u² e^{Tu − u²/2} du, a positive integral.
func (g Gardner) meanSquare() extremes.Value {
	T := g.Threshold
	density := math.Exp(extremes.LogDensity(T))
	if T >= 0 {
		v := (1+T*T)*math.Exp(extremes.LogCDF(T)) + T*density
		return extremes.Value{Value: v, Error: 8 * 0x1p-53 * v, Status: status.Converged}
	}
	r := quad.Integrate(func(u float64) float64 { return u * u * math.Exp(T*u-u*u/2) }, 0, math.Inf(1),
		quad.Options{Rel: 1e-14, Breaks: []float64{1 / (1 - T), 10 / (1 - T)}})
	return extremes.Value{Value: density * r.Value, Error: density * (r.Error + 4*0x1p-53*(1+T*T)*r.Value), Status: r.Status}
}

// FreeEnergy returns Φ(q) at gamma = p/N inputs per weight, 0 ≤ q < 1, with its
// quadrature error.
func (g Gardner) FreeEnergy(q, gamma float64) (extremes.Value, error) {
	if err := g.check(); err != nil {
		return undefined(), err
	}
	if err := checkOverlap(q); err != nil {
		return undefined(), err
	}
	if !(gamma >= 0) {
		return undefined(), fmt.Errorf("gamma = %v: want gamma ≥ 0", gamma)
	}
	r := g.average(q, 1-q, extremes.LogSurvival)
	entropy := (math.Log1p(-q) + q/(1-q)) / 2
	return extremes.Value{
		Value:  entropy + gamma*r.Value,
		Error:  gamma*r.Error + 0x1p-51*math.Abs(entropy),
		Status: r.Status,
	}, nil
}

// average returns ∫ φ(t) f((T − √q t)/√ε) dt for q and ε = 1 − q, each
// accurate where it is small.
func (g Gardner) average(q, epsilon float64, f func(float64) float64) quad.Result {
	scale := math.Sqrt(epsilon)
	return quad.Integrate(func(t float64) float64 {
		return math.Exp(extremes.LogDensity(t)) * f((g.Threshold-math.Sqrt(q)*t)/scale)
	}, -39, 39, quad.Options{Rel: 1e-13, Breaks: g.breaks(q, epsilon)})
}

// breaks places nodes around T/√q, where f changes over a width √((1−q)/q): each
// segment is short enough to see what is left of the change at its end.
func (g Gardner) breaks(q, epsilon float64) []float64 {
	b := []float64{-8, 0, 8}
	if q == 0 {
		return b
	}
	center := g.Threshold / math.Sqrt(q)
	b = append(b, center)
	const first, ratio = 4, 8
	for d := first * math.Sqrt(epsilon/q); d < 39; d *= ratio {
		b = append(b, center-d, center+d)
	}
	return b
}

// Overlap solves the stationarity of Φ in q at gamma = p/N below capacity,
//
//	q = γ (1 − q) E h(a)²,   a = (T − √q t)/√(1 − q),  h = φ/Q,
//
// which follows from dΦ/dq = q/(2(1 − q)²) − γ E h²/(2(1 − q)).
func (g Gardner) Overlap(gamma float64) (Stationary, error) {
	none := Stationary{Overlap: math.NaN(), FreeEnergy: math.NaN(), Residual: math.NaN(), Error: math.Inf(1)}
	c, err := g.Capacity()
	if err != nil {
		return none, err
	}
	if !(gamma >= 0 && gamma < c.Value) {
		return none, fmt.Errorf("gamma = %v: want 0 ≤ gamma < %.6g, the capacity at threshold %v", gamma, c.Value, g.Threshold)
	}
	if gamma == 0 {
		return Stationary{Status: status.Converged}, nil
	}
	if h := extremes.Hazard(g.Threshold); gamma*h*h < 1e-8 {
		return g.smallOverlap(gamma)
	}
	// Near capacity q → 1 as a power of the distance to it, so the unknown is
	// ε = 1 − q on a log scale.
	var quadrature float64
	condition := func(x float64) float64 {
		epsilon := math.Exp(x)
		r := g.average(-math.Expm1(x), epsilon, func(a float64) float64 { h := extremes.Hazard(a); return h * h })
		quadrature = gamma * epsilon * r.Error
		return -math.Expm1(x) - gamma*epsilon*r.Value
	}
	f := root.Find(condition, math.Log(1e-14), -1e-15, root.Options{})
	if !f.Status.OK() {
		none.Status = f.Status
		return none, fmt.Errorf("gamma = %v: no stationary overlap was found below capacity %.6g (%v)", gamma, c.Value, f.Status)
	}
	q := -math.Expm1(f.X)
	residual := condition(f.X)
	// The slope of the condition in q, by a difference towards larger q (smaller
	// q may not exist).
	d := 1e-4
	slope := math.Abs(residual-condition(f.X-d)) / (d * math.Exp(f.X))
	energy, err := g.FreeEnergy(q, gamma)
	return Stationary{
		Overlap:    q,
		FreeEnergy: energy.Value,
		Residual:   residual,
		Error:      (math.Abs(residual)+quadrature)/slope + math.Exp(f.X)*math.Abs(f.Hi-f.Lo),
		Status:     f.Status,
	}, err
}

// smallOverlap solves q = γ (1 − q) E h(a)² where q ≪ 1: the right side moves
// by about q² when q does, so a few substitutions settle it. Residual and
// status are those of the q returned.
func (g Gardner) smallOverlap(gamma float64) (Stationary, error) {
	square := func(a float64) float64 { h := extremes.Hazard(a); return h * h }
	q := gamma * square(g.Threshold)
	for range 3 {
		q = gamma * (1 - q) * g.average(q, 1-q, square).Value
	}
	r := g.average(q, 1-q, square)
	residual := q - gamma*(1-q)*r.Value
	st := r.Status
	if st.OK() && !(math.Abs(residual) <= 1e-12*q) {
		st = status.MaxIterations
	}
	energy, err := g.FreeEnergy(q, gamma)
	return Stationary{
		Overlap:    q,
		FreeEnergy: energy.Value,
		Residual:   residual,
		// The slope in q of the residual is 1 to 1e-6; h² may underflow.
		Error:  2*math.Abs(residual) + gamma*r.Error + 0x1p-50*q + 1e-290,
		Status: st,
	}, err
}

func (g Gardner) check() error {
	// Below −37.3 the capacity leaves the range of a float64.
	if !(math.Abs(g.Threshold) <= 1e100) || g.Threshold < -37 {
		return fmt.Errorf("threshold = %v: want −37 ≤ threshold ≤ 1e100, in standard deviations of a score", g.Threshold)
	}
	return nil
}

func undefined() extremes.Value {
	return extremes.Value{Value: math.NaN(), Error: math.Inf(1)}
}
