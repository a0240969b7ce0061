// Package embedding names the distributions of keys and values, for theory and
// for experiments.
package embedding

import (
	"fmt"
	"strings"
)

// Kind is the distribution of a vector in R^d.
type Kind int

const (
	// Gaussian vectors have independent standard normal entries.
	Gaussian Kind = iota
	// Sphere vectors are uniform on the sphere of radius √d.
	Sphere
)

// names are those of [Kind.String], in the order of the constants.
var names = [...]string{"gaussian", "sphere"}

// String returns "gaussian" or "sphere".
func (k Kind) String() string {
	if !k.Valid() {
		return fmt.Sprintf("embedding(%d)", int(k))
	}
	return names[k]
}

// Valid reports whether k is one of the constants.
func (k Kind) Valid() bool { return k >= 0 && int(k) < len(names) }

// Parse is the inverse of [Kind.String]; it ignores case.
func Parse(s string) (Kind, error) {
	for i, n := range names {
		if strings.EqualFold(s, n) {
			return Kind(i), nil
		}
	}
	return 0, fmt.Errorf("embedding = %s: want %s", s, strings.Join(names[:], " or "))
}
