// Package gitops has the libraries of Argo CD and of Flux manage objects of Armature on a real API server, with the
// operator, the webhook and the policies of some groups as programs, and a stand-in for ARM. .ci/gitops builds these,
// and docs/gitops.md says what was run.
package gitops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/sirupsen/logrus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/tools/demo/stage"
)

// namespace is where all objects are.
const namespace = "default"

var (
	// play is what all tests share: they run one after the other, and leave nothing.
	play *stage.Stage
	// config is that of an administrator, as Argo CD and Flux are by default.
	config *rest.Config
	client dynamic.Interface
	// toARM is before ARM.
	toARM = &gate{}
	// kinds are those of the groups, by group and kind, and samples has a manifest of each.
	kinds   = map[schema.GroupKind]*kind{}
	samples *sample.Catalog
)

// kind is a kind of the cluster.
type kind struct {
	sample.Kind
	plural string
	// newest is the version that a client gets that names none, and oldest the first one that ARM had. They are the
	// same if the kind has one version.
	newest, oldest string
}

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	logrus.SetOutput(io.Discard)
	for _, name := range []string{"ARMATURE_GITOPS", "ARMATURE_GROUPS", "ARMATURE_CONTROLLER_MANAGER", "KUBEBUILDER_ASSETS"} {
		if os.Getenv(name) == "" {
			return 0, fmt.Errorf("%s is not set: run .ci/gitops, which builds what it names", name)
		}
	}
	play, err = stage.New()
	defer func() { err = errors.Join(err, play.Stop()) }()
	if err == nil {
		err = start(context.Background(), os.Getenv("ARMATURE_GITOPS"), strings.Split(os.Getenv("ARMATURE_GROUPS"), ","))
	}
	if err != nil {
		return 0, err
	}
	code = m.Run()
	if code != 0 {
		for _, program := range []string{"operator", "webhook", "kube-controller-manager"} {
			text, _ := os.ReadFile(play.LogOf(program))
			lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
				return strings.Contains(line, `"level":"DEBUG`)
			})
			fmt.Printf("\n--- the last lines of %s:\n%s", program, strings.Join(lines[max(len(lines)-30, 0):], "\n"))
		}
	}
	return code, err
}

// start starts everything for some groups, of which bin has what Bazel has built.
func start(ctx context.Context, bin string, groups []string) error {
	if err := play.StartControlPlane(os.Getenv("KUBEBUILDER_ASSETS"), 0); err != nil {
		return err
	}
	specs := filepath.Join(play.Folder, "specs")
	var folders []string
	for _, group := range groups {
		if err := os.CopyFS(filepath.Join(specs, group), os.DirFS(filepath.Join("..", "..", "apis", group, "specs"))); err != nil {
			return err
		}
		folders = append(folders, filepath.Join(bin, "apis", group, "crds"))
	}
	if err := readKinds(bin, groups); err != nil {
		return err
	}
	var err error
	if config, err = clientcmd.RESTConfigFromKubeConfig(play.ControlPlane.Kubeconfig); err != nil {
		return err
	}
	config.QPS, config.WarningHandler = -1, rest.NoWarnings{} // old versions are deprecated
	if client, err = dynamic.NewForConfig(config); err != nil {
		return err
	}
	program := func(name string) string { return filepath.Join(bin, "tools", name, name+"_", name) }
	for _, step := range []func() error{
		func() error { return play.StartARM(specs) },
		func() error {
			server := httptest.NewServer(toARM)
			play.ARMURL = server.URL
			play.Background(func(ctx context.Context) error {
				<-ctx.Done()
				server.Close()
				return nil
			})
			return nil
		},
		func() error { return play.RunWebhook(ctx, program("webhook")) },
		func() error { return play.Install(ctx, folders...) },
		func() error { return collectGarbage(os.Getenv("ARMATURE_CONTROLLER_MANAGER")) },
		func() error { return configureArgoCD(ctx) },
		func() error {
			return play.RunOperator(ctx, program("operator"), "--credential-namespace="+namespace, "--subscription="+stage.Subscription)
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// readKinds reads the kinds of groups and their samples.
func readKinds(bin string, groups []string) error {
	folders := map[string]string{}
	var all []sample.Kind
	for _, group := range groups {
		index, err := crd.ReadIndex(filepath.Join(bin, "apis", group, "crds", crd.IndexFile))
		if err != nil {
			return err
		}
		folders[index.Group] = filepath.Join(bin, "apis", group, "sample")
		for _, s := range index.CRDs {
			k := &kind{Kind: sample.Kind{Group: index.Group, Kind: s.Kind, ARMType: s.ARMType}, plural: s.Plural}
			var served []crd.Version
			for _, v := range s.Versions {
				if v.Served && v.APIVersion != "" {
					served = append(served, v)
				}
			}
			k.newest = slices.MaxFunc(served, func(a, b crd.Version) int {
				return version.CompareKubeAwareVersionStrings(a.Name, b.Name)
			}).Name
			k.oldest = slices.MinFunc(served, func(a, b crd.Version) int { return strings.Compare(a.APIVersion, b.APIVersion) }).Name
			kinds[schema.GroupKind{Group: index.Group, Kind: s.Kind}] = k
			all = append(all, k.Kind)
		}
	}
	samples = sample.NewCatalog(all, func(k sample.Kind, version string) ([]byte, error) {
		return os.ReadFile(filepath.Join(folders[k.Group], sample.File(k.Kind, version)))
	})
	return nil
}

// collectGarbage runs Kubernetes' own collector, without which an object that is deleted in the foreground stays.
func collectGarbage(program string) error {
	output, err := play.Log("kube-controller-manager")
	if err != nil {
		return err
	}
	play.Background(func(ctx context.Context) error {
		defer output.Close()
		command := exec.CommandContext(ctx, program, "--kubeconfig="+play.Kubeconfig(), "--leader-elect=false",
			"--bind-address=127.0.0.1", "--secure-port=0", "--controllers=garbage-collector-controller")
		command.Stdout, command.Stderr = output, output
		if err := command.Run(); ctx.Err() == nil {
			return fmt.Errorf("kube-controller-manager ended: %w", err)
		}
		return nil
	})
	return nil
}

// configureArgoCD makes the ConfigMap that docs/gitops.md names.
func configureArgoCD(ctx context.Context) error {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "argo-cd.yaml"))
	if err != nil {
		return err
	}
	var settings corev1.ConfigMap
	if err := yaml.UnmarshalStrict(text, &settings); err != nil {
		return err
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	of := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: settings.Namespace}}
	if _, err := clients.CoreV1().Namespaces().Create(ctx, of, metav1.CreateOptions{}); err != nil {
		return err
	}
	_, err = clients.CoreV1().ConfigMaps(settings.Namespace).Create(ctx, &settings, metav1.CreateOptions{})
	return err
}

// everything returns manifests of all kinds, at two versions each: objects of one name are at the newest version, and
// those of another one at the oldest. Secrets that they need are among them.
func everything(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	two := 0
	for _, k := range kinds {
		if k.oldest != k.newest {
			two++
		}
	}
	if two < 20 {
		t.Fatalf("found %d kinds with two versions, want 20", two)
	}
	t.Logf("%d kinds, %d of them at two versions", len(kinds), two)
	return append(manifests(t, "newsample", false), manifests(t, "oldsample", true)...)
}

// manifests returns manifests of kinds, by default of all, at their newest versions or at their oldest ones. All have
// one name.
func manifests(t *testing.T, name string, old bool, only ...string) []*unstructured.Unstructured {
	t.Helper()
	var all []*unstructured.Unstructured
	seen := map[string]bool{}
	byName := func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) }
	for _, id := range slices.SortedFunc(maps.Keys(kinds), byName) {
		k := kinds[id]
		if len(only) > 0 && !slices.Contains(only, k.Kind.Kind) {
			continue
		}
		at := "" // the newest one
		if old && k.oldest != k.newest {
			at = k.oldest
		}
		text, err := samples.Sample(k.Kind, at, false)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(strings.ReplaceAll(string(text), sample.Name, name), "---\n") {
			o := object(t, document)
			if !seen[nameOf(o)] {
				seen[nameOf(o)] = true
				all = append(all, o)
			}
		}
	}
	return all
}

// object returns the object of a text of YAML.
func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	encoded, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	if err := o.UnmarshalJSON(encoded); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.SetNamespace(namespace)
	return o
}

// nameOf returns the kind and the name of an object.
func nameOf(o *unstructured.Unstructured) string { return o.GetKind() + "/" + o.GetName() }

// copies returns deep copies: the libraries change what they are given.
func copies(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	var all []*unstructured.Unstructured
	for _, o := range objects {
		all = append(all, o.DeepCopy())
	}
	return all
}

// resources returns those objects that are of kinds of Armature.
func resources(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	return slices.DeleteFunc(slices.Clone(objects), func(o *unstructured.Unstructured) bool { return kindOf(o) == nil })
}

// deletable returns those objects whose resource is deleted with them. ARM deletes some resources only with what
// contains them.
func deletable(t *testing.T, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	all := slices.DeleteFunc(resources(objects), func(o *unstructured.Unstructured) bool {
		return strings.Contains(conditionsOf(get(t, o)), "StaysInAzure=True")
	})
	if len(all) < 40 {
		t.Errorf("%d objects are deleted in ARM, expected 40", len(all))
	}
	return all
}

// kindOf returns the kind of an object, or nil if it is none of Armature.
func kindOf(o *unstructured.Unstructured) *kind { return kinds[o.GroupVersionKind().GroupKind()] }

// at returns the client of an object at a version, or at its own for "".
func at(o *unstructured.Unstructured, version string) dynamic.ResourceInterface {
	plural, of := "secrets", o.GroupVersionKind().GroupVersion()
	if k := kindOf(o); k != nil {
		plural = k.plural
	}
	if version != "" {
		of.Version = version
	}
	return client.Resource(of.WithResource(plural)).Namespace(o.GetNamespace())
}

// get returns an object as the API server has it at the version of its manifest.
func get(t *testing.T, o *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	live, err := at(o, "").Get(t.Context(), o.GetName(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return live
}

// patch is somebody who changes an object at a version, or at its own for "".
func patch(t *testing.T, o *unstructured.Unstructured, version, manager, change string) {
	t.Helper()
	options := metav1.PatchOptions{FieldManager: manager}
	if _, err := at(o, version).Patch(t.Context(), o.GetName(), types.MergePatchType, []byte(change), options); err != nil {
		t.Fatalf("%s: %v", nameOf(o), err)
	}
}

// versionsOf returns the resource versions of objects, which say whether somebody has written them.
func versionsOf(t *testing.T, objects []*unstructured.Unstructured) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, o := range objects {
		found[nameOf(o)] = get(t, o).GetResourceVersion()
	}
	return found
}

// other returns the version of the kind of an object that the object is not at.
func other(o *unstructured.Unstructured) string {
	if k := kindOf(o); o.GroupVersionKind().Version == k.newest {
		return k.oldest
	}
	return kindOf(o).newest
}

// strangers change what the manifests do not say: they annotate and label all objects, at the other version of each.
func strangers(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	for _, o := range resources(objects) {
		patch(t, o, other(o), "stranger", fmt.Sprintf(`{"metadata": {"labels": {"team": "a"}, "annotations": {%q: %q}}}`,
			annotation.Refresh, time.Now()))
	}
	// The oldest version of a storage account has no such property.
	for _, o := range resources(objects) {
		if o.GetKind() == "StorageAccount" && o.GroupVersionKind().Version == kindOf(o).oldest {
			patch(t, o, kindOf(o).newest, "stranger", `{"spec": {"minimumTlsVersion": "TLS1_2"}}`)
			if _, found, _ := unstructured.NestedString(get(t, o).Object, "spec", "minimumTlsVersion"); found {
				t.Error("the oldest version of a storage account shows minimumTlsVersion, expected that it cannot")
			}
		}
	}
}

// hold has ARM take writes and end none of them until release is called.
func hold(t *testing.T) (release func()) {
	now := time.Now()
	play.ARM.Behave(armtest.Behavior{
		Rates:   armtest.Rates{armtest.AsyncOperation: 1, armtest.MissingParent: 1},
		Slowest: time.Second, Now: func() time.Time { return now },
	})
	t.Cleanup(behave)
	return behave
}

// gate refuses requests in place of ARM.
type gate struct{ refusal atomic.Pointer[refusal] }

// refusal is what ARM answers to the requests of a method for resources of a name.
type refusal struct {
	method, name string
	status       int
	code         string
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if is := g.refusal.Load(); is != nil && r.Method == is.method && strings.HasSuffix(strings.ToLower(r.URL.Path), "/"+is.name) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(is.status)
		fmt.Fprintf(w, `{"error": {"code": %q, "message": "This test refuses it."}}`, is.code)
		return
	}
	play.ARM.ServeHTTP(w, r)
}

// refuse has ARM refuse requests until allow is called.
func refuse(t *testing.T, is refusal) (allow func()) {
	allow = func() { toARM.refusal.Store(nil) }
	toARM.refusal.Store(&is)
	t.Cleanup(allow)
	return allow
}

// behave has ARM do at once what it is asked.
func behave() { play.ARM.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.MissingParent: 1}}) }

// patience is how long Flux may wait for something, none of which takes as long.
const patience = time.Hour

// gone waits until neither the cluster nor ARM has anything of some objects.
func gone(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	await.Until(t, "everything is deleted", func() error {
		var left []error
		for _, o := range objects {
			live, err := at(o, "").Get(t.Context(), o.GetName(), metav1.GetOptions{})
			if err == nil {
				err = fmt.Errorf("%s: %s", nameOf(o), conditionsOf(live))
			}
			left = append(left, ctrlclient.IgnoreNotFound(err))
		}
		if ids := play.ARM.IDs(); len(ids) > 0 {
			left = append(left, fmt.Errorf("ARM has %q", ids))
		}
		return errors.Join(left...)
	})
}

// conditionsOf returns the conditions of an object in one line.
func conditionsOf(o *unstructured.Unstructured) string {
	var lines []string
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, c := range conditions {
		c := c.(map[string]any)
		lines = append(lines, fmt.Sprintf("%v=%v %v: %v", c["type"], c["status"], c["reason"], c["message"]))
	}
	return strings.Join(lines, "; ")
}
