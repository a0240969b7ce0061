package proof_test

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// smallWitness is a certificate of few bytes for an instance of any size.
func smallWitness(s pattern.Spec) *proof.Certificate {
	w := learn.NewWeights(s.DOut, s.DIn, 0)
	w.Parameters[0] = 1
	in, err := address(1).Draw(pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: 1})
	if err != nil {
		panic(err)
	}
	return &proof.Certificate{Spec: s, Address: address(1), Fingerprint: proof.Fingerprint(in), Outcome: proof.Stored, Weights: w}
}

func smallMultipliers(s pattern.Spec) *proof.Certificate {
	c := smallWitness(pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: 1})
	m := &proof.Multipliers{Start: make([]int, s.P+1), Candidate: []int32{1}, Value: []float64{1}}
	for i := range m.Start[1:] {
		m.Start[1+i] = 1
	}
	c.Spec, c.Outcome, c.Weights, c.Multipliers = s, proof.NotStorable, nil, m
	return c
}

// Nothing is drawn of an instance beyond what a check may cost, and no memory of
// its size is taken.
func TestCheckRefusesSizes(t *testing.T) {
	dp := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: 1}
	for _, c := range []struct {
		n               int64
		dIn, dOut, p    int
		op, multipliers bool
		want            string
	}{
		{n: math.MaxInt32 + 1, want: "n = 2147483648: want n ≤ 2147483647 for a certificate"},
		{n: math.MaxInt64, want: "n = 9223372036854775807: want n ≤ 2147483647 for a certificate"},
		{n: math.MaxInt64, multipliers: true, want: "n = 9223372036854775807: want n ≤ 2147483647"},
		{n: 1 << 30, p: 1 << 20, want: "p d_out (n + d_in) = 1.13e+15 multiplications: want at most 1e+14"},
		{n: 1 << 30, dOut: 1 << 30, multipliers: true, want: "want p(d_in + d_out) ≤"},
		{n: 2, dIn: 1 << 28, dOut: 1 << 28, multipliers: true, want: "want d_in d_out ≤ 536870912 for a certificate (4 GiB)"},
		{n: 5e8, p: 5e8, op: true, want: "p = 500000000 with d_in = 1, d_out = 1: want p(d_in + d_out) ≤ 536870912 for a certificate (4 GiB)"},
		{n: 2e8, p: 2e8, op: true, want: "p d_out (n + d_in) = 4e+16 multiplications"},
	} {
		if int64(int(c.n)) != c.n {
			continue // no int where those have 32 bits
		}
		s := dp
		s.N, s.DIn, s.DOut, s.P = int(c.n), max(c.dIn, 1), max(c.dOut, 1), max(c.p, 1)
		if c.op {
			s.Model = pattern.OP
		}
		certificate := smallWitness(dp)
		if c.multipliers {
			certificate = smallMultipliers(dp)
		}
		certificate.Spec = s
		assert.Less(t, allocated(func() {
			_, err := proof.Check(certificate)
			assert.ErrorContains(t, err, c.want)
		}), 1e5, "%+v", s)
	}
}

// The same as a file, which is small.
func TestReadRefusesSizes(t *testing.T) {
	c := smallWitness(pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: 1})
	document := write(t, c)
	require.Less(t, len(document), 800)
	for _, n := range []int64{math.MaxInt32 + 1, 1 << 40, math.MaxInt64} {
		var read proof.Certificate
		err := read.Read(bytes.NewReader(edit(t, document, n, "instance", "n")))
		if math.MaxInt == math.MaxInt64 {
			assert.ErrorContains(t, err, "want n ≤ 2147483647 for a certificate")
		} else {
			assert.Error(t, err)
		}
	}
}

// A pool of some millions of values is read in strips, and only the rows that
// multipliers name are.
func TestCheckInBoundedMemory(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 3, P: 1, N: 1 << 22}
	in, err := address(1).Draw(s)
	require.NoError(t, err)
	for _, c := range []*proof.Certificate{smallWitness(s), smallMultipliers(s)} {
		c.Fingerprint = proof.Fingerprint(in)
		assert.Less(t, allocated(func() {
			report, err := proof.Check(c)
			require.NoError(t, err)
			assert.False(t, report.Valid)
			assert.NotContains(t, report.Reason, "fingerprint")
		}), 2e6)
	}
	// Of many competitors in a strip all are seen: the target is the best one
	// along some weights, the worst along their negative.
	s = pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 700, P: 1, N: 150} // strips of 46
	in, err = address(2).Draw(s)
	require.NoError(t, err)
	pool, w := in.Pool(0, nil), learn.NewWeights(s.DOut, 1, 0)
	for c := range s.N {
		for i := range w.Parameters {
			w.Parameters[i] += (pool[i] - pool[c*s.DOut+i]) * in.Key(0)[0]
		}
	}
	v := proof.Verify(in, w)
	require.Equal(t, 1, v.Recalled)
	c, err := proof.NewStored(in, address(2), w, v)
	require.NoError(t, err)
	report, err := proof.Check(c)
	require.NoError(t, err)
	assert.True(t, report.Valid, report.Reason)
	assert.InEpsilon(t, v.Margin, report.Margin, 1e-12)
}

// An instance far larger than the memory for its pools can be checked: only
// limits on the work, not on p n d_out numbers, apply.
func TestLargeStreamedInstanceIsValid(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 32, DOut: 32, P: 9000, N: 9000}
	require.False(t, s.Fits())
	assert.NoError(t, smallWitness(s).Validate())
	s = pattern.Spec{Model: pattern.OP, DIn: 1024, DOut: 1024, P: 70_000, N: 70_000}
	assert.NoError(t, smallWitness(s).Validate())
	assert.NoError(t, smallMultipliers(s).Validate())
}
