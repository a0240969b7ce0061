package saddle

import (
	"math"
	"math/cmplx"
)

// transforms are those of one competitor and of the target at a complex z: with
// φ = E e^{−zω} and hats for E[· e^{−zω}]/φ,
type transforms struct {
	target    *nodes // on the target's line
	z         complex128
	log, log0 complex128 // log φ
	psi, phi0 complex128 // φ − 1 of a competitor, φ of the target
	slope     complex128 // ŵ
	j, q, qj  complex128 // Ĵ, of w², of w² J
	j0, q0    complex128 // the target's Ĵ, of (χ − w)²
	qj0       complex128 // of (χ − w)² J
	v, vj     complex128 // of v = soft·log w, of v J
	vv, vvj   complex128 // of v², of v² J
}

// fillExponentials sets e^{−zω} and e^{−zω} − 1 at the nodes.
func (n *nodes) fillExponentials(z complex128) {
	zr, zi := real(z), imag(z)
	for j, w := range n.omega {
		wr, wi := real(w), imag(w)
		pr, pi := zi*wi-zr*wr, -zr*wi-zi*wr
		if math.Abs(pr)+math.Abs(pi) < 0.1 {
			p := complex(pr, pi)
			s := complex(1.0/10, 0)
			s = 1 + p*s
			for k := 9; k >= 2; k-- {
				s = 1 + p*s*complex(inverse[k], 0)
			}
			em := p * s
			n.em[j], n.e[j] = em, 1+em
			continue
		}
		if pr < -745 {
			n.e[j], n.em[j] = 0, -1
			continue
		}
		sin, cos := math.Sincos(pi)
		size := math.Exp(pr)
		n.e[j] = complex(size*cos, size*sin)
		n.em[j] = complex(size*cos-1, size*sin)
	}
}

// inverse holds 1/k.
var inverse = [...]float64{0, 1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 1.0 / 7, 1.0 / 8, 1.0 / 9}

// turnFor chooses the angle of the w-contour: none near the axis, where normals
// outweigh e^{−zω}, and elsewhere enough for e^{−zω} to decay.
func (l *level) turnFor(z complex128) int {
	ramp := (turns - 1) * math.Min(1, math.Abs(imag(z))*l.scale/4)
	lean := math.Atan2(math.Abs(imag(z)), real(z)) - math.Pi/2
	needed := (turns - 1) * math.Max(0, math.Min(1, (lean+0.3)/l.angle))
	return int(math.Round(math.Min(ramp, needed)))
}

// transform evaluates the one-variable transforms at z. last is what they were at
// the point before on the contour, from which the branch of the logarithm is
// followed; nil for a real z.
func (l *level) transform(z complex128, turn int, last *transforms) (transforms, *nodes) {
	n, n0 := l.at(turn)
	n.fillExponentials(z)
	if n0 != n {
		n0.fillExponentials(z)
	}
	t := transforms{z: z}
	var psi, fw, fj, fq, fqj, phi0, f0j, g0, g0j, v, vj, vv, vvj complex128
	for j, e := range n.e {
		fw += n.fw[j] * e
		fj += n.fj[j] * e
		fq += n.fq[j] * e
		fqj += n.fqj[j] * e
	}
	for j, e := range n0.e {
		f0j += n0.f0j[j] * e
		g0j += n0.g0j[j] * e
		vj += n0.vj[j] * e
		vvj += n0.vvj[j] * e
	}
	for j, em := range n.em {
		psi += n.f[j] * em
	}
	phi := 1 + psi
	if l.whole && cmplx.Abs(psi) > 0.5 {
		phi = 0
		for j, e := range n.e {
			phi += n.f[j] * e
		}
	}
	if l.whole0 {
		for j, e := range n0.e {
			phi0 += n0.f0[j] * e
			g0 += n0.g0[j] * e
			v += n0.v[j] * e
			vv += n0.vv[j] * e
		}
	} else {
		for j, em := range n0.em {
			phi0 += n0.f0[j] * em
			g0 += n0.g0[j] * em
			v += n0.v[j] * em
			vv += n0.vv[j] * em
		}
		phi0++
		g0 += complex(l.mean.square, 0)
		v += complex(l.mean.left, 0)
		vv += complex(l.mean.leftSquare, 0)
	}
	t.psi, t.phi0 = psi, phi0
	if cmplx.Abs(psi) < 0.5 {
		t.log = log1pComplex(psi)
	} else {
		t.log = cmplx.Log(phi)
	}
	t.log0 = cmplx.Log(phi0)
	t.slope = fw / phi
	if last != nil {
		// d log φ/dz = −ŵ tells which branch is the continuous one.
		expected := imag(last.log) - imag((last.slope+t.slope)*(z-last.z))/2
		t.log += complex(0, 2*math.Pi*math.Round((expected-imag(t.log))/(2*math.Pi)))
	}
	t.j, t.q, t.qj = fj/phi, fq/phi, fqj/phi
	t.j0, t.q0, t.qj0 = f0j/phi0, g0/phi0, g0j/phi0
	t.v, t.vj, t.vv, t.vvj = v/phi0, vj/phi0, vv/phi0, vvj/phi0
	t.target = n0
	return t, n
}

func log1pComplex(psi complex128) complex128 {
	x, y := real(psi), imag(psi)
	return complex(math.Log1p(x*(2+x)+y*y)/2, math.Atan2(y, 1+x))
}

// hyperbola is the line through the real saddle point c,
//
//	z(s) = c + a [i cos δ sinh s − sin δ (cosh s − 1)],
//
// whose ends lean to the left, where e^{zχ} decays.
type hyperbola struct {
	c, a, sin, cos float64
	step           float64
}

func (h hyperbola) at(s float64) (z, dz complex128) {
	sinh, cosh := math.Sinh(s), math.Cosh(s)
	z = complex(h.c-h.a*h.sin*(cosh-1), h.a*h.cos*sinh)
	dz = complex(-h.a*h.sin*sinh, h.a*h.cos*cosh)
	return z, dz
}

// maxLine limits the nodes of a contour.
const maxLine = 400

// line integrates the functions that visit returns along the upper half of the
// contour, ∫ dz from c upwards, with half the weight at c. visit gets
// log E e^{z(χ − Σ w)}.
func (l *level) line(o resolution, c float64, t chernoff, count int, visit func(t *transforms, n *nodes, exponent complex128, out []complex128)) []complex128 {
	bend := math.Min(o.bend, 0.8*l.angle) // Re zω > 0 at the ends, for competitors
	h := hyperbola{c: c, a: 1 / math.Sqrt(t.curvature), sin: math.Sin(bend), cos: math.Cos(bend), step: o.lineStep}
	total := make([]complex128, count)
	values := make([]complex128, count)
	greatest := make([]float64, count)
	var now, last transforms
	var previous *transforms
	for k, quiet := 0, 0; k < maxLine && quiet < 3; k++ {
		z, dz := h.at(float64(k) * h.step)
		var n *nodes
		now, n = l.transform(z, l.turnFor(z), previous)
		exponent := z*complex(l.e.chi-l.offset, 0) + now.log0 + complex(l.e.n-1, 0)*now.log
		if cmplx.IsNaN(exponent) || cmplx.IsInf(exponent) {
			break // φ = 0: nothing is left
		}
		clear(values)
		visit(&now, n, exponent, values)
		weight := complex(h.step, 0)
		if k == 0 {
			weight /= 2
		}
		quiet++
		for i, v := range values {
			v *= dz
			total[i] += weight * v
			size := math.Abs(real(v)) + math.Abs(imag(v))
			greatest[i] = math.Max(greatest[i], size)
			if size > 1e-17*greatest[i] {
				quiet = 0
			}
		}
		last = now
		previous = &last
	}
	return total
}

// onLine is (1/2πi) ∫ dz along the whole contour of an integrand with f(z̄) the
// conjugate of f(z), from its upper half.
func onLine(upper complex128) float64 { return imag(upper) / math.Pi }
