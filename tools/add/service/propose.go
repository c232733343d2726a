package service

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// kind says what a property may be.
type kind int

const (
	reference      kind = iota // holds the id of an ARM resource
	roleDefinition             // holds the id of a role definition
	secret
	number     // may have a fraction
	createOnly // cannot change
)

// words has the key of group.yaml for a kind, the key of its opposite, and the
// word in notes of the report. The last two may be "".
var words = []struct{ list, opposite, note string }{
	reference:      {"references", "notReferences", "looks like the id of an ARM resource"},
	roleDefinition: {"roleDefinitions", "", ""},
	secret:         {"secrets", "notSecrets", "looks like a secret"},
	number:         {"numbers", "notNumbers", "may have fractions"},
	createOnly:     {"createOnly", "", ""},
}

// proposal proposes that a property is of a kind.
type proposal struct {
	what     kind
	property string // Type.property, as in group.yaml
	// safe reports whether the evidence is enough to act on it.
	safe bool
	// none reports whether the evidence says that the property is none.
	none     bool
	evidence string
}

// Experience says how often persons decided that properties of a name are
// references and secrets, or are not, in other groups.
type Experience map[kind]map[string]*verdict

// verdict has the names of the groups that decided one way and the other.
type verdict struct{ yes, no []string }

// Learn returns the experience from the group.yaml files of a repository, but
// that of one group.
func Learn(in Repository, except string) (Experience, error) {
	files, err := filepath.Glob(in.path(in.folder() + "/*/group.yaml"))
	if err != nil {
		return nil, err
	}
	e := Experience{reference: {}, secret: {}}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if name == except {
			continue
		}
		decisions, err := config.Read(file)
		if err != nil {
			return nil, err
		}
		e.add(reference, name, decisions.References, decisions.NotReferences)
		e.add(secret, name, decisions.Secrets, decisions.NotSecrets)
	}
	return e, nil
}

// add adds the decisions of a group. Where the group decided both ways about a
// name, the name says nothing.
func (e Experience) add(what kind, group string, yes, no []string) {
	sides := map[string]int{}
	for _, property := range yes {
		sides[propertyOf(property)] |= 1
	}
	for _, property := range no {
		sides[propertyOf(property)] |= 2
	}
	for name, n := range sides {
		if e[what][name] == nil {
			e[what][name] = &verdict{}
		}
		switch v := e[what][name]; n {
		case 1:
			v.yes = append(v.yes, group)
		case 2:
			v.no = append(v.no, group)
		}
	}
}

// propertyOf returns the folded name of a property, without its type.
func propertyOf(entry string) string {
	return naming.Fold(entry[strings.LastIndexByte(entry, '.')+1:])
}

var (
	// saysID matches descriptions that say of a value that it is an ARM id.
	saysID = regexp.MustCompile(`(?i)/subscriptions/|\b(arm|azure( resource manager)?) (resource )?(id|identifier)\b|` +
		`\bresource ?(id|identifier)\b|\bfully[ -]qualified (arm |azure )?(resource )?(id|identifier)\b`)
	// namesID matches the names of properties that hold ids, and namesResourceID
	// those that cannot hold another id.
	namesID         = regexp.MustCompile(`(Id|ID)s?$`)
	namesResourceID = regexp.MustCompile(`[rR]esource(Id|ID)s?$`)
	// saysSecret matches the names of strings that grant access by themselves.
	saysSecret = regexp.MustCompile(`(?i)(password|passphrase|connectionstring|sastoken|(access|account|sas|private)key|secret)$`)
)

// propose returns a proposal for each property that looks like a reference or a
// secret and of which the specs do not say what it is, and for each that holds
// ids in the examples.
func propose(shaped []*ir.Version, experience Experience, ids map[string]ir.TypeRef) []proposal {
	found := map[string]*proposal{}
	for property, ref := range ids {
		// A string that has an id in examples may have a word elsewhere, such as the
		// name of a default, unless its name speaks for an id or it is one of several.
		safe := ref.Primitive == "" || propertyOf(property) == "id" || namesID.MatchString(property)
		found[words[reference].list+property] = &proposal{what: reference, property: property, safe: safe, evidence: "ids in the examples"}
	}
	for property, evidence := range siblings(shaped, found) {
		found[words[reference].list+property] = &proposal{what: reference, property: property, safe: true, evidence: evidence}
	}
	for property := range ownIDs(shaped) {
		found[words[reference].list+property] = &proposal{
			what: reference, property: property, safe: true, none: true, evidence: "the id of the object itself, in a list of its own"}
	}
	noted := map[*proposal]bool{}
	for _, v := range shaped {
		docs := docsOf(v)
		for _, n := range v.Notes {
			for what, w := range words {
				if n.Kind != ir.NotAssessed || w.note == "" || !strings.HasPrefix(n.Reason, w.note) {
					continue
				}
				key := w.list + n.Subject
				p := found[key]
				if p == nil {
					p = &proposal{what: kind(what), property: n.Subject}
					found[key] = p
				}
				noted[p] = true
				p.judge(docs[n.Subject], experience[kind(what)][propertyOf(n.Subject)])
			}
		}
	}
	var all []proposal
	for _, p := range found {
		if !p.none || noted[p] {
			all = append(all, *p)
		}
	}
	slices.SortFunc(all, proposal.compare)
	return all
}

func (p proposal) compare(o proposal) int {
	return cmp.Or(cmp.Compare(p.what, o.what), strings.Compare(p.property, o.property))
}

// docsOf returns the descriptions of the properties of a version, by Type.property.
func docsOf(v *ir.Version) map[string]string {
	docs := map[string]string{}
	for _, t := range v.Types {
		base, _ := naming.CutHalf(t.Name)
		for _, p := range t.Properties {
			docs[base+"."+p.Name] = cmp.Or(docs[base+"."+p.Name], p.Doc)
		}
	}
	return docs
}

// siblings returns the strings of Specs that are references because of others, with
// the evidence: those that have the name and type of one that examples show, and
// those that are an id and all that their object has.
func siblings(shaped []*ir.Version, shown map[string]*proposal) map[string]string {
	like := map[string]string{} // the property that examples show, by name and type
	for _, v := range shaped {
		eachString(v, func(property string, ref ir.TypeRef, _ bool) {
			key := propertyOf(property) + ref.String()
			if p := shown[words[reference].list+property]; p != nil && p.safe && (like[key] == "" || property < like[key]) {
				like[key] = property
			}
		})
	}
	found := map[string]string{}
	for _, v := range shaped {
		eachString(v, func(property string, ref ir.TypeRef, alone bool) {
			like := like[propertyOf(property)+ref.String()]
			switch {
			case shown[words[reference].list+property] != nil:
			case propertyOf(property) == "id" && alone:
				found[property] = "its object has nothing else"
			case propertyOf(property) != "id" && like != "":
				found[property] = "as " + like + ", which has ids in the examples"
			}
		})
	}
	return found
}

// eachString calls f with each property of the objects in Specs that is a string, or
// a list or map of strings, and whether its object has no other.
func eachString(v *ir.Version, f func(property string, ref ir.TypeRef, alone bool)) {
	for _, t := range v.Types {
		for _, p := range t.Properties {
			if !t.Status && p.Type.Leaf().Primitive == ir.String && p.Variant == "" && !p.AzureName && !p.Spread {
				f(naming.Common(t.Name)+"."+naming.JSON(p.ARMName()), p.Type, len(t.Properties) == 1)
			}
		}
	}
}

// ownIDs returns the ids of objects that have a name and a type or etag of their
// own, and that only lists of one name hold. Such an object is a part of the
// resource, so its id refers to nothing else. What has a location is no part: a
// subnet's network security group is a resource, and only its id says which.
func ownIDs(shaped []*ir.Version) map[string]bool {
	lists, elsewhere := map[string]map[string]bool{}, map[string]bool{} // by type
	has := map[string]map[string]bool{}
	for _, v := range shaped {
		for _, t := range v.Types {
			base, _ := naming.CutHalf(t.Name)
			if has[base] == nil {
				has[base] = map[string]bool{}
			}
			for _, p := range t.Properties {
				has[base][p.ARMName()] = true
				held, _ := naming.CutHalf(p.Type.Leaf().Named)
				switch {
				case held == "":
				case p.Type.Items == nil:
					elsewhere[held] = true
				case lists[held] == nil:
					lists[held] = map[string]bool{p.Name: true}
				default:
					lists[held][p.Name] = true
				}
			}
		}
	}
	own := map[string]bool{}
	for base, names := range lists {
		if h := has[base]; len(names) == 1 && !elsewhere[base] && h["id"] && h["name"] && (h["type"] || h["etag"]) && !h["location"] {
			own[base+".id"] = true
		}
	}
	return own
}

// judge decides on the evidence of one version. What others decided about the
// name counts most, and only if all of them decided the same.
func (p *proposal) judge(doc string, others *verdict) {
	name := p.property[strings.LastIndexByte(p.property, '.')+1:]
	switch {
	case p.safe:
	case p.what == number:
		p.safe, p.evidence = true, "the description says so, and bicep types do not tell"
	case others != nil && len(others.no) > 0 && len(others.yes) > 0:
		p.evidence = fmt.Sprintf("one in %s, none in %s", some(others.yes), some(others.no))
	case others != nil && len(others.no) > 0:
		p.safe, p.none, p.evidence = true, true, "none in "+some(others.no)
	case others != nil && len(others.yes) > 0:
		p.safe, p.evidence = true, "one in "+some(others.yes)
	case p.what == reference && saysID.MatchString(doc) && namesID.MatchString(name):
		p.safe, p.evidence = true, "name and description say so: "+clip(saysID.FindString(doc))
	case p.what == reference && saysID.MatchString(doc):
		p.evidence = "the description says: " + clip(saysID.FindString(doc))
	case p.what == reference && namesResourceID.MatchString(name), p.what == secret && saysSecret.MatchString(name):
		p.safe, p.evidence = true, "the name says so"
	default:
		p.evidence = "its name alone"
	}
}

// some returns the names of at most three groups, and how many there are more.
func some(groups []string) string {
	if n := len(groups) - 3; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(groups[:3], ", "), n)
	}
	return strings.Join(groups, ", ")
}

// clip returns a text in one line of at most 60 characters.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return text
}

// question returns the comment above the proposals that are not safe. Only kinds that have
// an opposite have such.
func (k kind) question() string {
	return fmt.Sprintf("# Undecided. Move each to %s or to %s.\n", words[k].list, words[k].opposite)
}

// entries returns the proposals of a kind as entries of group.yaml: those that are
// one and those that are none, by safe evidence, and the others as comments.
func (k kind) entries(proposals []proposal) (yes, none, open string) {
	for _, p := range proposals {
		entry := fmt.Sprintf("  - %s # %s\n", p.property, p.evidence)
		switch {
		case p.what != k:
		case !p.safe:
			open += "#" + entry
		case p.none:
			none += entry
		default:
			yes += entry
		}
	}
	return yes, none, open
}
