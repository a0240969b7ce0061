package proof_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
)

// certificates returns one of each outcome, in both models, and one of factors.
func certificates(t require.TestingT) []*proof.Certificate {
	var all []*proof.Certificate
	for _, c := range []struct {
		spec    pattern.Spec
		outcome proof.Outcome
	}{
		{pattern.Spec{Model: pattern.OP, DIn: 5, DOut: 4, P: 6, N: 6}, proof.Stored},
		{pattern.Spec{Model: pattern.DP, DIn: 4, DOut: 5, P: 8, N: 6, Keys: pattern.Sphere}, proof.Stored},
		{pattern.Spec{Model: pattern.OP, DIn: 4, DOut: 4, P: 20, N: 20}, proof.NotStorable},
		{pattern.Spec{Model: pattern.DP, DIn: 3, DOut: 4, P: 20, N: 8}, proof.NotStorable},
	} {
		in, _ := draw(c.spec, 11)
		certificate := decide(t, in, address(11))
		require.NotNil(t, certificate)
		require.Equal(t, c.outcome, certificate.Outcome)
		all = append(all, certificate)
	}
	s := pattern.Spec{Model: pattern.DP, DIn: 6, DOut: 5, P: 4, N: 3}
	in, rng := draw(s, 2)
	run := learn.Train(learn.LBFGS, learn.NewObjective(in), learn.RandomWeights(rng, 5, 6, 2, 1), learn.Options{
		Stop: func(_ *learn.Weights, e learn.Evaluation) bool { return e.Recalled == s.P },
	})
	certificate, err := proof.NewStored(in, address(2), run.Weights, proof.Verify(in, run.Weights))
	require.NoError(t, err)
	return append(all, certificate)
}

func write(t require.TestingT, c *proof.Certificate) []byte {
	var b bytes.Buffer
	require.NoError(t, c.Write(&b))
	return b.Bytes()
}

func TestCertificateRoundTrip(t *testing.T) {
	for _, c := range certificates(t) {
		var read proof.Certificate
		require.NoError(t, read.Read(bytes.NewReader(write(t, c))))
		assert.Equal(t, c, &read)
		report, err := proof.Check(&read)
		require.NoError(t, err)
		assert.True(t, report.Valid, report.Reason)
		assert.Equal(t, c.Outcome, report.Outcome)
		if c.Outcome == proof.Stored {
			assert.Equal(t, c.Spec.P, report.Recalled)
			assert.InEpsilon(t, c.Margin, report.Margin, 1e-11)
			assert.GreaterOrEqual(t, report.Margin, c.Margin, "plain bounds are wider than those in twice the precision")
		} else {
			assert.LessOrEqual(t, report.Bound, 1e-11)
			assert.True(t, report.Exact)
		}
	}
}

// Whatever changes what a certificate claims or proves is noticed.
func TestCheckNoticesChanges(t *testing.T) {
	for i, c := range certificates(t) {
		changes := map[string]func(c *proof.Certificate){
			"seed":        func(c *proof.Certificate) { c.Address.Seed++ },
			"trial":       func(c *proof.Certificate) { c.Address.Trial++ },
			"cell":        func(c *proof.Certificate) { c.Address.Cell = "x" },
			"experiment":  func(c *proof.Certificate) { c.Address.Experiment = "" },
			"embedding":   func(c *proof.Certificate) { c.Spec.Values = pattern.Sphere - c.Spec.Values },
			"keys":        func(c *proof.Certificate) { c.Spec.Keys = pattern.Sphere - c.Spec.Keys },
			"fingerprint": func(c *proof.Certificate) { c.Fingerprint = strings.Repeat("0", 64) },
			"model": func(c *proof.Certificate) {
				c.Spec.Model = pattern.DP - c.Spec.Model
				c.Spec.N = c.Spec.P
			},
		}
		if c.Outcome == proof.Stored {
			changes["margin"] = func(c *proof.Certificate) { c.Margin *= 1 + 1e-6 }
			changes["zero"] = func(c *proof.Certificate) { clear(c.Weights.Parameters) }
			changes["sign"] = func(c *proof.Certificate) {
				for i := range c.Weights.Parameters[:c.Spec.DOut*max(c.Weights.Rank, 1)] {
					c.Weights.Parameters[i] *= -1
				}
			}
			changes["not finite"] = func(c *proof.Certificate) { c.Weights.Parameters[1] = math.NaN() }
			changes["outcome"] = func(c *proof.Certificate) { c.Outcome = proof.NotStorable }
		} else {
			changes["bound"] = func(c *proof.Certificate) { c.Bound /= 2 }
			changes["sign"] = func(c *proof.Certificate) { c.Multipliers.Value[0] *= -1 }
			changes["value"] = func(c *proof.Certificate) { c.Multipliers.Value[0] *= 1 + 1e-6 }
			changes["not finite"] = func(c *proof.Certificate) { c.Multipliers.Value[0] = math.Inf(1) }
			changes["all zero"] = func(c *proof.Certificate) { clear(c.Multipliers.Value) }
			changes["candidate"] = func(c *proof.Certificate) {
				m := c.Multipliers // another one that is not listed yet
				for x := int32(c.Spec.N - 1); ; x-- {
					if !slices.Contains(m.Candidate[:m.Start[1]], x) {
						m.Candidate[m.Start[1]-1] = x
						return
					}
				}
			}
			changes["target"] = func(c *proof.Certificate) { c.Multipliers.Candidate[0] = 0 } // of input 0, in both models
			changes["beyond"] = func(c *proof.Certificate) { c.Multipliers.Candidate[c.Multipliers.Len()-1] = int32(c.Spec.N) }
			changes["twice"] = func(c *proof.Certificate) { c.Multipliers.Candidate[1] = c.Multipliers.Candidate[0] }
			changes["offset"] = func(c *proof.Certificate) { c.Multipliers.Start[1]-- }
			changes["outcome"] = func(c *proof.Certificate) { c.Outcome = proof.Stored }
		}
		for name, change := range changes {
			var changed proof.Certificate
			require.NoError(t, changed.Read(bytes.NewReader(write(t, c))))
			change(&changed)
			report, err := proof.Check(&changed)
			assert.True(t, err != nil || !report.Valid && report.Reason != "", "certificate %d: %s: %+v", i, name, report)
			if err != nil {
				assert.Error(t, changed.Write(new(bytes.Buffer)), name)
			}
		}
	}
}

// Weights perturbed in one entry are either no witness, or one.
func TestCheckJudgesPerturbedWitness(t *testing.T) {
	c := certificates(t)[0]
	rapid.Check(t, func(t *rapid.T) {
		var changed proof.Certificate
		require.NoError(t, changed.Read(bytes.NewReader(write(t, c))))
		i := rapid.IntRange(0, len(changed.Weights.Parameters)-1).Draw(t, "entry")
		changed.Weights.Parameters[i] += rapid.Float64Range(-1, 1).Draw(t, "change") * c.Weights.Norm()
		changed.Margin = 0
		in, err := changed.Address.Draw(changed.Spec)
		require.NoError(t, err)
		report, err := proof.Check(&changed)
		require.NoError(t, err)
		v := proof.Verify(in, changed.Weights)
		if v.Doubtful == 0 && report.Recalled != v.Recalled {
			t.Fatalf("check counts %d, verify %d", report.Recalled, v.Recalled)
		}
		if report.Valid != (report.Recalled == changed.Spec.P) {
			t.Fatalf("%+v", report)
		}
		if report.Margin > v.Margin+1e-12 {
			t.Fatalf("certified margin %v above %v", report.Margin, v.Margin)
		}
	})
}

// edit changes one field of the document, named by its path.
func edit(t *testing.T, document []byte, value any, path ...string) []byte {
	var d map[string]any
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&d))
	m := d
	for _, p := range path[:len(path)-1] {
		m = m[p].(map[string]any)
	}
	if value == nil {
		delete(m, path[len(path)-1])
	} else {
		m[path[len(path)-1]] = value
	}
	b, err := json.Marshal(d)
	require.NoError(t, err)
	return b
}

func TestReadHostile(t *testing.T) {
	all := certificates(t)
	stored, refuted := write(t, all[0]), write(t, all[2])
	words := func(x ...uint32) string {
		var b []byte
		for _, v := range x {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return base64.StdEncoding.EncodeToString(b)
	}
	for _, c := range []struct {
		document []byte
		want     string
	}{
		{nil, "not a JSON object"},
		{[]byte("lamcap"), "not a JSON object"},
		{stored[:len(stored)/2], "not a complete JSON document"},
		{append(slices.Clone(stored), 'x'), "not a complete JSON document"},
		{edit(t, stored, "lamcap result", "format"), "format ="},
		{edit(t, stored, 2, "version"), "version = 2"},
		{edit(t, stored, 1, "extra"), `"extra": unknown field`},
		{edit(t, stored, 1, "MARGIN"), `"MARGIN": unknown field`},
		{edit(t, stored, "op", "instance", "Model"), `"instance.Model": unknown field`},
		{bytes.Replace(stored, []byte(`"margin"`), []byte(`"margin": 0.0001, "margin"`), 1), `"margin": given twice`},
		{bytes.Replace(stored, []byte(`"rank"`), []byte(`"rank": 3, "rank"`), 1), `"weights.rank": given twice`},
		{[]byte(" [1]"), "not a JSON object"},
		{[]byte("3"), "not a JSON object"},
		{[]byte("null"), "not a JSON object"},
		{edit(t, stored, []int{1}, "instance"), "instance: a JSON array: want an object"},
		{edit(t, stored, []int{1}, "weights", "rank"), "weights.rank: a JSON array: want an integer"},
		{edit(t, stored, map[string]any{"op": 1}, "instance", "model"), "instance.model: a JSON object: want a string"},
		{edit(t, stored, 1.5, "instance", "p"), "instance.p: a JSON number 1.5: want an integer"},
		{edit(t, refuted, "yes", "exact"), "exact: a JSON string: want true or false"},
		{edit(t, stored, "maybe", "outcome"), `outcome = "maybe"`},
		{edit(t, stored, "undecided", "outcome"), `outcome = "undecided"`},
		{edit(t, stored, "not_storable", "outcome"), "want bound, exact and multipliers"},
		{edit(t, refuted, "stored", "outcome"), "want margin and weights"},
		{edit(t, stored, nil, "margin"), "want margin and weights"},
		{edit(t, stored, -1, "margin"), "margin = -1"},
		{edit(t, stored, "big", "margin"), "margin: a JSON string: want a finite number"},
		{edit(t, stored, json.Number("1e999"), "margin"), "margin: a JSON number 1e999: want a finite number"},
		{edit(t, stored, math.MaxInt32, "instance", "p"), "p = "},
		{edit(t, stored, -3, "instance", "d_in"), "d_in = -3"},
		{edit(t, stored, "xp", "instance", "model"), "model = xp"},
		{edit(t, stored, "-1", "instance", "seed"), `seed = "-1"`},
		{edit(t, stored, "1e3", "instance", "trial"), `trial = "1e3"`},
		{edit(t, stored, "abc", "instance", "fingerprint"), "fingerprint ="},
		{edit(t, stored, 1<<30, "weights", "d_in"), "want d_out × d_in"},
		{edit(t, stored, 1<<30, "weights", "rank"), "weights of rank"},
		{edit(t, stored, 2, "weights", "rank"), "weights: "},
		{edit(t, stored, "AAAA", "weights", "float64"), "weights: 4 characters of base64"},
		{edit(t, stored, strings.Repeat("*", 216), "weights", "float64"), "weights: "},
		{edit(t, refuted, math.MaxInt32, "multipliers", "pairs"), "pairs ="},
		{edit(t, refuted, 0, "multipliers", "pairs"), "pairs = 0"},
		{edit(t, refuted, 380, "multipliers", "pairs"), "candidates: "},
		{edit(t, refuted, words(slices.Repeat([]uint32{math.MaxUint32}, 20)...), "multipliers", "counts_uint32"), "counts: more than"},
		{edit(t, refuted, words(make([]uint32, 20)...), "multipliers", "counts_uint32"), "counts: they add up to 0"},
		{edit(t, refuted, words(slices.Repeat([]uint32{math.MaxUint32}, all[2].Multipliers.Len())...), "multipliers", "candidates_uint32"), "candidates: number 0"},
		{edit(t, refuted, words(make([]uint32, all[2].Multipliers.Len())...), "multipliers", "candidates_uint32"), "candidate 0"},
		{edit(t, refuted, words(slices.Repeat([]uint32{math.MaxUint32}, 2*all[2].Multipliers.Len())...), "multipliers", "values_float64"), "value 0 = NaN"},
		{edit(t, refuted, words(make([]uint32, 2*all[2].Multipliers.Len())...), "multipliers", "values_float64"), "want one above 0"},
	} {
		unchanged := proof.Certificate{Fingerprint: "before"}
		err := unchanged.Read(bytes.NewReader(c.document))
		if assert.ErrorContains(t, err, c.want, "%.80s", c.document) {
			assert.Equal(t, proof.Certificate{Fingerprint: "before"}, unchanged)
		}
	}
}

// Any prefix is refused; and any byte that changes leaves a document that is
// refused, or one whose proof is checked as it stands.
func TestReadSurvivesAnything(t *testing.T) {
	for _, c := range certificates(t)[1:3] {
		document := write(t, c)
		rapid.Check(t, func(t *rapid.T) {
			var read proof.Certificate
			cut := rapid.IntRange(0, len(document)-3).Draw(t, "length")
			require.Error(t, read.Read(bytes.NewReader(document[:cut])))
			changed := slices.Clone(document)
			for range rapid.IntRange(1, 3).Draw(t, "changes") {
				changed[rapid.IntRange(0, len(changed)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
			}
			if read.Read(bytes.NewReader(changed)) == nil && read.Spec == c.Spec {
				report, err := proof.Check(&read)
				require.NoError(t, err)
				if report.Valid && report.Outcome != c.Outcome {
					t.Fatalf("both outcomes are valid: %s", changed)
				}
			}
		})
	}
}

func TestNewCertificatesRefuse(t *testing.T) {
	in, _ := draw(shapes[0], 1)
	_, err := proof.NewStored(in, address(1), learn.NewWeights(5, 3, 0), proof.Verification{Recalled: 3})
	assert.EqualError(t, err, "recalled = 3: want all p = 7 inputs for a certificate")
	_, err = proof.NewNotStorable(in, address(1), nil, proof.Refutation{})
	assert.ErrorContains(t, err, "want a successful one")
	_, err = proof.Check(&proof.Certificate{})
	assert.Error(t, err)
	// The zero value of an outcome is no claim.
	whole := *certificates(t)[0]
	whole.Outcome = proof.Undecided
	_, err = proof.Check(&whole)
	assert.EqualError(t, err, "certificate: outcome = undecided: want stored or not_storable")
	assert.EqualError(t, whole.Write(new(bytes.Buffer)), "certificate: outcome = undecided: want stored or not_storable")
	for o, name := range map[proof.Outcome]string{proof.Undecided: "undecided", proof.Stored: "stored", proof.NotStorable: "not_storable"} {
		assert.Equal(t, name, o.String())
	}
	assert.Zero(t, proof.Undecided)
	assert.Equal(t, "outcome(7)", proof.Outcome(7).String())
}

// Without competitors every W is a witness, W = 0 too.
func TestCertificateWithoutCompetitors(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 2, P: 3, N: 1}
	in, _ := draw(s, 1)
	w := learn.NewWeights(2, 2, 0)
	c, err := proof.NewStored(in, address(1), w, proof.Verify(in, w))
	require.NoError(t, err)
	report, err := proof.Check(c)
	require.NoError(t, err)
	assert.True(t, report.Valid, report.Reason)
	_, r := proof.Refute(in, w, proof.RefuteOptions{})
	assert.False(t, r.Outcome)
}

// Sizes of files near capacity, as the documentation of Write states them.
func TestCertificateSize(t *testing.T) {
	s := pattern.Spec{Model: pattern.OP, DIn: 24, DOut: 24, P: 125, N: 125}
	in, _ := draw(s, 1)
	w := train(in, 16)
	m, r := proof.Refute(in, w, proof.RefuteOptions{})
	require.True(t, r.Outcome, "%+v", r)
	c, err := proof.NewNotStorable(in, address(1), m, r)
	require.NoError(t, err)
	size := len(write(t, c))
	t.Logf("%d pairs, %d bytes, %+v", m.Len(), size, r)
	assert.Greater(t, size, 50_000)
	assert.Less(t, size, 65_000)
	assert.InDelta(t, 16.2, float64(size)/float64(m.Len()), 0.3, "bytes a pair")
	const d = 128
	s = pattern.Spec{Model: pattern.OP, DIn: d, DOut: d, P: 2, N: 2}
	stored, rng := draw(s, 1)
	c, err = proof.NewStored(stored, address(1), weightsOf(rng, s, 0, 1), proof.Verification{Recalled: 2})
	require.NoError(t, err)
	assert.InDelta(t, 175_000, len(write(t, c)), 1000)
}
