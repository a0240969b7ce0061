package constraint

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/harness/pattern/patterntest"
	"lamcap/internal/stream"
)

// The inputs of a job, one or more, may change no bit.
func TestScanStrips(t *testing.T) {
	for _, s := range []pattern.Spec{
		{Model: pattern.OP, DIn: 13, DOut: 17, P: 109, N: 109},
		{Model: pattern.DP, DIn: 13, DOut: 17, P: 109, N: 5},
		{Model: pattern.Facts, DIn: 13, DOut: 17, P: 109, N: 41},
	} {
		rng := stream.New(1, "strips", "", 0)
		in := patterntest.Draw(rng, s)
		w := make([]float64, s.DIn*s.DOut)
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		var want []float64
		for _, strip := range []int{scanStrip, 1, 2, 27, 108} {
			scanner := NewScanner(in)
			require.Equal(t, scanStrip, scanner.strip)
			scanner.strip = strip
			scores := make([]float64, s.P*s.N)
			scanner.Scan(w, func(mu int, x []float64, _ int, _ []float64) { copy(scores[mu*s.N:], x) })
			if want == nil {
				want = scores
			}
			assert.Equal(t, want, scores, "%v, %d inputs", s.Model, strip)
		}
	}
}

// What a scan holds: the scores of one input of DP, those of a strip in OP.
func TestScanMemory(t *testing.T) {
	scores := func(s pattern.Spec) int {
		scanner := NewScanner(pattern.SampleStreamed(stream.New(1, "memory", "", 0), s))
		scanner.Threads = 1
		scanner.Scan(make([]float64, s.DIn*s.DOut), func(int, []float64, int, []float64) {})
		return len(scanner.buffers[0].scores)
	}
	assert.Equal(t, 1<<20, scores(pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 3, N: 1 << 20}))
	assert.Equal(t, 7*7, scores(pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 7, N: 7}))
	assert.Equal(t, scanStrip*200, scores(pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 200, N: 200}))
	for p, strip := range map[int]int{1 << 15: scanStrip, 1 << 16: 64, 1 << 22: 1, 1<<22 + 1: 1} {
		in := pattern.Sample(stream.New(1, "memory", "", 0), pattern.Spec{Model: pattern.OP, DIn: 1, DOut: 1, P: p, N: p})
		assert.Equal(t, strip, NewScanner(in).strip, "p = %d", p)
	}
}

// One million candidates took 96 times their scores once.
func TestScanAllocatesLittle(t *testing.T) {
	const n = 1 << 20
	in := pattern.SampleStreamed(stream.New(1, "memory", "", 0), pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: n})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	NewScanner(in).Scan([]float64{1}, func(int, []float64, int, []float64) {})
	runtime.ReadMemStats(&after)
	assert.Less(t, float64(after.TotalAlloc-before.TotalAlloc), 3*8.*n, "scores and the pool")
}

func TestMarginScale(t *testing.T) {
	s := pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 2, N: 2}
	for _, c := range []struct{ key, want float64 }{
		{1, 0.5},                   // the scale: √(2/4) √(2/4)
		{1e-2, 0.35357},            // √(1.0001/4) √(2/4)
		{1e-8, 1e3 * 1e-8 * 0.5},   // 1e3 times that of the shorter key
		{1e-70, 1e3 * 1e-70 * 0.5}, //
		{0, 0.353553},              // a key that is 0 has no length
	} {
		in, err := pattern.FromData(s, []float64{1, 0, 0, c.key}, []float64{1, 0, 0, 1})
		require.NoError(t, err)
		assert.InEpsilon(t, c.want, MarginScale(in), 1e-5, "key of length %g", c.key)
	}
	drawn := pattern.Sample(stream.New(1, "scale", "", 0), pattern.Spec{Model: pattern.DP, DIn: 8, DOut: 8, P: 50, N: 20})
	assert.Equal(t, drawn.Scale(), MarginScale(drawn))
	zero, err := pattern.FromData(s, make([]float64, 4), make([]float64, 4))
	require.NoError(t, err)
	assert.Zero(t, MarginScale(zero))
}
