package status

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdfake "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	metadatafake "k8s.io/client-go/metadata/fake"
	"k8s.io/client-go/util/flowcontrol"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/runtime/annotation"
)

const group = "homes.azure.armature.dev"

var now = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// town has a house whose owner is a street, another one that waits, and one in another namespace.
const town = `
- {kind: Street, metadata: {name: s, namespace: shop, uid: s, annotations: {armature.dev/deletion: protect}},
  status: {conditions: [{type: Ready, status: "True", reason: Succeeded, message: fine, lastTransitionTime: "2026-01-01T10:00:00Z"}]}}
- {kind: House, metadata: {name: a, namespace: shop, uid: a, ownerReferences: [{apiVersion: v1, kind: Street, name: s, uid: s}],
    annotations: {armature.dev/sent: '{"phase":"accepted","id":"/houses/a","time":"2026-01-01T09:00:00Z","credential":"key"}'}},
  spec: {gateReference: {kind: Gate, name: g}, colorFrom: {kind: House, name: b, output: color}, tags: {name: x, kind: y}},
  status: {conditions: [{type: Ready, status: "True", reason: Succeeded, message: fine, lastTransitionTime: "2026-01-01T11:00:00Z"},
    {type: Drifted, status: "True", reason: ChangedInARM, message: "spec.color is \"x\u001b[2J\"", lastTransitionTime: "2026-01-01T11:00:00Z"}]}}
- {kind: House, metadata: {name: b, namespace: shop, uid: b, ownerReferences: [{apiVersion: v1, kind: Street, name: s, uid: s}]},
  status: {conditions: [{type: Ready, status: "False", reason: WaitingForReference, message: House shop/a has no output,
    lastTransitionTime: "2026-01-01T11:59:00Z"}, {type: Stalled, status: "True", reason: R, message: m}]}}
- {kind: House, metadata: {name: c, namespace: bank, uid: c, generation: 1}}
`

// newCluster returns a cluster with the objects of a text.
func newCluster(t *testing.T) *cluster.Cluster {
	t.Helper()
	var objects []map[string]any
	if err := yaml.Unmarshal([]byte(town), &objects); err != nil {
		t.Fatal(err)
	}
	meta := metadatafake.NewTestScheme()
	if err := metav1.AddMetaToScheme(meta); err != nil {
		t.Fatal(err)
	}
	var crds, full, partial []runtime.Object
	kinds := map[schema.GroupVersionResource]string{}
	for plural, kind := range map[string]string{"streets": "Street", "houses": "House"} {
		crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: plural + "." + group}}
		crd.Spec.Group, crd.Spec.Names = group, apiextensionsv1.CustomResourceDefinitionNames{Kind: kind, Plural: plural}
		crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v20200101storage", Served: true, Storage: true},
			{Name: "v20190101"}, {Name: "v20200101", Served: true}}
		crds = append(crds, crd)
		partial = append(partial, &metav1.PartialObjectMetadata{ObjectMeta: crd.ObjectMeta,
			TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"}})
		kinds[schema.GroupVersionResource{Group: group, Version: "v20200101", Resource: plural}] = kind + "List"
	}
	partial = append(partial, &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
		ObjectMeta: metav1.ObjectMeta{Name: "shop", Annotations: map[string]string{annotation.Drift: annotation.DriftReport}}})
	for _, o := range objects {
		u := &unstructured.Unstructured{Object: o}
		u.SetAPIVersion(group + "/v20200101")
		full = append(full, u)
		partial = append(partial, &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: u.GetAPIVersion(), Kind: u.GetKind()},
			ObjectMeta: metav1.ObjectMeta{Namespace: u.GetNamespace(), Name: u.GetName()}})
	}
	return &cluster.Cluster{CRDs: crdfake.NewSimpleClientset(crds...).ApiextensionsV1().CustomResourceDefinitions(),
		Objects:  dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), kinds, full...),
		Metadata: metadatafake.NewSimpleMetadataClient(meta, partial...)}
}

// selected returns what some arguments select in the namespace shop.
func selected(t *testing.T, all bool, args ...string) selection {
	s := selection{groups: []string{group}, namespace: "shop", all: all, patience: time.Second}
	if err := s.arguments(args); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStatus(t *testing.T) {
	show := func(t *testing.T, all bool, args ...string) (string, error) {
		var out bytes.Buffer
		l := &looking{selection: selected(t, all, args...), Cluster: newCluster(t), out: &out, now: func() time.Time { return now }}
		err := l.run(t.Context())
		return out.String(), err
	}
	t.Run("a tree of what belongs to what, with what each waits for", func(t *testing.T) {
		got, err := show(t, false)
		want := `Street shop/s  Ready=True for 120m
│  applies: armature.dev/deletion: protect, armature.dev/drift: report of the namespace
├─ House shop/a  Ready=True for 60m
│     drifted: spec.color is "x [2J"
│     sent: 3h ago, accepted, /houses/a
│     refers to: Gate/g, House/b
│     applies: armature.dev/drift: report of the namespace, credential: Secret key
└─ House shop/b  Ready=False WaitingForReference for 60s
      message: House shop/a has no output
      applies: armature.dev/drift: report of the namespace
      next: somebody has to change something
`
		if got != want || !errors.Is(err, program.ErrLook) {
			t.Errorf("%v, got\n%swant\n%s", err, got, want)
		}
	})
	t.Run("one object with its owner, and not those beside it", func(t *testing.T) {
		got, err := show(t, false, "House", "a")
		if err != nil || !strings.Contains(got, "Street shop/s") || !strings.Contains(got, "House shop/a") ||
			strings.Contains(got, "House shop/b") {
			t.Errorf("%v, got\n%s", err, got)
		}
	})
	t.Run("one with what belongs to it", func(t *testing.T) {
		if got, _ := show(t, false, "Street", "s"); !strings.Contains(got, "House shop/b") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("all namespaces, also what the operator has not seen", func(t *testing.T) {
		got, err := show(t, true)
		if want := "House bank/c  Ready=Unknown\n   next: the operator has not seen it as it is now\n"; !strings.Contains(got, want) {
			t.Errorf("%v, got\n%s", err, got)
		}
	})
	t.Run("a name that is not there is an error", func(t *testing.T) {
		if _, err := show(t, false, "House", "z"); err == nil || err.Error() != "found no House z in the namespace shop" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a kind that is not there is one", func(t *testing.T) {
		if _, err := show(t, false, "Hous"); err == nil || !strings.Contains(err.Error(), "House") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("JSON has the same", func(t *testing.T) {
		var out bytes.Buffer
		l := &looking{selection: selected(t, false), Cluster: newCluster(t), out: &out, now: func() time.Time { return now }}
		if err := l.format.Set("json"); err != nil {
			t.Fatal(err)
		}
		err := l.run(t.Context())
		if !errors.Is(err, program.ErrLook) || !strings.Contains(out.String(), `"reason": "WaitingForReference"`) {
			t.Errorf("%v, got %s", err, out.String())
		}
	})
}

func TestRefresh(t *testing.T) {
	refresh := func(t *testing.T, all bool, args ...string) (marked, said string, err error) {
		var out bytes.Buffer
		c := newCluster(t)
		r := &refreshing{selection: selected(t, all, args...), Cluster: c, out: &out, now: func() time.Time { return now },
			limiter: flowcontrol.NewFakeAlwaysRateLimiter()}
		err = r.run(t.Context())
		for _, plural := range []string{"streets", "houses"} {
			list, listErr := c.Metadata.Resource(schema.GroupVersionResource{Group: group, Version: "v20200101", Resource: plural}).List(
				t.Context(), metav1.ListOptions{})
			if listErr != nil {
				t.Fatal(listErr)
			}
			for _, o := range list.Items {
				if o.Annotations[annotation.Refresh] == "2026-01-01T12:00:00Z" {
					marked += " " + o.Name
				}
			}
		}
		return marked, out.String(), err
	}
	for _, row := range []struct {
		all          bool
		args         []string
		marked, said string
	}{
		{false, []string{"House", "a"}, " a", "the operator reads 1 from ARM\n"},
		{false, []string{"House"}, " a b", "the operator reads 2 from ARM\n"},
		{true, nil, " s a b c", "the operator reads 4 from ARM\n"},
		{true, []string{"House"}, " a b c", "the operator reads 3 from ARM\n"},
	} {
		t.Run(fmt.Sprint(row.args, row.all), func(t *testing.T) {
			marked, said, err := refresh(t, row.all, row.args...)
			if err != nil || len(strings.Fields(marked)) != len(strings.Fields(row.marked)) || said != row.said {
				t.Errorf("%v, marked%s, said %q", err, marked, said)
			}
		})
	}
	t.Run("a name that is not there is an error", func(t *testing.T) {
		if _, _, err := refresh(t, false, "House", "z"); err == nil {
			t.Error("there is none")
		}
	})
	t.Run("neither a kind nor all is one", func(t *testing.T) {
		c := NewRefresh(nil)
		c.SetArgs(nil)
		if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "neither a kind nor --all") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("names and all are one", func(t *testing.T) {
		s := selection{all: true}
		if s.arguments([]string{"House", "a"}) == nil {
			t.Error("there is none")
		}
	})
}
