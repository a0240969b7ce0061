package gemm

import "fmt"

// transposition copies lanes rows of src, srcStride numbers apart, into as
// many columns of dst, whose rows are dstStride numbers apart: block numbers
// of each row at a time, blocks times.
type transposition[T Float] struct {
	lanes, block int
	run          func(blocks int, dst []T, dstStride int, src []T, srcStride int)
}

// SizeA is how many numbers [Kernel.PackA] writes for rows×cols numbers.
func (k *Kernel[T]) SizeA(rows, cols int) int { return roundUp(rows, k.MR) * cols }

// SizeB is how many numbers [Kernel.PackB] writes for rows×cols numbers.
func (k *Kernel[T]) SizeB(rows, cols int) int { return roundUp(cols, k.NR) * rows }

// PackA packs a left factor of rows×cols numbers for the kernel: into panels
// of MR rows, end to end, each dst[col][MR], with zeros below the last row.
// Element (i, j) is src[i·rowStride + j·colStride]. It panics if dst is
// shorter than SizeA or src too short.
func (k *Kernel[T]) PackA(dst []T, rows, cols int, src []T, rowStride, colStride int) {
	k.pack(k.MR, k.copyA, dst, rows, cols, src, rowStride, colStride)
}

// PackB packs a right factor of rows×cols numbers for the kernel: into panels
// of NR columns, end to end, each dst[row][NR], with zeros right of the last
// column. Element (i, j) is src[i·rowStride + j·colStride]. It panics if dst
// is shorter than SizeB or src too short.
func (k *Kernel[T]) PackB(dst []T, rows, cols int, src []T, rowStride, colStride int) {
	k.pack(k.NR, k.copyB, dst, cols, rows, src, colStride, rowStride)
}

// pack packs count lanes (rows of A or columns of B) of depth numbers into
// panels dst[depth][width], whole rows of a panel by copyRows. Number p of lane i
// is src[i·lane + p·step].
func (k *Kernel[T]) pack(width int, copyRows func(int, []T, []T, int), dst []T, count, depth int, src []T, lane, step int) {
	if count < 0 || depth < 0 || lane < 0 || step < 0 {
		panic(fmt.Sprintf("gemm: %d lanes of %d numbers with strides %d and %d: want no negative number", count, depth, lane, step))
	}
	if count == 0 || depth == 0 {
		return
	}
	if want := (count-1)*lane + (depth-1)*step + 1; len(src) < want {
		panic(fmt.Sprintf("gemm: %d numbers to pack: want %d or more", len(src), want))
	}
	if want := roundUp(count, width) * depth; len(dst) < want {
		panic(fmt.Sprintf("gemm: %d numbers to pack into: want %d or more", len(dst), want))
	}
	for first := 0; first < count; first += width {
		panel := dst[first*depth:][:width*depth]
		from := src[first*lane:]
		lanes := min(width, count-first)
		switch {
		case lane == 1 && lanes == width:
			copyRows(depth, panel, from, step)
		case step == 1:
			k.packTransposed(panel, width, lanes, depth, from, lane)
		default:
			packLanes(panel, width, 0, lanes, 0, depth, from, lane, step)
		}
		if lanes < width {
			for p := range depth {
				clear(panel[p*width+lanes : (p+1)*width])
			}
		}
	}
}

// packLanes packs the numbers first to depth-1 of lanes from to to-1, one by
// one.
func packLanes[T Float](panel []T, width, from, to, first, depth int, src []T, lane, step int) {
	for i := from; i < to; i++ {
		for p := first; p < depth; p++ {
			panel[p*width+i] = src[i*lane+p*step]
		}
	}
}

// packTransposed packs lanes lanes of contiguous numbers.
func (k *Kernel[T]) packTransposed(panel []T, width, lanes, depth int, src []T, lane int) {
	i := 0
	for _, t := range k.transpositions {
		blocks := depth / t.block
		if blocks == 0 {
			continue
		}
		for ; i+t.lanes <= lanes; i += t.lanes {
			t.run(blocks, panel[i:], width, src[i*lane:], lane)
			packLanes(panel, width, i, i+t.lanes, blocks*t.block, depth, src, lane, 1)
		}
	}
	packLanes(panel, width, i, lanes, 0, depth, src, lane, 1)
}

// roundUp is the least multiple of unit that is not below n.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
