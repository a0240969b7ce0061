package facts

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
)

// Answer is a value that a memory gives for a key.
type Answer struct {
	Value int // row
	Score float64
	// Tie says that another value has the same score, up to round-off.
	Tie bool
}

// scorer passes over the scores of an instance, knowing their round-off.
type scorer struct {
	in       *pattern.Instance
	rounding proof.Rounding
	exponent int // scores of vectors and weights are those computed times 2^exponent
	longest  float64
	threads  int
}

// newScorer prepares weights, dOut×dIn row-major, for an instance whose scores are
// those of the vectors times 2^−exponent. Weights that are 0 give scores of 0.
func newScorer(in *pattern.Instance, w []float64, exponent, threads int) *scorer {
	s := in.Spec()
	x := &scorer{in: in, threads: threads}
	var ok bool
	if x.rounding, ok = proof.NewRounding(&learn.Weights{DOut: s.DOut, DIn: s.DIn, Parameters: w}); !ok {
		x.rounding = proof.Rounding{Matrix: make([]float64, len(w))}
	}
	x.exponent = exponent + x.rounding.Exponent
	for pool := in.Pool(0, nil); len(pool) > 0; pool = pool[s.DOut:] {
		u := pool[:s.DOut]
		x.longest = max(x.longest, floats.Dot(u, u))
	}
	x.longest = math.Sqrt(x.longest)
	return x
}

// scan shows the scores of every input, and what two of them may differ by for
// their order to be open; in parallel for different inputs.
func (x *scorer) scan(visit func(mu int, scores []float64, bound float64)) {
	scanner := constraint.NewScanner(x.in)
	scanner.Threads = x.threads
	scanner.Scan(x.rounding.Matrix, func(mu int, scores []float64, _ int, _ []float64) {
		visit(mu, scores, x.rounding.Difference(x.longest, floats.Norm(x.in.Key(mu), 2)))
	})
}

// score is one in the units of the vectors and weights.
func (x *scorer) score(computed float64) float64 { return math.Ldexp(computed, x.exponent) }

// best returns the k candidates with the largest scores, the largest first, and of
// equal ones the first; with their places for rows.
func (x *scorer) best(scores []float64, k int, bound float64) []Answer {
	k = min(k, len(scores))
	// One more, to tell ties of the last. Sorted all along: k is small.
	top := make([]int, 0, k+2)
	for c, s := range scores {
		if len(top) == k+1 && !(s > scores[top[k]]) {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, s, func(c int, s float64) int {
			if scores[c] >= s {
				return -1
			}
			return 1
		})
		if top = slices.Insert(top, at, c); len(top) > k+1 {
			top = top[:k+1]
		}
	}
	answers := make([]Answer, k)
	tied := func(i, j int) bool {
		return i >= 0 && j < len(top) && scores[top[i]]-scores[top[j]] <= bound
	}
	for i := range answers {
		answers[i] = Answer{Value: top[i], Score: x.score(scores[top[i]]), Tie: tied(i-1, i) || tied(i, i+1)}
	}
	return answers
}

// place is where the target stands among scores: its rank, counting as better all
// that are not worse for certain, and whether some are neither.
func place(scores []float64, target int, bound float64) (rank int, tie bool) {
	rank = 1
	for c, s := range scores {
		if c == target {
			continue
		}
		if lead := scores[target] - s; !(lead > bound) {
			rank++
			tie = tie || !(lead < -bound)
		}
	}
	return rank, tie
}

// Miss is a fact that is not recalled.
type Miss struct {
	Fact  int  // its position in the list of pairs
	Pair  Pair // its rows
	Rank  int  // of its value, from 2 on; equal ones are counted as better
	Score float64
	// Answer is the value with the largest score, another one if it is tied.
	Answer Answer
}

func compareMisses(a, b Miss) int { return cmp.Compare(a.Fact, b.Fact) }

// answerFor is the best candidate but the target.
func (x *scorer) answerFor(scores []float64, target int, bound float64) Answer {
	for _, a := range x.best(scores, 2, bound) {
		if a.Value != target {
			return a
		}
	}
	panic("facts: a fact with one candidate is missed")
}
