// Package pairings asks how many facts a memory stores whose keys and values are given vectors,
// real embeddings say, paired at random.
//
// An instance is p facts: p keys drawn without replacement from the rows of K, p values from the rows
// of V, paired at random; all p values are the candidates of each key (the original problem, n = p).
// Every draw has an address, (seed, experiment, p, trial), so that the same rows are drawn whatever is
// done to the vectors: raw and preprocessed ones are compared pair by pair. Preprocessing is fitted on
// all rows, not on those drawn.
//
// # What cannot matter
//
// W recalls every key iff (u_μ − u_ρ)ᵀ W e_μ > 0 for all μ, ρ ≠ μ. For invertible A and B, any vector b
// and numbers c_μ > 0, with e'_μ = c_μ B e_μ, u'_ρ = A u_ρ + b and W' = A^{−T} W B^{−1},
//
//	(u'_μ − u'_ρ)ᵀ W' e'_μ = (u_μ − u_ρ)ᵀ Aᵀ A^{−T} W B^{−1} c_μ B e_μ = c_μ (u_μ − u_ρ)ᵀ W e_μ,
//
// so that the same instances are storable. Hence nothing depends on
//
//	the spectra of the covariances of keys and values: whitening changes no instance
//	the mean of the values: centring them changes none
//	the lengths of the keys: unit norm, before or after an invertible map of them, changes none
//
// and the only steps that can change the number of facts are centring the keys (alone or as a part of
// whitening), which moves them relative to the origin, and unit norm of the values, which is not affine.
// That real embeddings are anisotropic is thus no reason for another capacity: an effective dimension made
// of covariance spectra, a participation ratio say, is wrong for storage. Margins, norms, losses and the
// time that training takes do depend on them.
//
// # What does matter
//
// Gaussian theory, p D_p = d_in d_out with the shift of the shared pool ([saddle.OriginalFacts]), needs the
// directions that are left to be those of Gaussian vectors. The values' are not if their lengths, in
// coordinates in which they are white, differ more than those of Gaussian ones: a short target lies deep among
// its competitors and takes more of the weights. [PoolLevel] takes the values as they are:
//
//	p_½ = p_pool · (p_½/p_c of Gaussian vectors),   Σ_μ D_μ(pool of p_pool values) = d_in d_out,
//
// D_μ by Monte Carlo (lamcap/saddle/anisotropy).
//
// Half-points of GloVe's words in their leading d components, 95% intervals, keys Gaussian but in the last three
// rows (80 to 120 instances at each of five or six loads at d = 24, 24 at each of seven at d = 48); PoolLevel ± its
// error at d = 24 and about that at d = 48, from four pools:
//
//	values                               d = 24                  pool    d = 48                  pool
//	Gaussian, theory and pool            118.7                   118.5   358.9                   358
//	words, in any affine coordinates     114.9 [113.7, 116.1]    114.7   336.5 [334.4, 338.6]    332
//	Gaussian directions, words' lengths  114.7 [113.9, 115.5]    114.2   332.0 [330.9, 333.7]    329
//	words, entries shuffled, white       118.4 [117.7, 119.2]    118.5   357.6 [355.2, 360.0]
//	words, white, of unit norm           123.1 [122.3, 123.9]    123.3   369.1 [367.3, 371.3]*   373
//	keys words, centred, values words    115.4 [114.7, 116.0]            338.7 [336.4, 341.0]
//	keys words, raw, values words        116.0 [115.3, 116.7]            347.5 [345.4, 349.7]
//	keys words, raw, values Gaussian     119.2 [118.4, 120.0]            360.2 [357.0, 363.5]
//
// (*: keys raw words). So the lengths of the values, in white
// coordinates, are the whole of what words differ by from Gaussian vectors as values: the same lengths with Gaussian
// directions cost as much, and unit norm gives more than Gaussian vectors have. As keys words are as good as Gaussian
// vectors. Raw keys are not worse but better than centred ones where values are words: their mean gives the memory a
// bias W m, a linear function of the value added to all scores, which can make up for some of the unequal lengths.
// (That is the likely reason; no theory of it is computed here.)
//
// References:
//
//   - [GloVe] J. Pennington, R. Socher, C. D. Manning, GloVe: Global Vectors for Word Representation,
//     EMNLP 2014.
package pairings
