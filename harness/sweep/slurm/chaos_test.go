package slurm

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/sweep"
)

// chaos is a cluster to which anything may happen.
type chaos struct {
	*fake
	rng  *rand.Rand
	dir  string
	live []*liveTask
	jobs int
}

// liveTask is one that the queue has.
type liveTask struct {
	batch   *Batch
	index   int
	element string // before the state
	attempt Attempt
}

// take puts the tasks of new submissions into the queue.
func (c *chaos) take(b *Batch) {
	for k, a := range b.Arrays {
		for i := range a.Tasks {
			c.jobs++
			c.live = append(c.live, &liveTask{b, a.Offset + i, fmt.Sprintf("%s|%d|%%s|%s|None", a.Job, i, b.arrayName(k)), Attempt{Job: fmt.Sprint(c.jobs), Node: "n"}})
		}
	}
}

func (c *chaos) show() {
	var lines []string
	for _, l := range c.live {
		lines = append(lines, fmt.Sprintf(l.element, []string{"PENDING", "RUNNING", "COMPLETING", "NEW"}[c.rng.IntN(4)]))
	}
	c.queue(lines...)
}

// step lets something happen to a task.
func (c *chaos) step(t *testing.T) {
	if len(c.live) == 0 {
		return
	}
	i := c.rng.IntN(len(c.live))
	l := c.live[i]
	gone := true
	plan := filepath.Join(l.batch.Folder, "plan.json")
	switch c.rng.IntN(6) {
	case 0: // never runs: cancelled while it waits
	case 1, 2: // runs to its end
		require.NoError(t, RunTask(t.Context(), plan, l.index, testProgram(t), l.attempt, io.Discard))
	case 3: // is told to end, and may be requeued
		ctx, stop := context.WithTimeout(t.Context(), time.Duration(c.rng.IntN(8000))*time.Microsecond)
		err := RunTask(ctx, plan, l.index, testProgram(t), l.attempt, io.Discard)
		stop()
		if err != nil {
			require.ErrorIs(t, err, ErrInterrupted)
		}
		gone = c.rng.IntN(2) == 0
	case 4: // is lost with its node, at any byte, and may be requeued
		twin := &Batch{CPUs: 1, Program: l.batch.Program, Tasks: l.batch.Tasks}
		require.NoError(t, newBatch(t.TempDir(), twin))
		complete(t, twin, l.index)
		text, err := os.ReadFile(twin.file(l.index, endDone))
		require.NoError(t, err)
		part := l.batch.file(l.index, fmt.Sprintf(".%s.%d.%d%s", l.attempt.Job, l.attempt.Restart, c.rng.Uint32(), endPart))
		require.NoError(t, os.WriteFile(part, text[:c.rng.IntN(len(text)+1)], 0o644))
		gone = c.rng.IntN(2) == 0
	case 5: // runs twice at once, as after a network was cut in two
		for range 2 {
			require.NoError(t, RunTask(t.Context(), plan, l.index, testProgram(t), l.attempt, io.Discard))
		}
	}
	if gone {
		c.live = append(c.live[:i], c.live[i+1:]...)
		return
	}
	l.attempt.Restart++
}

// Whatever happens to tasks, and however often what is missing is submitted again,
// merged and tidied up: in the end every trial has one record, that of a local run,
// and no trial is submitted that the queue has.
func TestChaos(t *testing.T) {
	want := map[sweep.ID]sweep.Record{}
	p := plan(2, 7)
	for _, j := range sweep.Missing(p, nil) {
		r, err := sweep.Execute(j.Cell, j.Trial)
		require.NoError(t, err)
		want[j.ID()] = r
	}
	for seed := range uint64(4) {
		c := &chaos{fake: newFake(t), rng: rand.New(rand.NewPCG(seed, 1)), dir: t.TempDir()}
		have := 0
		for steps := 0; have < p.Instances(); steps++ {
			require.Less(t, steps, 500)
			c.show()
			switch c.rng.IntN(4) {
			case 0:
				queued := map[sweep.ID]bool{}
				for _, l := range c.live {
					for _, j := range l.batch.Tasks[l.index] {
						queued[j.ID()] = true
					}
				}
				s, err := submit(t, c.dir, p)
				require.NoError(t, err)
				if s.Batch != nil {
					for _, task := range s.Batch.Tasks {
						for _, j := range task {
							assert.False(t, queued[j.ID()], "submitted although the queue has it")
						}
					}
					c.take(s.Batch)
				}
			case 1:
				_, err := Collect(t.Context(), c.dir, true, quick())
				if _, missing := os.Stat(sweep.PlanFile(c.dir)); missing != nil {
					assert.ErrorContains(t, err, "no sweep is stored there")
				} else {
					require.NoError(t, err)
				}
			default:
				c.step(t)
			}
			now := len(read(t, c.dir))
			require.GreaterOrEqual(t, now, have, "a record is lost")
			have = now
		}
		got := read(t, c.dir)
		require.Len(t, got, len(want))
		for _, r := range got {
			assert.Empty(t, sweep.Difference(want[r.ID()], r))
		}
	}
}
