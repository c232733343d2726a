package e2e

import (
	"maps"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// TestRules tries what the API server refuses, and the message that it gives.
func TestRules(t *testing.T) {
	t.Run("an owner is given by name or by ARM id", testOwnerOfOneForm)
	t.Run("an owner of another form that is there already can stay", testOldOwnerStays)
	t.Run("an owner of any kind is given by group, kind and name, or by ARM id", testAnyOwner)
	t.Run("a text, or the object that has it", testValues)
	t.Run("the owner of a live object cannot be changed, at any version", testOwnerStays)
	t.Run("the name in Azure of a live object cannot be changed, at any version", testAzureNameStays)
	t.Run("a union has one variant", testUnion)
}

// wantInvalid checks that an object was refused with a message, or accepted if the
// message is empty.
func wantInvalid(t *testing.T, err error, message string) {
	t.Helper()
	switch {
	case message == "" && err != nil:
		t.Errorf("refused: %v", err)
	case message != "" && (!apierrors.IsInvalid(err) || !strings.Contains(err.Error(), message)):
		t.Errorf("found %v, want a refusal with %q", err, message)
	}
}

const (
	ownerOfOneForm = "spec.owner: expected either name or armId; where the owner can be of any kind, group and kind beside the name"
	ownerStays     = "spec.owner: the owner cannot be changed"
	azureNameStays = "spec.azureName: the name in Azure cannot be changed; without azureName it is metadata.name"
)

func testOwnerOfOneForm(t *testing.T) {
	installCRM(t)
	const id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/people"
	for _, test := range []struct {
		name  string
		owner map[string]any
		want  string
	}{
		{"a name", map[string]any{"name": "people"}, ""},
		{"an ARM id", map[string]any{"armId": id}, ""},
		{"a name, and an id that is empty, as Go clients may send", map[string]any{"name": "people", "armId": ""}, ""},
		{"nothing", map[string]any{}, ownerOfOneForm},
		{"both", map[string]any{"name": "people", "armId": id}, ownerOfOneForm},
		{"an empty name", map[string]any{"name": ""}, ownerOfOneForm},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, version := range []string{"v20211111", "v20130303", "v1alpha1api20110101"} {
				_, err := persons(version).Create(t.Context(),
					person(version, "ada", map[string]any{"owner": test.owner, "residentialAddress": map[string]any{}}),
					metav1.CreateOptions{DryRun: dryRun})
				wantInvalid(t, err, test.want)
			}
		})
	}
}

func testOldOwnerStays(t *testing.T) {
	installCRM(t)
	removePolicies()
	create(t, "v20211111", "ada", map[string]any{"owner": map[string]any{}, "residentialAddress": map[string]any{}})
	installPolicies(t)
	wantInvalid(t, tryEdit(t, "v20211111", "ada", func(spec map[string]any) { spec["firstName"] = "Ada" }), "")
}

func testAnyOwner(t *testing.T) {
	crds := filepath.Join("..", "..", "generator", "crd", "testdata", "widgets")
	installWidgets(t, crds)
	try := func(owner map[string]any) error {
		return tryWidget(t, "WidgetPart", map[string]any{"owner": owner, "clientId": "c"})
	}
	t.Cleanup(server.InstallPolicies(t, crds, func() error { return try(map[string]any{}) }))
	for name, test := range map[string]struct {
		owner map[string]any
		want  string
	}{
		"group, kind and name":    {map[string]any{"group": "widgets.azure.armature.dev", "kind": "Widget", "name": "all"}, ""},
		"an ARM id":               {map[string]any{"armId": "/subscriptions/s"}, ""},
		"a name alone":            {map[string]any{"name": "all"}, ownerOfOneForm},
		"a name, and the kind":    {map[string]any{"name": "all", "kind": "Widget"}, ownerOfOneForm},
		"an ARM id, and the kind": {map[string]any{"armId": "/subscriptions/s", "kind": "Widget"}, ownerOfOneForm},
		"all of them": {map[string]any{"armId": "/subscriptions/s", "group": "widgets.azure.armature.dev",
			"kind": "Widget", "name": "all"}, ownerOfOneForm},
		"nothing but empty values": {map[string]any{"armId": "", "group": "", "kind": "", "name": ""}, ownerOfOneForm},
	} {
		t.Run(name, func(t *testing.T) { wantInvalid(t, try(test.owner), test.want) })
	}
}

func testValues(t *testing.T) {
	crds := filepath.Join("..", "..", "generator", "crd", "testdata", "widgets")
	installWidgets(t, crds)
	try := func(spec map[string]any) error {
		spec["owner"] = map[string]any{"armId": "/subscriptions/s"}
		return tryWidget(t, "WidgetPart", spec)
	}
	from := map[string]any{"kind": "ConfigMap", "name": "m", "output": "k"}
	withoutKind := map[string]any{"name": "m", "output": "k"}
	identities := []any{map[string]any{"kind": "Widget", "name": "w"}}
	t.Cleanup(server.InstallPolicies(t, crds, func() error { return try(map[string]any{}) }))
	for _, test := range []struct {
		name string
		spec map[string]any
		want string
	}{
		{"the value", map[string]any{"clientId": "c"}, ""},
		{"where it comes from", map[string]any{"clientIdFrom": from}, ""},
		{"both", map[string]any{"clientId": "c", "clientIdFrom": from},
			"at most one of the fields in [clientId clientIdFrom] may be set"},
		{"none, where it is required", map[string]any{}, "v20210101 requires one of clientId, clientIdFrom in spec"},
		{"a reference without a kind", map[string]any{"clientIdFrom": withoutKind}, "spec.clientIdFrom.kind: Required value"},
		{"ids from objects", map[string]any{"clientId": "c", "identitiesFrom": identities}, ""},
	} {
		t.Run(test.name, func(t *testing.T) { wantInvalid(t, try(test.spec), test.want) })
	}
	t.Run("both in a list", func(t *testing.T) {
		gear := map[string]any{"name": "g", "endpoint": "e", "endpointFrom": from}
		wantInvalid(t, tryWidget(t, "Widget", map[string]any{"gears": []any{gear}}), "must not validate the schema (not)")
	})
}

// tryEdit edits the Spec of an object and returns the API server's answer.
func tryEdit(t *testing.T, version, name string, edit func(spec map[string]any)) error {
	t.Helper()
	object := get(t, version, name)
	edit(object.Object["spec"].(map[string]any))
	_, err := persons(version).Update(t.Context(), object, metav1.UpdateOptions{DryRun: dryRun})
	return err
}

func testOwnerStays(t *testing.T) {
	installCRM(t)
	create(t, "v20211111", "ada", map[string]any{"owner": map[string]any{"name": "people"}, "residentialAddress": map[string]any{}})
	for _, version := range []string{"v20211111", "v20130303", hub} {
		for name, test := range map[string]struct {
			owner map[string]any
			want  string
		}{
			"the same": {map[string]any{"name": "people"}, ""},
			"another":  {map[string]any{"name": "others"}, ownerStays},
			"one by ARM id": {map[string]any{"armId": "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/people"},
				ownerStays},
		} {
			t.Run(version+"/"+name, func(t *testing.T) {
				wantInvalid(t, tryEdit(t, version, "ada", func(spec map[string]any) { spec["owner"] = test.owner }), test.want)
			})
		}
	}
	const people = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/people"
	create(t, "v20211111", "grace", map[string]any{"owner": map[string]any{"armId": people}, "residentialAddress": map[string]any{}})
	for name, test := range map[string]struct{ id, want string }{
		"the same id in another case":         {strings.ToLower(people[:30]) + strings.ToUpper(people[30:]), ""},
		"the same id with a slash at its end": {people + "/", ""},
		"another id":                          {people + "s", ownerStays},
		"an id of which the slash is another": {strings.Replace(people, "/people", "people", 1), ownerStays},
	} {
		t.Run(name, func(t *testing.T) {
			edit := func(spec map[string]any) { spec["owner"] = map[string]any{"armId": test.id} }
			wantInvalid(t, tryEdit(t, "v20211111", "grace", edit), test.want)
		})
	}
}

func testAzureNameStays(t *testing.T) {
	installCRM(t)
	owner := map[string]any{"owner": map[string]any{"name": "people"}, "residentialAddress": map[string]any{}}
	named := maps.Clone(owner)
	named["azureName"] = "lovelace"
	create(t, "v20211111", "plain", owner)
	create(t, "v20211111", "named", named)
	for _, version := range []string{"v20211111", "v20130303", hub} {
		for _, test := range []struct{ object, azureName, want string }{
			{"plain", "", ""},
			{"plain", "plain", ""},
			{"plain", "other", azureNameStays},
			{"named", "lovelace", ""},
			{"named", "Lovelace", ""},
			{"named", "other", azureNameStays},
			{"named", "", azureNameStays},
		} {
			t.Run(version+"/"+test.object+" becomes "+test.azureName, func(t *testing.T) {
				wantInvalid(t, tryEdit(t, version, test.object, func(spec map[string]any) {
					if spec["azureName"] = test.azureName; test.azureName == "" {
						delete(spec, "azureName")
					}
				}), test.want)
				if test.azureName == "" {
					empty := func(spec map[string]any) { spec["azureName"] = "" }
					wantInvalid(t, tryEdit(t, version, test.object, empty), test.want)
				}
			})
		}
	}
}

func testUnion(t *testing.T) {
	installWidgets(t, filepath.Join("..", "..", "generator", "crd", "testdata", "widgets"))
	for name, test := range map[string]struct {
		property string
		value    any
		want     string
	}{
		"one variant": {"drive", map[string]any{"wind": map[string]any{}}, ""},
		"no variant":  {"drive", map[string]any{}, "exactly one of the fields in [steam wind] must be set"},
		"two variants": {"drive", map[string]any{"wind": map[string]any{}, "steam": map[string]any{}},
			"exactly one of the fields in [steam wind] must be set"},
		"no variant where it may be so": {"brake", map[string]any{}, ""},
		"two variants where none may be": {"brake", map[string]any{"disc": map[string]any{}, "drum": map[string]any{}},
			"at most one of the fields in [disc drum] may be set"},
		"one variant in a list":  {"drives", []any{map[string]any{"wind": map[string]any{}}}, ""},
		"two variants in a list": {"drives", []any{map[string]any{"wind": map[string]any{}, "steam": map[string]any{}}}, "oneOf"},
	} {
		t.Run(name, func(t *testing.T) {
			spec := map[string]any{"location": "here", "owner": map[string]any{"name": "all"}, test.property: test.value}
			wantInvalid(t, tryWidget(t, "Widget", spec), test.want)
		})
	}
}

// installWidgets installs the newest version of a made-up group, which has unions of
// all kinds and an extension resource. It is stored as it is, because nothing converts
// it.
func installWidgets(t *testing.T, crds string) {
	t.Helper()
	all := cluster.ReadCRDs(t, crds)
	for _, crd := range all {
		crd.Spec.Versions = crd.Spec.Versions[:1]
		crd.Spec.Versions[0].Storage = true
	}
	never := cluster.NewWebhook(t, http.NotFoundHandler())
	t.Cleanup(never.Stop)
	server.Install(t, never, all...)
	t.Cleanup(func() { server.Uninstall(t, all...) })
}

// tryWidget creates a Widget or a WidgetPart and returns the API server's answer.
func tryWidget(t *testing.T, kind string, spec map[string]any) error {
	t.Helper()
	plural := map[string]string{"Widget": "widgets", "WidgetPart": "partsofwidgets"}[kind]
	resource := schema.GroupVersionResource{Group: "widgets.azure.armature.dev", Version: "v20210101", Resource: plural}
	_, err := server.Client.Resource(resource).Namespace("default").Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "widgets.azure.armature.dev/v20210101",
		"kind":       kind,
		"metadata":   map[string]any{"name": "one"},
		"spec":       spec,
	}}, metav1.CreateOptions{DryRun: dryRun})
	return err
}
