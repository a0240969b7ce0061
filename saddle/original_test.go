package saddle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/saddle"
)

func TestOriginalFacts(t *testing.T) {
	for _, c := range []struct {
		dIn, dOut            int
		pairs, simulated, se float64
	}{
		{16, 16, 0.0975, 63.46, 0.08},
		{24, 24, 0.1227, 118.81, 0.17},
		{32, 32, 0.1390, 186.88, 0.40},
		{12, 48, 0.1148, 123.53, 0.25},
		{36, 16, 0.1212, 117.70, 0.13},
	} {
		o, err := saddle.OriginalFacts(c.dIn, c.dOut)
		require.NoError(t, err)
		t.Logf("%d×%d: p_c %.2f first %.2f facts %.2f ± %.2f pairs %.5f", c.dIn, c.dOut, o.Decoupled.Facts, o.FirstOrder, o.Facts.Value, o.Facts.Error, o.Pairs)
		assert.InDelta(t, c.pairs, o.Pairs, 5e-4)
		assert.InDelta(t, c.simulated, o.Facts.Value, o.Facts.Error+2*c.se)
	}
}
