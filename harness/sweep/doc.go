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
//
// # The folder of a sweep
//
//	lock                        held by the process that works in the folder (package filelock)
//	grid.toml                   the grid as it was given last
//	plan.json                   its cells, and the program that runs them ([ReadPlan])
//	records/worker-000.jsonl    records, appended by one worker, each synced (package journal)
//	records/collected.jsonl     records merged from those of tasks, whole or not at all
//	slurm/…/task-*.jsonl        records of a task on a cluster, renamed when they are complete
//	failed.jsonl                trials that failed in the latest run
//
// [Run] holds the lock; the kernel lets go of it when the process ends, however it does.
// A record is stored when its line is synced: SIGKILL or a loss of power loses the trials
// in flight, whose torn lines are ignored by readers and cut by the next run. A trial that
// has a record is not run again, whatever file it is in. A write that fails (a full disk)
// is taken back, and ends the run: what was stored stays so.
//
// [ReadRecords] refuses a folder with a line that is damaged, or with two records of one
// trial that contradict each other: nothing is skipped silently. [Run] refuses a plan that
// has other options for a stored cell, and records that another program made, unless it is
// told to go on: a revision may draw, train or prove in another way, so that numbers of
// two need not be those of either. Each record tells its [Program]; where it was built
// from sources that no revision stands for, the hash of its file does.
package sweep
