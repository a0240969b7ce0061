package report

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/page"
	"lamcap/harness/pattern"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
)

// notesOf are those of the first table of a section.
func notesOf(t *testing.T, d *page.Document, section string) string {
	t.Helper()
	i := slices.IndexFunc(d.Sections, func(s page.Section) bool { return s.ID == section })
	require.GreaterOrEqual(t, i, 0, "no section %s", section)
	return strings.Join(d.Sections[i].Tables[0].Notes, "\n")
}

// rowOf is the row of a table with a value.
func rowOf(t *testing.T, d *page.Document, name, key string, is any) int {
	t.Helper()
	x := find(t, d, name)
	for i := range x.Rows {
		if value(t, x, i, key) == is {
			return i
		}
	}
	require.Fail(t, fmt.Sprintf("%s has no row with %s = %v", name, key, is))
	return 0
}

// A load that no theory of training reaches: what was measured is there, the theory is not, and why.
func TestTheoryThatCannotBeComputed(t *testing.T) {
	const far = 10_000_000_000
	var records []sweep.Record
	for _, r := range some() {
		trained := r.Measure == sweep.Training && r.Rule == learn.LBFGS && r.Spec.Model == pattern.DP
		if !trained {
			continue
		}
		records = append(records, r)
		if r.Spec.P == 30 || r.Options.Scores {
			r.Spec.P, r.Spec.N = far, 2
			r.Experiment = fmt.Sprint("far ", r.Options.Scores)
			records = append(records, r)
		}
	}
	d, err := Build(records, Options{References: 20})
	require.NoError(t, err)

	recall := find(t, d, "accuracy")
	row := rowOf(t, d, "accuracy", "p", far)
	assert.IsType(t, 0.5, value(t, recall, row, "accuracy"))
	assert.Nil(t, value(t, recall, row, "theory"))
	assert.Nil(t, value(t, recall, row, "theory_error"))
	assert.IsType(t, 0.5, value(t, recall, rowOf(t, d, "accuracy", "p", 30), "theory"), "others have theirs")
	assert.Contains(t, notesOf(t, d, "accuracy"), "Not computed: theory of training: saddle point of training, N = 64, p = 1e+10: p = 1e+10: want a load p/N between")

	summary := find(t, d, "scores")
	row = rowOf(t, d, "scores", "p", far)
	assert.IsType(t, 0.5, value(t, summary, row, "correct_mean"))
	assert.Equal(t, "vector", value(t, summary, row, "level"), "the other law is there")
	assert.Contains(t, notesOf(t, d, "scores"), "No law for dp lbfgs, p = 10000000000, at score level: p = 1e+10: want a load p/N between")
	row = rowOf(t, d, "singular_values", "p", far)
	assert.IsType(t, 0.5, value(t, find(t, d, "singular_values"), row, "density"))

	for _, f := range []string{"svg", "pdf"} { // figures without these lines are drawn
		for _, s := range d.Sections {
			for _, figure := range s.Figures {
				require.NoError(t, figure.Write(&bytes.Buffer{}, f, 0), figure.Name)
			}
		}
	}
	require.NoError(t, page.Write(&bytes.Buffer{}, d))
}

// Memories of one weight, and of two: at the ends of what theories know.
func TestSmallestMemories(t *testing.T) {
	g := &grid{t: t}
	for _, d := range []int{1, 2} {
		for _, p := range []int{2, 3, 5} {
			g.run(ask{model: pattern.DP, d: d, p: p, trials: 4})
			g.run(ask{model: pattern.OP, d: d, p: p, trials: 4})
			g.run(ask{measure: sweep.Training, model: pattern.OP, d: d, p: p, rule: learn.Hebb, trials: 3, options: sweep.Options{Spectrum: true}})
		}
	}
	for _, r := range slices.Clone(g.records) { // and two candidates each
		if r.Spec.Model == pattern.DP {
			r.Spec.N, r.Experiment = 2, "two"
			g.records = append(g.records, r)
		}
	}
	d, err := Build(g.records, Options{References: 20})
	require.NoError(t, err)
	stored := find(t, d, "stored_fraction")
	assert.Len(t, stored.Rows, 16, "what was measured is there")
	for i := range stored.Rows {
		assert.IsType(t, 0.5, value(t, stored, i, "fraction"))
	}
	require.NoError(t, page.Write(&bytes.Buffer{}, d))
}

func TestGapsAreToldOnce(t *testing.T) {
	var g gaps
	s := []page.Section{{ID: "a", Tables: []*table.Table{{Name: "a"}}}, {ID: "b", Tables: []*table.Table{{Name: "b"}}}}
	for range 2 {
		for i := range shownGaps + 3 {
			g.lacks("a", fmt.Sprintf("number %d", i), errors.New("why"))
		}
	}
	g.lacks("elsewhere", "it", errors.New("why"))
	g.explain(s)
	notes := s[0].Tables[0].Notes
	require.Len(t, notes, shownGaps+1)
	assert.Equal(t, "Not computed: number 0: why.", notes[0])
	assert.Equal(t, "Not computed either: 3 more, as empty cells show.", notes[shownGaps])
	assert.Empty(t, s[1].Tables[0].Notes)
}
