//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// busyVariable makes the test below, run again as another process, work without
// a look at its context.
const busyVariable = "LAMCAP_TEST_BUSY"

// The first interrupt ends the context, the second the process.
func TestSecondInterruptKills(t *testing.T) {
	if os.Getenv(busyVariable) != "" {
		ctx, stop := interruptible()
		defer stop()
		fmt.Println("working")
		<-ctx.Done()
		fmt.Println("told")
		time.Sleep(time.Hour)
	}
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(self, "-test.run=^TestSecondInterruptKills$")
	c.Env = append(os.Environ(), busyVariable+"=1")
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	// A process that no interrupt ends is killed, which fails the test below.
	watchdog := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() })
	defer watchdog.Stop()
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	require.Equal(t, "working", lines.Text())
	// Not SIGINT, which processes in the background of a shell ignore.
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	require.True(t, lines.Scan())
	require.Equal(t, "told", lines.Text())
	// The signals are given back a moment after the context has ended.
	done := make(chan error)
	go func() { done <- c.Wait() }()
	for {
		select {
		case err := <-done:
			var exit *exec.ExitError
			require.True(t, errors.As(err, &exit), "%v", err)
			assert.Equal(t, syscall.SIGTERM, exit.Sys().(syscall.WaitStatus).Signal())
			return
		case <-time.After(20 * time.Millisecond):
			_ = c.Process.Signal(syscall.SIGTERM)
		}
	}
}
