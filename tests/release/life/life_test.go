// Package life takes a cluster through what happens to a release: it is installed, has objects, is replaced by the next
// one and comes back, has its objects migrated, and is removed. Each step is the commands of the docs, and is killed
// half-way once.
package life

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tests/release/nodes"
	"github.com/armature-dev/armature/tools/controlplane"
)

// The API versions: the older release has the first, and the newer one both.
const (
	older, newer = "v20201010", "v20211111"
	group        = "crm.azure.armature.dev"
)

var persons = schema.GroupResource{Group: group, Resource: "persons"}

// published are two releases: the folders in which they were built, and those of the only group in each.
var published = []struct{ version, built, group string }{
	{"0.1.0", "older/release", "crm20201010"},
	{"0.2.0", "newer/release", "crm20211111"},
}

// life is a cluster, and what is in it.
type life struct {
	*testing.T
	*nodes.Nodes
	*gate
	shell release.Shell
	arm   *armtest.Server
	// specs has what the Persons have, by the version and the name.
	specs map[string]map[string]any
	names []string
	// killed says that a process of the webhook was killed and may not be back, so that a request may fail.
	killed *atomic.Bool
	// kills is how many processes of the operator were killed.
	kills int
}

// programs are those of a release that pods run.
var programs = []string{"webhook", "operator"}

// docs returns a page of the docs.
func docs(name string) string { return filepath.Join("..", "..", "..", filepath.FromSlash(name)) }

// newLife starts a cluster without a release, whose registry has the images of two, and a stand-in for ARM.
func newLife(t *testing.T) *life {
	t.Helper()
	arm, err := armtest.New(os.DirFS(docs("apis/crm/specs")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { arm.Close() })
	url, err := arm.Listen(nodes.Host() + ":0")
	if err != nil {
		t.Fatal(err)
	}
	l := &life{T: t, arm: arm, shell: release.Shell{Folder: t.TempDir()}, specs: map[string]map[string]any{}, killed: &atomic.Bool{}}
	l.Nodes = nodes.Start(t, map[string][]string{
		"webhook":  {"--key-dir=/etc/armature/keys"}, // which it has by default, in a pod
		"operator": {"--arm-endpoint=" + url},
	})
	var kubeconfig []byte
	l.gate, kubeconfig = newGate(t, l.Config)
	l.shell.Add(t, "kubeconfig", kubeconfig)
	l.shell.Link(t, "armature", "armature_/armature")
	for _, p := range published {
		l.Publish(l.shell, p.version, p.built, "armature_/armature")
		name := filepath.Join(l.shell.Folder, "armature-"+p.version+"-")
		if err := os.Rename(name+p.group+".yaml", name+"crm.yaml"); err != nil {
			t.Fatal(err)
		}
	}
	authority := release.NewAuthority(t)
	authority.Issue(t, l.shell.Folder, "armature-webhook.armature-system.svc")
	l.shell.Add(t, "ca.crt", authority.Bundle)
	return l
}

// commands returns a block of commands of a page, for this group and a cluster without cert-manager.
func (l *life) commands(page, with string) string {
	l.Helper()
	return strings.NewReplacer(
		"https://example.com/armature/", "", "-webhook.yaml", "-webhook-ca-bundle.yaml", "-cache.yaml", "-crm.yaml",
		"kubectl apply --server-side -f https://example.com/armature/armature-0.1.0-storage.yaml\n", "",
		"armature migrate\n", "armature migrate --itself --settle 2s\n", // of one API server, and nobody else who would do it
		"old/cert-manager/cache", "old/cert-manager/crm20201010", "new/cert-manager/cache", "new/cert-manager/crm20211111",
	).Replace(release.Commands(l.T, docs(page), with))
}

// run runs commands, and returns what they print.
func (l *life) run(commands string) string {
	l.Helper()
	return l.shell.Run(l.T, commands)
}

const (
	upgrades = "docs/upgrades.md"
	install  = "docs/install.md"
	readme   = "tests/release/life/older/release/README.md"
)

// oneLine returns the command in the text of a page that has a word.
func (l *life) oneLine(page, with string) string {
	l.Helper()
	text, err := os.ReadFile(docs(page))
	if err != nil {
		l.Fatal(err)
	}
	for _, found := range regexp.MustCompile("`(kubectl [^`]*)`").FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(found[1], with) {
			return found[1]
		}
	}
	l.Fatalf("%s has no command with %q", page, with)
	return ""
}

// twice runs commands that are killed with the n-th write, and then again until they end. On a real node a process of
// each program is killed between the two.
func (l *life) twice(what, commands string, n int) {
	l.Helper()
	begin := time.Now()
	l.kill(l.T, l.shell, commands, n)
	if nodes.Real() && len(l.Processes("webhook")) > 0 {
		l.killed.Store(true)
		for _, program := range programs {
			l.endProcess(l.Processes(program)[0])
		}
		l.kills++
	}
	out := l.run(commands)
	if l.killed.Load() {
		l.run("kubectl -n armature-system get deployments -o name | xargs -r -n 1 kubectl -n armature-system rollout status")
		l.killed.Store(false)
	}
	l.Logf("%6.1f s %s\n%s%s", time.Since(begin).Seconds(), what, commands, out)
}

func (l *life) at(version string) dynamic.ResourceInterface {
	return l.Client.Resource(persons.WithVersion(version)).Namespace("default")
}

// specOf returns the Spec of the i-th Person at a version.
func specOf(version string, i int) map[string]any {
	spec := map[string]any{"owner": map[string]any{"armId": "/subscriptions/s/resourceGroups/people"}, "knownAs": fmt.Sprint("Emmy ", i)}
	if version == older {
		spec["residentialAddress"] = map[string]any{"city": "Erlangen", "fullAddress": "3 Hauptstraße", "country": "Germany"}
	} else {
		spec["residentialAddress"] = map[string]any{"lines": []any{"4 Peter-Jordan-Straße", "Wien"}, "countryCode": "AT"}
		spec["mailingAddress"] = map[string]any{"lines": []any{"5 Sunset Boulevard"}, "countryCode": "US"}
	}
	return spec
}

// create applies n Persons at a version, and waits until ARM has them.
func (l *life) create(version string, n int) {
	l.Helper()
	var text strings.Builder
	var names []string
	for range n {
		i := len(l.names)
		l.names = append(l.names, fmt.Sprintf("person-%d", i))
		names = append(names, l.names[i])
		object, err := yaml.Marshal(map[string]any{"apiVersion": group + "/" + version, "kind": "Person",
			"metadata": map[string]any{"name": l.names[i]}, "spec": specOf(version, i)})
		if err != nil {
			l.Fatal(err)
		}
		fmt.Fprintf(&text, "%s---\n", object)
	}
	file := "persons-" + version + ".yaml"
	l.shell.Add(l.T, file, []byte(text.String()))
	l.run("kubectl apply --server-side -f " + file + "\nkubectl wait --for=condition=Ready --timeout=5m persons/" +
		strings.Join(names, " persons/"))
}

// remember notes what all Persons show at versions.
func (l *life) remember(versions ...string) {
	l.Helper()
	for _, v := range versions {
		l.specs[v] = map[string]any{}
		for _, name := range l.names {
			o, err := l.at(v).Get(l.Context(), name, metav1.GetOptions{})
			if err != nil {
				l.Fatal(err)
			}
			l.specs[v][name] = o.Object["spec"]
		}
	}
}

// ready returns the condition of a Person.
func (l *life) ready(version, name string) *metav1.Condition {
	l.Helper()
	o, err := l.at(version).Get(l.Context(), name, metav1.GetOptions{})
	if err != nil {
		l.Fatal(err)
	}
	var of struct {
		Status struct {
			Conditions []metav1.Condition `json:"conditions"`
		} `json:"status"`
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &of); err != nil {
		l.Fatal(err)
	}
	return meta.FindStatusCondition(of.Status.Conditions, reconcile.Ready)
}

// edit gives a Person another name at a version, and waits until ARM has it.
func (l *life) edit(version, name, knownAs string) {
	l.Helper()
	l.run(fmt.Sprintf(`kubectl patch persons.%s.%s %s --type=merge -p '{"spec":{"knownAs":%q}}'`, version, group, name, knownAs))
	await.Until(l.T, "ARM has the edit of "+name, func() error {
		body, _ := l.arm.Resource("/subscriptions/s/resourceGroups/people/providers/Contoso.Crm/persons/" + name)
		if !strings.Contains(string(body), knownAs) {
			return fmt.Errorf("it has %s", body)
		}
		return nil
	})
}

// wantStored checks at which versions objects are stored, and what the CRD says of that.
func (l *life) wantStored(versions ...string) {
	l.Helper()
	crd, err := l.CRDs.Get(l.Context(), persons.String(), metav1.GetOptions{})
	if err != nil {
		l.Fatal(err)
	}
	found := slices.Sorted(maps.Keys(l.Versions(l.T, persons)))
	isOther := func(v string) bool { return !slices.Contains(versions, v) }
	if !slices.Equal(crd.Status.StoredVersions, versions) || slices.ContainsFunc(found, isOther) {
		l.Errorf("objects are stored at %q, and the CRD says %q; want %q", found, crd.Status.StoredVersions, versions)
	}
}

func TestLife(t *testing.T) {
	l := newLife(t)
	l.MayRestart.Store(true)
	n := night.Times(30, 300)

	l.run(release.Commands(t, docs(install), "armature check release --cluster"))
	l.twice("installed", l.commands(readme, "-webhook.yaml")+l.commands(readme, "kubectl patch"), 14)
	l.run(release.Commands(t, docs(readme), "secret tls armature-webhook-tls") +
		"kubectl -n armature-system rollout status deployment/armature-webhook\n" +
		"kubectl -n armature-system rollout status deployment/armature-operator\n" +
		"kubectl create secret generic armature-credential")
	l.create(older, n)
	l.remember(older)

	upgrade := l.commands(upgrades, "armature check old new --cluster") + l.commands(readme, "kubectl patch")
	// The newer release serves 2019-09-09 no longer, at which somebody has written.
	label := fmt.Sprintf("kubectl label persons.v20190909.%s %s used=yes", group, l.names[0])
	l.run(label)
	if _, stderr, err := l.shell.Try(t, upgrade); err == nil || !strings.Contains(stderr, "default/"+l.names[0]+" (kubectl-label)") {
		t.Errorf("the upgrade said %q, want who uses a version that ends; %v", stderr, err)
	}
	l.run(strings.NewReplacer("<kind>", "persons", "<name>", l.names[0]).Replace(l.oneLine(upgrades, "managedFields")))
	l.while([]string{older}, func() {
		l.twice("upgraded", upgrade, 13)
		l.edit(older, l.names[0], "Amalie")
	})
	l.wantStored(older+"storage", newer+"storage")

	back := l.commands(upgrades, "armature serve old")
	l.while([]string{older}, func() {
		l.twice("back", back, 12)
		l.wantStored(older + "storage")
		l.run(l.commands(upgrades, "armature-0.1.0-webhook.yaml\nkubectl -n armature-system rollout"))
		l.edit(older, l.names[1], "Noether")
	})
	l.while([]string{older}, func() { l.run(upgrade) })
	l.create(newer, n/3)
	l.remember(older, newer)

	l.while([]string{older, newer}, func() {
		l.twice("the operator is back", l.commands(upgrades, "newest=2,former"), 2)
		l.edit(older, l.names[2], "Emmy Noether")
		l.run(fmt.Sprintf(`kubectl patch persons.%s.%s %s --type=merge -p '{"spec":{"sortKey":"n"}}'`, newer, group, l.names[n]))
		await.Until(t, "an object of the newer version waits", func() error {
			if c := l.ready(newer, l.names[n]); c == nil || c.Reason != reconcile.ReasonVersionUnserved {
				return fmt.Errorf("its condition is %v", c)
			}
			return nil
		})
		l.run(upgrade)
		await.Until(t, "it goes on with the newer operator", func() error {
			if c := l.ready(newer, l.names[n]); c == nil || c.Status != metav1.ConditionTrue {
				return fmt.Errorf("its condition is %v", c)
			}
			return nil
		})
	})
	l.while([]string{older, newer}, func() {
		l.twice("migrated", l.commands(upgrades, "migrate --dry-run"), n/2)
	})
	l.wantStored(newer + "storage")
	l.checkARM(n)

	if out := l.run("armature uninstall"); !strings.Contains(out, "nothing was changed") {
		t.Errorf("armature uninstall printed\n%s", out)
	}
	l.twice("uninstalled", strings.ReplaceAll(l.commands(readme, "armature uninstall --azure delete"), "0.1.0", "0.2.0"), n/2)
	if left := l.arm.IDs(); len(left) > 0 {
		t.Errorf("ARM still has %q", left)
	}
	l.checkGone()
}

// checkARM checks that ARM got each Person once, and again for each change, and nothing else. An operator that is
// killed may not have noted what it has sent, and sends that once more.
func (l *life) checkARM(edited int) {
	l.Helper()
	puts := map[string]int{}
	for _, r := range l.arm.Requests() {
		switch r.Method {
		case "PUT":
			puts[r.ID]++
		case "GET":
		default:
			l.Errorf("ARM got %s %s", r.Method, r.ID)
		}
	}
	for i, name := range l.names {
		want := 1
		if i < 3 || i == edited {
			want = 2
		}
		got := puts["/subscriptions/s/resourceGroups/people/providers/Contoso.Crm/persons/"+name]
		if got < want || got > want+l.kills {
			l.Errorf("ARM got %d PUTs of %s, want %d, and at most one more for each of %d kills", got, name, want, l.kills)
		}
	}
}

// checkGone checks that the cluster has nothing of a release any longer.
func (l *life) checkGone() {
	l.Helper()
	for _, resource := range []schema.GroupVersionResource{
		{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"},
		{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicies"},
		{Group: "apps", Version: "v1", Resource: "deployments"},
	} {
		list, err := l.Client.Resource(resource).List(l.Context(), metav1.ListOptions{})
		if err != nil {
			l.Fatal(err)
		}
		for _, o := range list.Items {
			if strings.HasSuffix(o.GetName(), ".cert-manager.io") {
				continue // whose life is its own
			}
			l.Errorf("the cluster still has %s %s", o.GetKind(), o.GetName())
		}
	}
}

// while calls do while a client reads and writes back all Persons at versions, without a pause. Each read has to show
// what it showed before, but for the name by which a test calls somebody; and each write has to succeed.
func (l *life) while(versions []string, do func()) {
	l.Helper()
	stop, done := make(chan struct{}), make(chan error)
	turns := 0
	go func() {
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := l.turn(versions[turns%len(versions)], l.names[turns*7%len(l.names)], turns); err != nil {
				done <- err
				return
			}
			turns++
		}
	}()
	do()
	close(stop)
	if err := <-done; err != nil {
		l.Errorf("after %d reads and writes: %v", turns, err)
	}
	l.Logf("%d reads and writes meanwhile", turns)
}

// turn reads a Person, and writes it back with a label. A write that is denied because of an annotation that the object
// has by then becomes a patch, as the message says.
func (l *life) turn(version, name string, number int) error {
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		o, err := l.at(version).Get(l.Context(), name, metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("get %s at %s: %w", name, version, err)
		}
		want := runtime.DeepCopyJSONValue(l.specs[version][name]).(map[string]any)
		got := runtime.DeepCopyJSONValue(o.Object["spec"]).(map[string]any)
		for _, edited := range []string{"knownAs", "sortKey"} {
			delete(want, edited)
			delete(got, edited)
		}
		if !equality.Semantic.DeepEqual(want, got) {
			return fmt.Errorf("%s shows at %s\n%v\nand before\n%v", name, version, got, want)
		}
		if err := unstructured.SetNestedField(o.Object, fmt.Sprint(number), "metadata", "labels", "written"); err != nil {
			return err
		}
		_, err = l.at(version).Update(l.Context(), o, metav1.UpdateOptions{})
		return err
	})
	if err != nil && l.killed.Load() && strings.Contains(err.Error(), "conversion webhook for") {
		return l.turn(version, name, number)
	}
	if controlplane.IsAnnotationLost(err) {
		label := fmt.Sprintf(`{"metadata": {"labels": {"written": "%d"}}}`, number)
		_, err = l.at(version).Patch(l.Context(), name, types.MergePatchType, []byte(label), metav1.PatchOptions{})
	}
	return err
}
