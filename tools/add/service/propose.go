package service

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// proposal proposes a mark for a property. Its Why is the evidence.
type proposal struct {
	property string // Type.property, as in group.yaml
	config.Mark
	// safe reports whether the evidence is enough to act on it.
	safe bool
	// ofText reports whether the property is text, so that only with another mark it can have this one.
	ofText bool
}

// proposed are the names of the marks that are proposed, in the order in which they are
// counted.
var proposed = []string{config.Reference, config.RoleDefinition, config.Secret, config.Base64, config.Number, config.CreateOnly,
	config.ListKeys, config.ResourceTypes, config.ReadOnly}

// noted has, by the name of a mark, how a note of the report begins that asks for it.
// These marks have opposites.
var noted = map[string]string{
	config.Reference: "looks like the id of an ARM resource",
	config.Secret:    "looks like a secret",
	config.Number:    "may have fractions",
	config.ReadOnly:  "looks like what only ARM writes",
	config.ListKeys:  "is believed to have elements",
}

// Experience says how often persons decided that properties of a name are
// references and secrets, or are not, in other groups. It is by the name of the mark and
// by the name of the property.
type Experience map[string]map[string]*verdict

// verdict has the names of the groups that decided one way and the other.
type verdict struct{ yes, no []string }

// unread is the line of a group.yaml that is one of many, as which nobody has read it.
const unread = "# Nobody has read it. Take this line away once somebody has: until then it is no evidence for other groups.\n"

// Learn returns the experience from the group.yaml files of a repository that somebody
// has read, but that of one group.
func Learn(in Repository, except string) (Experience, error) {
	files, err := filepath.Glob(in.path(in.folder() + "/*/group.yaml"))
	if err != nil {
		return nil, err
	}
	e := Experience{config.Reference: {}, config.Secret: {}}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if name == except {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(text, []byte(unread)) {
			continue
		}
		decisions, err := config.Parse(file, text)
		if err != nil {
			return nil, err
		}
		for mark := range e {
			e.add(mark, name, decisions.Properties.With(mark), decisions.Properties.With(config.Not(mark)))
		}
	}
	return e, nil
}

// add adds the decisions of a group. Where the group decided both ways about a
// name, the name says nothing.
func (e Experience) add(mark, group string, yes, no []string) {
	sides := map[string]int{}
	for _, property := range yes {
		sides[propertyOf(property)] |= 1
	}
	for _, property := range no {
		sides[propertyOf(property)] |= 2
	}
	for name, n := range sides {
		if e[mark][name] == nil {
			e[mark][name] = &verdict{}
		}
		switch v := e[mark][name]; n {
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
	// saysReadOnly matches descriptions that say that only ARM writes a value, and saysConcurrency those of an ETag
	// that a client may have to send.
	saysReadOnly = regexp.MustCompile(`(?i)\bread[- ]?only\b|\b(changes|modified) whenever\b|` +
		`\bprovisioning state\b|\bgets the\b`)
	saysConcurrency = regexp.MustCompile(`(?i)\bconcurren(cy|t)\b|\bif-match\b|\boverwrit(e|ing)\b`)
	// saysUnique matches descriptions that say that no two elements of a list are alike.
	saysUnique = regexp.MustCompile(`(?i)\b((must|should) be |has to be )?(unique(ly)?|distinct)\b( (in|within|across) [^.,]*)?|` +
		`\bduplicate[^.]* not allowed\b`)
	// saysSecret matches the names of strings that grant access by themselves.
	saysSecret = regexp.MustCompile(`(?i)(password|passphrase|connectionstring|sastoken|(access|account|sas|private)key|secret)$`)
)

// propose returns a proposal for each property that looks like a reference or a
// secret and of which the specs do not say what it is, and for each that holds
// ids in the examples.
func propose(shaped []*ir.Version, experience Experience, ids map[string]ir.TypeRef) []proposal {
	found := map[string]*proposal{}
	reference := func(property, evidence string, safe bool) {
		mark := config.Mark{Name: config.Reference, Why: evidence}
		found[config.Reference+property] = &proposal{property: property, Mark: mark, safe: safe}
	}
	for property, ref := range ids {
		// A string that has an id in examples may have a word elsewhere, such as the
		// name of a default, unless its name speaks for an id or it is one of several.
		reference(property, "ids in the examples", ref.Primitive == "" || propertyOf(property) == "id" || namesID.MatchString(property))
	}
	for property, evidence := range siblings(shaped, found) {
		reference(property, evidence, true)
	}
	for property := range ownIDs(shaped) {
		reference(property, "the id of the object itself, in a list of its own", true)
		found[config.Reference+property].Not = true
	}
	answered := onlyAnswered(shaped)
	isNoted := map[*proposal]bool{}
	for _, v := range shaped {
		described := describedIn(v)
		for _, n := range v.Notes {
			for mark, note := range noted {
				if n.Kind != ir.NotAssessed || !strings.HasPrefix(n.Reason, note) {
					continue
				}
				key := mark + n.Subject
				p := found[key]
				if p == nil {
					p = &proposal{property: n.Subject, Mark: config.Mark{Name: mark}}
					found[key] = p
				}
				isNoted[p] = true
				doc := ""
				if is := described[n.Subject]; is != nil {
					doc = is.Doc
				}
				switch mark {
				case config.ReadOnly:
					p.Source = cmp.Or(placeOf(described[n.Subject], v), p.Source)
					p.judgeReadOnly(doc, answered[n.Subject])
				case config.ListKeys:
					p.judgeListKeys(described[n.Subject], v)
				default:
					p.judge(doc, experience[mark][propertyOf(n.Subject)])
				}
			}
		}
	}
	var all []proposal
	for _, p := range found {
		if !p.Not || isNoted[p] {
			all = append(all, *p)
		}
	}
	slices.SortFunc(all, proposal.compare)
	return all
}

// isAbout reports whether another proposal says of the same property that it is what p says, or that it is not.
func (p proposal) isAbout(o proposal) bool { return p.property == o.property && p.Name == o.Name }

func (p proposal) compare(o proposal) int {
	return cmp.Or(strings.Compare(p.property, o.property), strings.Compare(p.Name, o.Name))
}

// describedIn returns the properties of a version by Type.property, each with a description if it has one anywhere.
func describedIn(v *ir.Version) map[string]*ir.Property {
	all := map[string]*ir.Property{}
	for _, t := range v.Types {
		base, _ := naming.CutHalf(t.Name)
		for _, p := range t.Properties {
			if is := all[base+"."+p.Name]; is == nil || is.Doc == "" {
				all[base+"."+p.Name] = p
			}
		}
	}
	return all
}

// placeOf returns the line of a spec that has a property, or "" if only facts do.
func placeOf(p *ir.Property, v *ir.Version) string {
	if p == nil || p.At.Doc == nil {
		return ""
	}
	line, _ := p.At.Doc.Position(p.At.Node)
	return fmt.Sprintf("%s:%d of %s", path.Base(p.At.Doc.Name), line, v.APIVersion)
}

// onlyAnswered returns the version from which on only answers have a property that requests had before, of each of
// which both have the type.
func onlyAnswered(shaped []*ir.Version) map[string]string {
	requested, answered := map[string]bool{}, map[string]string{}
	for _, v := range shaped {
		asked, shown := map[string]bool{}, map[string]bool{}
		for _, t := range v.Types {
			base, _ := naming.CutHalf(t.Name)
			in := asked
			if t.Status {
				in = shown
			}
			in[base] = true
			for _, p := range t.Properties {
				in[base+"."+p.Name] = true
			}
		}
		for property := range shown {
			base, _, isProperty := strings.Cut(property, ".")
			if isProperty && asked[base] && !asked[property] && requested[property] {
				answered[property] = cmp.Or(answered[property], v.APIVersion)
			}
		}
		for property := range asked {
			requested[property] = true
			delete(answered, property)
		}
	}
	return answered
}

// siblings returns the strings of Specs that are references because of others, with
// the evidence: those that have the name and type of one that examples show, and
// those that are an id and all that their object has.
func siblings(shaped []*ir.Version, shown map[string]*proposal) map[string]string {
	like := map[string]string{} // the property that examples show, by name and type
	for _, v := range shaped {
		eachString(v, func(property string, ref ir.TypeRef, _ bool) {
			key := propertyOf(property) + ref.String()
			if p := shown[config.Reference+property]; p != nil && p.safe && (like[key] == "" || property < like[key]) {
				like[key] = property
			}
		})
	}
	found := map[string]string{}
	for _, v := range shaped {
		eachString(v, func(property string, ref ir.TypeRef, alone bool) {
			like := like[propertyOf(property)+ref.String()]
			switch {
			case shown[config.Reference+property] != nil:
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
	case p.Name == config.Number:
		p.safe, p.Why = true, "the description says so, and bicep types do not tell"
	case others != nil && len(others.no) > 0 && len(others.yes) > 0:
		p.Why = fmt.Sprintf("one in %s, none in %s", some(others.yes), some(others.no))
	case others != nil && len(others.no) > 0:
		p.safe, p.Not, p.Why = true, true, "none in "+some(others.no)
	case others != nil && len(others.yes) > 0:
		p.safe, p.Why = true, "one in "+some(others.yes)
	case p.Name == config.Reference && saysID.MatchString(doc) && namesID.MatchString(name):
		p.safe, p.Why = true, "name and description say so: "+clip(saysID.FindString(doc))
	case p.Name == config.Reference && saysID.MatchString(doc):
		p.Why = "the description says: " + clip(saysID.FindString(doc))
	case p.Name == config.Reference && namesResourceID.MatchString(name), p.Name == config.Secret && saysSecret.MatchString(name):
		p.safe, p.Why = true, "the name says so"
	case p.Name == config.Secret && strings.EqualFold(name, "value"):
		p.safe, p.Why = true, "the name of the type says so"
	default:
		p.Why = "its name alone"
	}
}

// judgeReadOnly decides on the evidence of one version whether only ARM writes a property. since is the version from
// which on only answers have it, or "".
func (p *proposal) judgeReadOnly(doc, since string) {
	switch {
	case p.safe:
	case since != "":
		p.safe, p.Why = p.Source != "", "only answers of "+since+" have it"
	case saysConcurrency.MatchString(doc):
		p.Why = "its name; but the description says: " + clip(saysConcurrency.FindString(doc))
	case saysReadOnly.MatchString(doc):
		p.safe, p.Why = p.Source != "", "name and description say so: "+clip(saysReadOnly.FindString(doc))
	default:
		p.Why = "its name alone"
	}
}

// judgeListKeys decides on the evidence of one version whether elements of a list are unique by its keys: what the
// descriptions of the list and of its keys say. Without evidence the keys serve merging alone. list is of a Spec.
func (p *proposal) judgeListKeys(list *ir.Property, of *ir.Version) {
	if p.Source != "" || list == nil || list.Type.Items == nil {
		return
	}
	p.safe, p.Merge, p.Values = true, config.MergeOnly, nil
	evidence := []*ir.Property{list}
	for _, name := range list.ListKeys {
		if key := of.Type(list.Type.Items.Named).Property(name); key != nil {
			p.Values, evidence = append(p.Values, key.ARMName()), append(evidence, key)
		}
	}
	for _, q := range evidence {
		if text, place := saysUnique.FindString(q.Doc), placeOf(q, of); text != "" && place != "" {
			p.Merge, p.Why, p.Source = "", "the description says: "+clip(text), place
		}
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

// untypedQuestion is the comment above properties that need not be untyped.
var untypedQuestion = fmt.Sprintf("# Undecided. The CRDs of these kinds have more than half of the %d bytes that an API server "+
	"stores. A property cannot become untyped once it is stored; take away the # of what need not be in the schema.\n", crd.MaxBytes)

// marks returns the proposed marks: those that need no decision, by property, and lines of
// group.yaml, as comments, for the others.
func marks(proposals, untyped []proposal) (marked map[string][]config.Mark, open string) {
	marked = map[string][]config.Mark{}
	add := func(question string, proposals []proposal) {
		for _, p := range proposals {
			if p.safe {
				marked[p.property] = append(marked[p.property], p.Mark)
				continue
			}
			open += question + "#" + config.Line(p.property, []config.Mark{p.Mark})
			question = ""
		}
	}
	add(config.Question, proposals)
	add(untypedQuestion, untyped)
	return marked, open
}

// untypedBy returns proposals to mark properties as untyped: safe ones without which a CRD
// cannot be installed, and those that make room for versions to come.
func untypedBy(untypings []crd.Untyping) []proposal {
	var all []proposal
	for _, u := range untypings {
		for _, saving := range u.Properties {
			p := proposal{property: saving.Property, safe: u.Bytes > crd.MaxBytes, Mark: config.Mark{Name: config.Untyped, Why: fmt.Sprintf(
				"saves %d of the %d bytes of %s, of which %d versions fit then", saving.Bytes, u.Bytes, u.Kind, u.Fits)}}
			if p.safe {
				p.Why += fmt.Sprintf("; an API server stores %d bytes", crd.MaxBytes)
			}
			if !contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// countOpen returns the number of proposals that are not safe.
func countOpen(proposals []proposal) (n int) {
	for _, p := range proposals {
		if !p.safe {
			n++
		}
	}
	return n
}

// contains reports whether one of some proposals says of the property of p what p says.
func contains(all []proposal, p proposal) bool {
	return slices.ContainsFunc(all, func(o proposal) bool { return o.Name == p.Name && o.Not == p.Not && o.property == p.property })
}
