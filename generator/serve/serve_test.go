package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// crd returns the text of a CRD. The first of the versions is a hub, and served as
// all but former storage versions are, whose names end in "-".
func crd(versions ...string) string {
	text := `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: persons.crm.azure.com
spec:
  group: crm.azure.com
  names:
    kind: Person
  versions:
`
	for i, v := range versions {
		name := strings.TrimSuffix(v, "-")
		text += fmt.Sprintf(`  - name: %s
    schema:
      openAPIV3Schema:
        properties:
          list:
            items:
              type: string
            type: array
        type: object
    served: %v
    storage: %v
`, name, name == v, i == 0)
	}
	return text
}

func read(t *testing.T, text string) *CRD {
	t.Helper()
	c, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestServe(t *testing.T) {
	stable := []string{"v1beta20200101storage", "v1beta20190101", "v1beta20200101", "v1beta20180101", "v1alpha20170101", "v1beta20180101storage-", "v1alpha1api20180101"}
	preview := []string{"v1beta20200101storage", "v1beta20200101", "v1beta20190101", "v1beta20180101", "v1alpha20190505", "v1alpha20210101", "v1alpha20220101"}
	previews := []string{"v1alpha20200101storage", "v1alpha20180101", "v1alpha20190101", "v1alpha20200101"}
	moved := []string{"v1beta20200101storage", "v1beta20190101", "v1beta20200101", "v1beta20180101", "v1beta20180101storage", "v1beta20190101storage-"}
	old := []string{"v1beta20180101storage", "v1beta20180101", "v1beta20190101", "v1beta20200101"}
	for _, test := range []struct {
		reason, choice string
		has            []string
		want           string
	}{
		{"the newest two, and storage versions", "newest=2", stable, "v1beta20200101storage v1beta20190101 v1beta20200101 v1beta20180101storage-"},
		{"the newest", "newest=1", stable, "v1beta20200101storage v1beta20200101 v1beta20180101storage-"},
		{"more than there are", "newest=9", stable, "v1beta20200101storage v1beta20190101 v1beta20200101 v1beta20180101 v1beta20180101storage-"},
		{"the newest preview where it is newer", "newest=1", preview, "v1beta20200101storage v1beta20200101 v1alpha20220101"},
		{"previews where nothing is stable", "newest=2", previews, "v1alpha20200101storage v1alpha20190101 v1alpha20200101"},
		{"the version at which objects are stored", "newest=1", old, "v1beta20180101storage v1beta20180101 v1beta20200101"},
		{"the version of an operator of the release before", "newest=1", moved, "v1beta20200101storage v1beta20200101 v1beta20180101 v1beta20180101storage v1beta20190101storage-"},
		{"Kubernetes' name", "newest=1,v1beta20180101", stable, "v1beta20200101storage v1beta20200101 v1beta20180101 v1beta20180101storage-"},
		{"ARM's name", "2017-01-01-preview", stable, "v1beta20200101storage v1beta20200101 v1alpha20170101 v1beta20180101storage-"},
		{"an alias", "v1alpha1api20180101", stable, "v1beta20200101storage v1beta20200101 v1beta20180101storage- v1alpha1api20180101"},
		{"all", "all", stable, strings.Join(stable, " ")},
	} {
		t.Run(test.reason, func(t *testing.T) {
			choice, err := Parse(test.choice)
			if err != nil {
				t.Fatal(err)
			}
			got := read(t, crd(test.has...)).Serve(choice)
			if want := crd(strings.Fields(test.want)...); string(got.Text()) != want {
				t.Errorf("got\n%s\nwant\n%s", got.Text(), want)
			}
			if again := read(t, string(got.Text())); again.Price() != got.Price() {
				t.Errorf("the price is %v, and %v of the text", got.Price(), again.Price())
			}
		})
	}
}

func TestPrice(t *testing.T) {
	text := crd("v1beta20200101storage", "v1beta20200101", "v1beta20190101storage-")
	compact, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := Price{Versions: 2, Nodes: 3 * 3, Bytes: len(compact)}
	if got := read(t, text).Price(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	// What a kube-apiserver had in memory beyond the 83 MB, and 270 MB at the peak, that it has without CRDs.
	for _, measured := range []struct{ versions, nodes, live, peak int }{
		{408, 36_400, 591, 1567}, {232, 17_200, 325, 821}, {391, 50_000, 694, 1911}, {301, 33_700, 509, 1457}, {384, 33_600, 569, 1528},
	} {
		p := Price{Versions: measured.versions, Nodes: measured.nodes}
		near := func(price, was int) bool { return 10*price > 9*was && 10*price < 11*was }
		if !near(p.Live(), measured.live) || !near(p.Peak(), measured.peak) {
			t.Errorf("%+v costs %d MB, and %d at the peak; measured were %d and %d", p, p.Live(), p.Peak(), measured.live, measured.peak)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"", "newest", "newest=x", "newest=-1", "newest=1,newest=2", "latest", "2020-13-01"} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), "expected all, or newest=2 and versions") {
			t.Errorf("%q: error = %v", text, err)
		}
	}
}

func TestUnknown(t *testing.T) {
	choice, err := Parse("newest=1,v1beta20200101,2020-01-01,2021-01-01,v1beta20200101storage")
	if err != nil {
		t.Fatal(err)
	}
	got := choice.Unknown(&Folder{CRDs: map[string]*CRD{"x": read(t, crd("v1beta20200101storage", "v1beta20200101"))}})
	if want := []string{"2021-01-01", "v1beta20200101storage"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{"kind: Namespace": `found the kind "Namespace"`, "a: [": "did not find", crd(): "found a CRD without versions"} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error = %v, want %s", text, err, want)
		}
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"crm.azure.com_persons.yaml":  crd("v1beta20200101storage", "v1beta20200101", "v1beta20190101"),
		"crm.azure.com_parties.yaml":  strings.ReplaceAll(crd("v1beta20200101"), "erson", "arty"),
		"crm.azure.com.policies.yaml": "kind: Policy\n",
		"kustomization.yaml":          "resources:\n- crm.azure.com.policies.yaml\n- crm.azure.com_parties.yaml\n- crm.azure.com_persons.yaml\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, err := ReadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	choice, err := Parse("newest=1")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name, text := range all.Of([]string{"Pers*"}).Serve(choice).Files() {
		got[name] = string(text)
	}
	want := map[string]string{
		"crm.azure.com_persons.yaml":  crd("v1beta20200101storage", "v1beta20200101"),
		"crm.azure.com.policies.yaml": "kind: Policy\n",
		"kustomization.yaml":          "resources:\n- crm.azure.com.policies.yaml\n- crm.azure.com_persons.yaml\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := len(all.Of(nil).Files()); got != 4 {
		t.Errorf("without patterns there are %d files, want 4", got)
	}
	err = CheckKinds([]string{"P*", "Persn"}, all)
	if want := `no kind is Persn; did you mean "Person"?`; err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}
