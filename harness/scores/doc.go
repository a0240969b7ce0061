// Package scores compares the normalised scores of trained memories, S/‖W‖_F, with
// the laws that theory has for them: that of the target, and the largest of the
// others.
//
// What tells mechanisms apart is where the correct score lies. Hebb's rule gives it
// mean d/√p and variance 1, whatever the competitors are; the largest of these is that
// of n − 1 normals, near √(2 log n). Training raises the correct score to just above
// the level m* that it pushes the largest competitors down to: their law is the
// projection of normals onto the cone of package extremes,
//
//	correct m* + K*,   largest wrong min(m*, max_ρ t_ρ),   m* + K* − t_0 = Σ_ρ (t_ρ − m*)_+,
//
// narrow, and well below √(2 log n) (E m* is 1.8 at n = 100, where E max is 2.5).
//
// Laws are of two levels. Score level, the limit d → ∞: competitors are independent
// of the correct score. Vector level: W e_μ is a vector of R^{d_out} that contains the
// correct score, so the competitors' variance is larger, by about d/p for Hebb's rule.
//
// Instances are the independent unit: inputs of one memory are not independent, so
// intervals and tests are of means over instances, and the Kolmogorov-Smirnov distance
// of the pooled scores from a law comes without a p-value.
package scores
