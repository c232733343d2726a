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

// run returns what a command line prints.
func run(t *testing.T, root *cobra.Command, arguments string) string {
	t.Helper()
	var out strings.Builder
	root.SetArgs(strings.Fields(arguments))
	root.SetOut(&out)
	root.SetErr(io.Discard)
	if err := root.Execute(); err != nil {
		t.Fatalf("%s: %v", arguments, err)
	}
	return out.String()
}

// list returns a command line with one command.
func list() *cobra.Command {
	return New(&cobra.Command{
		Use: "list", Short: "List", Args: cobra.NoArgs, Example: "  armature list\n  cat a | armature list",
		RunE: func(*cobra.Command, []string) error { return nil },
	})
}

func TestCalled(t *testing.T) {
	for _, test := range []struct {
		reason, path string
		want         []string
	}{
		{"the program", "/usr/bin/armature", []string{"Usage:\n  armature list [flags]", "  armature list\n  cat a | armature list\n"}},
		{"a plugin of kubectl", "/usr/bin/kubectl-armature",
			[]string{"Usage:\n  kubectl armature list [flags]", "  kubectl armature list\n  cat a | kubectl armature list\n"}},
	} {
		root := list()
		called(root, test.path)
		help := run(t, root, "list --help")
		for _, want := range test.want {
			if !strings.Contains(help, want) {
				t.Errorf("%s: want %q in\n%s", test.reason, want, help)
			}
		}
		root.SetArgs([]string{"lits"})
		name, _, _ := strings.Cut(strings.TrimPrefix(test.want[0], "Usage:\n  "), " list")
		if err := root.Execute(); err == nil || !strings.HasSuffix(err.Error(), "; "+name+" --help lists them") {
			t.Errorf("%s: error %v", test.reason, err)
		}
	}
}

func TestCompletion(t *testing.T) {
	t.Run("each shell gets a script that asks the program", func(t *testing.T) {
		for _, shell := range []string{"bash", "zsh", "fish"} {
			script := run(t, list(), "completion "+shell)
			if !strings.Contains(script, "__complete") || !strings.Contains(script, "armature") {
				t.Errorf("%s:\n%s", shell, script)
			}
		}
	})
	t.Run("the program completes commands", func(t *testing.T) {
		if got := run(t, list(), "__complete li"); !strings.HasPrefix(got, "list\tList\n") {
			t.Errorf("got %q", got)
		}
	})
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
