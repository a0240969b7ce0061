package report

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/page"
)

// gaps are what could not be computed, by the section whose tables have empty cells for it. What
// was measured is reported all the same.
type gaps struct {
	of    map[string][]string
	known map[string]bool
}

// lacks notes once that a section lacks something, and why.
func (g *gaps) lacks(section, what string, why error) {
	if g.known == nil {
		g.of, g.known = map[string][]string{}, map[string]bool{}
	}
	note := fmt.Sprintf("Not computed: %s: %v.", what, why)
	if id := section + "\x00" + note; !g.known[id] {
		g.known[id] = true
		g.of[section] = append(g.of[section], note)
	}
}

// shownGaps bounds the notes of a section.
const shownGaps = 12

// explain adds the notes to the first table of each section.
func (g *gaps) explain(sections []page.Section) {
	for _, s := range sections {
		notes := g.of[s.ID]
		if n := len(notes) - shownGaps; n > 0 {
			notes = append(notes[:shownGaps:shownGaps], fmt.Sprintf("Not computed either: %d more, as empty cells show.", n))
		}
		s.Tables[0].Notes = append(s.Tables[0].Notes, notes...)
	}
}

// unknown is a value that is not known.
func unknown() extremes.Value { return extremes.Value{Value: math.NaN(), Error: math.NaN()} }
