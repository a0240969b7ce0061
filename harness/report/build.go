package report

import (
	"fmt"
	"sync"

	"lamcap/harness/page"
	"lamcap/harness/scores"
	"lamcap/harness/spectrum"
	"lamcap/harness/sweep"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// builder is a report in the making.
type builder struct {
	judge
	gaps
	o          Options
	cells      []*cell
	storage    []*transition
	spectra    *quartercircle.Spectra
	storable   *saddle.Transition
	known      *scores.Known
	references *spectrum.References
	colors     map[shape]int

	mu      sync.Mutex
	trained map[saddle.Training]*saddle.Trained
	doc     page.Document
}

// referenceSeed draws the Gaussian matrices: the same in every report.
const referenceSeed = 1

// Build makes the report of records, each trial once, in any order. It takes seconds for
// each load that memories were trained at beyond capacity, and for each cell with
// scores, on as many goroutines as GOMAXPROCS; the result does not depend on their number.
func Build(records []sweep.Record, o Options) (*page.Document, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("no records: want the records of one trial at least, as lamcap sweep run makes them")
	}
	b := &builder{
		o: o, spectra: quartercircle.NewSpectra(), storable: saddle.NewTransition(), known: scores.NewKnown(),
		references: spectrum.NewReferences(o.References, referenceSeed), trained: map[saddle.Training]*saddle.Trained{},
	}
	if b.cells, err = newCells(records); err != nil {
		return nil, err
	}
	b.assignColors()
	b.storage = b.transitions(b.cells)
	for _, section := range []func() (*page.Section, error){
		b.capacitySection, b.storedSection, b.halfPointSection, b.accuracySection, b.spectrumSection, b.scoresSection,
	} {
		s, err := section()
		if err != nil {
			return nil, err
		}
		if s != nil {
			b.doc.Sections = append(b.doc.Sections, *s)
		}
		o.tick()
	}
	b.explain(b.doc.Sections)
	b.finish(records)
	o.tick()
	return &b.doc, nil
}
