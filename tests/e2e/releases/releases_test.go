// Package releases upgrades a cluster through three releases of one group, and
// back. Each release has its own generated conversions.
package releases_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/retry"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/webhook"
	"github.com/armature-dev/armature/tests/e2e/cluster"
	crm20190909 "github.com/armature-dev/armature/tests/e2e/releases/crm20190909/scheme"
	crm20201010 "github.com/armature-dev/armature/tests/e2e/releases/crm20201010/scheme"
	crm20211111 "github.com/armature-dev/armature/tests/e2e/releases/crm20211111/scheme"
	releases "github.com/armature-dev/armature/tests/release"
)

// release has the CRDs and the webhook of a release.
type release struct {
	name        string
	versions    []string
	addToScheme func(*runtime.Scheme) error
	// folder has the release as an administrator gets it, or is nil: then its CRDs are those
	// of the group's target crds, and the test is its webhook.
	folder *releases.Release
}

var (
	first  = release{"crm20190909", []string{"v20130303", "v20160606", "v20190909"}, crm20190909.AddToScheme, nil}
	second = release{"crm20201010", append(slices.Clone(first.versions), "v20201010"), crm20201010.AddToScheme, nil}
	third  = release{"crm20211111", append(slices.Clone(second.versions), "v20211111"), crm20211111.AddToScheme, nil}
)

// hub returns the version that the release stores.
func (r release) hub() string { return r.versions[len(r.versions)-1] + "storage" }

func (r release) crds(t *testing.T) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	if r.folder != nil {
		return r.folder.CRDs(t, r.name)
	}
	return cluster.ReadCRDs(t, filepath.Join(r.name, "crds"))
}

// policies returns the folder with the admission policies of the release.
func (r release) policies() string {
	if r.folder != nil {
		return filepath.Join(r.folder.Folder, "base", "groups", r.name, "crds")
	}
	return filepath.Join(r.name, "crds")
}

func (r release) person(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crds := r.crds(t)
	return crds[slices.IndexFunc(crds, func(crd *apiextensionsv1.CustomResourceDefinition) bool { return crd.Spec.Names.Kind == "Person" })]
}

func (r release) webhook(t *testing.T) http.Handler {
	t.Helper()
	if r.folder != nil {
		return r.folder.Handler(t)
	}
	scheme := runtime.NewScheme()
	if err := r.addToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	handler, err := webhook.New(webhook.Options{Scheme: scheme, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// specs has a Spec for each version, with all of its properties.
var specs = map[string]map[string]any{
	"v20130303": {"firstName": "Ada", "middleName": "King", "lastName": "Lovelace"},
	"v20160606": {"knownAs": "Grace", "familyName": "Hopper", "legalName": "Grace Brewster Murray Hopper", "sortKey": "hopper",
		"mailingAddress": map[string]any{"street": "1 Navy Yard", "city": "Washington"}},
	"v20190909": {"knownAs": "Mary", "familyName": "Somerville", "legalName": "Mary Somerville", "sortKey": "somerville",
		"mailingAddress": map[string]any{"city": "Naples", "fullAddress": "2 Via Chiaia", "country": "Italy",
			"postCode": "80121", "latitude": 40.83, "longitude": 14.24}},
	"v20201010": {"knownAs": "Emmy", "familyName": "Noether", "legalName": "Amalie Emmy Noether", "sortKey": "noether",
		"residentialAddress": map[string]any{"city": "Erlangen", "fullAddress": "3 Hauptstraße", "country": "Germany",
			"postCode": "91054", "latitude": 49.59, "longitude": 11.01}},
	"v20211111": {"knownAs": "Hedy", "familyName": "Lamarr", "legalName": "Hedwig Kiesler", "sortKey": "lamarr",
		"residentialAddress": map[string]any{
			"lines": []any{"4 Peter-Jordan-Straße", "Wien"}, "countryCode": "AT",
			"coordinates": map[string]any{"latitude": 48.23, "longitude": 16.33},
		},
		"mailingAddress": map[string]any{"lines": []any{"5 Sunset Boulevard"}, "countryCode": "US"}},
}

var stored = schema.GroupResource{Group: "crm.azure.armature.dev", Resource: "persons"}

// A cluster is upgraded, each time the webhook before the CRDs, while clients
// read and write. Then it is rolled back, the CRDs before the webhook. At every
// moment an object must look the same at every version as it has before.
func TestUpgradeAndRollback(t *testing.T) {
	r := start(t, first)
	r.create(first.versions, objects())
	r.look("once created")

	r.forward(first, second, first.hub(), second.hub())
	r.touch(50, "v20130303", "v20190909", "v20201010")
	r.create([]string{"v20201010"}, 10)
	r.look("with some written since 2020-10-10")

	r.forward(second, third, first.hub(), second.hub(), third.hub())
	r.touch(50, "v20160606", "v20201010", "v20211111")
	r.create([]string{"v20211111"}, 10)
	r.look("with some written since 2021-11-11")
	if found := r.Versions(t, stored); len(found) != 3 {
		t.Errorf("objects are stored at %v, want all three storage versions", found)
	}

	// The API server refuses a CRD without a version at which objects may be
	// stored. So the older CRD keeps the newer release's storage version.
	if err := r.replace(second.person(t)); err == nil || !strings.Contains(err.Error(), third.hub()) {
		t.Errorf("a CRD without a version that is stored: %v, want a refusal that names it", err)
	}
	r.install(second, withStored(t, second.person(t), third.person(t)), first.hub(), second.hub(), third.hub())
	r.look("with the CRD back at 2020-10-10")
	r.touch(50, "v20130303", "v20201010")
	r.look("with some written since it is back")

	// The webhook stays, because an older one does not know all stored versions.
	older := r.handler(second)
	if message := r.unreadable(older); !strings.Contains(message, third.hub()) {
		t.Errorf("the error of the webhook of 2020-10-10 for an object stored at %s is %q, want the version in it", third.hub(), message)
	}

	// When all objects are stored at the older version, the older CRD is accepted,
	// and an older webhook can answer. It does not know the shapes of 2021-11-11
	// and shows less, but its writes lose nothing.
	r.migrate(second.versions[0], second.hub())
	if err := r.replace(second.person(t)); err != nil {
		t.Errorf("a CRD without a version at which nothing is stored: %v", err)
	}
	r.converter.Handle(older)
	r.touch(20, second.versions...)
	r.converter.Handle(r.handler(third))
	r.getAll("once the older webhook is gone", second.versions)
	r.install(third, third.person(t), second.hub(), third.hub())
	r.look("forward again")
}

// withStored returns a CRD with the storage version of another one, at which objects may
// be stored.
func withStored(t *testing.T, crd, also *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd = crd.DeepCopy()
	for _, v := range also.Spec.Versions {
		if v.Storage {
			v.Served, v.Storage = false, false
			crd.Spec.Versions = append(crd.Spec.Versions, v)
		}
	}
	return crd
}

// roll takes the Persons of a cluster through releases.
type roll struct {
	*testing.T
	*cluster.Cluster
	converter *cluster.Webhook
	// handlers has one handler for each release, as a process has.
	handlers map[string]http.Handler
	release  release
	// shown has the Specs that were read, by version and name.
	shown map[string]map[string]any
	names []string
}

func start(t *testing.T, r release) *roll {
	t.Helper()
	server := cluster.New(t)
	result := &roll{T: t, Cluster: server, handlers: map[string]http.Handler{}, release: r, shown: map[string]map[string]any{}}
	result.converter = cluster.NewWebhook(t, result.handler(r))
	t.Cleanup(result.converter.Stop)
	server.Install(t, result.converter, r.crds(t)...)
	result.installPolicies(r)
	return result
}

// installPolicies installs the admission policies of a release.
func (r *roll) installPolicies(of release) {
	r.Helper()
	r.InstallPolicies(r.T, of.policies(), func() error {
		person := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "crm.azure.armature.dev/" + of.versions[0], "kind": "Person",
			"metadata": map[string]any{"name": "probe", "annotations": map[string]any{annotation.APIVersion: "none"}},
			"spec":     map[string]any{"owner": map[string]any{"name": "people"}}}}
		_, err := r.persons(of.versions[0]).Create(r.Context(), person, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	})
}

func (r *roll) handler(of release) http.Handler {
	if r.handlers[of.name] == nil {
		r.handlers[of.name] = of.webhook(r.T)
	}
	return r.handlers[of.name]
}

func (r *roll) persons(version string) dynamic.ResourceInterface {
	return r.Client.Resource(stored.WithVersion(version)).Namespace("default")
}

// timed returns a function that logs the time since the call of timed.
func (r *roll) timed(format string, args ...any) func() {
	begin := time.Now()
	return func() { r.Logf("%8.3f s %s", time.Since(begin).Seconds(), fmt.Sprintf(format, args...)) }
}

// create creates n Persons in turn at some versions.
func (r *roll) create(versions []string, n int) {
	r.Helper()
	defer r.timed("%d objects created", n)()
	begin := len(r.names)
	for i := range n {
		r.names = append(r.names, fmt.Sprintf("person-%d", begin+i))
	}
	r.parallel(n, func(i int) error {
		version := versions[i%len(versions)]
		spec := maps.Clone(specs[version])
		spec["owner"] = map[string]any{"name": "people"}
		spec["id"] = fmt.Sprintf("00000000-0000-4000-8000-%012d", begin+i)
		person := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "crm.azure.armature.dev/" + version, "kind": "Person",
			"metadata": map[string]any{"name": r.names[begin+i]}, "spec": spec}}
		created, err := r.persons(version).Create(r.Context(), person, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("create at %s: %w", version, err)
		}
		if diff := cmp.Diff(spec, created.Object["spec"]); diff != "" {
			return fmt.Errorf("%s was created at %s with another Spec (-want +got):\n%s", person.GetName(), version, diff)
		}
		return nil
	})
}

// parallel calls f for 0 to n-1, several at a time.
func (r *roll) parallel(n int, f func(i int) error) {
	r.Helper()
	var next, failed atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || failed.Load() > 3 {
					return
				}
				if err := f(i); err != nil {
					failed.Add(1)
					r.Error(err)
				}
			}
		})
	}
	group.Wait()
	if failed.Load() > 0 {
		r.FailNow()
	}
}

// forward upgrades to the next release. At first the webhooks of both releases
// answer, as in a rolling update of pods, then only the next one's. Then come the
// CRDs. Clients write afterwards what they have read before.
//
// Objects that were written while both webhooks answer are not listed before the
// CRDs come. The API server lists each version from a cache, and an object there
// that the older webhook has converted may lack a property that only the newer
// one knows. A new CRD starts new caches.
func (r *roll) forward(from, to release, stored ...string) {
	r.Helper()
	held := r.hold(from.versions)
	r.while("webhooks of both releases answer", from.versions, func() { r.answerBoth(from, to) })
	r.look("with both webhooks")
	r.touch(30, from.versions...)
	r.while("the next webhook answers", from.versions, func() { r.converter.Handle(r.handler(to)) })
	r.getAll("with the webhook of "+to.name, from.versions)
	r.install(to, to.person(r.T), stored...)
	r.writeBack(held)
	r.look("with the CRD of " + to.name)
}

// answerBoth has the webhooks of two releases answer in turn.
func (r *roll) answerBoth(from, to release) {
	var turn atomic.Int64
	both := []http.Handler{r.handler(from), r.handler(to)}
	r.converter.Handle(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) { both[turn.Add(1)%2].ServeHTTP(out, in) }))
}

// install replaces the CRD while a client reads, and then checks the stored
// versions in its status.
func (r *roll) install(to release, crd *apiextensionsv1.CustomResourceDefinition, stored ...string) {
	r.Helper()
	both := slices.DeleteFunc(slices.Clone(to.versions), func(v string) bool { return !slices.Contains(r.release.versions, v) })
	r.while("the CRD of "+to.name+" comes", both, func() {
		done := r.timed("until all versions of %s are served", to.name)
		r.Install(r.T, r.converter, crd)
		r.installPolicies(to)
		done()
		done = r.timed("until objects are stored at %s", to.hub())
		r.waitUntilStoredAt(to.hub())
		done()
	})
	r.release = to
	installed, err := r.CRDs.Get(r.Context(), crd.Name, metav1.GetOptions{})
	if err != nil {
		r.Fatal(err)
	}
	if diff := cmp.Diff(stored, installed.Status.StoredVersions); diff != "" {
		r.Errorf("storedVersions with %s (-want +got):\n%s", to.name, diff)
	}
}

// replace replaces the spec of the CRD and keeps its conversion.
func (r *roll) replace(crd *apiextensionsv1.CustomResourceDefinition) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		installed, err := r.CRDs.Get(r.Context(), crd.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		conversion := installed.Spec.Conversion
		installed.Spec = *crd.Spec.DeepCopy()
		installed.Spec.Conversion = conversion
		_, err = r.CRDs.Update(r.Context(), installed, metav1.UpdateOptions{})
		return err
	})
}

// while calls do while a client reads objects at versions, one after the other,
// without a pause. Each read must succeed and return the same Spec as before.
func (r *roll) while(what string, versions []string, do func()) {
	r.Helper()
	ctx, cancel := context.WithCancel(r.Context())
	type outcome struct {
		reads   int
		slowest time.Duration
		err     error
	}
	done := make(chan outcome)
	go func() {
		var o outcome
		for ; ctx.Err() == nil && o.err == nil; o.reads++ {
			// The steps are coprime to the lengths, so that all pairs have their turn.
			version, name := versions[o.reads%len(versions)], r.names[o.reads*7%len(r.names)]
			begin := time.Now()
			got, err := r.persons(version).Get(r.Context(), name, metav1.GetOptions{})
			o.slowest = max(o.slowest, time.Since(begin))
			if err != nil {
				o.err = fmt.Errorf("%s at %s: %w", name, version, err)
			} else if diff := cmp.Diff(r.shown[version][name], got.Object["spec"]); diff != "" {
				o.err = fmt.Errorf("%s at %s (-before +now):\n%s", name, version, diff)
			}
		}
		done <- o
	}()
	begin := time.Now()
	do()
	if rest := time.Second - time.Since(begin); rest > 0 {
		time.Sleep(rest) // so that there are some reads
	}
	cancel()
	o := <-done
	if o.err != nil {
		r.Errorf("while %s: %v", what, o.err)
	}
	r.Logf("%8.3f s while %s: %d reads, the slowest took %.3f s", time.Since(begin).Seconds(), what, o.reads, o.slowest.Seconds())
}

// objects returns the number of objects of the first release.
func objects() int { return night.Times(200, 2000) }

// waitUntilStoredAt waits until the API server stores new objects at a version.
// After a change of the CRD that takes a moment.
func (r *roll) waitUntilStoredAt(version string) {
	r.Helper()
	spec := map[string]any{"owner": map[string]any{"name": "people"}}
	canary := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "crm.azure.armature.dev/v20130303", "kind": "Person",
		"metadata": map[string]any{"name": "canary"}, "spec": spec}}
	await.Until(r.T, "objects are stored at "+version, func() error {
		if _, err := r.persons("v20130303").Create(r.Context(), canary, metav1.CreateOptions{}); err != nil {
			r.Fatal(err)
		}
		got := r.Stored(r.T, stored, "canary").GetAPIVersion()
		if err := r.persons("v20130303").Delete(r.Context(), "canary", metav1.DeleteOptions{}); err != nil {
			r.Fatal(err)
		}
		if got == "crm.azure.armature.dev/"+version {
			return nil
		}
		return fmt.Errorf("they are at %s", got)
	})
}

// look lists the Persons at all versions. Each must be as it was before. After a change of the CRD, the API server
// answers 429 until it has converted all objects again.
func (r *roll) look(when string) {
	r.Helper()
	for _, version := range r.release.versions {
		done := r.timed("list of %d at %s, %s", len(r.names), version, when)
		var list *unstructured.UnstructuredList
		await.Until(r.T, "the API server has converted all objects", func() (err error) {
			list, err = r.persons(version).List(r.Context(), metav1.ListOptions{})
			if err != nil && !apierrors.IsTooManyRequests(err) {
				r.Fatalf("%s: list at %s: %v", when, version, err)
			}
			return err
		})
		done()
		if len(list.Items) != len(r.names) {
			r.Errorf("%s: the list at %s has %d objects, want %d", when, version, len(list.Items), len(r.names))
		}
		if r.shown[version] == nil {
			r.shown[version] = map[string]any{}
		}
		shown := r.shown[version]
		for _, item := range list.Items {
			before, known := shown[item.GetName()]
			if !known {
				shown[item.GetName()] = item.Object["spec"]
			} else if diff := cmp.Diff(before, item.Object["spec"]); diff != "" {
				r.Fatalf("%s: %s at %s (-before +now):\n%s", when, item.GetName(), version, diff)
			}
		}
	}
}

// getAll gets some Persons at all versions, one by one. The API server answers
// such requests from etcd.
func (r *roll) getAll(when string, versions []string) {
	r.Helper()
	n := min(len(r.names), 200)
	r.parallel(n*len(versions), func(i int) error {
		version, name := versions[i/n], r.names[i%n]
		got, err := r.persons(version).Get(r.Context(), name, metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("%s: %s at %s: %w", when, name, version, err)
		}
		if diff := cmp.Diff(r.shown[version][name], got.Object["spec"]); diff != "" {
			return fmt.Errorf("%s: %s at %s (-before +now):\n%s", when, name, version, diff)
		}
		return nil
	})
}

// touch writes n Persons at each of some versions. That changes their stored
// version, and no Spec.
func (r *roll) touch(n int, versions ...string) {
	r.Helper()
	defer r.timed("%d objects touched", n*len(versions))()
	r.parallel(n*len(versions), func(i int) error { return r.touchOne(r.names[i], versions[i/n]) })
}

func (r *roll) touchOne(name, version string) error {
	label := fmt.Sprintf(`{"metadata": {"labels": {"touched": "%d"}}}`, time.Now().UnixNano())
	_, err := r.persons(version).Patch(r.Context(), name, types.MergePatchType, []byte(label), metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("touch %s at %s: %w", name, version, err)
	}
	return nil
}

// hold reads some Persons for clients that write them later. It takes the last
// ones, which nothing else writes.
func (r *roll) hold(versions []string) []*unstructured.Unstructured {
	r.Helper()
	var held []*unstructured.Unstructured
	for _, version := range versions {
		for range 5 {
			object, err := r.persons(version).Get(r.Context(), r.names[len(r.names)-1-len(held)], metav1.GetOptions{})
			if err != nil {
				r.Fatal(err)
			}
			held = append(held, object)
		}
	}
	return held
}

// writeBack writes held objects with a label.
func (r *roll) writeBack(held []*unstructured.Unstructured) {
	r.Helper()
	for _, object := range held {
		_, version, _ := strings.Cut(object.GetAPIVersion(), "/")
		object.SetLabels(map[string]string{"held": version})
		if _, err := r.persons(version).Update(r.Context(), object, metav1.UpdateOptions{}); err != nil {
			r.Errorf("%s, read at %s before the release and written after it: %v", object.GetName(), version, err)
		}
	}
}

// unreadable returns the error for an object whose stored version a webhook does
// not know.
func (r *roll) unreadable(handler http.Handler) string {
	r.Helper()
	now := r.handler(third)
	r.converter.Handle(handler)
	defer r.converter.Handle(now)
	for _, name := range slices.Backward(r.names) {
		if _, err := r.persons("v20130303").Get(r.Context(), name, metav1.GetOptions{}); err != nil {
			return err.Error()
		}
	}
	return ""
}

// migrate writes all objects at the version through, so that they are stored at
// version, and then lists only that one in the CRD's stored versions.
func (r *roll) migrate(through, version string) {
	r.Helper()
	defer r.timed("%d objects migrated to %s", len(r.names), version)()
	r.parallel(len(r.names), func(i int) error { return r.touchOne(r.names[i], through) })
	if found := r.Versions(r.T, stored); len(found) != 1 || found[version] != len(r.names) {
		r.Errorf("objects are stored at %v, want all %d at %s", found, len(r.names), version)
	}
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		crd, err := r.CRDs.Get(r.Context(), "persons.crm.azure.armature.dev", metav1.GetOptions{})
		if err != nil {
			return err
		}
		crd.Status.StoredVersions = []string{version}
		_, err = r.CRDs.UpdateStatus(r.Context(), crd, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
}
