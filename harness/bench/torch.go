package bench

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"lamcap/harness/pattern"
)

// ErrTorch says that PyTorch cannot be used as asked for.
var ErrTorch = errors.New("want a Python with PyTorch (Debian's python3 and python3-torch)")

//go:embed pytorch.py
var script string

// tuned is what makes PyTorch of Debian fast: an allocator that keeps its
// memory, and threads that do not spin. OPENBLAS_* variables, which some
// machines set for the sake of old programs, are taken away.
var tuned = [...]string{
	"MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=17179869184", "MALLOC_TOP_PAD_=268435456", "OMP_WAIT_POLICY=PASSIVE",
}

// torch is a Python process that runs pytorch.py.
type torch struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	folder  string // for instances
	version string
	threads int
}

// answer is what the script says; fields that a command does not give are 0.
type answer struct {
	Error   string  `json:"error"`
	Torch   string  `json:"torch"`
	Threads int     `json:"threads"`
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"rate"`
	Steps   int     `json:"steps"`
	Stored  bool    `json:"stored"`
}

// startTorch starts the script with a Python interpreter, as many threads and
// the tuned environment, or that of this process.
func startTorch(ctx context.Context, python string, threads int, tune bool) (*torch, error) {
	folder, err := os.MkdirTemp("", "lamcap-bench")
	if err != nil {
		return nil, err
	}
	t := &torch{folder: folder}
	path := filepath.Join(folder, "pytorch.py")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		os.RemoveAll(folder)
		return nil, err
	}
	t.command = exec.CommandContext(ctx, python, path)
	for _, variable := range os.Environ() {
		if !tune || !strings.HasPrefix(variable, "OPENBLAS_") {
			t.command.Env = append(t.command.Env, variable)
		}
	}
	// Of a variable that is there twice, the last one counts.
	t.command.Env = append(t.command.Env, "THREADS="+strconv.Itoa(threads))
	if tune {
		t.command.Env = append(t.command.Env, tuned[:]...)
	}
	t.command.Stderr = os.Stderr
	if t.in, err = t.command.StdinPipe(); err == nil {
		var out io.ReadCloser
		if out, err = t.command.StdoutPipe(); err == nil {
			t.out = bufio.NewScanner(out)
			err = t.command.Start()
		}
	}
	if err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("torch = %s: %w: %w", python, err, ErrTorch)
	}
	a, err := t.read()
	if err != nil {
		t.close()
		return nil, fmt.Errorf("torch = %s: %w: %w", python, err, ErrTorch)
	}
	t.version, t.threads = a.Torch, a.Threads
	return t, nil
}

// ask sends a command and returns the answer.
func (t *torch) ask(format string, arguments ...any) (answer, error) {
	if _, err := fmt.Fprintf(t.in, format+"\n", arguments...); err != nil {
		return answer{}, err
	}
	return t.read()
}

func (t *torch) read() (a answer, err error) {
	if !t.out.Scan() {
		if err := t.out.Err(); err != nil {
			return a, err
		}
		return a, errors.New("no answer from the script")
	}
	if err := json.Unmarshal(t.out.Bytes(), &a); err != nil {
		return a, err
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}

// load hands over an instance of OP, as float32 numbers.
func (t *torch) load(in *pattern.Instance) error {
	s := in.Spec()
	path := filepath.Join(t.folder, "instance")
	var b []byte
	for _, numbers := range [][]float64{in.Keys(), in.Pool(0, nil)} {
		for _, x := range numbers {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		}
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return err
	}
	_, err := t.ask("load %s %d %d", path, s.DIn, s.P)
	return err
}

func (t *torch) close() {
	t.in.Close()
	t.command.Wait()
	os.RemoveAll(t.folder)
}
