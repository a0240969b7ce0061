package constraint

import (
	"lamcap/harness/pattern"
	"lamcap/internal/team"
)

const (
	// scanStrip is the most inputs of one job: of a shared pool a worker holds the scores
	// of all of them, in DP those of one.
	scanStrip = 96
	// scanScores is the most scores that a worker holds of a shared pool, 32 MiB, but for
	// those of a single input.
	scanScores = 1 << 22
)

// Scanner passes over all scores of an instance without ever holding more than
// a strip of them: those of one input of DP, or of up to 96 inputs that share
// their pool and take 32 MiB at most or are one, for each thread. It keeps its
// buffers, one set for each thread, and may not be used from several goroutines
// at once.
type Scanner struct {
	// Threads is the most goroutines of a scan; 0 means GOMAXPROCS. Small
	// instances use one in any case.
	Threads int

	in      *pattern.Instance
	spec    pattern.Spec
	strip   int // inputs of one job; it changes no result
	team    *team.Team
	buffers []scanBuffer

	weights []float64
	visit   Visitor
	scanJob func(job, worker int)
}

type scanBuffer struct {
	*algebra[float64]
	values, scores, pool []float64
}

// Visitor receives the scores of input mu, N of them in the order of its pool,
// of which that of row target is the correct one, and the pool itself, N×DOut.
// All slices are valid during the call only. Calls for different inputs may run
// at the same time.
type Visitor func(mu int, scores []float64, target int, pool []float64)

// NewScanner returns a scanner of in.
func NewScanner(in *pattern.Instance) *Scanner {
	s := &Scanner{in: in, spec: in.Spec(), team: team.New()}
	s.strip = min(scanStrip, s.spec.P)
	if s.spec.Model.SharedPool() {
		s.strip = min(s.strip, max(1, scanScores/s.spec.N))
	}
	s.scanJob = s.scan
	return s
}

// Scan computes the scores S_μρ = u_ρᵀ W e_μ of all candidates of all inputs
// for w, DOut×DIn row-major, and shows them to visit, each input once.
func (s *Scanner) Scan(w []float64, visit Visitor) {
	if len(w) != s.spec.DOut*s.spec.DIn {
		panic("constraint: Scan: want DOut·DIn weights")
	}
	work := float64(s.spec.P) * float64(s.spec.DOut) * (float64(s.spec.DIn) + float64(s.spec.N))
	jobs := (s.spec.P + s.strip - 1) / s.strip
	threads := min(team.Threads(s.Threads, work), jobs)
	for len(s.buffers) < threads {
		held := 1
		if s.spec.Model.SharedPool() {
			held = s.strip
		}
		b := scanBuffer{algebra: newAlgebra[float64](), values: make([]float64, s.strip*s.spec.DOut), scores: make([]float64, held*s.spec.N)}
		if !s.in.Stored() {
			b.pool = make([]float64, s.spec.N*s.spec.DOut)
		}
		s.buffers = append(s.buffers, b)
	}
	s.weights, s.visit = w, visit
	s.team.Run(threads, jobs, s.scanJob)
	s.weights, s.visit = nil, nil
}

func (s *Scanner) scan(job, worker int) {
	from, to := job*s.strip, min((job+1)*s.strip, s.spec.P)
	in, out, n := s.spec.DIn, s.spec.DOut, s.spec.N
	b := &s.buffers[worker]
	values := b.values[:(to-from)*out]
	b.multiplyRows(values, s.in.Keys()[from*in:to*in], s.weights, to-from, out, in)
	if s.spec.Model.SharedPool() {
		b.multiplyRows(b.scores[:(to-from)*n], values, s.in.Pool(from, nil), to-from, n, out)
	}
	for mu := from; mu < to; mu++ {
		pool, scores := s.in.Pool(mu, b.pool), b.scores[:n]
		if s.spec.Model.SharedPool() {
			scores = b.scores[(mu-from)*n : (mu-from+1)*n]
		} else {
			b.multiply(scores, values[(mu-from)*out:(mu-from+1)*out], pool, 1, n, out)
		}
		s.visit(mu, scores, s.in.Target(mu), pool)
	}
}

// Keep chooses candidates of input mu: it calls add with the rows of those that
// the set shall list, in this order. scores and target are those of [Visitor];
// calls for different inputs may run at the same time.
type Keep func(mu int, scores []float64, target int, add func(candidate int))

// Select scans all scores of w and returns the set of the pairs that keep adds.
// It reads every pool once.
func (s *Scanner) Select(w []float64, keep Keep) *Set {
	out, dp := s.spec.DOut, s.spec.Model == pattern.DP
	chosen := make([][]int32, s.spec.P)
	rows := make([][]float64, s.spec.P) // of DP, the target first
	s.Scan(w, func(mu int, scores []float64, target int, pool []float64) {
		list := chosen[mu]
		keep(mu, scores, target, func(candidate int) { list = append(list, int32(candidate)) })
		chosen[mu] = list
		if !dp || len(list) == 0 {
			return
		}
		values := make([]float64, 0, (len(list)+1)*out)
		values = append(values, pool[target*out:(target+1)*out]...)
		for _, c := range list {
			if c < 0 || int(c) >= s.spec.N {
				return // newSet panics with an explanation
			}
			values = append(values, pool[int(c)*out:(int(c)+1)*out]...)
		}
		rows[mu] = values
	})
	start := make([]int, s.spec.P+1)
	for mu, list := range chosen {
		start[mu+1] = start[mu] + len(list)
	}
	candidate := make([]int32, 0, start[s.spec.P])
	for _, list := range chosen {
		candidate = append(candidate, list...)
	}
	set := newSet(s.in, start, candidate)
	if dp {
		set.rows = make([]float64, (len(candidate)+s.spec.P)*out)
		for mu, values := range rows {
			copy(set.rows[(start[mu]+mu)*out:], values)
		}
	}
	set.Threads = s.Threads
	measure(set)
	return set
}

// Select is [Scanner.Select] with a scanner of its own.
func Select(in *pattern.Instance, w []float64, keep Keep) *Set {
	return NewScanner(in).Select(w, keep)
}
