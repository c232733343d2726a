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
// {children: Microsoft.Network/virtualNetworks/subnets}, or {listKeys: [name]}. One that
// corrects a mistake of a spec is {is: readOnly, why: reason, source: place}.
type Mark struct {
	Name string `json:"name"` // one of the constants below
	// Not reports whether the property is not what Name says. Then Why is the reason,
	// which group.yaml must give.
	Not bool   `json:"not,omitempty"`
	Why string `json:"-"`
	// Source is the public page, or the line of a spec, that shows that a spec is wrong, or that ListKeys are unique.
	Source string `json:"source,omitempty"`
	// Merge is [MergeOnly] for ListKeys that no schema has, or "".
	Merge string `json:"merge,omitempty"`
	// Type is the ARM type of the elements of a list of Children.
	Type string `json:"type,omitempty"`
	// Values are those of ListKeys and of ResourceTypes.
	Values []string `json:"values,omitempty"`
	// Limits, Enum and Missing are the values of the corrections of these names.
	Limits  *Limits  `json:"limits,omitempty"`
	Enum    *Enum    `json:"enum,omitempty"`
	Missing *Missing `json:"missing,omitempty"`
}

// MergeOnly says of the keys of a list that nothing shows that ARM refuses a second element with the same ones.
const MergeOnly = "only"

// The names of marks; [marks] says what each means.
const (
	Base64         = "base64"
	Children       = "children"
	CreateOnly     = "createOnly"
	EnumMark       = "enum"
	LimitsMark     = "limits"
	ListKeys       = "listKeys"
	MissingMark    = "missing"
	Number         = "number"
	ReadOnly       = "readOnly"
	Reference      = "reference"
	Required       = "required"
	ResourceTypes  = "resourceTypes"
	RoleDefinition = "roleDefinition"
	Secret         = "secret"
	Untyped        = "untyped"
	ValueFrom      = "valueFrom"
	WriteOnly      = "writeOnly"
)

// mark is a row of the table of marks. What a mark does is in package transform, whose
// TestMarks asks for each of them.
type mark struct {
	name string
	// says is what the mark says of a property, for docs/add-a-service.md.
	says string
	// form is how group.yaml has it, if its name is not all. The values are a list in
	// brackets, or one ARM type; isTypes reports whether those of a list are ARM types.
	form    string
	isTypes bool
	// corrects reports whether it corrects what specs say by mistake, and needs a reason
	// and a source.
	corrects bool
	// hasOpposite reports whether it may be negated, because specs or their looks say it too.
	hasOpposite bool
	// isExclusive reports whether it is one of those of which a property has one at most.
	isExclusive bool
	// unused and unusedNot say of a property, "%s", why the mark and its opposite change
	// nothing, and inResponses why it changes nothing of one that no request has, if that is
	// another reason. explain says it where it takes more than a text.
	unused, unusedNot, inResponses string
	explain                        func(m *members, property string, mark Mark) string
}

// marks is the table of marks, in the order of the docs.
var marks = []mark{{
	name: Reference, hasOpposite: true, isExclusive: true,
	says:        "the property holds the ids of ARM resources, so that it can name objects in the cluster (`apis/cache`)",
	unused:      "all specs with %s mark it as an ARM id; remove the mark",
	unusedNot:   "without the mark, %s would not be an ARM id either; remove it",
	inResponses: "%s is in responses only, and there ids are plain text; remove the mark",
}, {
	name: RoleDefinition, isExclusive: true,
	says: "a reference that also takes the [name of a role of Azure's own](write-your-own-operator.md#names-and-secrets), " +
		"whether or not a spec says that it holds ids (`apis/authorization`)",
	unused:      "all specs with %s mark it as an ARM id; remove the mark",
	inResponses: "%s is in responses only, and there ids are plain text; remove the mark",
}, {
	name: Secret, hasOpposite: true, isExclusive: true,
	says: "in the Spec it is a reference to a key of a Secret, which holds the text of a string and JSON of anything else, " +
		"or to a whole Secret where ARM has a map of texts or untyped JSON; the Status does not have it (`apis/cache`)",
	unused:    "all specs with %s mark it as a secret; remove the mark",
	unusedNot: "without the mark, %s would not be a secret either; remove it",
}, {
	name: Base64, hasOpposite: true,
	says: "the secret is bytes, such as a file, which ARM has in Base64. The Secret holds the bytes, and the operator encodes " +
		"them (`apis/app`). Swagger says it with `format: byte`",
	unused:    "all specs with %s have bytes there, or it is no secret that is a string; remove the mark",
	unusedNot: "no spec says that the secret %s is bytes; remove the mark",
}, {
	name: Number, hasOpposite: true, isExclusive: true,
	says: "it may have fractions, though only Bicep types describe it, which have no such numbers (`apis/documentdb`). An " +
		"integer that becomes a number loses nothing that is stored, up to 2^53",
	unused:    "no spec says that %s is an integer; remove the mark",
	unusedNot: "without the mark, nobody would ask whether %s has fractions; remove it",
}, {
	name: CreateOnly, hasOpposite: true,
	says:      "it cannot change once the resource exists, and no source says so (`apis/web`)",
	unused:    "all specs with %s say that it cannot change, or it is in responses only; remove the mark",
	unusedNot: "no spec says that %s cannot change; remove the mark",
}, {
	name: ListKeys, hasOpposite: true, form: "{listKeys: [name]}",
	says: "these properties identify an element of the list, in ARM's spelling, with `/` between the names of one that lies " +
		"deeper (`apis/app`). Where an element must have them, the API server merges the list by them and refuses a second " +
		"element, so why and source say what shows that ARM refuses it too (`apis/devices`). Without such evidence `merge: " +
		"only` keeps them from the API server: [below](#keys-of-lists)",
	unused: "all specs with %s have list keys, which no element must have where the mark has evidence or merge: only, or it is " +
		"no list of objects in a request; remove the mark",
	unusedNot: "no spec has list keys of %s; remove the mark",
}, {
	name: ResourceTypes, hasOpposite: true, form: "{resourceTypes: [Microsoft.Network/virtualNetworks/subnets]}", isTypes: true,
	says:      "a reference that may refer to resources of these ARM types only (`apis/batch`)",
	unused:    "all specs with %s say which types it may refer to, or it is no reference; remove the mark",
	unusedNot: "no spec says which types %s may refer to; remove the mark",
}, {
	name: Untyped, isExclusive: true,
	says: "it is JSON of any content at all versions, with ARM's names in it (`apis/crm`); see " +
		"[below](#a-crd-that-is-too-large)",
	unused: "without the mark, %s would have no schema of its parts either; remove it",
}, {
	name: ValueFrom, hasOpposite: true,
	says: "it is a text that [another object may have](identity.md), so that a property with `From` at the end of its name " +
		"stands beside it. The generator finds such texts by the ends of their names",
	unused:      "%s has a reference to a value by its name, or it is no text; remove the mark",
	unusedNot:   "without the mark, %s would have no reference to a value either; remove it",
	inResponses: "%s is in responses only, which nobody sets; remove the mark",
}, {
	name: Children, hasOpposite: true, form: "{children: Microsoft.Network/virtualNetworks/subnets}",
	says:    "it is a list of resources of this type; see [below](#lists-of-resources)",
	explain: (*members).unusedChildren,
}, {
	name: ReadOnly, hasOpposite: true, corrects: true,
	says:      "a correction: only ARM writes it, so the Spec does not have it (`apis/devices`); the opposite gives it to the Spec",
	unused:    "all specs with %s say that only ARM writes it; remove the mark",
	unusedNot: "no spec says that only ARM writes %s, nor does its name; remove the mark",
}, {
	name: WriteOnly, hasOpposite: true, corrects: true,
	says: "a correction: ARM does not show it, so the Status does not have it; the opposite gives it to the Status (`apis/sql`), " +
		"unless it is a secret",
	unused:    "all specs with %s say that ARM does not show it, or that only ARM writes it; remove the mark",
	unusedNot: "no spec says that ARM does not show %s; remove the mark",
}, {
	name: Required, hasOpposite: true, corrects: true,
	says:        "a correction: a request has to have it",
	unused:      "all specs with %s require it; remove the mark",
	unusedNot:   "no spec requires %s; remove the mark",
	inResponses: "%s is in responses only; remove the mark",
}, {
	name: LimitsMark, form: "{limits: {minLength: 3, maxLength: 24}}", corrects: true,
	says: "a correction: these limits of a text or a number, out of pattern, minLength, maxLength, minimum and maximum, are in " +
		"place of those in the specs",
	unused:      "all specs with %s have these limits, or it is no text and no number; remove the mark",
	inResponses: "%s is in responses only, which nothing checks; remove the mark",
}, {
	name: EnumMark, form: `{enum: {values: ["8.4"]}}`, corrects: true,
	says: "a correction: the enum has these values, too; with `open: true` the API takes others with a warning, and with " +
		"`open: false` none (`apis/dbformysql`)",
	unused: "all specs with %s have these values, or it is no enum; remove the mark",
}, {
	name: MissingMark, form: `{missing: {type: string, since: "2023-12-01"}}`, corrects: true,
	says: "a correction: ARM has had the property since a version, and no spec has it (`apis/web`); the type is string, " +
		"integer, number, boolean or any, with `[]` or `map[string]` before it, and `required: true` says that a request has to " +
		"have it",
	unused: "all specs have %s, or none has its type since then; remove the mark",
}}

// markOf returns the row of a mark, or nil if there is no such mark.
func markOf(name string) *mark {
	i := slices.IndexFunc(marks, func(m mark) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return &marks[i]
}

// isList reports whether the values of the mark are a list.
func (m *mark) isList() bool { return strings.HasSuffix(m.form, "]}") }

// names returns the names of those marks that are so, sorted.
func names(are func(*mark) bool) []string {
	var all []string
	for i := range marks {
		if are(&marks[i]) {
			all = append(all, marks[i].name)
		}
	}
	slices.Sort(all)
	return all
}

func isAny(*mark) bool         { return true }
func hasOpposite(m *mark) bool { return m.hasOpposite }
func hasValues(m *mark) bool   { return m.form != "" }

// Marks returns all marks and their opposites, without values and reasons.
func Marks() []Mark {
	var all []Mark
	for _, name := range names(isAny) {
		all = append(all, Mark{Name: name})
	}
	for _, name := range names(hasOpposite) {
		all = append(all, Mark{Name: name, Not: true})
	}
	return all
}

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
	is, more := "is: "+m.Name, ""
	if m.Not {
		is = "not: " + m.Name
	} else if value := m.correction(); value != nil {
		is = m.Name + ": " + value.String()
	}
	if len(m.Values) > 0 {
		is = fmt.Sprintf("%s: [%s]", m.Name, strings.Join(m.Values, ", "))
	}
	if m.HasReason() {
		more = fmt.Sprintf(", why: %q", m.Why)
	}
	if m.Source != "" {
		more += fmt.Sprintf(", source: %q", m.Source)
	}
	if m.Merge != "" {
		more += ", merge: " + m.Merge
	}
	switch {
	case m.HasReason() || len(m.Values) > 0:
		return "{" + is + more + "}"
	case m.Type != "":
		return fmt.Sprintf("{%s: %s}", m.Name, m.Type)
	}
	return m.Name
}

// HasReason reports whether group.yaml has the reason of the mark as its why, and not as a comment.
func (m Mark) HasReason() bool { return m.Not || m.IsCorrection() || m.Source != "" }

// contradicts reports whether no property can have both marks. What a property holds
// does not say whether it can change.
func (m Mark) contradicts(o Mark) bool {
	if m.Name == o.Name {
		return m.Not != o.Not
	}
	a, b := markOf(m.Name), markOf(o.Name)
	return !m.Not && !o.Not && a != nil && b != nil && a.isExclusive && b.isExclusive
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
		if !m.HasReason() {
			named++
		}
	}
	for _, m := range marks {
		switch {
		case m.HasReason() || m.Why == "":
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
			c.errorf(entry, "%s has no mark; expected %s, or several of these", property,
				strings.Join(names(isAny), ", "))
		}
		for i, m := range marks {
			c.mark(append(slices.Clip(entry), i), property, m, marks[:i])
		}
	}
}

// mark checks a mark of a property, which has earlier ones.
func (c *checker) mark(entry []any, property string, m Mark, earlier []Mark) {
	below := func(parent string) bool { return collections.IsChild(m.Type, parent) }
	all := strings.Join(names(isAny), ", ")
	switch row := markOf(m.Name); {
	case m.Name == "":
		keys := append([]string{"is", "not"}, names(hasValues)...)
		c.errorf(entry, "a mark is a name, or it has one of %s and %s; expected %s, or a form such as "+
			"{not: reference, why: \"it is a name\"}", strings.Join(keys[:len(keys)-1], ", "), keys[len(keys)-1], all)
	case row == nil:
		c.errorf(entry, "%q is no mark%s; the marks are %s", m.Name, diag.DidYouMean(m.Name, names(isAny)), all)
	case m.Not && !row.hasOpposite:
		c.errorf(entry, "no spec says %s, so nothing can be not %[1]s; expected %s", m.Name, strings.Join(names(hasOpposite), ", "))
	case row.corrects && !isExplained(m.Why, m.Source):
		form := "{is: " + m.Name
		if m.Not {
			form = "{not: " + m.Name
		} else if row.form != "" {
			form = strings.TrimSuffix(row.form, "}")
		}
		c.unexplained(entry, m.String(),
			form+`, why: "ARM refuses it", source: "https://…"}, or a source such as "signalr.json:12 of 2024-03-01"`)
	case m.Merge != "" && (m.Name != ListKeys || m.Not || m.Merge != MergeOnly):
		c.errorf(entry, "merge is %q; expected %q, and beside listKeys", m.Merge, MergeOnly)
	case m.Merge != "" && m.Source != "":
		c.errorf(entry, "either the API server has the keys, because source shows that ARM refuses a second element, or merge is only; "+
			"remove one of the two")
	case m.Source != "" && !row.corrects && m.Name != ListKeys:
		c.errorf(entry, "%s has no source: only listKeys and what corrects a spec have; write what there is to say into why", m)
	case m.Source != "" && !m.Not && !row.corrects && !isExplained(m.Why, m.Source):
		c.errorf(entry, "listKeys lacks its reason or its source; expected a form such as "+
			`{listKeys: [name], why: "names are unique", source: "hub.json:12 of 2024-03-01"}`)
	case m.Not && m.Why == "":
		c.errorf(entry, "the mark lacks why, the reason; expected a form such as {not: %s, why: \"it is a name\"}", m.Name)
	case m.Not || row.form == "":
	case m.correction() != nil:
		for _, fault := range m.correction().faults() {
			c.errorf(entry, "%s", fault)
		}
	case row.isList() && (len(m.Values) == 0 || slices.Contains(m.Values, "")) || !row.isList() && m.Type == "":
		c.errorf(entry, "%s lacks its value; expected a form such as %s", m.Name, row.form)
	case row.isTypes && slices.ContainsFunc(m.Values, func(t string) bool { return !armType().MatchString(t) }):
		c.errorf(entry, "%s has ARM types, such as Microsoft.Network/virtualNetworks/subnets; found %s", m.Name,
			strings.Join(m.Values, ", "))
	case !row.isList() && !(armType().MatchString(m.Type) && slices.ContainsFunc(c.types(), below)):
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
