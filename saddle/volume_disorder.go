package saddle

import (
	"fmt"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/internal/logarithm"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

const (
	// drawnCompetitors are drawn one by one; of more the largest so many.
	drawnCompetitors = 512
	// A few more than that are drawn too: the bulk would be smaller than its nodes.
	meanFieldFrom = drawnCompetitors + 2
)

// disorder is a fixed sample of fields t.
type disorder struct {
	draws []disorderField
	// control holds the control variates less their means, by draw.
	control [][controls]float64
	bulk    bool // some competitors are replaced by their mean field
}

const controls = 3

// field is one t: the target and competitors in falling order, each with the number
// that it stands for.
type disorderField struct {
	target float64
	t      []float64
	number []float64 // nil: all 1
	// halved is the field with half as many drawn, to see what the mean field does.
	halved *disorderField
}

func newDisorder(n float64, draws int, seed uint64) (*disorder, error) {
	d := &disorder{draws: make([]disorderField, draws), control: make([][controls]float64, draws), bulk: n > meanFieldFrom}
	var means [controls]float64
	for i, margin := range []float64{0, 1} {
		m, err := extremes.MarginCone{N: n, Margin: margin}.Moments()
		if err != nil {
			return nil, err
		}
		if !m.Dimension.Status.OK() {
			return nil, fmt.Errorf("n = %v: D_n(%v) was not computed (%v)", n, margin, m.Dimension.Status)
		}
		means[i+1] = m.Dimension.Value
	}
	for i := range d.draws {
		rng := stream.New(seed, "volume", fmt.Sprint(n), uint64(i))
		f := disorderField{target: stream.Normal(rng)}
		if !d.bulk {
			f.t = make([]float64, int(n)-1)
			for j := range f.t {
				f.t[j] = stream.Normal(rng)
			}
			slices.SortFunc(f.t, func(a, b float64) int {
				switch {
				case a > b:
					return -1
				case a < b:
					return 1
				}
				return 0
			})
		} else {
			// The smallest of N uniform numbers is 1 − V^{1/N}, the others are again
			// uniform above it.
			f.t = make([]float64, drawnCompetitors)
			left := n - 1
			logTop := 0.0 // of 1 − the last
			for j := range f.t {
				logTop += math.Log1p(-rng.Float64()) / left
				left--
				x, err := extremes.SurvivalQuantile(logarithm.OneMinusExp(logTop))
				if err != nil {
					return nil, err
				}
				f.t[j] = x
			}
		}
		d.control[i] = [controls]float64{f.target}
		for j, margin := range []float64{0, 1} {
			d.control[i][j+1] = f.squaredDistance(margin) - means[j+1]
		}
		if d.bulk {
			half := disorderField{target: f.target, t: f.t[:drawnCompetitors/2]}
			h := half.withBulk(n)
			f = f.withBulk(n)
			f.halved = &h
		}
		d.draws[i] = f
	}
	return d, nil
}

// withBulk adds nodes for the competitors below the last one drawn: trapezoidal
// rule in x, t = t_last − e^{x − e^{−x}}.
func (f disorderField) withBulk(n float64) disorderField {
	last := f.t[len(f.t)-1]
	left := n - 1 - float64(len(f.t))
	f.t = slices.Clone(f.t)
	f.number = make([]float64, len(f.t), len(f.t)+40)
	for i := range f.number {
		f.number[i] = 1
	}
	logBelow := extremes.LogCDF(last)
	scale := 1 / (1 + math.Abs(last))
	const dx = 0.2
	for x := -2.6; x < 4.6; x += dx {
		y := scale * math.Exp(x-math.Exp(-x))
		number := left * math.Exp(extremes.LogDensity(last-y)-logBelow) * y * (1 + math.Exp(-x)) * dx
		if number == 0 {
			break
		}
		f.t = append(f.t, last-y)
		f.number = append(f.number, number)
	}
	return f
}

// squaredDistance returns dist²(t, C_n^K); the competitors are in falling order and
// without their bulk.
func (f disorderField) squaredDistance(margin float64) float64 {
	// m + K − t_0 = Σ (t_ρ − m)_+ with the first k above m: m = (t_0 − K + Σ t)/(k + 1).
	sum, m := f.target-margin, f.target-margin
	k := 0
	for k < len(f.t) && f.t[k] > m {
		sum += f.t[k]
		k++
		m = sum / float64(k+1)
	}
	b := m + margin - f.target
	square := b * b
	for _, t := range f.t[:k] {
		square += (t - m) * (t - m)
	}
	return square
}

// disorderAverage is what the disorder gives at one q.
type disorderAverage struct {
	push extremes.Value // E‖⟨z⟩‖²
	logP extremes.Value // E log P
}

// average returns both means with standard errors, at scale = √(q/(1 − q)).
func (d *disorder) average(scale float64, errors bool) disorderAverage {
	push, logP := make([]float64, len(d.draws)), make([]float64, len(d.draws))
	for i := range d.draws {
		logP[i], push[i] = d.draws[i].inner(scale)
	}
	a := disorderAverage{push: d.mean(push), logP: d.mean(logP)}
	if !errors || !d.bulk {
		return a
	}
	// What the mean field of the bulk changes, on a few draws, by halving it.
	few := min(len(d.draws), 100)
	var pushes, logs float64
	for i := range few {
		l, p := d.draws[i].halved.inner(scale)
		pushes += (p - push[i]) / float64(few)
		logs += (l - logP[i]) / float64(few)
	}
	a.push.Error += math.Abs(pushes)
	a.logP.Error += math.Abs(logs)
	return a
}

// inner returns log P and ‖⟨z⟩‖² of a field at scale = √(q/(1 − q)).
func (f disorderField) inner(scale float64) (logP, push float64) {
	arg := make([]float64, len(f.t))
	for i, t := range f.t {
		arg[i] = scale * (f.target - t)
	}
	number := func(i int) float64 {
		if f.number == nil {
			return 1
		}
		return f.number[i]
	}
	// Two derivatives of the log of the integrand, which is concave.
	derivatives := func(z float64) (slope, bend float64) {
		slope, bend = -z, -1
		for i, a := range arg {
			x := a + z
			if x > negligible {
				continue
			}
			w := number(i)
			h := extremes.Hazard(-x) // φ/Φ at x
			slope += w * h
			bend -= w * h * (x + h)
		}
		return slope, bend
	}
	z, bend := 0.0, -1.0
	for range 100 {
		slope, b := derivatives(z)
		bend = b
		step := -slope / b
		z += step
		if math.Abs(step)*math.Sqrt(-b) < 0.02 {
			break
		}
	}
	deviation := 1 / math.Sqrt(-bend)
	logs := make([]float64, len(arg)) // log Φ at a node
	exponent := func(z float64) float64 {
		v := extremes.LogDensity(z)
		for i, a := range arg {
			if a+z < negligible {
				logs[i] = extremes.LogCDF(a + z)
				v += number(i) * logs[i]
			}
		}
		return v
	}
	const h, half = 0.75, 8
	top := exponent(z) // next to the largest
	total, rise := 0.0, 0.0
	means := make([]float64, len(arg))
	for j := -half; j <= half; j++ {
		x := z + deviation*h*float64(j)
		w := math.Exp(exponent(x) - top)
		if w < 1e-14 {
			continue
		}
		total += w
		rise += w * x
		for i, a := range arg {
			if a+x < negligible {
				means[i] += w * math.Exp(extremes.LogDensity(a+x)-logs[i])
			}
		}
	}
	push = rise / total * rise / total
	for i, m := range means {
		push += number(i) * (m / total) * (m / total)
	}
	return top + math.Log(total*h*deviation), push
}

// negligible is where log Φ is: −1e-19.
const negligible = 9

// mean returns the mean of y with the control variates' share regressed out, and its
// standard error.
func (d *disorder) mean(y []float64) extremes.Value {
	const k = controls + 1
	var a [k][k + 1]float64
	for i, v := range y {
		row := [k]float64{1}
		copy(row[1:], d.control[i][:])
		for r := range k {
			for c := range k {
				a[r][c] += row[r] * row[c]
			}
			a[r][k] += row[r] * v
		}
	}
	c := solveSymmetric(a)
	rest := 0.0
	for i, v := range y {
		e := v - c[0]
		for j, x := range d.control[i] {
			e -= c[j+1] * x
		}
		rest += e * e
	}
	n := float64(len(y))
	return extremes.Value{Value: c[0], Error: math.Sqrt(rest / (n - k) / n), Status: status.Converged}
}

// solveSymmetric solves the normal equations by elimination; a pivot that
// vanishes drops its variable.
func solveSymmetric(a [controls + 1][controls + 2]float64) [controls + 1]float64 {
	const k = controls + 1
	var dropped [k]bool
	for i := range k {
		if !(a[i][i] > 1e-12*a[0][0]) {
			dropped[i] = true
			continue
		}
		for r := range k {
			if r == i || dropped[r] {
				continue
			}
			f := a[r][i] / a[i][i]
			for c := i; c <= k; c++ {
				a[r][c] -= f * a[i][c]
			}
		}
	}
	var x [k]float64
	for i := range k {
		if !dropped[i] {
			x[i] = a[i][k] / a[i][i]
		}
	}
	return x
}
