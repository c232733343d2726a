// Package apply applies the release to a real API server, as `kubectl apply
// --server-side` does. The server has no nodes, so the image's program runs
// beside it.
package apply

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/tests/e2e/cluster"
	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tools/controlplane"
)

// administrator is a client that keeps the API server's warnings.
type administrator struct {
	client dynamic.Interface
	mapper meta.RESTMapper

	mutex    sync.Mutex
	warnings []string
}

// server is the API server that all tests share.
var server *cluster.Cluster

func TestMain(m *testing.M) {
	var err error
	if server, err = cluster.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func newAdministrator(t *testing.T) *administrator {
	t.Helper()
	a := &administrator{}
	config := rest.CopyConfig(server.Config)
	config.WarningHandler = a
	resources, err := restmapper.GetAPIGroupResources(server.Discovery)
	if err != nil {
		t.Fatal(err)
	}
	a.mapper = restmapper.NewDiscoveryRESTMapper(resources)
	if a.client, err = dynamic.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	return a
}

// HandleWarningHeader keeps a warning.
func (a *administrator) HandleWarningHeader(_ int, _ string, text string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.warnings = append(a.warnings, text)
}

// apply applies one object as `kubectl apply --server-side` does.
func (a *administrator) apply(t *testing.T, o *unstructured.Unstructured, dryRun ...string) *unstructured.Unstructured {
	t.Helper()
	mapping, err := a.mapper.RESTMapping(o.GroupVersionKind().GroupKind(), o.GroupVersionKind().Version)
	if err != nil {
		t.Fatal(err)
	}
	resource := a.client.Resource(mapping.Resource)
	if o.GetKind() == "CustomResourceDefinition" {
		a.allow(t, o)
	}
	options := metav1.ApplyOptions{FieldManager: "kubectl", DryRun: dryRun}
	var applied *unstructured.Unstructured
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		applied, err = resource.Namespace(o.GetNamespace()).Apply(t.Context(), o.GetName(), o, options)
	} else {
		applied, err = resource.Apply(t.Context(), o.GetName(), o, options)
	}
	if err != nil {
		t.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
	}
	return applied
}

// crds is the resource of CRDs.
var crds = apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")

// allow names in a CRD the versions that it stops serving, as `armature serve` does.
func (a *administrator) allow(t *testing.T, o *unstructured.Unstructured) {
	t.Helper()
	installed, err := a.client.Resource(crds).Get(t.Context(), o.GetName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var both [2]apiextensionsv1.CustomResourceDefinition
	for i, crd := range []*unstructured.Unstructured{installed, o} {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(crd.Object, &both[i]); err != nil {
			t.Fatal(err)
		}
	}
	if names := controlplane.Ended(&both[0], &both[1]); len(names) > 0 {
		annotations := o.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[annotation.StopServing] = strings.Join(names, ",")
		o.SetAnnotations(annotations)
	}
}

// read reads the output of a target in //release, with the bundle of an authority.
func read(t *testing.T, name string, authority *release.Authority) *release.Release {
	t.Helper()
	r := release.Read(t, filepath.Join("..", "..", "..", "release", name))
	r.Add(t, "ca-bundle/ca/ca.crt", string(authority.Bundle))
	return r
}

func render(t *testing.T, r *release.Release, folder string) []release.Object {
	t.Helper()
	objects, err := r.Render(folder)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// applied are the groups of the demo, which are installed. Those of the release
// are applied as a dry run, because the API server would need gigabytes to serve
// all of them.
var applied = []string{"cache", "crm"}

// TestKustomize compares what kubectl makes of folders with what the library of kustomize makes, from which the other
// tests go.
func TestKustomize(t *testing.T) {
	authority := release.NewAuthority(t)
	r := read(t, "demo", authority)
	dir := filepath.Join(t.TempDir(), "release")
	// Bazel's folder has links, which kustomize follows only within it.
	err := fs.WalkDir(os.DirFS(r.Folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(r.Folder, name))
		if err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ca-bundle", "ca", "ca.crt"), authority.Bundle, 0o644); err != nil {
		t.Fatal(err)
	}
	kubectl := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl")
	for _, folder := range []string{"cert-manager/webhook", "cert-manager/cache", "ca-bundle/webhook", "ca-bundle/crm", "operator"} {
		var stderr bytes.Buffer
		command := exec.Command(kubectl, "kustomize", filepath.Join(dir, folder))
		command.Stderr = &stderr
		text, err := command.Output()
		if err != nil {
			t.Errorf("%s: %v: %s", folder, err, &stderr)
			continue
		}
		// kubectl has an order of its own.
		want, got := map[string]any{}, map[string]any{}
		add := func(to map[string]any, o unstructured.Unstructured) {
			text, err := json.Marshal(o.Object)
			if err != nil {
				t.Fatal(err)
			}
			to[o.GetKind()+" "+o.GetNamespace()+"/"+o.GetName()] = string(text) // numbers as text
		}
		for _, o := range render(t, r, folder) {
			add(want, o.Unstructured)
		}
		documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 1<<16)
		for {
			var o unstructured.Unstructured
			if err := documents.Decode(&o.Object); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if len(o.Object) > 0 {
				add(got, o)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-library +kubectl):\n%s", folder, diff)
		}
	}
}

func TestApply(t *testing.T) {
	t.Run("the release applies without warnings", testNoWarnings)
	t.Run("the namespace admits the webhook's pods, and no unrestricted ones", testAdmission)
	t.Run("another namespace and other names", testNames)
	t.Run("the image converts objects of the installed CRDs", testImageConverts)
	t.Run("a release that serves less is denied, unless its CRDs say so", testServesLess)
	t.Run("the commands of docs/upgrades.md install the policy of served versions, and show it", testFirstUpgrade)
	t.Run("of those who may edit, only the operator writes at storage versions", testStorageWriters)
	t.Run("the operator's image manages resources with the rights of its roles", testOperator)
	t.Run("the README's steps remove everything", testUninstall)
}

func testNoWarnings(t *testing.T) {
	a := newAdministrator(t)
	demo := read(t, "demo", release.NewAuthority(t))
	for _, folder := range append([]string{"webhook"}, applied...) {
		for _, o := range render(t, demo, path.Join("ca-bundle", folder)) {
			a.apply(t, &o.Unstructured)
		}
	}
	for _, o := range render(t, demo, "operator") {
		a.apply(t, &o.Unstructured)
	}
	r := read(t, "host", release.NewAuthority(t))
	for _, o := range render(t, r, "ca-bundle/webhook") {
		a.apply(t, &o.Unstructured, metav1.DryRunAll)
	}
	for _, group := range r.Groups(t) {
		for _, variant := range []string{"ca-bundle", "cert-manager"} {
			for _, o := range render(t, r, path.Join(variant, group)) {
				a.apply(t, &o.Unstructured, metav1.DryRunAll)
			}
		}
	}
	if len(a.warnings) > 0 {
		t.Errorf("the API server warns:\n%s", strings.Join(a.warnings, "\n"))
	}
}

func testAdmission(t *testing.T) {
	a := newAdministrator(t)
	var deployment *appsv1.Deployment
	for _, o := range render(t, read(t, "host", release.NewAuthority(t)), "ca-bundle/webhook") {
		a.apply(t, &o.Unstructured)
		if o.GetKind() == "Deployment" {
			deployment = release.As[appsv1.Deployment](t, o)
		}
	}
	if err := a.admits(t, deployment); err != nil {
		t.Errorf("a pod of the Deployment is not admitted: %v", err)
	}
	for _, o := range render(t, read(t, "host", release.NewAuthority(t)), "operator") {
		a.apply(t, &o.Unstructured)
		if o.GetKind() == "Deployment" {
			if err := a.admits(t, release.As[appsv1.Deployment](t, o)); err != nil {
				t.Errorf("a pod of the operator is not admitted: %v", err)
			}
		}
	}
	deployment.Spec.Template.Spec.Containers[0].SecurityContext.AllowPrivilegeEscalation = nil
	if err := a.admits(t, deployment); !apierrors.IsForbidden(err) {
		t.Errorf("a pod that is not restricted: %v, want that it is forbidden", err)
	}
}

// admits creates a pod of a Deployment as a dry run. Here no controller would
// make one.
func (a *administrator) admits(t *testing.T, deployment *appsv1.Deployment) error {
	t.Helper()
	pod, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&deployment.Spec.Template)
	if err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{Object: pod}
	o.SetAPIVersion("v1")
	o.SetKind("Pod")
	o.SetName("webhook")
	pods := a.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace(deployment.Namespace)
	_, err = pods.Create(t.Context(), o, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// The kustomization of the README must install: its namespace admits the pods,
// and the CRDs name a Service that is there.
func testNames(t *testing.T) {
	a := newAdministrator(t)
	r := read(t, "host", release.NewAuthority(t))
	r.Add(t, "azure/kustomization.yaml", strings.ReplaceAll(r.Example(t, "namePrefix: azure-"), "cert-manager/", "ca-bundle/"))
	crds := 0
	var deployment *appsv1.Deployment
	for _, o := range render(t, r, "azure") {
		applied := a.apply(t, &o.Unstructured)
		switch o.GetKind() {
		case "Deployment":
			deployment = release.As[appsv1.Deployment](t, o)
			if deployment.Namespace != "azure-system" {
				t.Errorf("the Deployment %s is in %s, want azure-system", deployment.Name, deployment.Namespace)
			}
			if err := a.admits(t, deployment); err != nil {
				t.Errorf("a pod of the Deployment %s is not admitted: %v", deployment.Name, err)
			}
		case "CustomResourceDefinition":
			crds++
			to := func(member string) string {
				text, _, _ := unstructured.NestedString(applied.Object, "spec", "conversion", "webhook", "clientConfig", "service", member)
				return text
			}
			services := a.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "services"})
			if _, err := services.Namespace(to("namespace")).Get(t.Context(), to("name"), metav1.GetOptions{}); err != nil {
				t.Errorf("%v converts through %s/%s: %v", o, to("namespace"), to("name"), err)
			}
		}
	}
	if crds == 0 {
		t.Error("the kustomization has no CRDs")
	}
	if deployment == nil {
		t.Error("the kustomization has no Deployment")
	}
	if len(a.warnings) > 0 {
		t.Errorf("the API server warns:\n%s", strings.Join(a.warnings, "\n"))
	}
}

// The CRDs are as kustomize made them, except for the webhook's URL, which
// replaces the Service.
func testImageConverts(t *testing.T) {
	authority := release.NewAuthority(t)
	r := read(t, "demo", authority)
	a := newAdministrator(t)
	a.install(t, r, authority)
	for _, test := range []struct {
		group, resource, kind, written, read string
		spec, want                           map[string]any
	}{
		{
			"crm.azure.armature.dev", "persons", "Person", "v20130303", "v20211111",
			map[string]any{"owner": map[string]any{"name": "people"}, "firstName": "Ada", "lastName": "Byron"},
			map[string]any{"knownAs": "Ada", "familyName": "Byron"},
		},
		{
			"cache.azure.armature.dev", "redis", "Redis", "v20170201", "v20241101",
			map[string]any{
				"owner": map[string]any{"name": "group"}, "location": "westeurope", "enableNonSslPort": true,
				"sku": map[string]any{"name": "Basic", "family": "C", "capacity": int64(1)},
			},
			map[string]any{"location": "westeurope", "enableNonSslPort": true},
		},
	} {
		t.Run(test.kind, func(t *testing.T) {
			at := func(version string) dynamic.ResourceInterface {
				return a.client.Resource(schema.GroupVersionResource{Group: test.group, Version: version,
					Resource: test.resource}).Namespace("default")
			}
			object := &unstructured.Unstructured{Object: map[string]any{"spec": test.spec}}
			object.SetAPIVersion(test.group + "/" + test.written)
			object.SetKind(test.kind)
			object.SetName("ada")
			create(t, at(test.written), object)
			shown, err := at(test.read).Get(t.Context(), "ada", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got, _, _ := unstructured.NestedMap(shown.Object, "spec")
			for name, want := range test.want {
				if diff := cmp.Diff(want, got[name]); diff != "" {
					t.Errorf("%s at %s (-want +got):\n%s", name, test.read, diff)
				}
			}
		})
	}
}

func testStorageWriters(t *testing.T) {
	for _, test := range []struct{ release, namespace, prefix string }{
		{"host", "armature-system", ""},
		{"named", "azure-system", "azure-"},
	} {
		t.Run(test.release, func(t *testing.T) {
			r := read(t, test.release, release.NewAuthority(t))
			a := newAdministrator(t)
			for _, folder := range []string{"ca-bundle/webhook", "ca-bundle/cache", "operator"} {
				for _, o := range render(t, r, folder) {
					a.apply(t, &o.Unstructured)
				}
			}
			t.Cleanup(server.Apply(t, release.Editors("cache", test.namespace, test.prefix)))
			cluster.AwaitDenied(t, func() error { return writeAtStorage(t, "editor") },
				"ask an administrator for a role with the verb write on storageversions.armature.dev")
			account := "system:serviceaccount:" + test.namespace + ":" + test.prefix + "armature-operator"
			await.Until(t, "the operator may", func() error { return writeAtStorage(t, account) })
		})
	}
}

// writeAtStorage tries to create an object at a storage version, as a user.
func writeAtStorage(t *testing.T, user string) error {
	t.Helper()
	config := rest.CopyConfig(server.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "cache.azure.armature.dev/v20241101storage", "kind": "Redis",
		"spec": map[string]any{"location": 3},
	}}
	object.SetName("ada")
	redis := client.Resource(schema.GroupVersionResource{Group: "cache.azure.armature.dev", Version: "v20241101storage",
		Resource: "redis"}).Namespace("default")
	_, err = redis.Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// The demo, which is installed, serves all versions of cache, and the release the
// newest ones.
func testServesLess(t *testing.T) {
	a := newAdministrator(t)
	a.install(t, read(t, "demo", release.NewAuthority(t)), release.NewAuthority(t))
	apply := func(named string) error {
		for _, o := range render(t, read(t, "host", release.NewAuthority(t)), "ca-bundle/cache") {
			if o.GetName() != "redis.cache.azure.armature.dev" {
				continue
			}
			o.SetAnnotations(map[string]string{annotation.StopServing: named})
			_, err := a.client.Resource(crds).Apply(t.Context(), o.GetName(), &o.Unstructured,
				metav1.ApplyOptions{FieldManager: "kubectl", DryRun: []string{metav1.DryRunAll}})
			return err
		}
		t.Fatal("the release has no CRD of Redis")
		return nil
	}
	cluster.AwaitDenied(t, func() error { return apply("") })
	for named, want := range map[string]string{
		"": "this stops serving v20240301, v20200601, v20171001, v20170201, v1alpha1api20171001, " +
			"v1alpha1api20200601, at which",
		"v20170201,v1alpha1api20171001": "this stops serving v20240301, v20200601, v20171001, " +
			"v1alpha1api20200601, at which clients and other objects may refer to redis: run armature serve",
		"v1alpha1api20171001,v1alpha1api20200601,v20171001,v20170201,v20200601,v20240301": "",
	} {
		if err := apply(named); err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("named %q: error = %v, want %q", named, err, want)
		}
	}
}

// firstUpgrade matches the commands of docs/upgrades.md for CRDs that were installed
// without the policy of served versions.
var firstUpgrade = regexp.MustCompile("(?m)^```sh\n" +
	`kubectl apply --server-side -f release/(\S+)\n` +
	`kubectl patch crd (\S+) --type=json --dry-run=server -p '(.*)'\n` +
	"```$")

// testFirstUpgrade does what the commands say, where somebody has removed the policy.
func testFirstUpgrade(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "upgrades.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := firstUpgrade.FindAllStringSubmatch(string(page), -1)
	if len(commands) != 1 {
		t.Fatalf("found %d blocks in docs/upgrades.md, want one that %v matches", len(commands), firstUpgrade)
	}
	file, crd, patch := commands[0][1], commands[0][2], commands[0][3]
	a := newAdministrator(t)
	r := read(t, "host", release.NewAuthority(t))
	a.install(t, read(t, "demo", release.NewAuthority(t)), release.NewAuthority(t))
	ended := func() error {
		_, err := a.client.Resource(crds).Patch(t.Context(), crd, types.JSONPatchType, []byte(patch),
			metav1.PatchOptions{FieldManager: "kubectl-patch", DryRun: []string{metav1.DryRunAll}})
		return err
	}
	_, group, _ := strings.Cut(crd, ".")
	policy := "served-versions." + group
	for _, kind := range []string{"validatingadmissionpolicybindings", "validatingadmissionpolicies"} {
		resource := a.client.Resource(schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: kind})
		all, err := resource.List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range all.Items {
			if !strings.HasSuffix(o.GetName(), policy) { // also under another name of an installation
				continue
			}
			if err := resource.Delete(t.Context(), o.GetName(), metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	await.Until(t, "the patch passes without the policy", ended)
	text, err := os.ReadFile(filepath.Join(r.Folder, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	for from := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096); ; {
		o := &unstructured.Unstructured{}
		if err := from.Decode(o); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		a.apply(t, o)
	}
	cluster.AwaitDenied(t, ended, "'"+policy+"'")
}

// install starts the image's program and applies the groups of the demo. The
// CRDs are as kustomize made them, except for the webhook's URL, which replaces
// the Service.
func (a *administrator) install(t *testing.T, r *release.Release, authority *release.Authority) {
	t.Helper()
	var deployment *appsv1.Deployment
	for _, o := range render(t, r, "ca-bundle/webhook") {
		if o.GetKind() == "Deployment" {
			deployment = release.As[appsv1.Deployment](t, o)
		}
	}
	webhook := r.Start(t, authority, deployment.Spec.Template.Spec.Containers[0].Args...)
	for _, group := range applied {
		for _, o := range render(t, r, path.Join("ca-bundle", group)) {
			if o.GetKind() == "CustomResourceDefinition" {
				client := []string{"spec", "conversion", "webhook", "clientConfig"}
				unstructured.RemoveNestedField(o.Object, append(client, "service")...)
				if err := unstructured.SetNestedField(o.Object, "https://"+webhook.Address+"/convert",
					append(client, "url")...); err != nil {
					t.Fatal(err)
				}
			}
			a.apply(t, &o.Unstructured)
		}
	}
}

// account is the operator's, as the API server names it.
const account = "system:serviceaccount:armature-system:armature-operator"

// testOperator runs the operator's program with the account of its pods, against
// the stand-in for ARM.
func testOperator(t *testing.T) {
	authority := release.NewAuthority(t)
	r := read(t, "demo", authority)
	a := newAdministrator(t)
	a.install(t, r, authority)
	var deployment *appsv1.Deployment
	for _, o := range render(t, r, "operator") {
		a.apply(t, &o.Unstructured)
		if o.GetKind() == "Deployment" {
			deployment = release.As[appsv1.Deployment](t, o)
		}
	}
	azure, err := armtest.New(os.DirFS(filepath.Join("..", "..", "..", "apis")))
	if err != nil {
		t.Fatal(err)
	}
	url, err := azure.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { azure.Close() })
	health := r.StartOperator(t, kubeconfig(t), append(deployment.Spec.Template.Spec.Containers[0].Args,
		"--namespace="+deployment.Namespace, "--arm-endpoint="+url)...)

	secrets := a.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace("default")
	create(t, secrets, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "armature-credential"},
	}})
	redis := a.client.Resource(schema.GroupVersionResource{Group: "cache.azure.armature.dev", Version: "v20241101",
		Resource: "redis"}).Namespace("default")
	object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "cache.azure.armature.dev/v20241101",
		"kind": "Redis", "spec": map[string]any{
			"owner": map[string]any{"armId": "/subscriptions/s/resourceGroups/shop"}, "location": "westeurope",
			"sku":          map[string]any{"name": "Basic", "family": "C", "capacity": int64(1)},
			"operatorSpec": map[string]any{"secrets": map[string]any{"primaryKey": map[string]any{"name": "sessions", "key": "REDIS_KEY"}}},
		}}}
	object.SetName("sessions")
	create(t, redis, object)
	await.Until(t, "the resource is ready", func() error {
		o, err := redis.Get(t.Context(), "sessions", metav1.GetOptions{})
		if err != nil {
			return err
		}
		conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		if len(conditions) != 1 || conditions[0].(map[string]any)["status"] != "True" {
			return fmt.Errorf("it has the conditions %v", conditions)
		}
		return nil
	})
	if len(azure.IDs()) != 1 {
		t.Errorf("ARM has %q", azure.IDs())
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		response, err := http.Get("http://" + health + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
	a.keepsOutputs(t, redis)
	config := rest.CopyConfig(server.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: account}
	operator, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := operator.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace("default").Delete(
		t.Context(), "armature-credential", metav1.DeleteOptions{}); !cluster.IsDenied(err) {
		t.Errorf("the operator may delete the Secret of a credential: %v", err)
	}
	theirs := operator.Resource(schema.GroupVersionResource{Group: "cache.azure.armature.dev", Version: "v20241101",
		Resource: "redis"}).Namespace("default")
	if err := theirs.Delete(t.Context(), "sessions", metav1.DeleteOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("the operator may delete an object: %v", err)
	}
	if err := redis.Delete(t.Context(), "sessions", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, redis, "sessions")
	await.True(t, "the resource is gone", func() bool { return len(azure.IDs()) == 0 })
	await.Until(t, "the Secret has no finalizer any longer", func() error {
		o, err := secrets.Get(t.Context(), "armature-credential", metav1.GetOptions{})
		if err == nil && len(o.GetFinalizers()) > 0 {
			err = fmt.Errorf("it has %q", o.GetFinalizers())
		}
		return err
	})
}

// keepsOutputs checks that the operator creates, changes and deletes the outputs of the object sessions, whatever
// somebody else does to them.
func (a *administrator) keepsOutputs(t *testing.T, redis dynamic.ResourceInterface) {
	t.Helper()
	outputs := a.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace("default")
	has := func(what, name string) {
		t.Helper()
		await.Until(t, what, func() error {
			o, err := outputs.Get(t.Context(), name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			data, _, _ := unstructured.NestedMap(o.Object, "data")
			if len(data) != 1 || data["REDIS_KEY"] == nil || data["REDIS_KEY"] == "eA==" || o.GetLabels()[annotation.OutputOf] == "" {
				return fmt.Errorf("it has the labels %v and the data %v", o.GetLabels(), data)
			}
			return nil
		})
	}
	has("there is an output", "sessions")
	for _, patch := range []string{`{"data":{"REDIS_KEY":"eA=="}}`, `{"data":{"more":"eA=="}}`, `{"metadata":{"labels":null}}`} {
		if _, err := outputs.Patch(t.Context(), "sessions", types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
		has("it is mended after "+patch, "sessions")
	}
	const patch = `{"spec":{"operatorSpec":{"secrets":{"primaryKey":{"name":"renamed"}}}}}`
	if _, err := redis.Patch(t.Context(), "sessions", types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	has("there is an output under the other name", "renamed")
	awaitGone(t, outputs, "sessions")
}

// kubeconfig writes a kubeconfig of the operator's account.
func kubeconfig(t *testing.T) string {
	t.Helper()
	config, err := clientcmd.Load(server.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range config.AuthInfos {
		user.Impersonate = account
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// awaitGone waits until there is no object of a name.
func awaitGone(t *testing.T, resource dynamic.ResourceInterface, name string) {
	t.Helper()
	await.Until(t, name+" is gone", func() error {
		o, err := resource.Get(t.Context(), name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			return nil
		case err != nil:
			return err
		}
		return fmt.Errorf("its status is %v", o.Object["status"])
	})
}

// The steps of the README: `kubectl delete -k` of each group, and then of the
// operator and the webhook. They work as well while no webhook answers.
func testUninstall(t *testing.T) {
	for _, when := range []string{"while the webhook answers", "after the webhook has gone"} {
		t.Run(when, func(t *testing.T) {
			authority := release.NewAuthority(t)
			r := read(t, "demo", authority)
			a := newAdministrator(t)
			install := func(t *testing.T) {
				a.install(t, r, authority)
				object := &unstructured.Unstructured{Object: map[string]any{
					"spec": map[string]any{"owner": map[string]any{"name": "people"}, "firstName": "Ada"},
				}}
				object.SetAPIVersion("crm.azure.armature.dev/v20130303")
				object.SetKind("Person")
				object.SetName("ada")
				persons := schema.GroupVersionResource{Group: "crm.azure.armature.dev", Version: "v20130303", Resource: "persons"}
				retry(t, a.client.Resource(persons).Namespace("default"), object)
			}
			if when == "while the webhook answers" {
				install(t)
			} else {
				t.Run("install", install) // at whose end the webhook stops
			}
			a.remove(t, r)
		})
	}
}

// remove deletes what install and the other tests have applied.
func (a *administrator) remove(t *testing.T, r *release.Release) {
	t.Helper()
	var folders []string
	for _, group := range applied {
		folders = append(folders, "ca-bundle/"+group)
	}
	shared := []string{"operator", "ca-bundle/webhook"}
	for _, folder := range append(folders, shared...) {
		for _, o := range render(t, r, folder) {
			mapping, err := a.mapper.RESTMapping(o.GroupVersionKind().GroupKind(), o.GroupVersionKind().Version)
			if err != nil {
				t.Fatal(err)
			}
			resource := a.client.Resource(mapping.Resource).Namespace(o.GetNamespace())
			if o.GetKind() == "CustomResourceDefinition" {
				permit := fmt.Appendf(nil, `{"metadata": {"annotations": {%q: %q}}}`, annotation.Deletion, annotation.DeletionDelete)
				if _, err := resource.Patch(t.Context(), o.GetName(), types.MergePatchType, permit, metav1.PatchOptions{}); err != nil {
					t.Errorf("%v: %v", o, err)
				}
			}
			if err := resource.Delete(t.Context(), o.GetName(), metav1.DeleteOptions{}); err != nil &&
				(!slices.Contains(shared, folder) || !apierrors.IsNotFound(err)) {
				t.Errorf("%v: %v", o, err)
			}
			if o.GetKind() != "Namespace" { // which a controller empties, and here is none
				awaitGone(t, resource, o.GetName())
			}
		}
	}
}

// create creates an object, until the test ends.
func create(t *testing.T, resource dynamic.ResourceInterface, object *unstructured.Unstructured) {
	t.Helper()
	retry(t, resource, object)
	t.Cleanup(func() { resource.Delete(context.Background(), object.GetName(), metav1.DeleteOptions{}) })
}

// retry creates an object. It tries again until the API server serves the
// version and uses the webhook's new URL.
func retry(t *testing.T, resource dynamic.ResourceInterface, object *unstructured.Unstructured) {
	t.Helper()
	await.Until(t, object.GetName()+" is created", func() error {
		_, err := resource.Create(t.Context(), object, metav1.CreateOptions{})
		return err
	})
}
