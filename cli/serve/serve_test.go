package serve

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd/crdtest"
	"github.com/armature-dev/armature/runtime/annotation"
)

// crdText returns the text of the CRD of a kind with versions, of which that with
// "storage" is the one at which objects are stored. One with "-" is not served.
func crdText(group, plural, kind string, versions ...string) string {
	text := fmt.Sprintf("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: %[2]s.%[1]s\n"+
		"spec:\n  group: %[1]s\n  names:\n    kind: %[3]s\n    plural: %[2]s\n  versions:\n", group, plural, kind)
	for _, v := range versions {
		name := strings.TrimSuffix(v, "-")
		text += fmt.Sprintf("  - name: %s\n    served: %v\n    storage: %v\n", name, name == v, strings.HasSuffix(v, "storage"))
	}
	return text
}

var all = []string{"v20210101", "v20200101", "v20190101", "v20210101storage"}

// release writes a release, whose CRDs serve all versions, and returns its folder.
func release(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for group, kinds := range map[string][]crdtest.Kind{
		"crm":   {{Kind: "Person", Plural: "persons", Versions: all}, {Kind: "Party", Plural: "parties", Versions: all}},
		"cache": {{Kind: "Redis", Plural: "redis", Versions: all}},
	} {
		for _, folder := range []string{"versions", "crds"} {
			crdtest.Write(t, filepath.Join(dir, "base/groups", group, folder), group+".azure.armature.dev", kinds...)
		}
	}
	return dir
}

// run runs the command with arguments for a release and a cluster, and returns what
// it prints.
func run(folder string, c *cluster, change func(*serving)) (string, error) {
	s := &serving{release: folder, choice: "newest=1", cluster: func() (*cluster, error) { return c, nil }}
	change(s)
	cmd := New()
	var out bytes.Buffer
	cmd.SetOut(&out)
	err := s.run(cmd)
	return out.String(), err
}

func same(*serving) {}

// files returns the versions in the CRDs of a release, by file.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	names, err := filepath.Glob(filepath.Join(folder, "base/groups/*/crds/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var object struct {
			Spec      struct{ Versions []struct{ Name string } }
			Resources []string
		}
		if err := yaml.Unmarshal(text, &object); err != nil {
			continue // the policies, of which there are several
		}
		names := object.Resources
		for _, v := range object.Spec.Versions {
			names = append(names, v.Name)
		}
		found[strings.TrimPrefix(name, filepath.Join(folder, "base/groups")+"/")] = strings.Join(names, " ")
	}
	return found
}

func TestServe(t *testing.T) {
	newest, every := "v20210101 v20210101storage", strings.Join(all, " ")
	for _, test := range []struct {
		reason string
		change func(*serving)
		want   map[string]string
	}{
		{"all groups", same, map[string]string{"crm/crds/crm.azure.armature.dev_persons.yaml": newest,
			"cache/crds/cache.azure.armature.dev_redis.yaml": newest}},
		{"one group", func(s *serving) { s.groups = []string{"crm"} },
			map[string]string{"crm/crds/crm.azure.armature.dev_persons.yaml": newest,
				"cache/crds/cache.azure.armature.dev_redis.yaml": every}},
		{"some kinds", func(s *serving) { s.kinds = []string{"Pers*"} }, map[string]string{
			"crm/crds/crm.azure.armature.dev_persons.yaml": newest, "crm/crds/crm.azure.armature.dev_parties.yaml": "",
			"crm/crds/kustomization.yaml":                    "crm.azure.armature.dev.policies.yaml crm.azure.armature.dev_persons.yaml",
			"cache/crds/cache.azure.armature.dev_redis.yaml": every,
		}},
		{"nothing in a dry run", func(s *serving) { s.dryRun = true },
			map[string]string{"crm/crds/crm.azure.armature.dev_persons.yaml": every}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			folder := release(t)
			if _, err := run(folder, nil, test.change); err != nil {
				t.Fatal(err)
			}
			got := files(t, folder)
			for name, want := range test.want {
				if got[name] != want {
					t.Errorf("%s has %q, want %q", name, got[name], want)
				}
			}
		})
	}
	t.Run("a choice can be taken back", func(t *testing.T) {
		folder := release(t)
		before := files(t, folder)
		for _, change := range []func(*serving){func(s *serving) { s.kinds = []string{"Redis"} }, func(s *serving) { s.choice = "all" }} {
			if _, err := run(folder, nil, change); err != nil {
				t.Fatal(err)
			}
		}
		if got := files(t, folder); fmt.Sprint(got) != fmt.Sprint(before) {
			t.Errorf("got %v, want %v", got, before)
		}
	})
}

func TestPrices(t *testing.T) {
	out, err := run(release(t), nil, same)
	if err != nil {
		t.Fatal(err)
	}
	want := `  group  kinds  versions  KB in etcd  MB of memory  MB at the peak
  cache      1         2           2             1               3
    crm      2         4           5             3               6
    all      3         6           8             4               9
`
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

func TestServeErrors(t *testing.T) {
	for want, change := range map[string]func(*serving){
		`the release has no group crmm; did you mean "crm"?; it has cache, crm`: func(s *serving) { s.groups = []string{"crmm"} },
		`no kind is Persn; did you mean "Person"?`:                              func(s *serving) { s.kinds = []string{"Persn"} },
		"no kind has a version 2012-02-02":                                      func(s *serving) { s.choice = "newest=1,2012-02-02" },
		`cannot serve "some": expected all`:                                     func(s *serving) { s.choice = "some" },
		"/nowhere is not the folder of a release":                               func(s *serving) { s.release = "/nowhere" },
	} {
		if _, err := run(release(t), nil, change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %s", err, want)
		}
	}
}

// object returns the metadata of an object.
func object(apiVersion, kind, name string, change func(*metav1.PartialObjectMetadata)) *metav1.PartialObjectMetadata {
	o := &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: apiVersion, Kind: kind},
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)},
	}
	change(o)
	return o
}

// installed returns a cluster in which the release's CRD of persons is installed,
// with its versions and objects.
func installed(t *testing.T, versions []string, stored string, objects ...*metav1.PartialObjectMetadata) *cluster {
	t.Helper()
	crds := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(crdText("crm.azure.armature.dev", "persons", "Person", versions...)), &crds.Object); err != nil {
		t.Fatal(err)
	}
	crds.Object["status"] = map[string]any{"storedVersions": []any{stored}}
	scheme := metadatafake.NewTestScheme()
	metav1.AddMetaToScheme(scheme)
	var all []runtime.Object
	for _, o := range objects {
		all = append(all, o)
	}
	return &cluster{
		objects:  dynamicfake.NewSimpleDynamicClient(runtime.NewScheme(), crds),
		metadata: metadatafake.NewSimpleMetadataClient(scheme, all...),
		resources: func() ([]*metav1.APIResourceList, error) {
			list := func(gv, name, kind string, verbs ...string) *metav1.APIResourceList {
				return &metav1.APIResourceList{GroupVersion: gv, APIResources: []metav1.APIResource{{Name: name, Kind: kind, Verbs: verbs}}}
			}
			return []*metav1.APIResourceList{
				list("crm.azure.armature.dev/v20210101", "persons", "Person", "list", "get"),
				list("crm.azure.armature.dev/v20210101", "persons/status", "Person", "get"),
				list("v1", "configmaps", "ConfigMap", "list"),
				list("authorization.k8s.io/v1", "subjectaccessreviews", "SubjectAccessReview", "create"),
			}, nil
		},
	}
}

const storedAt = "crm.azure.armature.dev/v20210101storage"

func TestUses(t *testing.T) {
	person := func(name string, change func(*metav1.PartialObjectMetadata)) *metav1.PartialObjectMetadata {
		return object(storedAt, "Person", name, change)
	}
	manages := func(version string) func(*metav1.PartialObjectMetadata) {
		return func(o *metav1.PartialObjectMetadata) {
			o.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl", APIVersion: version}}
		}
	}
	owned := func(o *metav1.PartialObjectMetadata) {
		o.OwnerReferences = []metav1.OwnerReference{{APIVersion: "crm.azure.armature.dev/v20190101", Kind: "Person", Name: "ada"}}
	}
	applied := func(o *metav1.PartialObjectMetadata) {
		o.Annotations = map[string]string{
			corev1.LastAppliedConfigAnnotation: `{"apiVersion":"crm.azure.armature.dev/v20200101","kind":"Person"}`,
		}
	}
	for _, test := range []struct {
		reason  string
		cluster *cluster
		choice  string
		want    []string
	}{
		{"managed fields", installed(t, all, all[3], person("ada", manages("crm.azure.armature.dev/v20200101"))), "newest=1", []string{
			"v20200101 of Person.crm.azure.armature.dev is used in managed fields: Person shop/ada (kubectl)",
			"serve these versions too, with v20200101 after a comma in --serve",
		}},
		{"owners of any object", installed(t, all, all[3], object("v1", "ConfigMap", "notes", owned)), "newest=1", []string{
			"v20190101 of Person.crm.azure.armature.dev is used in references of owners: ConfigMap shop/notes",
		}},
		{"last-applied annotations", installed(t, all, all[3], person("ada", applied)), "newest=1", []string{
			"v20200101 of Person.crm.azure.armature.dev is used in kubectl apply's last manifests: Person shop/ada",
		}},
		{"stored objects", installed(t, slices.Concat(all, []string{"v20180101"}), "v20180101"), "all", []string{
			"v20180101 of Person.crm.azure.armature.dev is used in status.storedVersions, because objects are stored at it: persons.crm.azure.armature.dev",
		}},
		{"objects that were stored before", installed(t, slices.Concat(all, []string{"v20180101storage-"}),
			"v20180101storage"), "all", []string{
			"v20180101storage of Person.crm.azure.armature.dev is used in status.storedVersions",
		}},
		{"all of them at once", installed(t, all, all[3], person("a", owned), person("b", applied)), "newest=1",
			[]string{"v20190101 of", "v20200101 of"}},
		{"few of many", installed(t, all, all[3], func() (many []*metav1.PartialObjectMetadata) {
			for i := range 9 {
				many = append(many, person(fmt.Sprint("p", i), applied))
			}
			return many
		}()...), "newest=1", []string{"Person shop/p0, Person shop/p1, Person shop/p2, Person shop/p3, Person shop/p4 and 4 others"}},
		{"a version that is still served", installed(t, all, all[3], person("ada", manages("crm.azure.armature.dev/v20200101"))),
			"newest=2", nil},
		{"a version that the storage has", installed(t, all, all[3], person("ada", manages(storedAt))), "newest=1", nil},
		{"a kind of another group", installed(t, all, all[3],
			object("v1", "ConfigMap", "notes", manages("crm.azure.armature.dev/v20200101"))), "newest=1", nil},
	} {
		t.Run(test.reason, func(t *testing.T) {
			folder := release(t)
			before := fmt.Sprint(files(t, folder))
			_, err := run(folder, test.cluster, func(s *serving) { s.choice = test.choice })
			for _, want := range test.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error = %v, want %s", err, want)
				}
			}
			if test.want == nil && err != nil {
				t.Error(err)
			}
			if after := fmt.Sprint(files(t, folder)); test.want != nil && after != before {
				t.Errorf("the release was changed to %s", after)
			}
		})
	}
}

func TestStopAnnotation(t *testing.T) {
	folder := release(t)
	out, err := run(folder, installed(t, all, all[3]), same)
	if err != nil {
		t.Fatal(err)
	}
	want := "persons.crm.azure.armature.dev is not used at v20190101, v20200101, which it serves no longer\n"
	if !strings.HasSuffix(out, want) {
		t.Errorf("it printed %s, want %s", out, want)
	}
	for name, want := range map[string]string{
		"crm.azure.armature.dev_persons.yaml": "v20190101,v20200101",
		"crm.azure.armature.dev_parties.yaml": "",
	} {
		text, err := os.ReadFile(filepath.Join(folder, "base/groups/crm/crds", name))
		if err != nil {
			t.Fatal(err)
		}
		var crd metav1.PartialObjectMetadata
		if err := yaml.Unmarshal(text, &crd); err != nil {
			t.Fatal(err)
		}
		if got := crd.Annotations[annotation.StopServing]; got != want {
			t.Errorf("%s: the annotation is %q, want %q", name, got, want)
		}
	}
}

// On the way back the cluster has versions of a newer release.
func TestNewer(t *testing.T) {
	newer := []string{"v20230101", "v20220101", "v20220101storage-", "v20210101", "v20200101", "v20190101", "v20210101storage"}
	manages := func(o *metav1.PartialObjectMetadata) {
		o.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl", APIVersion: "crm.azure.armature.dev/v20230101"}}
	}
	folder := release(t)
	out, err := run(folder, installed(t, newer, "v20220101storage", object(storedAt, "Person", "ada", manages)),
		func(s *serving) { s.choice = "all" })
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"persons.crm.azure.armature.dev is not used at v20220101, which it serves no longer\n",
		"persons.crm.azure.armature.dev keeps v20220101storage, which this release does not have: it is used in status.storedVersions",
		"persons.crm.azure.armature.dev keeps v20230101, which this release does not have: it is used in managed fields\n",
		"the webhook of the newer release has to stay",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it printed %s, want %s", out, want)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "base/groups/crm/crds/crm.azure.armature.dev_persons.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(text, &crd); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, v := range crd.Spec.Versions {
		found[v.Name] = fmt.Sprint(v.Served, v.Storage)
	}
	for name, want := range map[string]string{"v20230101": "true false", "v20220101": "", "v20220101storage": "false false",
		"v20210101storage": "true true"} {
		if found[name] != want {
			t.Errorf("%s: served and stored are %q, want %q in %v", name, found[name], want, found)
		}
	}
}

// What cannot be looked at may be in use.
func TestUsesUnknown(t *testing.T) {
	fail := func(c *cluster) *metadatafake.FakeMetadataClient {
		return c.metadata.(*metadatafake.FakeMetadataClient)
	}
	forbidden := installed(t, all, all[3])
	fail(forbidden).PrependReactor("list", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "", nil)
	})
	unfound := installed(t, all, all[3])
	unfound.resources = func() ([]*metav1.APIResourceList, error) { return nil, errors.New("metrics.k8s.io/v1beta1 is stale") }
	removed := installed(t, all, all[3])
	fail(removed).PrependReactor("list", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewNotFound(schema.GroupResource{Resource: "configmaps"}, "")
	})
	for _, test := range []struct {
		cluster *cluster
		want    string
	}{
		{forbidden, "cannot see whether any configmaps uses a version: configmaps is forbidden"},
		{unfound, "cannot find all objects that may use a version: metrics.k8s.io/v1beta1 is stale"},
		{removed, ""},
	} {
		if _, err := run(release(t), test.cluster, same); err == nil && test.want != "" ||
			err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("error = %v, want %q", err, test.want)
		}
	}
}

// Objects are listed where they are stored, so that no webhook is needed.
func TestUsesListsAtStorage(t *testing.T) {
	c := installed(t, all, all[3])
	if _, err := run(release(t), c, same); err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, action := range c.metadata.(*metadatafake.FakeMetadataClient).Actions() {
		listed = append(listed, action.GetResource().String())
	}
	want := []string{"crm.azure.armature.dev/v20210101storage, Resource=persons", "/v1, Resource=configmaps"}
	if !slices.Equal(listed, want) {
		t.Errorf("listed %v, want %v", listed, want)
	}
}
