package vector

// response is the proximal point of one draw at (r, χ),
//
//	v = argmin ‖v − r v⁰‖²/(2χ) + ℓ(s(v)),   s = rows·v,
//
// with derivatives in log r and log χ, in this order.
type response struct {
	loss    float64 // ℓ at v
	point   []float64
	slopes  [parameters][]float64 // ∂v
	largest int                   // the competitor with the largest score
	scores  []float64
}

// parameters of training: log r and log χ.
const parameters = 2

// prox finds proximal points of one loss. The point is both the start of the search
// and the result.
type prox interface {
	// solve fills in out, whose point, slopes and scores have their lengths; it returns false if it
	// did not converge.
	solve(field, rows []float64, norm, chi float64, out *response) bool
}

func newResponse(d, n int) *response {
	r := &response{scores: make([]float64, n)}
	for k := range r.slopes {
		r.slopes[k] = make([]float64, d)
	}
	return r
}
