package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd/crdtest"
	"github.com/armature-dev/armature/generator/manifests"
)

// write writes a file and returns its path.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	file := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// group writes the files that armcrd makes for a group with one kind, and returns
// their folder.
func group(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	crdtest.Write(t, folder, "crm.azure.armature.dev",
		crdtest.Kind{Kind: "Person", Plural: "persons", Versions: []string{"v20200101", "v20200101storage"}})
	return folder
}

// render returns the CRD that kustomize makes of a folder.
func render(t *testing.T, folder string) map[string]any {
	t.Helper()
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		t.Fatal(err)
	}
	crds := resources.GetMatchingResourcesByAnyId(func(id resid.ResId) bool { return id.Kind == "CustomResourceDefinition" })
	if len(crds) != 1 {
		t.Fatalf("found %d CRDs, want one", len(crds))
	}
	text, err := crds[0].AsYAML()
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := yaml.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestRun(t *testing.T) {
	t.Run("the component makes the same CRDs of unfinished ones", func(t *testing.T) {
		unfinished, out := group(t), filepath.Join(t.TempDir(), "out")
		err := Run(t.Context(), []string{
			"--crds=" + unfinished, "--namespace=system", "--service=webhook", "--certificate=system/serving", "--out=" + out,
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		mine := t.TempDir()
		for from, to := range map[string]string{unfinished: "crds", filepath.Join(out, "conversion"): "conversion"} {
			if err := os.CopyFS(filepath.Join(mine, to), os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
		}
		write(t, mine, "kustomization.yaml", "resources: [crds]\ncomponents: [conversion]\n")
		got := render(t, out)
		if diff := cmp.Diff(render(t, mine), got); diff != "" {
			t.Errorf("(-component +completed):\n%s", diff)
		}
		metadata, _ := got["metadata"].(map[string]any)
		if diff := cmp.Diff(map[string]any{"cert-manager.io/inject-ca-from": "system/serving"}, metadata["annotations"]); diff != "" {
			t.Errorf("annotations (-want +got):\n%s", diff)
		}
	})

	t.Run("policies come along, with the accounts that they let write at storage versions", func(t *testing.T) {
		crds, out := group(t), filepath.Join(t.TempDir(), "out")
		const policy = "kind: ValidatingAdmissionPolicy\n"
		write(t, crds, "crm.azure.armature.dev.policies.yaml", policy)
		err := Run(t.Context(), []string{
			"--crds=" + crds, "--namespace=system", "--service=webhook",
			"--storage-writer=system/operator", "--storage-writer=backup/restore", "--out=" + out,
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"crm.azure.armature.dev.policies.yaml": policy,
			"kustomization.yaml": string(manifests.Kustomization([]string{
				"crm.azure.armature.dev.policies.yaml", "crm.azure.armature.dev_persons.yaml", "storage-writers.yaml",
			})),
			"storage-writers.yaml": string(manifests.StorageWriters([]manifests.Account{
				{Namespace: "system", Name: "operator"}, {Namespace: "backup", Name: "restore"},
			})),
		} {
			got, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})

	t.Run("bad inputs are errors, all at once, and nothing is written", func(t *testing.T) {
		out := filepath.Join(t.TempDir(), "out")
		same, empty, other := group(t), t.TempDir(), t.TempDir()
		crdtest.Write(t, other, "other.azure.armature.dev", crdtest.Kind{Kind: "Party", Plural: "parties", Versions: []string{"v20200101"}})
		write(t, other, "other.azure.armature.dev_parties.yaml", "kind: Service\n")
		bundle := write(t, t.TempDir(), "ca.crt", "hello")
		err := Run(t.Context(), []string{
			"--crds=" + same, "--crds=" + same, "--crds=" + empty, "--crds=" + other,
			"--namespace=system", "--service=webhook", "--ca-bundle=" + bundle, "--storage-writer=operator", "--out=" + out,
		}, nil)
		for _, want := range []string{
			bundle + `: found 0 certificates and then "hello" in the CA bundle`,
			"crm.azure.armature.dev_persons.yaml: two of the folders in --crds have a CRD of this name; expected each service group once",
			empty + "/crds.json: no such file or directory; expected a folder that a group's target crds has made",
			`other.azure.armature.dev_parties.yaml: found the kind "Service" with 0 versions`,
			`--storage-writer: found "operator", expected <namespace>/<name> of a service account`,
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("found %v, expected %s", err, want)
			}
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("something was written")
		}
	})
}
