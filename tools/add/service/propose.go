package service

import (
	"cmp"
	"fmt"
	"os"
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
	reference kind = iota // holds the id of an ARM resource
	secret
)

// words has the key of group.yaml for a kind, the key of its opposite, and the
// word in notes of the report.
var words = map[kind]struct{ list, opposite, note string }{
	reference: {"references", "notReferences", "looks like the id of an ARM resource"},
	secret:    {"secrets", "notSecrets", "looks like a secret"},
}

// proposal proposes that a property is a reference or a secret.
type proposal struct {
	what     kind
	property string // Type.property, as in group.yaml
	// safe reports whether the evidence is enough to act on it.
	safe     bool
	evidence string
}

// Experience says how often persons decided that properties of a name are
// references and secrets, or are not, in other groups.
type Experience map[kind]map[string]*verdict

// verdict has the names of the groups that decided one way and the other.
type verdict struct{ yes, no []string }

// Learn returns the experience from the group.yaml files of a repository, but
// that of one group.
func Learn(root, except string) (Experience, error) {
	files, err := filepath.Glob(filepath.Join(root, "apis", "*", "group.yaml"))
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
		e.add(reference, name, decisions.References, true)
		e.add(reference, name, decisions.NotReferences, false)
		e.add(secret, name, decisions.Secrets, true)
		e.add(secret, name, decisions.NotSecrets, false)
	}
	return e, nil
}

func (e Experience) add(what kind, group string, properties []string, yes bool) {
	for _, property := range properties {
		v := e[what][propertyOf(property)]
		if v == nil {
			v = &verdict{}
			e[what][propertyOf(property)] = v
		}
		side := &v.no
		if yes {
			side = &v.yes
		}
		if !slices.Contains(*side, group) {
			*side = append(*side, group)
		}
	}
}

// propertyOf returns the folded name of a property, without its type.
func propertyOf(entry string) string {
	return naming.Fold(entry[strings.LastIndexByte(entry, '.')+1:])
}

var (
	// saysID matches descriptions that say of a value that it is an ARM id.
	saysID = regexp.MustCompile(`(?i)/subscriptions/|\b(arm|azure( resource manager)?) (resource )?(id|identifier)\b|\bresource (id|identifier)\b|\bfully[ -]qualified (arm |azure )?(resource )?(id|identifier)\b`)
	// namesID matches the names of properties that hold ids, and namesResourceID
	// those that cannot hold another id.
	namesID         = regexp.MustCompile(`(Id|ID)s?$`)
	namesResourceID = regexp.MustCompile(`[rR]esource(Id|ID)s?$`)
	// saysSecret matches the names of strings that grant access by themselves.
	saysSecret = regexp.MustCompile(`(?i)(password|passphrase|connectionstring|sastoken|(access|account|sas|private)key|secret)$`)
)

// propose returns a proposal for each property that looks like a reference or a
// secret and of which the specs do not say what it is.
func propose(shaped []*ir.Version, experience Experience) []proposal {
	found := map[string]*proposal{}
	for _, v := range shaped {
		docs := docsOf(v)
		for _, n := range v.Notes {
			for what, w := range words {
				if n.Kind != ir.NotAssessed || !strings.HasPrefix(n.Reason, w.note) {
					continue
				}
				key := w.list + n.Subject
				p := found[key]
				if p == nil {
					p = &proposal{what: what, property: n.Subject}
					found[key] = p
				}
				p.judge(docs[n.Subject], experience[what][propertyOf(n.Subject)])
			}
		}
	}
	var all []proposal
	for _, p := range found {
		all = append(all, *p)
	}
	slices.SortFunc(all, func(a, b proposal) int {
		return cmp.Or(cmp.Compare(a.what, b.what), strings.Compare(a.property, b.property))
	})
	return all
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

// judge decides on the evidence of one version. What others decided about the
// name counts most, and only if all of them decided the same.
func (p *proposal) judge(doc string, others *verdict) {
	name := p.property[strings.LastIndexByte(p.property, '.')+1:]
	switch {
	case p.safe:
	case others != nil && len(others.no) > 0 && len(others.yes) > 0:
		p.evidence = fmt.Sprintf("one in %s, none in %s", strings.Join(others.yes, ", "), strings.Join(others.no, ", "))
	case others != nil && len(others.no) > 0:
		p.evidence = "none in " + strings.Join(others.no, ", ")
	case others != nil:
		p.safe, p.evidence = true, "one in "+strings.Join(others.yes, ", ")
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

// clip returns a text in one line of at most 60 characters.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return text
}

// question returns the comment above the proposals that are not safe.
func (k kind) question() string {
	return fmt.Sprintf("# Undecided. Move each to %s or to %s.\n", words[k].list, words[k].opposite)
}

// entries returns the proposals of a kind as entries of group.yaml: those that are
// safe, and as comments those that are not.
func (k kind) entries(proposals []proposal) (safe, open string) {
	for _, p := range proposals {
		switch {
		case p.what != k:
		case p.safe:
			safe += fmt.Sprintf("  - %s # %s\n", p.property, p.evidence)
		default:
			open += fmt.Sprintf("#  - %s # %s\n", p.property, p.evidence)
		}
	}
	return safe, open
}

// groups returns the names of the groups below apis.
func groups(root string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, "apis"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
