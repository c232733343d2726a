package remainder

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/runtime/internal/rawjson"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// Restore puts what the conversion to an API version lost into its places in an object,
// as far as they are there. Object is a pointer to the Go type that the remainder was
// taken of. Written is what the client wrote, of which object is the conversion: its Go
// type says where enums are, so that no other text gets another spelling. The tally may
// be nil.
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

// place is where a value is. The value is invalid if it is not there.
type place struct {
	reflect.Value
	*shape
}

func placeOf(object any) place {
	v := reflect.ValueOf(object)
	return place{v, shapeOf(v.Type())}
}

// in returns what pointers and interfaces lead to.
func (p place) in() place {
	if p.shape != nil {
		p.Value, p.shape = p.shape.value(p.Value)
	}
	return p
}

// property returns the place of a field of a struct. It has no shape if the struct has
// no such field.
func (p place) property(name []byte) place {
	f := p.named[string(name)]
	switch {
	case f == nil:
		return place{}
	case !p.IsValid():
		return place{shape: f.shape}
	}
	return place{f.in(p.Value), f.shape}
}

// member returns the place of a property, or what is known of an entry of a map or an
// element of a list.
func (p place) member(name []byte) place {
	switch {
	case p.shape == nil:
		return p
	case p.form == isMap || p.form == isList:
		return place{shape: p.elem}
	}
	return p.property(name)
}

// restorer restores what nodes have. It passes over what has no place.
type restorer struct {
	canonical
	restored int
}

// node restores what the next node has. The type of like says where enums are; its
// shape is nil where it has nothing.
func (r *restorer) node(n *rawjson.Reader, at, like place) {
	to, like := at.in(), like.in()
	if to.shape == nil || to.null(to.Value) {
		n.Value()
		return
	}
	switch next := n.Next(); {
	case next == jsontext.KindString && to.form == isText && like.shape != nil && like.isEnum:
		r.spelling(string(n.Text()), at.Value)
	case next == jsontext.KindBeginObject && to.form == isObject && to.CanSet():
		for name := range n.Members {
			if p := to.property(name); p.shape != nil && p.form == isBag {
				r.bag(n, p.Addr().Interface().(*propertybag.Bag))
			} else {
				r.node(n, p, like.member(name))
			}
		}
	case next == jsontext.KindBeginObject && to.form == isMap:
		r.entries(n, to, like)
	case next == jsontext.KindBeginArray && to.form == isList:
		r.list(n, to, like)
	default:
		n.Value()
	}
}

// spelling sets the member of an enum, unless it is another one.
func (r *restorer) spelling(text string, v reflect.Value) {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	pointer := v.Kind() == reflect.Pointer
	if is := reflect.Indirect(v).String(); is == text || !strings.EqualFold(is, text) {
		return
	}
	if pointer { // others may share what it points to
		fresh := reflect.New(v.Type().Elem())
		v.Set(fresh)
		v = fresh.Elem()
	}
	v.SetString(strings.Clone(text)) // which does not keep the annotation in memory
	r.restored++
}

// bag adds entries to a bag, which may be nil. An entry that is there is the client's.
func (r *restorer) bag(n *rawjson.Reader, bag *propertybag.Bag) {
	var entry propertybag.Entry
	for name := range n.Members {
		entry = readEntry(n, entry)
		if _, is := (*bag)[string(name)]; is {
			continue
		}
		if *bag == nil {
			*bag = propertybag.Bag{}
		}
		(*bag)[string(name)] = entry
		r.restored++
	}
}

// entries restores what the entries of a map have lost.
func (r *restorer) entries(n *rawjson.Reader, in, like place) {
	t := in.Type()
	for name := range n.Members {
		key := reflect.ValueOf(unescape(string(name))).Convert(t.Key())
		before := in.MapIndex(key)
		if !before.IsValid() {
			n.Value()
			continue
		}
		entry := reflect.New(t.Elem()).Elem()
		entry.Set(before)
		r.node(n, place{entry, in.elem}, like.member(name))
		in.SetMapIndex(key, entry)
	}
}

// list restores what the elements of a list have lost.
func (r *restorer) list(n *rawjson.Reader, in, like place) {
	n.Open(jsontext.KindBeginArray)
	elements := rawjson.New(n.Value())
	defer elements.Free()
	shown, _ := split(n.Text())
	var key []string
	if n.Next() == jsontext.KindString {
		key = strings.Split(string(n.Text()), ",")
	}
	n.Close(jsontext.KindEndArray)

	at := find(shown, r.identities(in.Value, in.elem, key))
	like = like.member(nil)
	for index := range elements.Members {
		if i, _ := strconv.Atoi(string(index)); at[i] >= 0 { // which [count] has read
			r.node(elements, place{in.Index(at[i]), in.elem}, like)
		} else {
			elements.Value()
		}
	}
}
