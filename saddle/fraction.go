package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/logarithm"
	"lamcap/internal/root"
	"lamcap/internal/status"
)

// Errors is the smallest fraction of inputs that are not recalled, by the
// replica-symmetric saddle point.
type Errors struct {
	Fraction float64 // ε, of the inputs
	Cutoff   float64 // c: inputs at dist² > c are given up; +Inf below capacity
	// Replicon is γ E[|A|; dist² ≤ c]: replica symmetry is stable only where it
	// is at most 1 and no input is given up, that is up to capacity.
	Replicon float64
	Residual float64 // γ E[dist²; dist² ≤ c] − 1 at the returned c; 0 below capacity
	Error    float64 // bound on Fraction, from the volumes and the residual
	Status   status.Status
}

// MinimalErrors returns the smallest fraction ε of inputs with n candidates that
// any weights must leave unrecalled at the load γ = p/N_eff (Gardner and Derrida's
// minimal error), for an integer n from 2 to 10^300 and 0 ≤ load ≤ 1e300. An
// input costs min(dist²(g, C_n), c): beyond c it is cheaper to give it up, and
//
//	γ E[dist²; dist² ≤ c] = 1,   ε = P(dist² > c) = max_c { E min(dist²/c, 1) − 1/(γc) }.
//
// By the conic Steiner formula dist² given |A| = k is χ² with k degrees of
// freedom, so with the intrinsic volumes v_k both are sums,
//
//	E[dist²; dist² ≤ c] = Σ k v_k P(χ²_{k+2} ≤ c),   ε = Σ v_k P(χ²_k > c),
//
// and dε/dγ = 1/(γ²c). ε = 0 up to the capacity γ_c = 1/D_n; as the load grows
// ε tends to 1 − 1/n, what random weights leave.
//
// What is proven: ε is a lower bound on the fraction for p → ∞ at fixed load. It
// is Gordon's escape through a mesh ([gordon]), which asks for no convexity: a random
// N-dimensional subspace of R^{pn} meets the set of scores with at most m blocks
// outside C_n with a probability of at most
//
//	2 P(Z ≤ χ²_N),   Z the sum of the p − m smallest of p independent dist²,
//
// at any finite p and N, and Z/p → E[dist²; dist² ≤ c] with E Z never below p
// times that. Replica symmetry says that the bound is reached. It is up to
// capacity, ε = 0, where the set is a convex cone. Beyond, replica symmetry is
// unstable (de Almeida-Thouless) at every load and n:
//
//	γ E[|A|; dist² ≤ c] = 1 + 2γ c f(c) > 1,   f the density of dist²,
//
// and scores jump by √c where dist² passes c, which makes the replicon infinite
// ([bouten]). There is no point other than capacity to state: beyond it the
// replica-symmetric ε is below the true one.
func MinimalErrors(load, n float64) (Errors, error) {
	none := Errors{Fraction: math.NaN(), Cutoff: math.NaN(), Replicon: math.NaN(), Residual: math.NaN(), Error: math.Inf(1)}
	if !(load >= 0 && load <= 1e300) {
		return none, fmt.Errorf("load = %v: want 0 ≤ load ≤ 1e300, facts per weight", load)
	}
	law, err := newDistances(extremes.NewSimplex(), n)
	if err != nil {
		return none, err
	}
	if law.dimension, err = extremes.ConeDimension(n); err != nil {
		return none, err
	}
	dimension := law.dimension.Value
	if load == 0 {
		return Errors{Cutoff: math.Inf(1), Status: status.Converged}, nil
	}
	if load*dimension <= 1 {
		return Errors{Cutoff: math.Inf(1), Replicon: load * dimension, Error: law.overload(load), Status: law.dimension.Status}, nil
	}
	// Near capacity the part beyond c is small and known to all digits.
	beyond := dimension - 1/load
	condition := func(logC float64) float64 { return logarithm.Natural(load * law.at(math.Exp(logC)).within) }
	if beyond < dimension/2 {
		condition = func(logC float64) float64 { return logarithm.Natural(beyond / law.at(math.Exp(logC)).beyond) }
	}
	f := root.Find(condition, logSmallestCutoff, math.Log(law.largest()), root.Options{})
	if !f.Status.OK() {
		none.Status = f.Status
		return none, fmt.Errorf("load = %v, n = %v: the cutoff was not found (%v)", load, n, f.Status)
	}
	c := math.Exp(f.X)
	m := law.at(c)
	// dε = −dE[dist²; dist² ≤ c]/c.
	shift := (law.error(m) + beyond*math.Abs(f.F)) / c
	if beyond >= dimension/2 {
		shift = (law.error(m) + math.Abs(f.F)/load) / c
	}
	fraction := m.above
	if m.below < m.above {
		fraction = (1 - 1/n) - m.below // what random weights leave, less those recalled beside
	}
	return Errors{
		Fraction: fraction,
		Cutoff:   c,
		Replicon: load * (m.within + 2*m.density),
		Residual: load*m.within - 1,
		Error:    shift + law.relative*math.Min(m.above, m.below) + 0x1p-52*fraction,
		Status:   f.Status,
	}, nil
}

// logSmallestCutoff: dist² below it has a weight of c^{3/2} = 1e-315.
const logSmallestCutoff = -210 * math.Ln10

// distances is the law of dist²(g, C_n): a mixture of χ²_k with weights v_k.
type distances struct {
	n         float64
	mass      []float64
	relative  float64        // bound on the relative error of each v_k, rounding of sums included
	neglected float64        // bound on Σ k v_k beyond the last
	dimension extremes.Value // E dist² = D_n = Σ k v_k
}

func newDistances(simplex *extremes.Simplex, n float64) (distances, error) {
	v, err := simplex.IntrinsicVolumes(n)
	if err != nil {
		return distances{}, err
	}
	law := distances{n: n, mass: v.Mass, relative: v.Error + 16*0x1p-52}
	if last := len(v.Mass) - 1; float64(last) < n-1 {
		// The volumes are log-concave: beyond the last they fall like a
		// geometric series or faster.
		q := v.Mass[last] / v.Mass[last-1]
		law.neglected = v.Mass[last] * q / (1 - q) * (float64(last) + 1/(1-q))
	}
	mean := 0.0
	for k := len(v.Mass) - 1; k > 0; k-- {
		mean += float64(k) * v.Mass[k]
	}
	law.dimension = extremes.Value{Value: mean, Error: law.relative*mean + law.neglected, Status: status.Converged}
	return law, nil
}

// largest returns a c beyond which nothing is left in range of a float64.
func (d distances) largest() float64 { return 2*float64(len(d.mass)) + 4000 }

// truncated holds the law of dist² cut at c.
type truncated struct {
	above, below   float64 // P(dist² > c), P(0 < dist² ≤ c)
	within, beyond float64 // E[dist²; dist² ≤ c], E[dist²; dist² > c]
	density        float64 // c f(c)
	cutoff         float64
}

func (d distances) at(c float64) truncated {
	last := len(d.mass) - 1
	x := newChiSquares(c, last+2)
	t := truncated{cutoff: c}
	for k := last; k > 0; k-- {
		v := d.mass[k]
		t.above += v * x.above[k]
		t.below += v * x.below[k]
		t.within += float64(k) * v * x.below[k+2]
		t.beyond += float64(k) * v * x.above[k+2]
		t.density += v * x.density[k]
	}
	return t
}

// error bounds the error of E[dist²; dist² ≤ c] given c: it is a sum, and D_n
// minus a sum.
func (d distances) error(t truncated) float64 {
	return math.Min(d.relative*t.within, d.relative*t.beyond+d.neglected+d.dimension.Error)
}

// overload bounds ε where the load is below capacity by less than the error of
// D_n: E[dist²; dist² > c] is then as small, and c far above 1.
func (d distances) overload(load float64) float64 {
	return math.Max(0, load*(d.dimension.Value+d.dimension.Error)-1) / load
}

// share returns E[dist²; dist² ≤ c]/D_n with P(dist² > c) = fraction > 0, with its
// bound: of the weights that one input uses up, what is left when that fraction
// is given up.
func (d distances) share(fraction float64) extremes.Value {
	kept := (1 - fraction) - 1/d.n
	if kept <= 0 {
		return extremes.Value{Status: status.Converged} // random weights recall as many
	}
	condition := func(logC float64) float64 { return logarithm.Natural(d.at(math.Exp(logC)).above / fraction) }
	if kept < fraction { // the smaller of the two, for which the other end is far
		condition = func(logC float64) float64 { return logarithm.Natural(kept / d.at(math.Exp(logC)).below) }
	}
	f := root.Find(condition, logSmallestCutoff, math.Log(d.largest()), root.Options{})
	if !f.Status.OK() {
		return extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: f.Status}
	}
	c := math.Exp(f.X)
	t := d.at(c)
	mean := d.dimension.Value
	value, relative := t.within/mean, 2*d.relative*t.within
	if t.beyond < t.within {
		value, relative = 1-t.beyond/mean, 2*d.relative*t.beyond
	}
	// dE[dist²; dist² ≤ c] = −c dε: the residual in ε, and the errors of the sum
	// that was set equal to it.
	lost := math.Min(fraction, kept)*(math.Abs(f.F)+d.relative) + d.neglected + 0x1p-53
	return extremes.Value{
		Value:  value,
		Error:  (relative+d.neglected+c*lost)/mean + 0x1p-52*value,
		Status: f.Status,
	}
}
