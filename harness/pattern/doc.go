// Package pattern draws the finite associations that a memory has to store.
//
// An instance has p keys e_μ ∈ R^{d_in} and, for every key, a pool of n
// candidate values u_ρ ∈ R^{d_out}, one of which is its target. A memory
// W ∈ R^{d_out×d_in} recalls input μ when
//
//	S_μμ > S_μρ for every other candidate ρ,   S_μρ = u_ρᵀ W e_μ,
//
// strictly. Two ensembles ([Giorlandino26], section 2) share this form:
//
//	OP, the original problem:  one pool of n = p values, shared by all inputs
//	DP, the decoupled problem: every input has its own independent pool
//
// Keys and values have independent standard normal entries, or are uniform on
// the sphere of radius √d. A third form is not drawn but given ([FromPairs]):
//
//	Facts:  one pool of n values, each the target of any number of inputs
//
// The pools of DP are most of the numbers. They are float32 numbers, each drawn
// by its address (lamcap/internal/counter): input, row and entry. [Sample] keeps
// them, in half the memory of float64; [SampleStreamed] draws them again when
// they are read, any rows alone. Both give the same numbers, on every machine.
// Keys and the pool of OP are float64 numbers from a stream.
//
// References:
//
//   - [Giorlandino26] D. Giorlandino, S. Goldt, A. Maillard, Factual recall in
//     linear associative memories: sharp asymptotics and mechanistic insights,
//     arXiv:2605.10795.
package pattern
