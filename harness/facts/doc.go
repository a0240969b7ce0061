// Package facts stores a user's own associations in a linear memory, decides
// with proof whether they fit, and recalls them.
//
// Keys e ∈ R^{d_in} and values u ∈ R^{d_out} are sets of vectors
// (lamcap/harness/vectors); a fact is a pair of a key and a value. A memory
// W ∈ R^{d_out×d_in} recalls a fact (e, u) when
//
//	uᵀ W e > vᵀ W e    for every other candidate v,
//
// strictly and beyond round-off, the candidates being all values or those that
// some fact has. [Facts.Store] returns
//
//	stored         the W of largest margin (at full rank), a witness
//	not_storable   multipliers λ ≥ 0 with Σ λ (u − v) eᵀ = 0, and the W of least
//	               cross-entropy, with the facts that it does not recall
//	undecided      neither was found
//
// # What can be seen beforehand
//
// Facts that contradict each other are found before any training: see
// [Facts.Conflicts].
//
// # What storage can depend on
//
// With keys B e and values A u + b, A and B invertible, the weights A^{−T} W B^{−1}
// give
//
//	(A u + b − A v − b)ᵀ A^{−T} W B^{−1} B e = (u − v)ᵀ W e,
//
// the same differences of scores, at the same rank. So whether facts can be
// stored is invariant under such maps exactly: centring values, whitening values
// (with d_out independent differences) and any linear whitening of keys change no
// outcome, only the margin. Centring keys is no such map, nor is unit norm of
// values; unit norm of keys rescales each by a positive number, which changes no
// ranking. The number of weights that counts is therefore
//
//	N = rank(K) · rank(V − mean),
//
// d_in d_out for vectors that span; W on what they do not span has no effect.
package facts
