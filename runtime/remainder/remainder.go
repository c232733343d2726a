// Package remainder keeps what an API version cannot hold while a client has the object
// in its hands. API versions have no property bag, so a client that reads an old
// version and writes it back would drop all that the old version does not know.
//
// An API version and the storage version of the same date have the same properties. So
// what a conversion to the API version loses is in the bags of the storage version, but
// for one thing: the spelling of the members of enums, of which the API server accepts
// only one. The conversion puts the bags, with the paths of their objects, and those
// spellings into one annotation, and the conversion back puts them in their places
// again. The main types are [Remainder], which holds what is lost, and [Note], the
// content of the annotation.
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
// The entries of a bag come back to the object at their path, as long as it is there.
// The elements of a list are found again by their key, by their content, or by their
// position, see [Options] and testdata/README.md. Nothing of this is seen at the version
// of the client, so no edit is undone. A spelling comes back where the client left the
// member that it spells.
//
// # Trust
//
// A remainder holds data of its own object only, and the reader of an object
// may read it at any of its versions, so the annotation reveals nothing that its
// reader may not know. Whoever may write an object may write its annotation, so
// [Keys] sign it. Reading one takes any input, in time that is linear in it.
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

// Remainder holds what a conversion to an API version and back loses of the stored
// object. The zero Remainder is that of a conversion that loses nothing.
type Remainder struct {
	text    string // the node of the object, see testdata/README.md
	entries int
	// unreadable are the places of the entries of bags that no version can read.
	unreadable []string
}

// Empty reports whether nothing is lost.
func (r Remainder) Empty() bool { return r.text == "" }

// Len returns the number of entries of bags and of spellings.
func (r Remainder) Len() int { return r.entries }

// Without returns the remainder without what is lost of one property of the object.
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
	// Path is that of the object that has the bag, or of the member of an enum:
	// spec.rules[0].
	Path string
	// Name is that of the entry in the bag. It is empty for a spelling.
	Name string
	// Value is the entry. That of a spelling has no version, and the spelling as value.
	Value propertybag.Entry
}

// Entries returns all that is lost, in the order of the annotation.
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
			i, _ := strconv.Atoi(string(index)) // which [count] has read
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
			l.path = append(l.path, step{name: unescape(string(name)), named: true})
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

// readEntry reads an entry of a bag, which may be any JSON. The entry is part of the text.
// Like is the one before, which often has the same version.
func readEntry(n *rawjson.Reader, like propertybag.Entry) propertybag.Entry {
	version, value, source := bagentry.Read(n)
	if string(version) != like.Version {
		like.Version = string(version)
	}
	return propertybag.Entry{Version: like.Version, Value: value, Source: source}
}

// readNode reads a node, and returns its text and how many entries it has. Like [count],
// it fails if the node is none.
func readNode(n *rawjson.Reader) (text []byte, entries int) {
	rest := n.Rest()
	entries = count(n)
	return n.Since(rest), entries
}

// count reads a node, and returns how many entries it has. It fails if the node is none.
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

// ordered yields the names of an object's members, and fails unless each is behind the
// one before it: so none is there twice, which would be twice the work.
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

// A user may name a key of a map as bags are named. So in the annotation the key of a map
// that begins with "$" has another one before it.

func escape(key string) string {
	if strings.HasPrefix(key, "$") {
		return "$" + key
	}
	return key
}

func unescape(name string) string {
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

// String returns the path for people: spec.rules[0]["a.b"].
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
