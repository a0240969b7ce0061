// Package root finds a zero of a function of one real variable between two
// points of opposite sign.
//
//	f(x) = 0,   lo ≤ x ≤ hi,   sign f(lo) ≠ sign f(hi)
//
// [Find] keeps a bracket and narrows it by inverse quadratic interpolation
// where Chandrupatla's criterion allows, by bisection elsewhere. It compares
// signs and ratios of values, never products, so values near the smallest
// float do no harm.
//
// References:
//
//	[C] T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm for
//	    finding the zero of a nonlinear function without using derivatives,
//	    Advances in Engineering Software 28 (1997).
package root
