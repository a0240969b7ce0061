package sweep

import (
	"fmt"
	"reflect"
	"strings"

	"lamcap/harness/learn"
)

// ownOptions says which cells use an option: the others keep 0 of it, so that a grid may
// give it for all.
var ownOptions = [...]struct {
	key    string
	wanted string
	used   func(c *Cell) bool
	field  func(o *Options) any // a pointer
}{
	{
		"max_evaluations", "rule lbfgs, adam or descent, or measure storage of maxmargin",
		func(c *Cell) bool { return c.trained() || c.Rule == learn.MaxMargin && c.Measure == Storage },
		func(o *Options) any { return &o.MaxEvaluations },
	},
	{
		"restarts", "a rank below full",
		func(c *Cell) bool { return c.trained() && !c.Full() },
		func(o *Options) any { return &o.Restarts },
	},
	{
		"learning_rate", "rule adam or descent",
		func(c *Cell) bool { return c.Rule == learn.Adam || c.Rule == learn.GradientDescent },
		func(o *Options) any { return &o.LearningRate },
	},
	{
		"gradient_tolerance", "measure training by lbfgs, adam or descent",
		func(c *Cell) bool { return c.Measure == Training && c.trained() },
		func(o *Options) any { return &o.GradientTolerance },
	},
	{
		"loss_tolerance", "measure training by lbfgs, adam or descent",
		func(c *Cell) bool { return c.Measure == Training && c.trained() },
		func(o *Options) any { return &o.LossTolerance },
	},
	{
		"observe", "measure training",
		func(c *Cell) bool { return c.Measure == Training },
		func(o *Options) any { return &o.Spectrum },
	},
	{
		"observe", "measure training",
		func(c *Cell) bool { return c.Measure == Training },
		func(o *Options) any { return &o.Scores },
	},
}

// trained reports whether the cell's weights are trained on the cross-entropy.
func (c *Cell) trained() bool { return c.Rule != learn.Hebb && c.Rule != learn.MaxMargin }

// useOptions clears the options that the cell does not use, and notes the others in used.
func (c *Cell) useOptions(used map[string]bool) {
	for _, o := range ownOptions {
		if o.used(c) {
			used[o.key] = true
		} else {
			reflect.ValueOf(o.field(&c.Options)).Elem().SetZero()
		}
	}
}

// optionDifferences names the options that differ, as max_evaluations = 1 and 2.
func optionDifferences(a, b Options) string {
	var out []string
	for _, o := range ownOptions {
		x, y := reflect.ValueOf(o.field(&a)).Elem(), reflect.ValueOf(o.field(&b)).Elem()
		if !x.Equal(y) {
			out = append(out, fmt.Sprintf("%s = %v and %v", o.key, x, y))
		}
	}
	return strings.Join(out, ", ")
}
