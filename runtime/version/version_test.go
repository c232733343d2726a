package version

import (
	"os"
	"regexp"
	"runtime/debug"
	"testing"
)

func TestString(t *testing.T) {
	// The only test that sees what is linked: Bazel's.
	want := regexp.MustCompile(`^` + Unknown + `$`)
	if os.Getenv("TEST_SRCDIR") != "" {
		want = regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	}
	if got := String(); !want.MatchString(got) {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestOf(t *testing.T) {
	required, replaced := &debug.Module{Path: module, Version: "v1.2.3"}, &debug.Module{Path: module, Version: "v1.2.3"}
	replaced.Replace = &debug.Module{Path: "../runtime"}
	for _, test := range []struct {
		name string
		deps []*debug.Module
		want string
	}{
		{"a program that requires the runtime", []*debug.Module{{Path: "k8s.io/api", Version: "v0.9.0"}, required}, "1.2.3"},
		{"a program with a copy of it", []*debug.Module{replaced}, Unknown},
		{"a program of the tree", nil, Unknown},
	} {
		if got := of(&debug.BuildInfo{Deps: test.deps}); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
