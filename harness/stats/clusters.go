package stats

import "math"

// Clusters counts successes among the items of independent clusters, the inputs of
// memories say: items of one cluster may depend on each other.
type Clusters struct {
	Successes []int // of each cluster, 0 ≤ Successes[i] ≤ Size
	Size      int   // items of each cluster
}

// fractions are those of the clusters, and counts those of all items together.
func (c Clusters) fractions() (Sample, Proportion) {
	x, all := make([]float64, len(c.Successes)), Proportion{Trials: len(c.Successes) * c.Size}
	for i, s := range c.Successes {
		Proportion{s, c.Size}.check("Clusters")
		x[i] = float64(s) / float64(c.Size)
		all.Successes += s
	}
	return NewSample(x), all
}

// Estimate returns the fraction of all items, NaN without items.
func (c Clusters) Estimate() float64 {
	_, all := c.fractions()
	return all.Estimate()
}

// Interval returns Wilson's interval with the variance that the clusters show: with x̄
// and s/√k the mean of their fractions and its standard error, t Student's quantile of
// k − 1 degrees of freedom, all p0 with
//
//	(x̄ − p0)² ≤ t² (s²/k) p0 (1 − p0)/(x̄ (1 − x̄)).
//
// It lies in [0, 1] and is Student's where x̄ is far from both in standard errors.
// Where nothing varies, or with one cluster, the spread is unknown: it is Clopper and
// Pearson's of all items together, too short if items of one cluster are alike.
// Without items it is [0, 1]. It panics unless 0 < level < 1.
func (c Clusters) Interval(level float64) Interval {
	checkLevel("Clusters.Interval", level)
	x, all := c.fractions()
	if !x.usable() || x.Mean <= 0 || x.Mean >= 1 {
		return all.ClopperPearson(level)
	}
	m := x.Mean
	half := studentQuantile(level, float64(x.N-1)) * x.StandardError()
	ratio := half * half / (m * (1 - m)) // z²/n of Wilson's
	// p0² (1 + r) − p0 (2m + r) + m² ≤ 0; as in Wilson, the lower root from the product.
	root := math.Sqrt(ratio * (4*m*(1-m) + ratio))
	hi := (2*m + ratio + root) / (2 * (1 + ratio))
	lo := m * m / (1 + ratio) / hi
	return Interval{Lo: math.Max(0, math.Min(lo, m)), Hi: math.Min(1, math.Max(hi, m))}
}
