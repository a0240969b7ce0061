// Package conformance is the suite of laws that every learning rule must pass.
//
// A rule is a line, [Subject]; its laws are checked on OP, DP and given
// facts, with weights stored in full and in factors. With W(I) for what a rule
// makes of an instance I, they are
//
//	an easy I is stored,       a contradictory one never,
//	W(π I) = W(I),             π a permutation of the inputs, up to round-off,
//	W(c I) ∝ W(I),             c > 0 on all keys, with rates that scale as stated,
//	W on 1, 2 or 5 threads, and cut and saved anywhere, is W bit for bit,
//	NaN, Inf → Diverged,       and W is what it was before.
package conformance
