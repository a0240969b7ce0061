package saddle

import (
	"fmt"
	"math"

	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// TrainingSample is the score level by Monte Carlo: statistics of independent draws
// of g, one entry per draw.
type TrainingSample struct {
	// First and Second have the means γ E‖r g − s‖²/r² and γ E[g·(r g − s)]/r + λχ/N:
	// both 1 at the saddle point.
	First, Second []float64
	Loss          []float64
	Recalled      []float64 // 1 where s_0 > max_{ρ≠0} s_ρ, else 0
	Correct       []float64 // s_0
	Largest       []float64 // max_{ρ≠0} s_ρ
}

// maxSampled is the largest n that is sampled.
const maxSampled = 1 << 24

// SampleTraining draws g in Rⁿ and minimises ℓ(s) + ‖r g − s‖²/(2χ) for each, at
// any r, χ > 0: an independent check of [SolveTraining], whose contour integrals it
// shares nothing with. n is rounded. Draws are those of the stream (seed, "training",
// address, draw).
func SampleTraining(t Training, r, chi float64, draws int, seed uint64, address string) (TrainingSample, error) {
	t, err := t.checked()
	if err != nil {
		return TrainingSample{}, err
	}
	if t.Candidates > maxSampled {
		return TrainingSample{}, fmt.Errorf("n = %v: want n ≤ %d to draw them", t.Candidates, maxSampled)
	}
	if !(r > 0 && r < 1e100) || !(chi > 0 && chi < 1e100) {
		return TrainingSample{}, fmt.Errorf("r = %v, χ = %v: want both positive", r, chi)
	}
	if draws < 2 {
		return TrainingSample{}, fmt.Errorf("draws = %d: want at least 2", draws)
	}
	n := int(math.Round(t.Candidates))
	rows := make([]drawnScores, draws)
	parallel(draws, func(i int) {
		rng := stream.New(seed, "training", address, uint64(i))
		g := make([]float64, n)
		for j := range g {
			g[j] = stream.Normal(rng)
		}
		rows[i] = t.Loss.prox(g, r, chi)
	})
	load := t.Facts / t.Weights
	column := func(f func(d drawnScores) float64) []float64 {
		x := make([]float64, draws)
		for i, d := range rows {
			x[i] = f(d)
		}
		return x
	}
	for i, d := range rows {
		if !d.status.OK() {
			return TrainingSample{}, fmt.Errorf("draw %d: the level was not found (%v)", i, d.status)
		}
	}
	return TrainingSample{
		First:  column(func(d drawnScores) float64 { return load * d.square / (r * r) }),
		Second: column(func(d drawnScores) float64 { return load*d.cross/r + t.Ridge/t.Weights*chi }),
		Loss:   column(func(d drawnScores) float64 { return d.loss }),
		Recalled: column(func(d drawnScores) float64 {
			if d.correct > d.largest {
				return 1
			}
			return 0
		}),
		Correct: column(func(d drawnScores) float64 { return d.correct }),
		Largest: column(func(d drawnScores) float64 { return d.largest }),
	}, nil
}

// drawnScores are statistics of s = prox_{χℓ}(r g).
type drawnScores struct {
	square, cross, loss float64
	correct, largest    float64
	status              status.Status
}

// prox minimises ℓ(s) + ‖r g − s‖²/(2χ) for the target g[0] and competitors g[1:].
func (l Loss) prox(g []float64, r, chi float64) drawnScores {
	s := l.response()
	// Σ w(x) − χ is convex and decreasing: Newton's method from the left, where a
	// single candidate takes all of χ, stays on the left.
	top := math.Inf(-1)
	for _, t := range g[1:] {
		top = math.Max(top, r*t)
	}
	x := math.Max(top-chi, r*g[0]-s.gap)
	if s.soft > 0 {
		x -= math.Log(chi)
	}
	push := func(i int) (w, slope float64) {
		y := r*g[i] - x
		if i == 0 {
			y += chi - s.gap
		}
		return s.push(y)
	}
	st := status.MaxIterations
	for range 200 {
		total, slope := -chi, 0.0
		for i := range g {
			w, dw := push(i)
			total += w
			slope += dw
		}
		if slope == 0 || math.Abs(total) <= 1e-13*chi {
			st = status.Converged
			break
		}
		step := total / slope
		x += step
		if math.Abs(step) <= 1e-15*(math.Abs(x)+r) {
			st = status.Roundoff
			break
		}
	}
	w, _ := push(0)
	d := drawnScores{correct: r*g[0] + chi - w, largest: math.Inf(-1), status: st}
	d.square = (chi - w) * (chi - w)
	d.cross = -g[0] * (chi - w)
	sum := 0.0
	for i := 1; i < len(g); i++ {
		w, _ := push(i)
		score := r*g[i] - w
		d.largest = math.Max(d.largest, score)
		d.square += w * w
		d.cross += g[i] * w
		sum += math.Exp(score - d.correct)
	}
	if l == Hinge {
		d.loss = math.Max(0, 1+d.largest-d.correct)
	} else {
		d.loss = math.Log1p(sum)
	}
	return d
}
