package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/facts"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/google/go-cmp/cmp"
)

// workspace is a folder with the files of a version.
type workspace struct {
	t   *testing.T
	dir string
	// document is the flag with the document, or "".
	document string
	said     bytes.Buffer
}

func newWorkspace(t *testing.T) *workspace {
	w := &workspace{t: t, dir: t.TempDir(), document: "--document=:$/specs/person.json"}
	w.write("load.json", `{"exports": {"Contoso.Crm/people": "Person"}}`)
	w.write("specs/person.json", `{"swagger": "2.0", "paths": {"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Crm/people/{name}": {"put": {
		"parameters": [{"in": "body", "name": "body", "schema": {"$ref": "#/definitions/Person"}}],
		"responses": {"200": {"schema": {"$ref": "#/definitions/Person"}}}}}},
	"definitions": {"Person": {"description": "A person.", "properties": {"pet": {"$ref": "common/pet.json#/definitions/Pet"}, "adminPassword": {"type": "string"}}}}}`)
	w.write("specs/common/pet.json", `{"swagger": "2.0", "definitions": {"Pet": {"properties": {"name": {"type": "string"}}}}}`)
	w.write("specs/common/spare.json", `{"swagger": "2.0", "definitions": {}}`)
	return w
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, name) }

func (w *workspace) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// run runs the verb with the arguments for the workspace and further ones. In all
// of them $ stands for the workspace.
func (w *workspace) run(args ...string) error {
	args = append([]string{
		"--load=$/load.json", "--provider=Contoso.Crm", "--root=$",
		"--ir=$/out/ir.json", "--api=$/out/api.json", "--limits=$/out/limits.json", "--notes=$/out/notes.json",
		"--digests=$/out/digests.json",
	}, args...)
	if w.document != "" {
		args = append(args, w.document)
	}
	var params strings.Builder
	for _, arg := range args {
		params.WriteString(strings.ReplaceAll(arg, "$", w.dir) + "\n")
	}
	w.write("params", params.String())
	return Run(context.Background(), []string{"@" + w.path("params")}, &w.said)
}

// writeFacts writes the facts of the version.
func (w *workspace) writeFacts() {
	w.t.Helper()
	o := &options{provider: new("Contoso.Crm"), apiVersion: new("2020-01-01"), roots: &[]string{w.dir}}
	o.update = new("update")
	o.documents = &[]string{":" + w.path("specs/person.json"), "ref:" + w.path("specs/common/pet.json")}
	raw, err := readDocuments(o, &config.Load{Exports: map[string]string{"Contoso.Crm/people": "Person"}}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := facts.Encode(raw)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write("shop.facts.json", string(text))
}

func (w *workspace) outputs() map[string]string {
	found := map[string]string{}
	entries, _ := os.ReadDir(w.path("out"))
	for _, e := range entries {
		text, err := os.ReadFile(w.path("out/" + e.Name()))
		if err != nil {
			w.t.Fatal(err)
		}
		found[e.Name()] = string(text)
	}
	return found
}

func TestRun(t *testing.T) {
	t.Run("docs, types, notes and digests are written to four files", testOutputs)
	t.Run("two checkouts give the same bytes", testTwoCheckouts)
	t.Run("white space changes nothing", testWhiteSpace)
	t.Run("a version needs a document", testNoDocument)
	t.Run("with facts, only descriptions need the documents", testFacts)
	t.Run("documents that the checkout lacks are named", testAbsent)
}

// testFacts reads a version from documents, from its facts, and from both.
func testFacts(t *testing.T) {
	const version, pet, facts = "--api-version=2020-01-01", "--document=ref:$/specs/common/pet.json", "--facts=$/shop.facts.json"
	w := newWorkspace(t)
	w.writeFacts()
	if err := w.run(version, pet); err != nil {
		t.Fatal(err)
	}
	documents := w.outputs()
	if err := w.run(version, pet, facts, "--update=update"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(documents, w.outputs()); diff != "" {
		t.Errorf("with facts (-without +with):\n%s", diff)
	}
	w.document = ""
	if err := w.run(version, facts, "--update=update"); err != nil {
		t.Fatal(err)
	}
	alone := w.outputs()
	for _, name := range []string{"api.json", "limits.json"} {
		if diff := cmp.Diff(documents[name], alone[name]); diff != "" {
			t.Errorf("%s of the facts alone (-documents +facts):\n%s", name, diff)
		}
	}
	v, err := ir.Decode(alone["ir.json"])
	if err != nil {
		t.Fatal(err)
	}
	described := strings.Replace(documents["ir.json"], `   "doc": "A person."`, `   "doc": "What ARM is asked for."`, 1)
	if strings.Contains(alone["ir.json"], "A person.") || !v.WithoutDocs || described == documents["ir.json"] {
		t.Errorf("of the facts alone:\n%s\nof the documents:\n%s", alone["ir.json"], documents["ir.json"])
	}
}

func testAbsent(t *testing.T) {
	w := newWorkspace(t)
	w.writeFacts()
	w.document = ""
	err := w.run("--api-version=2020-01-01", "--facts=$/shop.facts.json", "--update=update", "--absent=a.json", "--absent=b.json")
	if err != nil {
		t.Fatal(err)
	}
	const want = "Contoso.Crm 2020-01-01 has no descriptions: the checkout of the specs lacks a.json, b.json; if Azure has it, add its " +
		"service to specs.checkout in MODULE.bazel\n"
	if w.said.String() != want {
		t.Errorf("said %q, want %q", w.said.String(), want)
	}
}

func testOutputs(t *testing.T) {
	w := newWorkspace(t)
	if err := w.run("--api-version=2020-01-01", "--document=ref:$/specs/common/pet.json"); err != nil {
		t.Fatal(err)
	}
	out := w.outputs()
	if digests := out["digests.json"]; len(out) != 5 || !strings.Contains(digests, `"Contoso.Crm/people": "`) {
		t.Fatalf("wrote %d files, want 5, and the digests\n%s", len(out), digests)
	}
	for name, want := range map[string][3]bool{ // docs, types, notes
		"ir.json": {true, true, false}, "api.json": {false, true, false}, "limits.json": {false, true, false},
		"notes.json": {false, false, true},
	} {
		v, err := ir.Decode(out[name])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		has := [3]bool{
			strings.Contains(out[name], "A person."),
			v.Type("Person_Spec") != nil && v.Type("Pet_Status") != nil,
			len(v.Notes) > 0,
		}
		if has != want {
			t.Errorf("%s: has docs, types and notes: %v, want %v", name, has, want)
		}
		if strings.Contains(out[name], w.dir) {
			t.Errorf("%s has a path of this machine", name)
		}
	}
}

func testTwoCheckouts(t *testing.T) {
	var outs []map[string]string
	for range 2 {
		w := newWorkspace(t)
		if err := w.run("--api-version=2020-01-01", "--document=ref:$/specs/common/pet.json"); err != nil {
			t.Fatal(err)
		}
		outs = append(outs, w.outputs())
	}
	if diff := cmp.Diff(outs[0], outs[1]); diff != "" {
		t.Error(diff)
	}
}

// Files have pointers instead of lines, so that white space causes no build.
func testWhiteSpace(t *testing.T) {
	var outs []map[string]string
	for _, space := range []string{" ", "\n\n   "} {
		w := newWorkspace(t)
		for _, name := range []string{"specs/person.json", "specs/common/pet.json"} {
			text, err := os.ReadFile(w.path(name))
			if err != nil {
				t.Fatal(err)
			}
			w.write(name, strings.ReplaceAll(string(text), ",", ","+space))
		}
		if err := w.run("--api-version=2020-01-01", "--document=ref:$/specs/common/pet.json"); err != nil {
			t.Fatal(err)
		}
		outs = append(outs, w.outputs())
	}
	if diff := cmp.Diff(outs[0], outs[1]); diff != "" {
		t.Error(diff)
	}
}

// TestRunErrors tests the messages for bad input, and that nothing is written then.
func TestRunErrors(t *testing.T) {
	const version, pet = "--api-version=2020-01-01", "--document=ref:$/specs/common/pet.json"
	for _, test := range []struct {
		reason, want string
		args         []string
		edit         func(*workspace)
	}{
		{
			reason: "a file that a $ref needs is not listed", args: []string{version},
			want: "cannot read specs/common/pet.json, which this $ref names: it is not among the files of the version; add it to the " +
				"version's entry in BUILD.bazel",
		},
		{
			reason: "a file that a $ref needs is not listed, and a command lists it", args: []string{version, "--update=update"},
			want: "it is not among the files of the version; add it to the version's entry in BUILD.bazel, as this does: update",
		},
		{
			reason: "a listed file is unused", args: []string{version, pet, "--document=ref:$/specs/common/spare.json"},
			want: "specs/common/spare.json: nothing in the version refers to this file; remove it from the version's entry in BUILD.bazel",
		},
		{
			reason: "a format that no reader has", args: []string{version, pet, "--document=swager:$/specs/common/spare.json"},
			want: `specs/common/spare.json: the entry in BUILD.bazel begins with the format swager, which no reader has; expected swagger or bicep or jsonschema; did you mean "swagger"?`,
		},
		{
			reason: "the facts differ from the documents",
			args:   []string{version, pet, "--facts=$/shop.facts.json", "--update=update"},
			edit: func(w *workspace) {
				w.writeFacts()
				text, _ := os.ReadFile(w.path("shop.facts.json"))
				w.write("shop.facts.json", strings.Replace(string(text), `"name", "type": "string"`, `"name", "type": "integer"`, 1))
			},
			want: `Pet.name: the specs (specs/common/pet.json:1:67) now say {"name": "name", "type": "string"}; it was ` +
				`{"name": "name", "type": "integer"}` + "\nthe specs of Contoso.Crm 2020-01-01 have changed since its facts were " +
				"written; update accepts what they say now, and prints what it means for stored objects and for clients",
		},
		{
			reason: "the facts are of another version",
			args:   []string{"--api-version=2021-01-01", pet, "--facts=$/shop.facts.json", "--update=update"},
			edit:   func(w *workspace) { w.writeFacts() },
			want: "shop.facts.json: the file has the facts of Contoso.Crm 2020-01-01, expected those of Contoso.Crm 2021-01-01; " +
				"update writes it again",
		},
		{
			reason: "not a version", args: []string{"--api-version=latest", pet},
			want: `"latest" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview`,
		},
		{
			reason: "another provider", args: []string{version, pet},
			edit: func(w *workspace) { w.write("load.json", `{"exports": {"Contoso.Erp/orders": "Order"}}`) },
			want: "group.yaml exports Contoso.Erp/orders, which is not of the provider Contoso.Crm; correct one of the two",
		},
		{
			reason: "not a file of armconfig", args: []string{version, pet},
			edit: func(w *workspace) { w.write("load.json", `{"hub": 1}`) },
			want: `load.json: not what armconfig of this generator writes: json: unknown field "hub"`,
		},
		{
			reason: "a name is given twice", args: []string{version},
			edit: func(w *workspace) {
				w.write("load.json", `{"exports": {"Contoso.Crm/people": "Person"}, "names": [
					{"type": "Person", "arm": "a", "name": "word"}, {"type": "Person", "arm": "b", "name": "word"}]}`)
				w.write("specs/person.json", `{"swagger": "2.0", "paths": {"/providers/Contoso.Crm/people/{name}": {"put": {
					"parameters": [{"in": "body", "name": "body", "schema": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}],
					"responses": {"200": {}}}}}}`)
			},
			want: `specs/person.json:2:108: Person: group.yaml names ARM's "b" "word", and "word" is the name of ARM's "a"; choose another name`,
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			w := newWorkspace(t)
			if test.edit != nil {
				test.edit(w)
			}
			err := w.run(test.args...)
			if err == nil {
				t.Fatalf("no error, want %s", test.want)
			}
			if got := strings.ReplaceAll(err.Error(), w.dir+"/", ""); !strings.HasSuffix(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if out := w.outputs(); len(out) > 0 {
				t.Errorf("wrote %v in spite of the error", out)
			}
		})
	}
}

func testNoDocument(t *testing.T) {
	args := []string{"--load=l", "--provider=p", "--api-version=v", "--ir=i", "--api=a", "--limits=r", "--notes=n", "--digests=d"}
	err := Run(context.Background(), args, io.Discard)
	if err == nil || err.Error() != "neither --document nor --facts is given; a version is read from one of them at least" {
		t.Errorf("got %v", err)
	}
}
