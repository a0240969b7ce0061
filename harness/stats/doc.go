// Package stats turns counts and samples of finite-size experiments into
// intervals, p-values and verdicts that are valid at small counts.
//
// The null distribution of every test of a fully specified prediction is summed
// exactly, never replaced by a normal one:
//
//	stored ~ Binomial(trials, p0)        P(X ≥ s) = Σ_{k≥s} C(n,k) p0^k (1−p0)^{n−k}
//	whole curve, T = Σ_i w_i stored_i    P(T ≥ t) by convolution of the loads
//	χ², deviance of a whole curve        P(X² ≥ x) by convolution of the loads
//	mean of a sample                     (x̄ − μ)/(s/√n) ~ Student t, n − 1 degrees
//
// All tails are kept in log space, so a wrong theory can be rejected at z = −60
// and the number still means something. Two-sided p-values of counts are the
// doubled smaller tail, capped at 1: P(p ≤ u) ≤ u holds for every u, and the test
// is the exact dual of the Clopper-Pearson interval. The signed z beside a p-value
// is its normal equivalent, p = 2 Q(|z|), positive when the data lie above the
// prediction.
//
// The half-point of a transition is the load where half the instances are stored,
//
//	P(stored | x) = Φ((x_half − x)/width),
//
// fitted by maximum likelihood, with a profile-likelihood interval.
//
// Rows of a table are judged together by Holm's procedure, which keeps the
// probability of any false alarm below the stated rate for any dependence
// between the rows.
//
// Contents
//
//   - counts: [Proportion], [Paired]
//   - means: [Sample], [Prediction]
//   - how a quantity changes with size: [Scaling], [PowerLaw], [Extrapolation]
//   - transitions: [Transition], [HalfPoint], [CurvePValue], [CurveDeviancePValue], [CurveChiSquare]
//   - a curve up to its scale: [CurveFamily]
//   - what an experiment can find: [Power], [CurvePower], [CurveFamily]
//   - many rows: [Holm], [Verdicts]
//   - wrong theories: [Rejection]
//
// References:
//
//	[BCD]   L. D. Brown, T. T. Cai, A. DasGupta, Interval estimation for a binomial
//	        proportion, Statist. Sci. 16 (2001) 101-133.
//	[CP]    C. J. Clopper, E. S. Pearson, The use of confidence or fiducial limits
//	        illustrated in the case of the binomial, Biometrika 26 (1934) 404-413.
//	[Dan]   H. E. Daniels, Saddlepoint approximations in statistics, Ann. Math. Statist.
//	        25 (1954) 631-650 (for the exponential tilting; the sums here are exact).
//	[Hill]  G. W. Hill, Algorithm 395: Student's t-distribution, Comm. ACM 13 (1970)
//	        617-619.
//	[Holm]  S. Holm, A simple sequentially rejective multiple test procedure,
//	        Scand. J. Statist. 6 (1979) 65-70.
//	[Loa]   C. Loader, Fast and accurate computation of binomial probabilities (2000).
//	[New]   R. G. Newcombe, Improved confidence intervals for the difference between
//	        binomial proportions based on paired data, Statist. Med. 17 (1998) 2635-2650.
//	[Sil]   M. J. Silvapulle, On the existence of maximum likelihood estimators for the
//	        binomial response models, J. R. Statist. Soc. B 43 (1981) 310-313.
//	[Wel]   B. L. Welch, The generalization of "Student's" problem when several
//	        different population variances are involved, Biometrika 34 (1947) 28-35.
//	[Wil]   E. B. Wilson, Probable inference, the law of succession, and statistical
//	        inference, J. Am. Statist. Assoc. 22 (1927) 209-212.
package stats
