package saddle

import "math"

// response is how the scores of one input answer to a common level x: the push
// w ≥ 0 that a competitor takes, and what is left of the target's, solve
//
//	soft·log w + w = y,   y_ρ = r t_ρ − x,   y_0 = r t_0 + χ − gap − x,
//	w_0 + Σ_ρ w_ρ = χ,
//
// with s_ρ = r t_ρ − w_ρ and s_0 = r t_0 + χ − w_0. Cross-entropy has soft = 1, w = χπ
// for the softmax weights π, and x = log Σ e^{s} − log χ; the hinge has soft = 0, where
// w = y_+ and x is the level that competitors are pushed down to.
type response struct{ soft, gap float64 }

func (l Loss) response() response {
	if l == Hinge {
		return response{soft: 0, gap: 1}
	}
	return response{soft: 1, gap: 0}
}

// push returns w and its derivative dw/dy = w/(soft + w).
func (s response) push(y float64) (w, slope float64) {
	if s.soft == 0 {
		if y > 0 {
			return y, 1
		}
		return 0, 0
	}
	w = wrightOmega(y)
	return w, w / (1 + w)
}

// wrightOmega solves w + log w = y: Lambert's W₀(e^y), which never overflows.
func wrightOmega(y float64) float64 {
	if y < -36 { // w = e^y (1 − e^y)
		return math.Exp(y)
	}
	if y > 1e10 { // to rounding
		return y - math.Log(y)
	}
	w := 0.0
	switch {
	case y < -1:
		w = math.Exp(y)
		w /= 1 + w
	case y < 2:
		w = 0.567143290409784 + 0.361896256634889*y
		w = math.Max(w, 0.2)
	default:
		l := math.Log(y)
		w = y - l + l/y
	}
	// Fritsch, Shafer and Crowley: each step multiplies the correct digits by four.
	for range 3 {
		residual := y - w - math.Log(w)
		one := 1 + w
		q := 2 * one * (one + 2*residual/3)
		w *= 1 + residual/one*(q-residual)/(q-2*residual)
		if math.Abs(residual) < 1e-5*one {
			break
		}
	}
	return w
}
