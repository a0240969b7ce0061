package spectrum

import (
	"math"

	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// level is the confidence of the intervals shown.
const level = 0.95

// identity is the columns that say which memories a row is about.
func identity() []table.Column {
	return []table.Column{
		{Key: "model"},
		{Key: "rule"},
		{Key: "d_in", Hidden: true},
		{Key: "d_out", Head: "d"},
		{Key: "rank", Head: "m"},
		{Key: "kappa", Head: "κ", Hidden: true},
		{Key: "p"},
		{Key: "n", Hidden: true},
		{Key: "load", Head: "p/p_c", Digits: 3},
		{Key: "p_c", Hidden: true},
		{Key: "keys_embedding", Hidden: true},
		{Key: "values_embedding", Hidden: true},
	}
}

func (m Measurement) identity() []any {
	s, c := m.Spec, m.Cell
	return []any{s.Model, c.Rule, s.DIn, s.DOut, c.Rank, m.Shape().Kappa(), s.P, s.N, c.Load, c.Critical, s.Keys, s.Values}
}

// square reports whether d_in = d_out in all rows; else d_in is shown.
func square(ms []Measurement) bool {
	for _, m := range ms {
		if m.Spec.DIn != m.Spec.DOut {
			return false
		}
	}
	return true
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
// the law at capacity beside those of truncated Gaussian matrices, and from the laws
// that they should not have.
func Table(ms []Measurement) *table.Table {
	t := &table.Table{Name: "spectrum", Columns: append(identity(),
		table.Column{Key: "trials", Hidden: true},
		table.Column{Key: "trained"},
	)}
	low := false
	for _, m := range ms {
		low = low || !m.Shape().full()
	}
	for _, d := range []struct{ key, head string }{{"ks", "KS"}, {"w1", "W₁"}} {
		t.Columns = append(t.Columns,
			table.Column{Key: d.key, Head: d.head, Digits: 3},
			table.Column{Key: d.key + "_interval", Hidden: true},
			table.Column{Key: d.key + "_gaussian", Head: "Gaussian", Digits: 3},
			table.Column{Key: d.key + "_gaussian_error", Hidden: true},
			table.Column{Key: d.key + "_gaussian_central", Head: "its 95%", Digits: 3, Hidden: true},
			table.Column{Key: d.key + "_z", Head: "z", Digits: 1, Verb: 'f'},
			table.Column{Key: d.key + "_p_value", Hidden: true},
			table.Column{Key: d.key + "_initial", Head: d.head + " from QRᵀ", Digits: 3, Hidden: !low},
			table.Column{Key: d.key + "_initial_reference", Hidden: true},
			table.Column{Key: d.key + "_initial_z", Head: "z", Digits: 1, Verb: 'f', Hidden: !low},
			table.Column{Key: d.key + "_initial_p_value", Hidden: true},
			table.Column{Key: d.key + "_uncut", Head: d.head + " uncut", Digits: 3, Hidden: !low},
		)
	}
	t.Columns = append(t.Columns,
		table.Column{Key: "fourth_moment", Head: "Σσ⁴", Digits: 4},
		table.Column{Key: "fourth_moment_interval", Hidden: true},
		table.Column{Key: "fourth_moment_gaussian", Head: "Gaussian", Digits: 4},
		table.Column{Key: "fourth_moment_z", Head: "z", Digits: 1, Verb: 'f'},
		table.Column{Key: "fourth_moment_p_value", Hidden: true},
		table.Column{Key: "accuracy", Digits: 3, Hidden: true},
		table.Column{Key: "loss", Digits: 4, Hidden: true},
		table.Column{Key: "gradient", Digits: 2, Hidden: true},
		table.Column{Key: "references", Hidden: true},
	)
	for i, c := range t.Columns {
		if c.Key == "d_in" {
			t.Columns[i].Hidden = square(ms)
		}
		if c.Key == "d_out" && !square(ms) {
			t.Columns[i].Head = ""
		}
	}
	for _, m := range ms {
		row := append(m.identity(), m.Trials, m.Trained)
		initial, whole := distances(m.Initial), []stats.Sample{m.WholeKS, m.WholeW1}
		for i, d := range distances(m.Capacity) {
			z, p := m.Capacity.Z(d.sample, d.reference)
			row = append(row, number(d.sample.Mean), table.Interval(d.sample.Interval(level)),
				d.reference.Sample.Mean, d.reference.Sample.StandardError(), table.Interval(d.reference.Central(level)), number(z), number(p))
			z, p = m.Initial.Z(initial[i].sample, initial[i].reference)
			row = append(row, number(initial[i].sample.Mean), initial[i].reference.Sample.Mean, number(z), number(p), number(whole[i].Mean))
		}
		fourth := m.Capacity.Reference.FourthMoment
		z, p := m.Capacity.Z(m.FourthMoment, fourth)
		row = append(row, number(m.FourthMoment.Mean), table.Interval(m.FourthMoment.Interval(level)), fourth.Sample.Mean, number(z), number(p),
			number(m.Accuracy.Mean), number(m.Loss.Mean), number(m.Gradient), fourth.Sample.N)
		t.Append(row...)
	}
	t.Notes = []string{
		"KS = sup |F_m − F|, W₁ = ∫ |F_m − F| dx of rescaled singular values from the law at capacity: the quarter circle, cut",
		"below its top κ = m/d. Gaussian: the same of Gaussian matrices of that size, and z says how far the means are apart,",
		"positive where trained memories are farther from the law. Σσ⁴: m Σσ⁴/(Σσ²)².",
	}
	if low {
		t.Notes = append(t.Notes, "From QRᵀ: from the law of a product of Gaussian factors, with which training began; z against such products. uncut: from the whole quarter circle.")
	}
	return t
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
		{Key: "distance"},
		{Key: "dimensions"},
		{Key: "exponent", Digits: 3},
		{Key: "interval", Head: "95% interval", Digits: 3},
		{Key: "fit_p_value", Head: "fit p", Digits: 2},
		{Key: "gaussian", Head: "Gaussian", Digits: 3},
		{Key: "gaussian_interval", Head: "95% interval", Digits: 3},
		{Key: "gaussian_fit_p_value", Hidden: true},
	}, Notes: []string{"Exponent a of distance ∝ d^(−a); fit p: of χ² about it, small where distances follow no power of d."}}
	type group struct {
		model, rule string
		kappa, load float64
	}
	var order []group
	of := map[group][]Measurement{}
	for _, m := range ms {
		g := group{m.Spec.Model.String(), m.Rule.String(), math.Round(20*m.Shape().Kappa()) / 20, math.Round(20*m.Load) / 20}
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
			t.Append(g.model, g.rule, g.kappa, g.load, distance, len(sizes), number(a.Exponent), table.Interval(a.Interval), number(a.Fit.PValue),
				number(b.Exponent), table.Interval(b.Interval), number(b.Fit.PValue))
		}
	}
	return t
}

// Profile returns the rescaled singular values themselves for plots: for each
// measurement and each i = 1 … m, in ascending order, mean and standard deviation over
// instances, the same for Gaussian matrices, and the law's quantile of (i − ½)/m.
func Profile(ms []Measurement) *table.Table {
	t := &table.Table{Name: "singular_values", Columns: append(identity(),
		table.Column{Key: "index", Head: "i"},
		table.Column{Key: "fraction", Hidden: true},
		table.Column{Key: "value", Head: "x_i", Digits: 5},
		table.Column{Key: "value_std", Head: "its std", Digits: 2},
		table.Column{Key: "gaussian", Head: "Gaussian", Digits: 5},
		table.Column{Key: "gaussian_std", Head: "its std", Digits: 2},
		table.Column{Key: "law", Digits: 5},
		table.Column{Key: "initial_law", Head: "law of QRᵀ", Digits: 5},
		table.Column{Key: "scale", Hidden: true},
	), Notes: []string{"x_i = σ_i √(d I(κ))/‖W‖_F in ascending order, means of instances; law: F⁻¹((i − ½)/m)."}}
	for _, m := range ms {
		for i, x := range m.Values {
			u := (float64(i) + 0.5) / float64(len(m.Values))
			t.Append(append(m.identity(), i+1, u, x, number(m.Deviations[i]),
				m.Capacity.Reference.Values[i], m.Capacity.Reference.Deviations[i], m.Capacity.Law.Quantile(u), m.Initial.Law.Quantile(u),
				math.Sqrt(float64(m.Rank)*m.Capacity.Law.SecondMoment()))...)
		}
	}
	return t
}

// Histogram returns the densities of the rescaled singular values in equal bins over
// the support of the law at capacity, and one bin on each side for what lies beyond:
// means and intervals over instances, and what the law has.
func Histogram(ms []Measurement, bins int) *table.Table {
	t := &table.Table{Name: "histogram", Columns: append(identity(),
		table.Column{Key: "lo", Digits: 4},
		table.Column{Key: "hi", Digits: 4},
		table.Column{Key: "fraction", Digits: 4},
		table.Column{Key: "interval", Head: "95% interval", Digits: 4},
		table.Column{Key: "law", Digits: 4},
		table.Column{Key: "initial_law", Head: "law of QRᵀ", Digits: 4},
	), Notes: []string{"Fractions of the singular values of an instance in a bin, means of instances."}}
	for _, m := range ms {
		lo, hi := m.Capacity.Law.Support()
		edges := []float64{math.Inf(-1)}
		for i := range bins + 1 {
			edges = append(edges, lo+(hi-lo)*float64(i)/float64(bins))
		}
		edges = append(edges, math.Inf(1))
		for i := range edges[1:] {
			a, b := edges[i], edges[i+1]
			in := make([]float64, len(m.Spectra))
			for j, values := range m.Spectra {
				for _, x := range values {
					if x > a && x <= b {
						in[j] += 1 / float64(len(values))
					}
				}
			}
			s := stats.NewSample(in)
			t.Append(append(m.identity(), a, b, number(s.Mean), table.Interval(s.Interval(level)),
				m.Capacity.Law.CDF(b)-m.Capacity.Law.CDF(a), m.Initial.Law.CDF(b)-m.Initial.Law.CDF(a))...)
		}
	}
	return t
}
