package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/saddle"
)

// Two candidates are Gardner's perceptron at threshold 0, whose average is one
// integral. Four standard errors: a false alarm has probability 1e-4 here.
func TestVolumeOfPerceptron(t *testing.T) {
	for _, facts := range []float64{100, 576, 1000} {
		v, err := saddle.Volume(saddle.VolumeQuery{DIn: 24, DOut: 24, Facts: facts, Candidates: 2, Seed: 1})
		require.NoError(t, err)
		want, err := saddle.Gardner{}.Overlap(facts / 576)
		require.NoError(t, err)
		assert.InDelta(t, want.Overlap, v.Overlap.Value, 4*v.Overlap.Error, "p = %v", facts)
		assert.InDelta(t, want.FreeEnergy, v.FreeEnergy.Value, 4*v.FreeEnergy.Error, "p = %v", facts)
		assert.Less(t, v.Overlap.Error, 0.002)
		assert.InDelta(t, 0, v.Residual, 1e-8)
	}
}

// Without facts that count, the fraction of W that recalls a fact is 1/n.
func TestVolumeOfFewFacts(t *testing.T) {
	v, err := saddle.Volume(saddle.VolumeQuery{DIn: 100, DOut: 100, Facts: 0.01, Candidates: 20, Draws: 400, Seed: 2})
	require.NoError(t, err)
	assert.InDelta(t, -1e-6*math.Log(20), v.FreeEnergy.Value, 1e-10)
	// At q = 0 the mean of z on the cone is that of the largest of n normals and of the others.
	largest, err := extremes.MaximumMean(20)
	require.NoError(t, err)
	assert.InEpsilon(t, 1e-6*largest.Value*largest.Value*20/19, v.Overlap.Value, 1e-3)
}

// Towards capacity q → 1 with (1 − q) E log P → −D_n/2, and beyond there is nothing.
func TestVolumeNearCapacity(t *testing.T) {
	d, err := extremes.ConeDimension(20)
	require.NoError(t, err)
	critical := 400 / d.Value
	last := 1.0
	for _, share := range []float64{0.9, 0.99, 0.999} {
		v, err := saddle.Volume(saddle.VolumeQuery{DIn: 20, DOut: 20, Facts: share * critical, Candidates: 20, Draws: 400, Seed: 3})
		require.NoError(t, err)
		rest := 1 - v.Overlap.Value
		assert.Less(t, rest, last*0.2, "%v of capacity", share)
		last = rest
		gamma := share / d.Value
		logP := (v.FreeEnergy.Value - (math.Log(rest)+v.Overlap.Value/rest)/2) / gamma
		assert.InDelta(t, 1, -2*rest*logP/d.Value, 4*(1-share)+0.01, "%v of capacity", share)
	}
	_, err = saddle.Volume(saddle.VolumeQuery{DIn: 20, DOut: 20, Facts: 1.01 * critical, Candidates: 20})
	assert.ErrorContains(t, err, "above capacity")
}

// q approaches 2α from below, slowly: like 1/log n. Competitors beyond the 512 largest
// are in their mean field.
func TestVolumeTowardsLimit(t *testing.T) {
	const alpha = 0.2
	last := math.Inf(1)
	for _, n := range []float64{10, 100, 1e15} {
		facts := alpha * 1e12 / math.Log(n)
		v, err := saddle.Volume(saddle.VolumeQuery{DIn: 1e6, DOut: 1e6, Facts: facts, Candidates: n, Draws: 100, Seed: 4})
		require.NoError(t, err)
		gap := 2*alpha - v.Overlap.Value
		assert.Greater(t, gap, 4*v.Overlap.Error, "n = %v", n)
		assert.Less(t, gap, last, "n = %v", n)
		last = gap
	}
	assert.Less(t, last, 0.12)
}

// The mean field of the bulk changes nothing that the errors do not say.
func TestVolumeOfBulk(t *testing.T) {
	if testing.Short() {
		t.Skip("two sets of draws of 500 competitors")
	}
	q := saddle.VolumeQuery{DIn: 100, DOut: 100, Facts: 500, Candidates: 514, Draws: 100, Seed: 5}
	all, err := saddle.Volume(q)
	require.NoError(t, err)
	q.Candidates = 515
	some, err := saddle.Volume(q)
	require.NoError(t, err)
	assert.InDelta(t, all.Overlap.Value, some.Overlap.Value, 4*math.Hypot(all.Overlap.Error, some.Overlap.Error)+1e-4)
	assert.InDelta(t, all.FreeEnergy.Value, some.FreeEnergy.Value, 4*math.Hypot(all.FreeEnergy.Error, some.FreeEnergy.Error)+1e-4)
}

func TestVolumeErrors(t *testing.T) {
	_, err := saddle.Volume(saddle.VolumeQuery{DIn: 24, DOut: 24, Rank: 12, Facts: 10})
	assert.ErrorContains(t, err, "no linear space")
	_, err = saddle.Volume(saddle.VolumeQuery{DIn: 24, DOut: 24, Facts: 10.5})
	assert.EqualError(t, err, "n = 10.5: want an integer, 2 ≤ n ≤ 1e15")
	_, err = saddle.Volume(saddle.VolumeQuery{DIn: 0, DOut: 24, Facts: 10})
	assert.Error(t, err)
	_, err = saddle.Volume(saddle.VolumeQuery{DIn: 24, DOut: 24, Facts: 10, Draws: 5})
	assert.Error(t, err)
}
