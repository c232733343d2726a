package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/naming"
)

// Change says what happened to a property, or to a type, at a version. It has a Property
// or a Type, and one of Renamed, Moved and Removed. Types are named without _Spec and
// _Status; a change applies to both halves.
type Change struct {
	// Property is Type.property, where Type may be the type's name before or after a
	// change of its own.
	Property string `yaml:"property"`
	Type     string `yaml:"type"`
	// Since is the first version that is as the change says.
	Since string `yaml:"since"`
	// Renamed is the new name. A type can only be renamed.
	Renamed string `yaml:"renamed"`
	// Moved is the path to where the property is then, such as
	// "Person.coordinates.latitude". It begins with the type of Property, which may be
	// a path too. All that a path goes through are objects.
	Moved string `yaml:"moved"`
	// Removed is the reason why it is right that the property disappears, or that it has
	// another type. The Property may be Type.*, for all that disappears from the type.
	Removed string `yaml:"removed"`
	// Proposed is set if the change is one of [Group.ProposedChanges].
	Proposed bool `yaml:"-"`
}

// Reason returns the reason of the removal that explains why a property of one version
// is not in a later one, or "".
func (g *Group) Reason(property, older, newer string) string {
	i := slices.IndexFunc(g.Changes, func(c Change) bool { return c.Explains(property, older, newer) })
	if i < 0 {
		return ""
	}
	return g.Changes[i].Removed
}

// Explains reports whether the change is the removal of a property of a type between
// two versions.
func (c Change) Explains(property, older, newer string) bool {
	if c.Removed == "" || naming.CompareVersions(older, c.Since) >= 0 || naming.CompareVersions(c.Since, newer) > 0 {
		return false
	}
	typ, all := strings.CutSuffix(c.Property, ".*")
	if all {
		property, _, _ = strings.Cut(property, ".")
		return strings.EqualFold(typ, property)
	}
	return strings.EqualFold(c.Property, property)
}

// addProposed appends the proposed changes to those that a person has confirmed. Their
// positions stay those in the list of proposals.
func (g *Group) addProposed() {
	n := len(g.Changes)
	for i, change := range g.ProposedChanges {
		change.Proposed = true
		g.Changes = append(g.Changes, change)
		from, to := pathKey([]any{"proposedChanges", i}), pathKey([]any{"changes", n + i})
		for key, p := range maps.Clone(g.positions) {
			if rest, ok := strings.CutPrefix(key, from); ok && (rest == "" || rest[0] == 0) {
				g.positions[to+rest] = p
			}
		}
	}
}

// Names returns the type and the name, or the path, of the property that changed, or
// the name of the type that changed in place of both.
func (c Change) Names() (typ, name string) {
	if c.Type != "" {
		return "", c.Type
	}
	typ, name, _ = strings.Cut(c.Property, ".")
	return typ, name
}

// Entry returns the change as an element of a list in group.yaml, in braces.
func (c Change) Entry() string {
	subject := "property: " + c.Property
	if c.Type != "" {
		subject = "type: " + c.Type
	}
	switch {
	case c.Renamed != "":
		return fmt.Sprintf("{%s, since: %q, renamed: %s}", subject, c.Since, c.Renamed)
	case c.Moved != "":
		return fmt.Sprintf("{%s, since: %q, moved: %s}", subject, c.Since, c.Moved)
	}
	return fmt.Sprintf("{%s, since: %q, removed: %q}", subject, c.Since, c.Removed)
}

// happened returns the keys that say what happened.
func (c Change) happened() []string {
	var keys []string
	for _, key := range []struct{ name, value string }{{"renamed", c.Renamed}, {"moved", c.Moved}, {"removed", c.Removed}} {
		if key.value != "" {
			keys = append(keys, key.name)
		}
	}
	return keys
}

// changes checks what the changes show by themselves.
func (c *checker) changes() {
	taken := uses{}
	for i, change := range c.Changes {
		entry := at("changes", i)
		c.required(entry, "since", change.Since)
		c.version(append(entry, "since"), change.Since)
		subject, happened := cmp.Or(change.Property, change.Type), change.happened()
		switch {
		case (change.Property == "") == (change.Type == ""):
			c.errorf(entry, "expected either the property or the type that changed")
		case change.Property != "" && !memberForm().MatchString(subject):
			c.errorf(append(entry, "property"), "%q is not a property; expected a form such as Redis.subnetId", subject)
		case len(happened) != 1:
			found := "nothing that happened"
			if len(happened) > 0 {
				found = strings.Join(happened, " and ") + " for what happened"
			}
			c.errorf(entry, "found %s to %s; expected one of renamed, with the new name, moved, with the new path, and removed, "+
				"with the reason", found, subject)
		case strings.HasSuffix(change.Property, ".*") && change.Removed == "":
			c.errorf(entry, "%s are all properties of a type; they can only be removed, with the reason", change.Property)
		case change.Type != "" && change.Renamed == "":
			c.errorf(append(entry, happened[0]), "a type can only be renamed; list what happened to its properties")
		case change.Moved != "":
			c.moved(entry, change, taken)
		case change.Removed != "":
			if taken.take("removed "+subject+" "+change.Since, "x") != "" {
				c.errorf(entry, "the removal of %s at %s is listed twice", subject, change.Since)
			}
		default:
			c.renamed(entry, change, taken)
		}
	}
}

// moved checks a move.
func (c *checker) moved(entry []any, change Change, taken uses) {
	typ, from := change.Names()
	target, path, _ := strings.Cut(change.Moved, ".")
	switch {
	case !memberForm().MatchString(change.Moved):
		c.errorf(append(entry, "moved"), "%q is not a path; expected a form such as %s.coordinates.latitude", change.Moved, typ)
	case target != typ:
		c.errorf(append(entry, "moved"), "%s moves to %s, which begins with another type; expected a path from %[3]s, or from "+
			"a type around both for both", change.Property, change.Moved, typ)
	case !strings.Contains(from+path, "."):
		c.errorf(entry, "%s moves to %s in the same object; expected renamed: %s", change.Property, change.Moved, path)
	case from == path:
		c.errorf(entry, "%s is moved to itself", change.Property)
	default:
		if first := taken.take("move of "+change.Property+" "+change.Since, change.Moved); first != "" {
			c.errorf(entry, "%s is moved twice at %s, to %s and to %s", change.Property, change.Since, first, change.Moved)
		}
		if first := taken.take("move to "+change.Moved+" "+change.Since, change.Property); first != "" {
			c.errorf(entry, "%s and %s are both moved to %s at %s; a value has one origin", first, change.Property, change.Moved,
				change.Since)
		}
	}
}

// becomesOthers reports whether a type gets other names too at the version at which some
// of it keeps its own.
func (c *checker) becomesOthers(change Change) bool {
	return slices.ContainsFunc(c.Changes, func(o Change) bool {
		other := o.Type == change.Type || o.Renamed == change.Renamed
		return other && o.Type != "" && o.Since == change.Since && o.Type != o.Renamed
	})
}

// renamed checks a rename.
func (c *checker) renamed(entry []any, change Change, taken uses) {
	typ, name := change.Names()
	if change.Renamed == name && !(change.Type != "" && c.becomesOthers(change)) {
		c.errorf(entry, "%s is renamed to itself", name)
		return
	}
	// One type may become several, and several one: what a source makes one type of, another
	// source or version may describe with several.
	if change.Type != "" {
		if taken.take("type "+name+" "+change.Renamed+" "+change.Since, "x") != "" {
			c.errorf(entry, "the rename of %s to %s at %s is listed twice", name, change.Renamed, change.Since)
		}
		return
	}
	if first := taken.take("from "+typ+"."+name+" "+change.Since, change.Renamed); first != "" {
		c.errorf(entry, "%s is renamed twice at %s, to %s and to %s", name, change.Since, first, change.Renamed)
	}
	if first := taken.take("to "+typ+"."+change.Renamed+" "+change.Since, name); first != "" {
		c.errorf(entry, "%s and %s are both renamed to %s at %s; one name has one origin", first, name, change.Renamed, change.Since)
	}
}
