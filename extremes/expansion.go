package extremes

import (
	"fmt"
	"math"
	"strconv"
)

// The expansion of D_n and V_n for n → ∞.
//
// Up to 1/n, which is beyond every power of 1/log n, the n − 1 competitors are a
// Poisson process of density λ(t) = n φ(t). With Mills's ratio M = Q/φ and m the
// level of the projection, m − t_0 = Σ (t_ρ − m)_+,
//
//	D_n = E|A| = E nQ(m),   P(m ≤ t) = (1/2πi) ∫ e^{sG(s,t)} ds/s,
//	G(s,t) = t + s/2 + λ(t) [M(t + s) − M(t)]/s.
//
// Taking v = G for the variable instead of t turns the exponent into sv, and
// what is left is a sum of Taylor coefficients:
//
//	D_n = (1/2πi) ∫∫ nQ(t(s,v)) e^{sv} dv ds = e^{−∂_s ∂_v} nQ(t(s,v)) at s = v = 0.
//
// Let τ be where n φ(τ) = τ³, T = τ², and s = τx, v = τV, t = τ + w/τ. Then
// w(x,V) and nQ/T are power series in x, V and 1/T with rational coefficients,
// while ∂_s ∂_v = ∂_x ∂_V/T: no odd powers of τ, no logarithms, and
//
//	D_n = T + 3 − 15/T + 191/(2T²) − …,   T + 3 log T = 2 log n − log 2π,
//
// n the mean of a Poisson number here; for n itself see 1/n below.
//
// Of a pair of pushed competitors the lower one decides, so that in the same way
//
//	E|A|(|A| − 1) = E(nQ(m))² + (1/πi) ∫∫ λ(t)² e^{sG} [M(t + s) − M(t)] dt ds/s,
//	V_n = 2T − 4 + 30/T − 387/T² + ….
//
// testdata/expansion.py does the algebra in exact arithmetic.
//
// The coefficients of 1/T^j in D_n grow like (−2)^j Γ(j + 5/2): the series
// diverges. Its terms fall up to j ≈ (T − 5)/2, where they are e^{−T/2} times a
// power of T, that is a power of log n over n: near what the Poisson process left
// out. They alternate, and D_n lies between successive sums. To expand T in 1/log n
// with its logarithms as constants moves the origin from T to X = 2 log n, which
// makes late terms smaller by e^{−(X−T)/2}: the explicit series falls up to j ≈ log n,
// to some 1/n, but with signs of no pattern.
//
// The continued fraction of the series has positive coefficients as far as they
// are known (14 in D_n, 12 in V_n − 2 D_n), as for a Stieltjes function, whose value
// lies between successive convergents. So does D_n, and they close in on it, wherever
// that was tried, from n = 2 on. That they converge is not proven.
//
// Back from the Poisson process to n − 1 competitors ([JS]): with θ = d/d log n, and f
// any factorial moment of |A|,
//
//	f(n) = f_P − (θ² + θ)f_P/(2n) + O(1/n²),   so that
//	D_n = D_P(n − ½) − θ²D_P/(2n) + …,   V_n = V_P(n − ½) − [2(θD_P)² + θ²V_P]/(2n) + ….

// ExpansionForm is a way to write the expansion for n → ∞. At a given order all
// forms hold the same coefficients; they differ in what they leave out.
type ExpansionForm int

const (
	// ExplicitForm is the series in 1/log n: with X = 2 log n, y = 3 log X + log 2π,
	//
	//	D_n = X − y + 3 + Σ_{j≥1} P_j(y)/X^j,   V_n = 2X − 2y − 4 + Σ_{j≥1} R_j(y)/X^j,
	//	P_1 = 3y − 15,   P_2 = (3y² − 48y + 191)/2,   P_3 = y³ − 57y²/2 + 263y − 1705/2,
	//	R_1 = 6y + 30,   R_2 = 3y² + 12y − 387,   R_3 = 2y³ + 3y² − 810y + 5475.
	ExplicitForm ExpansionForm = iota
	// ImplicitForm is the series in 1/T, T + 3 log T = 2 log(n − ½) − log 2π,
	//
	//	D_n = T + 3 − 15/T + 191/(2T²) − 1705/(2T³) + 38121/(4T⁴) − …,
	//	V_n = 2T − 4 + 30/T − 387/T² + 5475/T³ − 167607/(2T⁴) + ….
	ImplicitForm
	// FractionForm is the continued fraction of that series,
	//
	//	D_n = T + 3 − (15/T)/(1 + (e_2/T)/(1 + (e_3/T)/(1 + …))),
	//	V_n = 2 D_n − 10 + (60/T)/(1 + (f_2/T)/(1 + (f_3/T)/(1 + …))),
	//
	// e_2 = 191/30, e_3 = 14669/5730, f_2 = 289/30, f_3 = 24179/8670, … > 0. It is the
	// one to use at high order, where it still gains when the series have failed; at
	// low order [ExplicitForm] is often nearer.
	FractionForm
)

// ExpansionForms returns all forms.
func ExpansionForms() []ExpansionForm {
	return []ExpansionForm{ExplicitForm, ImplicitForm, FractionForm}
}

// String returns explicit, implicit or fraction.
func (f ExpansionForm) String() string {
	switch f {
	case ExplicitForm:
		return "explicit"
	case ImplicitForm:
		return "implicit"
	case FractionForm:
		return "fraction"
	}
	return "ExpansionForm(" + strconv.Itoa(int(f)) + ")"
}

// MaxExpansionOrder is the highest order of the expansion. Beyond it either the
// series is past its best or nothing is left to gain in float64.
const MaxExpansionOrder = 10

// ConeDimensionExpansion returns the expansion of D_n for n → ∞ up to the power
// order of 1/log n or 1/T, 0 ≤ order ≤ [MaxExpansionOrder] (else it panics), as a
// function of log n, log 2 ≤ log n ≤ 1e300. Order 0 of [ExplicitForm] is
//
//	D_n = 2 log n − 3 log(2 log n) − log 2π + 3 + o(1),
//
// whose logarithms keep the capacity α_c = log n/D_n away from 1/2.
//
// Error is the size of what is left out, the terms of the next order (of the next
// three in [ExplicitForm], twice: its polynomials have zeros) and those of order
// 1/n. That it is a bound is not proven, but it held wherever it was compared with
// exact values, at every order and n from 2 to 10^300. [ExplicitForm] and
// [ImplicitForm] are asymptotic: at each n they get worse beyond some order, about
// the one where Error is smallest.
func ConeDimensionExpansion(form ExpansionForm, logN float64, order int) (Value, error) {
	if err := checkExpansion(form, logN, order); err != nil {
		return Value{Value: math.NaN(), Error: math.Inf(1)}, err
	}
	if form == ExplicitForm {
		return explicitSeries(logN, order, dimensionSeries[:]), nil
	}
	p := newImplicit(logN)
	v := p.series(order, dimensionSeries[:])
	if form == FractionForm {
		v = p.dimension(order)
	}
	v.Error += p.bend / p.n
	return v, nil
}

// ConeVarianceExpansion returns the expansion of V_n = Var|A| for n → ∞, like
// [ConeDimensionExpansion] that of D_n.
func ConeVarianceExpansion(form ExpansionForm, logN float64, order int) (Value, error) {
	if err := checkExpansion(form, logN, order); err != nil {
		return Value{Value: math.NaN(), Error: math.Inf(1)}, err
	}
	if form == ExplicitForm {
		return explicitSeries(logN, order, varianceSeries[:]), nil
	}
	p := newImplicit(logN)
	v := p.series(order, varianceSeries[:])
	if form == FractionForm {
		v = p.variance(order)
	}
	_, slope := p.convergent(MaxExpansionOrder)
	slope *= p.slope // dD_n/d log n
	v.Value -= slope * slope / p.n
	v.Error += 4 * (p.bend + slope*slope/p.n) / p.n
	return v, nil
}

func checkExpansion(form ExpansionForm, logN float64, order int) error {
	if form < ExplicitForm || form > FractionForm {
		panic("extremes: " + form.String() + ": want one of ExpansionForms()")
	}
	if order < 0 || order > MaxExpansionOrder {
		panic(fmt.Sprintf("extremes: expansion of order %d: want 0 ≤ order ≤ %d", order, MaxExpansionOrder))
	}
	if !(logN >= math.Ln2 && logN <= 1e300) {
		return fmt.Errorf("log n = %v: want log 2 ≤ log n ≤ 1e300", logN)
	}
	return nil
}
