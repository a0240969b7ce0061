// Package team runs numbered jobs on several goroutines.
//
// What a job computes may not depend on its worker, nor on the order of jobs:
// then results do not depend on the number of goroutines.
package team
