package sweep

import (
	"math"
	"slices"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
)

// Seconds of one core of an AMD EPYC with AVX-512, by a fit to the times below.
const (
	costTrial    = 3e-5   // whatever the size
	costInput    = 7e-6   // for each input, of a trained memory
	costVerify   = 3.5e-7 // for p √(d_in d_out): what is recalled is counted
	costNumber   = 2e-9   // for each number that is drawn
	costKept     = 2.5e-8 // and for each that is kept of a pool of model dp
	costPass     = 2e-6   // of each pass, whatever the size
	costRow      = 2.7e-7 // of each pass and input
	costScore    = 3e-9   // of each pass and score
	costProduct  = 4e-11  // of each pass, score and d_out; the pool is in the cache
	costStream   = 8e-11  // and where it is not
	costKey      = 2e-10  // of each pass, input and weight
	costWeight   = 6e-8   // of each pass and weight, for the directions of lbfgs
	costProof    = 7e-6   // of the proof that an instance is not storable, for p √(d_in d_out)
	costSolution = 1e-5   // of the largest margin, for p √(d_in d_out)/(1.05 − p/p_c)
)

// Seconds estimates the time of one trial of a cell on one core: numbers of passes over
// the instance that rules took, times the sizes of what a pass does.
//
// Of the 475 cells that it was fitted to, of both models, all rules, d = 8 … 128, ranks
// d/4 … d and p/p_c from 0.5 to 3, three trials each, 77% are within a factor of 2, 89%
// within 3 and 99% within 10; so are 68 others at d = 12 … 44. It is furthest off close to capacity below full rank and
// for adam and descent, where instances of one cell differ tenfold themselves, and for
// shapes far from square.
func Seconds(c Cell) float64 {
	s := c.Spec
	p, n, dIn, dOut := float64(s.P), float64(s.N), float64(s.DIn), float64(s.DOut)
	pools := s.PoolNumbers()
	size := p * math.Sqrt(dIn*dOut)
	seconds := costTrial + costVerify*size + costNumber*(pools+p*(dIn+dOut))
	if c.Rule == learn.Hebb {
		return seconds
	}
	weights := dIn * dOut
	if !c.Full() {
		weights = float64(c.Rank) * (dIn + dOut)
	}
	products := costProduct * p * n * dOut
	seconds += costInput * p
	if s.Model == pattern.DP {
		seconds += costKept * pools
		products += costStream * p * n * dOut
	}
	pass := costPass + costRow*p + costScore*p*n + products + costKey*p*weights
	if c.Rule != learn.Adam && c.Rule != learn.GradientDescent {
		pass += costWeight * weights
	}
	seconds += passes(c) * pass
	if c.Measure == Training && c.Rule != learn.MaxMargin {
		return seconds
	}
	if c.Load() >= 1 {
		return seconds + costProof*size
	}
	if c.Rule == learn.MaxMargin {
		seconds += costSolution * size / (1.05 - c.Load())
	}
	return seconds
}

// passLoads are the loads of the rows of numbers in passes.
var passLoads = [...]float64{0.5, 0.8, 0.95, 1, 1.1, 1.5, 2}

// passes estimates how many passes over the instance a trial takes, by interpolation in
// log passes between means over d = 8 … 64 of both models.
func passes(c Cell) float64 {
	training, gradual := c.Measure == Training, c.Rule == learn.Adam || c.Rule == learn.GradientDescent
	var counts [len(passLoads)]float64
	restarts := 1.0
	switch {
	case c.Rule == learn.Hebb:
		return 0
	case c.Rule == learn.MaxMargin, c.Rule == learn.LBFGS && !training && c.Full():
		counts = [...]float64{4, 10, 22, 42, 18, 8, 6}
	case c.Rule == learn.LBFGS && c.Full():
		counts = [...]float64{12, 16, 32, 85, 54, 24, 15}
	case c.Rule == learn.LBFGS && !training:
		counts = [...]float64{13, 80, 250, 400, 600, 200, 150}
	case c.Rule == learn.LBFGS:
		counts = [...]float64{16, 120, 400, 600, 900, 750, 800}
	case c.Rule == learn.Adam && !training && c.Full():
		counts = [...]float64{9, 100, 300, 400, 200, 65, 60}
	case c.Rule == learn.Adam && c.Full():
		counts = [...]float64{150, 1000, 2000, 2000, 950, 400, 300}
	case c.Rule == learn.Adam && !training:
		counts = [...]float64{13, 150, 1500, 5000, 12000, 1200, 600}
	case c.Rule == learn.Adam:
		counts = [...]float64{30, 400, 1500, 2400, 2400, 1500, 1500}
	case !training && c.Full():
		counts = [...]float64{18, 500, 2000, 2000, 700, 60, 60}
	case c.Full():
		counts = [...]float64{2000, 2000, 2000, 2000, 2000, 600, 400}
	case !training:
		counts = [...]float64{25, 2000, 12000, 20000, 24000, 1600, 1600}
	default:
		counts = [...]float64{1200, 4000, 6000, 6000, 5000, 4000, 4000}
	}
	n := interpolated(c.Load(), counts[:])
	if !c.Full() {
		known := float64(trial.DefaultRestarts)
		if training {
			known = measure.DefaultRestarts
		}
		restarts = known
		if c.Options.Restarts > 0 {
			restarts = float64(c.Options.Restarts)
		}
		if c.Load() >= 1 { // below, the first starts store the instance
			n *= restarts / known
		}
	}
	budget := float64(c.Options.MaxEvaluations)
	if budget == 0 && gradual && training {
		budget = measure.DefaultSteps
	}
	if budget > 0 {
		n = min(n, budget*restarts)
	}
	return n
}

// interpolated is linear between the logarithms of counts at passLoads, and constant
// beyond them.
func interpolated(load float64, counts []float64) float64 {
	i, _ := slices.BinarySearch(passLoads[:], load)
	switch i {
	case 0:
		return counts[0]
	case len(passLoads):
		return counts[len(counts)-1]
	}
	t := (load - passLoads[i-1]) / (passLoads[i] - passLoads[i-1])
	return math.Exp((1-t)*math.Log(counts[i-1]) + t*math.Log(counts[i]))
}
