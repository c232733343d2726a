package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	crm "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// removePolicies removes the admission policies of crm, which [installCRM] has
// installed for all tests.
var removePolicies func()

func installPolicies(t *testing.T) {
	ctx := context.Background() // not the test's, because cleanups install them again when that has ended
	removePolicies = server.InstallPolicies(t, crds("crm"), func() error {
		object := person(newest, "probe", full(newest).shown(newest))
		object.SetAnnotations(map[string]string{annotation.APIVersion: "none"})
		_, err := persons(newest).Create(ctx, object, metav1.CreateOptions{DryRun: dryRun})
		return err
	})
}

// withoutPolicies removes the policies until the test ends.
func withoutPolicies(t *testing.T) {
	t.Helper()
	removePolicies()
	t.Cleanup(func() { installPolicies(t) })
}

// old is a version that lacks most of what the newest version has.
const old = "v20130303"

// as returns a client of the Persons in the namespace default with the rights of
// a user.
func as(t *testing.T, user string) func(version string) dynamic.ResourceInterface {
	t.Helper()
	return asIn(t, "default", user)
}

// asIn is as for another namespace.
func asIn(t *testing.T, namespace, user string) func(version string) dynamic.ResourceInterface {
	t.Helper()
	config := rest.CopyConfig(server.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: []string{"system:authenticated"}}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return func(version string) dynamic.ResourceInterface {
		return client.Resource(storedPersons.WithVersion(version)).Namespace(namespace)
	}
}

// gitops lets the account of a GitOps engine do everything, as such engines are usually installed.
const gitops = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: gitops}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {kind: ServiceAccount, name: gitops, namespace: flux-system}
`

// people lets an editor, the operator of tests/docs and the account of docs/policies.md write Persons.
const people = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: people}
rules:
- {apiGroups: [crm.azure.armature.dev], resources: [persons, persons/status], verbs: ["*"]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: people, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: people}
subjects:
- {kind: User, name: editor, apiGroup: rbac.authorization.k8s.io}
- {kind: ServiceAccount, name: operator, namespace: operator-system}
- {kind: ServiceAccount, name: restore, namespace: backup}
`

// documented returns the first block of YAML in docs/policies.md.
func documented(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "policies.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```yaml\n")
	block, _, _ = strings.Cut(block, "```")
	return block
}

// inOneNamespace lets an account write Persons everywhere, and at their storage version in the namespace default.
const inOneNamespace = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: second}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: people}
subjects: [{kind: ServiceAccount, name: second, namespace: operator-system}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: second, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: armature-storage-writer}
subjects: [{kind: ServiceAccount, name: second, namespace: operator-system}]
`

// Nothing is validated at storage versions, and RBAC does not tell versions
// apart, so a policy does.
func TestStorageVersionPolicy(t *testing.T) {
	installCRM(t)
	t.Cleanup(server.Apply(t, people))
	writers, err := os.ReadFile(filepath.Join("..", "docs", "crds", "storage-writers.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Apply(t, string(writers)))
	editor, operator, other := as(t, "editor"), as(t, "system:serviceaccount:operator-system:operator"),
		as(t, "system:serviceaccount:backup:restore")
	create(t, newest, "ada", full(newest).shown(newest))
	passes := func(client dynamic.ResourceInterface, version string) func() error {
		return func() error {
			all := dryWrites(t, client, version, "ada")
			for _, err := range all {
				if err != nil {
					return fmt.Errorf("got %v", all)
				}
			}
			return nil
		}
	}
	await.Until(t, "an editor writes with the new roles", passes(editor(old), old))
	await.Until(t, "the operator does at the storage version", passes(operator(hub), hub))

	t.Run("an editor of a namespace writes at API versions", func(t *testing.T) {
		for _, version := range apiVersions {
			if required(version) != "" {
				continue
			}
			for how, err := range dryWrites(t, editor(version), version, "ada") {
				if err != nil {
					t.Errorf("%s at %s: %v", how, version, err)
				}
			}
		}
	})
	t.Run("an editor of a namespace does not write at the storage version", func(t *testing.T) {
		for how, err := range dryWrites(t, editor(hub), hub, "ada") {
			denied(t, how, err, "editor may not write at "+hub,
				"write at "+newest+", or ask an administrator for a role with the verb write on storageversions.armature.dev")
		}
	})
	t.Run("the operator writes Spec and Status at the storage version", func(t *testing.T) {
		for how, err := range dryWrites(t, operator(hub), hub, "ada") {
			if err != nil {
				t.Errorf("%s: %v", how, err)
			}
		}
	})
	t.Run("another account does once it has the role", func(t *testing.T) {
		for how, err := range dryWrites(t, other(hub), hub, "ada") {
			denied(t, how, err, "storageversions.armature.dev")
		}
		t.Cleanup(server.Apply(t, documented(t)))
		await.Until(t, "the account has the role", passes(other(hub), hub))
	})
	t.Run("an account with the role in one namespace does there, and nowhere else", func(t *testing.T) {
		t.Cleanup(server.Apply(t, inOneNamespace))
		second := as(t, "system:serviceaccount:operator-system:second")
		await.Until(t, "the account has the role", passes(second(hub), hub))
		elsewhere := asIn(t, "kube-public", "system:serviceaccount:operator-system:second")
		for version, allowed := range map[string]bool{old: true, hub: false} {
			object := person(version, "new", base())
			object.SetNamespace("kube-public")
			_, err := elsewhere(version).Create(t.Context(), object, metav1.CreateOptions{DryRun: dryRun})
			if allowed && err != nil {
				t.Errorf("create at %s: %v", version, err)
			} else if !allowed {
				denied(t, "create", err, "may not write at "+hub)
			}
		}
	})
	t.Run("an account that may do everything says that it means the storage version", func(t *testing.T) {
		t.Cleanup(server.Apply(t, gitops))
		account := as(t, "system:serviceaccount:flux-system:gitops")
		await.Until(t, "the account may do everything", func() error {
			_, err := account(newest).Get(t.Context(), "ada", metav1.GetOptions{})
			return err
		})
		for how, err := range dryWrites(t, account(hub), hub, "ada") {
			denied(t, how, err, "may do everything, and so also apply at "+hub+" what somebody else has written", "write at "+newest)
		}
		for manager, allowed := range map[string]bool{"kustomize-controller": false, "armature-repair": true} {
			_, err := account(hub).Apply(t.Context(), "ada", person(hub, "ada", base()),
				metav1.ApplyOptions{DryRun: dryRun, FieldManager: manager, Force: true})
			if allowed && err != nil {
				t.Errorf("%s: %v", manager, err)
			} else if !allowed {
				denied(t, manager, err, "may do everything")
			}
		}
	})
	t.Run("everybody who may delete deletes at the storage version", func(t *testing.T) {
		if err := editor(hub).Delete(t.Context(), "ada", metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
	t.Run("without the policy the editor writes there", func(t *testing.T) {
		withoutPolicies(t)
		create(t, newest, "ada", full(newest).shown(newest))
		for how, err := range dryWrites(t, editor(hub), hub, "ada") {
			if err != nil {
				t.Errorf("%s: %v", how, err)
			}
		}
	})
}

// dryWrites makes all kinds of writes at a version as dry runs, some with a value
// that no version can read if the version has no schema.
func dryWrites(t *testing.T, client dynamic.ResourceInterface, version, name string) map[string]error {
	t.Helper()
	object, err := persons(version).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	spec := base()
	if version == hub {
		spec["knownAs"] = 3
	}
	applied, err := json.Marshal(person(version, name, base()))
	if err != nil {
		t.Fatal(err)
	}
	force := true
	writes := map[string]error{}
	_, writes["create"] = client.Create(t.Context(), person(version, "new", spec), metav1.CreateOptions{DryRun: dryRun})
	_, writes["update"] = client.Update(t.Context(), object, metav1.UpdateOptions{DryRun: dryRun})
	_, writes["patch"] = client.Patch(t.Context(), name, types.MergePatchType,
		[]byte(`{"metadata": {"labels": {"team": "a"}}}`), metav1.PatchOptions{DryRun: dryRun})
	_, writes["apply"] = client.Patch(t.Context(), name, types.ApplyPatchType, applied,
		metav1.PatchOptions{DryRun: dryRun, FieldManager: "test", Force: &force})
	_, writes["status update"] = client.UpdateStatus(t.Context(), object, metav1.UpdateOptions{DryRun: dryRun})
	_, writes["status patch"] = client.Patch(t.Context(), name, types.MergePatchType,
		[]byte(`{"status": {"provisioningState": "Succeeded"}}`), metav1.PatchOptions{DryRun: dryRun}, "status")
	return writes
}

// denied checks that an admission policy has denied a write, with a message.
func denied(t *testing.T, how string, err error, messages ...string) {
	t.Helper()
	if !cluster.IsDenied(err) {
		t.Errorf("%s: %v, want that a policy denies it", how, err)
		return
	}
	for _, message := range messages {
		if !strings.Contains(err.Error(), message) {
			t.Errorf("%s is denied with\n%v\nwant in it\n%s", how, err, message)
		}
	}
}

// write is a way in which people write an object at an old version.
type write struct {
	name string
	do   func(t *testing.T, version, name string) error
}

const idPatch = `{"spec": {"id": "00000000-0000-4000-8000-000000000001"}}`

func patching(kind types.PatchType, manager, text string, subresources ...string) func(*testing.T, string, string) error {
	return func(t *testing.T, version, name string) error {
		_, err := persons(version).Patch(t.Context(), name, kind, []byte(text), metav1.PatchOptions{FieldManager: manager}, subresources...)
		return err
	}
}

// ordinary are the writes that must pass. They change the id alone, if anything.
var ordinary = []write{
	{"edit", func(t *testing.T, version, name string) error {
		// What kubectl edit sends is a merge patch.
		text := fmt.Sprintf(`{"metadata": {"resourceVersion": %q}, "spec": {"id": "00000000-0000-4000-8000-000000000001"}}`,
			get(t, version, name).GetResourceVersion())
		return patching(types.MergePatchType, "kubectl-edit", text)(t, version, name)
	}},
	{"merge patch", patching(types.MergePatchType, "kubectl-patch", idPatch)},
	{"JSON patch",
		patching(types.JSONPatchType, "kubectl-patch",
			`[{"op": "replace", "path": "/spec/id", "value": "00000000-0000-4000-8000-000000000001"}]`)},
	{"label", patching(types.MergePatchType, "kubectl-label", `{"metadata": {"labels": {"team": "a"}}}`)},
	{"annotate", patching(types.MergePatchType, "kubectl-annotate", `{"metadata": {"annotations": {"team": "a"}}}`)},
	{"finalizer", patching(types.JSONPatchType, "controller", `[{"op": "add", "path": "/metadata/finalizers", "value": []}]`)},
	{"client-side apply", func(t *testing.T, version, name string) error {
		spec := base()
		spec["id"] = "00000000-0000-4000-8000-000000000001"
		first := clientSideApply(t, version, person(version, name, spec))
		if first != nil {
			return first
		}
		return clientSideApply(t, version, person(version, name, spec))
	}},
	{"server-side apply", func(t *testing.T, version, name string) error {
		spec := base()
		spec["id"] = "00000000-0000-4000-8000-000000000001"
		return serverSideApply(t, version, person(version, name, spec))
	}},
	{"get, then replace", func(t *testing.T, version, name string) error {
		object := get(t, version, name)
		specOf(object)["id"] = "00000000-0000-4000-8000-000000000001"
		_, err := persons(version).Update(t.Context(), object, metav1.UpdateOptions{FieldManager: "kubectl-replace"})
		return err
	}},
	{"status", func(t *testing.T, version, name string) error {
		object := get(t, version, name)
		object.SetAnnotations(nil) // which a write of the status leaves alone
		object.Object["status"] = map[string]any{"provisioningState": "Succeeded"}
		_, err := persons(version).UpdateStatus(t.Context(), object, metav1.UpdateOptions{FieldManager: "controller"})
		return err
	}},
}

// clientSideApply does what `kubectl apply` does with custom resources.
func clientSideApply(t *testing.T, version string, manifest *unstructured.Unstructured) error {
	t.Helper()
	current := get(t, version, manifest.GetName())
	original := current.GetAnnotations()[lastAppliedAnnotation]
	encode := func(o *unstructured.Unstructured) []byte {
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	modified := manifest.DeepCopy()
	annotations := modified.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[lastAppliedAnnotation] = string(encode(manifest))
	modified.SetAnnotations(annotations)
	patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch([]byte(original), encode(modified), encode(current))
	if err != nil {
		t.Fatal(err)
	}
	return patching(types.MergePatchType, "kubectl-client-side-apply", string(patch))(t, version, manifest.GetName())
}

func serverSideApply(t *testing.T, version string, manifest *unstructured.Unstructured) error {
	t.Helper()
	text, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	force := true
	_, err = persons(version).Patch(t.Context(), manifest.GetName(), types.ApplyPatchType, text,
		metav1.PatchOptions{FieldManager: "kubectl", Force: &force})
	return err
}

// exported returns an object as people keep it in a file, and changes the object
// at the newest version before it returns.
func exported(t *testing.T, version, name string) *unstructured.Unstructured {
	t.Helper()
	object := get(t, version, name)
	for _, field := range []string{"resourceVersion", "uid", "creationTimestamp", "managedFields", "generation"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	unstructured.RemoveNestedField(object.Object, "status")
	if err := patching(types.MergePatchType, "somebody", `{"spec": {"residentialAddress": {"countryCode": "NZ"}}}`)(t,
		newest, name); err != nil {
		t.Fatal(err)
	}
	return object
}

// gestures are the writes that lose or revert what the version cannot hold.
var gestures = []struct {
	write
	message string
}{
	{write{"annotate with a minus sign", patching(types.MergePatchType, "kubectl-annotate",
		`{"metadata": {"annotations": {"armature.dev/remainder": null}}}`)}, "takes away"},
	{write{"replace without the annotation", func(t *testing.T, version, name string) error {
		object := get(t, version, name)
		manifest := person(version, name, specOf(object))
		manifest.SetResourceVersion(object.GetResourceVersion()) // which kubectl replace sets
		_, err := persons(version).Update(t.Context(), manifest, metav1.UpdateOptions{FieldManager: "kubectl-replace"})
		return err
	}}, "takes away"},
	{write{"JSON patch that adds all annotations",
		patching(types.JSONPatchType, "kubectl-patch",
			`[{"op": "add", "path": "/metadata/annotations", "value": {"team": "a"}}]`)}, "takes away"},
	{write{"client-side apply of an exported manifest", func(t *testing.T, version, name string) error {
		return clientSideApply(t, version, exported(t, version, name))
	}}, "was read before others changed the object"},
	{write{"server-side apply of an exported manifest", func(t *testing.T, version, name string) error {
		return serverSideApply(t, version, exported(t, version, name))
	}}, "remove it from the manifest"},
	{write{"replace with an exported manifest", func(t *testing.T, version, name string) error {
		manifest := exported(t, version, name)
		manifest.SetResourceVersion(get(t, version, name).GetResourceVersion())
		_, err := persons(version).Update(t.Context(), manifest, metav1.UpdateOptions{FieldManager: "kubectl-replace"})
		return err
	}}, "was read before others changed the object"},
}

// everything creates a Person with all properties of the newest version, and
// returns its Spec.
func everything(t *testing.T, name string) map[string]any {
	t.Helper()
	return specOf(create(t, newest, name, full(newest).shown(newest)))
}

func TestRemainderPolicy(t *testing.T) {
	t.Run("ordinary writes at an old version pass", func(t *testing.T) {
		installCRM(t)
		for i, way := range ordinary {
			passesAndLosesNothing(t, way, old, fmt.Sprint("ada-", i))
		}
	})
	t.Run("what would lose or revert data is denied, and says what to do", func(t *testing.T) {
		installCRM(t)
		for i, gesture := range gestures {
			name := fmt.Sprint("ada-", i)
			want := everything(t, name)
			denied(t, gesture.name, gesture.do(t, old, name), "armature.dev/remainder", gesture.message)
			if strings.Contains(gesture.name, "exported") {
				want["residentialAddress"].(map[string]any)["countryCode"] = "NZ"
			}
			if diff := cmp.Diff(want, specOf(get(t, newest, name))); diff != "" {
				t.Errorf("%s is denied and changes the object (-want +got):\n%s", gesture.name, diff)
			}
		}
	})
	t.Run("a person insists with the annotation armature.dev/exact", testExact)
	t.Run("a manager of server-side apply moves between versions", testMovingManager)
	t.Run("a mutating webhook is matched at another version", testMutatingWebhook)
	t.Run("webhooks of two releases answer", testTwoReleases)
	t.Run("a restored object passes", testRestored)
	t.Run("without the policy each of them loses or reverts data", func(t *testing.T) {
		installCRM(t)
		withoutPolicies(t)
		for i, gesture := range gestures {
			name := fmt.Sprint("ada-", i)
			want := everything(t, name)
			if err := gesture.do(t, old, name); err != nil {
				t.Errorf("%s: %v", gesture.name, err)
			}
			if strings.Contains(gesture.name, "exported") {
				want["residentialAddress"].(map[string]any)["countryCode"] = "NZ"
			}
			if cmp.Equal(want, specOf(get(t, newest, name))) {
				t.Errorf("%s loses nothing, so the policy is not needed for it", gesture.name)
			}
		}
	})
}

// passesAndLosesNothing makes a write at a version, which must change nothing but
// the id.
func passesAndLosesNothing(t *testing.T, way write, version, name string) {
	t.Helper()
	want := everything(t, name)
	if err := way.do(t, version, name); err != nil {
		t.Errorf("%s at %s: %v", way.name, version, err)
	}
	got := specOf(get(t, newest, name))
	delete(want, "id")
	delete(got, "id")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s at %s (-want +got):\n%s", way.name, version, diff)
	}
}

func testExact(t *testing.T) {
	installCRM(t)
	for name, annotations := range map[string]string{
		"ada":   `{"armature.dev/exact": %q}`, // the command in docs/policies.md
		"grace": `{"armature.dev/exact": %q, "armature.dev/remainder": null}`,
	} {
		everything(t, name)
		insist := func(exact string) error {
			return patching(types.MergePatchType, "kubectl-annotate",
				`{"metadata": {"annotations": `+fmt.Sprintf(annotations, exact)+`}}`)(t, old, name)
		}
		if name == "grace" {
			denied(t, "exact at another version", insist(newest), "set the annotation armature.dev/exact to "+old)
		}
		if err := insist(old); err != nil {
			t.Errorf("%s: exact at the version of the write: %v", name, err)
		}
		if address, there := specOf(get(t, newest, name))["residentialAddress"]; there {
			t.Errorf("%s: what the old version cannot hold is still there: %v", name, address)
		}
	}
}

// testMovingManager moves a manager of server-side apply to another version and
// back, with another Spec each time, while the operator writes the status at the
// storage version. The API server converts what it has merged to the manager's
// last version and to those of all others, and so the webhook writes the
// annotation anew.
func testMovingManager(t *testing.T) {
	installCRM(t)
	const other = "v20221212alpha1"
	versions := []string{"v20130303", "v20140404alpha1", "v20190909", newest, other}
	for i, from := range versions {
		for j, to := range versions {
			if i == j {
				continue
			}
			name := fmt.Sprintf("ada-%d-%d", i, j)
			create(t, other, name, map[string]any{
				"owner": map[string]any{"name": "people"}, "azureName": "ada", "pronouns": "she/her",
				"residentialAddress": map[string]any{"countryCode": "IE"},
			})
			for turn, version := range []string{from, to, from, to} {
				spec := base()
				spec["id"] = fmt.Sprintf("00000000-0000-4000-8000-00000000000%d", turn)
				for _, path := range visible(version) {
					if strings.HasSuffix(path, "Name") || path == "sortKey" {
						put(spec, named(path, version), fmt.Sprint(path, " ", turn))
					}
				}
				if object := required(version); object != "" {
					spec[object] = map[string]any{}
				}
				if err := serverSideApply(t, version, person(version, name, spec)); err != nil {
					t.Errorf("from %s to %s, turn %d: %v", from, to, turn, err)
					break
				}
				got := specOf(get(t, version, name))
				for key, want := range spec {
					if diff := cmp.Diff(want, got[key]); diff != "" && key != required(version) {
						t.Errorf("from %s to %s, turn %d: %s (-applied +got):\n%s", from, to, turn, key, diff)
					}
				}
				all := specOf(get(t, other, name))
				if diff := cmp.Diff([]any{"she/her", map[string]any{"countryCode": "IE"}},
					[]any{all["pronouns"], all["residentialAddress"]}); diff != "" {
					t.Errorf("from %s to %s, turn %d: what another client wrote (-want +got):\n%s", from, to, turn, diff)
				}
				object := get(t, hub, name)
				object.Object["status"] = map[string]any{
					"provisioningState":  fmt.Sprint("State", turn),
					"residentialAddress": map[string]any{"countryCode": "IE"},
				}
				options := metav1.UpdateOptions{FieldManager: "armature-operator"}
				if _, err := persons(hub).UpdateStatus(t.Context(), object, options); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// testMutatingWebhook has an admission webhook that asks for one version and is
// called for all, with converted objects. What it returns is converted back.
func testMutatingWebhook(t *testing.T) {
	installCRM(t)
	called := 0
	mutating := cluster.NewWebhook(t, http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		called++
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(in.Body).Decode(&review); err != nil {
			t.Error(err)
		}
		patch := admissionv1.PatchTypeJSONPatch
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true, PatchType: &patch,
			Patch: []byte(`[{"op": "add", "path": "/metadata/labels", "value": {"mutated": "true"}}]`)}
		review.Request = nil
		if err := json.NewEncoder(out).Encode(review); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(mutating.Stop)
	client := mutating.Conversion().Webhook.ClientConfig
	text, err := json.Marshal(client)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Apply(t, fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: labels}
webhooks:
- name: labels.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  matchPolicy: Equivalent
  clientConfig: %s
  rules:
  - {apiGroups: [crm.azure.armature.dev], apiVersions: [v20190909], operations: [CREATE, UPDATE], resources: [persons]}
`, text)))
	await.Until(t, "the webhook adds its label", func() error {
		object, err := persons(newest).Create(t.Context(), person(newest, "probe", full(newest).shown(newest)),
			metav1.CreateOptions{DryRun: dryRun})
		if err == nil && object.GetLabels()["mutated"] != "true" {
			err = fmt.Errorf("it has the labels %v", object.GetLabels())
		}
		return err
	})
	called = 0
	for i, way := range ordinary {
		passesAndLosesNothing(t, way, old, fmt.Sprint("ada-", i))
		passesAndLosesNothing(t, way, newest, fmt.Sprint("grace-", i))
	}
	if called < 2*len(ordinary) {
		t.Errorf("the webhook was called %d times for %d writes", called, 2*len(ordinary))
	}
}

// testTwoReleases lets a client read what the webhook of one release has
// converted, and write to what another one has. The API server compares with the
// object in its cache, which stays as it was converted when it was written.
func testTwoReleases(t *testing.T) {
	installCRM(t)
	this := converterWith(t, nil, crm.AddToScheme) // the other release does not sign what it writes
	other := http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		recorder := httptest.NewRecorder()
		this.ServeHTTP(recorder, in)
		text := regexp.MustCompile(`\\"generation\\":[0-9]+,`).ReplaceAll(recorder.Body.Bytes(), nil)
		maps.Copy(out.Header(), recorder.Header())
		out.Header().Del("Content-Length")
		out.WriteHeader(recorder.Code)
		out.Write(text)
	})
	t.Cleanup(func() { crmWebhook.Handle(converter(t, crm.AddToScheme)) })
	for i, releases := range [][2]http.Handler{{this, other}, {other, this}} {
		for j, way := range ordinary {
			crmWebhook.Handle(releases[0])
			name := fmt.Sprintf("ada-%d-%d", i, j)
			want := everything(t, name)
			get(t, old, name)
			before := get(t, old, name).GetAnnotations()[annotation.Remainder]
			crmWebhook.Handle(releases[1])
			if after := get(t, old, name).GetAnnotations()[annotation.Remainder]; after == before {
				t.Fatalf("both releases write %s", after)
			}
			if err := way.do(t, old, name); err != nil {
				t.Errorf("%s: %v", way.name, err)
			}
			got := specOf(get(t, newest, name))
			delete(want, "id")
			delete(got, "id")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", way.name, diff)
			}
		}
	}
}

// testRestored creates again what was read and then deleted.
func testRestored(t *testing.T) {
	installCRM(t)
	want := everything(t, "ada")
	backup := get(t, old, "ada")
	for range 2 {
		if err := persons(old).Delete(t.Context(), "ada", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		restored := person(old, "ada", specOf(backup))
		restored.SetAnnotations(backup.GetAnnotations())
		if _, err := persons(old).Create(t.Context(), restored, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, specOf(get(t, newest, "ada"))); diff != "" {
			t.Errorf("(-want +restored):\n%s", diff)
		}
	}
}

func TestAnnotationPolicy(t *testing.T) {
	t.Run("annotations leave room for what a read adds", testAnnotationSizes)
	t.Run("the API version that is asked for exists", testAskedVersion)
	t.Run("the values of adopt and deletion are known", func(t *testing.T) {
		installCRM(t)
		create(t, newest, "ada", full(newest).shown(newest))
		set := func(name, value string) error {
			patch := fmt.Appendf(nil, `{"metadata": {"annotations": {%q: %q}}}`, name, value)
			_, err := persons(newest).Patch(t.Context(), "ada", types.MergePatchType, patch, metav1.PatchOptions{DryRun: dryRun})
			return err
		}
		for _, known := range [][2]string{{annotation.Adopt, annotation.AdoptExact}, {annotation.Deletion, annotation.DeletionProtect},
			{annotation.Adopt, ""}} {
			if err := set(known[0], known[1]); err != nil {
				t.Errorf("%s: %v", known, err)
			}
		}
		denied(t, "adopt", set(annotation.Adopt, "take"), "has an unknown value; expected create, adopt, exact or observe")
		denied(t, "deletion", set(annotation.Deletion, "protected"), "has an unknown value; expected delete, detach or protect")
	})
}

// annotated returns a Person with annotations at the newest version.
func annotated(name string, annotations map[string]string) *unstructured.Unstructured {
	object := person(newest, name, full(newest).shown(newest))
	object.SetAnnotations(annotations)
	return object
}

func testAnnotationSizes(t *testing.T) {
	installCRM(t)
	const limit = remainder.MaxAnnotations - 4<<10
	notes := func(size int) map[string]string {
		return map[string]string{"notes": strings.Repeat("ü", (size-len("notes"))/2) + strings.Repeat("n", (size-len("notes"))%2)}
	}
	try := func(annotations map[string]string) error {
		_, err := persons(newest).Create(t.Context(), annotated("new", annotations), metav1.CreateOptions{DryRun: dryRun})
		return err
	}
	t.Run("at the limit all versions read the object, and one byte more is denied", func(t *testing.T) {
		if _, err := persons(newest).Create(t.Context(), annotated("ada", notes(limit)), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, version := range apiVersions {
			if list, err := persons(version).List(t.Context(), metav1.ListOptions{}); err != nil || len(list.Items) != 1 {
				t.Errorf("list at %s: %v", version, err)
			}
		}
		denied(t, "one byte more", try(notes(limit+1)), fmt.Sprintf("the annotations have %d bytes", limit+1), "remove annotations")
		denied(t, "one byte more at the storage version",
			patching(types.MergePatchType, "armature-operator", `{"metadata": {"annotations": {"n": ""}}}`)(t, hub, "ada"),
			"remove annotations")
	})
	t.Run("very many annotations are within the cost of a policy", func(t *testing.T) {
		annotations := map[string]string{}
		for i := range limit / 24 {
			annotations[fmt.Sprintf("%012d", i)] = "twelve bytes"
		}
		if err := try(annotations); err != nil {
			t.Error(err)
		}
		annotations["more"] = "than allowed"
		denied(t, "very many", try(annotations), "remove annotations")
	})
	t.Run("what was too large before can be written and made smaller, and no larger", func(t *testing.T) {
		object := server.Stored(t, storedPersons, "ada")
		object.SetName("grace")
		object.SetUID("00000000-0000-4000-8000-000000000001")
		object.SetAnnotations(notes(limit + 100))
		server.Store(t, storedPersons, object)
		// At API versions the webhook refuses what is too large, see package remainder.
		for text, passes := range map[string]bool{
			`{"metadata": {"labels": {"team": "a"}}}`:         true,
			`{"metadata": {"annotations": {"notes": null}}}`:  true,
			`{"metadata": {"annotations": {"more": "more"}}}`: false,
		} {
			_, err := persons(hub).Patch(t.Context(), "grace", types.MergePatchType, []byte(text), metav1.PatchOptions{DryRun: dryRun})
			if passes && err != nil || !passes && !cluster.IsDenied(err) {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

func testAskedVersion(t *testing.T) {
	installCRM(t)
	create(t, newest, "ada", full(newest).shown(newest))
	ask := func(at, name, version string) error {
		text, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{annotation.APIVersion: version}}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = persons(at).Patch(t.Context(), name, types.MergePatchType, text, metav1.PatchOptions{DryRun: dryRun})
		return err
	}
	for _, version := range append([]string{""}, apiVersions...) {
		if err := ask(newest, "ada", version); err != nil {
			t.Errorf("%q: %v", version, err)
		}
	}
	for _, test := range []struct{ version, message string }{
		{"v20211112", "the annotation armature.dev/api-version is v20211112; expected one of v1alpha1api20110101, "},
		{"2021-11-11", "is 2021-11-11; expected one of"},
		{hub, "is " + hub + "; expected one of"},
		{strings.Repeat("v20211111", 8000), "is not a version; expected one of"},
		{"v1\nbeta", "is not a version; expected one of"},
	} {
		for _, at := range []string{newest, old, hub} {
			denied(t, fmt.Sprintf("%.20q at %s", test.version, at), ask(at, "ada", test.version), test.message)
		}
	}
	// A version of a release that knew more.
	object := server.Stored(t, storedPersons, "ada")
	object.SetName("grace")
	object.SetUID("00000000-0000-4000-8000-000000000002")
	object.SetAnnotations(map[string]string{annotation.APIVersion: "v20301231"})
	server.Store(t, storedPersons, object)
	if err := patching(types.MergePatchType, "kubectl-label", `{"metadata": {"labels": {"team": "a"}}}`)(t, newest, "grace"); err != nil {
		t.Errorf("a write that leaves an unknown version as it is: %v", err)
	}
	if err := patching(types.MergePatchType, "kubectl-annotate",
		`{"metadata": {"annotations": {"armature.dev/api-version": null}}}`)(t, newest, "grace"); err != nil {
		t.Errorf("a write that removes an unknown version: %v", err)
	}
}
