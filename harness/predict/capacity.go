package predict

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/table"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// maxDimension keeps d and κd exact in a float64, with room to spare.
const maxDimension = 1 << 40

// CapacityQuery says which capacities to tabulate.
type CapacityQuery struct {
	// Kappas are the rank fractions κ, each in (0, 1].
	Kappas []float64
	// Candidates are the numbers of candidates n per input, 2 ≤ n ≤ 10^300 or
	// +Inf for the limit. Empty means n = p where D is given, the limit where
	// it is not.
	Candidates []float64
	// D is the dimension d = d_out = d_in; 0 leaves out what depends on it.
	D int
}

// Capacity returns a table with a row for each κ and n: α_limit = I(κ)/2,
// α_c = log n·I(κ)/D_n, γ_c = I(κ)/D_n and, with D, the rank m = κd rounded to
// an integer ≥ 1, N_eff, and p_c with p_c·D_n = N_eff.
func Capacity(q CapacityQuery) (*table.Table, error) {
	if q.D < 0 || q.D > maxDimension {
		return nil, fmt.Errorf("d = %d: want 1 ≤ d ≤ %d", q.D, maxDimension)
	}
	if len(q.Kappas) == 0 {
		return nil, fmt.Errorf("kappa: want at least one value")
	}
	digitsOfN := 0 // given integers are shown as they are
	if len(q.Candidates) == 0 {
		digitsOfN = 6 // n = p_c is real
	}
	t := &table.Table{Name: "capacity", Columns: []table.Column{
		{Key: "kappa", Head: "κ"},
		{Key: "n", Digits: digitsOfN},
		{Key: "log_n", Head: "log n", Digits: 6, Hidden: true},
		{Key: "alpha_limit", Head: "α_limit", Digits: 8},
		{Key: "alpha_c", Head: "α_c", Digits: 8},
		{Key: "gamma_c", Head: "γ_c", Digits: 6},
		{Key: "d", Hidden: q.D == 0},
		{Key: "rank", Head: "m", Hidden: q.D == 0},
		{Key: "n_eff", Head: "N_eff", Digits: 6, Hidden: q.D == 0},
		{Key: "n_eff_error", Head: "± (N_eff)", Digits: 2, Hidden: q.D == 0},
		{Key: "p_c", Digits: 6, Hidden: q.D == 0},
		{Key: "p_c_error", Head: "± (p_c)", Digits: 2, Hidden: q.D == 0},
	}}
	b := capacityBuilder{t: t, d: q.D, spectra: quartercircle.NewSpectra(), dimension: make(map[float64]extremes.Value)}
	for _, kappa := range q.Kappas {
		if err := b.rows(kappa, q.Candidates); err != nil {
			return nil, err
		}
	}
	if q.D > 0 {
		t.Notes = append(t.Notes, "± bounds the error of p_c; where N_eff is sampled (m < d), two standard errors.")
		if len(q.Candidates) == 0 {
			t.Notes = append(t.Notes, "n = p_c: as many candidates as facts.")
		}
		t.Notes = append(t.Notes, "α and γ are those of κ as d → ∞; m, N_eff and p_c those of d.")
		if b.rounded {
			t.Notes = append(t.Notes, "m is κd rounded to an integer ≥ 1.")
		}
	}
	return t, nil
}

// capacityBuilder keeps what rows have in common.
type capacityBuilder struct {
	t         *table.Table
	d         int
	spectra   *quartercircle.Spectra
	dimension map[float64]extremes.Value // D_n by n
	rounded   bool                       // some κd is not an integer
}

func (b *capacityBuilder) rows(kappa float64, candidates []float64) error {
	moment, err := quartercircle.TruncatedSecondMoment(kappa)
	if err != nil {
		return err
	}
	var rank any
	weights := quartercircle.Estimate{}
	if b.d > 0 {
		m := max(1, int(math.Round(kappa*float64(b.d))))
		rank = m
		b.rounded = b.rounded || math.Abs(kappa*float64(b.d)-float64(m)) > 1e-9*float64(m)
		if weights, err = b.spectra.EffectiveDimension(b.d, b.d, m); err != nil {
			return err
		}
	}
	if len(candidates) == 0 && b.d > 0 {
		c, err := saddle.CriticalFacts(weights.Value)
		if err != nil {
			return err
		}
		b.dimension[c.Facts] = c.Dimension
		b.append(kappa, moment, c.Facts, rank, weights, c.Error/c.Facts)
		return nil
	}
	if len(candidates) == 0 {
		candidates = []float64{math.Inf(1)}
	}
	for _, n := range candidates {
		if _, known := b.dimension[n]; !known && !math.IsInf(n, 1) {
			if b.dimension[n], err = extremes.ConeDimension(n); err != nil {
				return err
			}
		}
		b.append(kappa, moment, n, rank, weights, 0)
	}
	return nil
}

// append adds the row of one κ and n; relative is the error of p_c that is
// neither that of N_eff nor that of D_n.
func (b *capacityBuilder) append(kappa, moment, n float64, rank any, weights quartercircle.Estimate, relative float64) {
	logN, limit := math.Log(n), moment/2
	alpha, gamma, perFact := limit, 0.0, math.Inf(1)
	if !math.IsInf(n, 1) {
		d := b.dimension[n]
		perFact, relative = d.Value, math.Max(relative, d.Error/d.Value)
		alpha, gamma = logN*moment/perFact, moment/perFact
	}
	row := []any{kappa, n, logN, limit, alpha, gamma, nil, nil, nil, nil, nil, nil}
	if b.d > 0 {
		spread := 2*weights.StandardError + weights.Bound
		p := weights.Value / perFact
		row[6], row[7], row[8], row[9] = b.d, rank, weights.Value, spread
		row[10], row[11] = p, p*(relative+spread/weights.Value)
	}
	b.t.Append(row...)
}
