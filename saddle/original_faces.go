package saddle

import (
	"math"

	"lamcap/extremes"
	"lamcap/internal/faddeeva"
)

// faceTable holds what the integrals over faces share: log Φ on a lattice of heights.
type faceTable struct {
	n, d   float64
	most   int // tight constraints followed
	logCDF []float64
}

const (
	heightStep  = 0.02
	heightReach = 10.0
	// frequencies of the trapezoidal rule for the multipliers, on [0, multiplierReach σ].
	multiplierFrequencies = 200
	multiplierReach       = 9.0
)

func newFaceTable(n float64, dOut int) *faceTable {
	f := &faceTable{n: n, d: float64(dOut)}
	// |A| has mean and variance below 2 log n + 1.
	size := 2*math.Log(n) + 1
	f.most = int(math.Min(size+12*math.Sqrt(size)+10, math.Min(math.Floor(n)-1, f.d-1)))
	for h := -heightReach; h <= heightReach; h += heightStep {
		f.logCDF = append(f.logCDF, extremes.LogCDF(h))
	}
	return f
}

// response sums over all faces, for one value of variance square.
func (f *faceTable) response(square float64) (s poolResponse) {
	d, sigma := f.d, math.Sqrt(square)
	s.mass = f.heights(1/square, f.n-1, nil).total(1 / (sigma * math.Sqrt(2*math.Pi)))
	for k := 1; k <= f.most; k++ {
		kf := float64(k)
		kappa := kf + 1/square
		// Gaussian densities, the Jacobian of (h, η) and the number of faces.
		logNorm := -(kf+1)/2*math.Log(2*math.Pi) + math.Log(sigma*kf+1/sigma)
		along := d - kf
		quadratic := square * square * (along + kf/d)
		constant := kf*square - kf/d*((d+1)*square-2/kappa)
		height := f.heights(kappa, f.n-1-kf, nil)
		add := func(a, b *float64, sign, logCount float64, m multipliers) float64 {
			scale := math.Exp(logCount + logNorm + height.log + m.log)
			*a += sign * 2 * square * along * scale * height.moment[1] * m.moment[1]
			*b += scale * (height.moment[0]*(m.moment[0]*constant+m.moment[2]*quadratic) - kf/d*height.moment[2]*m.moment[0])
			return scale * height.moment[0] * m.moment[0]
		}
		s.mass += add(&s.targetA, &s.targetB, -1, logChoose(f.n-1, kf), targetMultiplier(k, square))
		add(&s.competitorA, &s.competitorB, 1, math.Log(f.n-1)+logChoose(f.n-2, kf-1), tightMultiplier(k, square))
		if kf > f.n-2 {
			continue
		}
		// Not tight: E(σ² − x²; x < h) = σ² z φ(z).
		below := f.heights(kf+1, f.n-2-kf, func(h float64) float64 {
			z := h / sigma
			return z * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		})
		m := targetMultiplier(k, 1)
		s.competitorB += below.moment[0] * m.moment[0] * kf / d * square * math.Exp(
			math.Log(f.n-1)+logChoose(f.n-2, kf)-(kf+1)/2*math.Log(2*math.Pi)+math.Log(kf+1)+below.log+m.log)
	}
	return s
}

func logChoose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}

// multipliers are moments 0, 1, 2 over e^log.
type multipliers struct {
	log    float64
	moment [3]float64
}

func (m multipliers) total(factor float64) float64 { return factor * math.Exp(m.log) * m.moment[0] }

// heights returns the moments ∫ h^m exp(−κh²/2) Φ(h)^power weight(h) dh; weight nil is 1.
func (f *faceTable) heights(kappa, power float64, weight func(h float64) float64) multipliers {
	m := multipliers{log: math.Inf(-1)}
	exponent := func(i int) (h, e float64) {
		h = -heightReach + float64(i)*heightStep
		return h, -kappa*h*h/2 + power*f.logCDF[i]
	}
	for i := range f.logCDF {
		_, e := exponent(i)
		m.log = math.Max(m.log, e)
	}
	for i := range f.logCDF {
		h, e := exponent(i)
		if e -= m.log; e < -50 {
			continue
		}
		w := heightStep * math.Exp(e)
		if weight != nil {
			w *= weight(h)
		}
		m.moment[0] += w
		m.moment[1] += w * h
		m.moment[2] += w * h * h
	}
	return m
}

// halfLine returns ∫_0^∞ λ^m exp(iζλ − vλ²/2) dλ for m = 0, 1, 2.
func halfLine(zeta complex128, v float64) [3]complex128 {
	root := math.Sqrt(v)
	z := zeta / complex(root, 0)
	g0 := complex(math.Sqrt(math.Pi/2), 0) * faddeeva.W(z/complex(math.Sqrt2, 0))
	g1 := 1 + 1i*z*g0
	g2 := g0 + 1i*z*g1
	return [3]complex128{g0 / complex(root, 0), g1 / complex(v, 0), g2 / complex(v*root, 0)}
}

// targetMultiplier returns the moments of Λ = Σλ: ∫ Λ^m exp(−Σλ²/2 − vΛ²/2) dλ_1 … dλ_k.
func targetMultiplier(k int, v float64) multipliers {
	return fourier(k, v, func(zeta complex128) [3]complex128 {
		g := halfLine(zeta, 1)
		kf := complex(float64(k), 0)
		ratio := g[1] / g[0]
		return [3]complex128{1, kf * ratio, kf*g[2]/g[0] + kf*(kf-1)*ratio*ratio}
	})
}

// tightMultiplier returns the moments of λ_1: ∫ λ_1^m exp(−vλ_1²/2 − Σ_{i>1}λ_i²/2 − Λ²/2) dλ.
func tightMultiplier(k int, v float64) multipliers {
	return fourier(k, 1, func(zeta complex128) [3]complex128 {
		g, one := halfLine(zeta, 1), halfLine(zeta, v)
		return [3]complex128{one[0] / g[0], one[1] / g[0], one[2] / g[0]}
	})
}

// fourier returns the real parts of
//
//	e^{vc²/2} ∫ exp(−ω²/2v − iωc) g(ω + ivc)^k factor(ω + ivc) dω/√(2πv),
//	g(ζ) = ∫_0^∞ exp(iζλ − λ²/2) dλ,
//
// which is ∫ exp(−Σλ²/2 − vΛ²/2) at factor 1 for any c: at c = the mean of Λ under the
// tilt, nothing oscillates.
func fourier(k int, v float64, factor func(zeta complex128) [3]complex128) multipliers {
	lo, hi := 0.0, math.Sqrt(float64(k)/v)+1
	for range 60 {
		c := (lo + hi) / 2
		g := halfLine(complex(0, v*c), 1)
		if float64(k)*real(g[1])/real(g[0]) > c {
			lo = c
		} else {
			hi = c
		}
	}
	c := (lo + hi) / 2
	centre := real(halfLine(complex(0, v*c), 1)[0])
	m := multipliers{log: v*c*c/2 + float64(k)*math.Log(centre)}
	root := math.Sqrt(v)
	step := multiplierReach * root / multiplierFrequencies
	for i := range multiplierFrequencies + 1 {
		omega := float64(i) * step
		zeta := complex(omega, v*c)
		ratio := halfLine(zeta, 1)[0] / complex(centre, 0)
		sin, cos := math.Sincos(-omega * c)
		w := complex(cos, sin)
		for range k {
			w *= ratio
		}
		weight := 2 * step * math.Exp(-omega*omega/(2*v)) / (root * math.Sqrt(2*math.Pi))
		if i == 0 {
			weight /= 2
		}
		for j, x := range factor(zeta) {
			m.moment[j] += weight * real(w*x)
		}
	}
	return m
}
