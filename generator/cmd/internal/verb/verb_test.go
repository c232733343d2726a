package verb

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	params := filepath.Join(t.TempDir(), "params")
	if err := os.WriteFile(params, []byte("--out=a b.json\n--file=x\n--file=y\r\n--strict\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	flags := NewFlags()
	out, files, strict := flags.String("out", "o"), flags.Strings("file", "f"), flags.Bool("strict", "s")
	other := flags.Optional("other", "p")
	if err := flags.Parse([]string{"@" + params}); err != nil {
		t.Fatal(err)
	}
	if *out != "a b.json" || !*strict || *other != "" {
		t.Errorf("got out %q, strict %v, other %q", *out, *strict, *other)
	}
	if diff := cmp.Diff([]string{"x", "y"}, *files); diff != "" {
		t.Error(diff)
	}
}

func TestStatus(t *testing.T) {
	t.Run("wrong arguments exit with 2", testWrongArguments)
	t.Run("bad input exits with 1", testBadInput)
	t.Run("help is no error", testHelp)
}

func testWrongArguments(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"--in=x", "armtest: --out is missing\nflags:\n  --in  what to read\n  --out  what to write\n"},
		{"--out=x --out=y",
			"armtest: invalid value \"y\" for flag --out: given twice\nflags:\n  --in  what to read\n  --out  what to write\n"},
		{"--ou=x", "armtest: flag provided but not defined: --ou\nflags:\n  --in  what to read\n  --out  what to write\n"},
		{"--out=x stray",
			"armtest: \"stray\" is not a flag; flags are written --name=value\nflags:\n  --in  what to read\n  --out  what to write\n"},
		{"@missing", "armtest: open missing: no such file or directory\n"},
	} {
		flags := NewFlags()
		flags.String("out", "what to write")
		flags.Optional("in", "what to read")
		var stderr bytes.Buffer
		if code := status("armtest", flags.Parse(strings.Fields(test.args)), &stderr); code != 2 {
			t.Errorf("%s: exit code %d, want 2", test.args, code)
		}
		if diff := cmp.Diff(test.want, stderr.String()); diff != "" {
			t.Errorf("%s: %s", test.args, diff)
		}
	}
}

func testHelp(t *testing.T) {
	flags := NewFlags()
	flags.String("out", "what to write")
	var stderr bytes.Buffer
	code := status("armtest", flags.Parse([]string{"--help"}), &stderr)
	if want := "flags:\n  --out  what to write\n"; code != 0 || stderr.String() != want {
		t.Errorf("exit code %d, and it prints %q, want %q", code, &stderr, want)
	}
}

func testBadInput(t *testing.T) {
	var stderr bytes.Buffer
	if code := status("armtest", errors.New("a.json:1:2: bad"), &stderr); code != 1 || stderr.String() != "a.json:1:2: bad\n" {
		t.Errorf("exit code %d, stderr %q", code, &stderr)
	}
	if code := status("armtest", nil, &stderr); code != 0 {
		t.Errorf("exit code %d without an error", code)
	}
}

func TestCommit(t *testing.T) {
	t.Run("exactly the declared outputs are written", testDeclaredOutputs)
	t.Run("a failed write leaves no output", testFailedWrite)
	t.Run("JSON is written as it is kept in files", testJSON)
}

func testDeclaredOutputs(t *testing.T) {
	dir := t.TempDir()
	a, b, folder := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "crds")
	for _, test := range []struct {
		reason string
		set    []string
		want   string
	}{
		{"one is missing", []string{a}, b + ": the output was declared and not written"},
		{"one is too many", []string{a, b, a + "c"}, a + "c: the output was written and not declared"},
		{"one is set twice", []string{a, b, a}, a + ": the output was written twice"},
		{"a folder is not a file", []string{a, b, folder}, folder + ": the output was written and not declared"},
		{"all", []string{a, b, filepath.Join(folder, "x.yaml")}, ""},
	} {
		o := NewOutputs(a, b)
		o.Folder(folder)
		for _, path := range test.set {
			o.Set(path, []byte(test.reason))
		}
		err := o.Commit()
		entries, _ := os.ReadDir(dir)
		if test.want == "" {
			if err != nil || len(entries) != 3 {
				t.Errorf("%s: error %v, wrote %v", test.reason, err, entries)
			}
			continue
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got error %v, want %s", test.reason, err, test.want)
		}
		if len(entries) > 0 {
			t.Errorf("%s: wrote %v in spite of the error", test.reason, entries)
		}
	}
}

func testFailedWrite(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file", "below")
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	o := NewOutputs(filepath.Join(dir, "a"), blocked)
	o.Set(filepath.Join(dir, "a"), nil)
	o.Set(blocked, nil)
	if err := o.Commit(); err == nil {
		t.Error("want an error")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left %v", entries)
	}
}

func testJSON(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	o := NewOutputs(a, b)
	o.SetJSON(a, map[string]string{"door": "<open>"})
	o.SetJSON(b, []float64{math.NaN()})
	if err := o.Commit(); err == nil || !strings.HasPrefix(err.Error(), b+": ") {
		t.Errorf("got error %v, want one of %s, since JSON has no NaN", err, b)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left %v", entries)
	}
	o = NewOutputs(a)
	o.SetJSON(a, map[string]string{"door": "<open>"})
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(a)
	if diff := cmp.Diff("{\n \"door\": \"<open>\"\n}\n", string(text)); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}
