package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// release has the versions that are served when a version of ARM is the newest,
// and the storage version of that.
//
// It is the CRD of such a release, but not its webhook: generated conversions
// have the hub of the newest version built in, and a release of 2019-09-09
// would have that version's. What rolls here is what an API server sees of a
// release (versions that come, a storage version that changes, objects that are
// stored at earlier ones) under a webhook that is newer than all of it, which
// is what "webhook first, then CRDs" makes of an upgrade.
func release(t *testing.T, newest string, keep ...string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	all := cluster.ReadCRDs(t, crds("crm"))
	crd := all[slices.IndexFunc(all, func(crd *apiextensionsv1.CustomResourceDefinition) bool { return crd.Spec.Names.Kind == "Person" })]
	var api, storage []apiextensionsv1.CustomResourceDefinitionVersion
	for _, v := range crd.Spec.Versions {
		if slices.Contains(servedInReleases, v.Name) && v.Name <= newest {
			api = append(api, v)
		}
		if v.Storage {
			storage = append(storage, v)
		}
	}
	for _, hub := range []string{"v1beta20190909", "v1beta20201010", "v1beta20211111"} {
		v := *storage[0].DeepCopy()
		v.Name, v.Storage, v.Served = hub+"storage", hub == newest, hub == newest
		if hub <= newest || slices.Contains(keep, v.Name) {
			api = append(api, v)
		}
	}
	crd.Spec.Versions = api
	return crd
}

// servedInReleases are some versions of each shape: the API server converts
// every object for every version that it serves.
var servedInReleases = []string{"v1beta20110101", "v1beta20130303", "v1beta20160606", "v1beta20190909", "v1beta20201010", "v1beta20211111"}

func TestReleasesRollForwardAndBack(t *testing.T) {
	const n = 500
	installCRM(t)
	t.Cleanup(func() {
		server.Uninstall(t, cluster.ReadCRDs(t, crds("crm"))...)
		crmWebhook.Stop()
		crmWebhook = nil
	})
	server.Uninstall(t, release(t, "v1beta20211111"))
	r := &roll{T: t, shown: map[string]map[string]any{}}

	r.to("v1beta20190909", "v1beta20190909storage")
	written := []string{"v1beta20110101", "v1beta20130303", "v1beta20160606", "v1beta20190909"}
	for i := range n {
		version := written[i%len(written)]
		create(t, version, fmt.Sprintf("person-%d", i), full(version).shown(version))
	}
	r.look("after they were created")

	r.to("v1beta20201010", "v1beta20190909storage", "v1beta20201010storage")
	r.look("with 2020-10-10")
	r.touch("v1beta20110101", 0, 100)
	r.touch("v1beta20190909", 100, 200)
	r.look("with some written with 2020-10-10")

	r.to("v1beta20211111", "v1beta20190909storage", "v1beta20201010storage", "v1beta20211111storage")
	r.look("with 2021-11-11")
	r.touch("v1beta20201010", 0, 50)
	r.touch("v1beta20130303", 200, 300)
	r.look("with some written with 2021-11-11")
	if found := server.Versions(t, storedPersons); len(found) != 3 {
		t.Errorf("objects are stored at %v, want all three storage versions", found)
	}

	// The API server refuses a CRD without a version that objects may be stored
	// at, so a release is rolled back with the storage version that was new in it.
	crd := release(t, "v1beta20201010")
	installed, err := server.CRDs.Get(t.Context(), crd.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	conversion := installed.Spec.Conversion
	installed.Spec = crd.Spec
	installed.Spec.Conversion = conversion
	if _, err := server.CRDs.Update(t.Context(), installed, metav1.UpdateOptions{}); err == nil || !strings.Contains(err.Error(), "v1beta20211111storage") {
		t.Errorf("a CRD without a version that is stored: %v, want a refusal that names it", err)
	}
	r.to("v1beta20201010", "v1beta20190909storage", "v1beta20201010storage", "v1beta20211111storage")
	r.look("rolled back to 2020-10-10")
	r.touch("v1beta20160606", 150, 250)
	r.look("with some written after that")
}

// roll takes the Persons through releases.
type roll struct {
	*testing.T
	newest string
	// shown has the Specs that a version has shown, by version and name.
	shown map[string]map[string]any
}

// to installs the CRD of a release and expects what may be stored after it,
// while a client reads all the time.
func (r *roll) to(newest string, stored ...string) {
	r.Helper()
	stop, stopped := make(chan struct{}), make(chan string)
	newestNow := min(r.newest, newest)
	go func() { stopped <- r.read(newestNow, stop) }()
	server.Install(r.T, crmWebhook, release(r.T, newest, stored...))
	r.newest = newest
	r.waitUntilStoredAt(newest + "storage")
	close(stop)
	if wrong := <-stopped; wrong != "" {
		r.Errorf("while %s was installed: %s", newest, wrong)
	}
	crd, err := server.CRDs.Get(r.Context(), "persons.crm.azure.com", metav1.GetOptions{})
	if err != nil {
		r.Fatal(err)
	}
	if diff := cmp.Diff(stored, crd.Status.StoredVersions); diff != "" {
		r.Errorf("storedVersions with %s (-want +got):\n%s", newest, diff)
	}
}

// read reads Persons at what is served before and after, and tells the first
// thing that is wrong.
func (r *roll) read(newest string, stop chan struct{}) string {
	for {
		for version, specs := range r.shown {
			for name, want := range specs {
				select {
				case <-stop:
					return ""
				default:
				}
				if version > newest {
					break
				}
				got, err := persons(version).Get(r.Context(), name, metav1.GetOptions{})
				if err != nil {
					return fmt.Sprintf("%s at %s: %v", name, version, err)
				}
				if diff := cmp.Diff(want, any(specOf(got))); diff != "" {
					return fmt.Sprintf("%s at %s (-want +got):\n%s", name, version, diff)
				}
				break // at the next version
			}
		}
		select {
		case <-stop:
			return ""
		case <-time.After(time.Millisecond):
		}
	}
}

// waitUntilStoredAt waits until what is written is stored at a version: the API
// server takes a moment to follow its own CRD.
func (r *roll) waitUntilStoredAt(version string) {
	r.Helper()
	for end := time.Now().Add(30 * time.Second); ; {
		_, err := persons("v1beta20130303").Create(r.Context(), person("v1beta20130303", "canary", base()), metav1.CreateOptions{})
		if err != nil {
			r.Fatal(err)
		}
		got := server.Stored(r.T, storedPersons, "canary").GetAPIVersion()
		if err := persons("v1beta20130303").Delete(r.Context(), "canary", metav1.DeleteOptions{}); err != nil {
			r.Fatal(err)
		}
		if got == "crm.azure.com/"+version {
			return
		}
		if time.Now().After(end) {
			r.Fatalf("after 30 s objects are stored at %s, want %s", got, version)
		}
	}
}

// look lists the Persons at all versions: each shows what it has always shown.
func (r *roll) look(when string) {
	r.Helper()
	for _, version := range servedInReleases {
		if version > r.newest {
			continue
		}
		list, err := persons(version).List(r.Context(), metav1.ListOptions{})
		if err != nil {
			r.Fatalf("%s: list at %s: %v", when, version, err)
		}
		got := map[string]any{}
		for _, item := range list.Items {
			got[item.GetName()] = specOf(&item)
		}
		if r.shown[version] == nil && len(got) > 0 {
			r.shown[version] = got
		}
		if diff := cmp.Diff(r.shown[version], got); diff != "" {
			r.Errorf("%s: Specs at %s (-before +now):\n%s", when, version, diff)
		}
	}
}

// touch writes Persons at a version, which changes what they are stored at and
// no Spec.
func (r *roll) touch(version string, from, to int) {
	r.Helper()
	for i := from; i < to; i++ {
		label := fmt.Sprintf(`{"metadata": {"labels": {"touched": "%d"}}}`, time.Now().UnixNano())
		if _, err := persons(version).Patch(r.Context(), fmt.Sprintf("person-%d", i), types.MergePatchType, []byte(label), metav1.PatchOptions{}); err != nil {
			r.Fatalf("touch at %s: %v", version, err)
		}
	}
}
