package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/root"
	"lamcap/internal/status"
)

// VolumeQuery asks for the volume of the solutions of a memory below capacity.
type VolumeQuery struct {
	// DIn, DOut are the dimensions of inputs and outputs; Rank is min(DIn, DOut), or 0
	// for it: nothing else is supported, see [Volume].
	DIn, DOut, Rank int
	Facts           float64 // p > 0, below capacity
	Candidates      float64 // n, an integer from 2 to 10^15; 0 means p
	// Draws of the disorder; 0 means 1,000. Standard errors fall like 1/√Draws.
	Draws int
	Seed  uint64
}

// SolutionVolume is the replica-symmetric saddle point of the solutions' volume.
type SolutionVolume struct {
	// Overlap is q, the cosine between two independent W that are uniform among
	// the solutions of norm 1.
	Overlap extremes.Value
	// FreeEnergy is Φ(q), the log of the fraction of all W that are solutions, per
	// weight. Errors of both are standard errors of the sampled disorder, with
	// what the mean field of the bulk adds for n > 514.
	FreeEnergy extremes.Value
	Residual   float64 // q/((1 − q) γ E‖⟨z⟩‖²) − 1 at Overlap, on the draws taken
	Draws      int
	Status     status.Status
}

const defaultDraws = 1000

// Volume returns the overlap and the free entropy per weight of the solutions of p
// facts among n candidates each, at full rank and finite n, where it is stationary:
//
//	Φ(q) = ½ log(1 − q) + q/(2(1 − q)) + γ E_t log P(√q t + √(1 − q) z ∈ C_n),   γ = p/(d_in d_out),
//
// with t, z standard normal in R^n and C_n the winner-take-all cone. As ∂_q E log P
// = −E‖⟨z⟩‖²/(2(1 − q)), with ⟨z⟩ the mean of z on the cone at given t,
//
//	q/(1 − q) = γ E_t ‖⟨z⟩‖².
//
// The solutions form a convex cone, so replica symmetry holds. The inner probability
// is ∫ φ(z_0) Π_ρ Φ(√(q/(1 − q)) (t_0 − t_ρ) + z_0) dz_0, by the trapezoidal rule
// around its mode in log space. The disorder is sampled with the same draws
// at every q, and the squared distances of t to the cones of margin 0 and 1, whose means
// [extremes.MarginCone] knows, are control variates. For n > 514 the 512 largest
// competitors are drawn and the rest replaced by their mean field given those.
//
// Limits: n → ∞ at fixed α = γ log n, q → 2α like 1/log n ([Overlap]); q → 1 at γ =
// 1/D_n, the capacity. This is the score level, d_out → ∞, as for margins.
//
// An error above capacity, where there is no volume; and at Rank < min(d_in, d_out):
// matrices of rank m are no linear space, and the entropy of their solutions at q < 1
// is not known (the capacity, q → 1, follows from their Gaussian width alone).
func Volume(v VolumeQuery) (SolutionVolume, error) {
	none := SolutionVolume{Overlap: undefined(), FreeEnergy: undefined(), Residual: math.NaN()}
	dimension, err := v.normalise()
	if err != nil {
		return none, err
	}
	weights := float64(v.DIn) * float64(v.DOut)
	d, err := newDisorder(v.Candidates, v.Draws, v.Seed)
	if err != nil {
		return none, err
	}
	gamma := v.Facts / weights
	// In x = log(q/(1 − q)); E‖⟨z⟩‖² is above its value at q = 0, but for the draws' error. Near
	// capacity 1 − q is about the square of the distance to it.
	at := func(x float64, errors bool) disorderAverage { return d.average(math.Exp(x/2), errors) }
	balance := func(x float64) float64 { return x - math.Log(gamma*at(x, false).push.Value) }
	used := gamma * dimension
	lo, hi := math.Log(gamma*at(-60, false).push.Value)-0.01, math.Log(used)-3*math.Log1p(-used)+3
	r := root.Find(balance, lo, hi, root.Options{AbsX: 1e-9, AbsF: 1e-9})
	const h = 1e-3
	slope := (balance(r.X+h) - balance(r.X-h)) / (2 * h)
	a := at(r.X, true)
	q := 1 / (1 + math.Exp(-r.X))
	// dq = q (1 − q) dx.
	out := SolutionVolume{
		Overlap:  extremes.Value{Value: q, Error: q * (1 - q) * a.push.Error / a.push.Value / math.Abs(slope), Status: r.Status},
		Residual: math.Expm1(balance(r.X)),
		Draws:    v.Draws, Status: r.Status,
	}
	entropy := (math.Exp(r.X) - math.Log1p(math.Exp(r.X))) / 2
	out.FreeEnergy = extremes.Value{Value: entropy + gamma*a.logP.Value, Error: gamma * a.logP.Error, Status: r.Status}
	if !r.Status.OK() {
		return out, fmt.Errorf("p = %v: the overlap was not found (%v)", v.Facts, r.Status)
	}
	return out, nil
}

// Check returns the error that [Volume] has for a query out of its range, without
// the work.
func (v VolumeQuery) Check() error {
	_, err := v.normalise()
	return err
}

// normalise checks a query, fills in what is left out and returns D_n.
func (v *VolumeQuery) normalise() (dimension float64, err error) {
	if v.DIn < 1 || v.DOut < 1 {
		return 0, fmt.Errorf("d_in = %d, d_out = %d: want both ≥ 1", v.DIn, v.DOut)
	}
	if full := min(v.DIn, v.DOut); v.Rank != 0 && v.Rank != full {
		return 0, fmt.Errorf("rank = %d: want full rank, %d: matrices of a lower rank are no linear space, "+
			"and the volume of their solutions is not known (only their capacity is)", v.Rank, full)
	}
	if v.Candidates == 0 {
		v.Candidates = v.Facts
	}
	if !(v.Candidates >= 2 && v.Candidates <= 1e15 && v.Candidates == math.Trunc(v.Candidates)) {
		return 0, fmt.Errorf("n = %v: want an integer, 2 ≤ n ≤ 1e15", v.Candidates)
	}
	if !(v.Facts > 0 && v.Facts <= extremes.MaxSize) {
		return 0, fmt.Errorf("p = %v: want 0 < p ≤ 1e300", v.Facts)
	}
	if v.Draws == 0 {
		v.Draws = defaultDraws
	}
	if v.Draws < 100 || v.Draws > 10_000_000 {
		return 0, fmt.Errorf("draws = %d: want 100 ≤ draws ≤ 10000000", v.Draws)
	}
	weights := float64(v.DIn) * float64(v.DOut)
	d, err := extremes.ConeDimension(v.Candidates)
	if err != nil {
		return 0, err
	}
	if v.Facts*d.Value >= weights {
		return 0, noVolume(weights, v.Facts, v.Candidates, d.Value)
	}
	return d.Value, nil
}

func noVolume(weights, p, n, dimension float64) error {
	critical := weights / dimension
	if n == p {
		if c, err := CriticalFacts(weights); err == nil {
			critical = c.Facts
		}
	}
	return fmt.Errorf("p = %v: no solutions at and above capacity: want p < p_c = %.10g (%v weights, n = %v)", p, critical, weights, n)
}
