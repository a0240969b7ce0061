package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// interval is the shortest time between two lines where there is no terminal.
const interval = 10 * time.Second

// barWidth leaves room for a title and the counts on a line of 80.
const barWidth = 40

// Reporter is what a computation needs to report its progress.
type Reporter interface {
	// Add reports that n more units of work are done.
	Add(n int)
	// Done reports that no more work follows, finished or not.
	Done()
}

var _ Reporter = (*Progress)(nil)

// Progress reports the progress of one computation. A nil *Progress is valid
// and silent. All methods may be called from several goroutines at once.
type Progress struct {
	title string
	total int // units of work, 0 when unknown
	w     io.Writer
	now   func() time.Time

	// On a terminal; nil elsewhere.
	bars *mpb.Progress
	bar  *mpb.Bar

	mu      sync.Mutex
	done    int
	start   time.Time
	last    time.Time // of the latest line, or the start
	printed bool
	closed  bool
}

// New starts a report to w about total units of work; a total of zero or less
// means that it is unknown. Call Done at the end. A nil w gives a nil, silent
// *Progress.
func New(w *os.File, title string, total int) *Progress {
	if w == nil {
		return nil
	}
	// A terminal without a size, as some runners attach, has no room for a bar.
	if width, _, err := term.GetSize(int(w.Fd())); err == nil && width > 0 {
		return newBar(w, title, total)
	}
	return newLines(w, title, total, time.Now)
}

// newLines reports by plain lines; now is the clock.
func newLines(w io.Writer, title string, total int, now func() time.Time) *Progress {
	start := now()
	return &Progress{title: title, total: max(total, 0), w: w, now: now, start: start, last: start}
}

// newBar reports by a bar on a terminal.
func newBar(w io.Writer, title string, total int, options ...mpb.ContainerOption) *Progress {
	p := newLines(w, title, total, time.Now)
	p.bars = mpb.New(append([]mpb.ContainerOption{mpb.WithOutput(w), mpb.WithWidth(barWidth)}, options...)...)
	counts, left := decor.CurrentNoUnit("%d"), decor.Elapsed(decor.ET_STYLE_GO)
	if total > 0 {
		counts, left = decor.CountersNoUnit("%d of %d"), decor.AverageETA(decor.ET_STYLE_GO)
	}
	p.bar = p.bars.AddBar(int64(p.total),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(title)),
		mpb.AppendDecorators(counts, decor.Name(" "), left),
	)
	return p
}

// Add reports that n more units of work are done.
func (p *Progress) Add(n int) {
	if p == nil || n <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.done += n
	if p.bar != nil {
		p.bar.IncrBy(n)
		return
	}
	if now := p.now(); now.Sub(p.last) >= interval {
		p.last, p.printed = now, true
		// A report that cannot be written must not stop the computation.
		_, _ = io.WriteString(p.w, p.line(now))
	}
}

// Done ends the report: the bar disappears; where lines were printed, a last
// one tells the time taken. Calling it again does nothing.
func (p *Progress) Done() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
		return
	}
	if p.printed {
		_, _ = fmt.Fprintf(p.w, "%s: %s, took %s\n", p.title, p.counts(), seconds(p.now().Sub(p.start)))
	}
}

func (p *Progress) counts() string {
	if p.total == 0 {
		return fmt.Sprintf("%d done", p.done)
	}
	return fmt.Sprintf("%d of %d", p.done, p.total)
}

func (p *Progress) line(now time.Time) string {
	elapsed := now.Sub(p.start)
	s := fmt.Sprintf("%s: %s after %s", p.title, p.counts(), seconds(elapsed))
	if p.total > p.done {
		left := elapsed.Seconds() * float64(p.total-p.done) / float64(p.done)
		s += fmt.Sprintf(", about %s left", seconds(time.Duration(left*float64(time.Second))))
	}
	return s + "\n"
}

func seconds(d time.Duration) time.Duration { return d.Round(time.Second) }
