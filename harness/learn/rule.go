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
)

var ruleNames = [...]string{"lbfgs", "adam", "hebb"}

// String returns "lbfgs", "adam" or "hebb".
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
	return 0, fmt.Errorf("rule = %s: want hebb, adam or lbfgs", s)
}
