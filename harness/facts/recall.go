package facts

import (
	"fmt"
	"slices"
	"sync"

	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/vectors"
)

// Recalled is what a memory answers.
type Recalled struct {
	Queries, Values *vectors.Set
	K               int
	// Top holds for each query the K values with the largest scores, or all of
	// them, the largest first.
	Top [][]Answer
	// Of the facts asked about: how many there are, the value of how many has the
	// largest score, strictly and beyond round-off, and is among the K largest,
	// ties counting as better; and those without the largest.
	Facts      int
	First, Kth int
	Missed     []Miss
	pairs      []Pair
}

// Recall scores queries against all values, or against those of facts only, with a
// memory W of shape d_out×d_in, row-major. It holds the scores of some 100 queries
// at a time. Facts, pairs of rows of queries and values, may be none. It returns an
// error if dimensions do not match, k is below 1, or vectors differ so much in size
// that scores would leave the range of float64.
func Recall(w *vectors.Set, queries, values *vectors.Set, pairs []Pair, c Candidates, k, threads int) (*Recalled, error) {
	if err := Match(w, queries, values); err != nil {
		return nil, err
	}
	switch {
	case k < 1:
		return nil, fmt.Errorf("topk = %d: want topk ≥ 1", k)
	case c == Used && len(pairs) == 0:
		return nil, fmt.Errorf("candidates = used: want the facts, too, whose values compete")
	}
	r := &Recalled{Queries: queries, Values: values, K: k, pairs: pairs, Facts: len(pairs), Top: make([][]Answer, queries.Rows)}
	rows := make([]int, values.Rows) // of the candidates
	for i := range rows {
		rows[i] = i
	}
	if c == Used {
		rows = rows[:0]
		for _, p := range pairs {
			rows = append(rows, p.Value)
		}
		slices.Sort(rows)
		rows = slices.Compact(rows)
	}
	of := make(map[int][]int, len(pairs)) // facts of a query
	for i, p := range pairs {
		of[p.Key] = append(of[p.Key], i)
	}
	all := make([]int, queries.Rows)
	for i := range all {
		all[i] = i
	}
	q, keyExponent, err := rescaled("keys", queries.Select(all).Data)
	if err != nil {
		return nil, err
	}
	v, valueExponent, err := rescaled("values", values.Select(rows).Data)
	if err != nil {
		return nil, err
	}
	in, err := pattern.FromPairs(q, v, queries.Columns, values.Columns, make([]int, queries.Rows))
	if err != nil {
		return nil, fmt.Errorf("queries and values, scaled to numbers near 1: %w", err)
	}
	x := newScorer(in, w.Data, keyExponent+valueExponent, threads)
	var mutex sync.Mutex
	x.scan(func(mu int, scores []float64, bound float64) {
		top := x.best(scores, k, bound)
		for i := range top {
			top[i].Value = rows[top[i].Value]
		}
		r.Top[mu] = top
		for _, i := range of[mu] {
			target, _ := slices.BinarySearch(rows, pairs[i].Value)
			rank, tie := place(scores, target, bound)
			var miss Miss
			if rank > 1 {
				miss = Miss{Fact: i, Pair: pairs[i], Rank: rank, Score: x.score(scores[target]), Answer: x.answerFor(scores, target, bound)}
				miss.Answer.Value, miss.Answer.Tie = rows[miss.Answer.Value], tie
			}
			mutex.Lock()
			if rank <= k {
				r.Kth++
			}
			if rank == 1 {
				r.First++
			} else {
				r.Missed = append(r.Missed, miss)
			}
			mutex.Unlock()
		}
	})
	slices.SortFunc(r.Missed, compareMisses)
	return r, nil
}

// Match returns an error unless a memory of shape d_out×d_in fits keys and values.
func Match(w, keys, values *vectors.Set) error {
	for _, side := range []struct {
		what string
		set  *vectors.Set
		want int
		cols bool
	}{{"keys", keys, w.Columns, true}, {"values", values, w.Rows, false}} {
		if side.set.Columns == side.want {
			continue
		}
		hint := ""
		if w.Rows == keys.Columns && w.Columns == values.Columns {
			hint = "; is it transposed?"
		}
		return fmt.Errorf("W is d_out × d_in = %d × %d; %s have %d columns%s", w.Rows, w.Columns, side.what, side.set.Columns, hint)
	}
	return nil
}

// level is the confidence of intervals.
const level = 0.95

// interval is the one of a share of facts, were they drawn from many.
func interval(successes, trials int) stats.Interval {
	return stats.Proportion{Successes: successes, Trials: trials}.Wilson(level)
}
