package pattern

import "fmt"

// FromPairs builds an instance of [Facts] from given numbers, which it does not
// copy: keys is p×dIn row-major, a key for each fact; values is n×dOut, the
// candidates of all facts; targets holds for each fact the row of its value. A
// row may be the target of several facts, or of none, where it only competes. It
// returns an error where [FromData] does, or if a target is no row.
func FromPairs(keys, values []float64, dIn, dOut int, targets []int) (*Instance, error) {
	s := Spec{Model: Facts, DIn: dIn, DOut: dOut, P: len(targets)}
	if dOut > 0 {
		s.N = len(values) / dOut
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if len(values) != s.N*dOut {
		return nil, fmt.Errorf("values: %d numbers: want a multiple of d_out = %d", len(values), dOut)
	}
	for mu, row := range targets {
		if row < 0 || row >= s.N {
			return nil, fmt.Errorf("target %d = %d: want a row from 0 to n − 1 = %d", mu, row, s.N-1)
		}
	}
	return fromData(s, keys, values, targets)
}
