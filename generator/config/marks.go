package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/diag"
)

// Properties has the marks of properties, by Type.property.
type Properties map[string][]Mark

// Mark says what a property is, or what it is not, whatever the specs say of it. In
// group.yaml it is its name alone, or {not: reference, why: reason}, or
// {children: Microsoft.Network/virtualNetworks/subnets}, or {listKeys: [name]}.
type Mark struct {
	Name string `json:"name"` // one of the constants below
	// Not reports whether the property is not what Name says. Then Why is the reason,
	// which group.yaml must give.
	Not bool   `json:"not,omitempty"`
	Why string `json:"-"`
	// Type is the ARM type of the elements of a list of Children.
	Type string `json:"type,omitempty"`
	// Values are those of ListKeys and of ResourceTypes.
	Values []string `json:"values,omitempty"`
}

// The names of marks.
const (
	// Base64 marks a secret that is bytes, such as a file, which ARM has in Base64. The
	// Secret holds the bytes themselves.
	Base64 = "base64"
	// Children marks a list in the body of a resource that holds resources below it.
	Children = "children"
	// CreateOnly marks a property that cannot change once the resource exists.
	CreateOnly = "createOnly"
	// ListKeys marks a list of objects, of which the values are the properties that identify
	// one, in ARM's spelling, with "/" between the names of one that lies deeper.
	ListKeys = "listKeys"
	// Number marks a property that may have fractions, and that the specs say is an
	// integer, or a list or map of integers.
	Number = "number"
	// Reference marks a property that holds ARM ids.
	Reference = "reference"
	// ResourceTypes marks a reference, of which the values are the ARM types of the resources
	// that it may refer to.
	ResourceTypes = "resourceTypes"
	// RoleDefinition marks a property that holds ids of role definitions, whether or not
	// a spec says that it holds ids. Its references take the names of Azure's own roles.
	RoleDefinition = "roleDefinition"
	// Secret marks a property that holds a secret. In a Spec it becomes a reference to a
	// key of a Secret. The value of that key is the text of a string property, and JSON
	// for any other, such as a whole list or object. No Status has the property.
	Secret = "secret"
	// Untyped marks a property that is JSON of any content, because the schemas of all
	// that is in it would be too large.
	Untyped = "untyped"
)

var (
	markNames = []string{Base64, Children, CreateOnly, ListKeys, Number, Reference, ResourceTypes, RoleDefinition, Secret, Untyped}
	// opposed are the names of marks that may be negated.
	opposed = []string{Base64, Children, CreateOnly, ListKeys, Number, Reference, ResourceTypes, Secret}
	// exclusive are the names of marks of which a property has one at most.
	exclusive = []string{Number, Reference, RoleDefinition, Secret, Untyped}
)

// Not returns the text of a mark that says the opposite of another one.
func Not(name string) string { return "not " + name }

// String returns the mark without its reason and its type, such as "not reference".
func (m Mark) String() string {
	if m.Not {
		return Not(m.Name)
	}
	return m.Name
}

// Entry returns what stands for the mark of a property among the entries that have an
// effect on a version.
func (m Mark) Entry(property string) string {
	return strings.TrimSpace(m.String()+" "+m.Type) + "/" + property
}

// yaml returns the mark as group.yaml has it.
func (m Mark) yaml() string {
	switch {
	case m.Not:
		return fmt.Sprintf("{not: %s, why: %q}", m.Name, m.Why)
	case m.Name == Children:
		return fmt.Sprintf("{children: %s}", m.Type)
	case len(m.Values) > 0:
		return fmt.Sprintf("{%s: [%s]}", m.Name, strings.Join(m.Values, ", "))
	}
	return m.Name
}

// contradicts reports whether no property can have both marks. What a property holds
// does not say whether it can change.
func (m Mark) contradicts(o Mark) bool {
	if m.Name == o.Name {
		return m.Not != o.Not
	}
	return !m.Not && !o.Not && slices.Contains(exclusive, m.Name) && slices.Contains(exclusive, o.Name)
}

// With returns the properties that have a mark, given as its String, sorted.
func (p Properties) With(mark string) []string {
	var all []string
	for property, marks := range p {
		if slices.ContainsFunc(marks, func(m Mark) bool { return m.String() == mark }) {
			all = append(all, property)
		}
	}
	slices.Sort(all)
	return all
}

// Question is the comment in group.yaml above lines of properties that are comments,
// because nobody has decided on them.
const Question = "# Undecided. Take away the # of what is so, and write {not: …, why: …} of what is not.\n"

// Line returns the line of group.yaml for a property. The reasons of marks that say what
// the property is become a comment, each behind its mark if there are several marks.
func Line(property string, marks []Mark) string {
	var texts, reasons []string
	named := 0 // the marks that a comment may be about
	for _, m := range marks {
		texts = append(texts, m.yaml())
		if !m.Not {
			named++
		}
	}
	for _, m := range marks {
		switch {
		case m.Not || m.Why == "":
		case named > 1:
			reasons = append(reasons, m.Name+": "+m.Why)
		default:
			reasons = append(reasons, m.Why)
		}
	}
	line := "  " + property + ": " + texts[0]
	if len(texts) > 1 {
		line = "  " + property + ": [" + strings.Join(texts, ", ") + "]"
	}
	if len(reasons) > 0 {
		line += " # " + strings.Join(reasons, "; ")
	}
	return line + "\n"
}

// properties checks what the marks show by themselves.
func (c *checker) properties() {
	for property, marks := range c.Properties {
		entry := at("properties", property)
		if !memberForm().MatchString(property) {
			c.errorf(entry, "%q is not a property; expected a form such as Redis.subnetId", property)
		}
		if len(marks) == 0 {
			c.errorf(entry, "%s has no mark; expected %s, or several of these", property, strings.Join(markNames, ", "))
		}
		for i, m := range marks {
			c.mark(append(slices.Clip(entry), i), property, m, marks[:i])
		}
	}
}

// mark checks a mark of a property, which has earlier ones.
func (c *checker) mark(entry []any, property string, m Mark, earlier []Mark) {
	below := func(parent string) bool { return collections.IsChild(m.Type, parent) }
	switch {
	case m.Name == "" || m.Not && (m.Type != "" || m.Values != nil):
		c.errorf(entry, "a mark is a name, or it has one of not, children, listKeys and resourceTypes; expected %s, or a form such as "+
			"{not: reference, why: \"it is a name\"}", strings.Join(markNames, ", "))
	case !slices.Contains(markNames, m.Name):
		c.errorf(entry, "%q is no mark%s; the marks are %s", m.Name, diag.DidYouMean(m.Name, markNames), strings.Join(markNames, ", "))
	case m.Not && !slices.Contains(opposed, m.Name):
		c.errorf(entry, "no spec says %s, so nothing can be not %[1]s; expected %s", m.Name, strings.Join(opposed, ", "))
	case m.Not && m.Why == "":
		c.errorf(entry, "the mark lacks why, the reason; expected a form such as {not: %s, why: \"it is a name\"}", m.Name)
	case (m.Name == ListKeys || m.Name == ResourceTypes) && !m.Not && (len(m.Values) == 0 || slices.Contains(m.Values, "")):
		c.errorf(entry, "%s lacks its values; expected a form such as {listKeys: [name]}, or {resourceTypes: "+
			"[Microsoft.Network/virtualNetworks/subnets]}", m.Name)
	case m.Name == ResourceTypes && slices.ContainsFunc(m.Values, func(t string) bool { return !armType().MatchString(t) }):
		c.errorf(entry, "%s has ARM types, such as Microsoft.Network/virtualNetworks/subnets; found %s", m.Name,
			strings.Join(m.Values, ", "))
	case m.Name == Children && !m.Not && m.Type == "":
		c.errorf(entry, "children lacks the type of the elements; expected a form such as "+
			"{children: Microsoft.Network/virtualNetworks/subnets}")
	case m.Name == Children && !m.Not && !(armType().MatchString(m.Type) && slices.ContainsFunc(c.types(), below)):
		parent := m.Type[:max(0, strings.LastIndexByte(m.Type, '/'))]
		c.errorf(entry, "%q is not a type below one that is exported%s", m.Type, diag.DidYouMean(parent, c.types()))
	}
	for _, other := range earlier {
		switch {
		case m.String() == other.String() && m.Type == other.Type:
			c.errorf(entry, "%s is marked %s twice", property, m)
		case m.contradicts(other):
			c.errorf(entry, "%s is also marked %s; remove one of the two", property, other)
		}
	}
}
