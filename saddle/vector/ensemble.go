package vector

import (
	"fmt"
	"math"

	"lamcap/internal/counter"
	"lamcap/internal/embedding"
	"lamcap/internal/simd"
	"lamcap/internal/stream"
)

// Ensemble is the law of an input: its pool, and the length of its key.
type Ensemble struct {
	// DOut is the dimension d_out ≥ 1 of the values.
	DOut int
	// Values is the distribution of the candidates.
	Values embedding.Kind
	// Keys is the distribution of the keys in R^{d_in} for d_in = KeyDimension ≥ 1.
	// KeyDimension 0 stands for d_in → ∞, where all keys have the norm √d_in.
	Keys         embedding.Kind
	KeyDimension int
	// Seed is the master seed of all draws.
	Seed uint64
}

// Largest sizes that are accepted: a draw is held in memory, n d_out numbers.
const (
	maxDimension = 1 << 16
	maxPool      = 1 << 26
)

func (e Ensemble) check() error {
	switch {
	case e.DOut < 1 || e.DOut > maxDimension:
		return fmt.Errorf("d_out = %d: want 1 ≤ d_out ≤ %d", e.DOut, maxDimension)
	case e.KeyDimension < 0 || e.KeyDimension > maxDimension:
		return fmt.Errorf("key dimension = %d: want 1 ≤ d_in ≤ %d, or 0 for d_in → ∞", e.KeyDimension, maxDimension)
	case !e.Values.Valid():
		return fmt.Errorf("values = %v: want gaussian or sphere", e.Values)
	case !e.Keys.Valid():
		return fmt.Errorf("keys = %v: want gaussian or sphere", e.Keys)
	}
	return nil
}

// candidates returns n as the integer that it must be here.
func (e Ensemble) candidates(n float64) (int, error) {
	most := float64(maxPool / e.DOut)
	if !(n >= 2 && n <= most) || n != math.Floor(n) {
		return 0, fmt.Errorf("n = %v: want an integer 2 ≤ n ≤ %v at vector level (d_out = %d)", n, most, e.DOut)
	}
	return int(n), nil
}

// sampler draws inputs. Draw i is the same whatever was drawn before, and its first
// candidates are the same for any n.
type sampler struct {
	Ensemble
	n       int
	level   simd.Level
	key     counter.Key
	normals []float32
	scores  []float64 // t
}

// Positions of the numbers of a draw in its sub-stream: field and values come first.
const keyOffset = 1 << 40

func newSampler(e Ensemble, n int) *sampler {
	return &sampler{
		Ensemble: e, n: n, level: simd.Default(),
		key:     counter.NewKey(stream.NewKey(stream.New(e.Seed, "vector level", "", 0))),
		normals: make([]float32, max((n+1)*e.DOut, e.KeyDimension)),
		scores:  make([]float64, n),
	}
}

// draw writes v⁰ to field and the values, row-major, to rows, scaled such that the
// scores of r v⁰ are its products with them, ρ u_ρ/√d_out.
func (s *sampler) draw(index uint64, field, rows []float64) {
	d := s.DOut
	normals := s.normals[:(s.n+1)*d]
	s.key.Normals(s.level, normals, index, 0)
	for i, x := range normals[:d] {
		field[i] = float64(x)
	}
	for i, x := range normals[d:] {
		rows[i] = float64(x)
	}
	s.scale(rows, s.keyLength(index))
}

// scale turns normals into values, times ρ/√d_out.
func (s *sampler) scale(rows []float64, length float64) {
	d := s.DOut
	size := math.Sqrt(float64(d))
	for ; len(rows) > 0; rows = rows[d:] {
		row := rows[:d]
		if s.Values == embedding.Sphere {
			if size = norm(row); size == 0 { // at d = 1, one draw in 2^25
				row[0], size = 1, 1
			}
		}
		// Divide first: at d = 1 values are ±1 exactly.
		for i := range row {
			row[i] = row[i] / size * length
		}
	}
}

// controls writes the controls of a draw.
func (s *sampler) controls(index uint64, c controls, dst []float64) {
	d := s.DOut
	normals := s.normals[:(s.n+1)*d]
	s.key.Normals(s.level, normals, index, 0)
	field, target := normals[:d], normals[d:2*d]
	field2, target2 := 0.0, 0.0
	for i, x := range field {
		field2 += float64(x) * float64(x)
		target2 += float64(target[i]) * float64(target[i])
	}
	for c := range s.scores {
		row, score := normals[(c+1)*d:(c+2)*d], 0.0
		for i, x := range field {
			score += float64(x) * float64(row[i])
		}
		s.scores[c] = score / math.Sqrt(field2)
	}
	c.write(dst, s.scores, field2/float64(d), target2/float64(d), s.keyLength(index))
}

// lengthsVary says that keys have different lengths.
func (e Ensemble) lengthsVary() bool { return e.KeyDimension > 0 && e.Keys == embedding.Gaussian }

// keyLength returns ρ = ‖e‖/√d_in.
func (s *sampler) keyLength(index uint64) float64 {
	if !s.lengthsVary() {
		return 1
	}
	normals := s.normals[:s.KeyDimension]
	s.key.Normals(s.level, normals, index, keyOffset)
	sum := 0.0
	for _, x := range normals {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum / float64(s.KeyDimension))
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}
