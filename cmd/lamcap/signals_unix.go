//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// refuseLargeFiles lets a write beyond the limit on the size of files (ulimit -f) be an
// error, which can be told and leaves the file whole, and not the end of the process. It
// returns what restores the default.
func refuseLargeFiles() func() {
	signal.Ignore(syscall.SIGXFSZ)
	return func() { signal.Reset(syscall.SIGXFSZ) }
}
