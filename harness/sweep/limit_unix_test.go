//go:build unix

package sweep

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

// limitFiles limits the size of files of this process where the environment says so.
func limitFiles() {
	if text := os.Getenv(limitVariable); text != "" {
		n, _ := strconv.ParseUint(text, 10, 64)
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			panic(err)
		}
	}
}
