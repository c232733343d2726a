package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
)

func TestRewrite(t *testing.T) {
	old, err := os.ReadFile("testdata/old.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := rewrite("old.yaml", old)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("every list becomes marks or changes, and comments stay", func(t *testing.T) {
		golden.Equal(t, "testdata/new.yaml", string(got))
	})
	t.Run("a file of the new form stays as it is", func(t *testing.T) {
		if again, err := rewrite("new.yaml", got); err != nil || string(again) != string(got) {
			t.Errorf("got %s, %v", again, err)
		}
	})
	t.Run("collections are for a person to write", func(t *testing.T) {
		_, err := rewrite("group.yaml", []byte("exports: {}\ncollections: {deny: []}\n"))
		const want = "group.yaml:2: no command rewrites collections; write {children: type}, or {not: children, why: reason}, " +
			"below properties"
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.yaml"), filepath.Join(dir, "bad.yaml")
	for file, text := range map[string]string{
		good: "exports: {Contoso.Crm/people: {kind: Person}}\nsecrets: [Person.pin]\n",
		bad:  "exports: {Contoso.Crm/people: {kind: Person}}\nnotSecrets: [Person.token]\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	err := run([]string{good, bad})
	t.Run("all files are rewritten", func(t *testing.T) {
		const want = "exports: {Contoso.Crm/people: {kind: Person}}\nproperties:\n  Person.pin: secret\n"
		if got, err := os.ReadFile(good); err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	})
	t.Run("what a person has to add is printed", func(t *testing.T) {
		want := bad + `:3:17: the mark lacks why, the reason; expected a form such as {not: secret, why: "it is a name"}`
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
	t.Run("no file is an error", func(t *testing.T) {
		if err := run(nil); err == nil {
			t.Error("no error")
		}
	})
}
