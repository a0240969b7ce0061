package devtools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"lamcap/internal/processgroup"
)

// patience bounds each answer of the browser. They take milliseconds; a shared
// machine under load takes seconds.
const patience = 60 * time.Second

// Browser is a running browser.
type Browser struct {
	process *exec.Cmd
	profile string
	to      *os.File

	mu      sync.Mutex
	last    int
	waiting map[int]chan answer
	tabs    map[string]*Tab // by session
	ended   chan struct{}   // closed when the pipe is
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// Find returns the path of a Chromium browser on this machine.
func Find() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no chromium on this machine: install it (Debian: apt-get install chromium)")
}

// Start starts the browser at path with a profile of its own and without a network:
// every name of a host is unknown to it.
func Start(path string) (*Browser, error) {
	profile, err := os.MkdirTemp("", "devtools")
	if err != nil {
		return nil, err
	}
	b := &Browser{profile: profile, waiting: map[int]chan answer{}, tabs: map[string]*Tab{}, ended: make(chan struct{})}
	if err := b.start(path); err != nil {
		return nil, errors.Join(err, os.RemoveAll(profile))
	}
	return b, nil
}

func (b *Browser) start(path string) error {
	readEnd, to, err := os.Pipe()
	if err != nil {
		return err
	}
	from, writeEnd, err := os.Pipe()
	if err != nil {
		return err
	}
	arguments := []string{
		"--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + filepath.Join(b.profile, "profile"),
		"--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-extensions", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--lang=en",
	}
	if os.Geteuid() == 0 {
		arguments = append(arguments, "--no-sandbox") // it refuses root otherwise
	}
	b.process = exec.Command(path, append(arguments, "about:blank")...)
	b.process.ExtraFiles = []*os.File{readEnd, writeEnd} // 3 and 4, as the browser expects
	processgroup.Own(b.process)
	if err := b.process.Start(); err != nil {
		return errors.Join(err, readEnd.Close(), writeEnd.Close(), to.Close(), from.Close())
	}
	b.to = to
	go b.listen(from)
	return errors.Join(readEnd.Close(), writeEnd.Close())
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() error {
	err := b.call("", "Browser.close", nil, nil)
	select {
	case <-b.ended:
	case <-time.After(10 * time.Second):
		// All of its processes: they are in a group of their own.
		err = errors.Join(err, processgroup.Kill(b.process))
	}
	_ = b.process.Wait() // how it ends is of no interest any more
	return errors.Join(err, b.to.Close(), removeAll(b.profile))
}

// removeAll tries again while the last processes of the browser still write.
func removeAll(dir string) error {
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if err := os.RemoveAll(dir); err == nil || time.Since(start) > 5*time.Second {
			return err
		}
	}
}

// listen hands answers and events to those who wait for them, until the pipe ends.
func (b *Browser) listen(from io.ReadCloser) {
	defer from.Close()
	defer close(b.ended)
	r := bufio.NewReader(from)
	for {
		raw, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var message struct {
			answer
			ID        int
			Method    string
			Params    json.RawMessage
			SessionID string
		}
		if json.Unmarshal(bytes.TrimSuffix(raw, []byte{0}), &message) != nil {
			continue // what is no message answers nobody: the caller times out
		}
		b.mu.Lock()
		waiting, tab := b.waiting[message.ID], b.tabs[message.SessionID]
		delete(b.waiting, message.ID)
		b.mu.Unlock()
		switch {
		case waiting != nil:
			waiting <- message.answer
		case tab != nil && message.Method != "":
			tab.event(message.Method, message.Params)
		}
	}
}

// call sends a command and decodes its result into result, if not nil.
func (b *Browser) call(session, method string, params, result any) error {
	reply := make(chan answer, 1)
	b.mu.Lock()
	b.last++
	id := b.last
	b.waiting[id] = reply
	message := map[string]any{"id": id, "method": method}
	if params != nil {
		message["params"] = params
	}
	if session != "" {
		message["sessionId"] = session
	}
	raw, err := json.Marshal(message)
	if err == nil {
		_, err = b.to.Write(append(raw, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case a := <-reply:
		switch {
		case a.Error != nil:
			return fmt.Errorf("%s: %s", method, a.Error.Message)
		case result != nil:
			return json.Unmarshal(a.Result, result)
		}
		return nil
	case <-b.ended:
		return fmt.Errorf("%s: the browser has ended", method)
	case <-time.After(patience):
		return fmt.Errorf("%s: no answer in %v", method, patience)
	}
}
