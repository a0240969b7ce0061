package proof

import "math/big"

const (
	// fewPairs is the most multipliers, and fewProducts the most products of an
	// entry of f_μ with one of e_μ, that are summed exactly: some seconds.
	fewPairs    = 64
	fewProducts = 1 << 21
	// exactBits holds any sum of such products exactly: each factor is a multiple
	// of 2^−1074 and below 2^1024, and products have three.
	exactBits = 3*(1074+1024) + 64
)

// cancels reports whether Σ λ X = 0 exactly, of few pairs; false if there are
// more.
func (e *evaluator) cancels() bool {
	s := e.spec
	inputs := 0
	for mu := range s.P {
		if e.m.Start[mu] < e.m.Start[mu+1] {
			inputs++
		}
	}
	if e.m.Len() > fewPairs || float64(inputs)*float64(s.DOut)*float64(s.DIn) > fewProducts {
		return false
	}
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(exactBits).SetFloat64(x) }
	values := newReader(e.in)
	sum := make([]*big.Float, s.DOut*s.DIn)
	for i := range sum {
		sum[i] = number(0)
	}
	product := number(0)
	for mu := range s.P {
		from, to := e.m.Start[mu], e.m.Start[mu+1]
		if from == to {
			continue
		}
		force := make([]*big.Float, s.DOut) // f_μ
		target := values.correct(mu)
		for i, u := range target {
			force[i] = number(0)
			for k := from; k < to; k++ {
				y := number(u)
				y.Sub(y, number(values.value(mu, e.m.Candidate[k])[i]))
				force[i].Add(force[i], y.Mul(y, number(e.m.Value[k])))
			}
		}
		for i, f := range force {
			for j, x := range e.in.Key(mu) {
				at := sum[i*s.DIn+j]
				at.Add(at, product.Mul(f, number(x)))
			}
		}
	}
	for _, x := range sum {
		if x.Sign() != 0 {
			return false
		}
	}
	return true
}
