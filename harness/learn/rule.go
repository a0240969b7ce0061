package learn

import (
	"fmt"
	"strings"
)

// Rule names a learning rule.
type Rule int

const (
	// LBFGS is limited-memory BFGS on the softmax cross-entropy.
	LBFGS Rule = iota
	// Adam is full-batch Adam on the softmax cross-entropy.
	Adam
	// Hebb is the sum of outer products of targets and keys.
	Hebb
	// GradientDescent is full-batch gradient descent on the softmax
	// cross-entropy.
	GradientDescent
	// MaxMargin is the hard-margin solution, which package maxmargin computes:
	// it is not trained by this package.
	MaxMargin
)

var ruleNames = [...]string{"lbfgs", "adam", "hebb", "descent", "maxmargin"}

// String returns "lbfgs", "adam", "hebb", "descent" or "maxmargin".
func (r Rule) String() string {
	if r < 0 || int(r) >= len(ruleNames) {
		return fmt.Sprintf("rule(%d)", int(r))
	}
	return ruleNames[r]
}

// ParseRule is the inverse of [Rule.String]; it ignores case.
func ParseRule(s string) (Rule, error) {
	for i, n := range ruleNames {
		if strings.EqualFold(s, n) {
			return Rule(i), nil
		}
	}
	return 0, fmt.Errorf("rule = %s: want hebb, descent, adam, lbfgs or maxmargin", s)
}
