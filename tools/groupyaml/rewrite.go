package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/naming"
)

// lists has the mark of each key that listed properties.
var lists = map[string]config.Mark{
	"references": {Name: config.Reference}, "notReferences": {Name: config.Reference, Not: true},
	"roleDefinitions": {Name: config.RoleDefinition},
	"secrets":         {Name: config.Secret}, "notSecrets": {Name: config.Secret, Not: true},
	"numbers": {Name: config.Number}, "notNumbers": {Name: config.Number, Not: true},
	"createOnly": {Name: config.CreateOnly}, "untyped": {Name: config.Untyped},
}

// rewriter holds what it has read of a file.
type rewriter struct {
	lines []string // without their ends; the first has the number 1
	marks map[string][]config.Mark
	above map[string][]string // the comments above a property
	open  []string            // comments on properties that nobody has decided on
	// changes are the renames and removals, and below the comments below them.
	changes []change
	below   []string
	// pending are comments above a list, which go with its first item.
	pending []string
}

// change is an entry of changes, with the comments above it.
type change struct {
	since string
	// rank is 0 for types, 1 for properties and 2 for removals.
	rank  int
	entry string
	above []string
}

// section is a key of the file, with its lines, from the comments above it on.
type section struct {
	key, value  *yaml.Node
	first, last int
}

// rewrite returns a group.yaml in the new form.
func rewrite(file string, text []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(document.Content) == 0 {
		return text, nil
	}
	r := &rewriter{
		lines: strings.Split(strings.TrimRight(string(text), "\n"), "\n"),
		marks: map[string][]config.Mark{}, above: map[string][]string{},
	}
	sections := r.sections(document.Content[0])
	places := make([]string, len(sections)) // the new keys, or "" for a section that stays
	for i, s := range sections {
		var err error
		if places[i], err = r.read(s); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, s.key.Line, err)
		}
	}
	texts := map[string]string{"properties": r.propertiesText(), "changes": r.changesText()}
	var b strings.Builder
	for i, s := range sections {
		place := places[i]
		switch {
		case place == "":
			b.WriteString(strings.Join(r.lines[s.first-1:s.last], "\n") + "\n")
		case texts[place] != "":
			b.WriteString(texts[place])
			if r.lines[s.last-1] == "" {
				b.WriteString("\n")
			}
			texts[place] = ""
		}
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n"), nil
}

func (r *rewriter) sections(root *yaml.Node) []section {
	var all []section
	for i := 0; i+1 < len(root.Content); i += 2 {
		s := section{root.Content[i], root.Content[i+1], root.Content[i].Line, len(r.lines)}
		for s.first > 1 && (i == 0 || isComment(r.lines[s.first-2])) {
			s.first--
		}
		if i > 0 {
			all[i/2-1].last = s.first - 1
		}
		all = append(all, s)
	}
	return all
}

func isComment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

// read reads a section, and returns the key that takes its place, or "" if it stays.
func (r *rewriter) read(s section) (place string, err error) {
	r.pending = r.comments(s.first, s.key.Line)
	if _, comment, found := strings.Cut(r.lines[s.key.Line-1], ": #"); found {
		r.pending = append(r.pending, "#"+comment)
	}
	mark, isList := lists[s.key.Value]
	switch {
	case isList:
		last, err := r.each(s.value, s.key.Line, func(item *yaml.Node, above []string, comment string) error {
			r.mark(item.Value, mark, above, comment)
			return nil
		})
		r.undecided(mark, r.comments(last+1, s.last))
		return "properties", err
	case s.key.Value == "removals":
		last, err := r.each(s.value, s.key.Line, r.removal)
		r.below = append(r.below, r.comments(last+1, s.last)...)
		return "changes", err
	case s.key.Value == "renames":
		last := s.key.Line
		for i := 0; i+1 < len(s.value.Content) && err == nil; i += 2 {
			last, err = r.each(s.value.Content[i+1], last, r.rename)
		}
		r.below = append(r.below, r.comments(last+1, s.last)...)
		return "changes", err
	case s.key.Value == "collections":
		return "", errors.New("no command rewrites collections; write {children: type}, or {not: children, why: reason}, " +
			"below properties")
	}
	return "", nil
}

// comments returns the lines from first to last that are comments.
func (r *rewriter) comments(first, last int) []string {
	var all []string
	for line := first; line <= last; line++ {
		if isComment(r.lines[line-1]) {
			all = append(all, strings.TrimSpace(r.lines[line-1]))
		}
	}
	return all
}

// each calls f with each item of a list, the comments above it and the one behind it. It
// returns the last line of the list.
func (r *rewriter) each(list *yaml.Node, last int, f func(item *yaml.Node, above []string, comment string) error) (int, error) {
	for _, item := range list.Content {
		if err := f(item, r.comments(last+1, item.Line-1), comment(item)); err != nil {
			return last, err
		}
		last = deepest(item)
	}
	return last, nil
}

// comment returns the comment behind a node, without its sign.
func comment(n *yaml.Node) string {
	text := n.LineComment
	for _, child := range n.Content {
		text = cmp.Or(text, comment(child))
	}
	return strings.TrimLeft(text, "# ")
}

// deepest returns the last line on which a node of a tree begins.
func deepest(n *yaml.Node) int {
	line := n.Line
	for _, child := range n.Content {
		line = max(line, deepest(child))
	}
	return line
}

// mark adds a mark. What is not so has its reason behind it, or above.
func (r *rewriter) mark(property string, m config.Mark, above []string, comment string) {
	if m.Why = comment; m.Not && comment == "" {
		var reason []string
		for _, line := range above {
			reason = append(reason, strings.TrimLeft(line, "# "))
		}
		m.Why, above = strings.TrimSuffix(strings.Join(reason, " "), "."), nil
	}
	r.marks[property] = append(r.marks[property], m)
	r.above[property] = slices.Concat(r.above[property], r.pending, above)
	r.pending = nil
}

var openEntry = regexp.MustCompile(`^#\s*-\s+(\S+)(?:\s+# (.*))?$`)

// undecided adds the comments below a list, which may have properties.
func (r *rewriter) undecided(m config.Mark, comments []string) {
	for _, line := range comments {
		if entry := openEntry.FindStringSubmatch(line); entry != nil {
			m.Why = entry[2]
			line = "#" + strings.TrimSuffix(config.Line(entry[1], []config.Mark{m}), "\n")
		} else if strings.HasPrefix(line, "# Undecided. Move each to ") {
			line = strings.TrimSuffix(config.Question, "\n")
		}
		r.open = append(r.open, line)
	}
}

func (r *rewriter) rename(item *yaml.Node, above []string, comment string) error {
	var old struct{ Type, From, To, Since string }
	err := item.Decode(&old)
	subject, rank := "type: "+old.From, 0
	if old.Type != "" {
		subject, rank = "property: "+old.Type+"."+old.From, 1
	}
	r.add(old.Since, rank, fmt.Sprintf("{%s, since: %q, renamed: %s}", subject, old.Since, old.To), above, comment)
	return err
}

func (r *rewriter) removal(item *yaml.Node, above []string, comment string) error {
	var old struct{ Property, Since, Reason string }
	err := item.Decode(&old)
	r.add(old.Since, 2, fmt.Sprintf("{property: %s, since: %q, removed: %q}", old.Property, old.Since, old.Reason), above, comment)
	return err
}

func (r *rewriter) add(since string, rank int, entry string, above []string, comment string) {
	if comment != "" {
		entry += " # " + comment
	}
	r.changes = append(r.changes, change{since, rank, entry, append(r.pending, above...)})
	r.pending = nil
}

// propertiesText returns the section of the properties, or "".
func (r *rewriter) propertiesText() string {
	if len(r.marks)+len(r.open) == 0 {
		return ""
	}
	var b strings.Builder
	if len(r.marks) == 0 {
		b.WriteString("#")
	}
	b.WriteString("properties:\n")
	for _, property := range slices.Sorted(maps.Keys(r.marks)) {
		for _, line := range r.above[property] {
			b.WriteString("  " + line + "\n")
		}
		b.WriteString(config.Line(property, r.marks[property]))
	}
	for _, line := range r.open {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// changesText returns the section of the changes, by version, or "".
func (r *rewriter) changesText() string {
	if len(r.changes)+len(r.below) == 0 {
		return ""
	}
	slices.SortStableFunc(r.changes, func(a, b change) int {
		return cmp.Or(naming.CompareVersions(a.since, b.since), cmp.Compare(a.rank, b.rank))
	})
	var b strings.Builder
	b.WriteString("changes:\n")
	for _, c := range r.changes {
		for _, line := range c.above {
			b.WriteString("  " + line + "\n")
		}
		b.WriteString("  - " + c.entry + "\n")
	}
	for _, line := range r.below {
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}
