package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"

	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/annotation"
)

// TestPersonAtAllVersions changes a Person in every way that clients have, at one
// version after the other. After each step the Person at every version must be as the
// model has it.
func TestPersonAtAllVersions(t *testing.T) {
	installCRM(t)
	seed := night.Seed(t)
	steps := night.Times(200, 600)
	w := &walk{T: t, random: rand.New(rand.NewPCG(seed, 0)), name: "ada", model: model{
		status: map[string]any{"observedGeneration": int64(-1)}, // which nobody has seen
		spec:   map[string]any{}, labels: map[string]string{}, owners: map[string]map[string]bool{},
	}}
	w.create()
	for i := range steps {
		if w.step(); t.Failed() {
			t.Fatalf("step %d of seed %d failed; the last steps:\n%s", i+1, seed, strings.Join(w.log[max(0, len(w.log)-20):], "\n"))
		}
	}
	for _, how := range w.ways() {
		if w.count[how.name] == 0 && steps >= 200 {
			t.Errorf("the walk never did %s", how.name)
		}
	}
	t.Logf("%d steps: %v", steps, w.count)
}

// walk is a Person in the cluster, with the model of it.
type walk struct {
	*testing.T
	random *rand.Rand
	name   string
	model  model
	log    []string
	count  map[string]int
	checks int
	// generation and managed are the metadata of these names after the last step.
	generation int64
	managed    []metav1.ManagedFieldsEntry
}

// way is a way in which clients change objects.
type way struct {
	name   string
	weight int
	do     func(version string)
}

func (w *walk) ways() []way {
	return []way{
		{"update", 5, w.update},
		{"JSON patch", 3, w.jsonPatch},
		{"merge patch", 3, w.mergePatch},
		{"server-side apply", 4, w.serverSideApply},
		{"last-applied", 3, w.lastApplied},
		{"label", 1, w.label},
		{"status", 2, w.status},
		{"nothing", 2, w.nothing},
	}
}

func (w *walk) step() {
	var ways []way
	for _, way := range w.ways() {
		for range way.weight {
			ways = append(ways, way)
		}
	}
	way := ways[w.random.IntN(len(ways))]
	if w.count == nil {
		w.count = map[string]int{}
	}
	w.count[way.name]++
	before := w.model.shownAtAll()
	version := pick(w, apiVersions)
	way.do(version)
	if !w.Failed() {
		w.check(way.name, before)
	}
}

func pick[T any](w *walk, from []T) T { return from[w.random.IntN(len(from))] }

func (w *walk) note(format string, args ...any) { w.log = append(w.log, fmt.Sprintf(format, args...)) }

func (w *walk) create() {
	version := pick(w, apiVersions)
	edits := w.needed(version)
	for range 4 {
		edits = append(edits, w.edit(version))
	}
	w.model.original = version
	w.model.edit(version, "walk", edits)
	w.note("create at %s: %v", version, edits)
	created, err := persons(version).Create(w.Context(), person(version, w.name, w.model.shown(version)),
		metav1.CreateOptions{FieldManager: "walk"})
	if err != nil {
		w.Fatalf("create at %s: %v", version, err)
	}
	w.generation = created.GetGeneration()
	w.check("create", nil)
}

// needed returns an edit that sets the object that a version requires, if the
// Person does not have it.
func (w *walk) needed(version string) []edit {
	object := required(version)
	if object == "" {
		return nil
	}
	if _, ok := w.model.get(object); ok {
		return nil
	}
	for _, path := range visible(version) {
		if strings.HasPrefix(path, object+".") {
			return []edit{{path, w.value(path)}}
		}
	}
	panic(version + " requires what it does not have")
}

// edit returns a random edit of a property of a version.
func (w *walk) edit(version string) edit {
	paths := visible(version)
	for _, object := range objects(version) {
		if object != required(version) {
			paths = append(paths, object)
		}
	}
	path := pick(w, paths)
	if slices.Contains(objects(version), path) || w.random.IntN(4) == 0 {
		return edit{path, nil}
	}
	return edit{path, w.value(path)}
}

// value returns a random value of a property.
func (w *walk) value(path string) any {
	last := path[strings.LastIndexByte(path, '.')+1:]
	switch last {
	case "id":
		return fmt.Sprintf("00000000-0000-4000-8000-%012d", w.random.IntN(1000))
	case "countryCode":
		return pick(w, []string{"IE", "FR", "NZ"})
	case "latitude", "longitude":
		return float64(w.random.IntN(170)) - 85.5
	case "lines":
		return w.lines(path)
	}
	return pick(w, []string{"Ada", "Lovelace", "Byron", "", "O'Neil \"X\"", "Müller 🦉", "a b"})
}

// lines returns the lines of an address after an edit such as people make.
func (w *walk) lines(path string) any {
	old, _ := w.model.get(path)
	lines, _ := runtime.DeepCopyJSONValue(old).([]any)
	line := fmt.Sprintf("%d Main Street", w.random.IntN(20))
	at := w.random.IntN(len(lines) + 1)
	switch w.random.IntN(5) {
	case 0:
		return []any{}
	case 1:
		slices.Reverse(lines)
	case 2:
		if at < len(lines) {
			lines = slices.Delete(lines, at, at+1)
		}
	default:
		lines = slices.Insert(lines, at, any(line))
	}
	return append([]any{}, lines...)
}

// edits returns random edits for one write at a version. None is within an object that the same write clears: the
// outcome has that object, so what the version cannot show of it stays.
func (w *walk) edits(version string) []edit {
	edits := w.needed(version)
	for range 1 + w.random.IntN(2) {
		e := w.edit(version)
		if !slices.ContainsFunc(edits, func(o edit) bool { return o.value == nil && strings.HasPrefix(e.path, o.path+".") }) {
			edits = append(edits, e)
		}
	}
	return edits
}

func (w *walk) update(version string) {
	edits := w.edits(version)
	w.note("update at %s: %v", version, edits)
	object := get(w.T, version, w.name)
	w.model.edit(version, "walk", edits)
	object.Object["spec"] = w.model.shown(version)
	if _, err := persons(version).Update(w.Context(), object, metav1.UpdateOptions{FieldManager: "walk"}); err != nil {
		w.Errorf("update at %s: %v", version, err)
	}
}

func (w *walk) patch(version, manager string, kind types.PatchType, patch any, force *bool) {
	text, err := json.Marshal(patch)
	if err != nil {
		w.Fatal(err)
	}
	if _, err := persons(version).Patch(w.Context(), w.name, kind, text,
		metav1.PatchOptions{FieldManager: manager, Force: force}); err != nil {
		w.Errorf("%s at %s: %v\n%s", kind, version, err, text)
	}
}

func (w *walk) jsonPatch(version string) {
	edits := w.edits(version)
	w.note("JSON patch at %s: %v", version, edits)
	spec := w.model.shown(version)
	var patch []map[string]any
	for _, e := range edits {
		patch = append(patch, jsonPatchOf(spec, named(e.path, version), e.value)...)
	}
	w.model.edit(version, "walk", edits)
	w.patch(version, "walk", types.JSONPatchType, patch, nil)
}

// jsonPatchOf returns the operations of an edit, and makes the edit in spec. If
// a list has one line more, the operation inserts that line.
func jsonPatchOf(spec map[string]any, path []string, value any) []map[string]any {
	var patch []map[string]any
	at := func(n int) string { return "/spec/" + strings.Join(path[:n], "/") }
	old, was := lookup(spec, path)
	if value == nil {
		if !was {
			return nil
		}
		remove(spec, path)
		return []map[string]any{{"op": "remove", "path": at(len(path))}}
	}
	for n := 1; n < len(path); n++ {
		if _, ok := lookup(spec, path[:n]); !ok {
			put(spec, path[:n], map[string]any{})
			patch = append(patch, map[string]any{"op": "add", "path": at(n), "value": map[string]any{}})
		}
	}
	put(spec, path, value)
	before, _ := old.([]any)
	after, _ := value.([]any)
	for i := range after {
		if len(before)+1 == len(after) && reflect.DeepEqual(slices.Delete(slices.Clone(after), i, i+1), before) {
			return append(patch, map[string]any{"op": "add", "path": fmt.Sprintf("%s/%d", at(len(path)), i), "value": after[i]})
		}
	}
	if was {
		patch = append(patch, map[string]any{"op": "test", "path": at(len(path)), "value": old})
	}
	return append(patch, map[string]any{"op": "add", "path": at(len(path)), "value": value})
}

func (w *walk) mergePatch(version string) {
	edits := w.edits(version)
	w.note("merge patch at %s: %v", version, edits)
	spec := map[string]any{}
	shown := w.model.shown(version)
	for _, e := range edits {
		if _, is := lookup(shown, named(e.path, version)); is || e.value != nil {
			put(spec, named(e.path, version), e.value) // null for an absent property would create the object around it
			put(shown, named(e.path, version), e.value)
		}
	}
	w.model.edit(version, "walk", edits)
	w.patch(version, "walk", types.MergePatchType, map[string]any{"spec": spec}, nil)
}

// serverSideApply applies as one of two managers: early applies at versions
// from before 2020, late at later ones. Neither applies a name from which others
// are computed: when a manager no longer applies such a name, the API server
// removes it at the versions of all managers, in any order, and the result
// depends on that order.
func (w *walk) serverSideApply(string) {
	manager, versions := "early", []string{
		"v20140404alpha1", "v20140404", "v1alpha1api20150505", "v20150505", "v20170707",
		"v20180808", "v20190909",
	}
	if w.random.IntN(2) == 0 {
		manager, versions = "late", []string{"v20201010", "v20211111", "v20221212alpha1"}
	}
	version := pick(w, versions)
	var config []edit
	for _, path := range visible(version) {
		if slices.Contains([]string{"id", "fullName", "pronouns"}, path) && w.random.IntN(3) > 0 {
			config = append(config, edit{path, w.value(path)})
		}
	}
	spec, object := map[string]any{}, ""
	if manager == "late" {
		object = required(version)
		spec[object] = map[string]any{}
	}
	w.applied(version, config, spec)
	w.note("%s applies at %s: %v", manager, version, config)
	force := true
	w.patch(version, manager, types.ApplyPatchType, person(version, w.name, spec), &force)
	w.model.apply(version, manager, config, object, func(path string) bool {
		seen := apiVersions[slices.IndexFunc(apiVersions, func(v string) bool { return slices.Contains(visible(v), path) })]
		_, stays := lookup(specOf(get(w.T, seen, w.name)), named(path, seen))
		return stays && !w.seenByAllManagers(path)
	})
}

// seenByAllManagers reports whether a property exists at every version at which
// a manager has written. The API server removes a property at all of these
// versions. At one that does not have the property, the annotation still
// carries it, and so it stays. See [TestServerSideApply].
func (w *walk) seenByAllManagers(path string) bool {
	for _, entry := range w.managed {
		if !slices.Contains(visible(strings.TrimPrefix(entry.APIVersion, "crm.azure.armature.dev/")), path) {
			return false
		}
	}
	return true
}

// applied adds a configuration to a Spec.
func (w *walk) applied(version string, config []edit, spec map[string]any) {
	maps.Copy(spec, base())
	for _, e := range config {
		put(spec, named(e.path, version), e.value)
	}
}

// lastApplied does what `kubectl apply` does with custom resources: it computes
// a merge patch from the configuration applied last, the one applied now, and
// the object.
func (w *walk) lastApplied(version string) {
	config := w.needed(version)
	for _, path := range visible(version) {
		if w.random.IntN(3) == 0 {
			config = append(config, edit{path, w.value(path)})
		}
	}
	spec := map[string]any{}
	w.applied(version, config, spec)
	if object := required(version); object != "" {
		if _, ok := spec[object]; !ok {
			spec[object] = map[string]any{}
		}
	}
	w.note("kubectl applies at %s: %v", version, config)
	modified := person(version, w.name, spec)
	modified.SetAnnotations(map[string]string{})
	text, err := json.Marshal(modified)
	if err != nil {
		w.Fatal(err)
	}
	annotation := string(text)
	current := get(w.T, version, w.name)
	original := current.GetAnnotations()[lastAppliedAnnotation]
	modified.SetAnnotations(map[string]string{lastAppliedAnnotation: annotation})
	if text, err = json.Marshal(modified); err != nil {
		w.Fatal(err)
	}
	shown, err := json.Marshal(current)
	if err != nil {
		w.Fatal(err)
	}
	patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch([]byte(original), text, shown)
	if err != nil {
		w.Fatal(err)
	}

	// A property that was applied last and is not applied now is cleared, if the version has it by that name.
	edits := config
	var last unstructured.Unstructured
	if original != "" {
		if err := json.Unmarshal([]byte(original), &last.Object); err != nil {
			w.Fatal(err)
		}
		before, _ := last.Object["spec"].(map[string]any)
		for _, path := range append(objects(version), visible(version)...) {
			_, was := lookup(before, named(path, version))
			if _, is := lookup(spec, named(path, version)); was && !is {
				edits = append([]edit{{path, nil}}, edits...)
			}
		}
	}
	w.model.edit(version, "kubectl", edits)
	w.patch(version, "kubectl", types.MergePatchType, json.RawMessage(patch), nil)
}

const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration"

func (w *walk) label(version string) {
	key := pick(w, []string{"team", "cost"})
	object := get(w.T, version, w.name)
	if _, ok := w.model.labels[key]; ok && w.random.IntN(2) == 0 {
		delete(w.model.labels, key)
	} else {
		w.model.labels[key] = strconv.Itoa(w.random.IntN(100))
	}
	w.note("labels at %s: %v", version, w.model.labels)
	object.SetLabels(w.model.labels)
	if _, err := persons(version).Update(w.Context(), object, metav1.UpdateOptions{FieldManager: "walk"}); err != nil {
		w.Errorf("label at %s: %v", version, err)
	}
}

func (w *walk) status(version string) {
	w.model.status = map[string]any{
		"provisioningState": pick(w, []string{"Succeeded", "Failed", "SomethingNew"}),
		"conditions": []any{map[string]any{
			"type": "Ready", "status": pick(w, []string{"True", "False"}), "reason": "Told", "message": w.value("message"),
			"lastTransitionTime": "2026-01-02T03:04:05Z",
		}},
	}
	w.note("status at %s: %v", version, w.model.status)
	object := get(w.T, version, w.name)
	object.Object["status"] = w.model.status
	if _, err := persons(version).UpdateStatus(w.Context(), object, metav1.UpdateOptions{FieldManager: "walk"}); err != nil {
		w.Errorf("status at %s: %v", version, err)
	}
}

// nothing writes the object that it has read. Nothing may change.
func (w *walk) nothing(version string) {
	w.note("nothing at %s", version)
	before, stored := get(w.T, version, w.name), server.Stored(w.T, storedPersons, w.name)
	after, err := persons(version).Update(w.Context(), before.DeepCopy(), metav1.UpdateOptions{FieldManager: "bystander-" + version})
	if err != nil {
		w.Errorf("update at %s: %v", version, err)
		return
	}
	if diff := cmp.Diff(before.Object, after.Object); diff != "" {
		w.Errorf("a write at %s that changes nothing (-before +after):\n%s\nof what is stored:\n%s", version, diff,
			cmp.Diff(stored.Object, server.Stored(w.T, storedPersons, w.name).Object))
	}
}

// shownAtAll returns the expected Spec at every version.
func (m *model) shownAtAll() map[string]any {
	shown := map[string]any{}
	for _, version := range apiVersions {
		shown[version] = m.shown(version)
	}
	return shown
}

// check reads the Person at all versions.
func (w *walk) check(how string, before map[string]any) {
	for _, wrong := range append(
		w.model.learn(specOf(get(w.T, "v20130303", w.name)), oldNames, "v20130303"),
		w.model.learn(specOf(get(w.T, "v20211111", w.name)), newNames, "v20211111")...) {
		w.Error(wrong)
	}
	w.checks++
	for _, version := range apiVersions {
		if strings.HasPrefix(version, "v1") && w.checks%5 != 0 {
			continue // an alias: the version of the same date shows the same, and each read takes time
		}
		object := get(w.T, version, w.name)
		if diff := cmp.Diff(w.model.shown(version), specOf(object)); diff != "" {
			w.Errorf("the Spec at %s (-want +got):\n%s", version, diff)
		}
		status, _ := object.Object["status"].(map[string]any)
		if diff := cmp.Diff(w.model.status, status); diff != "" {
			w.Errorf("the Status at %s (-want +got):\n%s", version, diff)
		}
		if diff := cmp.Diff(w.model.labels, object.GetLabels()); diff != "" && len(w.model.labels)+len(object.GetLabels()) > 0 {
			w.Errorf("the labels at %s (-want +got):\n%s", version, diff)
		}
	}
	stored := get(w.T, hub, w.name)
	w.checkMetadata(how, before, stored)
	if got := specOf(stored)["originalVersion"]; got != w.model.original {
		w.Errorf("originalVersion is %v, want %s", got, w.model.original)
	}
	if text, ok := server.Stored(w.T, storedPersons, w.name).GetAnnotations()[annotation.Remainder]; ok {
		w.Errorf("etcd has %s: %s", annotation.Remainder, text)
	}
}

// checkMetadata checks the generation and the managed fields.
func (w *walk) checkMetadata(how string, before map[string]any, stored *unstructured.Unstructured) {
	generation := stored.GetGeneration()
	switch changed := before != nil && !reflect.DeepEqual(before, w.model.shownAtAll()); {
	case changed && generation != w.generation+1:
		w.Errorf("%s changed the Spec, and the generation from %d to %d", how, w.generation, generation)
	case !changed && generation != w.generation:
		w.Errorf("%s did not change the Spec, but the generation from %d to %d", how, w.generation, generation)
	}
	w.generation = generation
	managed := stored.GetManagedFields()
	for _, entry := range managed {
		if entry.FieldsV1 != nil && strings.Contains(string(entry.FieldsV1.Raw), annotation.Remainder) {
			w.Errorf("%s owns %s at %s: %s", entry.Manager, annotation.Remainder, entry.APIVersion, entry.FieldsV1.Raw)
		}
	}
	if how == "nothing" && !reflect.DeepEqual(managed, w.managed) {
		w.Errorf("a write that changes nothing changed the managed fields (-before +after):\n%s", cmp.Diff(w.managed, managed))
	}
	w.managed = managed
}

func specOf(object *unstructured.Unstructured) map[string]any {
	spec, _ := object.Object["spec"].(map[string]any)
	return spec
}
