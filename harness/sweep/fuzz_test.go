package sweep

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/quartercircle"
)

// FuzzPlan reads plans that hold anything. What is read can be run, and is written as
// it is.
func FuzzPlan(f *testing.F) {
	g, err := ParseGrid(strings.TrimSpace(`
title = "two cells"
[[experiment]]
name = "x"
trials = 2
[experiment.axes]
model = "dp"
d = [3, 5]
p = 4
seed = "0xffffffffffffffff"
`), "grid.toml")
	require.NoError(f, err)
	p, err := g.Plan(quartercircle.NewSpectra())
	require.NoError(f, err)
	var b bytes.Buffer
	require.NoError(f, writePlan(&b, p, example().Program))
	text := b.String()
	f.Add(text)
	for _, lie := range [][2]string{{`"p":4`, `"p":9223372036854775807`}, {`"d_in":3`, `"d_in":5`}, {`"trials":2`, `"trials":1e9`}, {`"format":1`, `"format":2`}, {`"cells":[`, `"cells":[{},`}, {`"seed":18446744073709551615`, `"seed":18446744073709551616`}, {`]}`, `]}]`}} {
		f.Add(strings.Replace(text, lie[0], lie[1], 1))
	}
	f.Add(text[:len(text)-20])
	f.Fuzz(func(t *testing.T, text string) {
		p, program, err := parsePlan([]byte(text))
		if err != nil {
			require.Nil(t, p)
			return
		}
		for _, w := range p.Cells {
			require.GreaterOrEqual(t, w.Trials, 1)
			require.NoError(t, w.storable())
		}
		var b bytes.Buffer
		require.NoError(t, writePlan(&b, p, program))
		back, same, err := parsePlan(b.Bytes())
		require.NoError(t, err)
		require.Equal(t, program, same)
		require.Equal(t, p.Title, back.Title)
		require.Equal(t, p.Source, back.Source)
		var again bytes.Buffer
		require.NoError(t, writePlan(&again, back, same))
		require.Equal(t, b.String(), again.String(), "NaN compare so too")
	})
}
