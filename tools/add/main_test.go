package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/specs"
)

// repository writes a repository without groups, and returns it.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"apis/groups.bzl": "PUBLISHED = []\n", "apis/domain.bzl": "DOMAIN = \"azure.example.com\"\n", "go.mod": "module example.com/shop\n",
		"MODULE.bazel": "module(name = \"armature\")\nspecs = use_extension(\"//rules:extensions.bzl\", \"specs\")\n" +
			"specs.checkout(services = [])\nuse_repo(specs, arm_specs = \"armature_specs\")\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("BUILD_WORKSPACE_DIRECTORY", root)
	return root
}

// add runs the command with the answers of a person, or with no terminal if there are none, and returns what it prints.
func add(t *testing.T, answers string, arguments ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	c := command(nil, &out)
	if answers != "" {
		c = command(strings.NewReader(answers), &out)
	}
	c.SetArgs(arguments)
	err := c.Execute()
	return out.String(), err
}

// old has what adds the groups of the examples at older versions.
var old = map[string]string{"sql": "Microsoft.Sql --versions=2023-08-01", "storage": "Microsoft.Storage --versions=2025-08-01"}

// TestExamples runs the commands in docs/add-a-service.md and those of the help, each in a repository that has only the
// group that the command names.
func TestExamples(t *testing.T) {
	if specs.Folder() == "" {
		t.Skip("ARMATURE_SPECS is not set: no published specs to add")
	}
	page, err := os.ReadFile("../../docs/add-a-service.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile("(?:\\./bazelw run //tools/add --|\n  add) ([^`\n]+)").
		FindAllStringSubmatch(string(page)+"\n"+command(nil, nil).Example, -1)
	if len(commands) < 12 {
		t.Errorf("found the commands %q, expected 6 of the page and 6 of the help", commands)
	}
	for _, command := range commands {
		t.Run(command[1], func(t *testing.T) {
			if strings.HasPrefix(command[1], "--all") {
				t.Skip("TestAddAll runs it with fewer specs, and TestProviders of package service adds all of these")
			}
			repository(t)
			arguments := strings.Fields(strings.ReplaceAll(command[1], "'", ""))
			name := strings.ToLower(strings.TrimPrefix(arguments[0], "Microsoft."))
			if group := old[name]; group != "" {
				if _, err := add(t, "", strings.Fields(group)...); err != nil {
					t.Fatal(err)
				}
			}
			out, err := add(t, "", arguments...)
			if err != nil {
				t.Fatal(err)
			}
			if want := ": adds 20"; old[name] != "" && !strings.Contains(command[1], "--stable=0") && !strings.Contains(out, want) {
				t.Errorf("it adds no version:\n%s", out)
			}
		})
	}
}

// TestAddAll adds all providers of small specs, or some of them.
func TestAddAll(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("ARMATURE_SPECS", folder)
	for _, provider := range []string{"Dell.Storage", "Microsoft.Nothing", "Microsoft.Storage"} {
		types := `[]`
		if provider != "Microsoft.Nothing" {
			types = `[{"$type": "ResourceType", "name": "` + provider + `/accounts@2025-01-01", "body": {"$ref": "#/1"}, "writableScopes": 8},
				{"$type": "ObjectType", "name": "account", "properties": {"location": {"type": {"$ref": "#/2"}, "flags": 0}}},
				{"$type": "StringType"}]`
		}
		file := filepath.Join(folder, "bicep-types-az", "generated", "some", strings.ToLower(provider), "2025-01-01", "types.json")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(types), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ arguments, report, groups, err string }{
		{"--all", "# 2 new groups, with 2 kinds at 2 versions", "dellstorage storage", ""},
		{"--all --dry-run", "# 2 new groups, with 2 kinds at 2 versions", "", ""},
		{"Dell.Storage Microsoft.Nothing", "# 1 new group, with 1 kind at 1 version", "dellstorage", ""},
		{"Dell.Storage Microsoft.Gone Microsoft.Storage", "# 2 new groups, ", "dellstorage storage", "Microsoft.Gone: "},
		{"--all Dell.Storage", "", "", "found Dell.Storage, and --all, which adds all providers"},
		{"--all --group=all", "", "", "[all group]"},
		{"--all --update", "", "", "[all update]"},
		{"Dell.Storage Microsoft.Storage --types=accounts", "", "", "found 2 providers, and --types, --versions or --group"},
		{"dellstorage storage --update", "", "", "found 2 arguments, and --update or --version, which takes one group"},
		{"", "", "", "found no argument, expected a provider such as"},
	} {
		t.Run(test.arguments, func(t *testing.T) {
			root := repository(t)
			out, err := add(t, "", strings.Fields(test.arguments)...)
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("error = %v, want %q", err, test.err)
			}
			if !strings.HasPrefix(out, test.report) {
				t.Errorf("the report is\n%s", out)
			}
			files, err := filepath.Glob(filepath.Join(root, "apis", "*", "group.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			for i, file := range files {
				files[i] = filepath.Base(filepath.Dir(file))
			}
			if got := strings.Join(files, " "); got != test.groups {
				t.Errorf("the groups are %q, want %q", got, test.groups)
			}
		})
	}
}

// TestUpdateAll moves the groups of a repository on, of which one cannot be read.
func TestUpdateAll(t *testing.T) {
	if specs.Folder() == "" {
		t.Skip("ARMATURE_SPECS is not set: no published specs to add")
	}
	root := repository(t)
	for _, group := range old {
		if _, err := add(t, "", strings.Fields(group)...); err != nil {
			t.Fatal(err)
		}
	}
	broken := filepath.Join(root, "apis", "shop")
	if err := os.MkdirAll(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	decisions := []byte("exports:\n  Contoso.Shop/orders: {kind: Order}\n")
	if err := os.WriteFile(filepath.Join(broken, "group.yaml"), decisions, 0o644); err != nil {
		t.Fatal(err)
	}
	versions := func(group string) string {
		text, err := os.ReadFile(filepath.Join(root, "apis", group, "BUILD.bazel"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := versions("sql") + versions("storage")
	for _, step := range []struct {
		what      string
		arguments []string
		want      []string
		writes    bool
	}{
		{"a dry run", []string{"--update", "--dry-run"}, []string{"# An update of 2 groups\n", "| apis/sql | 20", "| apis/storage | 20",
			"\n## apis/sql\n"}, false},
		{"an update", []string{"--update"}, []string{"| apis/sql | 20", "| apis/storage | 20"}, true},
		{"once more", []string{"--update"}, []string{"# An update of 2 groups\n", "All of them have the newest versions"}, true},
	} {
		out, err := add(t, "", step.arguments...)
		if err == nil || !strings.Contains(err.Error(), "shop") || strings.Contains(err.Error(), "sql") {
			t.Errorf("%s: got the error %v, want one about shop alone", step.what, err)
		}
		for _, want := range step.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: got\n%swant %q", step.what, out, want)
			}
		}
		if after := versions("sql") + versions("storage"); step.writes != (after != before) {
			t.Errorf("%s: it writes: %v, want %v", step.what, after != before, step.writes)
		}
	}
}
