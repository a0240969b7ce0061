package slurm

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Limits are those of a cluster.
type Limits struct {
	// ArraySize is how many tasks an array may have: their indices are 0 …
	// ArraySize−1, which is what Slurm calls MaxArraySize.
	ArraySize int
	// Jobs is how many jobs the controller keeps at most, every task of an array
	// counted as one (MaxJobCount).
	Jobs int
}

// Limits asks the controller.
func (c *Client) Limits(ctx context.Context) (Limits, error) {
	text, err := c.query(ctx, "scontrol", "show", "config")
	if err != nil {
		return Limits{}, err
	}
	return parseLimits(text)
}

// parseLimits reads what scontrol show config prints.
func parseLimits(text string) (Limits, error) {
	var l Limits
	for _, f := range []struct {
		key   string
		value *int
	}{{"MaxArraySize", &l.ArraySize}, {"MaxJobCount", &l.Jobs}} {
		word, ok := setting(text, f.key)
		if !ok {
			return l, fmt.Errorf("scontrol show config prints no %s: want it, to know how large an array may be", f.key)
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return l, fmt.Errorf("%s = %s of scontrol show config: want an integer ≥ 0", f.key, word)
		}
		*f.value = n
	}
	switch {
	case l.ArraySize == 0:
		return l, errors.New("MaxArraySize = 0: this cluster allows no job arrays; ask who runs it to set MaxArraySize ≥ 2")
	case l.Jobs == 0:
		return l, errors.New("MaxJobCount = 0: this cluster takes no jobs")
	}
	return l, nil
}

// setting finds "key = value" among lines.
func setting(text, key string) (string, bool) {
	for line := range strings.Lines(text) {
		k, v, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v), true
		}
	}
	return "", false
}
