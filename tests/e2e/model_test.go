package e2e

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	apiversion "k8s.io/apimachinery/pkg/version"
)

// model is a Person as its specs and group.yaml describe it. It uses none of the
// code that converts.
type model struct {
	// spec has the properties of all versions, each once, by the newest of its names.
	spec   map[string]any
	status map[string]any
	labels map[string]string
	// original is the expected originalVersion.
	original string
	// middleSet reports whether a client has set the middle name. Otherwise it
	// may be computed from the legal name.
	middleSet bool
	// owners has the field managers of each property, as in server-side apply.
	owners map[string]map[string]bool
	// kept are the objects of movedInto that were there and empty before a client of a
	// version without them set what moves into them: they stay when it clears that again.
	kept map[string]bool
}

// apiVersions are the versions of Person, the oldest first.
var apiVersions = []string{
	"v20110101", "v1alpha1api20110101",
	"v20120202", "v1alpha1api20120202",
	"v20130303", "v1alpha1api20130303",
	"v20140404alpha1", "v1alpha1api20140404preview",
	"v20140404", "v1alpha1api20140404",
	"v20150505", "v1alpha1api20150505",
	"v20160606", "v1beta20160606", "v20170707", "v20180808", "v20190909", "v20201010", "v20211111",
	"v20221212alpha1",
}

var digits = regexp.MustCompile(`\d{8}`)

// date returns the date of a version. That of the preview of 2014 is a day
// earlier than in ARM, so that it sorts before the GA version of the same date.
func date(version string) string {
	if version == "v20140404alpha1" || version == "v1alpha1api20140404preview" {
		return "20140403"
	}
	return digits.FindString(version)
}

// properties are all properties of a Spec, with the dates of the first and the
// last version that has them. The path of a nested property has dots.
var properties = []struct{ path, first, last string }{
	{"id", "", "9"},
	{"firstName", "", "20130303"},
	{"lastName", "", "20130303"},
	{"middleName", "20130303", "20130303"},
	{"fullName", "20140403", "20140403"},
	{"knownAs", "20140403", "9"},
	{"familyName", "20140403", "9"},
	{"legalName", "20140404", "9"},
	{"sortKey", "20140404", "9"},
	{"mailingAddress.street", "20160606", "20170707"},
	{"mailingAddress.city", "20160606", "20190909"},
	{"mailingAddress.fullAddress", "20180808", "20190909"},
	{"mailingAddress.country", "20180808", "20190909"},
	{"mailingAddress.postCode", "20180808", "20190909"},
	{"mailingAddress.coordinates.latitude", "20190909", "20190909"},
	{"mailingAddress.coordinates.longitude", "20190909", "20190909"},
	{"mailingAddress.lines", "20211111", "9"},
	{"mailingAddress.countryCode", "20211111", "9"},
	{"mailingAddress.coordinates.latitude", "20211111", "9"},
	{"mailingAddress.coordinates.longitude", "20211111", "9"},
	{"residentialAddress.city", "20201010", "20201010"},
	{"residentialAddress.fullAddress", "20201010", "20201010"},
	{"residentialAddress.country", "20201010", "20201010"},
	{"residentialAddress.postCode", "20201010", "20201010"},
	{"residentialAddress.coordinates.latitude", "20201010", "9"},
	{"residentialAddress.coordinates.longitude", "20201010", "9"},
	{"residentialAddress.lines", "20211111", "9"},
	{"residentialAddress.countryCode", "20211111", "9"},
	{"pronouns", "20221212", "9"},
}

// visible returns the paths of the properties of a version.
func visible(version string) []string {
	var paths []string
	for _, p := range properties {
		if d := date(version); p.first <= d && d <= p.last {
			paths = append(paths, p.path)
		}
	}
	return paths
}

// objects returns the paths of the nested objects of a version.
func objects(version string) []string {
	found := map[string]bool{}
	for _, path := range visible(version) {
		names := named(path, version)
		for n := 1; n < len(names); n++ {
			found[strings.Join(names[:n], ".")] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// required returns the object that a version requires in a Spec, or "".
func required(version string) string {
	switch d := date(version); {
	case d == "20160606":
		return "mailingAddress"
	case d >= "20201010":
		return "residentialAddress"
	}
	return ""
}

// movedInto are the objects into which properties have moved, and moved is the date since
// which they are there. An older version has what is in them in the object around them.
var movedInto = []string{"mailingAddress.coordinates", "residentialAddress.coordinates"}

const moved = "20211111"

// named returns the path at a version. group.yaml has one rename and the moves.
func named(path, version string) []string {
	if path == "sortKey" && date(version) == "20140404" {
		return []string{"alphaKey"}
	}
	if date(version) < moved {
		path = strings.Replace(path, ".coordinates.", ".", 1)
	}
	return strings.Split(path, ".")
}

func lookup(tree map[string]any, path []string) (any, bool) {
	value, ok := tree[path[0]]
	if len(path) == 1 || !ok {
		return value, ok
	}
	below, ok := value.(map[string]any)
	if !ok {
		return nil, false
	}
	return lookup(below, path[1:])
}

func put(tree map[string]any, path []string, value any) {
	for ; len(path) > 1; path = path[1:] {
		below, ok := tree[path[0]].(map[string]any)
		if !ok {
			below = map[string]any{}
			tree[path[0]] = below
		}
		tree = below
	}
	tree[path[0]] = value
}

func remove(tree map[string]any, path []string) {
	for ; len(path) > 1; path = path[1:] {
		below, ok := tree[path[0]].(map[string]any)
		if !ok {
			return
		}
		tree = below
	}
	delete(tree, path[0])
}

func (m *model) get(path string) (any, bool) { return lookup(m.spec, strings.Split(path, ".")) }

// text returns a string property, or "" if it is not set.
func (m *model) text(path string) string {
	value, _ := m.get(path)
	text, _ := value.(string)
	return text
}

// shown returns the Spec that a client of a version must see.
func (m *model) shown(version string) map[string]any {
	spec := base()
	for _, path := range objects(version) {
		if _, ok := m.get(path); ok {
			put(spec, named(path, version), map[string]any{})
		}
	}
	for _, path := range visible(version) {
		if value, ok := m.get(path); ok {
			put(spec, named(path, version), runtime.DeepCopyJSONValue(value))
		}
	}
	return spec
}

// base returns the properties that every Spec has.
func base() map[string]any {
	return map[string]any{"azureName": "ada", "owner": map[string]any{"name": "people"}}
}

// edit sets a property, or clears it if value is nil.
type edit struct {
	path  string
	value any
}

func (e edit) String() string {
	if e.value == nil {
		return "clear " + e.path
	}
	return fmt.Sprintf("%s = %v", e.path, e.value)
}

// edit makes edits by a manager at a version.
func (m *model) edit(version, manager string, edits []edit) {
	m.change(version, func() {
		for _, e := range edits {
			old, was := m.get(e.path)
			if e.value == nil {
				m.clear(e.path)
			} else if m.set(e); !was || !reflect.DeepEqual(old, e.value) {
				m.owners[e.path] = map[string]bool{manager: true}
			}
		}
	})
}

// apply applies a configuration by a manager at a version, as forced server-side
// apply does. A property that only this manager has applied before is cleared if
// config does not have it, unless stays reports that it stays. The configuration also has an
// object, which may be empty, where object is its name and not "".
func (m *model) apply(version, manager string, config []edit, object string, stays func(path string) bool) {
	m.change(version, func() {
		applied := map[string]bool{}
		for _, e := range config {
			applied[e.path] = true
			if old, was := m.get(e.path); !was || !reflect.DeepEqual(old, e.value) || m.owners[e.path] == nil {
				m.owners[e.path] = map[string]bool{}
			}
			m.set(e)
			m.owners[e.path][manager] = true
		}
		for path, owners := range m.owners {
			if !owners[manager] || applied[path] {
				continue
			}
			if delete(owners, manager); len(owners) > 0 {
				continue
			}
			if delete(m.owners, path); !stays(path) {
				m.clear(path)
			}
		}
		if _, ok := m.get(object); !ok && object != "" {
			m.spec[object] = map[string]any{}
		}
	})
}

func (m *model) set(e edit) {
	put(m.spec, strings.Split(e.path, "."), runtime.DeepCopyJSONValue(e.value))
}

func (m *model) clear(path string) {
	remove(m.spec, strings.Split(path, "."))
	for owned := range m.owners {
		if owned == path || strings.HasPrefix(owned, path+".") {
			delete(m.owners, owned)
		}
	}
}

// change runs do, which changes the model at a version, and then updates what is
// computed from the change.
func (m *model) change(version string, do func()) {
	before, names, empty := m.shown(version), m.names(), m.empty()
	do()
	m.move(version, empty)
	if !reflect.DeepEqual(before, m.shown(version)) {
		m.original = later(m.original, version)
		m.rename(version, names)
	}
}

// empty returns the objects of movedInto that are there, not only because of what is in them.
func (m *model) empty() map[string]bool {
	empty := map[string]bool{}
	for _, path := range movedInto {
		object, ok := m.get(path)
		empty[path] = ok && len(object.(map[string]any)) == 0 || m.kept[path]
	}
	return empty
}

// move updates the objects of movedInto after a change at a version. The argument has
// what empty returned before.
func (m *model) move(version string, empty map[string]bool) {
	if m.kept == nil {
		m.kept = map[string]bool{}
	}
	for _, path := range movedInto {
		object, ok := m.get(path)
		if !ok {
			delete(m.kept, path)
			continue
		}
		shows := slices.ContainsFunc(visible(version), func(p string) bool { return strings.HasPrefix(p, path+".") })
		switch {
		case !shows || date(version) >= moved:
		case len(object.(map[string]any)) > 0:
			m.kept[path] = empty[path]
		case empty[path]:
			delete(m.kept, path)
		default:
			remove(m.spec, strings.Split(path, "."))
		}
	}
}

// later returns the later of two versions. Of two of the same date, it returns
// the one that Kubernetes prefers.
func later(a, b string) string {
	x, y := digits.FindString(a), digits.FindString(b)
	if x < y || x == y && apiversion.CompareKubeAwareVersionStrings(a, b) < 0 {
		return b
	}
	return a
}

var (
	oldNames     = []string{"firstName", "middleName", "lastName"}
	firstAndLast = []string{"firstName", "lastName"}
	newNames     = []string{"knownAs", "familyName", "sortKey", "legalName"}
)

func (m *model) names() map[string]any {
	names := map[string]any{}
	for _, name := range append(slices.Clone(oldNames), newNames...) {
		if value, ok := m.get(name); ok {
			names[name] = value
		}
	}
	return names
}

// computed is a name that a hook computes. The model knows the possible values.
type computed struct {
	anyOf  []any
	before any
}

// rename updates the computed names, as the hooks of 2013-03-03 do. If a client
// of an old version changes a name, then only those new names change that equal
// what was computed from it. If a client of a new version changes a name, then
// an old name changes too or, if a client has set it, stays.
func (m *model) rename(version string, before map[string]any) {
	changed := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			value, _ := m.get(name)
			return value != before[name]
		})
	}
	value := func(name string) any {
		value, _ := m.get(name)
		return value
	}
	compute := func(name string, values ...any) { m.spec[name] = computed{values, before[name]} }
	if date(version) <= "20130303" {
		m.middleSet = m.middleSet || changed("middleName")
		follow := func(name, from string) {
			if changed(from) && before[name] == before[from] {
				compute(name, value(from))
			}
		}
		follow("knownAs", "firstName")
		follow("familyName", "lastName")
		follow("sortKey", "lastName")
		if changed(oldNames...) {
			legal := []any{join(m.spec, firstAndLast), join(m.spec, oldNames)}
			if was := before["legalName"]; was != join(before, firstAndLast) || was != join(before, oldNames) {
				legal = append(legal, was)
			}
			compute("legalName", legal...)
			if !m.middleSet && date(version) < "20130303" {
				compute("middleName", nil, value("middleName"))
			}
		}
	} else if changed(newNames...) {
		compute("firstName", value("firstName"), value("knownAs"))
		compute("lastName", value("lastName"), value("familyName"))
		middle := []any{value("middleName")}
		if !m.middleSet {
			legal := m.text("legalName")
			for _, first := range []string{m.text("firstName"), m.text("knownAs")} {
				for _, last := range []string{m.text("lastName"), m.text("familyName")} {
					rest, begins := strings.CutPrefix(legal, first+" ")
					if name, ends := strings.CutSuffix(rest, " "+last); begins && ends && name != "" {
						middle = append(middle, name)
					}
				}
			}
			middle = append(middle, nil)
		}
		compute("middleName", middle...)
	}
}

// join joins names, and returns nil if none is set.
func join(names map[string]any, which []string) any {
	var parts []string
	set := false
	for _, name := range which {
		value, ok := names[name]
		set = set || ok
		if text, _ := value.(string); text != "" {
			parts = append(parts, text)
		}
	}
	if !set {
		return nil
	}
	return strings.Join(parts, " ")
}

// learn sets the computed names to the values that a version shows. It describes
// each value that is not among the possible ones.
func (m *model) learn(shown map[string]any, names []string, version string) (wrong []string) {
	for _, name := range names {
		c, unknown := m.spec[name].(computed)
		if !unknown {
			continue
		}
		got := shown[named(name, version)[0]]
		if !slices.Contains(c.anyOf, got) {
			wrong = append(wrong, fmt.Sprintf("%s at %s is %v, must be one of %v", name, version, got, c.anyOf))
		}
		if got == nil {
			delete(m.spec, name)
		} else {
			m.spec[name] = got
		}
		if got != c.before {
			delete(m.owners, name) // no manager has set it
		}
	}
	return wrong
}
