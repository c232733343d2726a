package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/cli/program/programtest"
	"github.com/armature-dev/armature/internal/golden"
)

// The files of the release in testdata.
const (
	crdFile     = "base/groups/crm/crds/crm.azure.armature.dev_persons.yaml"
	policyFile  = "base/groups/crm/crds/crm.azure.armature.dev.policies.yaml"
	indexFile   = "base/groups/crm/crds/crds.json"
	allVersions = "base/groups/crm/versions/crds.json"
	webhookFile = "base/conversion/conversion.yaml"
)

// edit replaces a text in a file of a release. The text occurs once, or the edit is of
// its first occurrence.
type edit struct{ file, old, new string }

// copyRelease copies the release in testdata, edited, and returns its folder.
func copyRelease(t *testing.T, edits ...edit) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "release")
	for _, file := range []string{crdFile, policyFile, indexFile, allVersions, webhookFile, "base/webhook/kustomization.yaml",
		"base/webhook/webhook.yaml", "operator/roles.yaml", "cert-manager/webhook/authority.yaml"} {
		content, err := os.ReadFile(filepath.Join("testdata", "release", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edits {
			if e.file == file {
				if !strings.Contains(string(content), e.old) {
					t.Fatalf("%s does not have %q", file, e.old)
				}
				content = []byte(strings.Replace(string(content), e.old, e.new, 1))
			}
		}
		place := filepath.Join(dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o755), os.WriteFile(place, content, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs the command and returns what it prints.
func run(args ...string) (string, error) {
	cmd := New()
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	err := cmd.Execute()
	return out.String(), err
}

// newHub is a new storage version, before the one that was the hub.
const newHub = `  - name: v20210101storage
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-preserve-unknown-fields: true
    served: true
    storage: true
  - name: v20200101storage`

// openStatus gives a version, the default one at first, the Status that the others have.
var openStatus = edit{crdFile, `              id:
                type: string
              observedGeneration:
                format: int64
                type: integer
            type: object
`, `              observedGeneration:
                format: int64
                type: integer
            type: object
            x-kubernetes-preserve-unknown-fields: true
`}

// row has edits of the newer release, and of the older one.
type row struct {
	name       string
	edits, old []edit
}

// Each code has a row of its name.
var rows = []row{
	{name: "nothing-changes"},
	{name: "kind-gone", edits: []edit{{indexFile, "persons.crm.azure.armature.dev", "parties.crm.azure.armature.dev"},
		{crdFile, "name: persons.crm.azure.armature.dev", "name: parties.crm.azure.armature.dev"},
		{allVersions, `"persons.crm.azure.armature.dev"`, `"parties.crm.azure.armature.dev"`}}},
	{name: "kind-changed", edits: []edit{{crdFile, "scope: Namespaced", "scope: Cluster"}, {crdFile, "kind: Person\n", "kind: Human\n"},
		{crdFile, "    - pers\n", "    - prs\n"}}},
	{name: "stored-lost", edits: []edit{{crdFile, "name: v20190101storage", "name: v20180101storage"}}},
	{name: "version-gone", edits: []edit{{crdFile, "name: v20190101\n", "name: v20210101\n"}}},
	{name: "version-gone-for-good", edits: []edit{{crdFile, "name: v20190101\n", "name: v20210101\n"},
		{allVersions, `"v20190101"`, `"v20210101"`}}},
	{name: "property-gone", edits: []edit{{crdFile, "                    weight:\n                      type: number\n", ""}}},
	{name: "required-added", edits: []edit{{crdFile, "            required:\n            - name\n",
		"            required:\n            - age\n            - name\n"}}},
	{name: "schema-narrowed", edits: []edit{{crdFile, "maximum: 150", "maximum: 100"}, {crdFile, "                - sad\n", ""},
		{crdFile, "^[a-z]+$", "^[a-z]*$"}, {crdFile, "(has(self.left)?1:0)+(has(self.right)?1:0) == 1", "has(self.left)"}}},
	{name: "schema-widened", edits: []edit{{crdFile, "maximum: 150", "maximum: 200"},
		{crdFile, "                - sad\n", "                - sad\n                - shy\n"}}},
	{name: "status-opens", edits: []edit{openStatus}},
	{name: "status-closes", old: []edit{openStatus}},
	{name: "default-changed", edits: []edit{{crdFile, "observedGeneration: -1", "observedGeneration: 0"}}},
	{name: "change-proposed", edits: []edit{{allVersions, `"proposed": [`,
		`"proposed": ["2021-01-01 Person.mailingAddress: removed",`}}},
	{name: "docs-gone", edits: []edit{{allVersions, `"served": true,`, `"served": true, "withoutDocs": true,`}}},
	{name: "alias-goes", edits: []edit{{allVersions, `"v20190101",`, `"v20190101", "until": "1.2",`}}},
	{name: "memory", edits: []edit{{indexFile, `"nodes": 1`, `"nodes": 1000000`}}},
	{name: "policy-changed", edits: []edit{{policyFile, "|| has(object.spec)", "|| has(object.status)"},
		{policyFile, "  - Deny", "  - Audit"}}},
	{name: "policies-come-and-go", edits: []edit{{policyFile, "metadata:\n  name: arm-ids", "metadata:\n  name: names"}}},
	{name: "policies-list-versions-and-kinds", edits: []edit{{policyFile, "'v20200101'", "'v20200101', 'v20210101'"}}},
	{name: "webhook-moved", edits: []edit{{webhookFile, "armature-system", "azure-system"}}},
	{name: "hub-moved", edits: []edit{{crdFile, "    storage: true", "    storage: false"},
		{crdFile, "  - name: v20200101storage", newHub}}},
	{name: "way-back", edits: []edit{{crdFile, "                - sad\n", "                - sad\n                - shy\n"}},
		old: []edit{{crdFile, "  - name: v20190101storage\n", "  - name: v20180101storage\n"},
			{crdFile, "  - name: v20200101storage\n", "  - name: v20190101storage\n"}}},
}

func TestCheck(t *testing.T) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			before, after := copyRelease(t, row.old...), copyRelease(t, row.edits...)
			out, err := run(before, after)
			if err != nil {
				out += "status 2\n"
			}
			golden.Equal(t, filepath.Join("testdata", "want", row.name+".txt"), out)
			if has := strings.Contains(out, "\nbreaks "); has != errors.Is(err, program.ErrLook) {
				t.Errorf("the error is %v, and the findings are\n%s", err, out)
			}
			text, _ := run(before, after, "--output=json")
			var r report
			if err := json.Unmarshal([]byte(text), &r); err != nil {
				t.Fatalf("%v:\n%s", err, text)
			}
			if isCode := slices.ContainsFunc(codes, func(c code) bool { return c.name == row.name }); isCode &&
				!slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code == row.name }) {
				t.Errorf("there is no finding %s in\n%s", row.name, text)
			}
		})
	}
}

// Every code has a row, and a row in docs/check.md.
func TestCodes(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "check.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range codes {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.name == c.name }) &&
			!slices.ContainsFunc(clusterRows, func(r clusterRow) bool { return r.name == c.name }) {
			t.Errorf("%s has no row", c.name)
		}
		if !strings.Contains(string(docs), "\n| `"+c.name+"` | "+c.level+" |") {
			t.Errorf("docs/check.md does not have %s with the level %s", c.name, c.level)
		}
	}
}

func TestJSON(t *testing.T) {
	out, err := run(copyRelease(t), copyRelease(t, edit{crdFile, "maximum: 150", "maximum: 100"}), "--output=json")
	if !errors.Is(err, program.ErrLook) {
		t.Errorf("the error is %v", err)
	}
	golden.Equal(t, filepath.Join("testdata", "want", "json.json"), out)
}

// TestExamples runs the examples in the help.
func TestExamples(t *testing.T) {
	release := copyRelease(t)
	t.Chdir(t.TempDir())
	for _, name := range []string{"old/release", "release"} {
		if err := os.CopyFS(name, os.DirFS(release)); err != nil {
			t.Fatal(err)
		}
	}
	calls := programtest.Examples(t, func() *cobra.Command { return program.New(New()) })["check"]
	kubeconfig := (&server{version: "v1.37.0"}).start(t)
	for _, arguments := range calls {
		if slices.Contains(arguments, "--cluster") {
			arguments = append(arguments, "--kubeconfig="+kubeconfig)
		}
		if out, err := run(arguments[1:]...); err != nil {
			t.Errorf("armature %s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
	}
}

func TestAllow(t *testing.T) {
	out, err := run(copyRelease(t), copyRelease(t, edit{crdFile, "maximum: 150", "maximum: 100"}), "--allow=schema-narrowed")
	if err != nil || !strings.Contains(out, "allowed") || !strings.Contains(out, "Nothing breaks.") {
		t.Errorf("%v:\n%s", err, out)
	}
}

func TestErrors(t *testing.T) {
	good := copyRelease(t)
	file := filepath.Join(t.TempDir(), "release.tar.gz")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	half := func(remove string) string {
		dir := copyRelease(t)
		if err := os.RemoveAll(filepath.Join(dir, remove)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for _, test := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"no folder", []string{good, "/nowhere"}, "/nowhere: found nothing; expected the folder that a target of arm_release makes"},
		{"a tarball", []string{good, file}, "release.tar.gz: found a file; of a release.tar.gz, unpack it and give the folder"},
		{"another folder", []string{good, t.TempDir()}, ": found a folder without base/groups; expected"},
		{"both", []string{"/nowhere", "/neither"}, "/neither: found nothing; " + mend + "\n/nowhere: found nothing"},
		{"without all versions", []string{good, half("base/groups/crm/versions")}, "versions/crds.json: no such file or directory"},
		{"without CRDs", []string{good, half("base/groups/crm/crds")}, "crds/crds.json: no such file or directory"},
		{"without a CRD", []string{good, half(crdFile)}, crdFile + ": no such file or directory; expected"},
		{"without a webhook", []string{good, half(webhookFile)}, webhookFile + ": no such file or directory; expected"},
		{"with a webhook by URL", []string{good, copyRelease(t, edit{webhookFile, "        service:", "        services:"})},
			webhookFile + ": "},
		{"without policies", []string{good, half(policyFile)}, policyFile + ": no such file or directory; expected"},
		{"a CRD cut short", []string{good, copyRelease(t, edit{crdFile, "  scope:", "  scope"})},
			crdFile + ": error converting YAML to JSON: yaml: line 2"},
		{"a CRD of another name", []string{good, copyRelease(t, edit{crdFile, "name: persons", "name: people"})},
			crdFile + `: found the CRD "people.crm.azure.armature.dev" with 4 versions, expected persons.crm.azure.armature.dev`},
		{"something else among policies", []string{good,
			copyRelease(t, edit{policyFile, "kind: ValidatingAdmissionPolicy\n", "kind: Role\n"})},
			policyFile + `: found the kind "Role", expected a ValidatingAdmissionPolicy or its binding`},
		{"an index of another group", []string{good, copyRelease(t,
			edit{indexFile, `"crm.azure.armature.dev"`, `"erp.azure.armature.dev"`})},
			"found the group erp.azure.armature.dev, expected crm.azure.armature.dev as in the folder versions"},
		{"an unknown code", []string{good, good, "--allow=kind-gon"}, `--allow: no code is kind-gon; did you mean "kind-gone"?; there are`},
		{"an unknown format", []string{good, good, "--output=xml"},
			`invalid argument "xml" for "-o, --output" flag: expected table, json or yaml`},
		{"one folder", []string{good}, "accepts 2 arg(s), received 1"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if out, err := run(test.args...); err == nil || errors.Is(err, program.ErrLook) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want %s\n%s", err, test.want, out)
			} else if strings.Count(err.Error(), "\n") > 0 && test.reason != "both" {
				t.Errorf("found several errors for one mistake:\n%v", err)
			}
		})
	}
}
