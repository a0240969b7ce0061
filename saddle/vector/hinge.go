package vector

import (
	"math"

	"lamcap/internal/nnls"
	"lamcap/internal/simd"
	"lamcap/internal/status"
	"lamcap/internal/vecmath"
)

// hingeProx is the proximal point of the multiclass hinge loss,
//
//	min_{v, ξ ≥ 0} ‖v − r v⁰‖²/2 + χ ξ,   s_0 ≥ s_ρ + 1 − ξ.
//
// At fixed ξ it is the projection onto a polyhedron, whose multipliers x_ρ have a sum
// that falls from X(0) to 0 as ξ rises: ξ = 0 if X(0) ≤ χ, else X(ξ) = χ. X is
// piecewise linear, so a Newton step within the right piece is exact.
type hingeProx struct {
	d, n     int
	routines *vecmath.Routines[float64]
	solver   *nnls.Solver

	target  []float64 // r v⁰
	normals []float64 // u_0 − u_ρ
	levels  []float64
	weights []float64 // G⁻¹1 for the active set
	lift    []float64 // Σ weights·normals, the change of v when all levels rise by 1
}

func newHingeProx(d, n int) *hingeProx {
	return &hingeProx{
		d: d, n: n, routines: vecmath.New[float64](simd.Default()), solver: nnls.New(d, n-1),
		target: make([]float64, d), normals: make([]float64, (n-1)*d), levels: make([]float64, n-1),
		weights: make([]float64, d), lift: make([]float64, d),
	}
}

// differences writes u_0 − u_ρ for all competitors.
func differences(normals, rows []float64, d int) {
	for at := d; at < len(rows); at += d {
		for i := range d {
			normals[at-d+i] = rows[i] - rows[at+i]
		}
	}
}

// project solves the problem of one ξ.
func (p *hingeProx) project(xi float64) (nnls.Result, float64) {
	for i := range p.levels {
		p.levels[i] = 1 - xi
	}
	result := p.solver.Project(p.target, p.normals, p.levels)
	total := 0.0
	for _, x := range result.Multipliers {
		total += x
	}
	return result, total
}

// rise finds the change of v when the levels of the active constraints rise by 1, and
// returns that of the sum of multipliers, 1ᵀG⁻¹1.
func (p *hingeProx) rise(active []int) float64 {
	w := p.weights[:len(active)]
	for i := range w {
		w[i] = 1
	}
	p.solver.Respond(w, w)
	clear(p.lift)
	sum := 0.0
	for i, c := range active {
		p.routines.AddScaled(p.lift, w[i], p.normals[c*p.d:(c+1)*p.d])
		sum += w[i]
	}
	return sum
}

func (p *hingeProx) solve(field, rows []float64, r, chi float64, out *response) bool {
	differences(p.normals, rows, p.d)
	most := 1.0 // the least ξ at which v = r v⁰ satisfies all constraints
	for i, x := range field {
		p.target[i] = r * x
	}
	for c := range p.levels {
		most = math.Max(most, 1-p.routines.Dot(p.normals[c*p.d:(c+1)*p.d], p.target))
	}
	result, total := p.project(0)
	xi := 0.0
	if result.Status == status.NoBracket {
		// The target is inside the hull of its competitors: no point is feasible for ξ < 1.
		xi = 1
		result, total = p.project(1)
	}
	capped := total > chi
	if capped {
		xi, result, capped = p.search(result, total, chi, xi, most)
	}
	if !result.Status.OK() {
		return false
	}
	out.loss = xi
	copy(out.point, result.Point)
	// v is r v⁰ without its part along the active normals, lifted to their levels.
	copy(out.slopes[0], p.target)
	p.solver.Remove(out.slopes[0])
	clear(out.slopes[1])
	if capped {
		// 0 = dX = 1ᵀG⁻¹(−dξ 1 − A dv⁰) − dχ.
		sum := p.rise(result.Active)
		p.routines.AddScaled(out.slopes[0], p.routines.Dot(p.lift, p.target)/sum, p.lift)
		p.routines.AddScaled(out.slopes[1], chi/sum, p.lift)
	}
	p.routines.MatVec(out.scores, rows, p.d, p.n, p.d, out.point)
	out.largest = largestCompetitor(out.scores)
	return true
}

// search solves X(ξ) = χ for lo < ξ < hi, from the solution at ξ = lo. It ends with
// capped = false at a jump of X across χ: at ξ = 1 the constraints s_0 ≥ s_ρ have the corner
// v = 0, where many multipliers are possible, and v and ξ stay as r and χ change.
func (p *hingeProx) search(result nnls.Result, total, chi, lo, hi float64) (xi float64, _ nnls.Result, capped bool) {
	const exact, jump = 1e-11, 1e-11
	xi, narrow := lo, jump*hi
	for range 200 {
		next := (lo + hi) / 2
		if result.Status.OK() && len(result.Active) > 0 {
			if math.Abs(total-chi) <= exact*chi {
				return xi, result, true
			}
			if step := xi + (total-chi)/p.rise(result.Active); step > lo && step < hi {
				next = step
			}
		}
		if hi-lo <= narrow {
			break
		}
		xi = next
		result, total = p.project(xi)
		switch {
		case total > chi:
			lo = xi
		case !result.Status.OK():
			return xi, result, false
		default:
			hi = xi
		}
	}
	result, _ = p.project(hi)
	return hi, result, false
}
