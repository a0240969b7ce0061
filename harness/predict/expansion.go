package predict

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"lamcap/extremes"
	"lamcap/harness/table"
)

// Expansion returns how well the expansion of D_n for n → ∞ does: for each of its
// forms a table with a row for each n, 2 ≤ n ≤ 10^300, that holds the exact D_n
// with its error bound, the error (expansion − exact) of each order, and the order
// that errs least; and last a table of what fits of α_c over sizes extrapolate to
// instead of 1/2, which does not depend on ns.
func Expansion(ns []float64) ([]*table.Table, error) {
	if len(ns) == 0 {
		return nil, fmt.Errorf("n: want at least one value")
	}
	exact := make([]extremes.Value, len(ns))
	for i, n := range ns {
		var err error
		if exact[i], err = extremes.ConeDimension(n); err != nil {
			return nil, err
		}
	}
	var tables []*table.Table
	for _, form := range extremes.ExpansionForms() {
		t, err := expansionErrors(form, ns, exact)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	fits, err := expansionFits()
	return append(tables, fits), err
}

func expansionErrors(form extremes.ExpansionForm, ns []float64, exact []extremes.Value) (*table.Table, error) {
	t := &table.Table{Name: "expansion_" + form.String(), Columns: []table.Column{
		{Key: "n"},
		{Key: "d_n", Head: "D_n", Digits: 12},
		{Key: "d_n_error", Head: "± (D_n)", Digits: 2},
	}}
	for order := range extremes.MaxExpansionOrder + 1 {
		t.Columns = append(t.Columns, table.Column{Key: fmt.Sprintf("error_%d", order), Head: fmt.Sprintf("order %d", order), Digits: 2,
			Hidden: order > 4 && order != 7 && order != extremes.MaxExpansionOrder}) // what fits a terminal
	}
	t.Columns = append(t.Columns, table.Column{Key: "best_order", Head: "best"})
	switch form {
	case extremes.ExplicitForm:
		t.Title = "Error of D_n = X − y + 3 + P_1(y)/X + P_2(y)/X² + …, X = 2 log n, y = 3 log X + log 2π"
	case extremes.ImplicitForm:
		t.Title = "Error of D_n = T + 3 − 15/T + 191/(2T²) − …, T + 3 log T = 2 log(n − ½) − log 2π"
	case extremes.FractionForm:
		t.Title = "Error of D_n = T + 3 − (15/T)/(1 + (e_2/T)/(1 + …)), the same series as a continued fraction"
		t.Notes = []string{"order: the power of 1/log n or 1/T up to which terms are taken (json and csv hold all). An error below ± (D_n) is one",
			"of the exact value."}
	}
	for i, n := range ns {
		row := []any{n, exact[i].Value, exact[i].Error}
		best, least := 0, math.Inf(1)
		for order := range extremes.MaxExpansionOrder + 1 {
			v, err := extremes.ConeDimensionExpansion(form, math.Log(n), order)
			if err != nil {
				return nil, err
			}
			miss := v.Value - exact[i].Value
			row = append(row, miss)
			// What cannot be told from 0 is no improvement.
			if size := math.Max(math.Abs(miss), exact[i].Error); size < least {
				best, least = order, size
			}
		}
		t.Append(append(row, best)...)
	}
	return t, nil
}

// fit is a law for α_c or 1/α_c as a function of l = log n whose constant is the
// limit for n → ∞: known + Σ coefficient · basis, the first basis function being 1.
type fit struct {
	key, head string
	inverse   bool // of 1/α_c
	known     func(l float64) float64
	basis     []func(l float64) float64
}

func expansionFitLaws() []fit {
	one := func(float64) float64 { return 1 }
	log := func(l float64) float64 { return 1 / l }
	logSquared := func(l float64) float64 { return 1 / (l * l) }
	logLog := func(l float64) float64 { return math.Log(l) / l }
	nothing := func(float64) float64 { return 0 }
	basis := func(f ...func(float64) float64) []func(float64) float64 { return f }
	return []fit{
		{"log", "a + b/L", false, nothing, basis(one, log)},
		{"log_squared", "a + b/L + c/L²", false, nothing, basis(one, log, logSquared)},
		{"loglog", "a + (b + c log L)/L", false, nothing, basis(one, log, logLog)},
		// 1/α_c = D_n/L: the next two leave the constant and what multiplies 1/L
		// and 1/L² to the fit and take the logarithms from the theory.
		{"inverse_loglog", "1/(a + [b − 3 log 2L]/L)", true,
			func(l float64) float64 { return -3 * math.Log(2*l) / l }, basis(one, log)},
		{"inverse_loglog_squared", "… + [c + 4.5 log 2L]/L²", true,
			func(l float64) float64 { return (-3 + 4.5/l) * math.Log(2*l) / l }, basis(one, log, logSquared)},
	}
}

// expansionFits extrapolates α_c over ranges of n to n → ∞, as one would measured
// capacities: through two or three sizes, equally spaced in log n, or through 13
// by least squares.
func expansionFits() (*table.Table, error) {
	t := &table.Table{
		Name:  "expansion_fits",
		Title: "Richardson: what exact α_c over a range of n extrapolates to, by law fitted (L = log n); the truth is 1/2",
		Columns: []table.Column{
			{Key: "n_first", Head: "n from"},
			{Key: "n_last", Head: "to"},
			{Key: "points"},
		},
		Notes: []string{
			"bias: of a + b/L; residual: its largest, so that such a fit looks right and is wrong. The last two laws take the",
			"logarithms from the theory. Through as many points as coefficients a law passes exactly, through 13 by least squares.",
		},
	}
	laws := expansionFitLaws()
	for i, law := range laws {
		t.Columns = append(t.Columns,
			table.Column{Key: "limit_" + law.key, Head: law.head, Digits: 4},
			table.Column{Key: "bias_" + law.key, Head: "bias", Digits: 2, Hidden: i > 0},
			table.Column{Key: "residual_" + law.key, Head: "residual", Digits: 1, Hidden: i > 0})
	}
	for _, span := range [][2]float64{{1e2, 1e4}, {1e3, 1e6}, {1e6, 1e12}, {1e12, 1e24}, {1e50, 1e100}} {
		for _, points := range []int{2, 3, 13} {
			logs := make([]float64, points)
			alphas := make([]float64, points)
			lo, hi := math.Log(span[0]), math.Log(span[1])
			for i := range points {
				n, err := extremes.SizeFromLog(lo + (hi-lo)*float64(i)/float64(points-1))
				if err != nil {
					return nil, err
				}
				d, err := extremes.ConeDimension(math.Round(n))
				if err != nil {
					return nil, err
				}
				logs[i] = math.Log(math.Round(n))
				alphas[i] = logs[i] / d.Value
			}
			row := []any{span[0], span[1], points}
			for _, law := range laws {
				if points < len(law.basis) {
					row = append(row, nil, nil, nil)
					continue
				}
				limit, residual, err := law.extrapolate(logs, alphas)
				if err != nil {
					return nil, err
				}
				if points == len(law.basis) {
					residual = 0
				}
				row = append(row, limit, limit-0.5, residual)
			}
			t.Append(row...)
		}
	}
	return t, nil
}

// extrapolate fits the law by least squares and returns the limit of α_c and the
// largest residual in α_c.
func (f fit) extrapolate(logs, alphas []float64) (limit, residual float64, err error) {
	design := mat.NewDense(len(logs), len(f.basis), nil)
	target := mat.NewVecDense(len(logs), nil)
	for i, l := range logs {
		y := alphas[i]
		if f.inverse {
			y = 1 / y
		}
		target.SetVec(i, y-f.known(l))
		for j, b := range f.basis {
			design.Set(i, j, b(l))
		}
	}
	var coefficients mat.VecDense
	if err := coefficients.SolveVec(design, target); err != nil {
		return 0, 0, fmt.Errorf("fit of %s: %w", f.head, err)
	}
	for i, l := range logs {
		y := f.known(l)
		for j, b := range f.basis {
			y += coefficients.AtVec(j) * b(l)
		}
		if f.inverse {
			y = 1 / y
		}
		residual = math.Max(residual, math.Abs(y-alphas[i]))
	}
	limit = coefficients.AtVec(0)
	if f.inverse {
		limit = 1 / limit
	}
	return limit, residual, nil
}
