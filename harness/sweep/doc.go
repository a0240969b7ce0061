// Package sweep runs grids of experiments, one trial at a time, and keeps every
// trial as a record.
//
// A [Cell] is one ensemble of memories with the rule and the options that decide or
// train them; trial t of a cell draws from the stream (master seed, experiment, cell,
// t), so that a record depends on its address alone: not on the order of work, the
// number of workers, what was run before it, or the machine, but for the last bits
// between instruction sets.
//
// Two kinds of trials are known ([Measure]):
//
//	storage    the instance is decided, with a witness or a proof (package trial)
//	training   a memory is trained to the minimum and measured (package measure):
//	           accuracy, loss, norm, and if asked for singular values and scores
//
// A [Grid] says in TOML which cells there are and a [Plan] lists them, each with its
// number of trials; [Seconds] estimates what a trial takes.
//
// Models and rules at one load share keys: trial t of OP and of DP have the same.
package sweep
