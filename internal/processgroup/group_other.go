//go:build !unix

package processgroup

import "os/exec"

// Own does nothing where there are no process groups.
func Own(*exec.Cmd) {}

// Kill ends a command that was started, not its children.
func Kill(c *exec.Cmd) error { return c.Process.Kill() }
