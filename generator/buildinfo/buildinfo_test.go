package buildinfo

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/gomodule"
)

// modules returns the modules of a go.mod.
func modules(t *testing.T) *gomodule.Versions {
	t.Helper()
	goMod, goSum := filepath.Join(t.TempDir(), "go.mod"), filepath.Join(t.TempDir(), "go.sum")
	for file, text := range map[string]string{
		goMod: "module " + Own + "\n\ngo 1.26.0\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v1.2.0\n\texample.com/unused v1.0.0\n)\n",
		goSum: "example.com/a v1.0.0 h1:sum-of-a=\nexample.com/a v1.0.0/go.mod h1:x=\nexample.com/b v1.0.0 h1:older=\nexample.com/b v1.2.0 h1:b=\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	versions, err := gomodule.ReadVersions(goMod, goSum)
	if err != nil {
		t.Fatal(err)
	}
	return versions
}

// placeholder returns the one in the BUILD file of the version.
func placeholder(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../runtime/version/modinfo.bzl")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`PLACEHOLDER = "(.*)" \+ "#" \* (\d+) \+ "(.*)"`).FindStringSubmatch(string(text))
	if found == nil || found[2] != "16000" {
		t.Fatalf("found %q in\n%s", found, text)
	}
	unquote := strings.NewReplacer(`\t`, "\t", `\n`, "\n").Replace
	return unquote(found[1]) + strings.Repeat(filler, 16000) + unquote(found[3])
}

func TestWrite(t *testing.T) {
	packages := []string{"example.com/b/c", "example.com/a", "example.com/a/sub", Own + "/runtime"}
	info := Of(Own+"/tools/webhook", "0.1.0", packages, modules(t))
	const want = "path\tgithub.com/armature-dev/armature/tools/webhook\nmod\tgithub.com/armature-dev/armature\tv0.1.0\t\n" +
		"dep\texample.com/a\tv1.0.0\th1:sum-of-a=\ndep\texample.com/b\tv1.2.0\th1:b=\n"
	if diff := cmp.Diff(want, info.String()); diff != "" {
		t.Error(diff)
	}
	// The linker puts the value into a program twice.
	plain := []byte("\x7fELF" + placeholder(t) + "text" + placeholder(t) + "end")
	written, err := Write(plain, info)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("readers find the modules of the program in both places", func(t *testing.T) {
		places := bytes.Split(written, []byte(begin))
		if len(places) != 3 {
			t.Fatalf("found %d places", len(places)-1)
		}
		for _, place := range places[1:] {
			text, _, found := strings.Cut(string(place), end)
			got, err := debug.ParseBuildInfo(text)
			if err != nil || !found || !strings.HasSuffix(text, "\n") { // which readers demand
				t.Fatalf("%v: %q", err, text)
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Error(diff)
			}
		}
	})
	t.Run("nothing else changes", func(t *testing.T) {
		if len(written) != len(plain) || !bytes.HasPrefix(written, []byte("\x7fELF")) || !bytes.HasSuffix(written, []byte(end+"end")) ||
			!bytes.Contains(written, []byte(end+"text"+begin)) {
			t.Errorf("%d bytes became %d", len(plain), len(written))
		}
	})
	t.Run("more modules than there is room for are an error", func(t *testing.T) {
		large := *info
		large.Path = strings.Repeat("x", 17000)
		if _, err := Write(plain, &large); err == nil || !strings.Contains(err.Error(), "make it longer") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a program without the placeholder is one", func(t *testing.T) {
		if _, err := Write([]byte("armature.modinfo modinfo.armature"), info); !errors.Is(err, ErrNone) {
			t.Errorf("got %v", err)
		}
	})
}
