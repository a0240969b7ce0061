package saddle

import "math"

// tilt is κ and Λ in the plane (axis, across) and across it.
type tilt struct{ k1, k2, l11, l12, l22, lRest float64 }

// moments are G and the tilted second moments of x.
type moments struct{ g, m1, m2, m11, m12, m22, mRest float64 }

func (p *pool) tilted(sites []site, t *tilt) moments {
	var m moments
	for i := range sites {
		s := &sites[i]
		linear := t.k1*s.along + t.k2*s.across
		square := 0.5 * (t.l11*s.along*s.along + 2*t.l12*s.along*s.across + t.l22*s.across*s.across +
			t.lRest*s.rest)
		var f, f1, f2 float64
		for j, e := range p.radius.nodes {
			damp := p.radius.weights[j] * math.Exp(-square*e*e)
			grow := math.Exp(linear * e)
			sym := 0.5 * damp * (grow + 1/grow)
			f += sym
			f1 += 0.5 * damp * (grow - 1/grow) * e
			f2 += sym * e * e
		}
		f, f1, f2 = f*s.weight, f1*s.weight, f2*s.weight
		m.g += f
		m.m1 += f1 * s.along
		m.m2 += f1 * s.across
		m.m11 += f2 * s.along * s.along
		m.m12 += f2 * s.along * s.across
		m.m22 += f2 * s.across * s.across
		m.mRest += f2 * s.rest
	}
	return m
}

// stationary finds κ and Λ for the interference (b1, b2), starting at t, and
// returns Ψ; ok is false if they were not found. Newton steps take κ to
// N⟨x⟩ = b, where log G is convex; only then Λ^{−1} moves to N cov(x). (Both at
// once spiral, outwards for p < d/2.)
//
// With plain set, Λ stays 0 in G and Ψ is that of the saddle point.
func (p *pool) stationary(sites []site, b1, b2 float64, t *tilt, plain bool) (psi float64, ok bool) {
	n := p.others
	for range maxSweeps {
		m := p.tilted(sites, t)
		if !(m.g > 0) {
			return math.NaN(), false
		}
		c := p.covariance(m)
		det := c.l11*c.l22 - c.l12*c.l12
		if !(det > 0 && c.l11 > 0) {
			return math.NaN(), false
		}
		f1, f2 := b1/n-c.k1, b2/n-c.k2
		step1, step2 := (c.l22*f1-c.l12*f2)/det, (c.l11*f2-c.l12*f1)/det
		// Lengths of κ are counted against its natural unit, 1/√N.
		step := math.Hypot(step1, step2) * math.Sqrt(n)
		change := step
		if longest := 0.3 * (0.5 + math.Hypot(t.k1, t.k2)*math.Sqrt(n)); step > longest {
			step1, step2 = step1*longest/step, step2*longest/step
		}
		psi = n*math.Log(m.g) - t.k1*b1 - t.k2*b2
		if plain {
			if step < sweepTolerance {
				return psi - 0.5*p.logDet(c), true
			}
		} else if step < settled {
			was := *t
			t.l11, t.l12, t.l22 = c.l22/(det*n), -c.l12/(det*n), c.l11/(det*n)
			if p.d > 2 {
				t.lRest = 1 / (c.lRest * n)
				change += math.Abs(t.lRest-was.lRest) / was.lRest
			}
			change += math.Abs(t.l11-was.l11)/was.l11 + math.Abs(t.l12-was.l12)/math.Sqrt(was.l11*was.l22) +
				math.Abs(t.l22-was.l22)/was.l22
			if change < sweepTolerance {
				return psi + (was.l11*b1*b1+2*was.l12*b1*b2+was.l22*b2*b2)/(2*n) + 0.5*p.logDet(was), true
			}
		}
		t.k1 += step1
		t.k2 += step2
	}
	return math.NaN(), false
}

// covariance returns mean and covariance of x in the places of κ and Λ.
func (p *pool) covariance(m moments) tilt {
	m1, m2 := m.m1/m.g, m.m2/m.g
	return tilt{
		k1: m1, k2: m2,
		l11: m.m11/m.g - m1*m1, l12: m.m12/m.g - m1*m2, l22: m.m22/m.g - m2*m2,
		lRest: m.mRest / m.g / math.Max(1, p.dimension-2),
	}
}

// logDet returns log det of the matrix of t in R^d.
func (p *pool) logDet(t tilt) float64 {
	v := math.Log(t.l11*t.l22 - t.l12*t.l12)
	if p.d > 2 {
		v += (p.dimension - 2) * math.Log(t.lRest)
	}
	return v
}

const (
	maxSweeps = 60
	// settled is the length of a step of κ, in units of 1/√N, below which Λ moves.
	settled = 0.03
	// sweepTolerance is the relative change of κ and Λ; Ψ is stationary, so
	// its error is of the order of the square.
	sweepTolerance = 1e-3
)

// start remembers the solutions at the last point, from which the next are sought.
type start struct {
	known         bool
	free          tilt // for the whole law, b on the axis
	capped, along tilt // for the defective law, and free turned to that b
}

// turned is a tilt for b on the axis, turned to the direction (c, s).
func (t tilt) turned(c, s float64) tilt {
	return tilt{
		k1:    t.k1 * c,
		k2:    t.k1 * s,
		l11:   t.l11*c*c + t.l22*s*s,
		l12:   (t.l11 - t.l22) * c * s,
		l22:   t.l11*s*s + t.l22*c*c,
		lRest: t.lRest,
	}
}

// notExceeded returns P(recalled | b) for interference b1 along a and b2 across
// it; sure is false if only the saddle point without Λ was found: for p < d
// a small b fixes every ε_ν, and no Λ > 0 describes that.
func (p *pool) notExceeded(sites []site, b1, b2 float64, last *start) (probability float64, sure bool) {
	b := math.Hypot(b1, b2)
	n := p.others
	free := tilt{k1: b / n / (1 + p.dimension/n), l11: 1 / n, l22: 1 / n, lRest: 1 / n}
	if last.known {
		free = last.free
	}
	whole, ok := p.stationary(p.symmetric, b, 0, &free, false)
	if !ok {
		*last = start{}
		return p.plainNotExceeded(sites, b1, b2), false
	}
	along := free.turned(b1/b, b2/b)
	t := along
	if last.known {
		t.k1 += last.capped.k1 - last.along.k1
		t.k2 += last.capped.k2 - last.along.k2
		t.l11 *= last.capped.l11 / last.along.l11
		t.l22 *= last.capped.l22 / last.along.l22
		t.lRest *= last.capped.lRest / last.along.lRest
	}
	defective, ok := p.stationary(sites, b1, b2, &t, false)
	if !ok {
		*last = start{}
		return p.plainNotExceeded(sites, b1, b2), false
	}
	*last = start{known: true, free: free, capped: t, along: along}
	return math.Min(1, math.Exp(defective-whole)), true
}

// plainNotExceeded is notExceeded by the saddle point alone, NaN if that fails.
func (p *pool) plainNotExceeded(sites []site, b1, b2 float64) float64 {
	b := math.Hypot(b1, b2)
	free := tilt{k1: b / p.others / (1 + p.dimension/p.others)}
	whole, _ := p.stationary(p.symmetric, b, 0, &free, true)
	t := free.turned(b1/b, b2/b)
	defective, _ := p.stationary(sites, b1, b2, &t, true)
	return math.Min(1, math.Exp(defective-whole))
}
