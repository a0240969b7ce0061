// Package sum adds floating-point numbers with small error.
//
// References:
//
//	[N] A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation
//	    endlicher Summen, Z. Angew. Math. Mech. 54 (1974).
//	[H] N. J. Higham, The accuracy of floating point summation, SIAM J. Sci.
//	    Comput. 14 (1993).
package sum
