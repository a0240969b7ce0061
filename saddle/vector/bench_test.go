package vector

import (
	"testing"

	"lamcap/saddle"
)

// The cost of one draw at d = 24, p = n = 139: drawing it, and one evaluation of it at a
// point next to that of the last (what most evaluations of Newton's method are).
func BenchmarkDraw(b *testing.B) {
	const d, n = 24, 139
	s := newSampler(Ensemble{DOut: d}, n)
	field, rows := make([]float64, d), make([]float64, n*d)
	for i := 0; b.Loop(); i++ {
		s.draw(uint64(i), field, rows)
	}
}

func benchmarkProx(b *testing.B, p prox, d, n int) {
	s := newSampler(Ensemble{DOut: d}, n)
	field, rows := make([]float64, d), make([]float64, n*d)
	out := newResponse(d, n)
	out.point = make([]float64, d)
	s.draw(0, field, rows)
	p.solve(field, rows, 3.77, 20, out)
	for i := 0; b.Loop(); i++ {
		p.solve(field, rows, 3.77, 20+0.2*float64(i%2), out)
	}
}

func BenchmarkCrossEntropy(b *testing.B) { benchmarkProx(b, newSoftmaxProx(24, 139), 24, 139) }
func BenchmarkHinge(b *testing.B)        { benchmarkProx(b, newHingeProx(24, 139), 24, 139) }

func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		if _, err := Solve(Training{
			Training: saddle.Training{Weights: 576, Facts: 139}, Ensemble: Ensemble{DOut: 24, Seed: 1},
			Precision: Precision{MaxDraws: 2048, Target: 1e-6},
		}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMargin(b *testing.B) {
	for b.Loop() {
		if _, err := Margin(576, 60, 60, Ensemble{DOut: 24, Seed: 1}, Precision{MaxDraws: 2048, Target: 1e-6}); err != nil {
			b.Fatal(err)
		}
	}
}
