package saddle

import (
	"fmt"
	"math"
	"math/cmplx"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// ScoreLaw is the law of a score, by its characteristic function C at the
// frequencies κ_m = (m − ½)Δ, m = 1 … :
//
//	density(s) = (Δ/π) Σ Re[e^{−iκs} C(κ)],   CDF(s) = ½ − (Δ/π) Σ Im[e^{−iκs} C(κ)]/κ.
type ScoreLaw struct {
	center, step float64
	values       []complex128 // C e^{−iκ·center}
	err          float64      // relative error of values, absolute of the CDF
	density      func(s float64) (density, cdf float64)
	status       status.Status
}

// ScoreLaws are the laws of scores of a minimum, in the units of its means.
type ScoreLaws struct{ Correct, Largest ScoreLaw }

// Density returns the probability density at a score.
func (l ScoreLaw) Density(s float64) extremes.Value {
	sum, size := 0.0, 0.0
	for m, c := range l.values {
		kappa := (float64(m) + 0.5) * l.step
		sum += real(c * cmplx.Exp(complex(0, -kappa*(s-l.center))))
		size += cmplx.Abs(c)
	}
	extra := 0.0
	if l.density != nil {
		extra, _ = l.density(s)
	}
	h := l.step / math.Pi
	return extremes.Value{Value: math.Max(0, h*sum+extra), Error: h * (l.err*size + l.tail()*float64(len(l.values))), Status: l.status}
}

// CDF returns the probability of a score of at most s.
func (l ScoreLaw) CDF(s float64) extremes.Value {
	sum, size := 0.0, 0.0
	for m, c := range l.values {
		kappa := (float64(m) + 0.5) * l.step
		sum += imag(c*cmplx.Exp(complex(0, -kappa*(s-l.center)))) / kappa
		size += cmplx.Abs(c) / kappa
	}
	extra := 0.0
	if l.density != nil {
		_, extra = l.density(s)
	}
	h := l.step / math.Pi
	v := 0.5 - h*sum + extra
	return extremes.Value{Value: math.Min(1, math.Max(0, v)), Error: h*l.err*size + l.tail() + 1e-15, Status: l.status}
}

// tail is the size of the characteristic function where it was cut off.
func (l ScoreLaw) tail() float64 {
	worst := 0.0
	for _, c := range l.values[max(0, len(l.values)-4):] {
		worst = math.Max(worst, cmplx.Abs(c))
	}
	return worst
}

// frequencies is how many are tried first; they are doubled until the characteristic
// function has died out, up to maxFrequencies.
const (
	frequencies    = 48
	maxFrequencies = 384
	diedOut        = 1e-9
)

// ScoreLaws computes the laws of the correct score and of the largest competitor. It
// takes a second or so. In the phase [Storable] see the laws of Margin.Cone; where
// W = 0 there are none.
func (t Trained) ScoreLaws() (ScoreLaws, error) {
	e := t.ensemble
	if !t.Status.OK() || e.r == 0 {
		return ScoreLaws{}, fmt.Errorf("phase %v, status %v: want a finite minimiser of positive norm", t.Phase, t.Status)
	}
	panel := newGaussPanel()
	w := e.window(panel, finely, 0)
	if !w.ok {
		return ScoreLaws{}, fmt.Errorf("r = %v, χ = %v: the level was not bracketed", e.r, e.chi)
	}
	for count := frequencies; ; count *= 2 {
		laws := e.laws(panel, finely, w, t, count)
		if worst := math.Max(laws.Correct.tail(), laws.Largest.tail()); worst < diedOut || count >= maxFrequencies {
			check := e.laws(panel, control, w, t, count)
			laws.Correct.compare(check.Correct)
			laws.Largest.compare(check.Largest)
			if worst > 1e-6 {
				laws.Correct.status, laws.Largest.status = status.MaxIterations, status.MaxIterations
			}
			return laws, nil
		}
	}
}

// compare bounds the error by the difference to other values.
func (l *ScoreLaw) compare(other ScoreLaw) {
	difference, size := 0.0, 0.0
	for m, c := range l.values {
		difference += cmplx.Abs(c - other.values[m])
		size += cmplx.Abs(c)
	}
	l.err = 2*difference/size + 1e-14
}

// laws integrates both characteristic functions at ±κ_m.
func (e *ensemble) laws(panel *gaussPanel, o resolution, w window, t Trained, count int) ScoreLaws {
	// Normals are followed to ±9: scores repeat with a period beyond that.
	delta := 2 * math.Pi / (22*e.r + 2*t.CorrectStd.Value)
	centers := [2]float64{t.CorrectMean.Value, t.LargestMean.Value}
	hard := e.soft == 0
	if hard {
		centers[1] = w.center
	}
	values, _, weights := e.sweep(panel, o, w, 4*count, func(l *level, tr *transforms, n *nodes, exponent complex128, out []complex128) {
		scale := cmplx.Exp(exponent)
		rest := complex(e.n-1, 0)
		j := rest * tr.j
		correct := l.targetFrequencies(n, delta, count, centers[0])
		for m := range 2 * count {
			out[m] = scale * (correct[0][m]*j + correct[1][m]) / tr.phi0
		}
		if hard {
			mass := scale * (tr.j0 + j)
			for m := range 2 * count {
				kappa := frequency(m, count) * delta
				out[2*count+m] = mass * cmplx.Exp(complex(0, kappa*(l.x-centers[1])))
			}
			return
		}
		l.largestFrequencies(tr, n, exponent, delta, count, centers[1], out[2*count:])
	})
	laws := ScoreLaws{}
	for k, law := range []*ScoreLaw{&laws.Correct, &laws.Largest} {
		*law = ScoreLaw{center: centers[k], step: delta, values: make([]complex128, count), status: status.Converged}
		for m := range count {
			sum := complex(0, 0)
			for i, weight := range weights {
				up, down := values[i][2*count*k+m], values[i][2*count*k+count+m]
				// (1/2πi) of the upper half less the conjugate of that at −κ.
				sum += (up - cmplx.Conj(down)) * complex(0, -weight/(2*math.Pi))
			}
			law.values[m] = sum
		}
	}
	if hard {
		laws.Largest.density = e.unpushedLaw
	}
	return laws
}

// frequency is m − ½ for the first count indices and its negative for the next.
func frequency(m, count int) float64 {
	if m < count {
		return float64(m) + 0.5
	}
	return -(float64(m-count) + 0.5)
}

// unpushedLaw is what the largest competitor's law has beyond that of the level x,
// for the hinge, from inputs where nothing is pushed.
func (e *ensemble) unpushedLaw(s float64) (density, cdf float64) {
	t := s / e.r
	gap := e.gap / e.r
	logCDF := extremes.LogCDF(t)
	log := (e.n - 1) * logCDF
	above := extremes.LogSurvival(t + gap)
	cdf = math.Exp(log + above)
	density = ((e.n-1)*math.Exp(log-logCDF+above+extremes.LogDensity(t)) - math.Exp(log+extremes.LogDensity(t+gap))) / e.r
	return density, cdf
}

// targetFrequencies returns E[e^{iκ(s_0 − center)} e^{−zω}] and the same with J, for
// the target, s_0 = x + gap + v.
func (l *level) targetFrequencies(n *nodes, delta float64, count int, center float64) (out [2][]complex128) {
	e := l.e
	out[0], out[1] = make([]complex128, 2*count), make([]complex128, 2*count)
	if l.frequencyMean == nil {
		l.frequencyMean = l.meanFrequencies(delta, count)
	}
	if !l.whole0 {
		copy(out[0], l.frequencyMean)
	}
	for j, u := range n.u {
		weight := n.f0[j] * n.em[j]
		if l.whole0 {
			weight = n.f0[j] * n.e[j]
		}
		withJ := n.f0j[j] * n.e[j]
		if weight == 0 && withJ == 0 {
			continue
		}
		half := complex(0, delta/2) * complex(e.soft, 0) * u
		up, down := cmplx.Exp(half), cmplx.Exp(-half)
		stepUp, stepDown := up*up, down*down
		for m := range count {
			out[0][m] += weight * up
			out[1][m] += withJ * up
			out[0][count+m] += weight * down
			out[1][count+m] += withJ * down
			up *= stepUp
			down *= stepDown
		}
	}
	for m := range 2 * count {
		turn := cmplx.Exp(complex(0, frequency(m, count)*delta*(l.x+e.gap-center)))
		out[0][m] *= turn
		out[1][m] *= turn
	}
	return out
}

// meanFrequencies returns E e^{iκv} of the target at the level x, for v = y − w and
// y normal: E e^{iκy} and what differs where w counts.
func (l *level) meanFrequencies(delta float64, count int) []complex128 {
	e := l.e
	out := make([]complex128, 2*count)
	mean := e.chi - e.gap - l.x
	for m := range count {
		kappa := frequency(m, count) * delta
		out[m] = cmplx.Exp(complex(-kappa*kappa*e.r*e.r/2, kappa*mean))
	}
	n := l.at(0)
	for j, u := range l.u {
		f := real(n.f0[j])
		if f == 0 {
			continue
		}
		v := e.soft * u
		w := math.Exp(u)
		warm, cold := cmplx.Exp(complex(0, delta/2*v)), cmplx.Exp(complex(0, delta/2*(v+w)))
		warmStep, coldStep := warm*warm, cold*cold
		for m := range count {
			out[m] += complex(f, 0) * (warm - cold)
			warm *= warmStep
			cold *= coldStep
		}
	}
	for m := range count {
		out[count+m] = cmplx.Conj(out[m])
	}
	return out
}

// largestFrequencies is order's integrand of the largest competitor with e^{iκ(s − center)}.
func (l *level) largestFrequencies(t *transforms, n *nodes, exponent complex128, delta float64, count int, center float64, out []complex128) {
	l.largest(t, n, exponent, func(j int, g complex128) {
		half := complex(0, delta/2) * (n.u[j] + complex(l.x-center, 0))
		up, down := cmplx.Exp(half), cmplx.Exp(-half)
		stepUp, stepDown := up*up, down*down
		up *= g
		down *= g
		for m := range count {
			out[m] += up
			out[count+m] += down
			up *= stepUp
			down *= stepDown
		}
	})
}
