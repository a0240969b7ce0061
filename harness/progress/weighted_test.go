package progress

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/vbauerster/mpb/v8"
)

// The first of two units costs a tenth of the other: what is left is nine times what
// was, not as much again.
func TestTimeLeftFollowsTheCost(t *testing.T) {
	var b bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	p := newWeightedLines(&b, "trials", 3, 20, func() string { return fmt.Sprintf("cell %d", 7) }, c.now)
	c.advance(20 * time.Second)
	p.Spend(2)
	c.advance(time.Second)
	p.Spend(0.1) // too soon for a line
	c.advance(1000 * time.Second)
	p.Spend(17.9)
	p.Done()
	p.Done()
	p.Spend(1)
	assert.Equal(t, "trials: 1 of 3, cell 7 after 20s, 3.0/min, about 3m0s left\n"+
		"trials: 3 of 3, cell 7 after 17m1s, 11/h\n"+
		"trials: 3 of 3, took 17m1s\n", b.String())
}

func TestRate(t *testing.T) {
	for x, want := range map[float64]string{1234: "1234/s", 99.4: "99/s", 12: "12/s", 1: "1.0/s", 0.5: "30/min", 0.02: "1.2/min", 0.001: "3.6/h", 1e-5: "0.036/h"} {
		assert.Equal(t, want, rate(x))
	}
}

func TestNilWeightedIsSilent(t *testing.T) {
	p := NewWeighted(nil, "nowhere", 1, 1, nil)
	assert.Nil(t, p)
	p.Spend(1)
	p.Done()
	var b bytes.Buffer
	p.Print(&b, "a line\n")
	assert.Equal(t, "a line\n", b.String())
}

func TestWeightedBar(t *testing.T) {
	var b bytes.Buffer
	p := newWeightedBar(&b, "trials", 400, 400, func() string { return "3 of 9 cells" }, mpb.WithAutoRefresh(), mpb.WithRefreshRate(time.Millisecond), mpb.WithWidth(100))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				p.Spend(1)
			}
		})
	}
	wg.Wait()
	p.Print(io.Discard, "a trial failed\n")
	time.Sleep(50 * time.Millisecond) // fifty refreshes
	p.Done()                          // no more writes: b can be read
	assert.Contains(t, b.String(), "trials [")
	assert.Contains(t, b.String(), "200 of 400, 3 of 9 cells, ")
	assert.Contains(t, b.String(), "a trial failed\n")
	assert.Contains(t, b.String(), " left")
	p.Spend(1)
	var after bytes.Buffer
	p.Print(&after, "later\n")
	assert.Equal(t, "later\n", after.String())
}
