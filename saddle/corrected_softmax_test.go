package saddle

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"lamcap/internal/embedding"
	"lamcap/internal/stream"
)

// softScores solves the cross-entropy's score problem for fields r x: scores, z = (r x −
// s)/χ and the envelope.
func softScores(r, chi float64, x []float64) (s, z []float64, value float64) {
	push := func(level float64, i int) float64 {
		y := r*x[i] - level + math.Log(chi)
		if i == 0 {
			y += chi
		}
		return wrightOmega(y)
	}
	lo, hi := -100.0, 100.0
	for range 60 {
		level, total := (lo+hi)/2, 0.0
		for i := range x {
			total += push(level, i)
		}
		if total > chi {
			lo = level
		} else {
			hi = level
		}
	}
	level := (lo + hi) / 2
	s, z = make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		z[i] = push(level, i) / chi
		if i == 0 {
			z[i]--
		}
		s[i] = r*x[i] - chi*z[i]
		value += chi * z[i] * z[i] / 2
	}
	return s, z, value + level - s[0]
}

// softProx minimises log Σ e^s − s_0 + ‖y − y⁰‖²/(2χ), s = L y, by Newton's method.
func softProx(lower *mat.TriDense, center []float64, chi float64) (value float64) {
	n := len(center)
	y := mat.NewVecDense(n, append([]float64(nil), center...))
	scores, pi := mat.NewVecDense(n, nil), make([]float64, n)
	at := func(y mat.Vector) float64 {
		scores.MulVec(lower, y)
		top := mat.Max(scores)
		total, square := 0.0, 0.0
		for i := range n {
			pi[i] = math.Exp(scores.AtVec(i) - top)
			total += pi[i]
			square += (y.AtVec(i) - center[i]) * (y.AtVec(i) - center[i])
		}
		for i := range pi {
			pi[i] /= total
		}
		return top + math.Log(total) - scores.AtVec(0) + square/(2*chi)
	}
	value = at(y)
	hessian, weighted := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	var mean, step, trial mat.VecDense
	for range 100 {
		mean.MulVec(lower.T(), mat.NewVecDense(n, pi))
		weighted.Apply(func(i, _ int, x float64) float64 { return x * pi[i] }, lower)
		hessian.Mul(lower.T(), weighted)
		symmetric, gradient := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			gradient.SetVec(i, mean.AtVec(i)-lower.At(0, i)+(y.AtVec(i)-center[i])/chi)
			for j := range i + 1 {
				symmetric.SetSym(i, j, hessian.At(i, j)-mean.AtVec(i)*mean.AtVec(j))
			}
			symmetric.SetSym(i, i, symmetric.At(i, i)+1/chi)
		}
		var c mat.Cholesky
		if !c.Factorize(symmetric) {
			panic("saddle: Hessian")
		}
		if err := c.SolveVecTo(&step, gradient); err != nil {
			panic(err)
		}
		decrement := mat.Dot(&step, gradient)
		for scale := 1.0; scale > 1e-10; scale /= 2 {
			trial.AddScaledVec(y, -scale, &step)
			if next := at(&trial); next <= value || decrement < 1e-13 {
				value = next
				break
			}
		}
		y.CopyVec(&trial)
		if decrement < 1e-13 {
			break
		}
	}
	return value
}

// softExpansion is the envelope at vector level less that of score level, to second order
// in the changes Δτ and ΔG of a draw:
//
//	z·Δτ − χ/2 zᵀΔGz + ½ qᵀJq,   q = Δτ − χ ΔGz.
func softExpansion(v *vectorDraw, r, chi float64, z []float64) float64 {
	q, a := make([]float64, v.n), make([]float64, v.n)
	change, bend, along, free := 0.0, 0.0, 0.0, 1.0
	for i := range v.n {
		shift, push := r*(v.t[i]-v.x[i]), -z[i]
		for j, x := range v.gram[i*v.n : (i+1)*v.n] {
			push += x * z[j]
		}
		change += z[i]*shift - chi/2*z[i]*push
		q[i] = shift - chi*push
		pi := z[i]
		if i == 0 {
			pi++
		}
		a[i] = pi / (1 + chi*pi)
		free -= chi * pi * a[i] // S
		bend += a[i] * q[i] * q[i]
		along += a[i] * q[i]
	}
	return change + (bend-along*along/free)/2
}

// softChange is d times the change of the envelope that a draw has: its expansion to
// second order, less what has mean 0, and what is left, if asked for.
func softChange(rng *rand.Rand, n, d int, values embedding.Kind, r, chi float64, whole bool) (expansion, rest float64) {
	v := newVectorDraw(rng, n, d, values)
	_, z, value := softScores(r, chi, v.x)
	scale := float64(d)
	expansion = softExpansion(v, r, chi, z)
	if whole {
		var c mat.Cholesky
		if !c.Factorize(mat.NewSymDense(n, v.gram)) {
			panic("saddle: Gram matrix")
		}
		var lower mat.TriDense
		c.LTo(&lower)
		center, field := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		field.ScaleVec(r, mat.NewVecDense(n, v.t))
		if err := center.SolveVec(&lower, field); err != nil {
			panic(err)
		}
		rest = (softProx(&lower, center.RawVector().Data, chi) - value - expansion) * scale
	}
	return (expansion - v.linear(r, chi, z)) * scale, rest
}

// meanChange averages draws of softChange.
func meanChange(seed uint64, draws, n, d int, values embedding.Kind, r, chi float64, whole bool) (mean, standardError [2]float64) {
	var columns [2][]float64
	for i := range draws {
		a, b := softChange(stream.New(seed, "corrected training", values.String(), uint64(i)), n, d, values, r, chi, whole)
		columns[0], columns[1] = append(columns[0], a), append(columns[1], b)
	}
	for k, c := range columns {
		mean[k], standardError[k] = meanAndError(c)
	}
	return mean, standardError
}
