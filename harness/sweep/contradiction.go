package sweep

import (
	"fmt"
	"strings"
)

// Contradiction reports why a plan must not be run by a program beside the records
// there are: [OtherOptions] or [OtherProgram]. A grid that lacks cells of the records, or
// another machine, is none.
func Contradiction(p *Plan, have []Record, now Program) error {
	if err := OtherOptions(p, have); err != nil {
		return err
	}
	return OtherProgram(have, now)
}

// OtherOptions is an error if a cell of the plan has other options than its records.
func OtherOptions(p *Plan, have []Record) error {
	options := make(map[Address]Options, len(p.Cells))
	for _, w := range p.Cells {
		options[w.Address] = w.Options
	}
	for i := range have {
		r := &have[i]
		o, planned := options[r.Address]
		if planned && o != r.Options {
			return fmt.Errorf("the grid contradicts stored records of %v: %s: give the experiment another name, or write to another folder",
				r.Address, strings.Join(changes(optionFields, &r.Options, &o), ", "))
		}
	}
	return nil
}

// changes is differences, as old → new.
func changes[T any](fields []field[T], old, now *T) []string {
	var list []string
	for _, f := range fields {
		if x, y := f.write(old), f.write(now); string(x) != string(y) {
			list = append(list, fmt.Sprintf("%s %s → %s", f.key, shown(x), shown(y)))
		}
	}
	return list
}

// ProgramError says that a program must not go on with the records of another one.
type ProgramError struct {
	Old, New Program
	Records  int // of Old
}

// Error shows what differs.
func (e *ProgramError) Error() string {
	return fmt.Sprintf("%d stored records were made by another program: %s: numbers of two revisions may differ; go on with the program that made them, or write to another folder",
		e.Records, e.Old.change(e.New))
}

// OtherProgram is a [*ProgramError] if records were made by another version, revision or
// build than now; of several, that of most records.
func OtherProgram(have []Record, now Program) error {
	counts := map[Program]int{}
	for i := range have {
		if p := have[i].Program; !p.Same(now) {
			p.Arch, p.Instructions = "", ""
			counts[p]++
		}
	}
	var worst *ProgramError
	for p, n := range counts {
		if worst == nil || n > worst.Records || n == worst.Records && p.String() < worst.Old.String() {
			worst = &ProgramError{Old: p, New: now, Records: n}
		}
	}
	if worst == nil {
		return nil
	}
	return worst
}
