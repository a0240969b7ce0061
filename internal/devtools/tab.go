package devtools

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// View is how a page is looked at.
type View struct {
	Width, Height int // of the window, CSS pixels
	Dark          bool
	Phone         bool // a touch screen whose browser heeds the viewport of the page
	Print         bool // the style for paper
	NoScript      bool
}

// Tab shows one page.
type Tab struct {
	b               *Browser
	target, session string

	mu       sync.Mutex
	loaded   chan struct{}
	messages []string
	requests []string
}

// Open opens url in a new tab and waits until it is loaded.
func (b *Browser) Open(url string, v View) (*Tab, error) {
	t := &Tab{b: b, loaded: make(chan struct{}, 8)}
	var created struct{ TargetID string }
	if err := b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &created); err != nil {
		return nil, err
	}
	t.target = created.TargetID
	var attached struct{ SessionID string }
	if err := b.call("", "Target.attachToTarget", map[string]any{"targetId": t.target, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	t.session = attached.SessionID
	b.mu.Lock()
	b.tabs[t.session] = t
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		if err := t.call(domain+".enable", nil, nil); err != nil {
			return nil, err
		}
	}
	if err := t.Look(v); err != nil {
		return nil, err
	}
	return t, t.load("Page.navigate", map[string]any{"url": url})
}

// Look changes how the page is looked at. Scripts are switched for the next load.
func (t *Tab) Look(v View) error {
	scheme, media := "light", "screen"
	if v.Dark {
		scheme = "dark"
	}
	if v.Print {
		media = "print"
	}
	return errors.Join(
		t.call("Emulation.setDeviceMetricsOverride", map[string]any{
			"width": v.Width, "height": v.Height, "deviceScaleFactor": 1, "mobile": v.Phone,
		}, nil),
		t.call("Emulation.setEmulatedMedia", map[string]any{
			"media": media, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}},
		}, nil),
		t.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": v.NoScript}, nil),
	)
}

// Reload loads the page again.
func (t *Tab) Reload() error { return t.load("Page.reload", nil) }

func (t *Tab) load(method string, params any) error {
	for len(t.loaded) > 0 {
		<-t.loaded // of about:blank
	}
	var navigated struct{ ErrorText string }
	if err := t.call(method, params, &navigated); err != nil {
		return err
	}
	if navigated.ErrorText != "" {
		return fmt.Errorf("%s: %s", method, navigated.ErrorText)
	}
	select {
	case <-t.loaded:
		return nil
	case <-t.b.ended:
		return errors.New("the browser has ended")
	case <-time.After(patience):
		return fmt.Errorf("the page is not loaded after %v", patience)
	}
}

// Close closes the tab.
func (t *Tab) Close() error {
	err := t.b.call("", "Target.closeTarget", map[string]any{"targetId": t.target}, nil)
	t.b.mu.Lock()
	delete(t.b.tabs, t.session)
	t.b.mu.Unlock()
	return err
}

// Messages returns what the page and the browser said to the console so far: errors,
// warnings, violations of the page's policy.
func (t *Tab) Messages() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.messages...)
}

// Requests returns the addresses of all that was asked for so far, the page itself first.
func (t *Tab) Requests() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.requests...)
}

// Evaluate decodes the value of a JavaScript expression into result, if not nil.
func (t *Tab) Evaluate(expression string, result any) error {
	var reply struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := t.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &reply)
	switch {
	case err != nil:
		return err
	case reply.ExceptionDetails != nil:
		return fmt.Errorf("%s: %s", reply.ExceptionDetails.Text, reply.ExceptionDetails.Exception.Description)
	case result == nil:
		return nil
	}
	return json.Unmarshal(reply.Result.Value, result)
}

// Click clicks with the mouse in the middle of what an expression names, which is
// brought into view first.
func (t *Tab) Click(element string) error {
	var at struct{ X, Y float64 }
	err := t.Evaluate(`(() => { const e = `+element+`; e.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
		const r = e.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()`, &at)
	if err != nil {
		return err
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		err = errors.Join(err, t.call("Input.dispatchMouseEvent", map[string]any{
			"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1,
		}, nil))
	}
	return err
}

// Press presses and releases a key: Enter, Space or Tab.
func (t *Tab) Press(name string) error {
	keys := map[string]struct {
		key, text string
		code      int
	}{"Enter": {"Enter", "\r", 13}, "Space": {" ", " ", 32}, "Tab": {"Tab", "", 9}}
	k, ok := keys[name]
	if !ok {
		panic("devtools: no key " + name)
	}
	params := map[string]any{"type": "keyDown", "key": k.key, "code": name, "windowsVirtualKeyCode": k.code}
	if k.text != "" {
		params["text"] = k.text
	}
	err := t.call("Input.dispatchKeyEvent", params, nil)
	params["type"] = "keyUp"
	delete(params, "text")
	return errors.Join(err, t.call("Input.dispatchKeyEvent", params, nil))
}

// Screenshot returns a PNG of the window, or of the whole page.
func (t *Tab) Screenshot(whole bool) ([]byte, error) {
	params := map[string]any{"format": "png", "captureBeyondViewport": whole}
	if whole {
		var size struct {
			CSSContentSize struct{ Width, Height float64 }
		}
		if err := t.call("Page.getLayoutMetrics", nil, &size); err != nil {
			return nil, err
		}
		// Higher pictures come out as a repetition of their beginning.
		height := min(size.CSSContentSize.Height, 16000)
		params["clip"] = map[string]any{"x": 0, "y": 0, "width": size.CSSContentSize.Width, "height": height, "scale": 1}
	}
	var shot struct{ Data []byte }
	err := t.call("Page.captureScreenshot", params, &shot)
	return shot.Data, err
}

func (t *Tab) call(method string, params, result any) error {
	return t.b.call(t.session, method, params, result)
}

// event keeps what a check may ask for.
func (t *Tab) event(method string, params json.RawMessage) {
	var p struct {
		Type string
		Args []struct {
			Value       any
			Description string
		}
		Entry            struct{ Source, Level, Text string }
		Request          struct{ URL string }
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch method {
	case "Page.loadEventFired":
		select {
		case t.loaded <- struct{}{}:
		default: // nobody waits
		}
	case "Network.requestWillBeSent":
		t.requests = append(t.requests, p.Request.URL)
	case "Log.entryAdded":
		t.messages = append(t.messages, p.Entry.Source+" "+p.Entry.Level+": "+p.Entry.Text)
	case "Runtime.exceptionThrown":
		t.messages = append(t.messages, strings.TrimSpace(p.ExceptionDetails.Text+" "+p.ExceptionDetails.Exception.Description))
	case "Runtime.consoleAPICalled":
		text := "console." + p.Type + ":"
		for _, a := range p.Args {
			if a.Value != nil {
				text += fmt.Sprint(" ", a.Value)
			} else {
				text += " " + a.Description
			}
		}
		t.messages = append(t.messages, text)
	}
}
