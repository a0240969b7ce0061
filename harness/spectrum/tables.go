package spectrum

import (
	"fmt"
	"math"
	"slices"

	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// level is the confidence of the intervals shown.
const level = 0.95

func summaries(ms []Measurement) []measure.Summary {
	out := make([]measure.Summary, len(ms))
	for i, m := range ms {
		out[i] = m.Summary
	}
	return out
}

// low reports whether some memories are of a rank below full, where the law of Q Rᵀ is
// another than that at capacity.
func low(ms []Measurement) bool {
	return slices.ContainsFunc(ms, func(m Measurement) bool { return !m.Shape().full() })
}

// distances are the two of a comparison, by name.
func distances(c Comparison) []struct {
	name      string
	sample    stats.Sample
	reference stats.Simulated
} {
	return []struct {
		name      string
		sample    stats.Sample
		reference stats.Simulated
	}{{"ks", c.KS, c.Reference.KS}, {"w1", c.W1, c.Reference.W1}}
}

// Table returns a row for each measurement: distances of the trained spectra from
// the law at capacity beside those of truncated Gaussian matrices, and, at a rank below
// full, from the laws that they should not have.
func Table(ms []Measurement) *table.Table {
	low := low(ms)
	t := &table.Table{Name: "spectrum", Columns: measure.Columns(summaries(ms))}
	for _, d := range []struct {
		key, head string
		hidden    bool // of the laws that are wrong: one distance from them is enough to read
	}{{"ks", "KS", !low}, {"w1", "W₁", true}} {
		t.Columns = append(t.Columns,
			table.Column{Key: d.key, Head: d.head, Digits: 3},
			table.Column{Key: d.key + "_error", Head: "± " + d.head, Digits: 2},
			table.Column{Key: d.key + "_interval", Hidden: true},
			table.Column{Key: d.key + "_gaussian", Head: "Gaussian " + d.head, Digits: 3},
			table.Column{Key: d.key + "_gaussian_error", Hidden: true},
			table.Column{Key: d.key + "_gaussian_central", Hidden: true},
			table.Column{Key: d.key + "_z", Head: "z " + d.head, Digits: 1, Verb: 'f'},
			table.Column{Key: d.key + "_p_value", Hidden: true},
			table.Column{Key: d.key + "_initial", Head: d.head + " from QRᵀ", Digits: 3, Hidden: d.hidden},
			table.Column{Key: d.key + "_initial_error", Head: "± QRᵀ", Digits: 2, Hidden: d.hidden},
			table.Column{Key: d.key + "_initial_reference", Hidden: true},
			table.Column{Key: d.key + "_initial_z", Head: "z QRᵀ", Digits: 1, Verb: 'f', Hidden: d.hidden},
			table.Column{Key: d.key + "_initial_p_value", Hidden: true},
			table.Column{Key: d.key + "_uncut", Head: d.head + " uncut", Digits: 3, Hidden: d.hidden},
			table.Column{Key: d.key + "_uncut_error", Head: "± uncut", Digits: 2, Hidden: d.hidden},
		)
	}
	t.Columns = append(t.Columns,
		table.Column{Key: "fourth_moment", Head: "Σσ⁴", Digits: 4},
		table.Column{Key: "fourth_moment_error", Head: "± Σσ⁴", Digits: 2},
		table.Column{Key: "fourth_moment_interval", Hidden: true},
		table.Column{Key: "fourth_moment_gaussian", Head: "Gaussian Σσ⁴", Digits: 4},
		table.Column{Key: "fourth_moment_gaussian_error", Hidden: true},
		table.Column{Key: "fourth_moment_z", Head: "z Σσ⁴", Digits: 1, Verb: 'f'},
		table.Column{Key: "fourth_moment_p_value", Hidden: true},
		table.Column{Key: "accuracy", Hidden: true},
		table.Column{Key: "accuracy_error", Hidden: true},
		table.Column{Key: "loss", Hidden: true},
		table.Column{Key: "loss_error", Hidden: true},
		table.Column{Key: "gradient", Hidden: true},
		table.Column{Key: "references", Hidden: true},
	)
	worst := 0.0 // relative standard error of what is simulated
	for _, m := range ms {
		row := m.Row()
		initial, whole := distances(m.Initial), []stats.Sample{m.WholeKS, m.WholeW1}
		for i, d := range distances(m.Capacity) {
			z, p := m.Capacity.Z(d.sample, d.reference)
			gaussian := d.reference.Sample
			worst = worse(worst, gaussian)
			row = append(row, number(d.sample.Mean), number(d.sample.StandardError()), table.Interval(d.sample.Interval(level)),
				gaussian.Mean, number(gaussian.StandardError()), table.Interval(d.reference.Central(level)), number(z), number(p))
			if m.Shape().full() { // the same laws
				row = append(row, nil, nil, nil, nil, nil, nil, nil)
				continue
			}
			z, p = m.Initial.Z(initial[i].sample, initial[i].reference)
			row = append(row, number(initial[i].sample.Mean), number(initial[i].sample.StandardError()), initial[i].reference.Sample.Mean,
				number(z), number(p), number(whole[i].Mean), number(whole[i].StandardError()))
		}
		fourth := m.Capacity.Reference.FourthMoment
		worst = worse(worst, fourth.Sample)
		z, p := m.Capacity.Z(m.FourthMoment, fourth)
		row = append(row, number(m.FourthMoment.Mean), number(m.FourthMoment.StandardError()), table.Interval(m.FourthMoment.Interval(level)),
			fourth.Sample.Mean, number(fourth.Sample.StandardError()), number(z), number(p),
			number(m.Accuracy.Mean), number(m.Accuracy.StandardError()), number(m.Loss.Mean), number(m.Loss.StandardError()), number(m.Gradient), fourth.Sample.N)
		t.Append(row...)
	}
	t.Notes = []string{
		"KS = sup |F_m − F|, W₁ = ∫ |F_m − F| dx of rescaled singular values from the law at capacity: the quarter circle, cut below its top κ = m/d. Σσ⁴: m Σσ⁴/(Σσ²)².",
		fmt.Sprintf("Gaussian: the same of Gaussian matrices of that size (standard errors ≤ %.1f%%); z: how far the means are apart, positive where trained memories are farther from the law.", math.Ceil(1000*worst)/10),
	}
	if low {
		t.Notes = append(t.Notes, "From QRᵀ, where m is below full: from the law of a product of Gaussian factors, with which training began; z against such products. uncut: from the whole quarter circle.")
	}
	t.Notes = append(t.Notes, notes(ms)...)
	return t
}

// worse is the larger relative standard error: of a sample without spread there is none.
func worse(known float64, s stats.Sample) float64 {
	if e := s.StandardError() / s.Mean; e > known {
		return e
	}
	return known
}

// notes are those of the memories, and what theory they stand beside.
func notes(ms []Measurement) []string {
	out := measure.Notes(summaries(ms))
	if measure.HasOP(summaries(ms)) {
		out = append(out, "op: p_c and the law are those of DP at its capacity; at finite d OP's spectra differ from DP's.")
	}
	return out
}

// number is the cell of a number that may be NaN for none.
func number(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}

// Exponents returns how distances decrease with d: a row for each distance of each
// model, rule, κ and load that was measured at two dimensions at least, with
// the exponent of d^(−a) and the same for Gaussian matrices. Loads count as the same
// where they are, to 3 digits or as asked for; so do κ.
func Exponents(ms []Measurement) *table.Table {
	t := &table.Table{Name: "exponents", Columns: []table.Column{
		{Key: "model"},
		{Key: "rule"},
		{Key: "kappa", Head: "κ", Digits: 3},
		{Key: "load", Head: "p/p_c", Digits: 2},
		{Key: "keys_embedding", Hidden: true},
		{Key: "values_embedding", Hidden: true},
		{Key: "seed", Hidden: true},
		{Key: "distance"},
		{Key: "dimensions"},
		{Key: "exponent", Digits: 3},
		{Key: "interval", Head: "95% interval", Digits: 3},
		{Key: "fit_p_value", Head: "fit p", Digits: 2},
		{Key: "gaussian", Head: "Gaussian", Digits: 3},
		{Key: "gaussian_interval", Head: "Gaussian 95%", Digits: 3},
		{Key: "gaussian_fit_p_value", Hidden: true},
	}, Notes: []string{"Exponent a of distance ∝ d^(−a); fit p: of χ² about it, small where distances follow no power of d."}}
	type group struct {
		model, rule  string
		kappa, load  float64
		keys, values pattern.Embedding
		seed         uint64
	}
	var order []group
	of := map[group][]Measurement{}
	for _, m := range ms {
		g := group{m.Spec.Model.String(), m.Rule.String(), math.Round(20*m.Shape().Kappa()) / 20, math.Round(20*m.Load) / 20,
			m.Spec.Keys, m.Spec.Values, m.Seed}
		if of[g] == nil {
			order = append(order, g)
		}
		of[g] = append(of[g], m)
	}
	for _, g := range order {
		for i, distance := range []string{"ks", "w1"} {
			var trained, gaussian stats.Scaling
			sizes := map[float64]bool{}
			for _, m := range of[g] {
				d := distances(m.Capacity)[i]
				size := math.Sqrt(float64(m.Spec.DIn) * float64(m.Spec.DOut))
				sizes[size] = true
				trained = append(trained, d.sample.At(size))
				gaussian = append(gaussian, d.reference.Sample.At(size))
			}
			if len(sizes) < 2 {
				continue
			}
			a, b := trained.PowerLaw(level), gaussian.PowerLaw(level)
			t.Append(g.model, g.rule, g.kappa, g.load, g.keys, g.values, g.seed, distance, len(sizes), number(a.Exponent), table.Interval(a.Interval), number(a.Fit.PValue),
				number(b.Exponent), table.Interval(b.Interval), number(b.Fit.PValue))
		}
	}
	return t
}

// Profile returns the rescaled singular values themselves for plots: for each
// measurement and each i = 1 … m, in ascending order, mean and standard deviation over
// instances, the same for Gaussian matrices, and the law's quantile of (i − ½)/m; that of
// the law of Q Rᵀ only where it is another.
func Profile(ms []Measurement) *table.Table {
	t := &table.Table{Name: "singular_values", Columns: append(measure.Columns(summaries(ms)),
		table.Column{Key: "index", Head: "i"},
		table.Column{Key: "fraction", Hidden: true},
		table.Column{Key: "value", Head: "x_i", Digits: 5},
		table.Column{Key: "value_error", Head: "± x_i", Digits: 2},
		table.Column{Key: "value_std", Hidden: true},
		table.Column{Key: "gaussian", Head: "Gaussian", Digits: 5},
		table.Column{Key: "gaussian_error", Head: "± Gaussian", Digits: 2},
		table.Column{Key: "gaussian_std", Hidden: true},
		table.Column{Key: "law", Digits: 5},
		table.Column{Key: "initial_law", Head: "law of QRᵀ", Digits: 5, Hidden: !low(ms)},
		table.Column{Key: "scale", Hidden: true},
	), Notes: []string{"x_i = σ_i √(d I(κ))/‖W‖_F in ascending order; law: F⁻¹((i − ½)/m)."}}
	for _, m := range ms {
		reference := m.Capacity.Reference
		for i, x := range m.Values {
			u := (float64(i) + 0.5) / float64(len(m.Values))
			t.Append(append(m.Row(), i+1, u, x, number(m.Deviations[i]/math.Sqrt(float64(m.Trained))), number(m.Deviations[i]),
				reference.Values[i], number(reference.Deviations[i]/math.Sqrt(float64(reference.KS.Sample.N))), number(reference.Deviations[i]),
				m.Capacity.Law.Quantile(u), m.initial(func(l Law) float64 { return l.Quantile(u) }),
				math.Sqrt(float64(m.Rank)*m.Capacity.Law.SecondMoment()))...)
		}
	}
	t.Notes = append(t.Notes, notes(ms)...)
	return t
}

// initial is the cell of a number of the law of Q Rᵀ: none at full rank, where it is the
// law at capacity.
func (m Measurement) initial(f func(l Law) float64) any {
	if m.Shape().full() {
		return nil
	}
	return f(m.Initial.Law)
}

// Histogram returns the densities of the rescaled singular values in equal bins over
// the support of the law at capacity, and one bin on each side for what lies beyond:
// means and intervals over instances, and what the law has.
func Histogram(ms []Measurement, bins int) *table.Table {
	t := &table.Table{Name: "histogram", Columns: append(measure.Columns(summaries(ms)),
		table.Column{Key: "lo", Digits: 4},
		table.Column{Key: "hi", Digits: 4},
		table.Column{Key: "fraction", Digits: 4},
		table.Column{Key: "interval", Head: "95% interval", Digits: 4},
		table.Column{Key: "law", Digits: 4},
		table.Column{Key: "initial_law", Head: "law of QRᵀ", Digits: 4, Hidden: !low(ms)},
	), Notes: []string{
		"Fractions of the singular values in a bin.",
		"Intervals: Wilson's with the variance that instances show; where their counts do not vary, that of Clopper and Pearson for all values together, as if they were independent.",
	}}
	for _, m := range ms {
		lo, hi := m.Capacity.Law.Support()
		edges := []float64{math.Inf(-1)}
		for i := range bins + 1 {
			edges = append(edges, lo+(hi-lo)*float64(i)/float64(bins))
		}
		edges = append(edges, math.Inf(1))
		for i := range edges[1:] {
			a, b := edges[i], edges[i+1]
			in := stats.Clusters{Successes: make([]int, len(m.Spectra)), Size: m.Rank}
			for j, values := range m.Spectra {
				for _, x := range values {
					if x > a && x <= b {
						in.Successes[j]++
					}
				}
			}
			mass := func(l Law) float64 { return l.CDF(b) - l.CDF(a) }
			t.Append(append(m.Row(), a, b, number(in.Estimate()), table.Interval(in.Interval(level)), mass(m.Capacity.Law), m.initial(mass))...)
		}
	}
	t.Notes = append(t.Notes, notes(ms)...)
	return t
}
