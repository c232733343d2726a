package program

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestNew(t *testing.T) {
	for _, test := range []struct{ reason, arguments, want string }{
		{"a command that is not there", "lits", `there is no command "lits"; did you mean "list"?; armature --help lists them`},
		{"arguments that a command does not take", "list a", `unknown command "a" for "armature list": expected armature list`},
		{"an unknown flag", "list --a", "unknown flag: --a: expected armature list [flags]; armature list --help has examples"},
		{"an unknown format", "list -o jsn",
			`invalid argument "jsn" for "-o, --output" flag: expected table, json or yaml; did you mean "json"?: expected armature list`},
	} {
		var format Format
		list := &cobra.Command{Use: "list", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return nil }}
		format.AddTo(list)
		root := New(list)
		root.SetArgs(strings.Fields(test.arguments))
		root.SetOut(io.Discard)
		if err := root.Execute(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got the error %v, want %s", test.reason, err, test.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for name, want := range map[string]string{
		"":      "a table\n",
		"table": "a table\n",
		"json":  "{\n  \"name\": \"<a>\"\n}\n",
		"yaml":  "name: <a>\n",
	} {
		var format Format
		format.AddTo(&cobra.Command{})
		if name != "" {
			if err := format.Set(name); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		value := map[string]string{"name": "<a>"}
		err := format.Print(&out, value, func(out io.Writer) error { _, err := io.WriteString(out, "a table\n"); return err })
		if err != nil || out.String() != want {
			t.Errorf("%s: got %q, %v; want %q", name, out.String(), err, want)
		}
	}
	failed := errors.New("failed")
	if err := (&Format{}).Print(io.Discard, nil, func(io.Writer) error { return failed }); err != failed {
		t.Errorf("got the error %v of a table that failed", err)
	}
}
