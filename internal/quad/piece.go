package quad

import "math"

// piece is a part of the range with its change of variable.
//
// scale 0: x is the variable itself, on [lo, hi].
// scale s ≠ 0: x = origin + s(1−u)/u for u in (0, 1], dx = |s|/u² du. Near
// infinity u is small, so it is u that keeps full relative accuracy; near the
// origin it is t = 1 − u, and segments there (near = true) are kept in t.
type piece struct {
	lo, hi float64 // range of the variable
	origin float64
	scale  float64
}

func finitePiece(a, b float64) *piece { return &piece{lo: a, hi: b} }

// halfLine is [c, ∞) for s > 0 and (−∞, c] for s < 0.
func halfLine(c, s float64) *piece { return &piece{lo: 0, hi: 1, origin: c, scale: s} }

// evaluate returns f(x) dx/dv at the variable v.
func (p *piece) evaluate(f func(float64) float64, v float64, near bool) float64 {
	if p.scale == 0 {
		return f(v)
	}
	t, u := 1-v, v
	if near {
		t, u = v, 1-v
	}
	y := f(p.origin + p.scale*(t/u))
	if y == 0 {
		return 0 // not 0·∞ where 1/u² overflows
	}
	return y * (math.Abs(p.scale) / (u * u))
}

// narrow reports that an interval of a variable is too short for 21 distinct
// points inside it.
func narrow(lo, hi float64) bool {
	const ends = 0.002 // the outermost node is this fraction of the width inside
	return ends*(hi-lo) <= 4*epsilon*math.Max(math.Abs(lo), math.Abs(hi))
}
