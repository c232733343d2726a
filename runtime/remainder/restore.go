package remainder

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// Restore puts the data that the conversion to an API version has lost back into an object,
// where its paths still exist. object is a pointer to the Go type from which the remainder
// was collected. It is the conversion of written, the object that the client wrote. The Go
// type of written shows which strings are enums, so that no other string gets another
// spelling. The tally may be nil.
func (r Remainder) Restore(object, written any, tally *Tally) {
	if r.Empty() {
		return
	}
	n := rawjson.New([]byte(r.text))
	defer n.Free()
	var t restorer
	t.node(n, placeOf(object), placeOf(written))
	if tally != nil {
		tally.Applied += t.restored
		tally.Dropped += r.entries - t.restored
	}
}

// place is a value with its type. The value is the zero [reflect.Value] if it does not exist.
type place struct {
	reflect.Value
	*jsonType
}

func placeOf(object any) place {
	v := reflect.ValueOf(object)
	return place{v, jsonTypeOf(v.Type())}
}

// indirect returns the place to which pointers and interfaces lead.
func (p place) indirect() place {
	if p.jsonType != nil {
		p.Value, p.jsonType = p.jsonType.indirect(p.Value)
	}
	return p
}

// property returns the place of a field of a struct. It has no type if the struct has
// no such field.
func (p place) property(name []byte) place {
	f := p.named[string(name)]
	switch {
	case f == nil:
		return place{}
	case !p.IsValid():
		return place{jsonType: f.jsonType}
	}
	return place{f.value(p.Value), f.jsonType}
}

// member returns the place of a property, or a place that has only the type of a map's entries
// or a list's elements.
func (p place) member(name []byte) place {
	switch {
	case p.jsonType == nil:
		return p
	case p.kind == mapKind || p.kind == listKind:
		return place{jsonType: p.elem}
	}
	return p.property(name)
}

// restorer restores the data of nodes. It skips data whose place does not exist.
type restorer struct {
	canonical
	restored int
}

// node restores the data of the next node to a value. written is the same value as the client
// wrote it: its type shows where enums are, and is nil where the client's type has nothing.
func (r *restorer) node(n *rawjson.Reader, at, written place) {
	to, written := at.indirect(), written.indirect()
	if to.jsonType == nil || to.null(to.Value) {
		n.Value()
		return
	}
	switch next := n.Next(); {
	case next == jsontext.KindString && to.kind == stringKind && written.jsonType != nil && written.isEnum:
		r.spelling(string(n.Text()), at.Value)
	case next == jsontext.KindBeginObject && to.kind == objectKind && to.CanSet():
		for name := range n.Members {
			if p := to.property(name); p.jsonType != nil && p.kind == bagKind {
				r.bag(n, p.Addr().Interface().(*propertybag.Bag))
			} else {
				r.node(n, p, written.member(name))
			}
		}
	case next == jsontext.KindBeginObject && to.kind == mapKind:
		r.entries(n, to, written)
	case next == jsontext.KindBeginArray && to.kind == listKind:
		r.list(n, to, written)
	default:
		n.Value()
	}
}

// spelling sets the spelling of an enum's member, if the value is still that member.
func (r *restorer) spelling(text string, v reflect.Value) {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	pointer := v.Kind() == reflect.Pointer
	if current := reflect.Indirect(v).String(); current == text || !strings.EqualFold(current, text) {
		return
	}
	if pointer { // others may share what it points to
		fresh := reflect.New(v.Type().Elem())
		v.Set(fresh)
		v = fresh.Elem()
	}
	v.SetString(strings.Clone(text)) // a clone, because text would keep the annotation in memory
	r.restored++
}

// bag adds entries to a bag, which may be nil. It keeps the entries that the bag has, because
// they are the client's.
func (r *restorer) bag(n *rawjson.Reader, bag *propertybag.Bag) {
	var entry propertybag.Entry
	for name := range n.Members {
		entry = readEntry(n, entry)
		if _, exists := (*bag)[string(name)]; exists {
			continue
		}
		if *bag == nil {
			*bag = propertybag.Bag{}
		}
		(*bag)[string(name)] = entry
		r.restored++
	}
}

// entries restores the lost data of the entries of a map.
func (r *restorer) entries(n *rawjson.Reader, in, written place) {
	t := in.Type()
	for name := range n.Members {
		key := reflect.ValueOf(unescapeKey(string(name))).Convert(t.Key())
		before := in.MapIndex(key)
		if !before.IsValid() {
			n.Value()
			continue
		}
		entry := reflect.New(t.Elem()).Elem()
		entry.Set(before)
		r.node(n, place{entry, in.elem}, written.member(name))
		in.SetMapIndex(key, entry)
	}
}

// list restores the lost data of the elements of a list.
func (r *restorer) list(n *rawjson.Reader, in, written place) {
	n.Open(jsontext.KindBeginArray)
	elements := rawjson.New(n.Value())
	defer elements.Free()
	shown, _ := split(n.Text())
	var key []string
	if n.Next() == jsontext.KindString {
		key = strings.Split(string(n.Text()), ",")
	}
	n.Close(jsontext.KindEndArray)

	at := matchElements(shown, r.identities(in.Value, in.elem, key))
	written = written.member(nil)
	for index := range elements.Members {
		if i, _ := strconv.Atoi(string(index)); at[i] >= 0 { // [count] has checked it
			r.node(elements, place{in.Index(at[i]), in.elem}, written)
		} else {
			elements.Value()
		}
	}
}
