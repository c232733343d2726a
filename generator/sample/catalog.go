package sample

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	sigsyaml "sigs.k8s.io/yaml"
)

// Kind is a kind of a group that has samples.
type Kind struct {
	// Group is the Kubernetes API group.
	Group, Kind string
	// ARMType is the type of the resource, with the fixed name behind it if the resources of
	// one type are kinds of their own.
	ARMType string
	// Absent reports whether the cluster of the samples lacks the kind. In place of a name
	// they have an id then.
	Absent bool
}

// Catalog joins the samples of several groups.
type Catalog struct {
	byName map[[2]string]Kind
	byType map[string]Kind // in lower case
	read   func(k Kind, version string) ([]byte, error)
}

// NewCatalog returns the catalog of some kinds. read returns the file of a kind's sample, for
// which [File] is the name.
func NewCatalog(kinds []Kind, read func(k Kind, version string) ([]byte, error)) *Catalog {
	c := &Catalog{map[[2]string]Kind{}, map[string]Kind{}, read}
	for _, k := range kinds {
		c.byName[[2]string{k.Group, k.Kind}] = k
		if armType := strings.ToLower(k.ARMType); !k.Absent {
			if old, twice := c.byType[armType]; !twice || k.Group < old.Group {
				c.byType[armType] = k
			}
		}
	}
	return c
}

// Sample returns a kind's sample, at a version or at the newest one for "". It refers to
// other resources by the names of their samples if they have a kind. withOwners puts all
// that it is in or refers to before it, at the newest version, each once and in an order in
// which nothing waits for what follows. Where resources refer to each other in a circle, one
// of them has an id.
func (c *Catalog) Sample(k Kind, version string, withOwners bool) ([]byte, error) {
	f := &family{Catalog: c, members: map[Kind]*member{}}
	if err := f.add(k, version); err != nil {
		return nil, err
	}
	f.link()
	documents := f.members[k].documents
	if withOwners {
		documents = f.inOrder(k, map[Kind]bool{})
	}
	var texts [][]byte
	for _, d := range documents {
		text, err := sigsyaml.Marshal(d)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return bytes.Join(texts, []byte("---\n")), nil
}

// family has the samples that one of them needs.
type family struct {
	*Catalog
	members map[Kind]*member
}

// member is a sample of a family.
type member struct {
	kind      Kind
	documents []map[string]any
	refs      []*ref
	before    []Kind // what it waits for, its owner first
}

// ref is a place of a sample that names another resource.
type ref struct {
	at      map[string]any
	to      Kind
	isOwner bool
	// form has the members that name the sample of the kind.
	form map[string]any
}

// add adds the sample of a kind, and what it needs.
func (f *family) add(k Kind, version string) error {
	if f.members[k] != nil {
		return nil
	}
	text, err := f.read(k, version)
	if err != nil {
		return err
	}
	m := &member{kind: k}
	f.members[k] = m
	for part := range strings.SplitSeq(string(text), "---\n") {
		document := map[string]any{}
		if err := sigsyaml.Unmarshal([]byte(part), &document); err != nil {
			return fmt.Errorf("the sample of %s: %w", k.Kind, err)
		}
		m.documents = append(m.documents, document)
		if spec, ok := document["spec"].(map[string]any); ok {
			f.find(m, spec)
		}
	}
	var errs []error
	for _, r := range m.refs {
		if !r.to.Absent {
			errs = append(errs, f.add(r.to, ""))
		}
	}
	return errors.Join(errs...)
}

// find finds what a Spec names, its owner first.
func (f *family) find(m *member, spec map[string]any) {
	if owner, ok := spec["owner"].(map[string]any); ok {
		f.owner(m, owner)
	}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, v := range value {
				walk(v)
			}
		case map[string]any:
			if f.reference(m, value) {
				return
			}
			for _, key := range slices.Sorted(maps.Keys(value)) {
				walk(value[key])
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(spec)) {
		if key != "owner" {
			walk(spec[key])
		}
	}
}

// owner notes the owner that a sample has.
func (f *family) owner(m *member, at map[string]any) {
	if at["kind"] != nil && f.reference(m, at) {
		m.refs[len(m.refs)-1].isOwner = true
		return
	}
	armType := typeOf(at["armId"])
	switch {
	case at["kind"] != nil:
		armType = resourceGroups // the owner of what may have any
	case at["name"] != nil:
		armType = f.parent(m.kind)
	}
	to, known := f.byType[strings.ToLower(armType)]
	if !known {
		to = Kind{ARMType: armType, Absent: true}
	}
	form := map[string]any{"name": Name}
	within := strings.HasPrefix(strings.ToLower(m.kind.ARMType), strings.ToLower(armType)+"/")
	if at["armId"] != nil && armType != resourceGroups && !within { // the owner can be of any kind
		form["group"], form["kind"] = to.Group, to.Kind
	}
	m.refs = append(m.refs, &ref{at, to, true, form})
}

// parent returns the type of the nearest kind of the group that a resource lies in, or of
// resource groups. A kind of a fixed name has no kind of the type alone.
func (f *family) parent(k Kind) string {
	for armType := k.ARMType; ; {
		i := strings.LastIndexByte(armType, '/')
		if i < 0 {
			return resourceGroups
		}
		armType = armType[:i]
		for _, other := range f.byName {
			if other.Group == k.Group && strings.EqualFold(other.ARMType, armType) {
				return armType
			}
		}
	}
}

// reference notes a reference, and reports whether the value is one.
func (f *family) reference(m *member, at map[string]any) bool {
	group, _ := at["group"].(string)
	kind, _ := at["kind"].(string)
	to, known := f.byName[[2]string{group, kind}]
	switch {
	case len(at) == 3 && known && at["name"] == Name:
	case len(at) == 1 && typeOf(at["armId"]) != "":
		if to, known = f.byType[strings.ToLower(typeOf(at["armId"]))]; !known {
			return true
		}
	default:
		return false
	}
	m.refs = append(m.refs, &ref{at, to, false, map[string]any{"group": to.Group, "kind": to.Kind, "name": Name}})
	return true
}

// typeOf returns the ARM type of an id that [id] has made, or "".
func typeOf(value any) string {
	text, _ := value.(string)
	if text == groupID {
		return resourceGroups
	}
	_, rest, _ := strings.Cut(text, "/providers/")
	segments := strings.Split(rest, "/")
	armType := segments[0]
	for i := 1; i < len(segments); i += 2 {
		armType += "/" + segments[i]
	}
	if id(armType) != text {
		return ""
	}
	return armType
}

// link gives each reference its form: a name, or an id where there is no kind, or where the
// name would close a circle. Owners come first, because no id can stand for one. The order
// of the others does not depend on the sample for which the family was made.
func (f *family) link() {
	members := slices.SortedFunc(maps.Values(f.members), func(a, b *member) int {
		return cmp.Or(cmp.Compare(a.kind.Group, b.kind.Group), cmp.Compare(a.kind.Kind, b.kind.Kind))
	})
	for _, owners := range []bool{true, false} {
		for _, m := range members {
			for _, r := range m.refs {
				if r.isOwner != owners {
					continue
				}
				clear(r.at)
				if r.to.Absent || !owners && f.needs(r.to, m.kind, map[Kind]bool{}) {
					r.at["armId"] = id(r.to.ARMType)
					continue
				}
				maps.Copy(r.at, r.form)
				m.before = append(m.before, r.to)
			}
		}
	}
}

// needs reports whether a kind's sample waits for that of another, or is it.
func (f *family) needs(k, other Kind, seen map[Kind]bool) bool {
	if k == other {
		return true
	}
	seen[k] = true
	return slices.ContainsFunc(f.members[k].before, func(b Kind) bool { return !seen[b] && f.needs(b, other, seen) })
}

// inOrder returns the documents of what a kind's sample needs, and then its own.
func (f *family) inOrder(k Kind, done map[Kind]bool) (documents []map[string]any) {
	if done[k] {
		return nil
	}
	done[k] = true
	for _, b := range f.members[k].before {
		documents = append(documents, f.inOrder(b, done)...)
	}
	return append(documents, f.members[k].documents...)
}
