// Package helm installs the chart of a release on a real API server, with Helm's own library. The server runs no
// Deployments, so nothing waits for them, and the image's program runs beside it.
package helm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	helmcmd "helm.sh/helm/v4/pkg/cmd"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content/oci"
	"oras.land/oras-go/v2/registry/remote"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/tests/e2e/cluster"
	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tools/controlplane"
	"github.com/armature-dev/armature/tools/publish/kubernetes"
)

var (
	// server is the API server that all tests share, and kubeconfig a file with its administrator.
	server     *cluster.Cluster
	kubeconfig string
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if os.Getenv("ARMATURE_RELEASES") == "" {
		return 0, errors.New("ARMATURE_RELEASES is not set: run .ci/helm, which builds the releases")
	}
	folder, err := os.MkdirTemp("", "helm-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	if server, err = cluster.Start(); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	kubeconfig = filepath.Join(folder, "kubeconfig")
	if err := os.WriteFile(kubeconfig, server.Kubeconfig, 0o600); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// read reads the output of a target in //release.
func read(t *testing.T, name string) *release.Release {
	t.Helper()
	return release.Read(t, filepath.Join(os.Getenv("ARMATURE_RELEASES"), name))
}

// helm runs a command line of Helm, and returns what it prints.
func helm(t *testing.T, args ...string) (string, error) {
	t.Helper()
	args = append(args, "--kubeconfig="+kubeconfig)
	var out bytes.Buffer
	command, err := helmcmd.NewRootCmd(&out, args, helmcmd.SetupLogging)
	if err != nil {
		t.Fatal(err)
	}
	command.SetArgs(args)
	command.SilenceErrors = true
	err = command.ExecuteContext(context.Background()) // cleanups run commands too
	return out.String(), err
}

// must returns what a command prints that has to succeed.
func must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := helm(t, args...)
	if err != nil {
		t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// object is an object of a release of the chart, and text its YAML.
type object struct {
	unstructured.Unstructured
	text string
}

// objectsOf returns the objects of an installation.
func objectsOf(t *testing.T, namespace string) []object {
	t.Helper()
	var objects []object
	for _, text := range strings.Split("\n"+must(t, "get", "manifest", "armature", "--namespace="+namespace), "\n---\n") {
		o := object{text: text}
		if err := yaml.UnmarshalStrict([]byte(text), &o.Object); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if len(o.Object) > 0 {
			objects = append(objects, o)
		}
	}
	if len(objects) == 0 {
		t.Fatal("the chart has no objects")
	}
	return objects
}

// get returns an object as it is in the cluster, or nil if it is absent.
func get(t *testing.T, o *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	groups, err := restmapper.GetAPIGroupResources(server.Discovery)
	if err != nil {
		t.Fatal(err)
	}
	mapping, err := restmapper.NewDiscoveryRESTMapper(groups).RESTMapping(o.GroupVersionKind().GroupKind(), o.GroupVersionKind().Version)
	if err != nil {
		t.Fatal(err)
	}
	resource := dynamic.ResourceInterface(server.Client.Resource(mapping.Resource))
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		resource = server.Client.Resource(mapping.Resource).Namespace(o.GetNamespace())
	}
	found, err := resource.Get(t.Context(), o.GetName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// lifecycle is what becomes of an installation of the chart with the group crm.
type lifecycle struct {
	r                          *release.Release
	namespace, prefix, variant string
	// values are flags beside those of the README.
	values []string

	objects []object
	crds    []*apiextensionsv1.CustomResourceDefinition
	person  *unstructured.Unstructured
}

// The steps of the README install the chart, upgrade it, take it back and remove it. CRDs and objects outlive it.
func TestLifecycle(t *testing.T) {
	t.Run("with certificates from elsewhere", func(t *testing.T) {
		(&lifecycle{r: read(t, "demo"), namespace: "armature-system", variant: "ca-bundle",
			values: []string{"--set=certManager=false"}}).run(t)
	})
	t.Run("with cert-manager, another namespace and a prefix", func(t *testing.T) {
		t.Cleanup(installCertManager(t))
		(&lifecycle{r: read(t, "demo"), namespace: "azure-system", prefix: "azure-", variant: "cert-manager",
			values: []string{"--set=namePrefix=azure-"}}).run(t)
	})
}

func (l *lifecycle) run(t *testing.T) {
	steps := l.steps(t)
	l.step(t, steps["install"][0], append(l.values, "--create-namespace")...)
	t.Cleanup(func() { helm(t, "uninstall", "armature", "--namespace="+l.namespace, "--ignore-not-found") })
	l.objects = objectsOf(t, l.namespace)
	for _, o := range l.objects {
		if get(t, &o.Unstructured) == nil {
			t.Errorf("%s %s is not in the cluster", o.GetKind(), o.GetName())
		}
	}
	l.installCRDs(t)
	l.makePerson(t)
	l.checkPolicies(t)
	webhook, operator := l.image(t, "webhook"), l.image(t, "operator")
	if !strings.HasPrefix(operator, "registry.example.com/armature-operator@sha256:") {
		t.Errorf("the operator has the image %s, want the README's with the digest of the release", operator)
	}

	l.forget(t, newFlag)
	l.step(t, steps["upgrade"][0], "--set=webhook.image=registry.example.com/webhook:2,webhook.replicas=3")
	if got := l.image(t, "webhook"); got != "registry.example.com/webhook:2" || l.image(t, "operator") != operator {
		t.Errorf("after the first upgrade the images are %s and %s", got, l.image(t, "operator"))
	}
	if flags := l.flags(t, "operator"); slices.Contains(flags, newFlag) {
		t.Errorf("after the first upgrade the operator has the flags %q, of which its program does not know %s", flags, newFlag)
	}
	l.step(t, steps["upgrade"][1], "--set=operator.replicas=1")
	if flags := l.flags(t, "operator"); !slices.Contains(flags, newFlag) {
		t.Errorf("after the upgrades the operator has the flags %q, want %s", flags, newFlag)
	}
	if l.replicas(t, "webhook") != 3 || l.replicas(t, "operator") != 1 {
		t.Errorf("after the upgrades there are %d and %d replicas, want 3 and 1", l.replicas(t, "webhook"), l.replicas(t, "operator"))
	}
	l.step(t, steps["rollback"][0])
	if l.image(t, "webhook") != "registry.example.com/webhook:2" || l.replicas(t, "operator") != 2 {
		t.Errorf("after the first rollback the image is %s, and there are %d replicas", l.image(t, "webhook"), l.replicas(t, "operator"))
	}
	must(t, "rollback", "armature", "1", "--namespace="+l.namespace)
	if l.image(t, "webhook") != webhook || l.replicas(t, "webhook") != 2 {
		t.Errorf("after the second rollback the image is %s, and there are %d replicas", l.image(t, "webhook"), l.replicas(t, "webhook"))
	}
	l.checkKept(t, "the upgrades and rollbacks")

	l.step(t, steps["uninstall"][0])
	for _, o := range l.objects {
		if get(t, &o.Unstructured) != nil {
			t.Errorf("%s %s is still there", o.GetKind(), o.GetName())
		}
	}
	l.checkKept(t, "the removal")
}

// steps returns the command lines of Helm in the README, by command.
func (l *lifecycle) steps(t *testing.T) map[string][]string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(l.r.Folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string][]string{}
	lines := strings.ReplaceAll(string(readme), "\\\n", "")
	helm := regexp.MustCompile("(?:\n|`)helm ((install|upgrade|rollback|uninstall) [^`\n]*)")
	for _, found := range helm.FindAllStringSubmatch(lines, -1) {
		steps[found[2]] = append(steps[found[2]], found[1])
	}
	for command, want := range map[string]int{"install": 1, "upgrade": 2, "rollback": 1, "uninstall": 1} {
		if len(steps[command]) != want {
			t.Fatalf("the README has the steps %q, want %d times %s", steps[command], want, command)
		}
	}
	return steps
}

// step runs a command line of the README in the namespace of the installation, with more flags.
func (l *lifecycle) step(t *testing.T, line string, flags ...string) {
	t.Helper()
	line = strings.NewReplacer("release/chart", filepath.Join(l.r.Folder, "chart"), "armature-system", l.namespace,
		"'groups={cache,storage}'", "groups={crm}").Replace(line)
	must(t, append(strings.Fields(line), flags...)...)
}

// deployment returns the Deployment of a program.
func (l *lifecycle) deployment(t *testing.T, program string) map[string]any {
	t.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment"}}
	o.SetNamespace(l.namespace)
	o.SetName(l.prefix + "armature-" + program)
	if o = get(t, o); o == nil {
		t.Fatalf("there is no Deployment of the %s", program)
	}
	return o.Object
}

func (l *lifecycle) container(t *testing.T, program string) map[string]any {
	t.Helper()
	containers, _, _ := unstructured.NestedSlice(l.deployment(t, program), "spec", "template", "spec", "containers")
	return containers[0].(map[string]any)
}

func (l *lifecycle) image(t *testing.T, program string) string {
	t.Helper()
	image, _, _ := unstructured.NestedString(l.container(t, program), "image")
	return image
}

// newFlag is one that the operator of the former release does not know.
const newFlag = "--webhook-keys=armature-webhook-keys"

func (l *lifecycle) flags(t *testing.T, program string) []string {
	t.Helper()
	flags, _, _ := unstructured.NestedStringSlice(l.container(t, program), "args")
	return flags
}

// forget makes the operator of the cluster that of a release without a flag, which Helm has applied.
func (l *lifecycle) forget(t *testing.T, flag string) {
	t.Helper()
	isOperator := func(o object) bool { return o.GetKind() == "Deployment" && o.GetName() == l.prefix+"armature-operator" }
	older := l.objects[slices.IndexFunc(l.objects, isOperator)].DeepCopy()
	containers, _, _ := unstructured.NestedSlice(older.Object, "spec", "template", "spec", "containers")
	isFlag := func(of any) bool { return of == flag }
	operator := containers[0].(map[string]any)
	operator["args"] = slices.DeleteFunc(operator["args"].([]any), isFlag)
	if err := unstructured.SetNestedSlice(older.Object, containers, "spec", "template", "spec", "containers"); err != nil {
		t.Fatal(err)
	}
	deployments := server.Client.Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"})
	helm := metav1.ApplyOptions{FieldManager: filepath.Base(os.Args[0])} // Helm names itself after its program
	_, err := deployments.Namespace(l.namespace).Apply(t.Context(), older.GetName(), older, helm)
	if err != nil {
		t.Fatal(err)
	}
}

func (l *lifecycle) replicas(t *testing.T, program string) int64 {
	t.Helper()
	replicas, _, _ := unstructured.NestedInt64(l.deployment(t, program), "spec", "replicas")
	return replicas
}

// installCRDs applies the CRDs of the group, as the README says. They must name the Service of the chart; but what
// answers is the program of the image, beside the API server.
func (l *lifecycle) installCRDs(t *testing.T) {
	t.Helper()
	authority := release.NewAuthority(t)
	l.r.Add(t, "ca-bundle/ca/ca.crt", string(authority.Bundle))
	folder := l.variant + "/crds/crm"
	if l.prefix != "" {
		l.r.Add(t, "mine/kustomization.yaml", strings.ReplaceAll(l.r.Example(t, "path: /spec/conversion"), "/cache", "/crm"))
		folder = "mine"
	}
	objects, err := l.r.Render(folder)
	if err != nil {
		t.Fatal(err)
	}
	arguments, _, _ := unstructured.NestedStringSlice(l.container(t, "webhook"), "args")
	webhook := l.r.Start(t, authority, arguments...)
	conversion := controlplane.ConversionAt(webhook.Address, authority.Bundle)
	for _, o := range objects {
		crd := release.As[apiextensionsv1.CustomResourceDefinition](t, o)
		to := crd.Spec.Conversion.Webhook.ClientConfig.Service
		service := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Service"}}
		service.SetNamespace(to.Namespace)
		service.SetName(to.Name)
		if get(t, service) == nil {
			t.Errorf("%s converts through %s/%s, which the chart does not have", crd.Name, to.Namespace, to.Name)
		}
		l.crds = append(l.crds, crd)
	}
	if err := server.ControlPlane.Install(t.Context(), conversion, l.crds...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Uninstall(t, l.crds...) })
	for i, crd := range l.crds {
		if l.crds[i], err = server.CRDs.Get(t.Context(), crd.Name, metav1.GetOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// persons returns a client of a version, for a user or, without a name, for the administrator.
func persons(t *testing.T, version, user string) dynamic.ResourceInterface {
	t.Helper()
	config := rest.CopyConfig(server.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	persons := schema.GroupVersionResource{Group: "crm.azure.armature.dev", Version: version, Resource: "persons"}
	return client.Resource(persons).Namespace("default")
}

func newPerson(name, version string, spec map[string]any) *unstructured.Unstructured {
	person := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	person.SetAPIVersion("crm.azure.armature.dev/" + version)
	person.SetKind("Person")
	person.SetNamespace("default")
	person.SetName(name)
	return person
}

func (l *lifecycle) makePerson(t *testing.T) {
	t.Helper()
	const version = "v20130303"
	await.Until(t, "a Person is made", func() (err error) {
		l.person, err = persons(t, version, "").Create(t.Context(), newPerson("ada", version, map[string]any{
			"owner": map[string]any{"name": "people"}, "firstName": "Ada", "lastName": "Byron",
		}), metav1.CreateOptions{})
		return err
	})
}

// checkPolicies checks that the chart has the policies of the group and of the operator, that the former deny what they
// shall, and that the roles of the chart have the right that a denial names.
func (l *lifecycle) checkPolicies(t *testing.T) {
	t.Helper()
	want, got := []string{l.prefix + "armature-operator-writes"}, []string(nil)
	for line := range strings.Lines(cluster.ReadPolicies(t, filepath.Join(l.r.Folder, "base", "groups", "crm", "crds"))) {
		if policy, found := strings.CutPrefix(line, "  policyName: "); found {
			want = append(want, l.prefix+strings.TrimSpace(policy))
		}
	}
	for _, o := range l.objects {
		if o.GetKind() == "ValidatingAdmissionPolicy" {
			got = append(got, o.GetName())
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) < 5 || !slices.Equal(want, got) {
		t.Fatalf("the chart has the policies %q, want %q", got, want)
	}

	t.Cleanup(server.Apply(t, release.Editors("crm", l.namespace, l.prefix)))
	dryRun := []string{metav1.DryRunAll}
	write := func(user string) error {
		const hub = "v20211111storage"
		_, err := persons(t, hub, user).Create(t.Context(), newPerson("grace", hub, map[string]any{}), metav1.CreateOptions{DryRun: dryRun})
		return err
	}
	cluster.AwaitDenied(t, func() error { return write("editor") }, "'"+l.prefix+"storage-versions.crm.azure.armature.dev'",
		"a role with the verb write on storageversions.armature.dev")
	await.Until(t, "the operator may", func() error {
		return write("system:serviceaccount:" + l.namespace + ":" + l.prefix + "armature-operator")
	})
	moved := l.person.DeepCopy()
	if err := unstructured.SetNestedField(moved.Object, "others", "spec", "owner", "name"); err != nil {
		t.Fatal(err)
	}
	cluster.AwaitDenied(t, func() error {
		_, err := persons(t, moved.GroupVersionKind().Version, "editor").Update(t.Context(), moved, metav1.UpdateOptions{DryRun: dryRun})
		return err
	}, "the owner cannot be changed")
}

// checkKept checks that the CRDs and the object are the ones that were made.
func (l *lifecycle) checkKept(t *testing.T, after string) {
	t.Helper()
	for _, crd := range l.crds {
		found, err := server.CRDs.Get(t.Context(), crd.Name, metav1.GetOptions{})
		if err != nil || found.UID != crd.UID || found.DeletionTimestamp != nil {
			t.Fatalf("%s after %s: %v", crd.Name, after, err)
		}
	}
	person := get(t, l.person)
	if person == nil || person.GetUID() != l.person.GetUID() || person.GetDeletionTimestamp() != nil {
		t.Errorf("the object after %s: %v", after, person)
	}
}

// Values that the chart does not have are refused before anything is installed.
func TestValues(t *testing.T) {
	chart := filepath.Join(read(t, "demo").Folder, "chart")
	for set, want := range map[string]string{
		"operator.replica=1":                  "replica",
		"groups={crm,storge}":                 "/groups/1",
		"namePrefix=Azure-":                   "/namePrefix",
		"operator.args={--a,b}":               "/operator/args/1",
		"webhook.image=":                      "/webhook/image",
		"certManager=yes":                     "/certManager",
		"imagePullSecrets[0].a=b":             "/imagePullSecrets/0",
		"operator.env[0].name=A":              "/operator/env/0",
		"webhook.egress=all":                  "/webhook/egress",
		"labels.app\\.kubernetes\\.io/name=x": "propertyName 'app.kubernetes.io/name'",
		"operator.tolerations={a}":            "/operator/tolerations/0",
		"operator.namespaces={A}":             "/operator/namespaces/0",
		"operator.bindSecrets=no":             "/operator/bindSecrets",
	} {
		if out, err := helm(t, "template", "armature", chart, "--set="+set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: found %v, want an error about %s\n%s", set, err, want, out)
		}
	}
}

// most is how many bytes the Secret of a release may have here, three quarters of what Kubernetes permits.
const most = 768 << 10

// Helm keeps each release in a Secret. That of all groups must leave room to grow.
func TestSize(t *testing.T) {
	r := read(t, "host")
	chart := filepath.Join(r.Folder, "chart")
	must(t, "install", "armature", chart, "--namespace=armature-size", "--create-namespace", "--set=certManager=false")
	defer must(t, "uninstall", "armature", "--namespace=armature-size")
	objects := objectsOf(t, "armature-size")
	secrets := server.Client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace("armature-size")
	secret, err := secrets.Get(t.Context(), "sh.helm.release.v1.armature.v1", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data, _, _ := unstructured.NestedString(secret.Object, "data", "release")
	kept := len(data) / 4 * 3 // which the API shows in base64
	t.Logf("%d groups, %d objects: the Secret has %d KiB of 1024", len(r.Groups(t)), len(objects), kept>>10)
	if kept > most {
		t.Errorf("the Secret has %d bytes, want at most %d", kept, most)
	}
}

// The chart of a release page is installed from its file, and from a registry to which its OCI layout was pushed.
func TestPacked(t *testing.T) {
	archive, err := os.ReadFile(filepath.Join(os.Getenv("ARMATURE_RELEASES"), "demo.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	const images = "registry.example.com/azure"
	from, err := kubernetes.New(archive, images)
	if err != nil {
		t.Fatal(err)
	}
	chart, err := from.Chart()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "chart.tgz")
	if err := os.WriteFile(file, chart.Archive, 0o644); err != nil {
		t.Fatal(err)
	}
	metadata, err := os.ReadFile(filepath.Join(os.Getenv("ARMATURE_RELEASES"), "demo", "chart", "Chart.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	number := string(regexp.MustCompile(`(?m)^version: (.*)$`).FindSubmatch(metadata)[1])
	const namespace = "packed"
	for _, test := range []struct {
		name, from string
		flags      []string
	}{
		{"from its file", file, nil},
		{"from a registry", "oci://" + push(t, chart, number), []string{"--plain-http"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			must(t, append([]string{"install", "armature", test.from, "--namespace=" + namespace, "--create-namespace",
				"--set=certManager=false,groups={crm}"}, test.flags...)...)
			t.Cleanup(func() { must(t, "uninstall", "armature", "--namespace="+namespace) })
			for _, program := range []string{"webhook", "operator"} {
				want := regexp.MustCompile(`image: "?` + images + "/armature-" + program + `@sha256:[0-9a-f]{64}"?\n`)
				if !slices.ContainsFunc(objectsOf(t, namespace), func(o object) bool { return want.MatchString(o.text) }) {
					t.Errorf("no object has an image %v", want)
				}
			}
			out := must(t, "list", "--namespace="+namespace, "-o=json")
			if want := `"chart":"armature-` + number + `","app_version":"` + number + `"`; !strings.Contains(out, want) {
				t.Errorf("want %s in %s", want, out)
			}
		})
	}
}

// push pushes a version of a chart to a registry in memory, and returns where it is.
func push(t *testing.T, chart *kubernetes.Chart, version string) string {
	t.Helper()
	files, err := chart.Layout()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	from, err := oci.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	to, err := remote.NewRepository(strings.TrimPrefix(server.URL, "http://") + "/charts/armature")
	if err != nil {
		t.Fatal(err)
	}
	to.PlainHTTP = true
	if _, err := oras.Copy(t.Context(), from, version, to, version, oras.DefaultCopyOptions); err != nil {
		t.Fatal(err)
	}
	return to.Reference.String()
}
