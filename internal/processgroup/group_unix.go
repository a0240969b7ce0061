//go:build unix

package processgroup

import (
	"os/exec"
	"syscall"
)

// Own makes a command that is not started yet a process group of its own, which ends
// as a whole when its context does.
func Own(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if c.Cancel != nil { // made with a context
		c.Cancel = func() error { return Kill(c) }
	}
}

// Kill ends the group of a command that was started.
func Kill(c *exec.Cmd) error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
