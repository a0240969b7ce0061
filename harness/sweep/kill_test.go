package sweep

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
)

// Environment of a test binary that is a sweep, to be killed.
const (
	childVariable   = "LAMCAP_SWEEP_TEST"       // the folder
	workersVariable = "LAMCAP_SWEEP_TEST_PROCS" // workers
	limitVariable   = "LAMCAP_SWEEP_TEST_LIMIT" // bytes of a file, where it is limited
	// killsVariable is the number of kills, for more than the default.
	killsVariable = "LAMCAP_SWEEP_KILLS"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

// child runs the sweep and tells, a line each, which trials it begins and which it has
// stored.
func child(dir string) int {
	limitFiles()
	workers, _ := strconv.Atoi(os.Getenv(workersVariable))
	p := killPlan()
	cells := p.index()
	tell := func(what string, c Cell, trial uint64) {
		fmt.Fprintf(os.Stdout, "%s %d %d\n", what, cells[c.Address], trial)
	}
	s, err := Run(context.Background(), p, dir, RunOptions{
		Program: testProgram, Workers: workers, Log: os.Stderr,
		execute: func(c Cell, trial uint64) (Record, error) {
			tell("begin", c, trial)
			return Execute(c, trial)
		},
		stored: func(j Job) { tell("stored", j.Cell, j.Trial) },
	})
	if err == nil {
		err = s.Err()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// killPlan takes some hundred milliseconds: long enough to be killed several times.
func killPlan() *Plan {
	p := smallPlan(12)
	c := Cell{Address: Address{Experiment: "kill", Spec: pattern.Spec{Model: pattern.DP, DIn: 10, DOut: 10, P: 34, N: 34}, Rank: 10, Seed: 5}, Critical: 30}
	p.Cells = append(p.Cells, Work{c, 20})
	return p
}

// start runs the test binary as a sweep in the folder.
func start(t *testing.T, dir string, workers int, environment ...string) (*exec.Cmd, io.Reader, *strings.Builder) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), childVariable+"="+dir, workersVariable+"="+strconv.Itoa(workers)), environment...)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	var stderr strings.Builder
	c.Stderr = &stderr
	require.NoError(t, c.Start())
	return c, out, &stderr
}

// told is what a child has said.
type told struct{ begun, stored map[ID]bool }

// listen reads what it says to the end, and calls first at the first line.
func listen(t *testing.T, p *Plan, out io.Reader, first func()) told {
	t.Helper()
	begun := false
	said := told{map[ID]bool{}, map[ID]bool{}}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if !begun {
			begun = true
			first()
		}
		var what string
		var cell int
		var trial uint64
		if n, _ := fmt.Sscanf(lines.Text(), "%s %d %d", &what, &cell, &trial); n < 3 {
			continue // cut off
		}
		id := ID{p.Cells[cell].Address, trial}
		switch what {
		case "begin":
			require.False(t, said.begun[id], "begun twice in one run")
			said.begun[id] = true
		case "stored":
			said.stored[id] = true
		}
	}
	return said
}

// A sweep is killed at random moments and resumed until it is complete, many times over:
// every trial whose storing was told is there, once; no trial but those in flight is lost
// or run again; and in the end the records are those of a run that nobody killed.
func TestKilledSweeps(t *testing.T) {
	kills := 60
	if text := os.Getenv(killsVariable); text != "" {
		var err error
		kills, err = strconv.Atoi(text)
		require.NoError(t, err)
	} else if testing.Short() {
		kills = 10
	}
	p := killPlan()
	fresh := t.TempDir()
	_, _, err := run(t, p, fresh, RunOptions{})
	require.NoError(t, err)
	want := dump(t, fresh)

	rng := rand.New(rand.NewPCG(7, 7))
	done, sweeps, lost, before, torn := 0, 0, 0, 0, 0
	for done < kills {
		dir := filepath.Join(t.TempDir(), "runs")
		have := map[ID]struct{}{}
		for complete := false; !complete; {
			workers := 1 + rng.IntN(4)
			c, out, stderr := start(t, dir, workers)
			// The sweep alone takes some hundred milliseconds on one core; its start less.
			wait, atWork := time.Duration(rng.Float64()*rng.Float64()*150*float64(time.Millisecond)), rng.IntN(5) > 0
			kill := func() {
				if done < kills {
					time.AfterFunc(wait, func() { _ = c.Process.Kill() })
				}
			}
			if !atWork {
				kill()
			}
			said := listen(t, p, out, func() {
				if atWork {
					kill()
				}
			})
			err := c.Wait()
			complete = err == nil
			if !complete {
				require.Equal(t, -1, c.ProcessState.ExitCode(), "killed, not failed: %s", stderr)
				done++
			}
			require.NotContains(t, stderr.String(), "failed")
			if strings.Contains(stderr.String(), ": cut ") {
				torn++
			}
			if _, err := os.Stat(dir); err != nil { // it did not come that far
				require.Empty(t, said.begun)
				before++
				continue
			}
			records, err := ReadRecords(dir)
			require.NoError(t, err)
			now := identities(records)
			require.Len(t, now, len(records))
			require.Equal(t, lineCount(t, dir), len(records), "none is stored twice")
			for id := range have {
				require.Contains(t, now, id, "what was stored stays")
				require.NotContains(t, said.begun, id, "what was stored is not run again")
			}
			for id := range said.stored {
				require.Contains(t, now, id, "what was told to be stored is")
			}
			inFlight := 0
			for id := range said.begun {
				if _, ok := now[id]; !ok {
					inFlight++
				}
			}
			require.LessOrEqual(t, inFlight, workers, "trials lost")
			lost += inFlight
			if len(said.begun) == 0 {
				before++
			}
			have = now
		}
		require.Equal(t, want, dump(t, dir))
		sweeps++
	}
	t.Logf("%d kills of %d sweeps, %d before the first trial began; %d trials in flight were lost, %d torn lines cut", done, sweeps, before, lost, torn)
	assert.Positive(t, lost, "some kill met a trial")
	assert.Less(t, before, done/2, "most kills met a sweep at work")
}
