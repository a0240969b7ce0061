package facts

import (
	"math"

	"lamcap/extremes"
	"lamcap/harness/predict"
	"lamcap/harness/table"
	"lamcap/harness/vectors"
	"lamcap/saddle"
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
	// spectrum has the positive eigenvalues that margins depend on, of the vectors times the
	// instance's power of 2: of the second moments of keys, of the covariance of values.
	spectrum []float64
}

// Prediction is what theory says of random vectors of this many dimensions.
type Prediction struct {
	Theory string
	// Weights is N, or N_eff at low rank.
	Weights float64
	// Critical is p_c at the candidates in hand, and Probability that of storing as many
	// facts as there are, with absolute errors.
	Critical, CriticalError       float64
	Probability, ProbabilityError float64
	// OneToOne is p_c where every fact brings a candidate of its own, n = p, and HalfPoint
	// the number of facts of which half of the instances fit where all share the pool,
	// [saddle.OriginalFacts]: of facts that are one to one with candidates, else NaN.
	OneToOne, OneToOneError   float64
	HalfPoint, HalfPointError float64
}

// Theory is what is expected of the facts before anything is trained.
type Theory struct {
	Keys, Values Cloud
	Predictions  []Prediction
	// OneToOne says that every candidate is the value of one fact.
	OneToOne bool
	// Margins are those that Gaussian vectors would have, see [Facts.PredictMargins].
	Margins []MarginPrediction
	// MarginNote says why there are none, or fewer.
	MarginNote string
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
// full rank, pool, for random keys without a mean and the values as they are. It
// returns an error only where vectors cannot be decomposed.
func (f *Facts) Theory(rank int) (*Theory, error) {
	s := f.instance.Spec()
	t := &Theory{OneToOne: f.oneToOne()}
	keys := &vectors.Set{Rows: s.P, Columns: s.DIn, Data: f.instance.Keys(), Source: f.keys.Source}
	values := &vectors.Set{Rows: s.N, Columns: s.DOut, Data: f.instance.Pool(0, nil), Source: f.values.Source}
	var err error
	if t.Keys, err = cloud(keys); err != nil {
		return nil, err
	}
	moments, err := keys.SecondMoments()
	if err != nil {
		return nil, err
	}
	t.Keys.Rank, t.Keys.spectrum = moments.Rank, moments.Eigenvalues[:moments.Rank]
	if t.Values, err = cloud(values); err != nil {
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
	original := noOriginal()
	if t.OneToOne && full {
		original, err = saddle.OriginalFacts(m.In, m.Out)
		if err != nil {
			original = noOriginal()
			t.Notes = append(t.Notes, "No half-point for a shared pool: "+err.Error()+".")
		}
	}
	gaussian, err := f.gaussianCapacity(m, t.OneToOne)
	if err != nil {
		t.Notes = append(t.Notes, "No Gaussian theory: "+err.Error()+".")
	} else {
		gaussian.HalfPoint, gaussian.HalfPointError = original.Facts.Value, original.Facts.Error
		t.Predictions = append(t.Predictions, gaussian)
	}
	switch work := float64(s.P) * float64(s.N) * float64(s.DOut); {
	case !full:
		t.Notes = append(t.Notes, "Theory of the pool is for full rank.")
	case work > poolWork:
		t.Notes = append(t.Notes, "Theory of the pool is left out: values and facts are too many for it.")
	default:
		if err := f.poolTheory(t, original); err != nil {
			t.Notes = append(t.Notes, "No theory of the pool: "+err.Error()+".")
		}
	}
	return t, nil
}

// oneToOne tells whether each candidate is the value of one fact.
func (f *Facts) oneToOne() bool {
	used := make(map[int]bool, len(f.targets))
	for _, c := range f.targets {
		used[c] = true
	}
	return len(used) == len(f.targets) && len(used) == len(f.rows)
}

// noOriginal is that no half-point is predicted.
func noOriginal() saddle.Original {
	nan := math.NaN()
	return saddle.Original{Facts: extremes.Value{Value: nan, Error: nan}, Decoupled: saddle.Critical{Facts: nan}}
}

// gaussianCapacity is the prediction for random vectors, less the half-point.
func (f *Facts) gaussianCapacity(m predict.Memory, oneToOne bool) (Prediction, error) {
	s, nan := f.instance.Spec(), math.NaN()
	q := predict.ProbabilityQuery{Memories: []predict.Memory{m}, Facts: []float64{float64(s.P)}, Candidates: float64(s.N)}
	t, err := predict.Probability(q)
	if err != nil {
		return Prediction{}, err
	}
	out := Prediction{
		Theory: "gaussian", Weights: cell(t, "n_eff"),
		Critical: cell(t, "p_c"), CriticalError: cell(t, "p_c_error"),
		Probability: cell(t, "probability"), ProbabilityError: cell(t, "probability_error"),
		OneToOne: nan, OneToOneError: nan, HalfPoint: nan, HalfPointError: nan,
	}
	if oneToOne {
		q.Candidates = 0 // n = p
		if t, err = predict.Probability(q); err != nil {
			return Prediction{}, err
		}
		out.OneToOne, out.OneToOneError = cell(t, "p_c"), cell(t, "p_c_error")
	}
	return out, nil
}

// poolTheory adds what the pool of values costs, as it is.
func (f *Facts) poolTheory(t *Theory, original saddle.Original) error {
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
	nan := math.NaN()
	prediction := Prediction{
		Theory: "pool", Weights: keys * float64(pool.Rank),
		Critical: critical.Value, CriticalError: critical.Error,
		// P is rounded, also where no draw moves it.
		Probability: probability.Value, ProbabilityError: max(probability.Error, 0x1p-53*probability.Value),
		OneToOne: nan, OneToOneError: nan, HalfPoint: nan, HalfPointError: nan,
	}
	if t.OneToOne && s.P >= 2 {
		own, err := pool.CriticalOneToOne(keys)
		if err != nil {
			return err
		}
		prediction.OneToOne, prediction.OneToOneError = own.Value, own.Error
		if len(pool.Inside) == 0 { // else nothing fits
			half := original.Shared(own)
			prediction.HalfPoint, prediction.HalfPointError = half.Value, half.Error
		}
	}
	t.Predictions = append(t.Predictions, prediction)
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
	c := Cloud{Vectors: sp.Vectors, Dimension: sp.Columns, Rank: sp.Rank, MeanShare: math.NaN(), ParticipationRatio: math.NaN()}
	if sp.Rank > 0 { // vectors that are not all one
		c.MeanShare, c.ParticipationRatio = sp.MeanShare(), sp.ParticipationRatio()
		c.spectrum = sp.Eigenvalues[:sp.Rank]
	}
	return c, nil
}
