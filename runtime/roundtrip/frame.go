package roundtrip

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// frame returns an error if one edit by a client changes properties of the hub
// other than the edited one. It compares two hubs: one of a client that edited what
// it was shown, and one of a client that wrote it back unchanged.
//
// Two plain conversions say what the edit may change: of the object before the edit
// and after it, without what they carry for the hub.
func (t *Trial) frame(hub conversion.Hub, x *exchange) error {
	edited := x.shown.DeepCopyObject().(conversion.Convertible)
	e := t.edit(edited)
	if e == nil {
		return nil
	}
	changed, err := t.up(edited)
	if err != nil {
		return err
	}
	var trees, plainTrees [2]any
	for i, side := range []exchange{*x, {edited, changed}} {
		if trees[i], err = tree(side.written); err != nil {
			return err
		}
		if plainTrees[i] = trees[i]; !carries(side.shown) {
			continue // it is plain
		}
		written, err := t.up(plain(side.shown))
		if err != nil {
			return err
		}
		if plainTrees[i], err = tree(written); err != nil {
			return err
		}
	}
	f := framer{t: t, hub: reflect.TypeOf(t.Hub).Elem(), keys: keysOf(x.shown)}
	f.compare(nil, trees[0], trees[1], plainTrees[0], plainTrees[1])
	if generated(hub) { // otherwise it is unknown which properties belong together
		f.spread(e)
	}
	if len(f.wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%T: an edit of %T changed more than it should (%s):\n%s", t.Hub, x.shown, e, atMost(f.wrong))
}

// carries reports whether an object carries something for the hub.
func carries(object runtime.Object) bool {
	accessor, ok := object.(metav1.ObjectMetaAccessor)
	if !ok {
		return false
	}
	_, ok = accessor.GetObjectMeta().GetAnnotations()[annotation.Remainder]
	return ok
}

// plain returns a copy of an object without what it carries for the hub.
func plain(object runtime.Object) runtime.Object {
	object = object.DeepCopyObject()
	stripRemainder(object)
	return object
}

// framer finds properties of the hub that an edit should not have changed.
type framer struct {
	t    *Trial
	hub  reflect.Type
	keys [][]string // of [keysOf]
	// wrong describes what the edit should not have changed.
	wrong []string
	// touched are the paths of the properties that the edit changes, except in bags.
	touched [][]string
}

// absent is used for the value of a property that an object does not have.
type absent struct{}

// compare compares a value of the hub before and after the edit, given the values
// of the plain conversions before and after.
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
			if name == propertybag.Name {
				v[0] = upToDate(v[0], v[1], objects)
			}
			f.compare(append(path[:len(path):len(path)], name), v[0], v[1], v[2], v[3])
		})
		return
	}
	lists, areLists := all[[]any](before, after, plainBefore, plainAfter)
	if areLists && len(lists[0]) == len(lists[2]) && len(lists[1]) == len(lists[3]) &&
		f.lists(path, lists[0], lists[1], lists[2], lists[3]) {
		return
	}
	if isEmpty(plainBefore) && isEmpty(plainAfter) {
		return // an object comes or goes with the property in it that the hub has elsewhere
	}
	f.touch(path)
}

// isEmpty reports whether a value is absent, an object without properties, or a list of
// one, which some versions have in place of one object.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case absent:
		return true
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 1 && isEmpty(value[0])
	}
	return false
}

// bagged reports whether the edit set a property to a value that the hub's type
// cannot hold, so that it is in the bag now.
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

// upToDate returns the bag of the hub before the edit without the entries that are gone
// because the edit sets their properties: the hub has those itself now, in another type
// than the bag had.
func upToDate(before, after any, objects []map[string]any) any {
	bag, ok := before.(map[string]any)
	if !ok {
		return before
	}
	left, _ := after.(map[string]any)
	kept := maps.Clone(bag)
	for name, value := range objects[3] {
		if !reflect.DeepEqual(objects[2][name], value) {
			maps.DeleteFunc(kept, func(key string, _ any) bool {
				of, _, _ := strings.Cut(key, "@")
				return of == strings.ToLower(name) && left[key] == nil
			})
		}
	}
	if len(kept) == 0 && len(bag) > 0 {
		return absent{}
	}
	return kept
}

// replaced returns the variants of a union if the edit chose another one.
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

// members calls visit for each name that one of the objects has, with the values of
// all objects.
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

// lists compares lists in which the edit changed, added, removed or moved elements.
// It reports whether it found out which.
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
		return f.without(path, before, after, plainBefore, plainAfter, f.distinct(plainBefore, plainAfter))
	case n == -1:
		return f.without(path, after, before, plainAfter, plainBefore, whole)
	}
	return false
}

// without compares two lists of which one has an additional element, without that
// element. The function pick returns the elements to compare.
func (f *framer) without(path []string, short, long, plainShort, plainLong []any, pick func([]any) []any) bool {
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
	plainShort, short, rest = pick(plainShort), pick(short), pick(rest)
	if !sameMembers(plainShort, short, rest) {
		f.unchanged(path, short, rest)
	}
	return true
}

// distinct returns a function that picks the elements whose key no other element has
// after the edit. Elements with the same key cannot be told apart.
func (f *framer) distinct(before, after []any) func([]any) []any {
	key := f.keyOf(before)
	if key == nil {
		return whole
	}
	return func(list []any) (picked []any) {
		for i := range before {
			id := identity(before[i], key)
			same := func(element any) bool { return reflect.DeepEqual(identity(element, key), id) }
			first := slices.IndexFunc(after, same)
			if isMissing(id) || !slices.ContainsFunc(after[first+1:], same) {
				picked = append(picked, list[i])
			}
		}
		return picked
	}
}

// keyOf returns the key by which package remainder tells the elements of a list apart: the first one that all have, or
// else the first one that some have, no two with the same values, or nil.
func (f *framer) keyOf(list []any) []string {
	for _, key := range f.keys {
		if isKey(list, key) {
			return key
		}
	}
	for _, key := range f.keys {
		some := slices.DeleteFunc(slices.Clone(list), func(element any) bool { return isMissing(identity(element, key)) })
		if len(some) > 0 && isKey(some, key) {
			return key
		}
	}
	return nil
}

// whole returns all elements.
func whole(list []any) []any { return list }

// keysOf returns the sets of properties that may identify the elements of a list that a
// client is shown, in order of preference.
func keysOf(shown runtime.Object) [][]string {
	return append(slices.Clone(remainder.OptionsOf(shown).Keys), []string{"id"}, []string{"name"})
}

// isAnother reports whether an edit changed the identity of an element of a list, which
// makes it another element, and whether the elements are still distinct. An element whose
// identity was cleared is the same.
func (f *framer) isAnother(before, after []any, i int) (another, distinct bool) {
	for _, key := range f.keys {
		if isKey(before, key) {
			now := identity(after[i], key)
			if isMissing(now) {
				return false, true
			}
			return !reflect.DeepEqual(identity(before[i], key), now), isKey(after, key)
		}
	}
	return false, true
}

// isMissing reports whether an element lacks one of the values of its identity.
func isMissing(identity []any) bool {
	return slices.Contains(identity, nil) || slices.Contains(identity, "")
}

// isKey reports whether properties identify the elements of a list.
func isKey(list []any, key []string) bool {
	seen := map[string]bool{}
	for _, element := range list {
		values := identity(element, key)
		if isMissing(values) {
			return false
		}
		seen[showTree(values)] = true
	}
	return len(seen) == len(list)
}

// identity returns the values of the properties that identify an element.
func identity(element any, key []string) []any {
	values := make([]any, len(key))
	for i, path := range key {
		values[i] = element
		for name := range strings.SplitSeq(path, "/") {
			values[i] = member(values[i], name)
		}
	}
	return values
}

// member returns the value of a property of an object, or nil. What the type of the object
// does not have is in its bag.
func member(value any, name string) any {
	object, _ := value.(map[string]any)
	if object[name] != nil {
		return object[name]
	}
	bag, _ := object[propertybag.Name].(map[string]any)
	var found any
	for _, entry := range slices.Sorted(maps.Keys(bag)) {
		if stashed, _, _ := strings.Cut(entry, "@"); strings.EqualFold(stashed, name) {
			found = bag[entry]
		}
	}
	return found
}

// permutation returns the index before the edit of each element after it, or nil if
// the lists have different elements.
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

// sameMembers reports whether two lists have the same elements. Elements that look
// the same to a client may be in any order.
func sameMembers(shown, want, got []any) bool {
	if len(shown) != len(want) || len(want) != len(got) {
		return false
	}
	taken := make([]bool, len(got))
	for i := range want {
		j := 0
		for ; j < len(got); j++ {
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

// touch notes that the edit changes the value at a path.
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

// spread adds an error if an edit of one property changed several. An edit of an object
// is one of each of its properties, some of which the hub may have elsewhere.
func (f *framer) spread(e *edit) {
	if e.object || f.isOne(e) {
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

// isOne reports whether everything that was touched is within one property, which is
// as deep as the edited one.
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

// all returns values with their common type T, and reports whether all have it.
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

// tree returns the unstructured form of an object without metadata, and without the
// version that it was written for, which other laws check.
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

// bare replaces the entries of bags by their values. An entry names the version of
// its last writer, which may be another one with the same shape.
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

// stripRemainder removes what an object carries for the hub.
func stripRemainder(object runtime.Object) {
	if o, ok := object.(interface {
		GetAnnotations() map[string]string
		SetAnnotations(map[string]string)
	}); ok && o.GetAnnotations() != nil {
		o.SetAnnotations(remainder.Strip(maps.Clone(o.GetAnnotations())))
	}
}
