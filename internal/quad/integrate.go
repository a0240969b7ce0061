package quad

import (
	"cmp"
	"math"
	"slices"

	"lamcap/internal/status"
	"lamcap/internal/sum"
)

// Integrate returns ∫_a^b f(x) dx, where a and b may be infinite and b < a gives
// the negative. The endpoints and the breaks are never evaluated, so
// integrable singularities are allowed there; one at 0 is resolved to full
// accuracy, one elsewhere only as far as x can be told from the endpoint (the
// Error says so).
//
// Like any rule that samples, it cannot see a peak that falls between all its
// samples. If the first pass meets only zeros or a single narrow peak, the
// range is searched on a fine grid (distances 9% apart from 1e-10 to 1e10, from its ends,
// from 0 and from the breaks, and 200 points evenly over a finite range) and cut where the
// largest value was found. Where that meets zeros alone, on an infinite range or without
// an absolute tolerance, the status is Unknown. A second peak far from the first, narrower than that, is found only if Peaks, or
// Breaks, name it.
func Integrate(f func(float64) float64, a, b float64, o Options) Result {
	o = o.normalised()
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return diverged(0)
	case a == b:
		return Result{Status: status.Converged}
	case b < a:
		r := Integrate(f, b, a, o)
		r.Value = -r.Value
		return r
	}
	q := adaptive{f: f, options: o}
	pieces := cut(a, b, o.Breaks)
	given := peaksWithin(a, b, o.Peaks)
	if len(given) > 0 {
		pieces = cutAtPeaks(a, b, given, o.Breaks)
	}
	if !q.start(pieces) {
		return diverged(q.evaluations)
	}
	if q.suspicious() && (len(given) == 0 || q.blind()) {
		peak, width, found, ok := q.probe(a, b)
		if !ok {
			return diverged(q.evaluations)
		}
		if found && !q.start(cutAtPeaks(a, b, []Peak{{peak, width}}, o.Breaks)) {
			return diverged(q.evaluations)
		}
		// The caller of a finite range who asks for an absolute tolerance may mean nothing.
		if !found && (math.IsInf(b-a, 1) || o.Abs == 0) {
			return Result{Error: math.Inf(1), Evaluations: q.evaluations}
		}
	}
	return q.refine()
}

// cut splits [a, b] at the breaks and replaces infinite ends by half lines.
func cut(a, b float64, breaks []float64) []*piece {
	points := make([]float64, 0, len(breaks)+2)
	for _, x := range breaks {
		if x > a && x < b && !math.IsInf(x, 0) {
			points = append(points, x)
		}
	}
	if math.IsInf(a, -1) && math.IsInf(b, 1) && len(points) == 0 {
		points = append(points, 0)
	}
	return join(a, b, points, 1, 1)
}

// peaksWithin returns the peaks from left to right, those outside of the range at the end
// next to them, where the integrand is largest then; of several at one place the narrowest.
func peaksWithin(a, b float64, peaks []Peak) []Peak {
	inside := slices.Clone(peaks)
	for i := range inside {
		inside[i].At = min(max(inside[i].At, a), b)
	}
	slices.SortFunc(inside, func(p, q Peak) int {
		return cmp.Or(cmp.Compare(p.At, q.At), cmp.Compare(p.Width, q.Width))
	})
	return slices.CompactFunc(inside, func(p, q Peak) bool { return p.At == q.At })
}

// cutAtPeaks splits [a, b] at the breaks, at the peaks, and at 8, 64, 512 …
// of their widths to both sides, up to the next peak: a segment much longer than the
// tail it holds would miss the tail. Half lines start with the first step as their
// scale, and need no others.
func cutAtPeaks(a, b float64, peaks []Peak, breaks []float64) []*piece {
	var points []float64
	add := func(x, lo, hi float64) bool {
		inside := x > lo && x < hi && !math.IsInf(x, 0)
		if inside {
			points = append(points, x)
		}
		return inside
	}
	for _, x := range breaks {
		add(x, a, b)
	}
	const ratio, rungs = 8, 700 // 8^700 > 1e308/1e-324: a limit or rounding ends it
	for i, p := range peaks {
		lo, hi := a, b
		if i > 0 {
			lo = peaks[i-1].At
		}
		if i+1 < len(peaks) {
			hi = peaks[i+1].At
		}
		add(p.At, a, b)
		up, down := true, true
		step := ratio * p.Width
		for range rungs {
			up = up && add(p.At+step, lo, hi) && !math.IsInf(hi, 1)
			down = down && add(p.At-step, lo, hi) && !math.IsInf(lo, -1)
			if !up && !down {
				break
			}
			step *= ratio
		}
	}
	return join(a, b, points, ratio*peaks[0].Width, ratio*peaks[len(peaks)-1].Width)
}

// join makes pieces from the interior points, sorted here, and half lines with a scale
// to the left and to the right.
func join(a, b float64, points []float64, left, right float64) []*piece {
	slices.Sort(points)
	points = slices.Compact(points)
	if !math.IsInf(a, -1) {
		points = slices.Insert(points, 0, a)
	}
	if !math.IsInf(b, 1) {
		points = append(points, b)
	}
	pieces := make([]*piece, 0, len(points)+1)
	if math.IsInf(a, -1) {
		pieces = append(pieces, halfLine(points[0], -left))
	}
	for i := 1; i < len(points); i++ {
		pieces = append(pieces, finitePiece(points[i-1], points[i]))
	}
	if math.IsInf(b, 1) {
		pieces = append(pieces, halfLine(points[len(points)-1], right))
	}
	return pieces
}

// adaptive is the state of one integration.
type adaptive struct {
	f           func(float64) float64
	options     Options
	evaluations int
	heap        []segment // largest error first
	finished    []segment // segments not to be bisected any more
}

func (q *adaptive) start(pieces []*piece) bool {
	q.heap = q.heap[:0]
	for _, p := range pieces {
		s := segment{lo: p.lo, hi: p.hi, piece: p}
		q.evaluations += pointsPerSegment
		if !s.measure(q.f) {
			return false
		}
		q.push(s)
	}
	return true
}

// blind reports that the first pass saw nothing at all.
func (q *adaptive) blind() bool {
	for i := range q.heap {
		if q.heap[i].peak > 0 {
			return false
		}
	}
	return true
}

// suspicious reports that the first pass saw next to nothing: two nodes at most
// count against the largest |f| seen. A peak in a gap between nodes often
// shows as a tail that falls steeply away from the gap.
func (q *adaptive) suspicious() bool {
	peak := 0.0
	for i := range q.heap {
		peak = math.Max(peak, q.heap[i].peak)
	}
	alive := 0
	for i := range q.heap {
		if s := &q.heap[i]; s.peak > negligible*peak {
			alive = max(alive, s.alive)
		}
	}
	return alive <= 2
}

// totals are the sums over all segments.
type totals struct{ value, err, abs, rounding sum.Neumaier }

func (t *totals) add(s *segment, sign float64) {
	t.value.Add(sign * s.value)
	t.err.Add(sign * s.err)
	t.abs.Add(sign * s.abs)
	t.rounding.Add(sign * s.rounding)
}

// recompute sums the segments again: running sums carry the rounding of
// every subtraction made on the way, which is all there is left once a
// large segment was replaced by small ones.
func (q *adaptive) recompute() totals {
	var t totals
	for i := range q.heap {
		t.add(&q.heap[i], 1)
	}
	for i := range q.finished {
		t.add(&q.finished[i], 1)
	}
	return t
}

// refine bisects until the tolerance, round-off or the budget is met.
func (q *adaptive) refine() Result {
	running := q.recompute()
	fresh := true        // running was just recomputed
	finishedError := 0.0 // part of the error that no bisection will reduce
	for {
		if ending := q.ending(&running, finishedError); ending != status.Unknown {
			if fresh {
				return q.result(&running, ending)
			}
			running, fresh = q.recompute(), true
			continue
		}
		parent := q.pop()
		middle := parent.middle()
		if narrow(parent.lo, middle) || narrow(middle, parent.hi) {
			q.finished = append(q.finished, parent)
			finishedError += parent.err
			continue
		}
		left, right := parent.half(parent.lo, middle), parent.half(middle, parent.hi)
		q.evaluations += 2 * pointsPerSegment
		if !left.measure(q.f) || !right.measure(q.f) {
			return diverged(q.evaluations)
		}
		judge(&parent, &left, &right)
		running.add(&left, 1)
		running.add(&right, 1)
		running.add(&parent, -1)
		fresh = false
		for _, s := range [2]segment{left, right} {
			if s.stuck >= maxStuck {
				q.finished = append(q.finished, s)
				finishedError += s.err
			} else {
				q.push(s)
			}
		}
	}
}

// ending says why refinement ends here, Unknown if it does not.
func (q *adaptive) ending(t *totals, finishedError float64) status.Status {
	e := math.Max(t.err.Sum(), 0)
	roundoff := t.rounding.Sum()
	switch {
	case e+roundoff <= q.options.tolerance(t.value.Sum()):
		return status.Converged
	case e <= roundoff || len(q.heap) == 0 || e-finishedError <= 0.1*finishedError:
		return status.Roundoff
	case q.evaluations+2*pointsPerSegment > q.options.MaxEvaluations:
		return status.MaxIterations
	}
	return status.Unknown
}

// judge compares two halves with the segment they came from.
func judge(parent, left, right *segment) {
	if max(left.peak, right.peak) < 0.01*parent.peak {
		// The parent met a peak that the halves' nodes miss: chase it.
		half := left
		if parent.peakAt >= parent.middle() {
			half = right
		}
		half.peak, half.peakAt = parent.peak, half.fromParent(parent.peakAt, parent)
		half.err, half.difference = parent.err, parent.difference
		return
	}
	difference := left.difference + right.difference
	if parent.difference > resolved*parent.abs || difference > resolved*parent.abs || difference <= 0.3*parent.difference {
		return
	}
	// A resolved smooth function gains many digits by a bisection; one that
	// gains none is noise.
	noise := max(parent.noise, relative(parent), relative(left), relative(right))
	for _, s := range [2]*segment{left, right} {
		s.stuck, s.noise = parent.stuck+1, noise
	}
}

// relative is the difference of the rules against ∫|f|.
func relative(s *segment) float64 {
	if s.abs == 0 {
		return 0
	}
	return s.difference / s.abs
}

const (
	// roundoffPerAbs times ∫|f| bounds the rounding of values, weights and
	// 21-term sums.
	roundoffPerAbs = 4 * epsilon
	// resolved is the relative error of a segment below which f is a
	// polynomial there for the rule's purposes.
	resolved = 1e-7
	// maxStuck bisections without gain end the refinement of a segment.
	maxStuck = 3
)

// result reports the totals.
func (q *adaptive) result(t *totals, s status.Status) Result {
	// Noise in f moves both rules alike by chance. The largest difference
	// along the way to a stuck segment, one of seven or more, is about two of
	// its standard deviations; twice that, relative to |f|, is assumed everywhere.
	noise := 0.0
	for i := range q.finished {
		if s := &q.finished[i]; s.stuck >= maxStuck {
			noise = math.Max(noise, 2*s.noise)
		}
	}
	return Result{
		Value:       t.value.Sum(),
		Error:       math.Max(t.err.Sum(), noise*t.abs.Sum()) + t.rounding.Sum(),
		Evaluations: q.evaluations,
		Status:      s,
	}
}

func (q *adaptive) push(s segment) {
	q.heap = append(q.heap, s)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent].err >= h[i].err {
			break
		}
		h[parent], h[i] = h[i], h[parent]
		i = parent
	}
}

func (q *adaptive) pop() segment {
	h := q.heap
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	q.heap = h
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].err > h[child].err {
			child++
		}
		if h[i].err >= h[child].err {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	return top
}
