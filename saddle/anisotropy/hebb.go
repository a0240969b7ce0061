package anisotropy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"lamcap/extremes"
	"lamcap/internal/status"
	"lamcap/internal/stream"
	"lamcap/internal/team"
)

// HebbDimension returns what replaces d_in d_out in the recall of single items by Hebb's rule,
//
//	N_Hebb = (tr C_V)²/tr C_V² · (tr C_K)²/tr C_K²,
//
// the product of the participation ratios of the two spectra: the signal is tr C_V tr C_K,
// the variance of a competitor's score p tr C_V² tr C_K². To leading order the recall is
// saddle.HebbItemRecall(√N_Hebb, p, n). With a mean, keys count with their matrix of second
// moments E e eᵀ; for a mean of the values see [Hebb.Dimension]. NaN for a spectrum
// without a positive eigenvalue.
func HebbDimension(keys, values []float64) float64 {
	return Participation(keys) * Participation(values)
}

// Hebb is the memory W = Σ_μ u_μ e_μᵀ of Gaussian keys and values.
type Hebb struct {
	// Spectra are the eigenvalues of the covariances (the means not in them).
	Spectra
	// KeyMean and ValueMean are the means, as components along the eigenvectors in the
	// order of the spectra, and of their lengths; nil means 0.
	KeyMean, ValueMean []float64
	// Facts is p, 1 or at least 2 and real, Candidates n ≥ 2.
	Facts, Candidates float64
	// Draws is the number of Monte Carlo draws, at least 2; 0 means [DefaultHebbDraws].
	Draws int
	// Seed is the master seed of the draws.
	Seed uint64
}

// DefaultHebbDraws is the default of [Hebb.Draws].
const DefaultHebbDraws = 1 << 14

func (h Hebb) check() error {
	if err := h.Spectra.check(); err != nil {
		return err
	}
	for _, c := range []struct {
		name     string
		mean     []float64
		spectrum []float64
	}{{"key mean", h.KeyMean, h.Keys}, {"value mean", h.ValueMean, h.Values}} {
		if c.mean != nil && len(c.mean) != len(c.spectrum) {
			return fmt.Errorf("%s has %d components: want %d, as its spectrum, or none", c.name, len(c.mean), len(c.spectrum))
		}
		for i, x := range c.mean {
			if math.IsNaN(x) || math.Abs(x) > math.Sqrt(1/leastEigenvalue) {
				return fmt.Errorf("%s, component %d is %v: want a size of at most %v", c.name, i, x, math.Sqrt(1/leastEigenvalue))
			}
		}
	}
	if !(h.Facts == 1 || h.Facts >= 2 && h.Facts <= extremes.MaxSize) {
		return fmt.Errorf("p = %v: want p = 1 or 2 ≤ p ≤ 1e300", h.Facts)
	}
	if !(h.Candidates >= 2 && h.Candidates <= extremes.MaxSize) {
		return fmt.Errorf("n = %v: want 2 ≤ n ≤ 1e300", h.Candidates)
	}
	return nil
}

// Dimension is [HebbDimension] with means: p (signal)²/(variance of a competitor),
//
//	N_Hebb = p (tr C_V tr M_K)²/(p tr C_V² tr M_K² + m_Vᵀ C_V m_V [p tr C_K M_K + p² m_Kᵀ M_K m_K]),
//
// with M_K = C_K + m_K m_Kᵀ. A mean of the values, which the candidates of an input share, adds
// nothing to the signal but interference along it, W e_μ ∋ m_V Σ_ν e_ν·e_μ; if keys have a
// mean too that sum is coherent, of order p, and N_Hebb falls as 1/p.
func (h Hebb) Dimension() float64 {
	keys := newMoments(h.Keys, h.KeyMean)
	values := newMoments(h.Values, h.ValueMean)
	signal := values.trace * (keys.trace + keys.mean2)
	second2 := keys.trace2 + 2*keys.within + keys.mean2*keys.mean2
	noise := values.trace2*second2 +
		values.within*(keys.trace2+keys.within+h.Facts*(keys.mean2*keys.mean2+keys.within))
	return signal / noise * signal
}

// moments of a law with covariance C and mean m.
type moments struct {
	trace, trace2 float64 // tr C and tr C²
	mean2, within float64 // mᵀm and mᵀC m
}

func newMoments(spectrum, mean []float64) moments {
	var m moments
	for i, x := range spectrum {
		m.trace += x
		m.trace2 += x * x
		if mean != nil {
			m.mean2 += mean[i] * mean[i]
			m.within += mean[i] * mean[i] * x
		}
	}
	return m
}

// ItemRecall returns the probability that one item is recalled in the decoupled problem (DP),
// where the competitors are not stored themselves. It is exact, but for the Monte Carlo:
// with ε_ν = e_ν·e_μ, which given e_μ are independent normals of mean m_K·e_μ and variance
// q = e_μᵀC_K e_μ, and T_k = Σ_{ν≠μ} ε_ν^k,
//
//	W e_μ = v = (‖e_μ‖² + T_1) m_V + ‖e_μ‖² ũ_μ + √T_2 C_V^{1/2} z,
//	P = E Φ(ũ_μ·v/√(vᵀC_V v))^{n−1},   ũ = u − m_V,
//
// is an average over e_μ, ũ_μ, z, T_1 and T_2. The error is a standard error.
//
// In the original problem (OP) recall is less, since competitors are stored too: at d = 24 by
// 0.05 to 0.1 where it is about one half.
func (h Hebb) ItemRecall() (extremes.Value, error) {
	if err := h.check(); err != nil {
		return extremes.Value{}, err
	}
	draws := h.Draws
	if draws == 0 {
		draws = DefaultHebbDraws
	}
	if draws < 2 || draws > maxDraws {
		return extremes.Value{}, fmt.Errorf("draws = %d: want 2 ≤ draws ≤ %d, or 0 for %d", h.Draws, maxDraws, DefaultHebbDraws)
	}
	blocks := (draws + hebbBlock - 1) / hebbBlock
	sums := make([][2]float64, blocks)
	scaled := h.scaled()
	threads := team.Threads(0, 200*float64(draws)*float64(len(h.Keys)+2*len(h.Values)))
	team.New().Run(threads, blocks, func(block, _ int) {
		rng := stream.New(h.Seed, "hebb anisotropy", "", uint64(block))
		for range min(hebbBlock, draws-block*hebbBlock) {
			p := scaled.draw(rng)
			sums[block][0] += p
			sums[block][1] += p * p
		}
	})
	sum, square := 0.0, 0.0
	for _, s := range sums {
		sum += s[0]
		square += s[1]
	}
	count := float64(draws)
	mean := sum / count
	out := extremes.Value{Value: mean, Error: math.Sqrt(math.Max(0, square/count-mean*mean) / (count - 1)), Status: status.Converged}
	if math.IsNaN(mean) {
		out.Status = status.Diverged
	}
	return out, nil
}

const hebbBlock = 256 // draws from one stream

// scaled returns the same memory with the largest eigenvalues 1 and standard deviations in
// place of eigenvalues.
func (h Hebb) scaled() Hebb {
	scale := func(spectrum, mean []float64) (roots, m []float64) {
		largest := 0.0
		for _, x := range spectrum {
			largest = math.Max(largest, x)
		}
		for i, x := range spectrum {
			roots = append(roots, math.Sqrt(x/largest))
			c := 0.0
			if mean != nil {
				c = mean[i] / math.Sqrt(largest)
			}
			m = append(m, c)
		}
		return roots, m
	}
	h.Keys, h.KeyMean = scale(h.Keys, h.KeyMean)
	h.Values, h.ValueMean = scale(h.Values, h.ValueMean)
	return h
}

// draw returns the probability of recall given v.
func (h Hebb) draw(rng *rand.Rand) float64 {
	length2, along, variance := 0.0, 0.0, 0.0 // ‖e‖², m_K·e, q
	for i, root := range h.Keys {
		e := h.KeyMean[i] + root*rng.NormFloat64()
		length2 += e * e
		along += h.KeyMean[i] * e
		variance += root * root * e * e
	}
	// T_2 = T_1²/(p−1) + q χ² of p − 2 degrees of freedom.
	t1, t2 := 0.0, 0.0
	if others := h.Facts - 1; others > 0 {
		t1 = others*along + math.Sqrt(others*variance)*rng.NormFloat64()
		t2 = t1 / others * t1
		if others > 1 {
			t2 += variance * distuv.ChiSquared{K: others - 1, Src: rng}.Rand()
		}
	}
	lead, spread := 0.0, 0.0
	for i, root := range h.Values {
		u := root * rng.NormFloat64()
		v := (length2+t1)*h.ValueMean[i] + length2*u + math.Sqrt(t2)*root*rng.NormFloat64()
		lead += u * v
		spread += root * root * v * v
	}
	return math.Exp((h.Candidates - 1) * extremes.LogCDF(lead/math.Sqrt(spread)))
}
