package learn

import "gonum.org/v1/gonum/floats"

// history is the memory of L-BFGS: a ring of the last steps s and changes of
// the gradient y.
type history struct {
	s, y       [][]float64
	rho, alpha []float64 // rho = 1/(s·y)
	scratch    []float64
	next       int // where the next pair goes
	count      int
}

func newHistory(memory, n int) *history {
	h := &history{
		s: make([][]float64, memory), y: make([][]float64, memory),
		rho: make([]float64, memory), alpha: make([]float64, memory), scratch: make([]float64, n),
	}
	for i := range memory {
		h.s[i], h.y[i] = make([]float64, n), make([]float64, n)
	}
	return h
}

func (h *history) forget() { h.count, h.next = 0, 0 }

// add remembers the step from x0 to x1 and the change of the gradient. A pair
// without positive curvature, which factors can give, is left out.
func (h *history) add(x1, x0, g1, g0 []float64) {
	s, y := h.s[h.next], h.y[h.next]
	floats.SubTo(s, x1, x0)
	floats.SubTo(y, g1, g0)
	sy := floats.Dot(s, y)
	if !(sy > 0) {
		return
	}
	h.rho[h.next] = 1 / sy
	h.next = (h.next + 1) % len(h.s)
	h.count = min(h.count+1, len(h.s))
}

// direction writes −H g to dst: the two loops of [NW06], algorithm 7.4, with
// the initial matrix H₀ = c B, B the preconditioner and c as in their (7.20).
// Without memory it is −B g.
func (h *history) direction(dst, g []float64, b *preconditioner) {
	copy(dst, g)
	m := len(h.s)
	for i := 1; i <= h.count; i++ { // from the newest to the oldest
		j := (h.next - i + m) % m
		h.alpha[j] = h.rho[j] * floats.Dot(h.s[j], dst)
		floats.AddScaled(dst, -h.alpha[j], h.y[j])
	}
	c := 1.0
	if h.count > 0 {
		last := (h.next - 1 + m) % m
		b.apply(h.scratch, h.y[last])
		c = 1 / (h.rho[last] * floats.Dot(h.y[last], h.scratch))
	}
	b.apply(h.scratch, dst)
	floats.ScaleTo(dst, c, h.scratch)
	for i := h.count; i >= 1; i-- {
		j := (h.next - i + m) % m
		beta := h.rho[j] * floats.Dot(h.y[j], dst)
		floats.AddScaled(dst, h.alpha[j]-beta, h.s[j])
	}
	floats.Scale(-1, dst)
}
