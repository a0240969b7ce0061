package slurm

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Element is a task of an array that Slurm still has: it waits, runs, is held or ends.
type Element struct {
	Job    string // number of the array
	Index  int    // in the array
	State  string // as squeue calls it: PENDING, RUNNING, …
	Name   string // of the array
	Reason string // why it waits, as squeue says
}

// Held reports whether the task waits for somebody to release it, as one does that
// could not be launched.
func (e Element) Held() bool {
	switch e.State {
	case "REQUEUE_HOLD", "SPECIAL_EXIT":
		return true
	}
	return e.State == "PENDING" && strings.Contains(strings.ToLower(e.Reason), "held")
}

// queueFormat puts last what may hold any character.
const queueFormat = "%F|%K|%T|%j|%r"

// Queue lists the tasks of arrays of these names. Without names it asks nobody.
func (c *Client) Queue(ctx context.Context, names []string) ([]Element, error) {
	if len(names) == 0 {
		return nil, nil
	}
	text, err := c.query(ctx, "squeue", "-h", "-r", "--name="+strings.Join(names, ","), "-o", queueFormat)
	if err != nil {
		return nil, err
	}
	return parseQueue(text)
}

// parseQueue reads what squeue prints in queueFormat. A line that is not understood
// is an error: the task it tells of would be taken for one that is gone.
func parseQueue(text string) ([]Element, error) {
	var elements []Element
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "CLUSTER:") { // printed where SLURM_CLUSTERS is set
			continue
		}
		f := strings.SplitN(line, "|", 5)
		if len(f) != 5 {
			return nil, fmt.Errorf("squeue prints %.200q: want lines of the form %s", line, queueFormat)
		}
		index, err := strconv.Atoi(strings.TrimSpace(f[1]))
		job := strings.TrimSpace(f[0])
		if err != nil || index < 0 || !jobNumber(job) {
			return nil, fmt.Errorf("squeue prints %.200q: want the numbers of an array and of its task first", line)
		}
		elements = append(elements, Element{job, index, strings.TrimSpace(f[2]), strings.TrimSpace(f[3]), strings.TrimSpace(f[4])})
	}
	return elements, nil
}

// jobNumber reports whether the text is the number of a job.
func jobNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
