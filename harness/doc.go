// Package harness judges a theory of the storage capacity of memories by counts of
// finite ones, and is the way into the packages that train, decide and measure them.
//
// A theory says with which probability an instance with p facts can be stored. A
// simulation counts how many of some were. [JudgeCurve] returns whether the two agree:
//
//	theory, err := harness.Decoupled(predict.Memory{In: 12, Out: 12}, 0)       // or a func(p float64) float64 of yours
//	counts, err := harness.DecideLoads(ctx, spec, []int{37, 40, 43}, 1, 200)   // or counts of yours
//	harness.Pin(t, harness.JudgeCurve(theory, counts, theory.Scaled("5% more", 1.05)))
//
// The test is exact at any counts, and holds whatever undecided instances would have
// turned out to be. Not to contradict proves nothing by itself: beside the verdict stands,
// for each wrong theory that was named, the probability that counts like these would have
// contradicted the right one had the wrong one been true. Below 0.9, [Judgement.Err] and
// [Pin] say "the data could not have told the theory from" it; name one at least. [Judgement.Resolution] is the
// smallest error of the capacity that they would have found.
//
// # Five questions
//
//   - What is α_c(κ)? Example (Capacity); [lamcap/harness/predict.Capacity], lamcap capacity.
//   - Is my simulation right at this size? [JudgeCurve], with [Decoupled], [Judgement.HalfPoint]
//     and [Judgement.Resolution]; lamcap probability for the numbers alone.
//   - How big must d be for my facts? Example (Plan); [lamcap/harness/predict.PlanMemory],
//     [lamcap/harness/predict.PlanFacts], lamcap plan.
//   - Is my trained W optimal? lamcap inspect, for W, keys and values in .npy: what it
//     recalls, its margin beside the largest there is, its singular values. [Inspect] for
//     an instance in memory; [lamcap/harness/facts.Facts.Inspect] is what the command prints.
//   - How do I pin my own theory in a test? [Pin]; [JudgeCounts] at a single load.
//
// # Packages
//
// Instances and what is trained on them:
//
//   - [lamcap/harness/pattern]: ensembles of instances, OP and DP, and data of one's own
//   - [lamcap/harness/vectors], [lamcap/harness/facts]: vectors of one's own, and facts of them
//   - [lamcap/harness/learn]: learning rules, Hebb to L-BFGS
//   - [lamcap/harness/maxmargin]: the weights of largest margin, with the bound on it
//   - [lamcap/harness/proof]: whether an instance can be stored, with proof, and certificates
//   - [lamcap/harness/trial]: one instance or many, decided
//   - [lamcap/harness/constraint]: the constraints X_μρ and their linear algebra
//
// What is measured, and compared with theory:
//
//   - [lamcap/harness/measure]: memories trained to their end
//   - [lamcap/harness/spectrum], [lamcap/harness/scores]: singular values and scores, and their laws
//   - [lamcap/harness/accuracy]: recall beyond capacity
//   - [lamcap/harness/equivalence]: OP against DP
//   - [lamcap/harness/solutions]: all weights that store an instance
//   - [lamcap/harness/stats]: intervals, exact p-values, half-points, power, verdicts
//   - [lamcap/harness/pairings]: random pairings of given vectors
//   - [lamcap/harness/compare]: the sections of lamcap verify
//
// What is tabulated, kept and shown:
//
//   - [lamcap/harness/predict]: tables of predictions
//   - [lamcap/harness/sweep], [lamcap/harness/sweep/slurm]: grids of trials, each kept
//   - [lamcap/harness/report], [lamcap/harness/reproduce]: tables and figures of a sweep
//   - [lamcap/harness/table], [lamcap/harness/chart], [lamcap/harness/page]: output
//   - [lamcap/harness/progress], [lamcap/harness/bench]: how far, how fast
package harness
