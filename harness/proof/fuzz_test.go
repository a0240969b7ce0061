package proof_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/proof"
)

// FuzzCertificate reads documents of any kind, with sizes that lie. One that is read
// is written as it is, and of small instances its check ends in a verdict.
func FuzzCertificate(f *testing.F) {
	for _, c := range certificates(f) {
		text := string(write(f, c))
		f.Add(text)
		for _, lie := range [][2]string{
			{`"p": `, `"p": 9`}, {`"n": `, `"n": 1`}, {`"d_in": `, `"d_in": 2147483647`}, {`"d_out": `, `"d_out": -`},
			{`"rank": `, `"rank": 9223372036854775807`}, {`"pairs": `, `"pairs": 1`}, {`"seed": "`, `"seed": "18446744073709551615`},
			{`"margin": `, `"margin": 1e30`}, {`"bound": `, `"bound": -`}, {`"model": "dp"`, `"model": "op"`}, {`"float64": "`, `"float64": "AAAA`},
		} {
			f.Add(strings.Replace(text, lie[0], lie[1], 1))
		}
		f.Add(text[:len(text)/2])
	}
	f.Add(`{"format":"lamcap certificate","version":2}`)
	f.Add(`[[[[[[`)
	f.Fuzz(func(t *testing.T, text string) {
		var c proof.Certificate
		if err := c.Read(strings.NewReader(text)); err != nil {
			require.Less(t, len(err.Error()), 1000)
			require.Zero(t, c)
			return
		}
		again := write(t, &c)
		var back proof.Certificate
		require.NoError(t, back.Read(bytes.NewReader(again)))
		require.Equal(t, again, write(t, &back))
		s := c.Spec
		if float64(s.P)*float64(s.DOut)*(float64(s.N)+float64(s.DIn)) > 1e5 {
			return // drawing it takes long
		}
		r, err := proof.Check(&c)
		require.NoError(t, err)
		require.Equal(t, r.Valid, r.Reason == "")
		if !r.Valid {
			return
		}
		// It belongs to the instance that is named, and what it claims is so: by plain
		// arithmetic, whose bounds are wider.
		in, err := c.Address.Draw(s)
		require.NoError(t, err)
		require.Equal(t, c.Fingerprint, proof.Fingerprint(in))
		if r.Outcome == proof.Stored && s.N > 1 {
			scores := proof.Verify(in, c.Weights)
			require.LessOrEqual(t, scores.Certified, r.Margin*(1+1e-9))
			return
		}
		if r.Outcome == proof.NotStorable {
			// Training does not find what cannot be.
			run := learn.Train(learn.LBFGS, learn.NewObjective(in), learn.NewWeights(s.DOut, s.DIn, 0), learn.Options{MaxEvaluations: 20})
			v := proof.Verify(in, run.Weights)
			require.False(t, v.Recalled == s.P && v.Certified > r.Bound, "%+v", v)
		}
	})
}
