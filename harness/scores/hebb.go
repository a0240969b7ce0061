package scores

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"lamcap/extremes"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// hebbDraws is the number of draws that laws at vector level average over: lengths,
// given which everything is in closed form. They are put in order and averaged in
// hebbStrata groups, which makes laws cheap and changes them by less than the draws do.
const (
	hebbDraws  = 16_384
	hebbStrata = 64
)

// hebbLaws are those of Hebb's rule, in the limit and at vector level; missing says why
// one has no answer.
func hebbLaws(s pattern.Spec) (laws []Law, missing error) {
	return levels(func() (Law, error) { return hebbLimit(s) }, func() (Law, error) {
		if s.P < 2 || s.DOut < 2 {
			return Law{}, fmt.Errorf("p = %d, d_out = %d: want both ≥ 2", s.P, s.DOut)
		}
		return hebbVector(s)
	})
}

// hebbLimit is the law of d → ∞: correct scores are normal with mean √(d_in d_out/p)
// and variance 1, competitors standard normal.
func hebbLimit(s pattern.Spec) (Law, error) {
	l := Law{Name: "hebb_limit", Level: "score", Margin: math.NaN()}
	l.Correct = normal(math.Sqrt(float64(s.DIn)*float64(s.DOut)/float64(s.P)), 1)
	var err error
	l.Wrong, err = largestNormal(float64(s.N - 1))
	return l, err
}

// largestNormal is the law of the largest of n standard normals.
func largestNormal(n float64) (Marginal, error) {
	lo, err := extremes.MaximumQuantile(n, -40)
	if err != nil {
		return Marginal{}, err
	}
	hi, err := extremes.MaximumQuantile(n, -1e-17)
	if err != nil {
		return Marginal{}, err
	}
	cdf := exponential(func(x float64) float64 { return n * extremes.LogCDF(x) })
	m, err := fromCDF(plain(cdf), lo, hi)
	m.Between = between(cdf)
	return m, err
}

// hebbVector is the law at vector level with Gaussian interference. With ‖W‖² =
// p d_in d_out, its mean, and b the interference, of variance (p − 1)|e|² per
// component (the law of the correct score as a function; its mean and spread include
// how ‖W‖ fluctuates),
//
//	W e_μ = |e|² u_μ + b,   ‖W‖ s = |e|²|u|² + |u| b_∥,   |W e_μ|² = (|e|²|u| + b_∥)² + |b_⊥|²,
//
// |b_⊥|² = (p − 1)|e|² χ²_{d_out−1}. Given the length of W e_μ the competitors of DP,
// independent of W, are normal (Gaussian values), or |W e_μ|√d_out times the cosine
// of a uniform direction (values of norm √d).
//
// In OP there is no law of the largest wrong score: competitors are stored too, and
// their scores, p numbers made of a vector of R^{d_out}, depend on each other. With
// each in its own law, of variance 1 + (d_in + d_out)/p, and taken as independent, the
// largest is 5% too high (d = 24, p = 60 and 200, embeddings of norm √d).
func hebbVector(s pattern.Spec) (Law, error) {
	l := Law{Name: "hebb_vector", Level: "vector", Margin: math.NaN()}
	in, out, p, n := float64(s.DIn), float64(s.DOut), float64(s.P), float64(s.N)
	norm := math.Sqrt(p * in * out)
	rng := stream.New(1, "hebb scores", "", 0)
	products, lengths := make([]float64, hebbDraws), make([]float64, hebbDraws)
	for i := range products {
		key, value := square(rng, s.Keys, in), square(rng, s.Values, out)
		along := math.Sqrt(value)*key + math.Sqrt((p-1)*key)*stream.Normal(rng)
		rest := (p - 1) * key * distuv.ChiSquared{K: out - 1, Src: rng}.Rand()
		products[i], lengths[i] = key*value, math.Sqrt(along*along+rest)/norm
	}
	products = strata(products)
	l.Correct.CDF, l.Correct.Between = averaged(products, func(a, x float64) float64 {
		return math.Exp(extremes.LogCDF((x - a/norm) / math.Sqrt((p-1)*a) * norm))
	})
	// In closed form: with A = |e|²|u|², E A = D = d_in d_out, and v the relative variance
	// of ‖W‖². As Σ_μ S_μμ = ‖W‖², the mean of s is E‖W‖/p = √(D/p)(1 − v/8), and of the
	// variance of S/√(pD) what all inputs share, v D/p, falls to v D/(4p).
	total := in * out
	excess := (1+relativeVariance(s.Keys, in))*(1+relativeVariance(s.Values, out)) - 1 // Var A/D²
	v := excess/p + 2*(p-1)/(p*total)
	l.Correct.Mean = total / norm * (1 - v/8)
	l.Correct.Std = math.Sqrt(excess*total/p + (p-1)/p - 3./4*v*total/p)
	if s.Model == pattern.OP {
		return l, nil
	}
	tail := func(x float64) float64 { return math.Exp(extremes.LogSurvival(x)) }
	if s.Values == pattern.Sphere {
		tail = func(x float64) float64 { return cosineTail(x/math.Sqrt(out), s.DOut) }
	}
	length := stats.NewSample(lengths)
	lengths = strata(lengths)
	wrong, share := averaged(lengths, func(length, x float64) float64 {
		return math.Exp((n - 1) * math.Log1p(-tail(x/length)))
	})
	var err error
	l.Wrong, err = fromCDF(wrong, -2, 2*math.Sqrt(2*math.Log(n)+4))
	l.Wrong.Between = share
	l.Wrong.MeanError += l.Wrong.Mean * length.StandardDeviation / length.Mean / math.Sqrt(hebbDraws)
	return l, err
}

// averaged is the mean over strata of a distribution function that a draw determines.
// The standard error is that of the draws: it does not vary within strata to speak of.
func averaged(strata []float64, cdf func(draw, x float64) float64) (func(x float64) (float64, error), func(a, b float64) (extremes.Value, error)) {
	mean := func(x float64) (float64, error) {
		sum := 0.0
		for _, s := range strata {
			sum += cdf(s, x)
		}
		return sum / hebbStrata, nil
	}
	return mean, func(a, b float64) (extremes.Value, error) {
		shares := make([]float64, len(strata))
		for i, s := range strata {
			shares[i] = cdf(s, b) - cdf(s, a)
		}
		m := stats.NewSample(shares)
		return extremes.Value{Value: math.Max(0, m.Mean), Error: m.StandardDeviation / math.Sqrt(hebbDraws), Status: status.Converged}, nil
	}
}

// strata puts numbers in order and averages groups of neighbours.
func strata(x []float64) []float64 {
	slices.Sort(x)
	means, size := make([]float64, hebbStrata), len(x)/hebbStrata
	for i := range means {
		means[i] = floats.Sum(x[i*size:(i+1)*size]) / float64(size)
	}
	return means
}

// square draws |x|² of a key or a value.
func square(rng *rand.Rand, e pattern.Embedding, d float64) float64 {
	if e == pattern.Sphere {
		return d
	}
	return distuv.ChiSquared{K: d, Src: rng}.Rand()
}

// relativeVariance is that of |x|².
func relativeVariance(e pattern.Embedding, d float64) float64 {
	if e == pattern.Sphere {
		return 0
	}
	return 2 / d
}

// cosineTail is P(cos > c) for the angle to a uniform direction in R^d, d ≥ 2,
//
//	½ I_{1−c²}((d−1)/2, ½) for c ≥ 0.
func cosineTail(c float64, d int) float64 {
	if math.Abs(c) >= 1 {
		if c > 0 {
			return 0
		}
		return 1
	}
	tail := mathext.RegIncBeta(float64(d-1)/2, 0.5, (1-c)*(1+c)) / 2
	if c < 0 {
		return 1 - tail
	}
	return tail
}
