package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"lamcap/internal/processgroup"
)

// Client talks to Slurm by its commands, which must be on PATH. The zero value has
// the default patience.
type Client struct {
	// Query is how long squeue and scontrol may take, Change sbatch and scancel. 0
	// means 20 s and 60 s: a squeue whose controller does not answer gives up after
	// about 9 s by itself, but may also hang.
	Query, Change time.Duration
}

const (
	defaultQuery  = 20 * time.Second
	defaultChange = 60 * time.Second
)

func (c *Client) query(ctx context.Context, name string, args ...string) (string, error) {
	return call(ctx, orElse(c.Query, defaultQuery), name, args...)
}

func (c *Client) change(ctx context.Context, name string, args ...string) (string, error) {
	return call(ctx, orElse(c.Change, defaultChange), name, args...)
}

func orElse(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// call runs a command of Slurm and returns its standard output. When it takes too
// long, its whole process group is killed: a child that holds the output open would
// be waited for otherwise.
func call(ctx context.Context, patience time.Duration, name string, args ...string) (string, error) {
	timed, stop := context.WithTimeout(ctx, patience)
	defer stop()
	cmd := exec.CommandContext(timed, name, args...)
	cmd.Env = environment(os.Environ())
	processgroup.Own(cmd)
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	said := oneLine(stderr.String())
	switch {
	case err == nil:
		return stdout.String(), nil
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is not on PATH: want a machine with Slurm's commands", name)
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s: %w", name, ctx.Err())
	case timed.Err() != nil && said == "":
		return "", fmt.Errorf("%s did not answer within %v", name, patience)
	case timed.Err() != nil:
		return "", fmt.Errorf("%s did not answer within %v: %s", name, patience, said)
	case said == "":
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return "", fmt.Errorf("%s: %w: %s", name, err, said)
}

// environment leaves out variables that would filter or format what squeue lists and
// what scancel cancels.
func environment(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(v string) bool {
		return strings.HasPrefix(v, "SQUEUE_") || strings.HasPrefix(v, "SCANCEL_")
	})
}

// oneLine joins what a command said, a few lines at most and of each what a message has
// room for.
func oneLine(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	lines = slices.DeleteFunc(lines, func(s string) bool { return strings.TrimSpace(s) == "" })
	const most = 4
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], lines[len(lines)-1])
	}
	for i := range lines {
		lines[i] = fmt.Sprintf("%.300s", lines[i])
	}
	return strings.Join(lines, "; ")
}
