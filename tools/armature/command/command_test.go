package command

import (
	"io"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	for _, test := range []struct{ arguments, want string }{
		{"improt", `there is no command "improt"; did you mean "import"?; armature --help lists them`},
		{"import --out x", "accepts 1 arg(s), received 0: expected armature import ARM-ID --out FOLDER"},
		{"import x --uot y", "unknown flag: --uot: expected armature import ARM-ID --out FOLDER"},
		{"import x", `required flag(s) "out" not set`},
		{"identity", `--namespace: found "", expected a name of lower-case letters, digits, hyphens and dots`},
		{"armtest absent", "open absent: no such file or directory"},
		{"armtest EMPTY", ": armtest: found no Swagger document"},
		{"armtest ../../../apis/cache/specs --listen nowhere", "--listen: listen tcp: address nowhere: missing port in address"},
	} {
		root, err := New()
		if err != nil {
			t.Fatal(err)
		}
		root.SetArgs(strings.Fields(strings.Replace(test.arguments, "EMPTY", t.TempDir(), 1)))
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("armature %s: %v, want %s", test.arguments, err, test.want)
		}
	}
}
