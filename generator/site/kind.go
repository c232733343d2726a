package site

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/site/page"
)

// rowsOfPart is how many rows a table of what changes has. A browser lays out a table as a whole, or leaves it out
// while nobody sees it, so a long one is in parts.
const rowsOfPart = 25

// kindPage is what the page of a kind shows.
type kindPage struct {
	*evolution.Resource
	Graph   graph
	Heads   []page.Link
	Parts   [][]matrixRow
	Steady  int // the properties that never change
	Aliases []evolution.Version
}

// Width returns the class that makes the tables of what changes wide enough for all versions. site.css has a width for
// each.
func (k kindPage) Width() string {
	for _, most := range []int{3, 6, 12} {
		if len(k.Heads) <= most {
			return fmt.Sprintf("upto%d", most)
		}
	}
	return "more"
}

// matrixRow is a property that changes, with a cell for each version.
type matrixRow struct {
	Path  string
	Cells []matrixCell
}

// matrixCell says what is new about a property at a version.
type matrixCell struct {
	// Mark is one of came, went, back, moved, renamed, retyped, required, optional, values,
	// limits; or "same" or "" where nothing is, and the version has the property or not.
	Mark string
	// Gone is set if the version does not have the property.
	Gone bool
	// Text has it in words.
	Text string
	// To leads to the property on the page of the version.
	To string
}

// change is what is new about a property at a version, compared with the one before it.
type change struct {
	Path string
	matrixCell
}

// addKind adds the page of a kind. It returns what changes at each version.
func (s *site) addKind(k *evolution.Resource) map[string][]change {
	changes := map[string][]change{}
	versions := slices.DeleteFunc(k.Distinct(), func(v evolution.Version) bool { return s.versions[v.Name] == nil })
	data := kindPage{Resource: k, Graph: newGraph(k, versions)}
	for _, v := range k.Versions {
		if v.AliasOf != "" {
			data.Aliases = append(data.Aliases, v)
		}
	}
	var rows []matrixRow
	var moved []map[string]bool // by version, what moves there from the one before
	for i, v := range versions {
		data.Heads = append(data.Heads, page.Link{Text: v.APIVersion, To: path.Base(pageOf(k.Kind, v.Name))})
		moved = append(moved, map[string]bool{})
		if i > 0 {
			moves(k, versions[i-1].Name, v.Name, moved[i])
		}
	}
	byPath := map[string]*evolution.Property{}
	for _, p := range k.Properties {
		byPath[p.Path] = p
	}
	for _, p := range k.Properties {
		if !p.Changes {
			data.Steady++
			continue
		}
		row := matrixRow{Path: p.Path}
		for i, v := range versions {
			cell := cellOf(p, byPath[p.Path[:strings.LastIndex(p.Path, ".")]], versions[:i+1], moved[i])
			if cell.Mark != "" && p.At(v.APIVersion) && s.versions[v.Name].shows(k, p, v.APIVersion) {
				cell.To = data.Heads[i].To + "#" + anchor(p.Path)
			}
			row.Cells = append(row.Cells, cell)
			if cell.Mark != "" && cell.Mark != "same" {
				changes[v.Name] = append(changes[v.Name], change{p.Path, cell})
			}
		}
		rows = append(rows, row)
	}
	data.Parts = slices.Collect(slices.Chunk(rows, rowsOfPart))
	s.add(path.Join(kindFolder(k.Kind), page.Index), "kind", k.Kind, data)
	return changes
}

// moves sets the paths of the properties that move between two versions, and of where they
// move to.
func moves(k *evolution.Resource, from, to string, all map[string]bool) {
	for _, pair := range [][2]string{{from, to}, {to, from}} {
		for path, becomes := range k.Between(pair[0], pair[1]) {
			for _, b := range becomes {
				all[path] = all[path] || slices.Contains(b.How, evolution.Moved)
			}
		}
	}
}

// cellOf returns the cell of a property at the last of some versions. A property comes and
// goes with its parent, which is nil for those of the Spec and the Status.
func cellOf(p, parent *evolution.Property, versions []evolution.Version, moved map[string]bool) matrixCell {
	last := len(versions) - 1
	now := p.Span(versions[last].APIVersion)
	was, before := -1, -1 // the span at any version before, and at the one before
	for i, v := range versions[:last] {
		if at := p.Span(v.APIVersion); at >= 0 {
			was = at
			before = -1
			if i == last-1 {
				before = at
			}
		}
	}
	first := func() string {
		s := p.Spans[now]
		return strings.TrimPrefix(s.Name+" "+s.Type, " ")
	}
	inside := func(i int) bool { return parent == nil || parent.At(versions[i].APIVersion) }
	switch {
	case now < 0 && before >= 0 && moved[p.Path]:
		return matrixCell{Mark: "moved", Gone: true, Text: "moved away"}
	case now < 0 && before >= 0 && inside(last):
		return matrixCell{Mark: "went", Gone: true, Text: "went"}
	case now < 0:
		return matrixCell{}
	case was < 0 && moved[p.Path]:
		return matrixCell{Mark: "moved", Text: "moved here: " + first()}
	case was < 0 && last > 0 && inside(last-1):
		return matrixCell{Mark: "came", Text: first()}
	case was < 0:
		return matrixCell{Mark: "same", Text: first()}
	case before < 0 && inside(last-1):
		return matrixCell{Mark: "back", Text: "back: " + first()}
	}
	if before < 0 {
		return matrixCell{Mark: "same", Text: first()}
	}
	differences := p.Differences(before, now)
	if len(differences) == 0 {
		return matrixCell{Mark: "same", Text: "="}
	}
	var texts []string
	var cell matrixCell
	for _, d := range slices.Sorted(maps.Keys(differences)) {
		cell.Mark = string(d)
		text := differences[d]
		if d == evolution.Renamed {
			text = "now " + text
		}
		texts = append(texts, text)
	}
	if len(texts) > 1 {
		cell.Mark = "changed"
	}
	cell.Text = strings.Join(texts, "; ")
	return cell
}

// shows reports whether the page of a kind at the version has an anchor for a property: it
// has another name there, or is on the page of a type that it shares, if not.
func (v *version) shows(k *evolution.Resource, p *evolution.Property, apiVersion string) bool {
	if p.Spans[p.Span(apiVersion)].Name != "" {
		return false
	}
	names := strings.Split(p.Path, ".")
	own := v.shape.Resource(k.ARMType)
	t := v.types[map[string]string{"spec": own.Spec, "status": own.Status}[names[0]]]
	for i, name := range names[1:] {
		if t == nil || t.Property(name) == nil {
			return false
		}
		if i == len(names)-2 {
			return true
		}
		if t = v.object(t.Property(name)); t != nil && v.own[t.Name] {
			return false
		}
	}
	return false
}
