package stats

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/internal/stream"
)

func TestPairedKnownValues(t *testing.T) {
	// 8 of 10 pairs that differ: 2 (1 + 10 + 45)/2^10.
	c := Paired{Both: 5, First: 8, Second: 2, Neither: 3}
	assert.InDelta(t, 2*56./1024, c.PValue(), 1e-14)
	assert.Positive(t, c.Z())
	assert.InDelta(t, 6./18, c.Difference(), 1e-15)
	first, second := c.Margins()
	assert.Equal(t, Proportion{13, 18}, first)
	assert.Equal(t, Proportion{7, 18}, second)
	// By hand from Wilson's [0.4913, 0.8750] and [0.2031, 0.6138], φ̂ = −1/√(13·5·7·11): 1/3 −
	// √(0.2309² + 0.2249² + 2·0.0141·0.2309·0.2249), and so on.
	i := c.Interval(0.95)
	assert.InDelta(t, 0.0087, i.Lo, 2e-4)
	assert.InDelta(t, 0.5755, i.Hi, 2e-4)
	// The example of [New] with no failure of both.
	i = Paired{36, 12, 2, 0}.Interval(0.95)
	assert.InDelta(t, 0.0569, i.Lo, 1e-4)
	assert.InDelta(t, 0.3404, i.Hi, 1e-4)
}

func TestPairedEmptyAndCertain(t *testing.T) {
	assert.Equal(t, Interval{-1, 1}, Paired{}.Interval(0.95))
	assert.NotPanics(t, func() { Paired{}.PValue() })
	// No pair differs: no test, but an interval around 0, of the width that 20 pairs allow.
	c := Paired{Both: 20}
	assert.True(t, c.PValue() != c.PValue())
	i := c.Interval(0.95)
	assert.True(t, i.Contains(0) && i.Hi < 0.25 && i.Lo > -0.25, i)
	// A pair that is not decided counts nowhere.
	got := NewPaired([]bool{true, true, false}, []bool{true, false, false}, []bool{true, false, true})
	assert.Equal(t, Paired{Both: 1, Neither: 1}, got)
	assert.Panics(t, func() { NewPaired([]bool{true}, nil, nil) })
}

func TestPairedLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 30)
		c := Paired{count.Draw(t, "both"), count.Draw(t, "first"), count.Draw(t, "second"), count.Draw(t, "neither")}
		if c.Pairs() == 0 {
			return
		}
		i := c.Interval(0.95)
		assert.True(t, i.Contains(c.Difference()) && i.Lo >= -1 && i.Hi <= 1)
		// The other way round everything changes its sign, and so it does for failures.
		for _, other := range []Paired{{c.Both, c.Second, c.First, c.Neither}, {c.Neither, c.Second, c.First, c.Both}} {
			j := other.Interval(0.95)
			assert.InDelta(t, -i.Hi, j.Lo, 1e-12)
			assert.InDelta(t, -i.Lo, j.Hi, 1e-12)
		}
		if c.First+c.Second > 0 {
			assert.InDelta(t, -c.Z(), Paired{c.Both, c.Second, c.First, c.Neither}.Z(), 1e-12)
		}
	})
}

// Coverage of the interval for pairs that depend on each other: 0.95 within what 2,000
// draws and the oscillation of score intervals leave, and a McNemar test that is not wrong
// too often.
func TestPairedCoverage(t *testing.T) {
	const draws, pairs = 2000, 40
	for k, p := range [][2]float64{{0.5, 0.5}, {0.8, 0.5}, {0.95, 0.7}} {
		rng := stream.New(3, "stats", "paired", uint64(k))
		covered, alarms := 0, 0
		for range draws {
			var c Paired
			for range pairs {
				shared := rng.Float64() // half of the pairs share their luck
				u, v := shared, shared
				if rng.Float64() < 0.5 {
					v = rng.Float64()
				}
				c = c.with(u < p[0], v < p[1])
			}
			if c.Interval(0.95).Contains(p[0] - p[1]) {
				covered++
			}
			if c.PValue() <= 0.05 {
				alarms++
			}
		}
		// 4 standard errors of 2,000 draws are 0.02.
		assert.Greater(t, float64(covered)/draws, 0.93-0.01, "%v", p)
		if p[0] == p[1] {
			assert.Less(t, float64(alarms)/draws, 0.05+0.02)
		} else {
			assert.Greater(t, float64(alarms)/draws, 0.5, "a difference must be found: %v", p)
		}
	}
}

func (c Paired) with(first, second bool) Paired {
	d := NewPaired([]bool{first}, []bool{second}, nil)
	return Paired{c.Both + d.Both, c.First + d.First, c.Second + d.Second, c.Neither + d.Neither}
}
