package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// run runs the verb on a group.yaml, and returns the file that it writes.
func run(t *testing.T, text string, args ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "group.yaml"), filepath.Join(dir, "load.json")
	if err := os.WriteFile(in, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	err := Run(context.Background(), append(args, "--config=group.yaml", "--out=load.json"), io.Discard)
	written, readErr := os.ReadFile(out)
	if (err == nil) != (readErr == nil) {
		t.Errorf("error %v, and reading what was written %v", err, readErr)
	}
	return string(written), err
}

func TestRun(t *testing.T) {
	t.Run("the part for readers is written", testWritten)
	t.Run("a bad file is refused", testRefused)
}

func testWritten(t *testing.T) {
	got, err := run(t, `
properties:
  Person.pin: [secret, createOnly] # the name says so
  Person.code: {not: reference, why: a word}
exports:
  Contoso.Crm/people: {kind: Person, hub: 2013-03-03}
changes:
  - {property: Person.fax, since: 2016-06-06, removed: nobody has one}
`, `--names={"Person": {"id": "armId"}}`)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
 "exports": {
  "Contoso.Crm/people": "Person"
 },
 "pins": {
  "Person": {
   "id": "armId"
  }
 },
 "properties": {
  "Person.code": [
   {
    "name": "reference",
    "not": true
   }
  ],
  "Person.pin": [
   {
    "name": "createOnly"
   },
   {
    "name": "secret"
   }
  ]
 }
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func testRefused(t *testing.T) {
	_, err := run(t, "exports:\n  Contoso.Crm/people: {knd: Person}\n")
	const want = `group.yaml:2:24: unknown key "knd"; did you mean "kind"?; ` +
		"the keys here are aliases, azureNames, hub, kind, name, nameForm, plural, shortNames"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
