package nnls

import (
	"fmt"
	"math"

	"lamcap/internal/simd"
	"lamcap/internal/status"
	"lamcap/internal/vecmath"
)

// Result is the solution of a problem, or the state in which its search ended.
// Its slices belong to the solver, until the next call.
type Result struct {
	// Status is Converged; Roundoff if round-off alone keeps Residual above the
	// tolerance; NoBracket if no point satisfies all constraints (Point and
	// Multipliers are then those of the last feasible subset); MaxIterations;
	// Diverged if a NaN or an infinity appeared.
	Status status.Status
	// Point is v.
	Point []float64
	// Active lists the constraints with positive multipliers, in the order in which
	// they were taken in, and Multipliers their x_j.
	Active      []int
	Multipliers []float64
	// Distance2 is ‖v − v⁰‖².
	Distance2 float64
	// Residual is the largest violation of the Karush-Kuhn-Tucker conditions at
	// Point: of a_jᵀv ≥ b_j for any j and of a_jᵀv = b_j for the active ones, each
	// relative to ‖a_j‖ (so a distance). x ≥ 0 holds exactly.
	Residual float64
	// Iterations counts the constraints taken in and out.
	Iterations int
}

// Solver holds the workspace for problems in R^d with up to n constraints. It is
// not for concurrent use.
type Solver struct {
	d, n     int
	routines *vecmath.Routines[float64]

	point, values []float64 // v, and a_jᵀv
	norms         []float64 // ‖a_j‖
	isActive      []bool
	active        []int
	multipliers   []float64

	// The active columns are Q R: Q has orthonormal columns, column i in
	// q[i·d:], R is upper triangular with column i in r[i·d:].
	q, r []float64
	// Step directions: of the point, and of the multipliers.
	direction, change, extra []float64
}

// New returns a solver. It panics unless d ≥ 1 and n ≥ 0.
func New(d, n int) *Solver {
	if d < 1 || n < 0 {
		panic(fmt.Sprintf("nnls: New(%d, %d): want d ≥ 1, n ≥ 0", d, n))
	}
	most := min(d, n)
	return &Solver{
		d: d, n: n, routines: vecmath.New[float64](simd.Default()),
		point: make([]float64, d), values: make([]float64, n), norms: make([]float64, n),
		isActive: make([]bool, n), active: make([]int, 0, most+1), multipliers: make([]float64, 0, most+1),
		q: make([]float64, most*d), r: make([]float64, most*d),
		direction: make([]float64, d), change: make([]float64, most), extra: make([]float64, most),
	}
}

const (
	// tolerance is the violation that is left, relative to the size of the
	// problem, and dependent the part of a column outside the span of the active
	// ones below which it counts as inside.
	tolerance = 1e-13
	dependent = 1e-11
	// maxPerColumn limits the iterations. Random problems take about as many as
	// there are active constraints at the end.
	maxPerColumn = 20
)

// Solve minimises ‖Σ_j x_j a_j − y‖ over x ≥ 0. Columns holds the a_j one after the
// other, each of length d. Result.Point is the negative of the misfit, y − Σ x a.
func (s *Solver) Solve(columns, y []float64) Result {
	if len(y) != s.d {
		panic(fmt.Sprintf("nnls: Solve: y has length %d: want %d", len(y), s.d))
	}
	target := make([]float64, s.d)
	for i, v := range y {
		target[i] = -v
	}
	return s.Project(target, columns, nil)
}

// Project finds the point next to v0 with a_jᵀv ≥ b_j. Normals holds the a_j one
// after the other, each of length d; levels the b_j, nil meaning 0. A normal that
// is 0, or whose square underflows, asks for 0 ≥ b_j.
func (s *Solver) Project(v0, normals, levels []float64) Result {
	count := len(normals) / s.d
	if len(v0) != s.d || len(normals) != count*s.d || count > s.n || levels != nil && len(levels) != count {
		panic(fmt.Sprintf("nnls: Project: lengths %d, %d, %d: want d = %d, a multiple of it up to %d of them, and as many levels",
			len(v0), len(normals), len(levels), s.d, s.n))
	}
	p := problem{s, v0, normals, levels, s.values[:count], s.norms[:count], 0}
	return p.solve()
}

// problem is one call of Project.
type problem struct {
	*Solver
	v0, normals, levels []float64
	values, norms       []float64
	scale               float64 // of the distances in it
}

func (p *problem) column(j int) []float64 { return p.normals[j*p.d : (j+1)*p.d] }

func (p *problem) level(j int) float64 {
	if p.levels == nil {
		return 0
	}
	return p.levels[j]
}

func (p *problem) solve() Result {
	copy(p.point, p.v0)
	p.active, p.multipliers = p.active[:0], p.multipliers[:0]
	clear(p.isActive)
	empty, finite := false, true
	p.scale = math.Sqrt(p.routines.Dot(p.v0, p.v0))
	for j := range p.norms {
		a := p.column(j)
		p.norms[j] = math.Sqrt(p.routines.Dot(a, a))
		if p.norms[j] > 0 {
			// A level below 0 is met by points next to 0; one above bounds ‖v‖ from below.
			p.scale = math.Max(p.scale, p.level(j)/p.norms[j])
		} else if p.level(j) > 0 { // 0ᵀv ≥ b > 0
			empty = true
		}
		finite = finite && !math.IsNaN(p.norms[j]) && !math.IsInf(p.norms[j], 0) && !math.IsNaN(p.level(j))
	}
	if !finite || math.IsNaN(p.scale) || math.IsInf(p.scale, 0) {
		return p.end(status.Diverged, 0)
	}
	if empty {
		return p.end(status.NoBracket, 0)
	}
	for iterations := 0; ; {
		j, violation := p.worst()
		switch {
		case math.IsNaN(violation):
			return p.end(status.Diverged, iterations)
		case violation <= tolerance*p.scale:
			return p.end(status.Converged, iterations)
		}
		steps, st := p.takeIn(j, maxPerColumn*(len(p.values)+p.d)-iterations)
		iterations += steps
		if st != status.Converged {
			return p.end(st, iterations)
		}
		p.polish()
	}
}

// worst returns the constraint that is violated most, in distance.
func (p *problem) worst() (at int, violation float64) {
	p.routines.MatVec(p.values, p.normals, p.d, len(p.values), p.d, p.point)
	violation = math.Inf(-1)
	for j, value := range p.values {
		if p.isActive[j] || p.norms[j] == 0 {
			continue
		}
		if v := (p.level(j) - value) / p.norms[j]; v > violation || math.IsNaN(v) {
			at, violation = j, v
			if math.IsNaN(v) {
				return at, v
			}
		}
	}
	return at, violation
}

// takeIn moves until constraint j holds with equality, dropping those that are in
// the way, and adds it to the active ones: [GI], step 2.
func (p *problem) takeIn(j, budget int) (steps int, st status.Status) {
	a, multiplier := p.column(j), 0.0
	size := p.norms[j]
	for ; ; steps++ {
		if steps > budget {
			return steps, status.MaxIterations
		}
		// a = Q(Qᵀa) + direction, and the multipliers that keep the active
		// constraints change by −R⁻¹Qᵀa for each unit of x_j.
		k := len(p.active)
		outside := p.split(a, p.change[:k])
		p.backSubstitute(p.change[:k])
		first, largest := -1, math.Inf(1)
		for i, c := range p.change[:k] {
			if c > 0 {
				if t := p.multipliers[i] / c; t < largest {
					first, largest = i, t
				}
			}
		}
		full := math.Inf(1)
		if outside > dependent*size && k < p.d {
			full = math.Max(0, (p.level(j)-p.routines.Dot(a, p.point))/(outside*outside))
		}
		t := math.Min(full, largest)
		if math.IsInf(t, 1) {
			return steps, status.NoBracket
		}
		if math.IsNaN(t) {
			return steps, status.Diverged
		}
		for i, c := range p.change[:k] {
			p.multipliers[i] = math.Max(0, p.multipliers[i]-t*c)
		}
		multiplier += t
		if !math.IsInf(full, 1) {
			p.routines.AddScaled(p.point, t, p.direction)
		}
		if full <= largest {
			p.add(j, multiplier, outside)
			return steps + 1, status.Converged
		}
		p.remove(first)
	}
}

// split writes Qᵀa to inside and the rest of a to direction, whose norm it returns.
// The second pass removes what round-off left of the first.
func (p *problem) split(a, inside []float64) float64 {
	copy(p.direction, a)
	clear(inside)
	for range 2 {
		for i := range inside {
			q := p.q[i*p.d : (i+1)*p.d]
			c := p.routines.Dot(q, p.direction)
			inside[i] += c
			p.routines.AddScaled(p.direction, -c, q)
		}
	}
	return math.Sqrt(p.routines.Dot(p.direction, p.direction))
}

// backSubstitute replaces y by R⁻¹y.
func (p *problem) backSubstitute(y []float64) {
	for i := len(y) - 1; i >= 0; i-- {
		column := p.r[i*p.d:]
		y[i] /= column[i]
		for l := range i {
			y[l] -= column[l] * y[i]
		}
	}
}

// forwardSubstitute replaces y by R⁻ᵀy.
func (p *problem) forwardSubstitute(y []float64) {
	for i := range y {
		column := p.r[i*p.d:]
		for l := range i {
			y[i] -= column[l] * y[l]
		}
		y[i] /= column[i]
	}
}

// add appends constraint j, whose column was split, to the active ones.
func (p *problem) add(j int, multiplier, outside float64) {
	k := len(p.active)
	column := p.r[k*p.d:]
	// change holds R⁻¹Qᵀa: split again for Qᵀa.
	outside = p.split(p.column(j), column[:k])
	column[k] = outside
	q := p.q[k*p.d : (k+1)*p.d]
	for i, v := range p.direction {
		q[i] = v / outside
	}
	p.active = append(p.active, j)
	p.multipliers = append(p.multipliers, multiplier)
	p.isActive[j] = true
}

// remove takes active constraint i out: R without its column has one entry below
// the diagonal in each of the columns behind, which rotations remove.
func (p *problem) remove(i int) {
	p.isActive[p.active[i]] = false
	k := len(p.active)
	copy(p.active[i:], p.active[i+1:])
	copy(p.multipliers[i:], p.multipliers[i+1:])
	p.active, p.multipliers = p.active[:k-1], p.multipliers[:k-1]
	for c := i; c < k-1; c++ {
		copy(p.r[c*p.d:c*p.d+c+2], p.r[(c+1)*p.d:])
	}
	for c := i; c < k-1; c++ {
		x, y := p.r[c*p.d+c], p.r[c*p.d+c+1]
		h := math.Hypot(x, y)
		cos, sin := x/h, y/h
		for l := c; l < k-1; l++ {
			column := p.r[l*p.d:]
			column[c], column[c+1] = cos*column[c]+sin*column[c+1], cos*column[c+1]-sin*column[c]
		}
		a, b := p.q[c*p.d:(c+1)*p.d], p.q[(c+1)*p.d:(c+2)*p.d]
		for l := range a {
			a[l], b[l] = cos*a[l]+sin*b[l], cos*b[l]-sin*a[l]
		}
	}
}

// polish recomputes the point on the active constraints, and their multipliers,
// from the data: no error accumulates over the steps. With Qᵀ = R⁻ᵀAᵀ,
//
//	y = R⁻ᵀb − Qᵀv⁰,   v = v⁰ + Q y,   x = R⁻¹y.
//
// A multiplier that comes out negative is one that is 0 to round-off; it keeps its
// value from the steps, and so does the point.
func (p *problem) polish() {
	k := len(p.active)
	y := p.extra[:k]
	for i, j := range p.active {
		y[i] = p.level(j)
	}
	p.forwardSubstitute(y)
	copy(p.direction, p.v0)
	for i := range y {
		q := p.q[i*p.d : (i+1)*p.d]
		y[i] -= p.routines.Dot(q, p.v0)
		p.routines.AddScaled(p.direction, y[i], q)
	}
	x := p.change[:k]
	copy(x, y)
	p.backSubstitute(x)
	for _, v := range x {
		if !(v >= 0) {
			return
		}
	}
	copy(p.point, p.direction)
	copy(p.multipliers, x)
}

// end checks the conditions at the point.
func (p *problem) end(st status.Status, iterations int) Result {
	p.routines.MatVec(p.values, p.normals, p.d, len(p.values), p.d, p.point)
	residual, distance2 := 0.0, 0.0
	for j, value := range p.values {
		violation := p.level(j) - value
		if p.norms[j] > 0 {
			violation /= p.norms[j]
		}
		if p.isActive[j] {
			violation = math.Abs(violation)
		}
		if violation > residual || math.IsNaN(violation) {
			residual = violation
		}
	}
	// v − v⁰ against Σ x a, which takes a pass over the active columns only.
	copy(p.direction, p.v0)
	for i, j := range p.active {
		p.routines.AddScaled(p.direction, p.multipliers[i], p.column(j))
	}
	misfit := 0.0
	for i, v := range p.point {
		misfit += (v - p.direction[i]) * (v - p.direction[i])
		distance2 += (v - p.v0[i]) * (v - p.v0[i])
	}
	residual = math.Max(residual, math.Sqrt(misfit))
	switch {
	case math.IsNaN(residual):
		st = status.Diverged
	case st == status.Converged && residual > 10*tolerance*p.scale:
		st = status.Roundoff
	}
	return Result{Status: st, Point: p.point, Active: p.active, Multipliers: p.multipliers,
		Distance2: distance2, Residual: residual, Iterations: iterations}
}

// Respond writes to dst the change of the multipliers of the active constraints for
// each unit of change of their levels by the given amounts, in the order of
// [Result.Active] and as long as that set stays active: G⁻¹·change, G the Gram
// matrix of the active columns. It is valid until the next call.
func (s *Solver) Respond(dst, change []float64) {
	if k := len(s.active); len(dst) != k || len(change) != k {
		panic(fmt.Sprintf("nnls: Respond: lengths %d and %d: want the %d active constraints", len(dst), len(change), k))
	}
	p := problem{Solver: s}
	copy(dst, change)
	p.forwardSubstitute(dst)
	p.backSubstitute(dst)
}

// Remove projects v orthogonally to the active columns, in place: the change of
// the point for a change v of v⁰, as long as the active set stays.
func (s *Solver) Remove(v []float64) {
	if len(v) != s.d {
		panic(fmt.Sprintf("nnls: Remove: length %d: want %d", len(v), s.d))
	}
	for range 2 {
		for i := range s.active {
			q := s.q[i*s.d : (i+1)*s.d]
			s.routines.AddScaled(v, -s.routines.Dot(q, v), q)
		}
	}
}
