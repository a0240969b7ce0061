package progress

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// Weighted reports the progress of work whose units differ in what they cost. A nil
// *Weighted is valid and silent. All methods may be called from several goroutines at
// once.
type Weighted struct {
	*Progress
	cost   float64 // of all units
	spent  float64
	detail func() string

	// shown is what the bar says: it is drawn by a goroutine of its own, which must
	// not wait for the lock of this one.
	shown atomic.Pointer[string]
}

// barSteps is what the cost of all work is on a bar.
const barSteps = 1 << 20

// NewWeighted starts a report to w about total units that cost cost together, in any
// unit. Detail, if not nil, is shown behind the counts: it is called with the units
// that are done, never twice at once. A nil w gives a nil, silent *Weighted.
func NewWeighted(w *os.File, title string, total int, cost float64, detail func() string) *Weighted {
	if w == nil {
		return nil
	}
	if width, _, err := term.GetSize(int(w.Fd())); err == nil && width > 0 {
		return newWeightedBar(w, title, total, cost, detail)
	}
	return newWeightedLines(w, title, total, cost, detail, time.Now)
}

func newWeightedLines(w io.Writer, title string, total int, cost float64, detail func() string, now func() time.Time) *Weighted {
	return &Weighted{Progress: newLines(w, title, total, now), cost: cost, detail: detail}
}

func newWeightedBar(w io.Writer, title string, total int, cost float64, detail func() string, options ...mpb.ContainerOption) *Weighted {
	p := newWeightedLines(w, title, total, cost, detail, time.Now)
	p.bars = mpb.New(append([]mpb.ContainerOption{mpb.WithOutput(w), mpb.WithWidth(barWidth)}, options...)...)
	p.show(p.now())
	p.bar = p.bars.AddBar(barSteps,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(title)),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return *p.shown.Load() })),
	)
	return p
}

// Spend reports that one more unit is done, which was said to cost cost.
func (p *Weighted) Spend(cost float64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.done++
	p.spent += cost
	now := p.now()
	if p.bar != nil {
		p.show(now)
		p.bar.SetCurrent(int64(barSteps * min(1, p.spent/p.cost)))
		return
	}
	if now.Sub(p.last) >= interval {
		p.last, p.printed = now, true
		_, _ = fmt.Fprintf(p.w, "%s: %s\n", p.title, p.text(now))
	}
}

// Print writes lines where a bar does not spoil them: above it, or to w if there is
// none.
func (p *Weighted) Print(w io.Writer, text string) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.bars != nil && !p.closed {
			_, _ = p.bars.Write([]byte(text))
			return
		}
	}
	_, _ = io.WriteString(w, text)
}

// Done ends the report.
func (p *Weighted) Done() {
	if p != nil {
		p.Progress.Done()
	}
}

func (p *Weighted) show(now time.Time) {
	text := " " + p.text(now)
	p.shown.Store(&text)
}

// text is the counts, the rate and the time left.
func (p *Weighted) text(now time.Time) string {
	s := p.counts()
	if p.detail != nil {
		s += ", " + p.detail()
	}
	elapsed := now.Sub(p.start).Seconds()
	if p.bars == nil {
		s += fmt.Sprintf(" after %s", seconds(now.Sub(p.start)))
	}
	if p.done == 0 || elapsed <= 0 {
		return s
	}
	s += ", " + rate(float64(p.done)/elapsed)
	if left := elapsed * (p.cost - p.spent) / p.spent; p.done < p.total && left >= 0 && left < 100*365*24*3600 {
		s += fmt.Sprintf(", about %s left", seconds(time.Duration(left*float64(time.Second))))
	}
	return s
}

// rate writes units a second, or a minute or hour where they are few.
func rate(perSecond float64) string {
	unit := "s"
	switch {
	case perSecond*60 < 1:
		perSecond, unit = perSecond*3600, "h"
	case perSecond < 1:
		perSecond, unit = perSecond*60, "min"
	}
	digits := max(0, 1-int(math.Floor(math.Log10(max(perSecond, 1e-3)))))
	return fmt.Sprintf("%.*f/%s", digits, perSecond, unit)
}
