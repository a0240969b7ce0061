// Package nnls solves small non-negative least squares and the projection onto a
// polyhedron that is their dual.
//
// [Solver.Project] finds the point of a polyhedron next to a given one,
//
//	min_v ½‖v − v⁰‖²  subject to  a_jᵀv ≥ b_j,  j = 1 … n,
//
// whose dual is a non-negative least squares problem with a linear term,
//
//	min_{x ≥ 0} ½‖v⁰ + Σ_j x_j a_j‖² − Σ_j b_j x_j,   v = v⁰ + Σ_j x_j a_j,
//
// and for b = 0, v⁰ = −y the problem of [LH], min_{x ≥ 0} ‖Σ_j x_j a_j − y‖, which is
// [Solver.Solve].
//
// Like the method of [LH] it is an active-set method that takes in the constraint
// with the largest violation and takes out those whose multipliers would become
// negative; steps are taken as in [GI], in primal and dual together, which covers
// the linear term: columns that depend on the active ones are exchanged instead of
// added, and a problem without any feasible point is found out. Every step
// increases the dual objective, so no active set occurs twice. The orthogonal
// factors of the active columns are updated, never formed from their Gram matrix:
// the error is that of the columns' condition number, not of its square.
//
// What is returned was checked: the largest violation of the Karush-Kuhn-Tucker
// conditions at the returned point,
//
//	a_jᵀv ≥ b_j,   x_j ≥ 0,   x_j (a_jᵀv − b_j) = 0,   v = v⁰ + Σ_j x_j a_j,
//
// is part of the result.
//
// References:
//
//	[LH] C. L. Lawson, R. J. Hanson, Solving Least Squares Problems, SIAM 1995,
//	     chapter 23.
//	[GI] D. Goldfarb, A. Idnani, A numerically stable dual method for solving
//	     strictly convex quadratic programs, Math. Program. 27 (1983) 1.
package nnls
