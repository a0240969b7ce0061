// Package status names how an iterative computation ended.
//
// Every solver, quadrature and training run of this module reports one of
// these values beside its result, so that a last iterate is never mistaken
// for a converged one.
package status
