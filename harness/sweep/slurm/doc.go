// Package slurm runs the missing trials of a sweep as job arrays of a Slurm cluster.
//
// The folder of the sweep must be on a file system that the cluster's nodes share. A
// submission is a batch, with a folder of its own:
//
//	DIR/slurm/batch-001/plan.json               the trials of every task, and the program
//	DIR/slurm/batch-001/job.sh                  what every task runs
//	DIR/slurm/batch-001/jobs.json               the arrays handed to sbatch, with their numbers
//	DIR/slurm/batch-001/logs/ARRAY_INDEX.log    what tasks print
//	DIR/slurm/batch-001/task-00007.jsonl        the records of task 7, complete
//	DIR/slurm/batch-001/task-00007.failed       its trials that failed, and why
//	DIR/slurm/batch-001/task-00007.JOB.RESTART.*.partial.jsonl
//	                                            whole records of an attempt that was told to end
//	DIR/slurm/batch-001/task-00007.JOB.RESTART.*.part
//	                                            an attempt that runs, or that was lost
//
// What is done is decided by the records in these files alone. States of jobs tell
// which trials somebody still works on, so that they are not submitted twice; were
// they, two tasks would write equal records, which count once. No two attempts share
// a file: its name is unique, and it gets that of the task by a rename, after it was
// synced. An attempt goes on with the whole records of those before it.
//
// The name of an array is written to jobs.json before sbatch is called and its number
// after it: an array submitted by a process that did not live to note the number is
// found by its name.
//
// Paths in job.sh are absolute: of a folder that is moved, tasks that wait fail at their start, and
// those that run fail at their end, when they cannot give their file its name. They are gone then, and
// submitted again from where the folder is now.
package slurm
