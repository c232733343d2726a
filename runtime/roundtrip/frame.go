package roundtrip

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// frame has a client edit what it was shown of a hub, and write it. It returns
// an error if the hub then differs, but for the property that was edited, from
// what it is when a client writes back what it was shown.
//
// What the edit changes of the hub is the difference of two plain conversions:
// of the object before the edit and after it, without what they carry for the hub.
func (t *Trial) frame(hub conversion.Hub, shown conversion.Convertible) error {
	edited := shown.DeepCopyObject().(conversion.Convertible)
	e := t.edit(edited)
	if e == nil {
		return nil
	}
	var trees, plainTrees [2]any
	var err error
	for i, object := range []runtime.Object{shown, edited} {
		if trees[i], err = t.upTree(object); err != nil {
			return err
		}
		if plainTrees[i] = trees[i]; !carries(object) {
			continue // it is plain
		}
		if plainTrees[i], err = t.upTree(plain(object)); err != nil {
			return err
		}
	}
	f := framer{t: t, hub: reflect.TypeOf(t.Hub).Elem()}
	f.compare(nil, trees[0], trees[1], plainTrees[0], plainTrees[1])
	if generated(hub) { // else nobody knows which properties belong to one another
		f.spread(e)
	}
	if len(f.wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%T: an edit of %T changed more than it should (%s):\n%s", t.Hub, shown, e, atMost(f.wrong))
}

// upTree converts an object to the hub, and returns that as a tree.
func (t *Trial) upTree(object runtime.Object) (any, error) {
	hub, err := t.up(object)
	if err != nil {
		return nil, err
	}
	return tree(hub)
}

// carries reports whether an object carries something for the hub.
func carries(object runtime.Object) bool {
	accessor, ok := object.(metav1.ObjectMetaAccessor)
	if !ok {
		return false
	}
	_, ok = accessor.GetObjectMeta().GetAnnotations()[remainder.Annotation]
	return ok
}

// plain is an object without what it carries for the hub.
func plain(object runtime.Object) runtime.Object {
	object = object.DeepCopyObject()
	stripRemainder(object)
	return object
}

// framer finds what an edit of a version should not have changed of the hub.
type framer struct {
	t     *Trial
	hub   reflect.Type
	wrong []string
	// touched are the paths of the properties that the edit changes, without
	// those of bags.
	touched [][]string
}

// absent is the value of a property that is not there.
type absent struct{}

// compare takes one value of the hub before the edit and after, and of the
// plain conversions before and after.
func (f *framer) compare(path []string, before, after, plainBefore, plainAfter any) {
	if reflect.DeepEqual(plainBefore, plainAfter) {
		f.unchanged(path, before, after)
		return
	}
	objects, areObjects := all[map[string]any](before, after, plainBefore, plainAfter)
	if areObjects {
		gone := f.replaced(path, objects)
		members(objects, func(name string, v []any) {
			if v[1] == (any)(absent{}) && (slices.Contains(gone, name) || bagged(name, objects)) {
				return
			}
			f.compare(append(path[:len(path):len(path)], name), v[0], v[1], v[2], v[3])
		})
		return
	}
	lists, areLists := all[[]any](before, after, plainBefore, plainAfter)
	if areLists && len(lists[0]) == len(lists[2]) && len(lists[1]) == len(lists[3]) && f.lists(path, lists[0], lists[1], lists[2], lists[3]) {
		return
	}
	f.touch(path)
}

// bagged tells that the edit set a property to what the hub's type cannot hold,
// so that it is in the bag now.
func bagged(name string, objects []map[string]any) bool {
	before, _ := objects[2][propertybag.Name].(map[string]any)
	after, _ := objects[3][propertybag.Name].(map[string]any)
	for key, entry := range after {
		of, _, _ := strings.Cut(key, "@")
		if of == strings.ToLower(name) && !reflect.DeepEqual(entry, before[key]) {
			return true
		}
	}
	return false
}

// replaced are the variants of a union in whose place the edit put another.
func (f *framer) replaced(path []string, objects []map[string]any) []string {
	t := typeAt(f.hub, path)
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	var variants []string
	chosen := false
	for i := range t.NumField() {
		if isVariant(t.Field(i)) {
			name := jsonName(t.Field(i))
			variants = append(variants, name)
			_, before := objects[2][name]
			_, after := objects[3][name]
			chosen = chosen || after && !before
		}
	}
	if !chosen {
		return nil
	}
	return variants
}

// members calls visit for each name that some object has, with the values that
// all have there.
func members(objects []map[string]any, visit func(name string, values []any)) {
	names := map[string]bool{}
	for _, o := range objects {
		for name := range o {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		values := make([]any, len(objects))
		for i, o := range objects {
			values[i] = absent{}
			if value, ok := o[name]; ok {
				values[i] = value
			}
		}
		visit(name, values)
	}
}

// lists compares the elements of lists that the edit has moved, and tells
// whether it knows how.
func (f *framer) lists(path []string, before, after, plainBefore, plainAfter []any) bool {
	element := func(i int) []string { return append(path[:len(path):len(path)], "["+strconv.Itoa(i)+"]") }
	switch n := len(plainAfter) - len(plainBefore); {
	case n == 0:
		if order := permutation(plainBefore, plainAfter); order != nil {
			f.touch(path)
			moved := make([]any, len(order))
			for to, from := range order {
				moved[to] = before[from]
			}
			if !sameMembers(plainAfter, moved, after) {
				f.unchanged(path, moved, after)
			}
			return true
		}
		differing := 0
		for i := range plainBefore {
			if !reflect.DeepEqual(plainBefore[i], plainAfter[i]) {
				differing++
			}
		}
		if differing > 1 {
			return false
		}
		for i := range plainBefore {
			if !reflect.DeepEqual(plainBefore[i], plainAfter[i]) {
				another, distinct := f.isAnother(plainBefore, plainAfter, i)
				if !distinct {
					return false
				}
				if another {
					f.touch(element(i))
					continue
				}
			}
			f.compare(element(i), before[i], after[i], plainBefore[i], plainAfter[i])
		}
		return true
	case n == 1:
		return f.without(path, before, after, plainBefore, plainAfter, f.apart(plainBefore, plainAfter))
	case n == -1:
		return f.without(path, after, before, plainAfter, plainBefore, whole)
	}
	return false
}

// without compares lists of which one has one element more, those of the shorter
// that told picks.
func (f *framer) without(path []string, short, long, plainShort, plainLong []any, told func([]any) []any) bool {
	var rest []any
	for i := range plainLong {
		if !reflect.DeepEqual(plainShort, slices.Concat(plainLong[:i], plainLong[i+1:])) {
			continue
		}
		rest = slices.Concat(long[:i], long[i+1:])
		if sameMembers(plainShort, short, rest) {
			break
		}
	}
	if rest == nil {
		return false
	}
	f.touch(path)
	plainShort, short, rest = told(plainShort), told(short), told(rest)
	if !sameMembers(plainShort, short, rest) {
		f.unchanged(path, short, rest)
	}
	return true
}

// apart picks the elements that an edit has given no other with the same key.
// Where it has, nobody can tell which of the two is which.
func (f *framer) apart(before, after []any) func([]any) []any {
	for _, key := range f.keys() {
		if !isKey(before, key) {
			continue
		}
		return func(list []any) (told []any) {
			for i := range before {
				same := func(element any) bool {
					return reflect.DeepEqual(identity(element, key), identity(before[i], key))
				}
				first := slices.IndexFunc(after, same)
				if !slices.ContainsFunc(after[first+1:], same) {
					told = append(told, list[i])
				}
			}
			return told
		}
	}
	return whole
}

// whole picks all elements.
func whole(list []any) []any { return list }

// keys are the ways to identify elements, the first that holds being that of a list.
func (f *framer) keys() [][]string {
	return append(slices.Clone(remainder.OptionsOf(f.t.Hub).Keys), []string{"id"}, []string{"name"})
}

// isAnother tells whether an edit made another element of an element of a
// list, for it changed what identifies it; and whether the elements have
// distinct identities still, without which nobody can tell which is which.
func (f *framer) isAnother(before, after []any, i int) (another, distinct bool) {
	for _, key := range f.keys() {
		if isKey(before, key) {
			return !reflect.DeepEqual(identity(before[i], key), identity(after[i], key)), isKey(after, key)
		}
	}
	return false, true
}

// isKey tells whether properties identify the elements of a list.
func isKey(list []any, key []string) bool {
	seen := map[string]bool{}
	for _, element := range list {
		values := identity(element, key)
		if slices.Contains(values, nil) || slices.Contains(values, "") {
			return false
		}
		seen[showTree(values)] = true
	}
	return len(seen) == len(list)
}

// identity are the values of the properties that identify an element.
func identity(element any, key []string) []any {
	object, _ := element.(map[string]any)
	values := make([]any, len(key))
	for i, name := range key {
		values[i] = object[name]
	}
	return values
}

// permutation is where each element of a list was in another, nil if the two
// have other elements.
func permutation(before, after []any) []int {
	var order []int
	taken := make([]bool, len(before))
	for _, element := range after {
		i := slices.IndexFunc(before, func(b any) bool { return reflect.DeepEqual(b, element) })
		for i >= 0 && i < len(before) && (taken[i] || !reflect.DeepEqual(before[i], element)) {
			i++
		}
		if i < 0 || i == len(before) {
			return nil
		}
		taken[i] = true
		order = append(order, i)
	}
	return order
}

// sameMembers tells whether two lists have the same elements, in any order
// among those of which a client is shown the same: nobody can tell these apart.
func sameMembers(shown, want, got []any) bool {
	if len(shown) != len(want) || len(want) != len(got) {
		return false
	}
	taken := make([]bool, len(got))
	for i := range want {
		j := slices.IndexFunc(got, func(any) bool { return true })
		for j = 0; j < len(got); j++ {
			if !taken[j] && reflect.DeepEqual(shown[i], shown[j]) && reflect.DeepEqual(want[i], got[j]) {
				break
			}
		}
		if j == len(got) {
			return false
		}
		taken[j] = true
	}
	return true
}

// touch notes that the edit changes what is at a path.
func (f *framer) touch(path []string) {
	if !slices.Contains(path, propertybag.Name) {
		f.touched = append(f.touched, path)
	}
}

// unchanged notes the differences of values that should be equal.
func (f *framer) unchanged(path []string, want, got any) {
	if reflect.DeepEqual(want, got) {
		return
	}
	if objects, ok := all[map[string]any](want, got); ok {
		members(objects, func(name string, values []any) {
			f.unchanged(append(path[:len(path):len(path)], name), values[0], values[1])
		})
		return
	}
	a, b := asList(want), asList(got)
	if a != nil && b != nil && len(a) == len(b) {
		for i := range a {
			f.unchanged(append(path[:len(path):len(path)], "["+strconv.Itoa(i)+"]"), a[i], b[i])
		}
		return
	}
	if !f.t.waived(ownersAt(f.hub, path)) {
		f.wrong = append(f.wrong, fmt.Sprintf("\t%s: was %s, is %s", joinPath(path), showTree(want), showTree(got)))
	}
}

func asList(v any) []any { list, _ := v.([]any); return list }

// spread notes that an edit of one property changed several.
func (f *framer) spread(e *edit) {
	if f.isOne(e) {
		return
	}
	f.touched = slices.DeleteFunc(f.touched, func(path []string) bool { return f.t.waived(ownersAt(f.hub, path)) })
	if f.isOne(e) {
		return
	}
	var paths []string
	for _, path := range f.touched {
		paths = append(paths, joinPath(path))
	}
	f.wrong = append(f.wrong, "\tone property was edited, and these differ: "+strings.Join(paths, ", "))
}

// isOne tells whether all that was touched is within one property that is as
// deep as the one that was edited.
func (f *framer) isOne(e *edit) bool {
	var common []string
	for i, path := range f.touched {
		names := slices.DeleteFunc(slices.Clone(path), func(step string) bool { return strings.HasPrefix(step, "[") })
		if i == 0 {
			common = names
		}
		n := 0
		for n < min(len(common), len(names)) && common[n] == names[n] {
			n++
		}
		common = common[:n]
	}
	return len(f.touched) < 2 || len(common) >= e.depth
}

// all are values of one type, if they are.
func all[T any](values ...any) ([]T, bool) {
	typed := make([]T, len(values))
	for i, v := range values {
		var ok bool
		if typed[i], ok = v.(T); !ok {
			return nil, false
		}
	}
	return typed, true
}

// tree returns Spec and Status of an object, or what else it has but metadata,
// as an unstructured object; without the version that it was written for, which
// other laws check.
func tree(object runtime.Object) (any, error) {
	o, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, fmt.Errorf("%T: %w", object, err)
	}
	delete(o, "metadata")
	delete(o, "kind")
	delete(o, "apiVersion")
	if spec, ok := o["spec"].(map[string]any); ok && generated(object) {
		delete(spec, "originalVersion")
	}
	return bare(o), nil
}

// bare puts the values of a bag's entries in their place: the version that an
// entry names is that of whoever wrote it last, in a shape of equal meaning.
func bare(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = bare(value[i])
		}
	case map[string]any:
		for name, member := range value {
			entries, isObject := member.(map[string]any)
			if name != propertybag.Name || !isObject {
				value[name] = bare(member)
				continue
			}
			for key, entry := range entries {
				if e, ok := entry.(map[string]any); ok {
					entries[key] = e["value"]
				}
			}
		}
	}
	return value
}

func showTree(value any) string {
	if value == (any)(absent{}) {
		return "nothing"
	}
	data, _ := json.Marshal(value)
	return string(data)
}

func joinPath(path []string) string {
	return strings.ReplaceAll(strings.Join(path, "."), ".[", "[")
}

// stripRemainder removes from an object what it carries for the hub.
func stripRemainder(object runtime.Object) {
	if o, ok := object.(interface {
		GetAnnotations() map[string]string
		SetAnnotations(map[string]string)
	}); ok && o.GetAnnotations() != nil {
		o.SetAnnotations(remainder.Strip(maps.Clone(o.GetAnnotations())))
	}
}
