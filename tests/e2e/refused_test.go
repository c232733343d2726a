package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/armature-dev/armature/tests/e2e/cluster"
	gauges "github.com/armature-dev/armature/tests/e2e/gauges/scheme"
)

// gaugeVersions are the versions of Gauge, each of which refuses values that the others take.
var gaugeVersions = []string{"v20200101", "v20210101", "v20220101"}

// refusals has, for each sort of demand, what one version takes and another one refuses.
var refusals = []struct {
	sort, property string
	// value returns the value for the versions with these numbers.
	value func(of, at int) any
	// missing returns what a policy says is missing at a version. It is nil if a schema
	// refuses the value.
	missing func(at int) string
}{
	{"a pattern", "code", func(of, at int) any { return letter(of, at) }, nil},
	{"a length", "label", func(of, at int) any { return strings.Repeat("x", within(of, at)) }, nil},
	{"the least and the most", "level", func(of, at int) any { return int64(within(of, at)) }, nil},
	{"a multiple", "steps", func(of, _ int) any { return []any{int64(2), int64(3), int64(5)}[of] }, nil},
	{"the length of a list", "sensors", func(of, at int) any {
		return slices.Repeat([]any{"x"}, within(of, at))
	}, nil},
	{"a pattern of elements", "codes", func(of, at int) any { return []any{letter(of, at)} }, nil},
	{"a pattern of a map's values", "codeOf", func(of, at int) any { return map[string]any{"k": letter(of, at)} }, nil},
	{"a closed enum", "mode", func(of, at int) any { return mode(of, at) }, nil},
	{"a closed enum of elements", "modes", func(of, at int) any { return []any{mode(of, at)} }, nil},
	{requiredSort, "note", func(int, int) any { return "x" }, func(at int) string { return "spec." + ordinals[at] }},
	{"a required property of an object", "part", func(of, _ int) any { return part(of) },
		func(at int) string { return "spec.part." + ordinals[at] }},
	{"a required property of elements", "parts", func(of, _ int) any { return []any{part(of)} },
		func(at int) string { return "spec.parts[]." + ordinals[at] }},
	{"a required property of a map's values", "partOf", func(of, _ int) any { return map[string]any{"k": part(of)} },
		func(at int) string { return "spec.partOf.*." + ordinals[at] }},
	{"a variant", "drive", func(of, at int) any { return drive(of, at) },
		func(at int) string { return "one of " + variantsAt[at] + " in spec.drive" }},
	{"a variant of elements", "drives", func(of, at int) any { return []any{drive(of, at)} },
		func(at int) string { return "one of " + variantsAt[at] + " in spec.drives[]" }},
}

// requiredSort is the sort of which an object has, of the properties that versions require,
// only what its own version does.
const requiredSort = "a required property"

// ordinals are the properties that each version requires, and variantsAt its variants.
var (
	ordinals   = []string{"first", "second", "third"}
	variantsAt = []string{"steam, wind", "solar, steam", "solar, wind"}
)

// letter returns a letter that the pattern of one version matches and that of another does
// not. Each matches two of the letters abc: its own and the next.
func letter(of, at int) string { return string("abc"[own(of, at)]) }

// own returns which of three things, of which each version has its own and the next one, the
// first version has and the other has not.
func own(of, at int) int {
	if (at+1)%3 == of {
		return (of + 1) % 3
	}
	return of
}

// within returns a number within the limits of one version and beyond those of another. They
// are from 1 to 4, from 3 to 6, and from 5 to 8.
func within(of, at int) int {
	if at > of {
		return 2*of + 1
	}
	return 2*of + 4
}

func mode(of, at int) string { return []string{"Cold", "Mild", "Warm"}[own(of, at)] }

func part(of int) map[string]any { return map[string]any{ordinals[of]: "x"} }

func drive(of, at int) map[string]any {
	return map[string]any{[]string{"wind", "steam", "solar"}[own(of, at)]: map[string]any{"power": "x"}}
}

var gaugesResource = schema.GroupResource{Group: "gauges.azure.armature.dev", Resource: "gauges"}

func gaugesAt(version string) dynamic.ResourceInterface {
	return server.Client.Resource(gaugesResource.WithVersion(version)).Namespace("default")
}

func gauge(version, name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": gaugesResource.Group + "/" + version,
		"kind":       "Gauge",
		"metadata":   map[string]any{"name": name, "namespace": "default"},
		"spec":       spec,
	}}
}

// installGauges installs the group gauges with its admission policies until the test ends.
func installGauges(t *testing.T) {
	t.Helper()
	folder := filepath.Join("gauges", "crds")
	crds := cluster.ReadCRDs(t, folder)
	converts := cluster.NewWebhook(t, converter(t, gauges.AddToScheme))
	t.Cleanup(converts.Stop)
	server.Install(t, converts, crds...)
	t.Cleanup(func() { server.Uninstall(t, crds...) })
	t.Cleanup(server.InstallPolicies(t, folder, func() error {
		_, err := gaugesAt(gaugeVersions[0]).Create(t.Context(),
			gauge(gaugeVersions[0], "probe", map[string]any{"owner": map[string]any{"name": "all"}}), metav1.CreateOptions{DryRun: dryRun})
		return err
	}))
}

// TestRefusedByAnotherVersion writes at each version, in each way that leaves the Spec as it
// is, objects of each other version with values that the version refuses in a new object.
func TestRefusedByAnotherVersion(t *testing.T) {
	installGauges(t)
	for _, r := range refusals {
		for of, from := range gaugeVersions {
			for at, to := range gaugeVersions {
				if of == at {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", r.sort, from, to), func(t *testing.T) {
					spec := map[string]any{"owner": map[string]any{"name": "all"}, r.property: r.value(of, at)}
					for i, name := range ordinals {
						if i == of || r.sort != requiredSort {
							spec[name] = "x"
						}
					}
					created, err := gaugesAt(from).Create(t.Context(), gauge(from, "one", spec), metav1.CreateOptions{})
					if err != nil {
						t.Fatal(err)
					}
					missing := ""
					if r.missing != nil {
						missing = to + " requires " + r.missing(at)
					}
					g := refused{t, to, "one"}
					g.isRefusedAnew(missing)
					g.label()
					g.apply()
					g.status()
					if after := g.at(from); !reflect.DeepEqual(specOf(created), specOf(after)) {
						t.Errorf("the Spec at %s (-before +after):\n%s", from, cmp.Diff(specOf(created), specOf(after)))
					}
					g.edit(missing)
					g.delete()
				})
			}
		}
	}
	t.Run("beside a refused element an edit of the list is refused, and one of a map passes", testEditBesideRefused)
}

func testEditBesideRefused(t *testing.T) {
	spec := map[string]any{"owner": map[string]any{"name": "all"}, "codes": []any{"a"}, "codeOf": map[string]any{"k": "a"}}
	for _, name := range ordinals {
		spec[name] = "x"
	}
	from, to := gaugeVersions[0], gaugeVersions[1]
	if _, err := gaugesAt(from).Create(t.Context(), gauge(from, "two", spec), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	g := refused{t, to, "two"}
	try := func(spec map[string]any) error {
		return g.patch(types.MergePatchType, map[string]any{"spec": spec}, metav1.PatchOptions{DryRun: dryRun})
	}
	if err := try(map[string]any{"codes": []any{"a", "b"}}); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.codes[0]") {
		t.Errorf("another element of a list: found %v, want a refusal of spec.codes[0]", err)
	}
	if err := try(map[string]any{"codeOf": map[string]any{"l": "b"}}); err != nil {
		t.Errorf("another value of a map: %v", err)
	}
}

// refused is an object that its version would refuse if it were new.
type refused struct {
	t             *testing.T
	version, name string
}

func (g refused) get() *unstructured.Unstructured {
	g.t.Helper()
	return g.at(g.version)
}

// at returns the object as a version shows it.
func (g refused) at(version string) *unstructured.Unstructured {
	g.t.Helper()
	object, err := gaugesAt(version).Get(g.t.Context(), g.name, metav1.GetOptions{})
	if err != nil {
		g.t.Fatal(err)
	}
	return object
}

// isRefusedAnew checks that the version refuses a new object with the same Spec, by a policy
// that says what is missing or else by the schema.
func (g refused) isRefusedAnew(missing string) {
	g.t.Helper()
	spec := specOf(g.get())
	delete(spec, "azureName")
	_, err := gaugesAt(g.version).Create(g.t.Context(), gauge(g.version, "new", spec), metav1.CreateOptions{DryRun: dryRun})
	if !apierrors.IsInvalid(err) || cluster.IsDenied(err) != (missing != "") || !strings.Contains(err.Error(), missing) {
		g.t.Errorf("a new object: found %v, want a refusal with %q", err, missing)
	}
}

func (g refused) patch(kind types.PatchType, patch map[string]any, options metav1.PatchOptions) error {
	text, err := json.Marshal(patch)
	if err != nil {
		g.t.Fatal(err)
	}
	_, err = gaugesAt(g.version).Patch(g.t.Context(), g.name, kind, text, options)
	return err
}

func (g refused) label() {
	labels := map[string]any{"metadata": map[string]any{"labels": map[string]any{"at": g.version}}}
	if err := g.patch(types.MergePatchType, labels, metav1.PatchOptions{}); err != nil {
		g.t.Errorf("a label: %v", err)
	}
	object := g.get()
	object.SetFinalizers([]string{"armature.dev/test"})
	if _, err := gaugesAt(g.version).Update(g.t.Context(), object, metav1.UpdateOptions{}); err != nil {
		g.t.Errorf("a finalizer: %v", err)
	}
}

// apply applies what the object has anyway, and none of the refused value.
func (g refused) apply() {
	config := gauge(g.version, g.name, map[string]any{"owner": map[string]any{"name": "all"}})
	config.SetLabels(map[string]string{"applied": g.version})
	force := true
	if err := g.patch(types.ApplyPatchType, config.Object, metav1.PatchOptions{FieldManager: "gitops", Force: &force}); err != nil {
		g.t.Errorf("an apply: %v", err)
	}
}

func (g refused) status() {
	object := g.get()
	object.Object["status"] = map[string]any{"conditions": []any{map[string]any{
		"type": "Ready", "status": "True", "reason": "Told", "message": "m", "lastTransitionTime": "2026-01-02T03:04:05Z",
	}}}
	if _, err := gaugesAt(g.version).UpdateStatus(g.t.Context(), object, metav1.UpdateOptions{}); err != nil {
		g.t.Errorf("a Status: %v", err)
	}
}

// edit changes another property of the Spec. The policy asks for what is missing then.
func (g refused) edit(missing string) {
	err := g.patch(types.MergePatchType, map[string]any{"spec": map[string]any{"note": "edited"}}, metav1.PatchOptions{})
	switch {
	case missing == "" && err != nil:
		g.t.Errorf("an edit of another property: %v", err)
	case missing != "" && (!cluster.IsDenied(err) || !strings.Contains(err.Error(), missing)):
		g.t.Errorf("an edit of another property: found %v, want a refusal with %q", err, missing)
	}
}

// delete deletes the object, which has a finalizer, at the version.
func (g refused) delete() {
	if err := gaugesAt(g.version).Delete(g.t.Context(), g.name, metav1.DeleteOptions{}); err != nil {
		g.t.Errorf("a deletion: %v", err)
	}
	object := g.get()
	object.SetFinalizers(nil)
	if _, err := gaugesAt(g.version).Update(g.t.Context(), object, metav1.UpdateOptions{}); err != nil {
		g.t.Fatalf("the end of a finalizer: %v", err)
	}
	if _, err := gaugesAt(g.version).Get(g.t.Context(), g.name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		g.t.Errorf("after the deletion: %v", err)
	}
}
