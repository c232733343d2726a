package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"

	"github.com/armature-dev/armature/generator/crd/crdtest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/manifests"
)

var (
	persons = crdtest.Kind{
		Kind: "Person", Plural: "persons", Versions: []string{"v20210101", "v20200101", "v20210101storage"},
	}
	parties = crdtest.Kind{Kind: "Party", Plural: "parties", Versions: []string{"v20210101"}}
	caches  = crdtest.Kind{Kind: "Cache", Plural: "caches", Versions: []string{"v20210101"}}
)

// cacheID is the id that the sample of a person has in place of a name.
const cacheID = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Test/caches/mysample"

// inputs writes the inputs of a release with a modification time, and returns the
// arguments of the verb.
func inputs(t *testing.T, when time.Time) []string {
	t.Helper()
	folder := t.TempDir()
	crdtest.Write(t, filepath.Join(folder, "crm"), "crm.azure.armature.dev", persons, parties)
	crdtest.Write(t, filepath.Join(folder, "cache"), "cache.azure.armature.dev", caches)
	namespace := filepath.Join(folder, "namespace.yaml")
	if err := os.WriteFile(namespace, []byte("kind: Namespace\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(folder, func(file string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(file, when, when))
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		"crm-samples/person.yaml": "kind: Person\nspec:\n  cache:\n    armId: " + cacheID + "\n",
		"crm-samples/party.yaml":  "kind: Party\n", "cache-samples/cache.yaml": "kind: Cache\n",
	} {
		file = filepath.Join(folder, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	image, err := layout.Write(filepath.Join(folder, "image"), empty.Index)
	if err != nil {
		t.Fatal(err)
	}
	if err := image.AppendImage(empty.Image); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	return []string{
		"--manifest=base/webhook/namespace.yaml=" + in("namespace.yaml"),
		"--crds=cache=" + in("cache"), "--crds=crm=" + in("crm"), "--serve=newest=1",
		"--image=" + in("image"), "--operator-image=" + in("image"),
		"--samples=cache=" + in("cache-samples"), "--samples=crm=" + in("crm-samples"),
		"--out=" + in("out/release"), "--archive=" + in("out/release.tar.gz"),
		"--namespace=armature-system",
	}
}

// build runs the verb and returns the files that it writes.
func build(t *testing.T, args []string) map[string]string {
	t.Helper()
	if err := Run(t.Context(), args, nil); err != nil {
		t.Fatal(err)
	}
	files, out := map[string]string{}, outOf(args)
	err := filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, out+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func outOf(args []string) string {
	i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--archive=") })
	return filepath.Dir(strings.TrimPrefix(args[i], "--archive="))
}

func TestRun(t *testing.T) {
	t.Run("the same inputs give the same release", testReproducible)
	t.Run("a release has its inputs", testContents)
	t.Run("a sample names what the release lacks by its id", testLackingSample)
	t.Run("a role lists the resources of its group", testRoles)
}

func testReproducible(t *testing.T) {
	first, second := build(t, inputs(t, time.Unix(1, 0))), build(t, inputs(t, time.Now()))
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the second release differs:\n%s", diff)
	}
}

func testContents(t *testing.T) {
	files := build(t, inputs(t, time.Now()))
	digest, err := empty.Image.Digest()
	if err != nil {
		t.Fatal(err)
	}
	chosen := persons
	chosen.Versions = []string{"v20210101", "v20210101storage"}
	image := func(program, folder string) string {
		return string(manifests.Image{Program: program, Folder: folder, Digest: digest.String()}.Component())
	}
	crm, newest := texts(t, persons, parties), texts(t, chosen, parties)
	for name, want := range map[string]string{
		"base/webhook/namespace.yaml":                                  "kind: Namespace\n",
		"base/groups/crm/crds/crm.azure.armature.dev_parties.yaml":     crm["crm.azure.armature.dev_parties.yaml"],
		"base/groups/crm/crds/crm.azure.armature.dev_persons.yaml":     newest["crm.azure.armature.dev_persons.yaml"],
		"base/groups/crm/crds/crds.json":                               newest["crds.json"],
		"base/groups/crm/crds/kustomization.yaml":                      crm["kustomization.yaml"],
		"base/groups/crm/versions/crds.json":                           crm["crds.json"],
		"base/groups/crm/versions/crm.azure.armature.dev_persons.yaml": crm["crm.azure.armature.dev_persons.yaml"],
		"base/webhook/storage-writers.yaml": string(manifests.StorageWriters([]manifests.Account{
			{Namespace: "armature-system", Name: "armature-operator"}})),
		"operator/writes.yaml": string(manifests.OperatorWrites{
			Operator: manifests.Account{Namespace: "armature-system", Name: "armature-operator"}}.Text()),
		"base/image/kustomization.yaml":          image("webhook", "image"),
		"base/operator-image/kustomization.yaml": image("operator", "operator-image"),
		"samples/crm/person.yaml": "kind: Cache\n---\nkind: Person\nspec:\n  cache:\n" +
			"    group: cache.azure.armature.dev\n    kind: Cache\n    name: mysample\n",
		"cert-manager/cache/kustomization.yaml":                                string(manifests.GroupOverlay("cache")),
		"cert-manager/crds/cache/kustomization.yaml":                           string(manifests.CRDOverlay("cache")),
		"image/blobs/sha256/" + strings.TrimPrefix(digest.String(), "sha256:"): string(must(empty.Image.RawManifest())),
	} {
		if diff := cmp.Diff(want, files["release/"+name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func testLackingSample(t *testing.T) {
	args := slices.DeleteFunc(inputs(t, time.Now()), func(arg string) bool { return strings.HasPrefix(arg, "--crds=cache=") })
	files := build(t, append(args, "--kind=Person"))
	want := "kind: Person\nspec:\n  cache:\n    armId: " + cacheID + "\n"
	if got := files["release/samples/crm/person.yaml"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if files["release/samples/crm/party.yaml"] != "" {
		t.Error("the release has a sample of a kind that it lacks")
	}
}

// texts returns the files of the CRD folder of the group crm.
func texts(t *testing.T, kinds ...crdtest.Kind) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, text := range crdtest.Files(t, "crm.azure.armature.dev", kinds...) {
		all[name] = string(text)
	}
	return all
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

func testRoles(t *testing.T) {
	got := build(t, inputs(t, time.Now()))["release/base/groups/crm/roles.yaml"]
	for want, times := range map[string]int{
		"  - crm.azure.armature.dev\n  resources:\n  - parties\n  - persons\n  verbs:\n":                           3,
		"  - crm.azure.armature.dev\n  resources:\n  - parties/status\n  - persons/status\n  verbs:\n  - update\n": 1,
	} {
		if strings.Count(got, want) != times {
			t.Errorf("want %d rules with\n%s\nfound\n%s", times, want, got)
		}
	}
	if strings.Contains(got, "secrets") {
		t.Errorf("no kind has outputs, found\n%s", got)
	}
	for _, action := range []string{"", "listKeys"} {
		args := inputs(t, time.Now())
		withOutputs := caches
		withOutputs.Outputs = []ir.Output{{Name: "key", Action: action}}
		crdtest.Write(t, strings.TrimPrefix(args[1], "--crds=cache="), "cache.azure.armature.dev", withOutputs)
		files := build(t, args)
		got := files["release/base/groups/cache/roles.yaml"]
		want := "  name: armature-cache-operator-outputs\nrules:\n- apiGroups:\n  - \"\"\n  resources:\n  - configmaps\n  - secrets\n  verbs:\n"
		if !strings.Contains(got, want) {
			t.Errorf("want\n%s\nfound\n%s", want, got)
		}
		if got := files["release/operator/writes.yaml"]; !strings.Contains(got, "      ['cache.azure.armature.dev']\n") {
			t.Errorf("want the group with outputs, found\n%s", got)
		}
	}
}

// TestRunErrors tests the messages for bad input, and that nothing is written then.
func TestRunErrors(t *testing.T) {
	for _, test := range []struct {
		reason string
		change func(args []string) []string
		want   []string
	}{
		{
			"all errors at once",
			func(args []string) []string {
				return append(args, "--manifest=a.yaml=absent.yaml", "--crds=b="+t.TempDir())
			},
			[]string{"absent.yaml: no such file", "crds.json: no such file"},
		},
		{
			"a namespace and a prefix that cannot be",
			func(args []string) []string { return append(args[:len(args)-1], "--namespace=Azure") },
			[]string{"--namespace=Azure: a lowercase RFC 1123 label must consist of"},
		},
		{
			"a prefix with which no Service can be called",
			func(args []string) []string { return append(args, "--name-prefix=2-") },
			[]string{"--name-prefix=2-: 2-armature-operator-metrics: a DNS-1035 label must consist of"},
		},
		{
			"a group whose overlay would be the webhook's folder",
			func(args []string) []string {
				crds := strings.TrimPrefix(args[1], "--crds=cache=")
				manifest := filepath.Join(crds, "cache.azure.armature.dev_caches.yaml")
				return append(args, "--manifest=cert-manager/webhook/kustomization.yaml="+manifest, "--crds=webhook="+crds)
			},
			[]string{"cert-manager/webhook/kustomization.yaml: two files of the release have this path"},
		},
		{
			"a file that would be outside of the release",
			func(args []string) []string {
				manifest := filepath.Join(strings.TrimPrefix(args[1], "--crds=cache="), "cache.azure.armature.dev_caches.yaml")
				return append(args, "--manifest=../armature~/release/base/a.yaml="+manifest)
			},
			[]string{"../armature~/release/base/a.yaml: leads out of the release"},
		},
		{
			"a part of a chart",
			func(args []string) []string {
				_, namespace, _ := strings.Cut(strings.TrimPrefix(args[0], "--manifest="), "=")
				return append(args, "--manifest=chart/Chart.yaml="+namespace)
			},
			[]string{"chart/templates/NOTES.txt: absent, expected with chart/Chart.yaml"},
		},
		{
			"versions and kinds that there are not",
			func(args []string) []string {
				args[3] = "--serve=newest=1,2012-02-02"
				return append(args, "--kind=Persn", "--kind=Party")
			},
			[]string{
				"--serve: no kind has a version 2012-02-02", `no kind is Persn; did you mean "Person"?`,
				"cache: none of the kinds is of this group; leave the group out",
			},
		},
		{
			"a layout without an image",
			func(args []string) []string {
				folder := t.TempDir()
				if _, err := layout.Write(folder, empty.Index); err != nil {
					t.Fatal(err)
				}
				args[4] = "--image=" + folder
				return args
			},
			[]string{"found 0 images, expected one"},
		},
	} {
		args := inputs(t, time.Now())
		out := outOf(args)
		err := Run(t.Context(), test.change(args), nil)
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: found %v, want %s", test.reason, err, want)
			}
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the verb wrote files in spite of the error", test.reason)
		}
	}
}
