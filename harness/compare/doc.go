// Package compare puts predictions beside simulations of finite memories and
// judges them. All are parameter-free but one: how far OP's half-point may lie
// above p_c at finite d is an empirical range.
//
// A report has sections, a section has rows, and every row has
//
//	predicted | measured | 95% interval | z | p-value | verdict
//
// Rows that are compared by counts or means carry the p-value of an exact or
// Student test; the verdicts of all rows of a report are taken together by Holm's
// procedure, so that the probability of a false alarm anywhere in a report is
// about the stated rate at most, whatever the seed (binomial tests are exact,
// those of half-points calibrated by bootstrap). Rows that compare two computations
// carry no p-value: they agree when they differ by less than their error
// bounds. Below each section stand the wrong theories that the same data
// reject, with the z at which they do: a comparison that could not have told
// them apart would prove nothing.
//
//	storable instances   P = 2 Σ c_j against stored/decided     lamcap/saddle
//	whole curves         χ² and score over all loads, and the p_c they reject
//	half-points          p·D_p = N_eff against a fitted load
//	Hebb's recall        the laws of lamcap/saddle against mean accuracy
//	training, margins    the vector level of lamcap/saddle/vector against trained DP
//	OP less DP           half-points by theory, trained memories by laws of larger runs
//	accuracy             recall beyond capacity at vector level, the limit's step
//	identities           closed forms, quadrature, Monte Carlo over the cone
//
// An undecided instance never counts as stored nor as not stored. Where it
// could have been either (low rank, where failed restarts prove nothing), the
// interval of a row spans both readings and its p-value is the least favourable
// one. Half-points and whole curves, at full rank, leave undecided instances
// out; there they are rare and shown.
package compare
