package vecmath

// The portable products. Four partial sums run side by side, since additions
// that wait for each other take most of the time.

func dot[T Float](x, y []T) T {
	var s0, s1, s2, s3 T
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func addScaled[T Float](y []T, alpha T, x []T) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += alpha * v
	}
}

func matVec[T Float](y, a []T, lda, rows, cols int, x []T) {
	for i := range y {
		y[i] = dot(a[i*lda:][:cols], x)
	}
}

func matVecTrans[T Float](y, a []T, lda, rows, cols int, x []T) {
	clear(y)
	i := 0
	for ; i+4 <= rows; i += 4 {
		x0, x1, x2, x3 := x[i], x[i+1], x[i+2], x[i+3]
		a0, a1, a2, a3 := a[i*lda:][:cols], a[(i+1)*lda:][:cols], a[(i+2)*lda:][:cols], a[(i+3)*lda:][:cols]
		y := y[:cols]
		for j, v := range a0 {
			y[j] += (v*x0 + a1[j]*x1) + (a2[j]*x2 + a3[j]*x3)
		}
	}
	for ; i < rows; i++ {
		addScaled(y, x[i], a[i*lda:][:cols])
	}
}
