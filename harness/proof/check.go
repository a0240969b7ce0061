package proof

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/roundoff"
)

// Report is what a check found.
type Report struct {
	// Valid is whether the instance is the one certified and its outcome, with
	// the numbers claimed (Margin or Bound to 1e-9 relative: other processors
	// round differently), is proved.
	Valid   bool
	Outcome Outcome
	// Computed says that the instance is the one certified, so that the numbers below
	// were computed.
	Computed bool
	// Recalled counts the inputs that the weights recall for certain, and
	// Margin is a lower bound on their normalised margin (+Inf if no input has
	// a competitor); both are for outcome stored, as far as the check came.
	Recalled int
	Margin   float64
	// Bound is an upper bound on the normalised margin of all weights, and
	// Exact says that none stores the instance, whatever its margin; for
	// outcome not_storable.
	Bound float64
	Exact bool
	// Reason says what is wrong if the certificate is not valid.
	Reason string
}

// claimSlack is the relative amount by which a claim may differ from what the
// check computes: other processors round differently.
const claimSlack = 1e-9

// Check draws the instance of a certificate again, compares its fingerprint
// and verifies what is claimed in twice the working precision. The solvers and
// kernels that found the proof have no part in it; [Assess] judges multipliers,
// as it does in [Refute]. The error bounds hold for sums in any order. It
// takes some 1 ns for a number of a competitor and goroutine. Memory is a small
// multiple of p(d_in + d_out) + d_in d_out numbers, whatever n: pools of DP are
// generated in strips. It returns an error if the certificate is malformed, or
// its check would take too much (see [Certificate.Validate]), or if it is of
// given facts, which are no draw: that is for [CheckFor].
func Check(c *Certificate) (Report, error) {
	if err := c.Validate(); err != nil {
		return Report{}, fmt.Errorf("certificate: %w", err)
	}
	if c.Spec.Model == pattern.Facts {
		return Report{}, fmt.Errorf("certificate: it is of given facts, p = %d among n = %d values, which it does not hold: want their keys and values to check it", c.Spec.P, c.Spec.N)
	}
	in, err := c.Address.Draw(c.Spec)
	if err != nil {
		return Report{}, fmt.Errorf("certificate: %w", err)
	}
	return CheckFor(c, in)
}

// shownDigits are those of a fingerprint that tell two apart for a reader.
const shownDigits = 16

// CheckFor is [Check] for the instance that the certificate is claimed to be of.
// It is another one if the fingerprints differ.
func CheckFor(c *Certificate, in *pattern.Instance) (Report, error) {
	if err := c.Validate(); err != nil {
		return Report{}, fmt.Errorf("certificate: %w", err)
	}
	r := Report{Outcome: c.Outcome, Margin: math.Inf(-1), Bound: math.Inf(1)}
	if f := Fingerprint(in); f != c.Fingerprint {
		source := "the instance drawn has %s; another instance, or another generator"
		if c.Spec.Model == pattern.Facts {
			source = "the facts given have %s; other vectors, pairs, candidates or preprocessing"
		}
		r.Reason = fmt.Sprintf("fingerprint = %s: "+source, c.Fingerprint[:shownDigits], f[:shownDigits])
		return r, nil
	}
	if in.Spec() != c.Spec { // which the fingerprint tells of, but for embeddings
		r.Reason = fmt.Sprintf("%+v: the instance is of %+v", c.Spec, in.Spec())
		return r, nil
	}
	r.Computed = true
	if c.Outcome == Stored {
		r.Recalled, r.Margin = checkWitness(in, c.Weights)
		switch {
		case r.Recalled < c.Spec.P:
			r.Reason = fmt.Sprintf("the weights recall %d of %d inputs for certain", r.Recalled, c.Spec.P)
		case !(r.Margin >= c.Margin*(1-claimSlack)):
			r.Reason = fmt.Sprintf("margin = %g is claimed: the weights have %g", c.Margin, r.Margin)
		default:
			r.Valid = true
		}
		return r, nil
	}
	if err := c.Multipliers.ValidateFor(in); err != nil {
		return Report{}, fmt.Errorf("certificate: %w", err)
	}
	a := Assess(in, c.Multipliers)
	r.Bound, r.Exact = a.Bound, a.Exact
	switch {
	case !(r.Bound <= c.Bound*(1+claimSlack)):
		r.Reason = fmt.Sprintf("bound = %g is claimed: the multipliers give %g", c.Bound, r.Bound)
	case c.Exact && !r.Exact:
		r.Reason = "exact is claimed: the multipliers do not show it"
	case !a.Refutes(in):
		r.Reason = fmt.Sprintf("bound = %g, and %g relative to the sizes of the pairs: want at most %g and %g, or an exact proof, to call the instance not storable",
			r.Bound, a.Relative, AcceptedBound*constraint.MarginScale(in), AcceptedBound)
	default:
		r.Valid = true
	}
	return r, nil
}

// checkWitness counts the inputs recalled by w for certain and bounds its
// normalised margin from below.
//
// The query v = W e is computed in twice the working precision and rounded,
// v̂ with ‖v̂ − v‖ ≤ u‖v̂‖ + γ²_{4k+16} ‖W‖_F‖e‖, k = d_in (for factors k = d_in + m,
// ‖Q‖_F‖R‖_F, and one more rounding, of Rᵀe). A difference (u_μ − u_ρ)·v̂ in plain
// arithmetic is off by at most γ_{d_out+4} (‖u_μ‖ + ‖u_ρ‖)‖v̂‖ ([Higham02], (3.5)); if
// that leaves its sign open, or it is the least so far, it is computed in
// twice the working precision too.
func checkWitness(in *pattern.Instance, w *learn.Weights) (recalled int, margin float64) {
	s := in.Spec()
	if s.N == 1 {
		return s.P, math.Inf(1)
	}
	scaled, _, ok := normalise(w)
	if !ok {
		return 0, math.NaN()
	}
	q := newQueries(scaled)
	least := make([]float64, s.P)
	// A shared pool is read once for a block of inputs.
	block := 1
	if s.Model.SharedPool() {
		block = 16
	}
	strip := min(s.N, max(1, stripNumbers/s.DOut))
	parallel((s.P+block-1)/block, float64(s.P)*float64(s.N)*float64(s.DOut), func() func(int) {
		var buffer, correct []float64
		if !in.Stored() {
			buffer, correct = make([]float64, strip*s.DOut), make([]float64, s.DOut)
		}
		hidden, recalls := make([]float64, w.Rank), make([]recall, block)
		for i := range recalls {
			recalls[i].v = make([]float64, s.DOut)
		}
		return func(job int) {
			from := job * block
			now := recalls[:min(block, s.P-from)]
			for i := range now {
				now[i].begin(q, hidden, in.Key(from+i), in.TargetValue(from+i, correct), in.Target(from+i))
			}
			for first := 0; first < s.N; first += strip {
				rows := in.PoolRows(from, first, min(strip, s.N-first), buffer)
				for c := first; len(rows) > 0; c, rows = c+1, rows[s.DOut:] {
					u := rows[:s.DOut]
					length := floats.Norm(u, 2)
					for i := range now {
						now[i].compare(c, u, length)
					}
				}
			}
			for i := range now {
				least[from+i] = now[i].least
			}
		}
	})
	margin = math.Inf(1)
	for _, x := range least {
		if x > 0 {
			recalled++
		}
		margin = lesser(margin, x)
	}
	return recalled, lowerQuotient(margin, q.norm, q.high)
}

// stripNumbers is the count of numbers of a pool of DP generated at once, but
// for those of a single value: 256 KiB.
const stripNumbers = 1 << 15

// recall bounds min_ρ (u_μ − u_ρ)·W e of an input from below.
type recall struct {
	target               int
	correct, v           []float64 // u_μ, and W e up to off
	off                  float64
	score                float64 // u_μ·v, rounded
	correctNorm, queried float64 // ‖u_μ‖, ‖v‖
	least                float64
}

func (r *recall) begin(q *queries, hidden, key, correct []float64, target int) {
	r.off = q.compute(r.v, hidden, key)
	r.target, r.correct = target, correct
	r.score = floats.Dot(r.correct, r.v)
	r.correctNorm, r.queried = floats.Norm(r.correct, 2), floats.Norm(r.v, 2)
	r.least = math.Inf(1)
}

// compare looks at candidate c with value u.
func (r *recall) compare(c int, u []float64, length float64) {
	if c == r.target {
		return
	}
	d := len(u)
	size := (r.correctNorm + length) * inflate // at least ‖u_μ − u_ρ‖
	slack := r.off * size
	difference, bound := r.score-floats.Dot(u, r.v), roundoff.Gamma(d+4)*size*r.queried*inflate+slack
	switch {
	case difference-bound > max(r.least, 0):
		return // neither in doubt nor the least
	case difference+bound < 0: // not recalled for certain
		r.least = lesser(r.least, difference-bound)
		return
	}
	high, low := 0.0, 0.0
	for i, x := range r.v {
		p, e := twoProduct(r.correct[i], x)
		var t float64
		high, t = twoSum(high, p)
		low += e + t
		p, e = twoProduct(-u[i], x)
		high, t = twoSum(high, p)
		low += e + t
	}
	exact, twice := high+low, roundoff.Gamma(8*d+16)
	exact -= (2*unit*math.Abs(exact) + twice*twice*size*r.queried + tiny*float64(16*d)) * inflate
	r.least = lesser(r.least, exact-slack*(1+4*unit)-tiny)
}

// queries computes W e.
type queries struct {
	w *learn.Weights
	// norm is ‖W‖_F, at most high; product is ‖W‖_F or ‖Q‖_F‖R‖_F.
	norm, high, product float64
}

func newQueries(w *learn.Weights) *queries {
	q := &queries{w: w}
	matrix := w.Matrix(make([]float64, w.DOut*w.DIn))
	q.norm, q.high = floats.Norm(matrix, 2), normUpper(matrix)
	q.product = q.high
	if w.Rank > 0 {
		a, b := w.Factors()
		q.product = normUpper(a) * normUpper(b) * inflate
		q.high += roundoff.Gamma(w.Rank+4) * q.product
	}
	return q
}

// compute writes W e, rounded, to v and bounds its error.
func (q *queries) compute(v, hidden, key []float64) (off float64) {
	norm := normUpper(key)
	w := q.w
	if w.Rank == 0 {
		product2(v, w.Parameters, key, false)
		g := roundoff.Gamma(4*w.DIn + 16)
		return (2*unit*normUpper(v) + g*g*q.product*norm + tiny*float64(8*w.DIn*w.DOut)) * inflate
	}
	a, b := w.Factors()
	product2(hidden, b, key, true)
	product2(v, a, hidden, false)
	g := roundoff.Gamma(4*(w.DIn+w.Rank) + 16)
	rounded := 2 * unit * normUpper(hidden) * normUpper(a)
	return (2*unit*normUpper(v) + rounded + g*g*q.product*norm + tiny*float64(8*w.DIn*(w.DOut+w.Rank)*(w.Rank+1))) * inflate
}

// product2 writes A x, or Aᵀ x, to y in twice the working precision, rounded
// at the end.
func product2(y, a, x []float64, transposed bool) {
	rowStep, step := len(x), 1
	if transposed {
		rowStep, step = 1, len(y)
	}
	for i := range y {
		high, low := 0.0, 0.0
		for j, v := range x {
			p, e := twoProduct(a[i*rowStep+j*step], v)
			var t float64
			high, t = twoSum(high, p)
			low += e + t
		}
		y[i] = high + low
	}
}
