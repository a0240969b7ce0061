// Package faddeeva computes the Faddeeva function and its relatives on the real line.
//
// The Faddeeva function is
//
//	w(z) = e^{−z²} erfc(−iz) = (i/π) ∫ e^{−t²} / (z − t) dt   (Im z > 0),
//
// continued to the whole plane. On the real axis
//
//	w(x) = e^{−x²} + (2i/√π) D(x),  D Dawson's integral,
//
// and on the imaginary axis w(iy) = erfcx(y) = e^{y²} erfc(y).
//
// [W] evaluates the integral by the trapezoidal rule. The pole t = z of the
// integrand is close to the line of integration when Im z is small; its
// residue is then added in closed form, and the nodes are shifted by half a
// step where z is near one of them ([ACW]). With step h the error of the rule
// is of order e^{−(π/h)²} everywhere, in exact arithmetic.
//
// References:
//
//	[ACW] M. Al Azah, S. N. Chandler-Wilde, Computation of the complex error
//	      function using modified trapezoidal rules, SIAM J. Numer. Anal. 59
//	      (2021).
//	[PW]  G. P. M. Poppe, C. M. J. Wijers, More efficient computation of the
//	      complex error function, ACM Trans. Math. Softw. 16 (1990).
package faddeeva
