package vectors

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

// gaussian returns n vectors with standard deviations from 1 down to least,
// mixed by a rotation in each pair of neighbouring columns, about a mean.
func gaussian(n, d int, least, mean float64, seed uint64) *Set {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &Set{Rows: n, Columns: d, Data: make([]float64, n*d)}
	for i := range n {
		row := s.Row(i)
		for j := range row {
			row[j] = rng.NormFloat64() * math.Pow(least, float64(j)/float64(max(d-1, 1)))
		}
		for j := range d - 1 {
			row[j], row[j+1] = 0.8*row[j]-0.6*row[j+1], 0.6*row[j]+0.8*row[j+1]
		}
		floats.AddConst(mean, row)
	}
	return s
}

// covariance is the plain sum of products about the mean.
func covariance(s *Set) []float64 {
	mean := s.mean()
	c := make([]float64, s.Columns*s.Columns)
	for i := range s.Rows {
		for j, x := range s.Row(i) {
			for k, y := range s.Row(i) {
				c[j*s.Columns+k] += (x - mean[j]) * (y - mean[k]) / float64(s.Rows)
			}
		}
	}
	return c
}

func transformed(t require.TestingT, steps string, s *Set) (*Transform, *Set) {
	p, err := ParsePreprocessing(steps)
	require.NoError(t, err)
	tr, err := p.Fit(s)
	require.NoError(t, err)
	out, err := tr.Apply(s)
	require.NoError(t, err)
	return tr, out
}

func TestParsePreprocessing(t *testing.T) {
	for _, c := range []struct {
		text string
		want Preprocessing
	}{
		{"none", nil}, {" None ", nil}, {"centre", Preprocessing{Centre}},
		{"centre,unit", Preprocessing{Centre, UnitNorm}}, {"Whiten , unit", Preprocessing{Whiten, UnitNorm}},
	} {
		p, err := ParsePreprocessing(c.text)
		require.NoError(t, err)
		assert.Equal(t, c.want, p)
		back, err := ParsePreprocessing(p.String())
		require.NoError(t, err)
		assert.Equal(t, p, back)
	}
	for _, text := range []string{"", "center", "centre,", "centre unit", "none,centre", "unit,unit,unit,unit,unit,unit,unit,unit,unit"} {
		_, err := ParsePreprocessing(text)
		assert.ErrorContains(t, err, "preprocessing = "+text+": want", text)
	}
}

func TestNoneChangesNothing(t *testing.T) {
	s := gaussian(5, 3, 1, 0, 1)
	tr, out := transformed(t, "none", s)
	assert.Same(t, s, out)
	assert.Equal(t, "none", tr.Preprocessing().String())
}

// The input of a chain stays as it was, names stay with their vectors.
func TestApplyCopies(t *testing.T) {
	s := gaussian(3, 2, 1, 5, 2)
	require.NoError(t, s.SetNames([]string{"a", "b", "c"}))
	before := append([]float64{}, s.Data...)
	_, out := transformed(t, "centre,unit,whiten", s)
	assert.Equal(t, before, s.Data)
	assert.Equal(t, s.Names, out.Names)
}

// A mean of 10^8 with a deviation of 1, as numbers that float64 holds to 10^-8:
// what is left about the mean has all the digits that the numbers had. A plain
// sum of 10^5 of them errs by some 10^-6, a variance by moments by 100 %.
func TestCentreLargeMean(t *testing.T) {
	const n = 100_000
	rng := rand.New(rand.NewPCG(3, 1))
	s := &Set{Rows: n, Columns: 1, Data: make([]float64, n)}
	exact := 0.0 // of the parts beyond 10^8, which are whole multiples of 2^-26
	for i := range s.Data {
		part := math.Round(rng.NormFloat64()*0x1p26) / 0x1p26
		s.Data[i] = 1e8 + part
		exact += part
	}
	assert.InDelta(t, exact/n, s.mean()[0]-1e8, 0x1p-27+1e-13, "one rounding at 10^8")
	_, out := transformed(t, "centre", s)
	assert.InDelta(t, 0, floats.Sum(out.Data)/n, 0x1p-26)
}

func TestUnitNorm(t *testing.T) {
	s := gaussian(50, 7, 1, 1, 4)
	for i := range s.Rows {
		floats.Scale(math.Pow(10, float64(12*i-300)), s.Row(i)) // 10^-300 to 10^288
	}
	s.Data = append(s.Data, 0x1p-1074, 0, 0, 0, 0, 0, 0)
	s.Data = append(s.Data, math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64, 0, 0, 0)
	s.Rows += 2
	_, out := transformed(t, "unit", s)
	for i := range s.Rows {
		assert.InDelta(t, 1, floats.Norm(out.Row(i), 2), 1e-15)
	}
	assert.Equal(t, 1.0, out.Row(50)[0])
	assert.InDelta(t, -0.5, out.Row(51)[2], 1e-15)
}

func TestUnitRefusesZero(t *testing.T) {
	s, err := NewSet(4, 2, []float64{0, 0, 1, 2, 0, math.Copysign(0, -1), 0, 0})
	require.NoError(t, err)
	require.NoError(t, s.SetNames([]string{"a", "b", "c", "d"}))
	_, err = Preprocessing{UnitNorm}.Fit(s)
	const want = `unit: row 0 (counted from 0), "a" is 0 and has no direction (and 2 more such vectors): remove it`
	assert.EqualError(t, err, want)
	tr, _ := transformed(t, "unit", s.Select([]int{1}))
	_, err = tr.Apply(s)
	assert.EqualError(t, err, want)
}

// A mean of equal vectors need not be theirs to the last bit: the difference is
// no direction.
func TestUnitRefusesRoundOff(t *testing.T) {
	for n := 1; n < 50; n++ {
		s := &Set{Rows: n, Columns: 3}
		for range n {
			s.Data = append(s.Data, 0.1, 1e5/3, -math.Pi)
		}
		_, err := Preprocessing{Centre, UnitNorm}.Fit(s)
		assert.ErrorContains(t, err, "has no direction", "%d", n)
		_, err = Preprocessing{Whiten}.Fit(s)
		assert.ErrorContains(t, err, "equal up to round-off", "%d", n)
	}
}

// The covariance of whitened vectors is 1. Its error is that of the matrix,
// whose relative error is d ε √(λ_1/λ_d), the condition of the vectors.
func TestWhiten(t *testing.T) {
	for _, c := range []struct {
		n, d        int
		least, mean float64
	}{
		{500, 20, 1, 0}, {500, 20, 1e-3, 10}, {500, 20, 1e-6, 0}, {500, 20, 1e-9, 1}, {21, 20, 1, 0}, {40, 1, 1, 3},
	} {
		s := gaussian(c.n, c.d, c.least, c.mean, 5)
		tr, out := transformed(t, "whiten", s)
		rank, condition := tr.Whitening()
		assert.Equal(t, c.d, rank)
		bound := 4 * float64(c.d) * 0x1p-52 * math.Sqrt(condition) * (1 + c.mean)
		for i, v := range covariance(out) {
			want := 0.0
			if i%(c.d+1) == 0 {
				want = 1
			}
			assert.InDelta(t, want, v, bound, "%+v, entry %d, condition %g", c, i, condition)
		}
		for _, m := range out.mean() {
			assert.InDelta(t, 0, m, bound+1e-13)
		}
	}
}

// Of vectors in a subspace the covariance becomes the projection on it.
func TestWhitenRank(t *testing.T) {
	const d = 6
	for _, single := range []bool{false, true} {
		base := gaussian(30, 3, 0.1, 0, 6)
		s := &Set{Rows: 30, Columns: d, single: single}
		for i := range base.Rows {
			r := base.Row(i)
			// The last is a constant, the two before combinations of the first three.
			row := []float64{r[0], r[1], r[2], r[0] - r[1] + 0.3*r[2], 0.7 * r[2], 4}
			for j := range row {
				if single {
					row[j] = float64(float32(row[j]))
				}
			}
			s.Data = append(s.Data, row...)
		}
		tr, out := transformed(t, "whiten", s)
		rank, condition := tr.Whitening()
		assert.Equal(t, 3, rank, "float32: %t", single)
		assert.Less(t, condition, 1e4)
		c := covariance(out)
		trace := 0.0
		for i := range d {
			trace += c[i*(d+1)]
			for j := range d {
				square := 0.0
				for k := range d {
					square += c[i*d+k] * c[k*d+j]
				}
				assert.InDelta(t, c[i*d+j], square, 1e-12, "a projection")
			}
		}
		assert.InDelta(t, 3, trace, 1e-12)
		// What has no variance in the fitted set is projected out of queries.
		query, err := NewSet(1, d, []float64{0, 0, 0, 0, 0, 1e6})
		require.NoError(t, err)
		q, err := tr.Apply(query)
		require.NoError(t, err)
		assert.Less(t, math.Abs(q.Data[5]), 1e-7)
	}
}

// Fewer vectors than dimensions have rank n − 1.
func TestWhitenFewVectors(t *testing.T) {
	tr, out := transformed(t, "whiten", gaussian(5, 12, 1, 1, 7))
	rank, _ := tr.Whitening()
	assert.Equal(t, 4, rank)
	// A regular simplex: all norms √(n−1), all other products −1.
	for i := range 5 {
		for j := range 5 {
			want := -1.0
			if i == j {
				want = 4
			}
			assert.InDelta(t, want, floats.Dot(out.Row(i), out.Row(j)), 1e-12)
		}
	}
}

// Whitening does not depend on units, and is symmetric.
func TestWhitenScale(t *testing.T) {
	s := gaussian(40, 5, 0.1, 2, 8)
	tr, want := transformed(t, "whiten", s)
	m := tr.steps[0].Matrix
	for i := range 5 {
		for j := range 5 {
			assert.Equal(t, m[i*5+j], m[j*5+i])
		}
	}
	for _, scale := range []float64{0x1p-240, 0x1p-100, 0x1p100, 0x1p240} {
		scaled := &Set{Rows: s.Rows, Columns: s.Columns, Data: append([]float64{}, s.Data...)}
		floats.Scale(scale, scaled.Data)
		_, out := transformed(t, "whiten", scaled)
		assert.InDeltaSlice(t, want.Data, out.Data, 1e-12)
	}
}

func TestSizesAreRefused(t *testing.T) {
	for _, size := range []float64{1e-300, 1e-80, 1e80, 1e300} {
		s, err := NewSet(3, 2, []float64{1 * size, 2 * size, 3 * size, 5 * size, 4 * size, 1 * size})
		require.NoError(t, err)
		for _, step := range []Step{Centre, Whiten} {
			_, err := Preprocessing{step}.Fit(s)
			assert.ErrorContains(t, err, step.String()+": the largest entry is")
			assert.ErrorContains(t, err, "in row 1 (counted from 0): want 1e-75 to 1e+75")
			_, err = Preprocessing{step}.Fit(s.Select([]int{2}))
			assert.ErrorContains(t, err, fmt.Sprintf("the largest entry is %g in size, ", 4*size))
			assert.ErrorContains(t, err, "in row 0 (counted from 0): want 1e-75 to 1e+75")
		}
		_, out := transformed(t, "unit,centre", s)
		assert.Equal(t, 3, out.Rows)
	}
	// Queries may be of any size, but for results that are no numbers.
	tr, _ := transformed(t, "whiten", gaussian(40, 2, 1e-4, 0, 9))
	_, err := tr.Apply(&Set{Rows: 1, Columns: 2, Data: []float64{1e308, -1e308}})
	assert.ErrorContains(t, err, "whiten: row 0 (counted from 0), column")
}

func TestApplyChecksColumns(t *testing.T) {
	for _, steps := range []string{"none", "centre", "whiten"} {
		tr, _ := transformed(t, steps, gaussian(9, 3, 1, 0, 10))
		_, err := tr.Apply(gaussian(9, 4, 1, 0, 10))
		assert.ErrorContains(t, err, "vectors of 4 numbers: want 3")
	}
}

// A vector becomes the same alone or among others, from a transform that was
// stored or from the one that was fitted, to the last bit.
func TestTransformLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := rapid.IntRange(1, 80).Draw(rt, "d")
		n := rapid.IntRange(d+2, d+300).Draw(rt, "n")
		s := gaussian(n, d, 0.1, rapid.Float64Range(-3, 3).Draw(rt, "mean"), rapid.Uint64().Draw(rt, "seed"))
		steps := Preprocessing(rapid.SliceOfN(rapid.SampledFrom([]Step{Centre, UnitNorm, Whiten}), 0, 3).Draw(rt, "steps"))
		if d == 1 {
			steps = Preprocessing{Centre} // ±1 may be a constant
		}
		tr, out := transformed(rt, steps.String(), s)
		text, err := json.Marshal(tr)
		require.NoError(rt, err)
		var back Transform
		require.NoError(rt, json.Unmarshal(text, &back))
		assert.Equal(rt, steps.String(), back.Preprocessing().String())
		again, err := back.Apply(s)
		require.NoError(rt, err)
		require.Equal(rt, out.Data, again.Data)
		i := rapid.IntRange(0, n-1).Draw(rt, "i")
		alone, err := tr.Apply(s.Select([]int{i}))
		require.NoError(rt, err)
		assert.Equal(rt, out.Row(i), alone.Data)
	})
}

func TestHostileTransforms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"columns":0,"steps":[]}`, "columns = 0: want 1"},
		{`{"columns":-1,"steps":[]}`, "columns = -1"},
		{`{"columns":2,"steps":[{"step":"centre"}]}`, "a mean of 0 numbers: want 2"},
		{`{"columns":2,"steps":[{"step":"centre","mean":[1,2],"matrix":[1]}]}`, "a matrix, rank or eigenvalue"},
		{`{"columns":2,"steps":[{"step":"unit","mean":[1,2]}]}`, "a mean of 2 numbers: want 0"},
		{`{"columns":2,"steps":[{"step":"whiten","mean":[1,2],"matrix":[1,2,3]}]}`, "a matrix of 3 numbers: want 2²"},
		{`{"columns":2,"steps":[{"step":"whiten","mean":[1,2],"matrix":[1,2,3,4]}]}`, "want it symmetric"},
		{`{"columns":2,"steps":[{"step":"whiten","mean":[1,2],"matrix":[1,2,2,4]}]}`, "rank = 0"},
		{`{"columns":2,"steps":[{"step":"whiten","mean":[1,2],"matrix":[1,2,2,4],"rank":2}]}`, "want 0 < smallest"},
		{`{"columns":2,"steps":[{"step":"flatten"}]}`, "step = flatten: want one of centre, unit, whiten"},
		{`{"columns":2,"steps":[{"step":"centre","mean":[1,1e999]}]}`, "preprocessing:"},
		{`{"columns":2,"steps":[{"step":"centre","mean":[1,2]}],"more":1}`, "unknown field"},
		{`{"columns":2,"steps":[{"step":"centre","mean":[1,null]}]}`, "null"},
		{`{"columns":0,"steps":[null]}`, "null"},
		{`{"columns":2,"steps":[{},{},{},{},{},{},{},{},{}]}`, "9 steps: want at most 8"},
		{`[]`, "preprocessing:"},
	} {
		var tr Transform
		assert.ErrorContains(t, json.Unmarshal([]byte(c.text), &tr), c.want, c.text)
		assert.Zero(t, tr)
	}
}

// Whitening enlarges the errors of what varies little: a vector that is the mean up to
// round-off has no direction afterwards either.
func TestUnitAfterWhitenRefusesZero(t *testing.T) {
	const small = 1e-7
	mean := 1. / 3
	s, err := NewSet(7, 2, []float64{
		1, mean + small, -1, mean - small, 1, mean - 3*small, -1, mean + 3*small, 0.5, mean + 5*small, -0.5, mean - 5*small, 0, math.Nextafter(mean, 1),
	})
	require.NoError(t, err)
	_, err = Preprocessing{Whiten, UnitNorm}.Fit(s)
	assert.ErrorContains(t, err, "row 6 (counted from 0) is 0 up to round-off")
}
