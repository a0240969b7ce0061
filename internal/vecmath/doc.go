// Package vecmath evaluates exponentials, softmax blocks and matrix-vector
// products on slices, with the widest vector registers of the machine.
//
// The exponential calls nothing of package math. It is a polynomial on a reduced
// argument,
//
//	exp x = 2^n · exp r,   n = round(x/log 2),   r = x − n log 2,   |r| ≤ (log 2)/2,
//
// where n log 2 is subtracted in two parts ([CodyWaite80]) and exp r is
// 1 + r + r² q(r) with q of least greatest relative error: 3e-9 for float32
// (degree 6 in all), 4e-18 for float64 (degree 11). Without vector registers a table of
// fractional powers of 2 leaves a smaller r and a shorter polynomial. Greatest
// errors found, relative to the exponential of the rounded difference x − shift:
//
//	           assembly            portable
//	float32    1.0 ulp, 8.4e-8     1.3 ulp, 1.4e-7     for −87.33 ≤ x < 88.37
//	float64    1.0 ulp, 1.6e-16    1.2 ulp, 2.3e-16    for −708 ≤ x < 709.43
//
// Below those ranges the result is exactly 0, above them +Inf (which starts at
// 2^127.5 and 2^1023.5, a factor √2 below the overflow of the type); the
// exponential of NaN is NaN, of 0 it is 1.
//
// A [Routines] is the set of routines for one instruction set (see
// lamcap/internal/simd). The last bits of a result depend on the instruction
// set, and on nothing else: every sum has a fixed order. Sums are accumulated in
// the precision of their terms: one of m terms has an error of at most m ulp of
// the sum of their absolute values, and in practice one that grows as √m or
// slower, since several partial sums run side by side.
//
// References:
//
//   - [CodyWaite80] W. J. Cody, W. Waite, Software Manual for the Elementary
//     Functions, Prentice-Hall, 1980, chapter 6.
package vecmath

//go:generate ../asm/generate vecmath
