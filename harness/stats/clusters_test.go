package stats_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"lamcap/harness/stats"
	"lamcap/internal/stream"
)

// Intervals hold the estimate and stay in [0, 1].
func TestClustersStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 50).Draw(t, "size")
		c := stats.Clusters{Size: size, Successes: rapid.SliceOfN(rapid.IntRange(0, size), 1, 12).Draw(t, "successes")}
		i, x := c.Interval(0.95), c.Estimate()
		if !(0 <= i.Lo && i.Lo <= x && x <= i.Hi && i.Hi <= 1 && i.Lo < i.Hi) {
			t.Fatalf("%v does not hold %v of %+v", i, x, c)
		}
	})
}

// Where nothing varies the interval is that of all items, which ends above 0.
func TestClustersWithoutSpread(t *testing.T) {
	none := stats.Clusters{Successes: make([]int, 5), Size: 20}
	assert.Equal(t, stats.Proportion{Trials: 100}.ClopperPearson(0.95), none.Interval(0.95))
	assert.Equal(t, stats.Proportion{Successes: 3, Trials: 20}.ClopperPearson(0.95), stats.Clusters{Successes: []int{3}, Size: 20}.Interval(0.95))
	assert.Equal(t, stats.Interval{Lo: 0, Hi: 1}, stats.Clusters{Size: 3}.Interval(0.95))
}

// Items that are alike within a cluster (its probability is Beta distributed, mean
// 0.2): the interval holds the truth about as often as it says, one of all items
// together much less often. 2,000 runs: 0.95 ± 0.03 is 6 standard errors.
func TestClustersCover(t *testing.T) {
	const runs, clusters, size, mean = 2000, 10, 30, 0.2
	rng := stream.New(1, "clusters", "", 0)
	of, pooled := 0, 0
	for range runs {
		c, all := stats.Clusters{Size: size}, stats.Proportion{Trials: clusters * size}
		for range clusters {
			p := distuv.Beta{Alpha: 2 * mean, Beta: 2 * (1 - mean), Src: rng}.Rand()
			s := int(distuv.Binomial{N: size, P: p, Src: rng}.Rand())
			c.Successes = append(c.Successes, s)
			all.Successes += s
		}
		if c.Interval(0.95).Contains(mean) {
			of++
		}
		if all.Wilson(0.95).Contains(mean) {
			pooled++
		}
	}
	assert.InDelta(t, 0.95, float64(of)/runs, 0.03)
	assert.Less(t, float64(pooled)/runs, 0.7)
}
