package gemm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"lamcap/internal/gemm"
	"lamcap/internal/simd"
)

// The sizes of one product of the training step: p×p scores of d features, for
// (p, d) near capacity.
var benchmarkSizes = [][3]int{{430, 430, 64}, {1400, 1400, 128}, {4800, 4800, 256}}

// BenchmarkMultiply reports the best rate of a product, and that rate over the
// ceiling: the best of the multiply-adds in registers, on as many threads,
// interleaved with the products. The best, because other work on the machine
// only slows down.
func BenchmarkMultiply(b *testing.B) {
	for _, l := range slices.Backward(simd.Available()) {
		b.Run(l.String()+"/float32", func(b *testing.B) { benchmarkMultiply(b, gemm.NewKernel[float32](l)) })
		b.Run(l.String()+"/float64", func(b *testing.B) { benchmarkMultiply(b, gemm.NewKernel[float64](l)) })
	}
}

func benchmarkMultiply[T gemm.Float](b *testing.B, k *gemm.Kernel[T]) {
	for _, s := range benchmarkSizes {
		rows, columns, depth := s[0], s[1], s[2]
		for threads := 1; ; threads = runtime.GOMAXPROCS(0) {
			b.Run(fmt.Sprintf("%dx%dx%d/threads=%d", rows, columns, depth, threads), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				x, y := uniform[T](r, rows*depth), uniform[T](r, columns*depth)
				c := make([]T, rows*columns)
				m := gemm.NewMultiplier(k, threads)
				best := newBest(2 * float64(rows) * float64(columns) * float64(depth))
				for b.Loop() {
					best.time(func() {
						// Scores: the second factor is transposed.
						m.Multiply(rows, columns, depth, x, depth, 1, y, 1, depth, c, columns, false)
					})
					best.ceiling(func() float64 { return peak(k, threads) })
				}
				best.report(b)
			})
			if threads == runtime.GOMAXPROCS(0) {
				break
			}
		}
	}
}

// BenchmarkPanels times the micro-kernel alone, on packed panels of A that
// stay in the second level of cache.
func BenchmarkPanels(b *testing.B) {
	for _, l := range slices.Backward(simd.Available()) {
		b.Run(l.String()+"/float32", func(b *testing.B) { benchmarkPanels(b, gemm.NewKernel[float32](l)) })
		b.Run(l.String()+"/float64", func(b *testing.B) { benchmarkPanels(b, gemm.NewKernel[float64](l)) })
	}
}

func benchmarkPanels[T gemm.Float](b *testing.B, k *gemm.Kernel[T]) {
	for _, depth := range []int{64, 128, 256} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			count := 32 << 10 / (depth * k.MR) // 128 KiB of float32
			r := rand.New(rand.NewPCG(1, 2))
			x, y := uniform[T](r, count*depth*k.MR), uniform[T](r, depth*k.NR)
			c := make([]T, count*k.MR*k.NR)
			best := newBest(2 * 20 * float64(count) * float64(k.MR*k.NR) * float64(depth))
			for b.Loop() {
				best.time(func() {
					for range 20 {
						k.Panels(count, depth, x, y, c, k.NR, false)
					}
				})
				best.ceiling(func() float64 { return peak(k, 1) })
			}
			best.report(b)
		})
	}
}

// BenchmarkPack reports nanoseconds for a number packed.
func BenchmarkPack(b *testing.B) {
	for _, l := range slices.Backward(simd.Available()) {
		k := gemm.NewKernel[float32](l)
		const rows, columns = 192, 256
		src, dst := make([]float32, rows*columns), make([]float32, 2*rows*columns)
		for _, c := range []struct {
			name string
			pack func()
		}{
			{"A", func() { k.PackA(dst, rows, columns, src, columns, 1) }},
			{"A transposed", func() { k.PackA(dst, rows, columns, src, 1, rows) }},
			{"B", func() { k.PackB(dst, rows, columns, src, columns, 1) }},
			{"B transposed", func() { k.PackB(dst, rows, columns, src, 1, rows) }},
		} {
			b.Run(l.String()+"/"+c.name, func(b *testing.B) {
				for b.Loop() {
					c.pack()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(rows*columns), "ns/number")
			})
		}
	}
}

func uniform[T gemm.Float](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.Float64() - 0.5)
	}
	return x
}

// peak runs the multiply-adds in registers on each thread and returns how many
// operations that was in all.
func peak[T gemm.Float](k *gemm.Kernel[T], threads int) float64 {
	const turns = 20_000 // 0.1 ms: long enough to time, short enough to repeat
	if threads == 1 {
		return k.Peak(turns)
	}
	const longer = 10 * turns // to start the threads is not to count
	flops := make([]float64, threads)
	var wait sync.WaitGroup
	for i := range flops {
		wait.Go(func() { flops[i] = k.Peak(longer) })
	}
	wait.Wait()
	sum := 0.0
	for _, f := range flops {
		sum += f
	}
	return sum
}

// best keeps the least time of a piece of work and the highest ceiling.
type best struct {
	flops, seconds, top float64
}

func newBest(flops float64) *best { return &best{flops: flops, seconds: math.Inf(1)} }

func (t *best) time(work func()) {
	start := time.Now()
	work()
	t.seconds = min(t.seconds, time.Since(start).Seconds())
}

func (t *best) ceiling(peak func() float64) {
	start := time.Now()
	flops := peak()
	t.top = max(t.top, flops/time.Since(start).Seconds())
}

func (t *best) report(b *testing.B) {
	b.ReportMetric(t.flops/t.seconds/1e9, "GFLOP/s")
	b.ReportMetric(t.top/1e9, "ceiling")
	b.ReportMetric(t.flops/t.seconds/t.top, "of_ceiling")
	b.ReportMetric(0, "ns/op") // not the best, and with the ceiling in it
}
