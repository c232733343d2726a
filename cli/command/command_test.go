package command

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/cli/catalog/catalogtest"
	"github.com/armature-dev/armature/cli/program/programtest"
)

const build = "bazel build //:armature-types"

// armature runs the command line, and returns what it prints.
func armature(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	root, err := New(catalogtest.Files(t), build)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	root.SetArgs(arguments)
	root.SetOut(&out)
	root.SetErr(io.Discard)
	err = root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ arguments, want string }{
		{"improt", `there is no command "improt"; did you mean "import"?; armature --help lists them`},
		{"import --out x", "accepts 1 arg(s), received 0: expected armature import ARM-ID --out FOLDER"},
		{"import x --uot y", "unknown flag: --uot: expected armature import ARM-ID --out FOLDER"},
		{"import x", `required flag(s) "out" not set`},
		{"convert -f x --to v20200101", "convert needs the Go types of the groups: found no program "},
		{"identity", `--namespace: found "", expected a name of lower-case letters, digits, hyphens and dots`},
		{"armtest absent", "open absent: no such file or directory"},
		{"armtest EMPTY", ": armtest: found no Swagger document"},
		{"armtest ../../apis/cache/specs --listen nowhere", "--listen: listen tcp: address nowhere: missing port in address"},
	} {
		arguments := strings.Fields(strings.Replace(test.arguments, "EMPTY", t.TempDir(), 1))
		if _, err := armature(t, arguments...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("armature %s: %v, want %s", test.arguments, err, test.want)
		}
	}
}

// TestExamples runs the examples in the help of commands, but for those that need a release,
// a cluster, Azure, a program that ends by ctrl-C, or the Go types of groups: these it parses.
func TestExamples(t *testing.T) {
	runs := map[string]bool{"kinds": true, "sample": true, "hook": true, "identity": true, "version": true}
	examples := programtest.Examples(t, func() *cobra.Command {
		root, err := New(catalogtest.Files(t), build)
		if err != nil {
			t.Fatal(err)
		}
		return root
	})
	for name, calls := range examples {
		for _, arguments := range calls {
			if !runs[name] {
				continue
			}
			if out, err := armature(t, arguments...); err != nil || out == "" {
				t.Errorf("armature %s: %v\n%s", strings.Join(arguments, " "), err, out)
			}
		}
	}
}

func TestFiles(t *testing.T) {
	damaged := fstest.MapFS{"0/crds/crds.json": &fstest.MapFile{Data: []byte("{}")}}
	if _, err := New(damaged, build); err == nil || !strings.Contains(err.Error(), "0/crds/crds.json: found an index without CRDs") {
		t.Errorf("the error of an index that is none is %v", err)
	}
	out, err := armature(t, "kinds", "rds")
	if err != nil || !strings.Contains(out, "cache.azure.armature.dev  Redis ") {
		t.Errorf("kinds: %v\n%s", err, out)
	}
}
