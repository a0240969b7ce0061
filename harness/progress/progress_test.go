package progress

import (
	"bytes"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vbauerster/mpb/v8"
)

// clock is a time that only the test moves.
type clock struct{ t time.Time }

func (c *clock) now() time.Time          { return c.t }
func (c *clock) advance(d time.Duration) { c.t = c.t.Add(d) }

func TestLines(t *testing.T) {
	var b bytes.Buffer
	c := &clock{time.Unix(1000, 0)}
	p := newLines(&b, "capacity", 100, c.now)
	p.Add(10)
	c.advance(interval - time.Nanosecond)
	p.Add(10)
	assert.Empty(t, b.String(), "nothing in the first ten seconds")
	c.advance(time.Nanosecond)
	p.Add(5)
	for range 9 {
		c.advance(time.Second)
		p.Add(1)
	}
	c.advance(6 * time.Second)
	p.Add(16)
	c.advance(5 * time.Second)
	p.Add(50)
	p.Done()
	p.Done()
	p.Add(1)
	assert.Equal(t, "capacity: 25 of 100 after 10s, about 30s left\n"+
		"capacity: 50 of 100 after 25s, about 25s left\n"+
		"capacity: 100 of 100, took 30s\n", b.String())
}

func TestShortRunsAreSilent(t *testing.T) {
	var b bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	p := newLines(&b, "short", 2, c.now)
	c.advance(interval - 1)
	p.Add(2)
	c.advance(time.Hour)
	p.Done()
	assert.Empty(t, b.String())
}

func TestUnknownTotalAndOverrun(t *testing.T) {
	var b bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	p := newLines(&b, "draws", -1, c.now)
	c.advance(interval)
	p.Add(7)
	p.Add(0)
	p.Add(-3)
	p.Done()
	q := newLines(&b, "more", 5, c.now)
	c.advance(90 * time.Second)
	q.Add(6)
	q.Done()
	assert.Equal(t, "draws: 7 done after 10s\ndraws: 7 done, took 10s\n"+
		"more: 6 of 5 after 1m30s\nmore: 6 of 5, took 1m30s\n", b.String())
}

func TestNilIsSilent(t *testing.T) {
	var p *Progress
	p.Add(1)
	p.Done()
	assert.Nil(t, New(nil, "nowhere", 1))
}

func TestFilesAreNoTerminals(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/log")
	require.NoError(t, err)
	defer f.Close()
	p := New(f, "file", 10)
	assert.Nil(t, p.bar)
	p.Add(10)
	p.Done()
	info, err := f.Stat()
	require.NoError(t, err)
	assert.Zero(t, info.Size())
}

func TestConcurrentAdds(t *testing.T) {
	for name, p := range map[string]*Progress{
		"lines": newLines(&bytes.Buffer{}, "lines", 800, time.Now),
		"bar":   newBar(&bytes.Buffer{}, "bar", 800, mpb.WithAutoRefresh()),
	} {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 100 {
					p.Add(1)
				}
			})
		}
		wg.Wait()
		p.Done()
		assert.Equal(t, 800, p.done, name)
	}
}

// A bar ends when told, whether the work is complete, cut short, exceeded or
// of unknown length: a Done that waits for ever would hang the command.
func TestBarEnds(t *testing.T) {
	for _, c := range []struct{ total, add int }{{10, 10}, {10, 3}, {10, 0}, {10, 12}, {0, 5}, {0, 0}} {
		var b bytes.Buffer
		p := newBar(&b, "bar", c.total, mpb.WithAutoRefresh(), mpb.WithRefreshRate(time.Millisecond))
		p.Add(c.add)
		ended := make(chan struct{})
		go func() {
			p.Done()
			p.Done()
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			t.Fatalf("%+v: Done does not return", c)
		}
		p.Add(1) // ignored
	}
}

func TestBarShowsTitleAndCounts(t *testing.T) {
	var b bytes.Buffer
	p := newBar(&b, "capacity", 10, mpb.WithAutoRefresh(), mpb.WithRefreshRate(time.Millisecond))
	p.Add(3)
	time.Sleep(50 * time.Millisecond) // fifty refreshes
	p.Done()                          // no more writes: b can be read
	assert.Contains(t, b.String(), "capacity [")
	assert.Contains(t, b.String(), "3 of 10")
}
