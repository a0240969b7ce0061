package saddle

import (
	"fmt"
	"math"
)

// keyLengths returns a Gauss rule of three nodes for 1/ρ, ρ² = ‖e‖²/d_in the squared
// length of a key with normal entries, χ² of d_in degrees of freedom over d_in. It
// integrates polynomials of degree 5. Keys of norm √d_in, d_in = +Inf here, have the node 1.
func keyLengths(dIn float64) ([]node, error) {
	if math.IsInf(dIn, 1) {
		return []node{{1, 1}}, nil
	}
	if !(dIn >= minKeyDimension && dIn <= 1e6) {
		return nil, fmt.Errorf("d_in = %v: want %d ≤ d_in ≤ 1e6 for keys with normal entries", dIn, minKeyDimension)
	}
	var law []node
	for _, c := range chiSquareRule(dIn) {
		law = append(law, node{math.Sqrt(dIn / c.x), c.weight})
	}
	// Stieltjes: x P_j = P_{j+1} + a_j P_j + b_j P_{j−1}, orthogonal on the law.
	var a, b [3]float64
	polynomial := func(x float64, degree int) float64 {
		before, p := 0.0, 1.0
		for j := range degree {
			before, p = p, (x-a[j])*p-b[j]*before
		}
		return p
	}
	last := 1.0
	for j := range a {
		var square, first float64
		for _, c := range law {
			p := polynomial(c.x, j)
			square += c.weight * p * p
			first += c.weight * c.x * p * p
		}
		a[j] = first / square
		if j > 0 {
			b[j] = square / last
		}
		last = square
	}
	// The zeros of P_3 lie between those of P_2 and are within two Gershgorin radii.
	middle, half := (a[0]+a[1])/2, math.Hypot((a[0]-a[1])/2, math.Sqrt(b[1]))
	reach := 2 * (math.Sqrt(b[1]) + math.Sqrt(b[2]) + half + math.Abs(a[2]-middle))
	ends := [4]float64{middle - reach, middle - half, middle + half, middle + reach}
	nodes := make([]node, 3)
	for i := range nodes {
		lo, hi := ends[i], ends[i+1]
		sign := polynomial(lo, 3)
		for range 80 {
			x := (lo + hi) / 2
			if (polynomial(x, 3) > 0) == (sign > 0) {
				lo = x
			} else {
				hi = x
			}
		}
		x := (lo + hi) / 2
		// 1/weight is Σ P_j²/h_j, h_j = b_1 … b_j.
		p1, p2 := polynomial(x, 1), polynomial(x, 2)
		nodes[i] = node{x, 1 / (1 + p1*p1/b[1] + p2*p2/(b[1]*b[2]))}
	}
	return nodes, nil
}

// minKeyDimension: 1/ρ has moments of orders below d_in, and the rule wants five with room.
const minKeyDimension = 8

// lengthRuleError/d_in³ is about the relative error of E dist² by the rule: with n = 60, d_out =
// 24 and K = 0.5 to 3 it was up to 0.04, 0.007 and 0.01 of 1/d_in³ at d_in = 8, 24 and 100.
const lengthRuleError = 0.05
