package consumer

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/armature-dev/armature/internal/gittest"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/internal/specs"
	"github.com/armature-dev/armature/tests/bazel/workspace"
	"github.com/armature-dev/armature/tests/e2e/cluster"
	"github.com/armature-dev/armature/tests/export/plaingo"
	"github.com/armature-dev/armature/tests/release"
)

// upgrade raises the version of Armature in the example as docs/your-workspace.md says, from one release to another in
// the same folder, and replaces the example's release in a cluster that has objects. By day the other release is the
// same with another version in MODULE.bazel, and without the runtime for the go command.
func (c consumer) upgrade(t *testing.T) {
	steps, version := upgradeSteps(t)
	keep, raise, verify := steps[0], steps[1], steps[2]
	if night.Is() {
		c.publishRaised(t, version)
	} else {
		c.raise(t, version)
	}
	gittest.Commit(t, c.Dir)
	before, after := filepath.Join(c.Dir, "../before"), c.path("bazel-bin/release/release")
	if err := os.RemoveAll(before); err != nil {
		t.Fatal(err)
	}
	specs := specs.Folder()

	c.follow(t, specs, keep)
	server := install(t, release.Read(t, filepath.Join(before, "release")))
	server.create(t)
	server.writeBack(t, "before")
	stored := server.read(t)

	out := c.follow(t, specs, raise)
	if !strings.HasSuffix(out, "\n"+version+"\n") || strings.Contains(out, "Mismatch between versions") {
		t.Errorf("the program is not of Armature %s, or Bazel warns of versions that differ:\n%s", version, out)
	}
	if out, err := c.run(specs, "run", "//apis/managedidentity:lock.update"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	const verdict = "\nNothing breaks. The way back is safe.\n"
	if out = c.follow(t, specs, verify); !strings.Contains(out, verdict) {
		t.Errorf("armature check does not say %q:\n%s", verdict, out)
	}
	changes, err := exec.Command("git", "-C", c.Dir, "diff", "--numstat").Output()
	if got, want := string(changes), "1\t1\tMODULE.bazel\n1\t1\tgo.mod\n"; err != nil || got != want {
		t.Errorf("%v: lines have changed in\n%swant\n%s", err, got, want)
	}

	next := release.Read(t, after)
	server.webhook.Handle(next.Handler(t))
	if diff := cmp.Diff(stored, server.read(t)); diff != "" {
		t.Errorf("once the webhook was replaced (-before +after):\n%s", diff)
	}
	server.crds = crdsOf(t, next)
	server.Install(t, server.webhook, server.crds...)
	if diff := cmp.Diff(stored, server.read(t)); diff != "" {
		t.Errorf("once the CRDs were replaced (-before +after):\n%s", diff)
	}
	server.writeBack(t, "after")
	if !night.Is() {
		return
	}

	dir := filepath.Join(t.TempDir(), "module")
	if out, err := c.run("", "run", "//apis:export", "--", "--to", dir); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if want := "github.com/armature-dev/armature/runtime v" + version; err != nil || !strings.Contains(string(goMod), want) {
		t.Errorf("%v: the exported module does not require %s:\n%s", err, want, goMod)
	}
	plaingo.Command(t, filepath.Join(c.release, "go"))(dir, "", "build", "./...")
}

// upgradeSteps returns the commands of the page's section about a newer version, block by block, and that version.
func upgradeSteps(t *testing.T) (blocks []string, version string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(workspace.Source(t), "docs/your-workspace.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## A newer version of Armature\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, block := range strings.Split(section, "```sh\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		blocks = append(blocks, block)
	}
	found := regexp.MustCompile(`(?m)^version=(.*)$`).FindStringSubmatch(section)
	if len(blocks) != 3 || found == nil {
		t.Fatalf("the section has %d blocks of commands and the version %q, want three and one", len(blocks), found)
	}
	return blocks, found[1]
}

// raised returns the text of Armature's MODULE.bazel with another version.
func raised(t *testing.T, module []byte, version string) []byte {
	t.Helper()
	text := regexp.MustCompile(`(?m)^    version = ".*",$`).ReplaceAllLiteral(module, []byte(`    version = "`+version+`",`))
	if bytes.Equal(text, module) {
		t.Fatalf("this Armature is %s already: name a newer one in the page", version)
	}
	return text
}

// raise adds a release with another version to the folder of the release that is there. Its sources differ in
// MODULE.bazel alone.
func (c consumer) raise(t *testing.T, version string) {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(c.release, "armature-*[0-9].tar.gz"))
	if err != nil || len(archives) != 1 {
		t.Fatalf("%v: the release has the archives %v, want one of sources", err, archives)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) {
		if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	name := "armature-" + version
	archive := filepath.Join(c.release, name+".tar.gz")
	run("tar", "-xzf", archives[0], "-C", dir)
	run("mv", filepath.Join(dir, strings.TrimSuffix(filepath.Base(archives[0]), ".tar.gz")), filepath.Join(dir, name))
	file := filepath.Join(dir, name, "MODULE.bazel")
	module, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	module = raised(t, module, version)
	if err := os.WriteFile(file, module, 0o644); err != nil {
		t.Fatal(err)
	}
	run("tar", "-czf", archive, "-C", dir, name)
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(data)
	entry := filepath.Join(c.release, "modules/armature", version)
	err = errors.Join(os.MkdirAll(entry, 0o755), os.WriteFile(filepath.Join(entry, "MODULE.bazel"), module, 0o644),
		os.WriteFile(filepath.Join(entry, "source.json"), fmt.Appendf(nil, `{"integrity": "sha256-%s", "strip_prefix": %q, "url": %q}`,
			base64.StdEncoding.EncodeToString(hash[:]), name, "file://"+archive), 0o644))
	if err != nil {
		t.Fatal(err)
	}
}

// publishRaised makes a release of the repository's files with another version, beside the one that is there.
func (c consumer) publishRaised(t *testing.T, version string) {
	t.Helper()
	w := workspace.Open(t, "raised")
	w.Copy(t, workspace.Everything)
	file := filepath.Join(w.Dir, "MODULE.bazel")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raised(t, text, version), 0o644); err != nil {
		t.Fatal(err)
	}
	w.Describe(t, version)
	gittest.Commit(t, w.Dir)
	w.Bazel(t, "run", "//tools/publish:host", "--", "--to="+c.release)
}

// follow runs commands of the page in the example, with Bazel as the test runs it, and returns what they printed.
func (c consumer) follow(t *testing.T, specs, commands string) string {
	t.Helper()
	// A function, because bazelw would take a program of that name for an installed Bazel.
	bazel := c.Command(append([]string{`"$1"`}, options...)...)
	function := "bazel() { " + strings.Join(bazel.Args, " ") + ` "${@:2}"; }` + "\n"
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", function+commands)
	cmd.Dir = c.Dir
	cmd.Env = append(workspace.Environment(), "GIT_PAGER=cat")
	if specs != "" {
		cmd.Env = append(cmd.Env, "ARMATURE_SPECS="+specs)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, commands, out)
	}
	return string(out)
}

// filled has a Spec for each API version of the example, with all of its properties.
var filled = map[string]map[string]any{
	"Shop at v20240501": {"owner": map[string]any{"armId": "/subscriptions/demo/resourceGroups/shop"}, "azureName": "Old",
		"street": "Mill Lane", "openSince": int64(1999)},
	"Shop at v20250901": {"owner": map[string]any{"armId": "/subscriptions/demo/resourceGroups/shop"}, "azureName": "New",
		"street": "Mill Lane", "openSince": int64(1999)},
	"Pet at v20240501": {"owner": map[string]any{"name": "shop"}, "azureName": "Rex", "species": "dog", "colour": "brown",
		"weightGrams": int64(1500)},
	// The hook cannot make grams of this weight, so it is in the bag.
	"Pet at v20250901": {"owner": map[string]any{"name": "shop"}, "azureName": "Bee", "species": "bee", "color": "black",
		"weightKg": 0.0001, "chipped": true},
	"UserAssignedIdentity at v20181130": {"owner": map[string]any{"armId": "/subscriptions/demo/resourceGroups/shop"},
		"azureName": "Old", "location": "westeurope", "tags": map[string]any{"a": "b"}},
	"UserAssignedIdentity at v20230131": {"owner": map[string]any{"armId": "/subscriptions/demo/resourceGroups/shop"},
		"azureName": "New", "location": "westeurope", "tags": map[string]any{"a": "b"}},
	"UserAssignedIdentityFederatedIdentityCredential at v20230131": {"owner": map[string]any{"name": "new"}, "azureName": "F",
		"audiences": []any{"a", "b"}, "issuer": "https://issuer.example", "subject": "somebody"},
}

// installed is a cluster with the CRDs of a release of the example, whose webhook converts.
type installed struct {
	*cluster.Cluster
	webhook *cluster.Webhook
	crds    []*apiextensionsv1.CustomResourceDefinition
}

// crdsOf returns the CRDs of all groups.
func crdsOf(t *testing.T, r *release.Release) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, group := range r.Groups(t) {
		crds = append(crds, r.CRDs(t, group)...)
	}
	return crds
}

func install(t *testing.T, r *release.Release) installed {
	t.Helper()
	i := installed{cluster.New(t), cluster.NewWebhook(t, r.Handler(t)), crdsOf(t, r)}
	i.Install(t, i.webhook, i.crds...)
	return i
}

// object is an object that was written with a Spec of all properties of a version. The version is its name, too.
type object struct {
	crd     *apiextensionsv1.CustomResourceDefinition
	version string
}

func (o object) String() string { return o.crd.Spec.Names.Kind + " at " + o.version }

// objects returns an object for each API version of each kind.
func (i installed) objects() []object {
	var all []object
	for _, crd := range i.crds {
		for _, version := range served(crd) {
			if !strings.HasSuffix(version, "storage") {
				all = append(all, object{crd, version})
			}
		}
	}
	return all
}

func served(crd *apiextensionsv1.CustomResourceDefinition) []string {
	var names []string
	for _, v := range crd.Spec.Versions {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	return names
}

// at returns the client for an object's kind at a version.
func (i installed) at(o object, version string) dynamic.ResourceInterface {
	return i.Client.Resource(schema.GroupVersionResource{
		Group: o.crd.Spec.Group, Version: version, Resource: o.crd.Spec.Names.Plural,
	}).Namespace("default")
}

// create writes all objects.
func (i installed) create(t *testing.T) {
	t.Helper()
	all := i.objects()
	if len(all) < 4 {
		t.Fatalf("the release has the objects %v, want those of two kinds at two versions", all)
	}
	for _, o := range all {
		if filled[o.String()] == nil {
			t.Fatalf("there is no Spec of a %v to write", o)
		}
		given := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": o.crd.Spec.Group + "/" + o.version, "kind": o.crd.Spec.Names.Kind,
			"metadata": map[string]any{"name": o.version}, "spec": filled[o.String()],
		}}
		if _, err := i.at(o, o.version).Create(t.Context(), given, metav1.CreateOptions{
			FieldValidation: metav1.FieldValidationStrict,
		}); err != nil {
			t.Fatalf("creating a %v: %v", o, err)
		}
	}
}

// writeBack writes each object at each version that is served, as it is there, with a label, and compares the Spec at
// its own version with what was given.
func (i installed) writeBack(t *testing.T, label string) {
	t.Helper()
	for _, o := range i.objects() {
		for _, version := range served(o.crd) {
			found := i.get(t, o, version)
			found.SetLabels(map[string]string{label: version})
			if _, err := i.at(o, version).Update(t.Context(), found, metav1.UpdateOptions{}); err != nil {
				t.Fatalf("writing a %v back at %s: %v", o, version, err)
			}
			if diff := cmp.Diff(any(filled[o.String()]), i.get(t, o, o.version).Object["spec"]); diff != "" {
				t.Errorf("a %v, written back at %s (-given +got):\n%s", o, version, diff)
			}
		}
	}
}

// read returns each object at each version that is served.
func (i installed) read(t *testing.T) map[string]map[string]any {
	t.Helper()
	found := map[string]map[string]any{}
	for _, o := range i.objects() {
		for _, version := range served(o.crd) {
			found[fmt.Sprintf("%v, read at %s", o, version)] = i.get(t, o, version).Object
		}
	}
	return found
}

func (i installed) get(t *testing.T, o object, version string) *unstructured.Unstructured {
	t.Helper()
	// Without a resource version it comes from etcd, so that the webhook converts it now.
	found, err := i.at(o, version).Get(t.Context(), o.version, metav1.GetOptions{})
	if err != nil {
		t.Fatalf("reading a %v at %s: %v", o, version, err)
	}
	return found
}
