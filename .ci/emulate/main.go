//go:build linux && amd64

// Emulate is the first process of the machine that .ci/avx512 starts: it runs
// the tests packed with it, one package after the other, and prints what they
// say to the serial port.
//
// The list of tests is the file /tests, a line per package:
//
//	folder flag...
//
// with the test binary in folder/tests, which is run in that folder. The host
// reads the lines that begin with "emulate:" (the last is "emulate: done").
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// wanted are the features, as the kernel names them, without which the tests
// would not exercise what they are run for.
var wanted = []string{"avx2", "fma", "avx512f", "avx512dq", "avx512bw", "avx512vl"}

func main() {
	if err := run(); err != nil {
		fmt.Println("emulate: error:", err)
	}
	fmt.Println("emulate: done")
	// The serial port is slower than this process, which must not end: the
	// host stops the machine once it has read the line above.
	for {
		time.Sleep(time.Hour)
	}
}

func run() error {
	for folder, kind := range map[string]string{"/proc": "proc", "/dev": "devtmpfs", "/tmp": "tmpfs"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := syscall.Mount(kind, folder, kind, 0, ""); err != nil {
			return fmt.Errorf("mounting %s: %w", folder, err)
		}
	}
	if err := checkFeatures(); err != nil {
		return err
	}
	fmt.Println("emulate: up")
	list, err := os.ReadFile("/tests")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		start := time.Now()
		verdict := "ok"
		if err := test(words[0], words[1:]); err != nil {
			verdict = err.Error()
		}
		fmt.Printf("emulate: %s: %s (%.1f s of the emulated clock)\n",
			strings.TrimPrefix(words[0], "/packages/"), verdict, time.Since(start).Seconds())
	}
	return nil
}

// checkFeatures is an error if the processor lacks a wanted feature.
func checkFeatures() error {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(info)) {
		name, flags, _ := strings.Cut(line, ":")
		if strings.TrimSpace(name) != "flags" {
			continue
		}
		have := strings.Fields(flags)
		for _, feature := range wanted {
			if !slices.Contains(have, feature) {
				return fmt.Errorf("the emulated processor has no %s", feature)
			}
		}
		return nil
	}
	return fmt.Errorf("/proc/cpuinfo has no flags")
}

// test runs one binary; it is an error unless it ends well and at least one
// test passed in it.
func test(folder string, flags []string) error {
	command := exec.Command(filepath.Join(folder, "tests"), flags...)
	command.Dir = folder
	command.Env = append(os.Environ(), "HOME=/tmp", "TMPDIR=/tmp")
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		return err
	}
	passed := 0
	lines := bufio.NewReader(output)
	for {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, "--- PASS") {
			passed++
		}
		// Subtests that pass would fill a line that carries 11 kB/s.
		routine := strings.HasPrefix(line, "=== ") && (strings.Contains(line, "/") || !strings.HasPrefix(line, "=== RUN")) ||
			strings.HasPrefix(line, " ") && strings.HasPrefix(strings.TrimSpace(line), "--- PASS")
		if !routine {
			fmt.Print(line)
		}
		if err != nil {
			break
		}
	}
	if err := command.Wait(); err != nil {
		return err
	}
	if passed == 0 {
		return fmt.Errorf("no test passed")
	}
	return nil
}
