package slurm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAnswers reads anything as the answer of a command of Slurm: what is understood
// is in it, what is not is a short error, and no line of a queue is passed over.
func FuzzAnswers(f *testing.F) {
	for _, text := range []string{
		"12|0|RUNNING|lamcap-ab-0|None\nCLUSTER: main\n\n12|1001|PENDING|lamcap-ab-0|a|b\n", "12|N/A|PENDING|lamcap|None", "12|99999999999999999999|PENDING|x|y",
		"17;big\n", "welcome\n17\n", "", "Submitted batch job 17", "\x00", config(1001, 10000), "MaxArraySize=5\nMaxJobCount = 0", "MaxArraySize = 0x10\nMaxJobCount = -1\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		short := func(err error) {
			require.Less(t, len(err.Error()), 2000)
		}
		if elements, err := parseQueue(text); err != nil {
			short(err)
			require.Nil(t, elements)
		} else {
			tasks := 0
			for line := range strings.Lines(text) {
				if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "CLUSTER:") {
					continue
				}
				e := elements[tasks]
				tasks++
				require.GreaterOrEqual(t, e.Index, 0)
				require.True(t, jobNumber(e.Job))
				require.True(t, strings.HasPrefix(line, e.Job))
				require.True(t, strings.HasSuffix(line, e.Reason))
			}
			require.Len(t, elements, tasks)
		}
		if job, err := parseJob(text); err != nil {
			short(err)
			require.Empty(t, job)
		} else {
			require.True(t, jobNumber(job))
			require.Contains(t, text, job)
		}
		if l, err := parseLimits(text); err != nil {
			short(err)
		} else {
			require.Positive(t, l.ArraySize)
			require.Positive(t, l.Jobs)
		}
		require.NotContains(t, oneLine(text), "\n")
	})
}
