package workspace

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"testing"
)

// Spawn is an action that Bazel ran, or whose result it took from a cache, as an
// execution log in JSON has it.
type Spawn struct {
	Mnemonic, TargetLabel string
	// Runner is how it ran: "linux-sandbox", "local" or "remote", or which cache had
	// the result: "remote cache hit" or "disk cache hit".
	Runner string
	// Digest is the key of the action in a cache. It is empty where the action may not
	// be there.
	Digest Digest
	// Remotable and RemoteCacheable report whether the action may run elsewhere, and
	// whether its result may come from there.
	Remotable, RemoteCacheable bool
	Status                     string // empty unless it failed
}

// Digest names a content.
type Digest struct{ Hash string }

// ReadLog returns the spawns of a log that Bazel wrote with
// --execution_log_json_file.
func ReadLog(t testing.TB, name string) []Spawn {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var spawns []Spawn
	for decoder := json.NewDecoder(bufio.NewReaderSize(file, 1<<20)); ; {
		var s Spawn
		if err := decoder.Decode(&s); err == io.EOF {
			return spawns
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		spawns = append(spawns, s)
	}
}
