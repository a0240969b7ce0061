// Package quad integrates functions of one real variable with an error bound.
//
//	I = ∫_a^b f(x) dx,   −∞ ≤ a, b ≤ ∞
//
// [Integrate] is globally adaptive: it bisects the segment with the largest
// error until the sum of errors is below the tolerance ([QP], [QuadGK]).
// Each segment is measured by the 21-point Kronrod extension of the 10-point
// Gauss rule. An infinite range is cut into half lines
//
//	∫_c^∞ f(x) dx = ∫_0^1 f(c + s(1−u)/u) s/u² du,
//
// with s the length over which f varies near c (1 unless a probe found it).
//
// [Trapezoid] is the doubly infinite trapezoidal rule
//
//	I = h Σ_k f(c + kh),   k = … −1, 0, 1 …
//
// whose error decreases like e^{−2πa/h} for f analytic in a strip |Im x| < a
// ([TW]).
//
// Every integral comes with a bound on its error, which includes round-off,
// and a status.
//
// References:
//
//	[QP]     R. Piessens, E. de Doncker-Kapenga, C. W. Überhuber, D. K. Kahaner,
//	         QUADPACK (Springer, 1983).
//	[QuadGK] S. G. Johnson, QuadGK.jl, Gauss-Kronrod integration in Julia.
//	[TW]     L. N. Trefethen, J. A. C. Weideman, The exponentially convergent
//	         trapezoidal rule, SIAM Review 56 (2014).
package quad
