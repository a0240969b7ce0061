package saddle

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// radialResponse computes τ and γ of [OriginalFacts] as functions of the length r
// of a value u.
//
// Let u have the variance σ² per entry, the other values and g variance 1. The
// projection of g is on the face of the tight set of k competitors with
// probability v_k; then the values of the face have one height h along Π, and,
// with Lagrange multipliers η_ρ = λ_ρ ≥ 0, η_0 = −Λ = −Σλ,
//
//	h:  exp(−κh²/2) Φ(h)^{n−1−k},  κ = Σ 1/σ_i²,      η:  exp(−Σ σ_i²η_i²/2),
//
// independently, whatever d_out is (the face is the image of a simplex's under a
// Gaussian map, whose Gram matrix is Wishart with d_out degrees of freedom, d_out + 1
// at given η). Averages over the Wishart matrix give, with η that of u,
//
//	E[2 (u·δ)(u·Π)]            = E[2 σ² h η (d_out − k)],
//	E[(u·δ)² − |u|²|δ|²/d_out] = E[kσ² + (d_out − k + k/d_out)σ⁴η² − (k/d_out)(h² + (d_out+1)σ² − 2/κ)],
//
// and, for a competitor that is not tight, 0 and E[(k/d_out) σ² z φ(z)/Φ(z)], z = h/σ.
// Since Σ_j L_j(r²/2) z^j is (1−z)^{−α−1} exp(−zr²/2(1−z)), α + 1 = (d_out+4)/2,
// which reweights u to σ² = 1 − z, the Laguerre coefficients of the responses
// are the Taylor coefficients in z of these averages over σ⁴.
type radialResponse struct {
	n, d       float64
	targetA    []float64 // τ_A, orthonormal Laguerre coefficients
	targetB    []float64
	competitor [2][]float64 // γ_A and γ_B
}

const (
	radialNodes = 9    // points in z, and Taylor coefficients fitted
	radialReach = 0.35 // their range
	radialOrder = 5    // Laguerre coefficients kept: 1e-4 of the sum at d = 12, less above
)

// poolResponse holds the sums over the target and over all competitors.
type poolResponse struct{ targetA, targetB, competitorA, competitorB, mass float64 }

func newRadialResponse(n float64, dOut int) *radialResponse {
	r := &radialResponse{n: n, d: float64(dOut)}
	vandermonde := mat.NewDense(radialNodes, radialNodes, nil)
	values := mat.NewDense(radialNodes, 4, nil)
	faces := newFaceTable(n, dOut)
	for i := range radialNodes {
		x := math.Cos(math.Pi * (float64(i) + 0.5) / radialNodes)
		for j := range radialNodes {
			vandermonde.Set(i, j, math.Pow(x, float64(j)))
		}
		square := 1 - radialReach*x
		s := faces.response(square)
		for c, v := range []float64{s.targetA, s.targetB, s.competitorA, s.competitorB} {
			values.Set(i, c, v/(square*square))
		}
	}
	var taylor mat.Dense
	if err := taylor.Solve(vandermonde, values); err != nil {
		panic("saddle: a Vandermonde matrix was not solved: " + err.Error())
	}
	columns := [4][]float64{}
	alpha := (r.d+4)/2 - 1
	for c := range columns {
		norm := 1.0 // C(j + α, j)
		for j := range radialOrder {
			if j > 0 {
				norm *= (float64(j) + alpha) / float64(j)
			}
			columns[c] = append(columns[c], taylor.At(j, c)/math.Pow(radialReach, float64(j))/
				math.Sqrt(norm)/((r.d+2)*(r.d-1)))
		}
	}
	r.targetA, r.targetB = columns[0], columns[1]
	r.competitor = [2][]float64{columns[2], columns[3]}
	return r
}

// pairs returns E_r[(γ_A² + 2γ_Aγ_B)(n − 2)/(n − 1) + 2(τ_Aγ_A + τ_Aγ_B + τ_Bγ_A)]: a
// value competes at both inputs of a pair in n − 2 cases for each n − 1 in which it is the
// target of one.
func (r *radialResponse) pairs() float64 {
	sum := 0.0
	both := (r.n - 2) / (r.n - 1)
	for j := range radialOrder {
		ta, tb, ga, gb := r.targetA[j], r.targetB[j], r.competitor[0][j], r.competitor[1][j]
		sum += both*ga*(ga+2*gb) + 2*(ta*ga+ta*gb+tb*ga)
	}
	return sum
}
