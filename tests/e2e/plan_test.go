package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	crm "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/cli/program"
	armaturetypes "github.com/armature-dev/armature/cli/types"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile"
)

// reviewers lets some users read: one only what a plan needs, one Secrets as well, and one Persons of one namespace.
const reviewers = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reviewer}
rules:
- {apiGroups: [crm.azure.armature.dev], resources: [persons, parties], verbs: [get, list]}
- {apiGroups: [""], resources: [namespaces], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reviewer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reviewer}
subjects:
- {kind: User, name: reviewer, apiGroup: rbac.authorization.k8s.io}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reviewer, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reviewer}
subjects:
- {kind: User, name: guest, apiGroup: rbac.authorization.k8s.io}
`

// ada is a Person in a resource group that no object is for.
func ada(familyName string) string {
	return `
apiVersion: crm.azure.armature.dev/v20190909
kind: Person
metadata: {name: ada, namespace: default}
spec:
  {familyName: ` + familyName + `, knownAs: Ada, legalName: Ada King, sortKey: l, owner: {armId: /subscriptions/s/resourceGroups/g}}
`
}

// TestPlan plans on an API server, as people with different rights.
func TestPlan(t *testing.T) {
	installCRM(t)
	t.Cleanup(server.Apply(t, reviewers))
	facts := os.DirFS(filepath.Join("..", "..", "apis", "crm", "specs"))
	arm, err := armtest.New(facts)
	if err != nil {
		t.Fatal(err)
	}
	url, err := arm.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { arm.Close() })
	plan := func(t *testing.T, user, in string, arguments ...string) (string, error) {
		t.Helper()
		armature, err := armaturetypes.New(facts, crm.AddToScheme)
		if err != nil {
			t.Fatal(err)
		}
		var printed bytes.Buffer
		armature.SetIn(strings.NewReader(in))
		armature.SetOut(&printed)
		armature.SetErr(&bytes.Buffer{})
		if in != "" {
			arguments = append(arguments, "-f", "-")
		}
		armature.SetArgs(append([]string{"plan", "--kubeconfig=" + server.KubeconfigOf(t, user), "--arm-endpoint=" + url,
			"--operator=default/armature-operator"}, arguments...))
		err = armature.ExecuteContext(t.Context())
		return printed.String(), err
	}
	expect := func(t *testing.T, got string, err error, status error, wants ...string) {
		t.Helper()
		isAny := err != nil && !errors.Is(err, program.ErrLook)
		if status == errAny && !isAny || status != errAny && !errors.Is(err, status) {
			t.Errorf("got the error %v, want %v; got\n%s", err, status, got)
		}
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("got\n%s\nwant in it: %s", got, want)
			}
		}
	}
	t.Run("a new object", func(t *testing.T) {
		for _, user := range []string{"", "reviewer"} {
			got, err := plan(t, user, ada("Lovelace"))
			expect(t, got, err, program.ErrLook, "+ create   Person default/ada", `spec.familyName: "Lovelace"`, "1 to create")
			if isNoted := strings.Contains(got, "the API server has not checked the files"); isNoted != (user == "reviewer") {
				t.Errorf("%s: got\n%s", user, got)
			}
		}
	})
	t.Run("what the API server refuses", func(t *testing.T) {
		in := strings.Replace(ada("Lovelace"), "familyName", "familyNme", 1)
		got, err := plan(t, "", in)
		expect(t, got, err, errAny, "- refuse   Person default/ada", "familyNme")
		got, err = plan(t, "reviewer", in)
		expect(t, got, err, errAny, `unknown field "spec.familyNme"`)
	})
	t.Run("offline", func(t *testing.T) {
		got, err := plan(t, "", ada("Lovelace"), "--offline")
		expect(t, got, err, program.ErrLook, "1 to create")
		got, err = plan(t, "", strings.Replace(ada("x"), "default", "other", 1)+"---\n"+strings.Replace(ada("x"), "ada,", "bob,", 1)+
			"---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}}\n", "--offline")
		expect(t, got, err, program.ErrLook, "2 to create", "1 objects of the files are of kinds that are not of this program")
		got, err = plan(t, "", ada("x")+"---\n"+ada("y"), "--offline")
		if err == nil || !strings.Contains(err.Error(), "-: resource 2: found Person ada, which is in -: resource 1 too") {
			t.Errorf("got %s, %v", got, err)
		}
	})
	var object unstructured.Unstructured
	if err := yaml.Unmarshal([]byte(ada("Lovelace")), &object.Object); err != nil {
		t.Fatal(err)
	}
	if _, err := persons(oldest).Apply(t.Context(), "ada", &object, metav1.ApplyOptions{FieldManager: "kubectl"}); err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(crm.AddToScheme(scheme), corev1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	stop := server.Operate(t, scheme, arm, reconcile.Options{Namespace: "default", CredentialNamespaces: []string{"*"}})
	await.Until(t, "ada is ready", func() error {
		if status := fmt.Sprint(get(t, hub, "ada").Object["status"]); !strings.Contains(status, "reason:Succeeded") {
			return fmt.Errorf("its status is %s", status)
		}
		return nil
	})
	stop()
	t.Cleanup(func() { // nobody would remove the finalizer
		if _, err := persons(hub).Patch(context.Background(), "ada", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`),
			metav1.PatchOptions{}); err != nil {
			t.Error(err)
		}
	})
	t.Run("nothing to do, and a change", func(t *testing.T) {
		for _, user := range []string{"", "reviewer"} {
			got, err := plan(t, user, "", "--namespace=default")
			expect(t, got, err, nil, "Plan: 1 unchanged.")
			got, err = plan(t, user, ada("Byron"))
			expect(t, got, err, program.ErrLook, "! change   Person default/ada", `spec.familyName: "Lovelace" → "Byron"`)
		}
	})
	t.Run("a Namespace that the cluster has stays as it is there", func(t *testing.T) {
		const limit = "armature.dev/scopes"
		in := ada("Byron") + "---\n{apiVersion: v1, kind: Namespace, metadata: {name: default, annotations: {" + limit +
			": /subscriptions/s}}}\n"
		got, err := plan(t, "", in)
		expect(t, got, err, program.ErrLook, "change   Person default/ada", "has the annotation "+limit+" as the cluster has it")
		annotate := func(value string) {
			patch := fmt.Appendf(nil, `{"metadata": {"annotations": {%q: %s}}}`, limit, value)
			namespaces := server.Client.Resource(corev1.SchemeGroupVersion.WithResource("namespaces"))
			if _, err := namespaces.Patch(context.Background(), "default", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		annotate(`"/subscriptions/other"`)
		t.Cleanup(func() { annotate("null") })
		got, err = plan(t, "", in)
		expect(t, got, err, errAny, "refuse   Person default/ada", "OutsideScopes")
	})
	t.Run("a caller who may list one namespace alone", func(t *testing.T) {
		got, err := plan(t, "guest", ada("Byron"))
		expect(t, got, err, program.ErrLook, "change   Person default/ada", "may not list Person",
			"whether another namespace has the same resources")
	})
	t.Run("a caller who may list nothing", func(t *testing.T) {
		got, err := plan(t, "stranger", "", "--all")
		expect(t, got, err, errAny)
		got, err = plan(t, "stranger", ada("Byron"))
		expect(t, got, err, program.ErrLook, "so its objects are unknown")
	})
	t.Run("ARM got reads, and the operator's PUT", func(t *testing.T) {
		writes := 0
		for _, r := range arm.Requests() {
			if r.Method != "GET" && r.Method != "HEAD" {
				writes++
			}
		}
		if writes != 1 {
			t.Errorf("ARM got %d writes: %v", writes, arm.Requests())
		}
	})
}

var errAny = errors.New("any error")
