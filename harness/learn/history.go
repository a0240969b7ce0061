package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// initialMetric is a guess B of an inverse Hessian.
type initialMetric interface {
	apply(dst, g []float64)
}

// history is the memory of L-BFGS: a ring of the last steps s and changes of
// the gradient y, the latter as z = B y with the initial metric B.
//
// The two loops of [NW06], algorithm 7.4, read the memory twice, one vector at
// a time, with a vector of length n to update at each. But all that they
// compute are products of s_j and z_j with g and combinations of them, and of
// the products between pairs only those with the newest are new. So one sweep
// over the memory for the products with g, a recursion on numbers, and one
// sweep for the combination do. Since y = g₁ − g₀, the products with the newest
// y are differences of those with g₁ and g₀, as good as y itself.
//
// Vectors are kept in float32, which halves what is read again: an H that is off
// by 1e-7 is as good a guess of the inverse Hessian. What depends on it is
// float64: g itself, s·y and y·B y of each pair, and the recursion.
type history struct {
	n, memory int
	convex    bool
	metric    initialMetric
	s, z      *vectors
	sy        []float64 // s_i·y_j, slot i not newer than j, memory×memory
	yz        []float64 // y_i·B y_j, memory×memory, symmetric
	next      int       // where the next pair goes
	count     int

	bg, newBg    []float64 // B g at the point reached
	sg, zg       []float64 // s_j·g, z_j·g there
	newSg, newZg []float64
	step, y, by  []float64
	single       []float32
	alpha, gamma []float64
	order        []int // the slots, the oldest first
}

// newHistory prepares a memory of the given number of pairs of length n. That
// the function is convex allows for longer steps where nothing is known.
func newHistory(memory, n int, b initialMetric, convex bool) *history {
	r := vecmath.New[float32](simd.Default())
	h := &history{n: n, memory: memory, convex: convex, metric: b, s: newVectors(r, memory, n), z: newVectors(r, memory, n)}
	h.order = make([]int, memory)
	h.sy, h.yz = make([]float64, memory*memory), make([]float64, memory*memory)
	for _, v := range []*[]float64{&h.sg, &h.zg, &h.newSg, &h.newZg, &h.alpha, &h.gamma} {
		*v = make([]float64, memory)
	}
	for _, v := range []*[]float64{&h.bg, &h.newBg, &h.step, &h.y, &h.by} {
		*v = make([]float64, n)
	}
	h.single = make([]float32, n)
	return h
}

func (h *history) forget() { h.count, h.next = 0, 0 }

// look takes g as the gradient at the point reached.
func (h *history) look(g []float64) {
	h.metric.apply(h.bg, g)
	h.products(h.sg, h.zg, g)
}

// products writes s_j·g and z_j·g for all pairs.
func (h *history) products(sg, zg, g []float64) {
	scale := narrow(h.single, g)
	h.s.products(sg[:h.count], h.single, scale)
	h.z.products(zg[:h.count], h.single, scale)
}

// add remembers the step from x0 to x1 and the change of the gradient from g0,
// the one looked at last, to g1, which it looks at. A pair without positive
// curvature, which factors can give, is left out.
func (h *history) add(x1, x0, g1, g0 []float64) {
	h.metric.apply(h.newBg, g1)
	h.products(h.newSg, h.newZg, g1)
	floats.SubTo(h.step, x1, x0)
	floats.SubTo(h.y, g1, g0)
	floats.SubTo(h.by, h.newBg, h.bg)
	sy, yz := floats.Dot(h.step, h.y), floats.Dot(h.y, h.by)
	if sy > 0 && yz > 0 {
		j, m := h.next, h.memory
		h.s.set(j, h.step)
		h.z.set(j, h.by)
		for i := range h.count {
			h.sy[i*m+j] = h.newSg[i] - h.sg[i]
			h.yz[i*m+j] = h.newZg[i] - h.zg[i]
			h.yz[j*m+i] = h.yz[i*m+j]
		}
		h.sy[j*m+j], h.yz[j*m+j] = sy, yz
		h.newSg[j], h.newZg[j] = floats.Dot(h.step, g1), floats.Dot(h.by, g1)
		h.next = (j + 1) % m
		h.count = min(h.count+1, m)
	}
	h.bg, h.newBg = h.newBg, h.bg
	h.sg, h.newSg = h.newSg, h.sg
	h.zg, h.newZg = h.newZg, h.zg
}

// scale is c of H₀ = c B: s·y/(y·B y) of the newest pair ([NW06], (7.20)). For a
// convex function it is the largest of all pairs: directions not yet taken are
// the flat ones, and short steps along them cost more than long ones. With it a
// decision at d = 24 takes 5 to 12% fewer passes, from 2% below capacity up;
// factors take as many more.
func (h *history) scale() float64 {
	if h.count == 0 {
		return 1
	}
	m := h.memory
	last := (h.next - 1 + m) % m
	c := h.sy[last*m+last] / h.yz[last*m+last]
	if h.convex {
		for j := range h.count {
			c = max(c, h.sy[j*m+j]/h.yz[j*m+j])
		}
	}
	return c
}

// direction writes −H g to dst, g the gradient looked at last: [NW06],
// algorithm 7.4, with the initial matrix H₀ = c B. Without memory it is −B g.
// With γ_j = α_j − β_j,
//
//	α_j = s_j·(g − Σ_{i newer} α_i y_i)/(s_j·y_j),
//	β_j = y_j·(c B (g − Σ_i α_i y_i) + Σ_{i older} γ_i s_i)/(s_j·y_j),
//	H g = c (B g − Σ α_j z_j) + Σ γ_j s_j.
func (h *history) direction(dst []float64) {
	m, c := h.memory, h.scale()
	order := h.order[:h.count]
	for a := range order {
		order[a] = (h.next - h.count + a + m) % m
	}
	for a := len(order) - 1; a >= 0; a-- {
		j := order[a]
		sum, row := h.sg[j], h.sy[j*m:]
		for _, i := range order[a+1:] {
			sum -= h.alpha[i] * row[i]
		}
		h.alpha[j] = sum / row[j]
	}
	for a, j := range order {
		sum, row := h.zg[j], h.yz[j*m:]
		for i, alpha := range h.alpha[:h.count] {
			sum -= alpha * row[i]
		}
		sum *= c
		for _, i := range order[:a] {
			sum += h.gamma[i] * h.sy[i*m+j]
		}
		h.gamma[j] = h.alpha[j] - sum/h.sy[j*m+j]
	}
	for j := range h.count {
		h.alpha[j] *= c
		h.gamma[j] = -h.gamma[j]
	}
	floats.ScaleTo(dst, -c, h.bg)
	h.z.combine(dst, h.alpha[:h.count])
	h.s.combine(dst, h.gamma[:h.count])
}

// vectors are up to a number of vectors of length n in float32, each times a
// power of 2 of its own that makes its largest entry about 1.
type vectors struct {
	routines *vecmath.Routines[float32]
	n, most  int
	blocks   [][]float32 // of up to blockRows rows
	scale    []float64   // vector j is scale[j] times row j
	buffer   []float32   // n
	few      []float32   // blockRows
}

// blockRows is how many vectors are allocated at a time: a memory is seldom
// full, and as large as many pools if it is.
const blockRows = 16

func newVectors(r *vecmath.Routines[float32], most, n int) *vectors {
	return &vectors{routines: r, n: n, most: most, scale: make([]float64, most), buffer: make([]float32, n), few: make([]float32, blockRows)}
}

// row returns row j.
func (v *vectors) row(j int) []float32 {
	for len(v.blocks) <= j/blockRows {
		rows := min(blockRows, v.most-len(v.blocks)*blockRows)
		v.blocks = append(v.blocks, make([]float32, rows*v.n))
	}
	from := j % blockRows * v.n
	return v.blocks[j/blockRows][from : from+v.n]
}

// set makes x vector j.
func (v *vectors) set(j int, x []float64) { v.scale[j] = narrow(v.row(j), x) }

// products writes v_j·(scale x) to dst, for the first len(dst) vectors.
func (v *vectors) products(dst []float64, x []float32, scale float64) {
	for from := 0; from < len(dst); from += blockRows {
		rows := min(blockRows, len(dst)-from)
		few := v.few[:rows]
		v.routines.MatVec(few, v.blocks[from/blockRows], v.n, rows, v.n, x)
		for i, product := range few {
			dst[from+i] = float64(product) * scale * v.scale[from+i]
		}
	}
}

// combine adds Σ c_j v_j to dst, for the first len(c) vectors.
func (v *vectors) combine(dst, c []float64) {
	for from := 0; from < len(c); from += blockRows {
		rows := min(blockRows, len(c)-from)
		few, largest := v.few[:rows], 0.0
		for i := range few {
			largest = max(largest, math.Abs(c[from+i]*v.scale[from+i]))
		}
		power := powerAbove(largest)
		for i := range few {
			few[i] = float32(c[from+i] * v.scale[from+i] / power)
		}
		v.routines.MatVecTrans(v.buffer, v.blocks[from/blockRows], v.n, rows, v.n, few)
		for i, x := range v.buffer {
			dst[i] += power * float64(x)
		}
	}
}

// narrow writes x divided by a power of 2 to dst, with a largest entry in
// [½, 1), and returns that power.
func narrow(dst []float32, x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	power := powerAbove(largest)
	inverse := 1 / power
	for i, v := range x {
		dst[i] = float32(v * inverse)
	}
	return power
}

// powerAbove returns the power of 2 above x ≥ 0, or one whose inverse is finite;
// dividing by it rounds nothing.
func powerAbove(x float64) float64 {
	_, exponent := math.Frexp(x)
	return math.Ldexp(1, min(max(exponent, -1000), 1000))
}
