package extremes

import (
	"fmt"
	"math"

	"lamcap/internal/status"
	"lamcap/internal/sum"
)

// Mean returns Σ_k k v_k = E|A| = D_n (see [ConeDimension]).
func (v Volumes) Mean() Value { return v.Cumulant(1) }

// Variance returns Var|A| = V_n (see [ConeVariance]).
func (v Volumes) Variance() Value { return v.Cumulant(2) }

// maxCumulant bounds the order: binomial coefficients and moments stay far from
// the ends of float64 at any n.
const maxCumulant = 40

// Cumulant returns the cumulant of the given order of |A|, with a bound on its
// absolute error: the mean, the variance, then κ_3 (skewness κ_3/V^{3/2}), κ_4 …
// From order 2 on it follows from the moments M_r about the mean, where little
// cancels,
//
//	κ_r = M_r − Σ_{j=2}^{r−2} C(r−1, j−1) κ_j M_{r−j}.
//
// It panics if order < 1 or order > 40.
func (v Volumes) Cumulant(order int) Value {
	if order < 1 || order > maxCumulant {
		panic(fmt.Sprintf("extremes: cumulant of order %d: want 1 ≤ order ≤ %d", order, maxCumulant))
	}
	var total, first sum.Neumaier
	for k, x := range v.Mass {
		total.Add(x)
		first.Add(float64(k) * x)
	}
	// Errors common to all v_k drop out of a quotient.
	mean := first.Sum() / total.Sum()
	about := v.momentsAbout(mean, max(order, 2))
	spread := about[1].absolute
	if order == 1 {
		return Value{Value: mean, Error: v.Error*spread + 2*halfUlp*mean, Status: status.Converged}
	}
	// What the mean is off moves M_r by r M_{r−1} times that.
	shift := v.Error*spread + halfUlp*mean
	cumulant := make([]Value, order+1)
	for r := 2; r <= order; r++ {
		k := Value{Value: about[r].value, Error: about[r].absolute*(v.Error+float64(2*r+4)*halfUlp) + float64(r)*about[r-1].absolute*shift}
		choose := 1.0 // C(r−1, j−1)
		for j := 2; j <= r-2; j++ {
			choose *= float64(r-j+1) / float64(j-1)
			m := about[r-j]
			k.Value -= choose * cumulant[j].Value * m.value
			relative := v.Error + float64(2*r+4)*halfUlp
			k.Error += choose * (cumulant[j].Error*m.absolute + math.Abs(cumulant[j].Value)*(m.absolute*relative+float64(r-j)*about[r-j-1].absolute*shift))
		}
		cumulant[r] = k
	}
	out := cumulant[order]
	out.Status = status.Converged
	if !(out.Error <= math.Abs(out.Value)) {
		out.Status = status.Roundoff
	}
	return out
}

const halfUlp = 0x1p-53 // of 1

// centralMoment is E(|A| − c)^r and E||A| − c|^r.
type centralMoment struct{ value, absolute float64 }

func (v Volumes) momentsAbout(c float64, order int) []centralMoment {
	out := make([]centralMoment, order+1)
	var total sum.Neumaier
	for _, x := range v.Mass {
		total.Add(x)
	}
	for r := range out {
		var value, absolute sum.Neumaier
		for k, x := range v.Mass {
			term := x * math.Pow(float64(k)-c, float64(r))
			value.Add(term)
			absolute.Add(math.Abs(term))
		}
		out[r] = centralMoment{value.Sum() / total.Sum(), absolute.Sum() / total.Sum()}
	}
	return out
}
