package gemm

// The portable tile, small enough for the registers of most machines.
const (
	portableRows    = 4
	portableColumns = 4
)

// portablePanels is Kernel.panels in plain Go. It takes a tile in two halves
// of two columns: sixteen sums at once would not stay in registers.
func portablePanels[T Float](count, depth int, a, b, c []T, ldc int, add bool) {
	for i := range count {
		panel := a[i*depth*portableRows:][:depth*portableRows]
		for j := 0; j < portableColumns; j += 2 {
			portableHalf(panel, b[j:depth*portableColumns], c[i*portableRows*ldc+j:], ldc, add)
		}
	}
}

// portableHalf computes two columns of a tile; b begins at the first of them.
func portableHalf[T Float](a, b, c []T, ldc int, add bool) {
	var c00, c01, c10, c11, c20, c21, c30, c31 T
	for len(a) >= portableRows && len(b) >= 2 {
		b0, b1 := b[0], b[1]
		a0 := a[0]
		c00 += a0 * b0
		c01 += a0 * b1
		a1 := a[1]
		c10 += a1 * b0
		c11 += a1 * b1
		a2 := a[2]
		c20 += a2 * b0
		c21 += a2 * b1
		a3 := a[3]
		c30 += a3 * b0
		c31 += a3 * b1
		a = a[portableRows:]
		// The last row of the panel ends before a whole step.
		b = b[min(portableColumns, len(b)):]
	}
	write := func(row int, x, y T) {
		r := c[row*ldc:][:2]
		if add {
			x, y = r[0]+x, r[1]+y
		}
		r[0], r[1] = x, y
	}
	write(0, c00, c01)
	write(1, c10, c11)
	write(2, c20, c21)
	write(3, c30, c31)
}

// portableCopy is Kernel.copyA and copyB in plain Go.
func portableCopy[T Float](rows int, dst, src []T, stride int) {
	for p := range rows {
		to, from := dst[p*portableRows:][:portableRows], src[p*stride:][:portableRows]
		to[0], to[1], to[2], to[3] = from[0], from[1], from[2], from[3]
	}
}

// portableTranspose is the transposition of four lanes in plain Go.
func portableTranspose[T Float](blocks int, dst []T, dstStride int, src []T, srcStride int) {
	s0, s1 := src[:blocks], src[srcStride:][:blocks]
	s2, s3 := src[2*srcStride:][:blocks], src[3*srcStride:][:blocks]
	for p := range blocks {
		to := dst[p*dstStride:][:4]
		to[0], to[1], to[2], to[3] = s0[p], s1[p], s2[p], s3[p]
	}
}

// portablePeakFlops is what one turn of portablePeak does.
const portablePeakFlops = 2 * 8

// portablePeak multiplies and adds numbers in registers, without memory.
func portablePeak[T Float](turns int, x T) {
	var s0, s1, s2, s3, s4, s5, s6, s7 T
	for range turns {
		// Each factor is a sum of the turn before: the compiler can hoist no
		// product, and four chains of two are wide enough for the machine.
		s0 += x * s4
		s1 += x * s5
		s2 += x * s6
		s3 += x * s7
		s4 += x * s0
		s5 += x * s1
		s6 += x * s2
		s7 += x * s3
	}
	if s := s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7; s != 0 {
		panic("gemm: a sum of zeros is not zero") // keeps the sums alive
	}
}
