// Package predict tabulates the parameter-free predictions of the theory: the
// capacity as a function of rank and of the number of candidates, and the
// approach to the limit with n.
//
//	α_limit = I(κ)/2,   α_c = log n · I(κ)/D_n,   γ_c = I(κ)/D_n,   p_c = N_eff/D_n
//
// The numbers come from lamcap/quartercircle, lamcap/extremes and
// lamcap/saddle; this package only puts them side by side.
package predict
