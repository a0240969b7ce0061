package bench

import (
	"sync"

	"lamcap/harness/table"
	"lamcap/internal/gemm"
	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// product is the size at which products are measured: scores of 1,400 queries
// against 1,400 candidates in 128 dimensions.
const productRows, productColumns, productDepth = 1400, 1400, 128

// kernels measures ceiling, product and exponential at every instruction set
// that this machine has.
func (r *run) kernels() (*table.Table, error) {
	t := &table.Table{
		Name:  "kernels",
		Title: "Kernels",
		Columns: []table.Column{
			{Key: "instruction_set", Head: "set"},
			{Key: "precision"},
			{Key: "threads"},
			{Key: "ceiling_gflops", Head: "ceiling GFLOP/s", Digits: 3},
			{Key: "product_gflops", Head: "product GFLOP/s", Digits: 3},
			{Key: "share", Digits: 2},
			{Key: "share_range", Head: "range", Digits: 2},
			{Key: "tiles_gflops", Head: "tiles GFLOP/s", Digits: 3},
			{Key: "tiles_share", Head: "share of tiles", Digits: 2},
			{Key: "exp_ns", Head: "exp ns", Digits: 2},
		},
		Notes: []string{
			"ceiling: multiply-adds in registers alone. product: 1400×1400×128, packing included. tiles: packed operands, depth 128.",
			"share: median and range of the ratios to a ceiling measured next to it. exp: a softmax term, one thread.",
		},
	}
	for _, level := range simd.Available() {
		for _, threads := range r.threadCounts() {
			if err := appendKernel[float32](r, t, level, "single", threads); err != nil {
				return nil, err
			}
			if err := appendKernel[float64](r, t, level, "double", threads); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// threadCounts is one thread, and all.
func (r *run) threadCounts() []int {
	if r.threads == 1 {
		return []int{1}
	}
	return []int{1, r.threads}
}

func appendKernel[T float32 | float64](r *run, t *table.Table, level simd.Level, precision string, threads int) error {
	kernel := gemm.NewKernel[T](level)
	fill := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(i%7) / 8
		}
		return x
	}
	a, b := fill(productRows*productDepth), fill(productDepth*productColumns)
	c := make([]T, productRows*productColumns)
	product := gemm.NewMultiplier(kernel, threads)
	const flops = 2 * productRows * productColumns * productDepth

	// As much work on registers as in a product, by each thread its share.
	iterations := max(1, int(flops/kernel.Peak(1))/threads)
	peak := func() float64 {
		var group sync.WaitGroup
		s := seconds(func() {
			for range threads {
				group.Go(func() { kernel.Peak(iterations) })
			}
			group.Wait()
		})
		return kernel.Peak(1) * float64(iterations*threads) / s / 1e9
	}
	multiply := func() float64 {
		return flops / 1e9 / seconds(func() {
			product.Multiply(productRows, productColumns, productDepth, a, productDepth, 1, b, productColumns, 1, c, productColumns, false)
		})
	}
	// Tiles as the engine uses them: a block of left panels that stays in the
	// second-level cache against one right panel after another.
	const blockRows, rights = 168, 8
	left, right := fill(blockRows*productDepth), fill(rights*productDepth*kernel.NR)
	panels := blockRows / kernel.MR
	rounds := max(1, flops/(2*blockRows*rights*productDepth*kernel.NR)/threads)
	tiles := func() float64 {
		s := seconds(func() {
			var group sync.WaitGroup
			for range threads {
				group.Go(func() {
					out := make([]T, blockRows*kernel.NR)
					for range rounds {
						for j := range rights {
							kernel.Panels(panels, productDepth, left, right[j*productDepth*kernel.NR:], out, kernel.NR, false)
						}
					}
				})
			}
			group.Wait()
		})
		return float64(2*panels*kernel.MR*kernel.NR*productDepth) * float64(rounds*rights*threads) / s / 1e9
	}
	routines := vecmath.New[T](level)
	x, y := fill(4096), make([]T, 4096)
	exp := func() float64 {
		const calls = 200
		return seconds(func() {
			for range calls {
				routines.SoftmaxRow(y, x, 1, -87)
			}
		}) / (calls * 4096) * 1e9
	}
	m, err := turns(r.ctx, r.repeats, peak, multiply, tiles, exp)
	if err != nil {
		return err
	}
	t.Append(level, precision, threads, median(m[0]), median(m[1]), median(ratios(m[1], m[0])), span(ratios(m[1], m[0])), median(m[2]), median(ratios(m[2], m[0])), median(m[3]))
	r.tick()
	return nil
}
