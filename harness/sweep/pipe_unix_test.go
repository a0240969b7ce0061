//go:build unix

package sweep

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pipe in the place of a file is named, not waited for.
func TestPipesAreRefused(t *testing.T) {
	p := smallPlan(1)
	p.Cells = p.Cells[:1]
	status := func(dir string) error {
		_, err := ReadStatus(dir)
		return err
	}
	start := func(dir string) error {
		_, _, err := run(t, p, dir, RunOptions{Workers: 1})
		return err
	}
	for name, with := range map[string][]func(dir string) error{
		"records/worker-000.jsonl":         {status, start},
		"records/worker-007.jsonl":         {status, start},
		"records/collected.jsonl":          {status, start},
		"slurm/batch-001/task-00000.jsonl": {status, start},
		"plan.json":                        {status},
		"failed.jsonl":                     {status},
		"lock":                             {status, start},
	} {
		dir := t.TempDir()
		require.NoError(t, start(dir))
		path := filepath.Join(dir, name)
		require.NoError(t, os.RemoveAll(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, syscall.Mkfifo(path, 0o600))
		for _, do := range with {
			ended := make(chan error, 1)
			go func() { ended <- do(dir) }()
			select {
			case err := <-ended:
				assert.ErrorContains(t, err, "not a regular file", name)
				assert.ErrorContains(t, err, filepath.Base(name), name)
			case <-time.After(20 * time.Second):
				require.Fail(t, "waits for "+name)
			}
		}
	}

	// Of a folder that no sweep had, the grid is somebody's own, whatever it is.
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "grid.toml"), 0o600))
	assert.ErrorContains(t, start(dir), "grid.toml: not a regular file")
}
