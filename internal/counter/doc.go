// Package counter draws standard normal numbers that have an address each.
//
// A number is a function of a key, the index of a sub-stream and its position
// in it, so that any part of any sub-stream can be drawn again alone, in any
// order. The bits come from Philox4x32-10 ([Salmon11]), ten rounds of
//
//	c0, c1, c2, c3 ← hi(M1·c2) ⊕ c1 ⊕ k0, lo(M1·c2), hi(M0·c0) ⊕ c3 ⊕ k1, lo(M0·c0)
//
// on a counter of four 32-bit words, here (block, index) as two 64-bit numbers;
// each block of four words gives four normals by [BoxMuller58],
//
//	x = √(−2 log u) cos θ,   y = √(−2 log u) sin θ,
//	u = (k + ½) 2^−32,       θ = 2π (j + ½) 2^−32 up to symmetries of the circle,
//
// from two pairs of words k and j, in the order x, x', y, y' of the pairs.
//
// # The same bits everywhere
//
// The numbers are float32 numbers, and identical on every architecture and
// instruction set: they are computed by a fixed sequence of float32 additions,
// multiplications and square roots, each rounded as IEEE 754 says, with
// polynomials for the logarithm, the sine and the cosine. No multiply-add is
// fused, and no function of a mathematical library is called.
//
// # How far from normal
//
// The law is discrete. The largest |x| is √(66 log 2) = 6.7637, which a normal number
// exceeds with probability 1.3e-11. Words k above 2^24 are rounded to 24 bits, which
// moves no quantile by more than 2^−25; the evaluation errs by less than
// 4e-7 relative. Together the distribution function is within 1.3e-7 of Φ
// everywhere: 3e-8 from u, 0.25e-8 from θ, and at most 4e-7·max_x xφ(x) = 9.7e-8 from
// the evaluation. In the tail the relative precision is kept: from 2^−24 down, u is
// exact. About one pair in 2^25 is (0, 0).
//
// References:
//
//   - [Salmon11] J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel
//     random numbers: as easy as 1, 2, 3, SC11, 2011,
//     doi:10.1145/2063384.2063405.
//   - [BoxMuller58] G. E. P. Box, M. E. Muller, A note on the generation of
//     random normal deviates, Ann. Math. Statist. 29 (1958) 610.
package counter

//go:generate ../asm/generate counter
