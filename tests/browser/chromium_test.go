package browser

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/internal/await"
)

// chromium is a browser with one tab. It speaks the DevTools protocol over a pipe, so that no
// port is open. A message ends with a zero byte.
type chromium struct {
	testing.TB
	in     *os.File
	out    *bufio.Reader
	id     int
	tab    string // the session of the tab
	events []event
}

type event struct {
	Method string
	Params json.RawMessage
}

// start starts the browser of a folder in which Debian's packages are unpacked.
func start(tb testing.TB, folder string) *chromium {
	tb.Helper()
	theirIn, in, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	libraries, err := filepath.Glob(filepath.Join(folder, "usr/lib/*-linux-gnu*"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, dir := range libraries {
		libraries = append(libraries, filepath.Join(dir, "pulseaudio"))
	}
	work := tb.TempDir()
	log, err := os.Create(filepath.Join(work, "log"))
	if err != nil {
		tb.Fatal(err)
	}
	// The fonts of the machine, if it has some, and those that were unpacked.
	fonts := fmt.Sprintf(`<fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<include ignore_missing="yes">%[1]s/etc/fonts/fonts.conf</include>
<dir>/usr/share/fonts</dir><dir>%[1]s/usr/share/fonts</dir><cachedir>%[2]s</cachedir>
</fontconfig>
`, folder, filepath.Join(work, "fonts"))
	if err := os.WriteFile(filepath.Join(work, "fonts.conf"), []byte(fonts), 0o644); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(folder, "usr/lib/chromium/chromium-headless-shell"),
		"--remote-debugging-pipe", "--user-data-dir="+tb.TempDir(), "--force-device-scale-factor=1",
		"--no-sandbox", // root has none, and what it shows are our own files
		"--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--disable-gpu", "--disable-dev-shm-usage")
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(libraries, ":"),
		"FONTCONFIG_FILE="+filepath.Join(work, "fonts.conf"))
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	tb.Cleanup(func() {
		in.Close() // it ends with its pipe
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		if text, err := os.ReadFile(log.Name()); err == nil && tb.Failed() {
			tb.Logf("Chromium said:\n%.2000s", text)
		}
	})
	c := &chromium{TB: tb, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	// With a window, a click is enough to write to the clipboard.
	c.call("Browser.grantPermissions", map[string]any{"permissions": []string{"clipboardSanitizedWrite"}}, nil)
	var target struct{ TargetID string }
	c.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	c.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	c.tab = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		c.call(domain+".enable", nil, nil)
	}
	// Only a page that is in front may write to the clipboard.
	c.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	return c
}

// call calls a method, and reads its result into a value unless that is nil.
func (c *chromium) call(method string, params any, result any) {
	c.Helper()
	if err := c.try(method, params, result); err != nil {
		c.Fatal(err)
	}
}

// try is call for a method that the browser may refuse.
func (c *chromium) try(method string, params any, result any) error {
	c.Helper()
	c.id++
	if params == nil {
		params = struct{}{}
	}
	message := map[string]any{"id": c.id, "method": method, "params": params}
	if c.tab != "" {
		message["sessionId"] = c.tab
	}
	text, err := json.Marshal(message)
	if err == nil {
		_, err = c.in.Write(append(text, 0))
	}
	if err != nil {
		c.Fatal(err)
	}
	for {
		answer := c.read()
		if answer.ID == 0 {
			c.events = append(c.events, answer.event)
			continue
		}
		switch {
		case answer.ID != c.id:
			c.Fatalf("%s: answer %d to %d", method, answer.ID, c.id)
		case answer.Error != nil:
			return fmt.Errorf("%s: %s", method, answer.Error)
		case result != nil:
			return json.Unmarshal(answer.Result, result)
		}
		return nil
	}
}

type message struct {
	ID            int
	Result, Error json.RawMessage
	event
}

func (c *chromium) read() message {
	c.Helper()
	text, err := c.out.ReadBytes(0)
	if err == io.EOF {
		c.Fatal("Chromium has ended")
	}
	var m message
	if err == nil {
		err = json.Unmarshal(text[:len(text)-1], &m)
	}
	if err != nil {
		c.Fatal(err)
	}
	return m
}

// wait returns the next event of a method, and those before it to a function.
func (c *chromium) wait(method string, before func(event)) event {
	c.Helper()
	for {
		for i, e := range c.events {
			if e.Method == method {
				c.events = c.events[i+1:]
				return e
			}
			before(e)
		}
		c.events = nil
		m := c.read()
		if m.ID != 0 {
			c.Fatalf("an answer %d to nothing", m.ID)
		}
		c.events = append(c.events, m.event)
	}
}

// open opens a page, and waits until it is there.
func (c *chromium) open(url string) {
	c.Helper()
	c.complaints()
	c.call("Page.navigate", map[string]any{"url": url}, nil)
	c.until("document.readyState === 'complete' && location.href === " + quote(url))
}

// complaints fails the test with what the browser said against pages since the last time:
// errors of scripts, and what the policy of a page did not allow.
func (c *chromium) complaints() {
	c.Helper()
	for _, e := range c.events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled":
			c.Errorf("%s: %s", e.Method, e.Params)
		}
	}
	c.events = nil
}

// eval evaluates JavaScript in the page, and reads its value, which may be a promise of it.
func (c *chromium) eval(script string, value any) {
	c.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	c.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}, &got)
	if got.ExceptionDetails != nil {
		c.Fatalf("%.300s: %s", script, got.ExceptionDetails)
	}
	if value != nil {
		if err := json.Unmarshal(got.Result.Value, value); err != nil {
			c.Fatalf("%.300s: %v", script, err)
		}
	}
}

// until waits until an expression is true. Between two pages it has no value.
func (c *chromium) until(condition string) {
	c.Helper()
	await.Until(c, condition, func() error {
		var got struct{ Result struct{ Value any } }
		script := map[string]any{"expression": "(" + condition + ") ? true : location.href", "returnByValue": true}
		if err := c.try("Runtime.evaluate", script, &got); err != nil {
			return err
		}
		if got.Result.Value == true {
			return nil
		}
		return fmt.Errorf("at %v", got.Result.Value)
	})
}

// click clicks on the middle of an element.
func (c *chromium) click(element string) {
	c.Helper()
	var at struct{ X, Y float64 }
	c.eval(fmt.Sprintf(`(() => {
		const e = %s;
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const r = e.getBoundingClientRect();
		return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
	})()`, element), &at)
	for _, what := range []string{"mousePressed", "mouseReleased"} {
		c.call("Input.dispatchMouseEvent", map[string]any{"type": what, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1}, nil)
	}
}

// keys are those that are no text.
var keys = map[string]int{"Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40}

// press presses keys: those of the map, or a letter.
func (c *chromium) press(names ...string) {
	c.Helper()
	for _, name := range names {
		key := map[string]any{"key": name}
		if code, special := keys[name]; special {
			key["code"], key["windowsVirtualKeyCode"] = name, code
		} else {
			key["text"] = name
		}
		for _, what := range []string{"keyDown", "keyUp"} {
			key["type"] = what
			c.call("Input.dispatchKeyEvent", key, nil)
		}
	}
}

// traced is an event of a trace. Times are in microseconds.
type traced struct {
	Name    string
	TS, Dur int64
	Args    struct {
		Data struct{ Type string }
	}
}

// trace returns what the browser records of itself while f runs, by time.
func (c *chromium) trace(f func()) []traced {
	c.Helper()
	c.call("Tracing.start", map[string]any{"traceConfig": map[string]any{
		"includedCategories": []string{"devtools.timeline", "loading", "blink.user_timing"}}}, nil)
	f()
	c.complaints()
	c.call("Tracing.end", nil, nil)
	var all []traced
	c.wait("Tracing.tracingComplete", func(e event) {
		if e.Method == "Tracing.dataCollected" {
			var some struct{ Value []traced }
			if err := json.Unmarshal(e.Params, &some); err != nil {
				c.Fatal(err)
			}
			all = append(all, some.Value...)
		}
	})
	slices.SortFunc(all, func(a, b traced) int { return cmp.Compare(a.TS, b.TS) })
	return all
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(quoted))
}
