package numlist

import (
	"fmt"
	"math/big"
	"strings"
)

// Axis is a list that is combined with others, by its name and its length.
type Axis struct {
	Name   string
	Length int
}

// Combinations returns an error if lists have more than max combinations. It is for
// lists that are each short enough: it says how long they are and what to do, before
// anything is computed. It panics unless max is positive.
func Combinations(max int, axes ...Axis) error {
	if max <= 0 {
		panic("numlist: max must be positive")
	}
	total := big.NewInt(1)
	var names, lengths []string
	for _, a := range axes {
		total.Mul(total, big.NewInt(int64(a.Length)))
		if a.Length != 1 {
			names, lengths = append(names, a.Name), append(lengths, fmt.Sprint(a.Length))
		}
	}
	if total.IsInt64() && total.Int64() <= int64(max) {
		return nil
	}
	if len(names) == 1 {
		return fmt.Errorf("%s: %s values, want at most %d: use a larger step or fewer items", names[0], lengths[0], max)
	}
	return fmt.Errorf("%s: %s = %s combinations, want at most %d: use larger steps or fewer items", strings.Join(names, ", "), strings.Join(lengths, " × "), count(total), max)
}
