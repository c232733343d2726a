// Package rights tests on an API server what the operator's account may do to Secrets and ConfigMaps with the roles of
// a release.
package rights

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/tools/controlplane"
)

// stage is an API server with the roles and the policy of an operator.
type stage struct {
	*testing.T
	plane *controlplane.ControlPlane
	// account is the operator's.
	account         manifests.Account
	admin, operator dynamic.Interface
}

// group is the API group that the operator manages.
const group = "cache.azure.armature.dev"

// newStage gives the operator's account in a namespace what a release gives it, and waits until its policy is in force.
func newStage(t *testing.T, plane *controlplane.ControlPlane, account manifests.Account) *stage {
	t.Helper()
	s := &stage{T: t, plane: plane, account: account, admin: plane.Client}
	s.operator = s.as("system:serviceaccount:" + account.Namespace + ":" + account.Name)
	s.namespace(account.Namespace)
	roles, err := os.ReadFile(filepath.Join("..", "..", "..", "release", "operator", "roles.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	roles = bytes.ReplaceAll(roles, []byte("armature-system"), []byte(account.Namespace))
	roles = bytes.ReplaceAll(roles, []byte("name: armature-operator"), []byte("name: "+account.Name))
	outputs := manifests.Roles{Name: "cache", Group: group, Plurals: []string{"redis"}, Outputs: true, Operator: account}
	policy := manifests.OperatorWrites{Operator: account, Groups: []string{"batch.azure.armature.dev", group}}
	for _, text := range [][]byte{roles, outputs.Text(), policy.Text()} {
		if _, err := plane.Apply(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	await.Until(t, "the policy is in force", func() error {
		w := write{create: secret("default", "probe", "Opaque", "")}
		if err := s.try(s.operator, w, metav1.DryRunAll); !controlplane.IsDenied(err) {
			return fmt.Errorf("got %v", err)
		}
		return nil
	})
	return s
}

// as returns a client of a user with the rights of that user alone.
func (s *stage) as(user string) dynamic.Interface {
	s.Helper()
	config := rest.CopyConfig(s.plane.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		s.Fatal(err)
	}
	return client
}

// namespace makes a namespace.
func (s *stage) namespace(name string) {
	s.Helper()
	_, err := s.admin.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Create(s.Context(),
		parse(s.T, "{apiVersion: v1, kind: Namespace, metadata: {name: "+name+"}}"), metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		s.Fatal(err)
	}
}

func parse(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// resource returns the resource of a Secret or a ConfigMap, for a client.
func resource(client dynamic.Interface, o *unstructured.Unstructured) dynamic.ResourceInterface {
	plural := map[string]string{"Secret": "secrets", "ConfigMap": "configmaps"}[o.GetKind()]
	return client.Resource(schema.GroupVersionResource{Version: "v1", Resource: plural}).Namespace(o.GetNamespace())
}

// write is a write of a Secret or a ConfigMap.
type write struct {
	behavior string
	// before is the object that an administrator has made, or "" for what is there already.
	before string
	// create is the object to create. Otherwise patch is merged into the one before, or it is deleted if patch is "".
	create, patch string
}

// try does a write as a client, if it is dry without changing anything.
func (s *stage) try(client dynamic.Interface, w write, dryRun ...string) error {
	s.Helper()
	if w.create != "" {
		o := parse(s.T, w.create)
		_, err := resource(client, o).Create(s.Context(), o, metav1.CreateOptions{DryRun: dryRun})
		return err
	}
	o := parse(s.T, w.before)
	if w.patch == "" {
		return resource(client, o).Delete(s.Context(), o.GetName(), metav1.DeleteOptions{DryRun: dryRun})
	}
	// As the operator does: an update, where its roles have no right to patch.
	patched, err := resource(s.admin, o).Patch(s.Context(), o.GetName(), types.MergePatchType, []byte(w.patch),
		metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		s.Fatalf("an administrator cannot do it: %v", err)
	}
	_, err = resource(client, o).Update(s.Context(), patched, metav1.UpdateOptions{DryRun: dryRun})
	if o.GetKind() == "ConfigMap" || err == nil && len(dryRun) == 0 {
		return err
	}
	_, byPatch := resource(client, o).Patch(s.Context(), o.GetName(), types.MergePatchType, []byte(w.patch),
		metav1.PatchOptions{DryRun: dryRun})
	if (err == nil) != (byPatch == nil) {
		s.Errorf("an update ends with %v, a patch with %v", err, byPatch)
	}
	return err
}

// given makes the object that a write is about, until the test ends.
func (s *stage) given(w write) {
	s.Helper()
	if w.before == "" || w.create != "" {
		return
	}
	o := parse(s.T, w.before)
	if _, err := resource(s.admin, o).Create(s.Context(), o, metav1.CreateOptions{}); apierrors.IsAlreadyExists(err) {
		return
	} else if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		resource(s.admin, o).Patch(context.Background(), o.GetName(), types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`),
			metav1.PatchOptions{})
		resource(s.admin, o).Delete(context.Background(), o.GetName(), metav1.DeleteOptions{})
	})
}

const (
	// uid is that of an object.
	uid = "6bb3b3a5-1d3f-4a5e-9b6e-0123456789ab"
	// output is the metadata of what belongs to an object of the operator's kinds.
	output = mark + ", " + owned
	mark   = "labels: {armature.dev/output-of: " + uid + "}"
	owned  = "ownerReferences: [{apiVersion: " + group + "/v20241101, kind: Redis, name: shop, uid: " + uid + ", controller: true}]"
	// others is the metadata of what belongs to somebody else's object.
	others = "ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: shop, uid: " + uid + ", controller: true}]"
	// marks is a patch that adds the label of outputs.
	marks = `{"metadata":{"labels":{"armature.dev/output-of":"` + uid + `"}}}`
	// theirs is a Secret of somebody else, held a credential, and kept an output.
	theirs = "{apiVersion: v1, kind: Secret, metadata: {namespace: default, name: theirs, finalizers: [example.com/keep], " +
		"labels: {app: shop}, annotations: {note: x}}, data: {password: eA==}}"
	held = "{apiVersion: v1, kind: Secret, metadata: {namespace: default, name: held, finalizers: [armature.dev/credential, " +
		"example.com/keep], labels: {armature.dev/credential-holder: x, app: shop}}, data: {password: eA==}}"
	kept = "{apiVersion: v1, kind: Secret, metadata: {namespace: default, name: kept, " + output + "}, data: {key: eA==}}"
)

func secret(namespace, name, kind, metadata string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: Secret, type: %s, metadata: {namespace: %s, name: %s, %s}, data: {key: eA==}}",
		kind, namespace, name, metadata)
}

func configMap(namespace, name, metadata string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: %s, name: %s, %s}, data: {key: x}}",
		namespace, name, metadata)
}

// controller returns the part of a patch that makes an object of a group own another one.
func controller(group, uid string) string {
	return fmt.Sprintf(`"ownerReferences":[{"apiVersion":"%s/v1","kind":"X","name":"x","uid":"%s","controller":true}]`, group, uid)
}

// attacks are writes that somebody who has taken over the operator could try.
func attacks(own string) []write {
	const token = "annotations: {kubernetes.io/service-account.name: generic-garbage-collector}"
	return []write{
		{behavior: "a Secret that gets a token of a controller's ServiceAccount",
			create: secret("kube-system", "token", "kubernetes.io/service-account-token", token)},
		{behavior: "the same as an output",
			create: secret("kube-system", "token", "kubernetes.io/service-account-token", token+", "+output)},
		{behavior: "the same under the name of the operator's keys",
			create: secret(own, "armature-digest-keys", "kubernetes.io/service-account-token",
				"annotations: {kubernetes.io/service-account.name: default}")},
		{behavior: "a token by which a node joins",
			create: secret("kube-system", "bootstrap-token-abcdef", "bootstrap.kubernetes.io/token", output)},
		{behavior: "an output of a type that other programs look for", create: secret("default", "new", "helm.sh/release.v1", output)},
		{behavior: "a Secret that is no output", create: secret("default", "new", "Opaque", "")},
		{behavior: "one with the label, which belongs to nobody",
			create: secret("default", "new", "Opaque", mark)},
		{behavior: "one with the label, which belongs to somebody else's object",
			create: secret("default", "new", "Opaque", mark+", "+others)},
		{behavior: "the name of the operator's keys in another namespace", create: secret("default", "armature-digest-keys", "Opaque", "")},
		{behavior: "the content of somebody's Secret", before: theirs, patch: `{"data":{"password":"eQ=="}}`},
		{behavior: "more content of somebody's Secret", before: theirs, patch: `{"data":{"more":"eQ=="}}`},
		{behavior: "the content of somebody's Secret goes", before: theirs, patch: `{"data":null}`},
		{behavior: "somebody's Secret becomes immutable", before: theirs, patch: `{"immutable":true}`},
		{behavior: "the deletion of somebody's Secret", before: theirs},
		{behavior: "the deletion of one that somebody else's object owns", before: secret("default", "owned", "Opaque", others)},
		{behavior: "the deletion of one with the label, which somebody else's object owns",
			before: secret("default", "owned", "Opaque", mark+", "+others)},
		{behavior: "the name of the webhook's keys in another namespace", create: secret("default", "armature-webhook-keys", "Opaque", "")},
		{behavior: "a token under the name of the webhook's keys",
			create: secret(own, "armature-webhook-keys", "kubernetes.io/service-account-token",
				"annotations: {kubernetes.io/service-account.name: default}")},
		{behavior: "another key of the webhook", before: secret(own, "armature-webhook-keys", "Opaque", ""),
			patch: `{"data":{"key":"eQ=="}}`},
		{behavior: "the deletion of the webhook's keys", before: secret(own, "armature-webhook-keys", "Opaque", "")},
		{behavior: "the deletion of the operator's own keys", before: secret(own, "armature-digest-keys", "Opaque", "")},
		{behavior: "another Secret of its own namespace", before: secret(own, "armature-webhook-tls", "Opaque", ""),
			patch: `{"data":{"key":"eQ=="}}`},
		{behavior: "an owner that there is not, so that the garbage collector deletes it", before: theirs,
			patch: `{"metadata":{` + controller(group, "x") + `}}`},
		{behavior: "somebody's Secret becomes an output", before: theirs,
			patch: `{"metadata":{"labels":{"armature.dev/output-of":"` + uid + `"},` + controller(group, uid) + `}}`},
		{behavior: "the label of outputs alone", before: theirs, patch: marks},
		{behavior: "a label that another program looks for", before: theirs, patch: `{"metadata":{"labels":{"app":"x"}}}`},
		{behavior: "a label goes", before: theirs, patch: `{"metadata":{"labels":{"app":null}}}`},
		{behavior: "an annotation", before: theirs, patch: `{"metadata":{"annotations":{"note":"y"}}}`},
		{behavior: "the finalizer of somebody else goes", before: theirs, patch: `{"metadata":{"finalizers":null}}`},
		{behavior: "a finalizer of another name", before: theirs,
			patch: `{"metadata":{"finalizers":["example.com/keep","example.com/more"]}}`},
		{behavior: "an output loses its label", before: kept, patch: `{"metadata":{"labels":null}}`},
		{behavior: "an output gets another owner", before: kept, patch: `{"metadata":{` + controller("apps", uid) + `}}`},
		{behavior: "the authorities of the API server", before: configMap("kube-system", "extension-apiserver-authentication", ""),
			patch: `{"data":{"requestheader-client-ca-file":"x"}}`},
		{behavior: "the deletion of a ConfigMap of the cluster", before: configMap("kube-public", "cluster-info", "")},
		{behavior: "the content of a ConfigMap of the cluster", before: configMap("kube-public", "cluster-info", ""),
			patch: `{"data":{"key":"y"}}`},
		{behavior: "the binary content of a ConfigMap", before: configMap("kube-public", "cluster-info", ""),
			patch: `{"binaryData":{"b":"eQ=="}}`},
		{behavior: "a ConfigMap that is no output", create: configMap("kube-system", "new", "")},
	}
}

// work is what the operator does.
func work(own string) []write {
	holder := `"labels":{"armature.dev/credential-holder":"x"}`
	keys := secret(own, "armature-digest-keys", "Opaque", "")
	return []write{
		{behavior: "its keys", create: keys},
		{behavior: "more keys", before: keys, patch: `{"data":{"more":"eQ=="}}`},
		{behavior: "the first key of the webhook", create: secret(own, "armature-webhook-keys", "Opaque", "")},
		{behavior: "an output", create: secret("default", "new", "Opaque", output)},
		{behavior: "an output beside labels and annotations that a webhook adds",
			create: secret("default", "new", "Opaque", "annotations: {a: b}, labels: {armature.dev/output-of: "+uid+", team: a}, "+owned)},
		{behavior: "an output of another type that a Spec may ask for",
			create: "{apiVersion: v1, kind: Secret, type: kubernetes.io/basic-auth, metadata: {namespace: default, name: new, " + output +
				"}, data: {username: eA==}}"},
		{behavior: "another value of an output", before: kept, patch: `{"data":{"key":"eQ=="}}`},
		{behavior: "an output that nobody asks for any more", before: kept},
		{behavior: "the label of an output that somebody has taken away", before: secret("default", "bare", "Opaque", owned),
			patch: marks},
		{behavior: "the label of an output that somebody has changed",
			before: secret("default", "other", "Opaque", "labels: {armature.dev/output-of: x}, "+owned),
			patch:  marks},
		{behavior: "a credential is held", before: theirs,
			patch: `{"metadata":{` + holder + `,"finalizers":["example.com/keep","armature.dev/credential"]}}`},
		{behavior: "a credential without metadata is held", before: secret("default", "plain", "Opaque", ""),
			patch: `{"metadata":{` + holder + `,"finalizers":["armature.dev/credential"]}}`},
		{behavior: "a credential is let go", before: held,
			patch: `{"metadata":{"labels":{"armature.dev/credential-holder":null},"finalizers":["example.com/keep"]}}`},
		{behavior: "an output in a ConfigMap", create: configMap("default", "new", output)},
		{behavior: "another value of it", before: configMap("default", "kept", output), patch: `{"data":{"key":"y"}}`},
		{behavior: "its deletion", before: configMap("default", "kept", output)},
		{behavior: "its label", before: configMap("default", "bare", owned), patch: marks},
	}
}

// TestOperatorWrites tries what the operator does, and what somebody could do who has taken it over, on an API server
// with the roles and the policy of a release.
func TestOperatorWrites(t *testing.T) {
	plane, err := controlplane.Start(controlplane.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	for _, account := range []manifests.Account{
		{Namespace: "armature-system", Name: "armature-operator"}, {Namespace: "azure-system", Name: "azure-armature-operator"},
	} {
		t.Run(account.Name, func(t *testing.T) {
			s := newStage(t, plane, account)
			t.Run("the operator does its work", func(t *testing.T) {
				for _, w := range work(account.Namespace) {
					t.Run(w.behavior, func(t *testing.T) {
						s := *s
						s.T = t
						s.given(w)
						if err := s.try(s.operator, w, metav1.DryRunAll); err != nil {
							t.Error(err)
						}
					})
				}
			})
			t.Run("whoever has taken it over is denied", func(t *testing.T) {
				for _, w := range attacks(account.Namespace) {
					t.Run(w.behavior, func(t *testing.T) {
						s := *s
						s.T = t
						s.given(w)
						if err := s.try(s.operator, w, metav1.DryRunAll); !controlplane.IsDenied(err) {
							t.Errorf("got %v, want that a policy denies it", err)
						}
					})
				}
			})
			t.Run("nobody else is", func(t *testing.T) {
				for _, w := range attacks(account.Namespace) {
					t.Run(w.behavior, func(t *testing.T) {
						s := *s
						s.T = t
						s.given(w)
						if err := s.try(s.admin, w, metav1.DryRunAll); controlplane.IsDenied(err) {
							t.Error(err)
						}
					})
				}
			})
		})
	}
}
