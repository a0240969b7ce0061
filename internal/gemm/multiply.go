package gemm

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Multiplier multiplies matrices: it packs them in blocks that stay in cache
// and holds the workspace, which grows to the largest product asked for. It is
// not for concurrent use.
type Multiplier[T Float] struct {
	kernel *Kernel[T]

	job[T]
	packed  []T // blocks of B in panels, for all workers
	workers []worker[T]
	wait    sync.WaitGroup
}

// job is the product at work: C += A·B or C = A·B for the rows, columns and
// depth of the block at hand, given by A, B and C from their first number on.
type job[T Float] struct {
	rows, columns, depth int
	a                    []T
	aRow, aCol           int
	b                    []T
	bRow, bCol           int
	c                    []T
	ldc                  int
	add                  bool

	// The work is cut into units of that many rows of C or columns of B.
	units, rowsOfUnit, columnsOfUnit int
}

// worker is what one goroutine needs for itself.
type worker[T Float] struct {
	packed  []T // a block of A in panels
	scratch []T // a column of tiles that overhang C
	// Units of work from next to end are still to be had, by any worker.
	next    atomic.Int64
	end     int64
	pack    func()
	compute func()
}

// NewMultiplier is a multiplier with the kernel k that uses up to threads
// goroutines.
func NewMultiplier[T Float](k *Kernel[T], threads int) *Multiplier[T] {
	if threads < 1 {
		panic(fmt.Sprintf("gemm: %d threads: want 1 or more", threads))
	}
	m := &Multiplier[T]{kernel: k, workers: make([]worker[T], threads)}
	for i := range m.workers {
		w := &m.workers[i]
		w.pack = func() { m.each(i, m.packUnit) }
		w.compute = func() { m.each(i, m.computeUnit) }
	}
	return m
}

// Blocks of the three loops. A panel of B of maxDepth rows (16 KiB with AVX2,
// 32 KiB with AVX-512, for float32) is read from the first level of cache, a
// block of A of blockOfA bytes from the second, and the block of B, a few
// megabytes, from the third.
const (
	maxDepth   = 256
	blockOfA   = 192 << 10
	maxColumns = 3072
	// smallWork is how many multiply-adds are not worth a second goroutine,
	// smallPack how many numbers to pack.
	smallWork = 1 << 18
	smallPack = 1 << 16
)

// Multiply computes C = A·B, or C += A·B if add, for A of rows×depth, B of
// depth×columns and C of rows×columns numbers. Element (i, j) of A is
// a[i·aRow + j·aCol], that of B is b[i·bRow + j·bCol], so that strides express
// a transposition; that of C is c[i·ldc + j]. C must not overlap A or B. It
// panics if a stride is negative, ldc < columns or a slice is too short.
//
// The numbers do not depend on how many threads there are: the order of every
// sum is fixed by depth and the kernel alone.
func (m *Multiplier[T]) Multiply(rows, columns, depth int, a []T, aRow, aCol int, b []T, bRow, bCol int, c []T, ldc int, add bool) {
	check("A", rows, depth, a, aRow, aCol)
	check("B", depth, columns, b, bRow, bCol)
	check("C", rows, columns, c, ldc, 1)
	if ldc < columns && rows > 1 {
		panic(fmt.Sprintf("gemm: rows of C %d numbers apart: want %d or more", ldc, columns))
	}
	if rows == 0 || columns == 0 {
		return
	}
	if depth == 0 {
		if !add {
			for i := range rows {
				clear(c[i*ldc:][:columns])
			}
		}
		return
	}
	deep := split(depth, maxDepth, 1)
	wide := split(columns, maxColumns, m.kernel.NR)
	for column := 0; column < columns; column += wide {
		for p := 0; p < depth; p += deep {
			m.job = job[T]{
				rows: rows, columns: min(wide, columns-column), depth: min(deep, depth-p),
				a: a[p*aCol:], aRow: aRow, aCol: aCol,
				b: b[p*bRow+column*bCol:], bRow: bRow, bCol: bCol,
				c: c[column:], ldc: ldc,
				add: add || p > 0,
			}
			m.block()
		}
	}
	m.job = job[T]{} // keeps no one's matrices alive
}

// block does the job at hand: packs all of its B, then computes in units of
// rows that each worker takes in turn, packing A as it goes.
func (m *Multiplier[T]) block() {
	k := m.kernel
	m.packed = grow(m.packed, k.SizeB(m.depth, m.columns))
	threads := len(m.workers)
	if float64(m.rows)*float64(m.columns)*float64(m.depth) < smallWork {
		threads = 1
	}

	m.columnsOfUnit = 8 * k.NR // a few panels, so that packing is shared evenly
	packers := threads
	if m.depth*m.columns < smallPack {
		packers = 1
	}
	m.units = (m.columns + m.columnsOfUnit - 1) / m.columnsOfUnit
	m.start(packers, func(w *worker[T]) func() { return w.pack })

	// Units large enough to reuse a panel of B, but several for each thread.
	most := max(k.MR, blockOfA/(m.depth*sizeOf[T]()))
	m.rowsOfUnit = split(m.rows, most, k.MR)
	if threads > 1 {
		m.rowsOfUnit = min(m.rowsOfUnit, split(m.rows, (m.rows+4*threads-1)/(4*threads), k.MR))
	}
	m.units = (m.rows + m.rowsOfUnit - 1) / m.rowsOfUnit
	threads = min(threads, m.units)
	for i := range threads {
		w := &m.workers[i]
		w.packed = grow(w.packed, k.SizeA(m.rowsOfUnit, m.depth))
		w.scratch = grow(w.scratch, roundUp(m.rowsOfUnit, k.MR)*k.NR)
	}
	m.start(threads, func(w *worker[T]) func() { return w.compute })
}

// start runs a task of the first threads workers, the first of them here, and
// waits for all. Each begins with its own equal share of the units, so that
// the same numbers stay in the same cache from product to product.
func (m *Multiplier[T]) start(threads int, task func(*worker[T]) func()) {
	for i := range m.workers {
		w := &m.workers[i]
		w.next.Store(int64(min(i, threads) * m.units / threads))
		w.end = int64(min(i+1, threads) * m.units / threads)
	}
	m.wait.Add(threads)
	for i := 1; i < threads; i++ {
		go task(&m.workers[i])()
	}
	task(&m.workers[0])()
	m.wait.Wait()
}

// each does the units of worker i, then what others have left.
func (m *Multiplier[T]) each(i int, do func(w *worker[T], unit int)) {
	defer m.wait.Done()
	for j := range m.workers {
		from := &m.workers[(i+j)%len(m.workers)]
		for {
			unit := from.next.Add(1) - 1
			if unit >= from.end {
				break
			}
			do(&m.workers[i], int(unit))
		}
	}
}

// packUnit packs some panels of B.
func (m *Multiplier[T]) packUnit(_ *worker[T], unit int) {
	column := unit * m.columnsOfUnit
	m.kernel.PackB(m.packed[column*m.depth:], m.depth, min(m.columnsOfUnit, m.columns-column), m.b[column*m.bCol:], m.bRow, m.bCol)
}

// computeUnit computes some rows of C.
func (m *Multiplier[T]) computeUnit(w *worker[T], unit int) {
	row := unit * m.rowsOfUnit
	m.computeRows(w, row, min(m.rowsOfUnit, m.rows-row))
}

// computeRows computes rows of C from row on.
func (m *Multiplier[T]) computeRows(w *worker[T], row, rows int) {
	k := m.kernel
	k.PackA(w.packed, rows, m.depth, m.a[row*m.aRow:], m.aRow, m.aCol)
	whole := rows / k.MR // panels of A without zeros
	tail := w.packed[whole*k.MR*m.depth:]
	for column := 0; column < m.columns; column += k.NR {
		b := m.packed[column*m.depth:]
		c := m.c[row*m.ldc+column:]
		columns := min(k.NR, m.columns-column)
		if columns == k.NR {
			k.Panels(whole, m.depth, w.packed, b, c, m.ldc, m.add)
			if left := rows - whole*k.MR; left > 0 {
				k.Tile(m.depth, tail, b, w.scratch, k.NR, false)
				m.copyTile(c[whole*k.MR*m.ldc:], w.scratch, left, columns)
			}
			continue
		}
		k.Panels(roundUp(rows, k.MR)/k.MR, m.depth, w.packed, b, w.scratch, k.NR, false)
		m.copyTile(c, w.scratch, rows, columns)
	}
}

// copyTile copies the part of scratch that is within C, or adds it.
func (m *Multiplier[T]) copyTile(c, scratch []T, rows, columns int) {
	for i := range rows {
		to, from := c[i*m.ldc:][:columns], scratch[i*m.kernel.NR:][:columns]
		if !m.add {
			copy(to, from)
			continue
		}
		for j, x := range from {
			to[j] += x
		}
	}
}

// check panics unless rows×columns numbers with these strides fit in x.
func check[T Float](name string, rows, columns int, x []T, row, column int) {
	if rows < 0 || columns < 0 || row < 0 || column < 0 {
		panic(fmt.Sprintf("gemm: %s of %d×%d numbers with strides %d and %d: want no negative number", name, rows, columns, row, column))
	}
	if rows == 0 || columns == 0 {
		return
	}
	if want := (rows-1)*row + (columns-1)*column + 1; len(x) < want {
		panic(fmt.Sprintf("gemm: %d numbers of %s: want %d or more", len(x), name, want))
	}
}

// sizeOf is the number of bytes of a T.
func sizeOf[T Float]() int {
	if T(1)+T(1e-10) == 1 {
		return 4
	}
	return 8
}

// split is the size of the fewest equal parts of n, none above most, in whole
// units: the last part may be smaller.
func split(n, most, unit int) int {
	parts := (n + most - 1) / most
	return roundUp((n+parts-1)/parts, unit)
}

// grow is x with n numbers, which are arbitrary.
func grow[T Float](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}
