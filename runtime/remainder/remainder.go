// Package remainder preserves the data that an API version cannot hold while a client edits
// the object. API versions have no property bag, so a client that reads an object at an old
// version and writes it back would drop all data that the old version does not know.
//
// An API version and the storage version of the same date have the same properties. So
// the data that a conversion to the API version loses is in the bags of the storage version,
// with one exception: the spelling of the members of enums, because the API server accepts
// only one spelling. The conversion puts the bags, with the paths of their objects, and these
// spellings into one annotation, and the conversion back restores them. The main types are
// [Remainder], which holds the lost data, and [Note], the content of the annotation.
//
//	down: lost, err := Collect(stored, up(down(stored)), OptionsOf(shown))
//	      annotations, err = Note{Object: object, Lost: lost}.Write(annotations, Limits{}, keys)
//	up:   note, err := Read(annotations, object, keys, tally)
//	      merged := up(written)
//	      note.Lost.Restore(merged, written, tally)
//	      annotations = Strip(annotations)
//
// # What is restored
//
// The entries of a bag are restored to the object at their path, as long as that exists.
// The elements of a list are found again by their key, by their content, or by their
// position, see [Options] and testdata/README.md. None of this data is visible at the version
// of the client, so no edit is undone. A spelling is restored where the client has kept the
// member of the enum.
//
// # Trust
//
// A remainder holds data of its own object only, and whoever may read the object at one
// version may read it at all of them. So the annotation reveals nothing to its reader.
// Whoever may write an object may write its annotation, so [Keys] sign it. Any text can be
// read as an annotation safely, in time that is linear in its length.
//
// The annotation is a compatibility contract; testdata/README.md describes
// format 2.
package remainder

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/runtime/internal/bagentry"
	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// Remainder holds the data of a stored object that a conversion to an API version and back
// loses. If the conversion loses nothing, it is the zero Remainder.
type Remainder struct {
	text    string // the node of the object, see testdata/README.md
	entries int
	// unreadable are the paths of the entries of bags that no version can read.
	unreadable []string
}

// Empty reports whether nothing is lost.
func (r Remainder) Empty() bool { return r.text == "" }

// Len returns the number of entries of bags and of spellings, together.
func (r Remainder) Len() int { return r.entries }

// Without returns the remainder without the data of one property of the object.
func (r Remainder) Without(name string) Remainder {
	n := rawjson.New([]byte(r.text))
	defer n.Free()
	text, rest := []byte{'{'}, Remainder{unreadable: r.unreadable}
	for of := range n.Members {
		member := string(of)
		node, entries := readNode(n)
		if member == name {
			continue
		}
		if rest.entries > 0 {
			text = append(text, ',')
		}
		text = append(append(appendString(text, member), ':'), node...)
		rest.entries += entries
	}
	if rest.entries > 0 {
		rest.text = string(append(text, '}'))
	}
	return rest
}

// Entry is an entry of a bag, or a spelling.
type Entry struct {
	// Path is the path of the object that has the bag, or of the member of an enum, such
	// as spec.rules[0].
	Path string
	// Name is the name of the entry in the bag. It is empty for a spelling.
	Name string
	// Value is the entry. For a spelling, it has no version, and the spelling as its value.
	Value propertybag.Entry
}

// Entries returns all entries and spellings, in the order of the annotation.
func (r Remainder) Entries() []Entry {
	if r.Empty() {
		return nil
	}
	n := rawjson.New([]byte(r.text))
	defer n.Free()
	l := lister{}
	l.node(n)
	return l.entries
}

// lister lists the entries in nodes.
type lister struct {
	path    path
	entries []Entry
}

func (l *lister) node(n *rawjson.Reader) {
	switch n.Next() {
	case jsontext.KindString:
		l.entries = append(l.entries, Entry{Path: l.path.String(), Value: propertybag.Entry{Value: n.Value()}})
	case jsontext.KindBeginArray:
		n.Open(jsontext.KindBeginArray)
		for index := range n.Members {
			i, _ := strconv.Atoi(string(index)) // [count] has checked it
			l.path = append(l.path, step{index: i})
			l.node(n)
			l.path = l.path[:len(l.path)-1]
		}
		for n.Next() == jsontext.KindString {
			n.Value()
		}
		n.Close(jsontext.KindEndArray)
	default:
		for name := range n.Members {
			if string(name) == propertybag.Name {
				l.bag(n)
				continue
			}
			l.path = append(l.path, step{name: unescapeKey(string(name)), named: true})
			l.node(n)
			l.path = l.path[:len(l.path)-1]
		}
	}
}

func (l *lister) bag(n *rawjson.Reader) {
	var entry propertybag.Entry
	for name := range n.Members {
		entry = readEntry(n, entry)
		l.entries = append(l.entries, Entry{l.path.String(), string(name), entry})
	}
}

// readEntry reads an entry of a bag, which may be any JSON. The entry shares the memory of the
// text. previous is the entry before, which often has the same version.
func readEntry(n *rawjson.Reader, previous propertybag.Entry) propertybag.Entry {
	version, value, source := bagentry.Read(n)
	if string(version) != previous.Version {
		previous.Version = string(version)
	}
	return propertybag.Entry{Version: previous.Version, Value: value, Source: source}
}

// readNode reads a node, and returns its text and how many entries it has. Like [count],
// it fails if there is no valid node.
func readNode(n *rawjson.Reader) (text []byte, entries int) {
	rest := n.Rest()
	entries = count(n)
	return n.Since(rest), entries
}

// count reads a node, and returns how many entries it has. It fails if there is no valid node.
func count(n *rawjson.Reader) (entries int) {
	switch n.Next() {
	case jsontext.KindString:
		n.Value()
		return 1
	case jsontext.KindBeginArray:
		n.Open(jsontext.KindBeginArray)
		last := -1
		for index := range n.Members {
			i, err := strconv.Atoi(string(index))
			if err != nil || i <= last {
				n.Fail(errDamaged)
			}
			last = i
			entries += count(n)
		}
		if shown, ok := split(n.Text()); !ok || last >= len(shown) {
			n.Fail(errDamaged)
		}
		if n.Next() == jsontext.KindString {
			n.Value()
		}
		n.Close(jsontext.KindEndArray)
	default:
		for name := range ordered(n) {
			if string(name) != propertybag.Name {
				entries += count(n)
				continue
			}
			for range ordered(n) {
				n.Value()
				entries++
			}
		}
	}
	if entries == 0 {
		n.Fail(errDamaged)
	}
	return entries
}

// ordered yields the names of an object's members, and fails unless they are sorted and
// different: a name that comes many times would be many times the work.
func ordered(n *rawjson.Reader) func(yield func(name []byte) bool) {
	return func(yield func(name []byte) bool) {
		var last []byte
		for name := range n.Members {
			if last != nil && bytes.Compare(last, name) >= 0 {
				n.Fail(errDamaged)
			}
			if last = name; !yield(name) {
				return
			}
		}
	}
}

// escapeKey returns the name in the annotation of a key of a map. A user may choose the name of
// bags as a key, so another "$" precedes a key that begins with "$".
func escapeKey(key string) string {
	if strings.HasPrefix(key, "$") {
		return "$" + key
	}
	return key
}

func unescapeKey(name string) string {
	if strings.HasPrefix(name, "$$") {
		return name[1:]
	}
	return name
}

// path leads to a value in an object.
type path []step

// step leads to a property, or to an element of a list.
type step struct {
	name  string
	named bool
	index int
}

// String returns the path as a text for people, such as spec.rules[0]["a.b"].
func (p path) String() string {
	var text strings.Builder
	for i, s := range p {
		switch {
		case !s.named:
			text.WriteString("[" + strconv.Itoa(s.index) + "]")
		case s.name == "" || strings.ContainsAny(s.name, `.[]"`):
			text.WriteString("[" + strconv.Quote(s.name) + "]")
		case i == 0:
			text.WriteString(s.name)
		default:
			text.WriteString("." + s.name)
		}
	}
	return text.String()
}
