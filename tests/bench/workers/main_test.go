package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// log has a tool that two actions need, of which each makes an input of the last one,
// and an action that nobody needs. The tool was also made in two other
// configurations: taken from the cache in one, as it was made a year ago, and waited
// for in the other.
const log = `
{"mnemonic": "Compile", "targetLabel": "//:tool", "actualOutputs": [{"path": "tool", "digest": {"hash": "t", "sizeBytes": "1000000"}}],
 "metrics": {"startTime": "2026-01-01T00:00:00Z", "totalTime": "4s"}}
{"mnemonic": "Compile", "targetLabel": "//:tool", "cacheHit": true,
 "actualOutputs": [{"path": "other/tool", "digest": {"hash": "t", "sizeBytes": "1000000"}}],
 "metrics": {"startTime": "2025-01-01T00:00:01Z", "totalTime": "9s"}}
{"mnemonic": "Compile", "targetLabel": "//:tool", "runner": "deduplicated",
 "actualOutputs": [{"path": "third/tool", "digest": {"hash": "t", "sizeBytes": "1000000"}}],
 "metrics": {"startTime": "2026-01-01T00:00:00Z", "totalTime": "4s"}}
{"mnemonic": "Load", "targetLabel": "//:a", "inputs": [{"path": "tool", "digest": {"hash": "t", "sizeBytes": "1000000"}}],
 "actualOutputs": [{"path": "a", "digest": {"hash": "a", "sizeBytes": "10"}}],
 "metrics": {"startTime": "2026-01-01T00:00:04Z", "totalTime": "2s"}}
{"mnemonic": "Load", "targetLabel": "//:b", "inputs": [{"path": "tool", "digest": {"hash": "t", "sizeBytes": "1000000"}}],
 "actualOutputs": [{"path": "b", "digest": {"hash": "b", "sizeBytes": "10"}}],
 "metrics": {"startTime": "2026-01-01T00:00:04Z", "totalTime": "3s"}}
{"mnemonic": "Plan", "targetLabel": "//:c",
 "inputs": [{"path": "a", "digest": {"hash": "a", "sizeBytes": "10"}}, {"path": "b", "digest": {"hash": "b", "sizeBytes": "10"}}],
 "actualOutputs": [{"path": "c", "digest": {"hash": "c", "sizeBytes": "10"}}],
 "metrics": {"startTime": "2026-01-01T00:00:07Z", "totalTime": "1s"}}
{"mnemonic": "Test", "targetLabel": "//:d", "metrics": {"startTime": "2026-01-01T00:00:06Z", "totalTime": "5s"}}
`

func TestSimulate(t *testing.T) {
	g, err := read(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	for workers, want := range map[int]time.Duration{
		1:  15 * time.Second, // all of them, one after the other
		2:  8 * time.Second,  // a Load waits for //:d, but is done before the other one
		8:  8 * time.Second,  // the critical path
		64: 8 * time.Second,
	} {
		if got, _ := g.simulate(workers); got != want {
			t.Errorf("%d workers take %v, want %v", workers, got, want)
		}
	}
	if got := g.measured(); got != 11*time.Second {
		t.Errorf("measured are %v, want 11 s: //:d ends last", got)
	}
	var names []string
	for _, a := range g.path() {
		names = append(names, a.name)
	}
	if got, want := strings.Join(names, ", "), "Compile //:tool, Load //:b, Plan //:c"; got != want {
		t.Errorf("the critical path is %s, want %s", got, want)
	}
}

func TestRun(t *testing.T) {
	text := filepath.Join(t.TempDir(), "log.json")
	if err := os.WriteFile(text, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"usage: workers <execution log in JSON>": nil,
		"no such file":                           {"absent.json"},
		"log.json: action 1: invalid":            {text},
	} {
		if err := run(args, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}
