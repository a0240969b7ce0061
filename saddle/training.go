package saddle

import (
	"fmt"
	"math"
	"strings"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// Loss is what training minimises, per input, for the scores s of its
// candidates, s_0 that of the target.
type Loss int

const (
	// CrossEntropy is ℓ = log Σ_ρ e^{s_ρ} − s_0.
	CrossEntropy Loss = iota
	// Hinge is ℓ = max(0, 1 + max_{ρ≠0} s_ρ − s_0), the multiclass hinge of [CS].
	Hinge
)

// lossNames are those of [Loss.String], in the order of the constants.
var lossNames = [...]string{"cross-entropy", "hinge"}

// Losses returns the names that [ParseLoss] knows.
func Losses() []string { return append([]string(nil), lossNames[:]...) }

// String returns "cross-entropy" or "hinge".
func (l Loss) String() string {
	if !l.Valid() {
		return fmt.Sprintf("loss(%d)", int(l))
	}
	return lossNames[l]
}

// Valid reports whether l is one of the constants.
func (l Loss) Valid() bool { return l >= 0 && int(l) < len(lossNames) }

// ParseLoss is the inverse of [Loss.String]; it ignores case.
func ParseLoss(s string) (Loss, error) {
	for i, n := range lossNames {
		if strings.EqualFold(s, n) {
			return Loss(i), nil
		}
	}
	return 0, fmt.Errorf("loss = %s: want %s", s, strings.Join(lossNames[:], " or "))
}

// Training is a memory that is trained to the minimum of
//
//	J(W) = Σ_μ ℓ_μ + (λ/2) ‖W‖²_F.
type Training struct {
	Weights    float64 // N_eff > 0
	Facts      float64 // p > 0
	Candidates float64 // n ≥ 2, the target among them; 0 means n = p
	Ridge      float64 // λ ≥ 0
	Loss       Loss
}

// Phase says what the minimum of the training loss is.
type Phase int

const (
	// Unstorable: p D_n > N, above capacity. The loss has a finite minimiser
	// and some inputs are not recalled.
	Unstorable Phase = iota
	// Storable: p D_n ≤ N without a ridge. There is no finite minimiser of the
	// cross-entropy: the loss decreases to 0 while W grows along the max-margin
	// solution. Of the hinge all W of normalised margin ≥ 1/‖W‖ are minimisers;
	// the one that a vanishing ridge chooses is the max-margin solution of norm
	// 1/K*. Scores are given in units of ‖W‖.
	Storable
	// StorableRidge: p D_n ≤ N with a ridge, which makes the minimiser finite:
	// the facts are storable, but what is trained need not recall all of them.
	StorableRidge
	// Zero: the hinge, from a load above capacity on: its minimiser is W = 0.
	// Near W = 0 it is p + Σ (max_{ρ≠0} s_ρ − s_0), and where no W makes the sum
	// negative nothing is better than no memory at all (see [HingeCollapse]).
	Zero
)

var phaseNames = [...]string{"unstorable", "storable", "storable_ridge", "zero"}

// String returns "unstorable", "storable", "storable_ridge" or "zero".
func (p Phase) String() string {
	if p < 0 || int(p) >= len(phaseNames) {
		return fmt.Sprintf("phase(%d)", int(p))
	}
	return phaseNames[p]
}

// Trained describes the minimum of a training at score level: the minimiser's
// norm and the laws of its scores.
type Trained struct {
	Training Training // with Candidates filled in
	Phase    Phase

	Norm     extremes.Value // r = ‖W‖_F
	Chi      extremes.Value // χ, the proximal step
	Loss     extremes.Value // mean ℓ per input, without the ridge
	Accuracy extremes.Value // P(s_0 > max_{ρ≠0} s_ρ)

	// Mean and standard deviation of the correct score s_0 and of the largest
	// competitor max_{ρ≠0} s_ρ. They are scores, not divided by ‖W‖, unless
	// Normalised.
	CorrectMean, CorrectStd extremes.Value
	// The latter is NaN with its own status at loads so large that r ≪ 1 for many
	// candidates (n = p = 2000 at N = 10): round-off takes over its transforms.
	LargestMean, LargestStd extremes.Value

	// Normalised says that scores are in units of ‖W‖: in the phase Storable,
	// where they are those of the max-margin solution (Margin).
	Normalised bool
	Margin     MaxMargin

	// Residual is the larger relative residual of the two equations of the
	// saddle point at the returned (r, χ).
	Residual float64
	Status   status.Status
}

// maxCandidates is the largest n at which the minimum is computed.
const maxCandidates = 1e12

// SolveTraining returns the minimum of a training at score level (d → ∞ at a
// fixed load): with γ = p/N and s = prox_{χℓ}(r g), g standard normal in Rⁿ, the
// stationary point of
//
//	γ M(r, χ) + (λ/N) r²/2 − r²/(2χ),   M(r, χ) = E min_s [ℓ(s) + ‖r g − s‖²/(2χ)],
//
// which is the solution of
//
//	γ E‖r g − s‖² = r²,   γ E[g·(r g − s)] = r (1 − λχ/N).
//
// Expectations are quadratures of contour integrals (doc.go); the error bounds are
// what a second computation with other contours and coarser steps changes, its own
// solution of the equations included.
//
// In the phase [Storable] the max-margin limit is returned instead, with scores in
// units of ‖W‖. Closely above capacity the norm diverges like N/(p D_n − N), and
// with it the sensitivity to everything: within 1e-6 of capacity the result is
// refused.
//
// What d → ∞ leaves out: trained norms are 6% larger at d = 48, p = 527 and 10% at
// d = 24, p = 231, more closer to capacity; see package saddle/vector.
func SolveTraining(t Training) (Trained, error) {
	t, err := t.checked()
	if err != nil {
		return failed(t, status.Unknown), err
	}
	d, err := extremes.ConeDimension(t.Candidates)
	if err != nil {
		return failed(t, status.Unknown), err
	}
	if !d.Status.OK() {
		return failed(t, d.Status), fmt.Errorf("n = %v: D_n was not computed (%v)", t.Candidates, d.Status)
	}
	used := t.Facts / t.Weights * d.Value // the load relative to capacity
	phase := Unstorable
	if used <= 1 {
		phase = StorableRidge
		if t.Ridge == 0 {
			return maxMarginLimit(t)
		}
		if t.Ridge < minRidge*t.Facts {
			return failed(t, status.Unknown), fmt.Errorf("ridge = %v: want at least %.0e p = %v below capacity, or 0 for the limit, the max-margin solution", t.Ridge, minRidge, minRidge*t.Facts)
		}
	}
	if t.Ridge == 0 && used < 1+closest {
		return failed(t, status.Stalled), fmt.Errorf("p = %v: within %.0e of capacity, p_c = %.10g, where the norm diverges: want a load further from it, or a ridge", t.Facts, closest, t.Weights/d.Value)
	}
	out, err := solveFinite(t)
	if out.Phase != Zero {
		out.Phase = phase
	}
	return out, err
}

// closest is how close to capacity, relative to it, a minimum without a ridge is
// computed.
const closest = 1e-6

// checked validates and fills in the number of candidates.
func (t Training) checked() (Training, error) {
	if t.Candidates == 0 {
		t.Candidates = t.Facts
	}
	if err := checkWeights(t.Weights); err != nil {
		return t, err
	}
	if !(t.Facts > 0 && t.Facts <= extremes.MaxSize) {
		return t, fmt.Errorf("p = %v: want 0 < p ≤ 1e300", t.Facts)
	}
	if !(t.Candidates >= 2 && t.Candidates <= maxCandidates) {
		return t, fmt.Errorf("n = %v: want 2 ≤ n ≤ %.0e", t.Candidates, maxCandidates)
	}
	if !(t.Ridge >= 0) || math.IsInf(t.Ridge, 1) {
		return t, fmt.Errorf("ridge = %v: want a finite number ≥ 0", t.Ridge)
	}
	if t.Ridge > maxRidge*t.Facts {
		return t, fmt.Errorf("ridge = %v: want at most %.0e p = %v: W is Hebb's rule over the ridge before", t.Ridge, maxRidge, maxRidge*t.Facts)
	}
	if !t.Loss.Valid() {
		return t, fmt.Errorf("loss = %d: want %s", int(t.Loss), strings.Join(lossNames[:], " or "))
	}
	if load := t.Facts / t.Weights; !(load >= 1e-12 && load <= maxLoad) {
		return t, fmt.Errorf("p = %v: want a load p/N between 1e-12 and %.0e", t.Facts, maxLoad)
	}
	return t, nil
}

// minRidge is the smallest λ/p below capacity but 0: norms grow like log(p/λ), and with
// them the work.
const minRidge = 1e-6

// maxRidge is the largest λ/p: beyond it W = Σ_μ (u_μ − ū) e_μᵀ/λ to many digits.
const maxRidge = 1e4

// maxLoad is the largest p/N; r falls like its inverse root.
const maxLoad = 1e8

func failed(t Training, s status.Status) Trained {
	none := extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: s}
	return Trained{
		Training: t, Norm: none, Chi: none, Loss: none, Accuracy: none,
		CorrectMean: none, CorrectStd: none, LargestMean: none, LargestStd: none,
		Residual: math.NaN(), Status: s,
	}
}
