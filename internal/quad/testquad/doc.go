// Package testquad holds integrals with known values, for tests of quadrature.
//
//	Value = ∫_A^B F(x) dx
//
// Every value is a closed form, or a special function from 30-digit arithmetic.
package testquad
