package report

import (
	"fmt"

	"lamcap/harness/progress"
)

// Options say how to report.
type Options struct {
	Title      string  // "" for a general one
	Confidence float64 // of intervals; 0 means 0.95
	// Rate bounds the probability of a false alarm anywhere in the report; 0 means 0.01.
	Rate float64
	// References is the number of Gaussian matrices that spectra of each shape are
	// compared with; 0 means 400.
	References int
	// Progress is told of each of [Steps] parts; nil for none.
	Progress progress.Reporter
}

// Steps is the number of parts of [Build].
const Steps = 7

const (
	defaultConfidence = 0.95
	defaultRate       = 0.01
	defaultReferences = 400
	defaultTitle      = "Storage capacity of linear associative memories: a sweep"
)

func (o *Options) withDefaults() (Options, error) {
	out := *o
	if !(o.Confidence >= 0 && o.Confidence < 1) {
		return out, fmt.Errorf("confidence = %v: want 0 < confidence < 1, or 0 for %v", o.Confidence, defaultConfidence)
	}
	if !(o.Rate >= 0 && o.Rate < 1) {
		return out, fmt.Errorf("rate = %v: want 0 < rate < 1, or 0 for %v", o.Rate, defaultRate)
	}
	if o.References < 0 || o.References == 1 {
		return out, fmt.Errorf("references = %d: want references ≥ 2, or 0 for %d", o.References, defaultReferences)
	}
	if out.Title == "" {
		out.Title = defaultTitle
	}
	if out.Confidence == 0 {
		out.Confidence = defaultConfidence
	}
	if out.Rate == 0 {
		out.Rate = defaultRate
	}
	if out.References == 0 {
		out.References = defaultReferences
	}
	return out, nil
}

func (o *Options) tick() {
	if o.Progress != nil {
		o.Progress.Add(1)
	}
}
