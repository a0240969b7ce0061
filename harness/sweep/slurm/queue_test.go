package slurm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseLimits(t *testing.T) {
	l, err := parseLimits(config(1001, 10000))
	require.NoError(t, err)
	assert.Equal(t, Limits{1001, 10000}, l, "not MaxJobId")
	for text, says := range map[string]string{
		"":                                   "prints no MaxArraySize",
		"MaxArraySize = 0\nMaxJobCount = 10": "MaxArraySize = 0: this cluster allows no job arrays",
		"MaxArraySize = many\n":              "MaxArraySize = many",
		"MaxArraySize = 5\n":                 "prints no MaxJobCount",
		"MaxArraySize=5\nMaxJobCount = 0":    "MaxJobCount = 0",
	} {
		_, err := parseLimits(text)
		assert.ErrorContains(t, err, says, text)
	}
}

func TestParseQueue(t *testing.T) {
	elements, err := parseQueue("CLUSTER: main\n" +
		"12|0|RUNNING|lamcap-ab-0|None\n\n" +
		"12|1001|PENDING|lamcap-ab-0|launch failed requeued held\n" +
		" 12|3|SOME_NEW_STATE|lamcap-ab-0|(a|b, c)\n" +
		"12|4|PENDING|lamcap-ab-0|BeginTime\n" +
		"12|5|REQUEUE_HOLD|lamcap-ab-0|\n")
	require.NoError(t, err)
	assert.Equal(t, []Element{
		{"12", 0, "RUNNING", "lamcap-ab-0", "None"},
		{"12", 1001, "PENDING", "lamcap-ab-0", "launch failed requeued held"},
		{"12", 3, "SOME_NEW_STATE", "lamcap-ab-0", "(a|b, c)"},
		{"12", 4, "PENDING", "lamcap-ab-0", "BeginTime"},
		{"12", 5, "REQUEUE_HOLD", "lamcap-ab-0", ""},
	}, elements)
	var held []bool
	for _, e := range elements {
		held = append(held, e.Held())
	}
	assert.Equal(t, []bool{false, true, false, false, true}, held)
	// What is not understood is not taken for a task that is gone.
	for _, line := range []string{"slurm_load_jobs error: x", "12|N/A|PENDING|lamcap|None", "12|0-3|PENDING|lamcap|None", "x|1|PENDING|lamcap|None", "12|-1|PENDING|lamcap|None"} {
		_, err := parseQueue(line)
		assert.ErrorContains(t, err, "squeue prints", line)
	}
}

func TestParseJob(t *testing.T) {
	for answer, want := range map[string]string{"17\n": "17", "17;big\n": "17", "welcome to big\n17\n": "17"} {
		job, err := parseJob(answer)
		require.NoError(t, err, answer)
		assert.Equal(t, want, job, answer)
	}
	for _, answer := range []string{"", "Submitted batch job 17", ";"} {
		_, err := parseJob(answer)
		assert.ErrorContains(t, err, "want the number of a job", answer)
	}
}

// Whatever a command prints, messages stay readable.
func TestMessagesAreShort(t *testing.T) {
	flood := strings.Repeat("\x00", 1<<20)
	_, err := parseJob(flood)
	assert.Less(t, len(err.Error()), 2000)
	_, err = parseQueue(flood)
	assert.Less(t, len(err.Error()), 2000)
	_, err = parseQueue(flood + "|0|RUNNING|x|y")
	assert.Less(t, len(err.Error()), 2000)
	assert.Less(t, len(oneLine(strings.Repeat(flood+"\n", 9))), 2000)
	assert.Equal(t, "a; b; c; e", oneLine("a\n\nb\r\nc\nd\ne\n"))
}
