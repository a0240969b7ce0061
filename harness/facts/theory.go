package facts

import (
	"math"

	"lamcap/harness/predict"
	"lamcap/harness/table"
	"lamcap/harness/vectors"
	"lamcap/saddle/anisotropy"
)

// Cloud tells how the keys of the facts, or the values that compete, are spread.
type Cloud struct {
	Vectors, Dimension int
	// Rank is the dimension of the span of keys, and of that of values less their
	// mean: what counts for storage.
	Rank int
	// ParticipationRatio is (tr C)²/tr C², and MeanShare ‖mean‖/√(tr C), of the
	// covariance C.
	ParticipationRatio, MeanShare float64
}

// Prediction is what theory says of random vectors of this many dimensions.
type Prediction struct {
	Theory string
	// Weights is N, or N_eff at low rank.
	Weights float64
	// Critical is p_c, and Probability that of storing as many facts as there are,
	// with absolute errors.
	Critical, CriticalError       float64
	Probability, ProbabilityError float64
}

// Theory is what is expected of the facts before anything is trained.
type Theory struct {
	Keys, Values Cloud
	Predictions  []Prediction
	// Inside are the values (rows) of facts that no W gives the largest score: they
	// lie in the convex hull of the others, up to round-off.
	Inside []int
	// Notes say what is left out, and why.
	Notes []string
}

// poolWork is the most p·n·d_out for which the theory of the given pool is
// computed: some 10 s of one core.
const poolWork = 1e9

// Theory computes the ranks and spectra of the vectors and the predictions for
// them: Gaussian, for random keys and values that span as many dimensions,
// N = rank(K)·rank(V − mean), each fact with candidates of its own (DP); and, at
// full rank, given_values, for random keys and the values as they are. It returns
// an error only where vectors cannot be decomposed.
func (f *Facts) Theory(rank int) (*Theory, error) {
	s := f.instance.Spec()
	t := &Theory{}
	rows := make([]int, len(f.pairs))
	for i, p := range f.pairs {
		rows[i] = p.Key
	}
	var err error
	if t.Keys, err = cloud(f.keys.Select(rows)); err != nil {
		return nil, err
	}
	if t.Keys.Rank, err = span(f.keys, rows); err != nil {
		return nil, err
	}
	if t.Values, err = cloud(f.values.Select(f.rows)); err != nil {
		return nil, err
	}
	if s.N == 1 || t.Keys.Rank == 0 || t.Values.Rank == 0 {
		t.Notes = append(t.Notes, "No theory: without competitors everything is stored, without vectors that differ nothing.")
		return t, nil
	}
	m := predict.Memory{In: t.Keys.Rank, Out: t.Values.Rank, Rank: min(t.Keys.Rank, t.Values.Rank)}
	full := rank == 0 || rank >= m.Rank
	if !full {
		m.Rank = rank
	}
	gaussian, err := predict.Probability(predict.ProbabilityQuery{Memories: []predict.Memory{m}, Facts: []float64{float64(s.P)}, Candidates: float64(s.N)})
	if err != nil {
		t.Notes = append(t.Notes, "No Gaussian theory: "+err.Error()+".")
	} else {
		t.Predictions = append(t.Predictions, Prediction{"gaussian", cell(gaussian, "n_eff"), cell(gaussian, "p_c"), cell(gaussian, "p_c_error"), cell(gaussian, "probability"), cell(gaussian, "probability_error")})
	}
	switch work := float64(s.P) * float64(s.N) * float64(s.DOut); {
	case !full:
		t.Notes = append(t.Notes, "Theory of the given values is for full rank.")
	case work > poolWork:
		t.Notes = append(t.Notes, "Theory of the given values is left out: they are too many for it.")
	default:
		if err := f.givenValues(t); err != nil {
			t.Notes = append(t.Notes, "No theory of the given values: "+err.Error()+".")
		}
	}
	return t, nil
}

// givenValues adds what the pool of values costs, as it is.
func (f *Facts) givenValues(t *Theory) error {
	s := f.instance.Spec()
	pool, err := anisotropy.PoolDimension(f.instance.Pool(0, nil), s.DOut, f.targets, anisotropy.PoolOptions{Seed: 1})
	if err != nil {
		return err
	}
	keys := float64(t.Keys.Rank)
	critical, err := pool.Critical(keys)
	if err != nil {
		return err
	}
	probability, err := pool.Probability(keys)
	if err != nil {
		return err
	}
	t.Predictions = append(t.Predictions, Prediction{"given_values", keys * float64(pool.Rank), critical.Value, critical.Error, probability.Value, probability.Error})
	seen := map[int]bool{}
	for _, i := range pool.Inside {
		if row := f.pairs[i].Value; !seen[row] {
			seen[row] = true
			t.Inside = append(t.Inside, row)
		}
	}
	return nil
}

// cell is a number of the only row of a table, NaN where there is none.
func cell(t *table.Table, key string) float64 {
	for i, c := range t.Columns {
		if c.Key == key {
			if t.Rows[0][i] == nil {
				return math.NaN()
			}
			return t.Rows[0][i].(float64)
		}
	}
	panic("facts: no column " + key)
}

func cloud(s *vectors.Set) (Cloud, error) {
	sp, err := s.Spectrum()
	if err != nil {
		return Cloud{}, err
	}
	c := Cloud{Vectors: sp.Vectors, Dimension: sp.Columns, Rank: sp.Rank, MeanShare: sp.MeanShare(), ParticipationRatio: sp.ParticipationRatio()}
	return c, nil
}

// span is the dimension of the span of some rows, without a mean subtracted: that
// of the covariance of the vectors and their negatives.
func span(s *vectors.Set, rows []int) (int, error) {
	both := s.Select(append(append(make([]int, 0, 2*len(rows)), rows...), rows...))
	for i := len(both.Data) / 2; i < len(both.Data); i++ {
		both.Data[i] = -both.Data[i]
	}
	both.Names = nil
	sp, err := both.Spectrum()
	if err != nil {
		return 0, err
	}
	return sp.Rank, nil
}
