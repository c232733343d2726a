// Package published installs each group of published specs on a real
// kube-apiserver, one after the other, and sends payloads of the specs through
// their versions.
package published_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json" // reads whole numbers as int64, as clients do
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"

	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/webhook"
	"github.com/armature-dev/armature/tests/e2e/cluster"
	"github.com/armature-dev/armature/tests/specs/payloads"
	"github.com/armature-dev/armature/tests/specs/published"
)

// byDay are the groups that are installed by day; every night all are.
var byDay = []string{"resources", "network", "storage"}

// groups returns the groups that are installed. The first one stays, because samples of the others belong to its
// resource group.
func groups() []published.Group {
	var found []published.Group
	for _, group := range published.Groups {
		switch {
		case group.Name == byDay[0]:
			found = slices.Insert(found, 0, group)
		case night.Is(), slices.Contains(byDay, group.Name):
			found = append(found, group)
		}
	}
	return found
}

// newestStable returns the newest version of a group that is neither a preview, nor an alias, nor a storage version: a
// client gets it if it names none.
func newestStable(crds []*apiextensionsv1.CustomResourceDefinition) (newest string) {
	stable := regexp.MustCompile(`^v\d{8}$`)
	for _, crd := range crds {
		for _, v := range crd.Spec.Versions {
			if v.Served && stable.MatchString(v.Name) {
				newest = max(newest, v.Name)
			}
		}
	}
	return newest
}

// chosen is the number of examples that go through the API server, of all groups.
const chosen = 216

// server is the API server that all groups share, one after the other.
var server *cluster.Cluster

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if server, err = cluster.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// TestShortNames checks that no short name of a kind is a name of one of Kubernetes' own
// resources, which kubectl would take it for.
func TestShortNames(t *testing.T) {
	lists, err := server.Discovery.ServerPreferredResources()
	if err != nil {
		t.Fatal(err)
	}
	taken := map[string]string{}
	for _, list := range lists {
		if strings.Contains(list.GroupVersion, ".azure.armature.dev/") {
			continue
		}
		for _, r := range list.APIResources {
			for _, name := range append(r.ShortNames, r.Name, r.SingularName) {
				taken[name] = r.Kind
			}
		}
	}
	if len(taken) < 100 {
		t.Errorf("the API server has %d names, expected more", len(taken))
	}
	text, err := os.ReadFile("../../names/testdata/shortnames.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if short := strings.Fields(line)[0]; taken[short] != "" {
			t.Errorf("%sis a name of %s", line, taken[short])
		}
	}
}

// Each group must install without warnings, serve the expected version to a
// client that names none, and convert real payloads through old and new versions
// without loss. Its samples become ready while its admission policies are in force.
//
// Only one group is installed at a time: an API server that serves all of them
// takes up to 1.8 GB, which docs/upgrades.md explains.
func TestGroup(t *testing.T) {
	scheme, converter := newConverter(t)
	crds := map[string][]*apiextensionsv1.CustomResourceDefinition{}
	var all []*apiextensionsv1.CustomResourceDefinition
	for _, group := range published.Groups {
		crds[group.Name] = cluster.ReadCRDs(t, folderOf(group.Name, "crds"))
		all = append(all, crds[group.Name]...)
	}
	var picked []payload
	if published.HasSpecs() {
		picked = choose(t, all, payloads.Samples(t, published.Specs(t), scheme))
	} else {
		t.Log("there are no published specs: the objects are samples, and no examples of the specs")
	}
	refused := readExceptions(t)
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	user := newUser(t, scheme, crds)

	whole, first := t, byDay[0]
	for _, group := range groups() {
		t.Run(group.Name, func(t *testing.T) {
			server.Install(t, converter, crds[group.Name]...)
			lasting := t
			if group.Name == first {
				lasting = whole
			}
			lasting.Cleanup(func() {
				if lasting == whole {
					user.detach(whole)
				}
				if left := server.Uninstall(lasting, crds[group.Name]...); left > 0 {
					lasting.Errorf("%d objects were left, want none", left)
				}
			})
			if got, want := server.Preferred(t, group.Name+".azure.armature.dev"), newestStable(crds[group.Name]); got != want {
				t.Errorf("the preferred version is %s, want %s", got, want)
			}
			installed(t, crds[group.Name])
			t.Run("payloads", func(t *testing.T) {
				for _, p := range picked {
					if p.GVK.Group == group.Name+".azure.armature.dev" {
						t.Run(p.GVK.Kind+" at "+p.GVK.Version, func(t *testing.T) {
							t.Parallel() // each waits for the API server most of the time
							p.checkOtherVersions(t, refused)
						})
					}
				}
			})
			user.try(t, group.Name, crds[group.Name], converter, refused)
			t.Logf("%d resources, the API server has %d MB", len(crds[group.Name]), server.Memory(t)>>20)
		})
	}
	if !night.Is() || !published.HasSpecs() {
		return
	}
	for line := range refused.lines {
		t.Errorf("this was not refused; remove it from exceptions.txt:\n%s", line)
	}
}

// newConverter returns a scheme of all groups, and a webhook that converts their objects
// until the test ends.
func newConverter(t *testing.T) (*runtime.Scheme, *cluster.Webhook) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := published.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	handler, err := webhook.New(webhook.Options{Scheme: scheme, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	converter := cluster.NewWebhook(t, handler)
	t.Cleanup(converter.Stop)
	return scheme, converter
}

// folderOf returns the folder that a target of a group makes.
func folderOf(group, target string) string {
	return filepath.Join("..", "..", "..", "apis", group, target)
}

// exceptions are the lines of exceptions.txt that have not been needed: examples that the
// API server refuses, each with its message, and samples that the stand-in refuses, each
// with its reason.
type exceptions struct {
	mutex sync.Mutex
	lines map[string]bool
}

func readExceptions(t *testing.T) *exceptions {
	t.Helper()
	text, err := os.ReadFile("exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	e := &exceptions{lines: map[string]bool{}}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			e.lines[line] = true
		}
	}
	return e
}

// take reports whether a line is there, and removes it.
func (e *exceptions) take(line string) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	known := e.lines[line]
	delete(e.lines, line)
	return known
}

// about returns the line that is the begin of what was found of a sample, up to a colon, or
// "" if there is none.
func (e *exceptions) about(found string) string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for line := range e.lines {
		if strings.HasPrefix(found, line+":") {
			return line
		}
	}
	return ""
}

// installed checks that the API server has no warning about CRDs, and that
// `kubectl get` shows each resource at its newest GA version, or at its newest
// preview if there is no GA version.
func installed(t *testing.T, crds []*apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	for _, warning := range server.Warnings {
		t.Errorf("warning: %s", warning)
	}
	server.Warnings = nil
	resources, err := restmapper.GetAPIGroupResources(server.Discovery)
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDiscoveryRESTMapper(resources)
	for _, crd := range crds {
		for _, wrong := range server.Conditions(t, crd.Name) {
			t.Error(wrong)
		}
		mapping, err := mapper.RESTMapping(schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind})
		if err != nil {
			t.Error(err)
		} else if got, want := mapping.GroupVersionKind.Version, newest(crd); got != want {
			t.Errorf("%s is shown at %s, want %s", crd.Name, got, want)
		}
	}
}

// newest returns the newest GA version of a resource, or the newest preview if
// there is no GA version.
func newest(crd *apiextensionsv1.CustomResourceDefinition) string {
	for _, form := range []*regexp.Regexp{regexp.MustCompile(`^v\d{8}$`), regexp.MustCompile(`^v\d{8}alpha1$`)} {
		if found := slices.DeleteFunc(served(crd), func(v string) bool { return !form.MatchString(v) }); len(found) > 0 {
			return slices.Max(found)
		}
	}
	return ""
}

// served returns the served versions of a resource in Kubernetes' order.
func served(crd *apiextensionsv1.CustomResourceDefinition) []string {
	var names []string
	for _, v := range crd.Spec.Versions {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return -version.CompareKubeAwareVersionStrings(a, b) })
	return names
}

// payload is an example with the versions that it visits.
type payload struct {
	payloads.Sample
	resource schema.GroupResource
	others   []string
}

// choose picks examples evenly from the resources that have three other served
// versions, the stored one included. It takes the longest example of a resource
// at a version. The place in the list decides which three versions an example
// visits.
func choose(t *testing.T, crds []*apiextensionsv1.CustomResourceDefinition, samples []payloads.Sample) []payload {
	t.Helper()
	byKind := map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition{}
	for _, crd := range crds {
		byKind[schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}] = crd
	}
	longest := map[schema.GroupVersionKind]payloads.Sample{}
	for _, s := range samples {
		if len(served(byKind[s.GVK.GroupKind()])) > 3 && size(s) > size(longest[s.GVK]) {
			longest[s.GVK] = s
		}
	}
	if len(longest) < chosen {
		t.Fatalf("there are %d resources at versions that have three others, want %d or more", len(longest), chosen)
	}
	at := slices.SortedFunc(maps.Keys(longest), func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	var result []payload
	for i := range chosen {
		gvk := at[i*len(at)/chosen]
		crd := byKind[gvk.GroupKind()]
		others := slices.DeleteFunc(served(crd), func(v string) bool { return v == gvk.Version })
		p := payload{Sample: longest[gvk], resource: schema.GroupResource{Group: gvk.Group, Resource: crd.Spec.Names.Plural}}
		for k := range 3 {
			p.others = append(p.others, others[(i+k)%len(others)])
		}
		result = append(result, p)
	}
	return result
}

func size(s payloads.Sample) int {
	text, err := json.Marshal(s.Object)
	if err != nil {
		panic(err) // generated types can be encoded
	}
	return len(text)
}

// checkOtherVersions creates an object at its version. A client of each of the other
// versions reads it and writes it back with a label, Spec and Status. After each
// write, the object at its own version must be as it was created.
func (p payload) checkOtherVersions(t *testing.T, refused *exceptions) {
	t.Helper()
	object := p.object(t)
	want := shown(object)
	err := create(t.Context(), p.at(p.GVK.Version), object)
	if apierrors.IsInvalid(err) {
		for _, cause := range err.(*apierrors.StatusError).ErrStatus.Details.Causes {
			line := fmt.Sprintf("%s: %s: %s", p.File, cause.Field, cause.Message)
			if !refused.take(line) {
				t.Errorf("refused, but not listed in exceptions.txt with a reason:\n%s", line)
			}
		}
		return
	}
	if err != nil {
		t.Errorf("%s: create %s at %s: %v", p.File, p.GVK.Kind, p.GVK.Version, err)
		return
	}
	expect := func(when string) {
		t.Helper()
		got, err := p.at(p.GVK.Version).Get(t.Context(), object.GetName(), metav1.GetOptions{})
		if err != nil {
			t.Errorf("%s: %s: get at %s: %v", p.File, when, p.GVK.Version, err)
		} else if diff := cmp.Diff(want, shown(got)); diff != "" {
			t.Errorf("%s: %s at %s, %s (-created +read):\n%s", p.File, p.GVK.Kind, p.GVK.Version, when, diff)
		}
	}
	expect("once created")
	for _, other := range p.others {
		if err := rewrite(t.Context(), p.at(other), object.GetName(), other); err != nil {
			t.Errorf("%s: %s at %s: %v", p.File, p.GVK.Kind, other, err)
			continue
		}
		expect("by way of " + other)
	}
	// When a CRD is deleted, the API server waits a minute for objects that it finds.
	if err := p.at(p.GVK.Version).Delete(t.Context(), object.GetName(), metav1.DeleteOptions{}); err != nil {
		t.Errorf("%s: delete %s at %s: %v", p.File, p.GVK.Kind, p.GVK.Version, err)
	}
}

func (p payload) at(version string) dynamic.ResourceInterface {
	return server.Client.Resource(p.resource.WithVersion(version)).Namespace("default")
}

// object returns the sample as an untyped client has it.
func (p payload) object(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	text, err := json.Marshal(p.Object)
	if err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(text, &object.Object); err != nil {
		t.Fatal(err)
	}
	object.SetGroupVersionKind(p.GVK)
	object.SetName("example-" + strings.TrimPrefix(p.GVK.Version, "v1"))
	return object
}

// create creates an object and then gives it its status.
func create(ctx context.Context, all dynamic.ResourceInterface, object *unstructured.Unstructured) error {
	created, err := all.Create(ctx, object, metav1.CreateOptions{})
	if err != nil || object.Object["status"] == nil {
		return err
	}
	created.Object["status"] = object.Object["status"]
	_, err = all.UpdateStatus(ctx, created, metav1.UpdateOptions{})
	return err
}

// rewrite reads an object and writes it back with a label.
func rewrite(ctx context.Context, all dynamic.ResourceInterface, name, label string) error {
	object, err := all.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	object.SetLabels(map[string]string{"written": label})
	if object, err = all.Update(ctx, object, metav1.UpdateOptions{}); err != nil {
		return err
	}
	_, err = all.UpdateStatus(ctx, object, metav1.UpdateOptions{})
	return err
}

// shown returns the parts of an object that a user sees.
func shown(object *unstructured.Unstructured) map[string]any {
	return map[string]any{"spec": object.Object["spec"], "status": object.Object["status"]}
}
