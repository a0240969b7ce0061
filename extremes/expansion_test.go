package extremes

import (
	"encoding/csv"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// records reads a file of testdata without its header.
func records(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Greater(t, len(rows), 1)
	return rows[1:]
}

// exactCoefficients returns the rows of expansion.csv: by quantity and order the
// coefficients, of T^{−order} in d and v, of powers of y in P and R.
func exactCoefficients(t *testing.T) map[string]map[int][]*big.Rat {
	t.Helper()
	out := map[string]map[int][]*big.Rat{
		// The terms that expansion.csv starts after.
		"d": {-1: {big.NewRat(1, 1)}, 0: {big.NewRat(3, 1)}},
		"v": {-1: {big.NewRat(2, 1)}, 0: {big.NewRat(-4, 1)}},
	}
	for _, row := range records(t, "expansion.csv") {
		order, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		if out[row[0]] == nil {
			out[row[0]] = map[int][]*big.Rat{}
		}
		for _, text := range strings.Fields(row[2]) {
			x, ok := new(big.Rat).SetString(text)
			require.True(t, ok, text)
			out[row[0]][order] = append(out[row[0]][order], x)
		}
	}
	return out
}

func nearest(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// The tables in the code are those of the generator, correctly rounded.
func TestExpansionCoefficients(t *testing.T) {
	exact := exactCoefficients(t)
	for _, c := range []struct {
		name  string
		first int
		got   []float64
	}{
		{"d", -1, dimensionSeries[:]},
		{"v", -1, varianceSeries[:]},
		{"e", 1, dimensionPartial[:]},
		{"f", 1, variancePartial[:]},
	} {
		for i, got := range c.got {
			require.Contains(t, exact[c.name], c.first+i, c.name)
			assert.Equal(t, nearest(exact[c.name][c.first+i][0]), got, "%s_%d", c.name, c.first+i)
		}
	}
	// Every order needs its successors: one in T, three in 1/log n (two in V).
	assert.GreaterOrEqual(t, len(dimensionSeries), MaxExpansionOrder+5)
	assert.GreaterOrEqual(t, len(varianceSeries), MaxExpansionOrder+4)
	assert.GreaterOrEqual(t, len(dimensionPartial), MaxExpansionOrder+1)
	assert.GreaterOrEqual(t, len(variancePartial), MaxExpansionOrder+1)
	// Positive: successive convergents are on both sides of the limit.
	for _, e := range dimensionPartial[1:] {
		assert.Positive(t, e)
	}
	for _, f := range variancePartial {
		assert.Positive(t, f)
	}
}

// Every coefficient by what is left of D and V at log n = 1e3, 1e4 and 1e6 when all
// terms before it are taken away: with reference values of 58 digits that is the
// coefficient times 1 + O(1/T).
func TestExpansionCoefficientsAreThoseOfD(t *testing.T) {
	const precision = 260 // bits: 78 digits
	number := func(text string) *big.Float {
		x, _, err := big.ParseFloat(text, 10, precision, big.ToNearestEven)
		require.NoError(t, err)
		return x
	}
	checked := map[string]int{}
	exact := exactCoefficients(t)
	for _, row := range records(t, "cone_poisson.csv") {
		variable := number(row[1])
		size, _ := variable.Float64()
		for name, rest := range map[string]*big.Float{"d": number(row[2]), "v": number(row[3])} {
			whole := new(big.Float).Copy(rest)
			power := new(big.Float).Copy(variable)
			for order := -1; ; order++ {
				if exact[name][order] == nil {
					break
				}
				c := new(big.Float).SetPrec(precision).SetRat(exact[name][order][0])
				term := new(big.Float).Mul(c, power)
				// The next coefficient is below 2j + 14 times this one.
				tolerance := (2*float64(max(order, 0)) + 14) / size
				// 58 digits of the whole leave fewer of this term.
				digits, _ := new(big.Float).Quo(whole, term).Float64()
				if math.Abs(digits)*1e-57 > tolerance/10 {
					break
				}
				ratio, _ := new(big.Float).Quo(rest, term).Float64()
				assert.InDelta(t, 1, ratio, tolerance, "%s, log n = %s, T^%d", name, row[0], -order)
				checked[name+strconv.Itoa(order)]++
				rest.Sub(rest, term)
				power.Quo(power, variable)
			}
		}
	}
	for order := -1; order <= MaxExpansionOrder+1; order++ {
		assert.GreaterOrEqual(t, checked["d"+strconv.Itoa(order)], 2, "d, T^%d", -order)
		assert.GreaterOrEqual(t, checked["v"+strconv.Itoa(order)], 2, "v, T^%d", -order)
	}
}

// The polynomials of the series in 1/log n, which the code never forms, against
// the generator's: the difference of two orders is P_k(y)/X^k.
func TestExpansionPolynomials(t *testing.T) {
	exact := exactCoefficients(t)
	for _, logN := range []float64{5, 40, 700, 1e5} {
		x := 2 * logN
		y := 3*math.Log(x) + log2Pi
		for name, expansion := range map[string]func(ExpansionForm, float64, int) (Value, error){"P": ConeDimensionExpansion, "R": ConeVarianceExpansion} {
			last, err := expansion(ExplicitForm, logN, 0)
			require.NoError(t, err)
			for order := 1; order <= MaxExpansionOrder; order++ {
				want, modulus := 0.0, 0.0
				for i, c := range exact[name][order] {
					term := nearest(c) * math.Pow(y, float64(i)) / math.Pow(x, float64(order))
					want += term
					modulus += math.Abs(term)
				}
				v, err := expansion(ExplicitForm, logN, order)
				require.NoError(t, err)
				// Rounding: of the terms of the polynomial, and of both sums.
				tolerance := 1e-13*modulus + 4e-16*(math.Abs(v.Value)+math.Abs(last.Value))
				assert.InDelta(t, want, v.Value-last.Value, tolerance, "%s_%d at log n = %v", name, order, logN)
				last = v
			}
		}
	}
}

// Against the exact values from n = 4 to 1e300: Error is a bound for every form, at every
// order, and for the series in 1/T the next term is also what the error is of
// the order of, once the terms fall.
func TestExpansionErrors(t *testing.T) {
	for _, row := range records(t, "cone.csv") {
		n, err := strconv.ParseFloat(row[0], 64)
		require.NoError(t, err)
		logN := math.Log(n)
		tau := newImplicit(logN).t
		for i, expansion := range []func(ExpansionForm, float64, int) (Value, error){ConeDimensionExpansion, ConeVarianceExpansion} {
			want, err := strconv.ParseFloat(row[1+i], 64)
			require.NoError(t, err)
			for _, form := range ExpansionForms() {
				for order := range MaxExpansionOrder + 1 {
					v, err := expansion(form, logN, order)
					require.NoError(t, err)
					require.True(t, v.Status.OK())
					miss := math.Abs(v.Value - want)
					assert.LessOrEqual(t, miss, v.Error, "%s: n = %v, %v form, order %d", []string{"D", "V"}[i], n, form, order)
					rounding := 0x1p-48 * want
					// Next terms fall by a factor of 2 at least: half of the
					// first one left out is there.
					falls := float64(4*order+14) < tau && n > 1e4
					if form == ImplicitForm && falls && miss > 10*rounding {
						assert.Greater(t, miss, v.Error/2, "%s: n = %v, order %d", []string{"D", "V"}[i], n, order)
					}
				}
			}
		}
	}
}

// The same at sizes between those, down to n = 2.
func TestExpansionErrorsAtAnySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := math.Floor(math.Exp(rapid.Float64Range(math.Ln2, 60).Draw(t, "log n")) * (1 + 1e-12))
		form := rapid.SampledFrom(ExpansionForms()).Draw(t, "form")
		order := rapid.IntRange(0, MaxExpansionOrder).Draw(t, "order")
		d, err := ConeDimension(n)
		if err != nil {
			t.Fatal(err)
		}
		v, err := ConeDimensionExpansion(form, math.Log(n), order)
		if err != nil || !(math.Abs(v.Value-d.Value) <= v.Error+d.Error) {
			t.Fatalf("D: n = %v, %v form, order %d: %v ± %v (%v), exact %v", n, form, order, v.Value, v.Error, err, d.Value)
		}
		d, err = ConeVariance(n)
		if err != nil {
			t.Fatal(err)
		}
		v, err = ConeVarianceExpansion(form, math.Log(n), order)
		if err != nil || !(math.Abs(v.Value-d.Value) <= v.Error+d.Error) {
			t.Fatalf("V: n = %v, %v form, order %d: %v ± %v (%v), exact %v", n, form, order, v.Value, v.Error, err, d.Value)
		}
	})
}

// Each order errs like the next term: between n = 1e100 and 1e300 the error of
// order k in 1/T falls by the ratio of T to the power k + 1.
func TestExpansionOrders(t *testing.T) {
	miss := func(n float64, order int) float64 {
		d, err := ConeDimension(n)
		require.NoError(t, err)
		v, err := ConeDimensionExpansion(ImplicitForm, math.Log(n), order)
		require.NoError(t, err)
		return math.Abs(v.Value - d.Value)
	}
	// Beyond order 2 the error at 1e300 is below the rounding of D.
	for order := range 3 {
		ratio := newImplicit(math.Log(1e300)).t / newImplicit(math.Log(1e100)).t
		got := math.Log(miss(1e100, order)/miss(1e300, order)) / math.Log(ratio)
		// The corrections are of the order of 10/T = 2% at 1e100.
		assert.InDelta(t, float64(order+1), got, 0.03, "order %d", order)
	}
}

// The series in 1/T is best where the ratio of its terms, (2j + 5)/T, passes 1.
func TestExpansionOptimalOrder(t *testing.T) {
	for _, n := range []float64{1e4, 1e5, 1e6, 1e7, 1e8} {
		d, err := ConeDimension(n)
		require.NoError(t, err)
		best, least := 0, math.Inf(1)
		for order := range MaxExpansionOrder + 1 {
			v, err := ConeDimensionExpansion(ImplicitForm, math.Log(n), order)
			require.NoError(t, err)
			if miss := math.Abs(v.Value - d.Value); miss < least {
				best, least = order, miss
			}
		}
		assert.InDelta(t, (newImplicit(math.Log(n)).t-5)/2, best, 1, "n = %v", n)
	}
}

func TestExpansionOfOrderZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logN := rapid.Float64Range(math.Ln2, 1e4).Draw(t, "log n")
		v, err := ConeDimensionExpansion(ExplicitForm, logN, 0)
		want := 2*logN - 3*math.Log(2*logN) - log2Pi + 3
		if err != nil || !(math.Abs(v.Value-want) <= 1e-15*(10+2*logN)) {
			t.Fatalf("log n = %v: %v, %v, want %v", logN, v.Value, err, want)
		}
	})
}

// T solves its equation, D_n lies between successive convergents, and no two forms or
// orders contradict each other.
func TestExpansionLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logN := math.Exp(rapid.Float64Range(math.Log(math.Ln2), math.Log(1e8)).Draw(t, "log log n"))
		if logN < math.Ln2 {
			logN = math.Ln2
		}
		p := newImplicit(logN)
		right := 2*(logN+math.Log1p(-math.Exp(-logN)/2)) - log2Pi
		if !(math.Abs(p.t+3*math.Log(p.t)-right) <= 1e-15*(10+math.Abs(right))) {
			t.Fatalf("T = %v does not solve its equation at log n = %v", p.t, logN)
		}
		// Even convergents fall, odd ones rise, and all even ones are above.
		for order := 2; order <= MaxExpansionOrder; order++ {
			before, _ := p.convergent(order - 2)
			middle, _ := p.convergent(order - 1)
			after, _ := p.convergent(order)
			lo, hi := math.Min(before, middle), math.Max(before, middle)
			if slack := 1e-15 * p.t; !(after >= lo-slack && after <= hi+slack) {
				t.Fatalf("log n = %v: convergent %d is %v, not between %v and %v", logN, order, after, before, middle)
			}
		}
		form := func(label string) ExpansionForm { return rapid.SampledFrom(ExpansionForms()).Draw(t, label) }
		order := func(label string) int { return rapid.IntRange(0, MaxExpansionOrder).Draw(t, label) }
		for _, expansion := range []func(ExpansionForm, float64, int) (Value, error){ConeDimensionExpansion, ConeVarianceExpansion} {
			f, g, i, j := form("form"), form("other form"), order("order"), order("other order")
			a, err := expansion(f, logN, i)
			if err != nil {
				t.Fatal(err)
			}
			b, err := expansion(g, logN, j)
			if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(a.Value-b.Value) <= a.Error+b.Error) {
				t.Fatalf("log n = %v: %v order %d: %v ± %v, %v order %d: %v ± %v", logN, f, i, a.Value, a.Error, g, j, b.Value, b.Error)
			}
		}
	})
}

// dD_n/d log n, which V_n's terms of order 1/n need, by differences.
func TestConvergentSlope(t *testing.T) {
	for _, logN := range []float64{1, 5, 50} {
		p := newImplicit(logN)
		for order := range MaxExpansionOrder + 1 {
			_, got := p.convergent(order)
			h := 1e-5 * p.t
			above, _ := implicit{t: p.t + h}.convergent(order)
			below, _ := implicit{t: p.t - h}.convergent(order)
			// The third derivative is of the order of D/T³.
			assert.InEpsilon(t, (above-below)/(2*h), got, 1e-8, "log n = %v, order %d", logN, order)
		}
		above, below := newImplicit(logN+1e-4), newImplicit(logN-1e-4)
		// Of log(n − ½) the derivative in log n is n/(n − ½).
		inner := p.n / (p.n - 0.5)
		assert.InEpsilon(t, (above.t-below.t)/2e-4, p.slope*inner, 1e-6, "log n = %v", logN)
		if logN > 10 { // where log(n − ½) is log n
			assert.InEpsilon(t, (above.t-2*p.t+below.t)/1e-8, p.bend, 1e-3, "log n = %v", logN)
		}
	}
}

func TestExpansionArguments(t *testing.T) {
	for _, logN := range []float64{0, 0.69, -1, math.NaN(), math.Inf(1), 2e300} {
		for _, expansion := range []func(ExpansionForm, float64, int) (Value, error){ConeDimensionExpansion, ConeVarianceExpansion} {
			v, err := expansion(ExplicitForm, logN, 1)
			assert.ErrorContains(t, err, "want log 2 ≤ log n ≤ 1e300")
			assert.True(t, math.IsNaN(v.Value))
			assert.False(t, v.Status.OK())
		}
	}
	for _, logN := range []float64{math.Ln2, 1e300} {
		for _, form := range ExpansionForms() {
			for _, expansion := range []func(ExpansionForm, float64, int) (Value, error){ConeDimensionExpansion, ConeVarianceExpansion} {
				v, err := expansion(form, logN, MaxExpansionOrder)
				require.NoError(t, err)
				assert.False(t, math.IsNaN(v.Value) || math.IsInf(v.Value, 0), "log n = %v, %v", logN, form)
				assert.False(t, math.IsNaN(v.Error), "log n = %v, %v", logN, form)
			}
		}
	}
	assert.PanicsWithValue(t, "extremes: expansion of order 11: want 0 ≤ order ≤ 10", func() {
		ConeDimensionExpansion(ImplicitForm, 10, 11)
	})
	assert.PanicsWithValue(t, "extremes: ExpansionForm(7): want one of ExpansionForms()", func() {
		ConeVarianceExpansion(7, 10, 1)
	})
	assert.Equal(t, "explicit implicit fraction", ExplicitForm.String()+" "+ImplicitForm.String()+" "+FractionForm.String())
}

func BenchmarkConeDimensionExpansion(b *testing.B) {
	for _, form := range ExpansionForms() {
		b.Run(form.String(), func(b *testing.B) {
			for b.Loop() {
				ConeDimensionExpansion(form, 14, MaxExpansionOrder)
			}
		})
	}
}
