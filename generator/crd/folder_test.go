package crd_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/crd/crdtest"
	"github.com/armature-dev/armature/runtime/annotation"
)

var (
	persons = crdtest.Kind{
		Kind: "Person", Plural: "persons", Versions: []string{"v20200101", "v20190101", "v20200101storage"},
	}
	parties = crdtest.Kind{Kind: "Party", Plural: "parties", Versions: []string{"v20200101", "v20200101storage"}}
)

func read(t *testing.T, dir string) *crd.Folder {
	t.Helper()
	f, err := crd.ReadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// texts returns the files of a folder as texts.
func texts(t *testing.T, f *crd.Folder, stopped map[string][]string) map[string]string {
	t.Helper()
	files, err := f.Files(stopped, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for name, text := range files {
		all[name] = string(text)
	}
	return all
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	crdtest.Write(t, dir, "crm.azure.armature.dev", persons, parties)
	policies, err := os.ReadFile(filepath.Join(dir, "crm.azure.armature.dev.policies.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	newest, err := crd.ParseChoice("newest=1")
	if err != nil {
		t.Fatal(err)
	}

	t.Run("a choice is what Files makes of these kinds and versions", func(t *testing.T) {
		want := map[string]string{}
		chosen := persons
		chosen.Versions = []string{"v20200101", "v20200101storage"}
		for name, text := range crdtest.Files(t, "crm.azure.armature.dev", chosen) {
			want[name] = string(text)
		}
		want["crm.azure.armature.dev.policies.yaml"] = string(policies)
		got := texts(t, read(t, dir).Of([]string{"Pers*"}).Serve(newest), nil)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("all is the folder as it is", func(t *testing.T) {
		want := map[string]string{}
		for name, text := range crdtest.Files(t, "crm.azure.armature.dev", persons, parties) {
			want[name] = string(text)
		}
		if diff := cmp.Diff(want, texts(t, read(t, dir).Of(nil), nil)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("the storage version of the former hub is served only where the choice says so", func(t *testing.T) {
		moved := t.TempDir()
		crdtest.Write(t, moved, "crm.azure.armature.dev", crdtest.Kind{Kind: "Person", Plural: "persons",
			Versions: []string{"v20200101", "v20190101", "v20200101storage", "v20190101storage"}})
		for choice, want := range map[string]string{
			"newest=2":        "v20200101 v20190101 v20200101storage",
			"newest=2,former": "v20200101 v20190101 v20190101storage v20200101storage",
			"all":             "v20200101 v20190101 v20190101storage v20200101storage",
		} {
			c, err := crd.ParseChoice(choice)
			if err != nil {
				t.Fatal(err)
			}
			chosen := read(t, moved).Serve(c)
			text, err := yaml.YAMLToJSON([]byte(texts(t, chosen, nil)["crm.azure.armature.dev_persons.yaml"]))
			if err != nil {
				t.Fatal(err)
			}
			var d apiextensionsv1.CustomResourceDefinition
			if err := json.Unmarshal(text, &d); err != nil {
				t.Fatal(err)
			}
			var served []string
			for _, v := range d.Spec.Versions {
				if v.Served {
					served = append(served, v.Name)
				}
			}
			if got := strings.Join(served, " "); got != want || len(d.Spec.Versions) != 4 {
				t.Errorf("%s: of %d versions, %s are served, want %s", choice, len(d.Spec.Versions), got, want)
			}
			if said := chosen.CRDs[0].Bytes; said != len(text) {
				t.Errorf("%s: the CRD has %d bytes and is said to have %d", choice, len(text), said)
			}
		}
	})
	t.Run("a CRD names the versions that it stops serving", func(t *testing.T) {
		stopped := map[string][]string{"persons.crm.azure.armature.dev": {"v20190101", "v20180101"}}
		got := texts(t, read(t, dir).Serve(newest), stopped)
		want := "metadata:\n  annotations:\n    " + annotation.StopServing + ": v20190101,v20180101\n" +
			"  name: persons.crm.azure.armature.dev\n"
		if text := got["crm.azure.armature.dev_persons.yaml"]; !strings.Contains(text, want) {
			t.Errorf("want\n%s\ngot\n%s", want, text)
		}
		if text := got["crm.azure.armature.dev_parties.yaml"]; strings.Contains(text, annotation.StopServing) {
			t.Errorf("got\n%s", text)
		}
	})
	t.Run("a CRD with a field of somebody else is an error", func(t *testing.T) {
		other := t.TempDir()
		crdtest.Write(t, other, "crm.azure.armature.dev", persons)
		file := filepath.Join(other, "crm.azure.armature.dev_persons.yaml")
		if err := os.WriteFile(file, []byte("kind: CustomResourceDefinition\nspec:\n  preserveUnknownFields: true\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := read(t, other).Files(nil, nil)
		if err == nil || !strings.Contains(err.Error(), "field preserveUnknownFields not found") || !strings.Contains(err.Error(), file) {
			t.Errorf("error = %v", err)
		}
	})
}

func TestReadFolderErrors(t *testing.T) {
	for index, want := range map[string]string{"{": "unexpected end of JSON", "{}": "found an index without CRDs", "": "no such file"} {
		dir := t.TempDir()
		if index != "" {
			if err := os.WriteFile(filepath.Join(dir, crd.IndexFile), []byte(index), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := crd.ReadFolder(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%q: error = %v, want %s", index, err, want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for text, want := range map[string]string{
		"kind: CustomResourceDefinition": "with 0 versions",
		"kind: Namespace\n":              `found the kind "Namespace"`,
		"a: [":                           "did not find",
		"a: b":                           "field a not found",
	} {
		if _, err := crd.Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error = %v, want %s", text, err, want)
		}
	}
}

// TestDecode reads each CRD and writes it again.
func TestDecode(t *testing.T) {
	files := widgets(t).CRDs(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		d, err := crd.Decode(files[name])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(string(files[name]), string(d.Text())); diff != "" {
			t.Errorf("%s (-written +read and written):\n%s", name, diff)
		}
	}
}
