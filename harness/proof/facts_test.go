package proof_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
)

// facts are small instances of both outcomes.
var facts = map[proof.Outcome]pattern.Spec{
	proof.Stored:      {Model: pattern.Facts, DIn: 5, DOut: 4, P: 8, N: 6},
	proof.NotStorable: {Model: pattern.Facts, DIn: 3, DOut: 4, P: 24, N: 7},
}

// A certificate of given facts is checked with them, and with no others.
func TestFactsCertificate(t *testing.T) {
	for outcome, s := range facts {
		in, _ := draw(s, 5)
		c := decide(t, in, proof.Address{})
		require.NotNil(t, c)
		require.Equal(t, outcome, c.Outcome)
		document := write(t, c)
		var read proof.Certificate
		require.NoError(t, read.Read(bytes.NewReader(document)))
		assert.Equal(t, c, &read)
		report, err := proof.CheckFor(&read, in)
		require.NoError(t, err)
		assert.True(t, report.Valid, report.Reason)

		_, err = proof.Check(&read)
		assert.EqualError(t, err, fmt.Sprintf("certificate: it is of given facts, p = %d among n = %d values, which it does not hold: want their keys and values to check it", s.P, s.N))
		for name, another := range map[string]pattern.Spec{"numbers": s, "shape": facts[3-outcome], "model": {Model: pattern.OP, DIn: s.DIn, DOut: s.DOut, P: s.P, N: s.P}} {
			other, _ := draw(another, 6)
			report, err = proof.CheckFor(&read, other)
			require.NoError(t, err, name)
			assert.False(t, report.Valid, name)
			assert.Contains(t, report.Reason, "the facts given have "+proof.Fingerprint(other)[:16], name)
		}
		// The same numbers with another target are other facts.
		targets := make([]int, s.P)
		for mu := range targets {
			targets[mu] = in.Target(mu)
		}
		targets[2] = (targets[2] + 1) % s.N
		other, err := pattern.FromPairs(in.Keys(), in.Pool(0, nil), s.DIn, s.DOut, targets)
		require.NoError(t, err)
		report, err = proof.CheckFor(&read, other)
		require.NoError(t, err)
		assert.False(t, report.Valid)

		// Of what is not drawn a file can give no address.
		for _, field := range []string{"seed", "trial", "experiment", "cell", "keys_embedding", "values_embedding"} {
			assert.ErrorContains(t, new(proof.Certificate).Read(bytes.NewReader(edit(t, document, "1", "instance", field))), field+` = "1": want it empty`)
		}
		var parsed map[string]any
		require.NoError(t, json.Unmarshal(document, &parsed))
		assert.Equal(t, "facts", parsed["instance"].(map[string]any)["model"])
		c.Address.Seed = 1
		assert.ErrorContains(t, c.Validate(), "facts are not drawn")
	}
}

// A multiplier of the target itself, whose X is 0, would prove anything: what the
// file alone does not tell is told with the instance.
func TestTargetIsNoCompetitorOfFacts(t *testing.T) {
	in, _ := draw(facts[proof.Stored], 5)
	s := in.Spec()
	m := &proof.Multipliers{Start: make([]int, s.P+1), Candidate: []int32{int32(in.Target(0))}, Value: []float64{1}}
	for mu := range s.P {
		m.Start[mu+1] = 1
	}
	c := &proof.Certificate{Spec: s, Fingerprint: proof.Fingerprint(in), Outcome: proof.NotStorable, Bound: 1e-12, Exact: true, Multipliers: m}
	require.NoError(t, c.Validate())
	_, err := proof.CheckFor(c, in)
	assert.EqualError(t, err, fmt.Sprintf("certificate: multipliers: input 0: candidate %d is its target: want competitors only", in.Target(0)))
	assert.Panics(t, func() { proof.Assess(in, m) })
}

// Facts of two values: a witness must tell which of them is meant, and facts that
// share their value do not compete with each other.
func TestFactsSharingAValue(t *testing.T) {
	values := []float64{1, 2} // d_out = 1
	for name, c := range map[string]struct {
		targets  []int
		storable bool
	}{
		"the same":         {[]int{1, 1}, true},
		"the same, first":  {[]int{0, 0}, true},
		"each its own":     {[]int{0, 1}, false},
		"each its own too": {[]int{1, 0}, false},
	} {
		in, err := pattern.FromPairs([]float64{1, 3}, values, 1, 1, c.targets)
		require.NoError(t, err)
		assert.Equal(t, c.storable, storable(in), name)
		certificate := decide(t, in, proof.Address{})
		require.NotNil(t, certificate, name)
		assert.Equal(t, c.storable, certificate.Outcome == proof.Stored, name)
		w := &learn.Weights{DOut: 1, DIn: 1, Parameters: []float64{1}}
		right := 0
		for _, target := range c.targets {
			right += target // value 1 is the larger one
		}
		assert.Equal(t, right, proof.Verify(in, w).Recalled, name)
	}
}
