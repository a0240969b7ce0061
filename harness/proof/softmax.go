package proof

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
	"lamcap/harness/pattern"
)

// selection says which pairs a refutation works with.
type selection struct {
	// threshold is the least softmax weight, relative to that of the best
	// competitor of the input.
	threshold float64
	// most is, roughly, the most competitors taken of an input for that.
	most int
	// Of inputs spread evenly, as many as inputs, the given number of best
	// competitors is taken in any case, each with at least its part of share,
	// relative to Σ λ.
	inputs, competitors int
	share               float64
}

// spread makes exactness provable (see [Assess]): a share of Σ λ goes to more
// than d_out competitors of more than d_in inputs.
func (s *selection) spread(spec pattern.Spec) {
	if spec.N <= spec.DOut || spec.P < spec.DIn {
		return
	}
	s.inputs = min(spec.P, spec.DIn+spec.DIn/4+4)
	s.competitors = min(spec.N-1, spec.DOut+spec.DOut/4+4)
	s.share = floorShare
}

// covers reports whether input μ is one of the evenly spread ones.
func (s selection) covers(mu, p int) bool {
	return (mu+1)*s.inputs/p > mu*s.inputs/p
}

// raise gives the pairs of the spread inputs their part of the share, at least.
func (s selection) raise(set *constraint.Set, lambda []float64) {
	p, start := set.Instance().Spec().P, set.Start()
	floor := s.share * floats.Sum(lambda) / float64(max(1, s.inputs*s.competitors))
	for mu := range p {
		if s.covers(mu, p) {
			for i := start[mu]; i < start[mu+1]; i++ {
				lambda[i] = max(lambda[i], floor)
			}
		}
	}
}

// softmax passes over all scores of w, DOut×DIn, and selects pairs with their
// softmax weights, relative to the largest of all. The set is nil if a score is
// not finite; if it meets a pair with X = 0, it returns that pair alone.
func softmax(in *pattern.Instance, w []float64, choice selection) (set *constraint.Set, lambda []float64, tie *Multipliers) {
	s := in.Spec()
	logs, ties := make([][]float64, s.P), make([][]int32, s.P)
	width := -math.Log(choice.threshold)
	set = constraint.Select(in, w, func(mu int, scores []float64, target int, add func(candidate int)) {
		best := greatest(scores, target)
		correct := scores[target]
		largest := max(best, correct)
		sum, size := 0.0, 0.0
		for _, x := range scores {
			size = max(size, math.Abs(x))
			if x -= largest; x > -40 { // all others together are below round-off
				sum += math.Exp(x)
			}
		}
		total := largest + math.Log(sum)
		if !finite(total) {
			logs[mu] = append(logs[mu], math.NaN())
			return
		}
		cut := top(scores, target, best, width, choice.most)
		if choice.covers(mu, s.P) {
			cut = min(cut, quantile(scores, target, choice.competitors))
		}
		for c, x := range scores {
			if c == target {
				continue
			}
			// A candidate equal to the target has its score, up to round-off.
			if math.Abs(x-correct) <= 1e-12*size {
				ties[mu] = append(ties[mu], int32(c))
			}
			if x >= cut {
				add(c)
				logs[mu] = append(logs[mu], x-total)
			}
		}
	})
	if tie = findTie(in, ties); tie != nil {
		return set, nil, tie
	}
	lambda = make([]float64, 0, set.Len())
	for _, l := range logs {
		lambda = append(lambda, l...)
	}
	most := greatestOf(lambda, math.Inf(-1))
	if !finite(most) {
		return nil, nil, nil
	}
	for i, x := range lambda {
		if lambda[i] = math.Exp(x - most); lambda[i] < least {
			lambda[i] = 0
		}
	}
	choice.raise(set, lambda)
	return set, lambda, nil
}

// least is the smallest multiplier, relative to the largest, that is kept.
const least = 1e-30

// top returns a score at most width below the best such that about k of the
// scores but the target's reach it, if more than k are within width.
func top(scores []float64, target int, best, width float64, k int) float64 {
	const bins = 128
	var counts [bins]int
	scale := bins / width
	for c, x := range scores {
		if x = (best - x) * scale; x < bins && c != target {
			counts[max(int(x), 0)]++
		}
	}
	total := 0
	for i, n := range counts {
		if total += n; total >= k {
			return best - float64(i+1)/scale
		}
	}
	return best - width
}

// quantile returns the k-th largest of the scores but the target's.
func quantile(scores []float64, target, k int) float64 {
	others := append(append(make([]float64, 0, len(scores)), scores[:target]...), scores[target+1:]...)
	slices.Sort(others)
	return others[len(others)-k]
}

// findTie returns multipliers with X = 0 exactly: of a key that is 0, or of a
// candidate, among those listed for each input, that equals the target.
func findTie(in *pattern.Instance, ties [][]int32) *Multipliers {
	s := in.Spec()
	if s.N == 1 {
		return nil
	}
	values := newReader(in)
	for mu := range s.P {
		if isZero(in.Key(mu)) {
			return single(s.P, mu, otherThan(in.Target(mu)))
		}
		if len(ties[mu]) == 0 {
			continue
		}
		target := values.correct(mu)
		for _, c := range ties[mu] {
			if equal(target, values.value(mu, c)) {
				return single(s.P, mu, c)
			}
		}
	}
	return nil
}

// otherThan returns a row that is not the target's, of two or more.
func otherThan(target int) int32 {
	if target == 0 {
		return 1
	}
	return 0
}

// single returns λ = 1 on one pair alone.
func single(p, mu int, candidate int32) *Multipliers {
	m := &Multipliers{Start: make([]int, p+1), Candidate: []int32{candidate}, Value: []float64{1}}
	for i := mu + 1; i <= p; i++ {
		m.Start[i] = 1
	}
	return m
}

func isZero(x []float64) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}

func equal(a, b []float64) bool {
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}
