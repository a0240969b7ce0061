package saddle

import (
	"math"
	"math/cmplx"

	"lamcap/extremes"
	"lamcap/internal/logarithm"
)

// pushGrid are nodes of a push w and of what it leaves of χ, in q = log(w/(χ − w)), in which
// either may be small: panels of Gauss-Legendre nodes from low w up.
type pushGrid struct {
	half   []float64
	weight []float64 // of an integral over q
	// w, χ − w and their logarithms.
	push, rest, logPush, logRest []float64
}

// newPushGrid places nodes from lo to hi at steps of 1/rate. Of ties, panels end at w =
// χ/(k + 1), k = 1 … ties, and are graded below: there k other pushes next to w, with nothing left,
// become possible.
func newPushGrid(panel *gaussPanel, chi, lo, hi float64, ties int, rate func(push, rest float64) float64) *pushGrid {
	g := new(pushGrid)
	split := func(q float64) (push, rest, logPush, logRest float64) {
		log := math.Log(chi)
		logPush = log - softplus(-q)
		logRest = log - softplus(q)
		return math.Exp(logPush), math.Exp(logRest), logPush, logRest
	}
	at := func(q float64) float64 {
		push, rest, _, _ := split(q)
		return rate(push, rest)
	}
	for q := lo; q < hi; {
		width := panelOrder / at(q)
		width = math.Min(width, panelOrder/at(q+width))
		for k := 1; k <= ties; k++ {
			if end := -math.Log(float64(k)); q < end {
				below := math.Max(0.7*(end-q), 1e-5*math.Pow(30, float64(k-1)))
				width = math.Min(width, below)
				if q+1.01*width > end {
					width = end - q
				}
			}
		}
		h := width / 2
		g.half = append(g.half, h)
		for i, x := range panel.x {
			push, rest, logPush, logRest := split(q + h*(1+x))
			g.weight = append(g.weight, h*panel.w[i])
			g.push, g.rest = append(g.push, push), append(g.rest, rest)
			g.logPush, g.logRest = append(g.logPush, logPush), append(g.logRest, logRest)
		}
		q += width
	}
	return g
}

// softplus is log(1 + e^q).
func softplus(q float64) float64 { return math.Max(q, 0) + math.Log1p(math.Exp(-math.Abs(q))) }

// logit returns log(w/(χ − w)) from log w, at most the given bound.
func logit(logPush, chi, bound float64) float64 {
	share := logPush - math.Log(chi)
	if share >= 0 {
		return bound
	}
	return math.Min(bound, share-logarithm.OneMinusExp(share))
}

// lowestLargest returns the log push below which the largest of n − 1 competitors at a level
// next to never is.
func (e *ensemble) lowestLargest(x float64, negligible float64) float64 {
	t, err := extremes.CDFQuantile(negligible / (e.n - 1))
	if err != nil {
		t = -reach
	}
	return logPush(e.soft, e.r*t-x)
}

// lowestTarget returns that of the target's.
func (e *ensemble) lowestTarget(x float64, negligible float64) float64 {
	return logPush(e.soft, e.chi-math.Sqrt(-2*negligible)*e.r-x)
}

// smallStep is the step in log w: pushes below 1 only shift normals, on the scale of r.
func (e *ensemble) smallStep(step, push float64) float64 {
	if push < 1e-2 {
		return math.Max(step, e.r/30)
	}
	return step
}

// saddleOf is where the contour of a law crosses the real axis: as crossing, but negative too
// where the target's normal alone bounds the level.
func (l *level) saddleOf() (float64, chernoff) {
	if !l.far {
		return l.crossing()
	}
	c, t := l.saddle(-200)
	return math.Max(c, -3/l.e.r), t
}

// onContour are the points of a contour with what the competitors give.
type onContour struct {
	z, weight, log, j []complex128 // weight has dz/π
}

// contour follows it to where e^{zd} φ^{n−1} is negligible for all d ≥ least.
func (l *level) contour(o resolution, c float64, t chernoff, least float64) onContour {
	bend := math.Min(o.bend, 0.8*l.angle)
	h := hyperbola{c: c, a: 1 / math.Sqrt(t.curvature), sin: math.Sin(bend), cos: math.Cos(bend), step: o.lineStep}
	var out onContour
	var now, last transforms
	var previous *transforms
	greatest := math.Inf(-1)
	for k, quiet := 0, 0; k < 2000 && quiet < 3; k++ {
		z, dz := h.at(float64(k) * h.step)
		now, _ = l.transform(z, l.turnFor(z), previous)
		log := complex(l.e.n-1, 0) * now.log
		if cmplx.IsNaN(log) || cmplx.IsInf(log) {
			break
		}
		weight := h.step / math.Pi
		if k == 0 {
			weight /= 2
		}
		out.z = append(out.z, z)
		out.weight = append(out.weight, complex(weight, 0)*dz)
		out.log = append(out.log, log)
		out.j = append(out.j, complex(l.e.n-1, 0)*now.j)
		size := real(log) + real(z)*least + math.Log(cmplx.Abs(dz)*(1+l.e.n*cmplx.Abs(now.j)))
		greatest = math.Max(greatest, size)
		quiet++
		if size > greatest-39 {
			quiet = 0
		}
		last = now
		previous = &last
	}
	return out
}

// sums returns C_0 and C_1 at d, times e^{factor}.
func (p *onContour) sums(d, factor float64) (c0, c1 float64) {
	var a, b complex128
	for k, z := range p.z {
		exponent := z*complex(d, 0) + p.log[k]
		size := real(exponent) + factor
		if size < -80 {
			continue
		}
		sin, cos := math.Sincos(imag(exponent))
		size = math.Exp(size)
		f := complex(size*cos, size*sin) * p.weight[k]
		a += f
		b += f * p.j[k]
	}
	return imag(a), imag(b)
}

// correctJoint tabulates the joint density of the level and of d = χ − w_0.
func (e *ensemble) correctJoint(panel *gaussPanel, o lawResolution, g levelGrid) *jointTable {
	top := g.x[len(g.x)-1]
	const widest = 800
	// d is least where all competitors are low, and w_0 where the target is.
	lo := logit(e.lowestLargest(top, o.negligible), e.chi, widest)
	hi := -logit(e.lowestTarget(top, o.negligible), e.chi, widest)
	if hi < lo {
		lo, hi = hi, lo
	}
	p := newPushGrid(panel, e.chi, lo, hi, 0, func(d, w float64) float64 {
		return 1/e.smallStep(o.pushStep, d) + d/e.chi*(e.soft+w)/(e.r*o.normStep)
	})
	least := p.push[0]
	largest := math.Max(g.largest, 45/(math.Sin(0.5*o.bend)*least))
	rows := make([][]float64, len(g.x))
	parallel(len(g.x), func(i int) {
		rows[i] = make([]float64, len(p.push))
		l := newLevel(e, panel, o.resolution, g.x[i], largest)
		c, t := l.saddleOf()
		if !(t.curvature > 0) || math.IsNaN(t.value) {
			return
		}
		line := l.contour(o.resolution, c, t, least)
		for j, d := range p.push {
			w := p.rest[j]
			t0 := (g.x[i] + e.soft*p.logRest[j] - d) / e.r
			factor := extremes.LogDensity(t0)
			if factor < -120 || len(line.z) == 0 || factor+c*d+real(line.log[0]) < -60 {
				continue
			}
			c0, c1 := line.sums(d, factor)
			rows[i][j] = p.weight[j] * d / (e.chi * e.r) * (w*c0 + (e.soft+w)*c1)
		}
	})
	offset := make([]float64, len(p.push))
	for j := range offset {
		offset[j] = e.soft * p.logRest[j]
	}
	return newJointTable(g, offset, rows)
}
