package service

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/armature-dev/armature/generator/config"
)

// groupYAML is a group.yaml to which entries are added. What people wrote stays as it is.
type groupYAML struct {
	lines    []string // with their ends; the first has the number 1
	sections []entry
	// after has what follows a line, by its number, and instead what stands in place of the
	// lines of an entry, by the number of the first.
	after   map[int]string
	instead map[int]replacement
	// added has the sections that the file does not have, in order, and texts what is in them.
	added []string
	texts map[string]string
}

// entry is a member of a mapping, or an element of a list, which is its own key. It stands
// on the lines from first to last.
type entry struct {
	key, value  *yaml.Node
	first, last int
}

type replacement struct {
	last int
	text string
}

// readYAML reads a group.yaml.
func readYAML(file string, text []byte) (*groupYAML, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	lines := strings.SplitAfter(strings.TrimRight(string(text), "\n")+"\n", "\n")
	y := &groupYAML{lines: lines[:len(lines)-1], after: map[int]string{}, instead: map[int]replacement{}, texts: map[string]string{}}
	if len(document.Content) > 0 {
		y.sections = y.entries(document.Content[0], len(y.lines))
	}
	return y, nil
}

// entries returns the entries of a mapping or a list, whose last line is at most limit.
func (y *groupYAML) entries(n *yaml.Node, limit int) []entry {
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	var all []entry
	for i := 0; i+step <= len(n.Content); i += step {
		e := entry{key: n.Content[i], value: n.Content[i+step-1], first: n.Content[i].Line, last: limit}
		if i+step < len(n.Content) {
			e.last = n.Content[i+step].Line - 1
		}
		for e.last > e.first && !hasContent(y.lines[e.last-1]) {
			e.last--
		}
		all = append(all, e)
	}
	return all
}

// hasContent reports whether a line is neither blank nor a comment.
func hasContent(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && line[0] != '#'
}

// section returns the section of a key. One in braces or brackets does not count, because
// there are no lines to which others could be added.
func (y *groupYAML) section(key string) (entry, bool) {
	i := slices.IndexFunc(y.sections, func(e entry) bool { return e.key.Value == key && e.value.Style&yaml.FlowStyle == 0 })
	if i < 0 {
		return entry{}, false
	}
	return y.sections[i], true
}

// has reports whether the file has a section, or gets it.
func (y *groupYAML) has(section string) bool {
	_, found := y.section(section)
	return found || y.texts[section] != ""
}

// entry returns the entry of a key in a section.
func (y *groupYAML) entry(section, key string) (entry, bool) {
	s, found := y.section(section)
	if !found {
		return entry{}, false
	}
	all := y.entries(s.value, s.last)
	i := slices.IndexFunc(all, func(e entry) bool { return e.key.Value == key })
	if i < 0 {
		return entry{}, false
	}
	return all[i], true
}

// insert adds lines to a section, below the last entry that precedes them. A section that
// the file does not have is added at its end; its key is left out if the lines begin with
// a comment.
func (y *groupYAML) insert(section, text string, precedes func(i int, key string) bool) {
	s, found := y.section(section)
	switch {
	case text == "":
	case found:
		at := s.first
		for i, e := range y.entries(s.value, s.last) {
			if precedes(i, e.key.Value) {
				at = e.last
			}
		}
		y.after[at] += text
	default:
		if y.texts[section] == "" {
			y.added = append(y.added, section)
		}
		y.texts[section] += text
	}
}

// mark gives an entry of properties those marks that it keeps, and more. It has one line then, and
// its comments stay but for the evidence of marks that it does not keep. Without marks it goes.
func (y *groupYAML) mark(e entry, kept, more []config.Mark) {
	all, n := slices.Clone(kept), 0
	for _, m := range slices.Concat(kept, more) {
		if !m.HasReason() {
			n++
		}
	}
	reasons := slices.DeleteFunc(e.reasons(), func(reason string) bool {
		mark, why := cutReason(reason)
		isKept := func(m config.Mark) bool { return m.Name == mark || mark == "" && !m.HasReason() }
		return isEvidence(why) && !slices.ContainsFunc(kept, isKept)
	})
	for _, m := range more {
		if !m.HasReason() {
			reason := m.Why
			if n > 1 {
				reason = m.Name + ": " + reason
			}
			reasons = append(reasons, reason)
			m.Why = ""
		}
		all = append(all, m)
	}
	line := ""
	if len(all) > 0 {
		line = strings.TrimSuffix(config.Line(e.key.Value, all), "\n")
		if len(reasons) > 0 {
			line += " # " + strings.Join(reasons, "; ")
		}
		line += "\n"
	}
	y.instead[e.first] = replacement{e.last, line}
}

// dropEmpty drops the key of a section whose entries have all gone, or makes a comment of it where
// comments are left below it.
func (y *groupYAML) dropEmpty(section string) {
	s, found := y.section(section)
	if !found {
		return
	}
	key, after := "", y.after[s.first]
	for _, e := range y.entries(s.value, s.last) {
		if r, replaced := y.instead[e.first]; !replaced || r.text != "" {
			return
		}
		after += y.after[e.last]
	}
	switch {
	case strings.HasPrefix(after, "  "):
		return
	case after != "":
		key = "#" + y.lines[s.first-1]
	}
	y.instead[s.first] = replacement{s.first, key}
}

// cutReason parts what a comment says of one of several marks.
func cutReason(reason string) (mark, why string) {
	if mark, why, found := strings.Cut(reason, ": "); found && slices.Contains(proposed, mark) {
		return mark, why
	}
	return "", reason
}

// why returns what speaks for a mark of an entry with n marks that have their reasons in comments.
func (e entry) why(m config.Mark, n int) string {
	if m.HasReason() {
		return m.Why
	}
	for _, reason := range e.reasons() {
		if mark, why := cutReason(reason); mark == m.Name || mark == "" && n == 1 {
			return why
		}
	}
	return ""
}

// without returns marks without others.
func without(marks, others []config.Mark) []config.Mark {
	return slices.DeleteFunc(slices.Clone(marks), func(m config.Mark) bool {
		return slices.ContainsFunc(others, func(o config.Mark) bool { return o.Name == m.Name && o.Not == m.Not })
	})
}

// asked returns the properties about which a group.yaml has a question for a person: a line that
// would be an entry if it were no comment.
func asked(text []byte) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if rest, isQuestion := strings.CutPrefix(line, "#  "); isQuestion {
			property, _, _ := strings.Cut(rest, ":")
			found[property] = true
		}
	}
	return found
}

// reasons returns what the comments of an entry say, of each of its marks.
func (e entry) reasons() (all []string) {
	for _, comment := range comments(e.value) {
		all = append(all, strings.Split(comment, "; ")...)
	}
	return all
}

// comments returns the texts of the comments in the lines of a node.
func comments(n *yaml.Node) []string {
	var all []string
	if text := strings.TrimLeft(n.LineComment, "# "); text != "" {
		all = append(all, text)
	}
	for _, child := range n.Content {
		all = append(all, comments(child)...)
	}
	return all
}

// text returns the file with what was added.
func (y *groupYAML) text() []byte {
	var b strings.Builder
	for i := 1; i <= len(y.lines); i++ {
		if r, replaced := y.instead[i]; replaced {
			b.WriteString(r.text)
			i = r.last
		} else {
			b.WriteString(y.lines[i-1])
		}
		b.WriteString(y.after[i])
	}
	for _, section := range y.added {
		b.WriteString("\n")
		if y.texts[section][0] != '#' {
			b.WriteString(section + ":\n")
		}
		b.WriteString(y.texts[section])
	}
	return []byte(b.String())
}

// noSuchMark is what evidence is followed by that speaks against a mark.
const noSuchMark = " has no such mark"

// isEvidence reports whether a reason is the evidence that Swagger gives.
func isEvidence(why string) bool {
	return evidenceForm.MatchString(strings.TrimSuffix(why, noSuchMark))
}

var evidenceForm = regexp.MustCompile(`^\S+\.json:\d+ of \d{4}-\d{2}-\d{2}(-\w+)*$`)
