package maxmargin

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
	"lamcap/internal/roundoff"
)

// perInput is the most pairs of an input that one scan adds: at the solution
// some 5 to 10 are active.
const perInput = 10

// scan passes over all scores of w and returns the working set extended by the
// pairs with S_μμ − S_μρ < threshold, the least perInput of every input, and
// how many were added. The old pairs of an input come first, in their order. It
// also returns the least S_μμ − S_μρ of all pairs divided by ‖W‖_F, and
// the same less a bound on its round-off.
func (s *solver) scan(w []float64, threshold float64) (set *constraint.Set, added int, margin, certain float64) {
	s.solution.Scans++
	first := s.longest == nil
	if first {
		s.longest = make([]float64, s.spec.P)
	}
	leads := make([]float64, s.spec.P)
	set = s.scanner.Select(w, func(mu int, scores []float64, target int, add func(candidate int)) {
		var old []int32
		if s.set != nil {
			old = s.set.Candidate()[s.set.Start()[mu]:s.set.Start()[mu+1]]
		}
		for _, c := range old {
			add(int(c))
		}
		correct, highest := scores[target], math.Inf(-1)
		var found []int
		for c, score := range scores {
			if c == target {
				continue
			}
			if !(score <= highest) {
				highest = score // or NaN, which stays
			}
			if correct-score < threshold && !slices.Contains(old, int32(c)) {
				found = append(found, c)
			}
		}
		leads[mu] = correct - highest
		if len(found) > perInput {
			slices.SortFunc(found, func(a, b int) int {
				return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
			})
			found = found[:perInput]
		}
		for _, c := range found {
			add(c)
		}
	})
	if first {
		s.measure()
	}
	added = set.Len()
	if s.set != nil {
		added -= s.set.Len()
	}
	margin, certain = math.Inf(1), math.Inf(1)
	norm := floats.Norm(w, 2)
	for mu, lead := range leads {
		if !(lead >= margin) {
			margin = lead
		}
		// A score takes DIn + DOut roundings, of terms that add up to at most
		// ‖u‖‖W‖‖e‖; the factor covers those of the bound itself.
		bound := 2 * s.longest[mu] * norm * roundoff.Gamma(s.spec.DIn+s.spec.DOut+8) * (1 + 1e-9)
		if !(lead-bound >= certain) {
			certain = lead - bound
		}
	}
	return set, added, margin / norm, certain / norm * (1 - math.Copysign(1e-14, certain))
}

// measure fills longest, for every input the length of its key times that of
// the longest candidate of its pool.
func (s *solver) measure() {
	var buffer []float64
	if !s.in.Stored() {
		buffer = make([]float64, s.spec.N*s.spec.DOut)
	}
	longest := 0.0
	for mu := range s.spec.P {
		if mu == 0 || !s.spec.Model.SharedPool() {
			longest = 0
			for pool := s.in.Pool(mu, buffer); len(pool) > 0; pool = pool[s.spec.DOut:] {
				u := pool[:s.spec.DOut]
				longest = max(longest, floats.Dot(u, u))
			}
			longest = math.Sqrt(longest)
		}
		s.longest[mu] = longest * floats.Norm(s.in.Key(mu), 2)
	}
}
