package remainder

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// DiffObjects is [Diff] for two pointers to one Go type. It makes trees only
// of what differs, and of nothing if nothing does.
func DiffObjects(stored, plain any, options Options) (Remainder, error) {
	d := objectDiffer{differ: differ{Options: options}}
	root := d.values(reflect.ValueOf(stored), reflect.ValueOf(plain), shapeOf(reflect.TypeOf(stored)))
	if d.err != nil {
		return Remainder{}, d.err
	}
	return Remainder{root}, nil
}

// ApplyTo is [Remainder.Apply] for a pointer to the Go type that the remainder
// is of. An entry that does not fit the type is dropped.
func (r Remainder) ApplyTo(object any, tally *Tally) (dropped []Entry, err error) {
	if r.root == nil {
		return nil, nil
	}
	var a objectApplier
	v := reflect.ValueOf(object)
	a.object(r.root, v, shapeOf(v.Type()))
	tally.count(&a.applier)
	return a.entries, a.trees.err
}

// OptionsOf is what the tags of a Go type's fields say: listMapKey, the
// properties that identify the elements of a list, with commas between them,
// and arm, which marks the variants of a union as package arm has it.
func OptionsOf(object any) Options {
	t := reflect.TypeOf(object)
	if known, ok := options.Load(t); ok {
		return known.(Options)
	}
	var c optionsCollector
	c.collect(t)
	options.Store(t, c.Options)
	return c.Options
}

var options sync.Map // of Options by reflect.Type

type optionsCollector struct {
	Options
	seen map[reflect.Type]bool
}

func (c *optionsCollector) collect(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		c.collect(t.Elem())
		return
	}
	s := shapeOf(t)
	if s.form != isObject || c.seen[t] {
		return
	}
	if c.seen == nil {
		c.seen = map[reflect.Type]bool{}
	}
	c.seen[t] = true
	var union []string
	for _, f := range s.fields {
		field := t.FieldByIndex(f.index)
		if strings.Contains(field.Tag.Get("arm"), "=") {
			union = append(union, f.name)
		}
		if key := field.Tag.Get("listMapKey"); key != "" {
			add(&c.Keys, strings.Split(key, ","))
		}
		c.collect(field.Type)
	}
	add(&c.Unions, union)
}

// add adds what is not there yet, unless it is empty.
func add(all *[][]string, one []string) {
	if len(one) > 0 && !slices.ContainsFunc(*all, func(other []string) bool { return slices.Equal(one, other) }) {
		*all = append(*all, one)
	}
}

// DigestOfObject stands for a Go value as JSON has it. Like [DigestOf] it has no
// regard to the order of members and to how numbers are written, but it is
// another digest: that of the whole text at once.
func DigestOfObject(object any) (Digest, error) {
	w := canonicals.Get().(*canonical)
	defer canonicals.Put(w)
	w.text, w.err = w.text[:0], nil
	w.value(reflect.ValueOf(&object).Elem(), &shape{form: isHeld})
	return digest(half(w.text)), w.err
}

// canonical appends the same text for all that means the same.
type canonical struct {
	trees
	text []byte
}

var canonicals = sync.Pool{New: func() any { return &canonical{} }}

func (w *canonical) value(v reflect.Value, s *shape) {
	v, s = s.value(v)
	if !v.IsValid() || s.form >= isMap && v.IsNil() {
		w.text = append(w.text, "null"...)
		return
	}
	switch s.form {
	case isText:
		w.text = appendString(w.text, v.String())
	case isNumber:
		w.text = appendScalar(w.text, json.Number(v.String()))
	case isInteger:
		w.text = strconv.AppendInt(w.text, v.Int(), 10)
	case isFloat:
		w.text = appendFloat(w.text, v.Float())
	case isBool:
		w.text = strconv.AppendBool(w.text, v.Bool())
	case isObject:
		w.text = append(w.text, '{')
		for i := range s.fields {
			f := &s.fields[i]
			if value := f.of(v); value.IsValid() {
				w.member(f.key, value, f.shape)
			}
		}
		w.text = append(w.text, '}')
	case isMap:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		w.text = append(w.text, '{')
		for _, key := range keys {
			w.member(memberKey(key.String()), v.MapIndex(key), s.elem)
		}
		w.text = append(w.text, '}')
	case isList:
		w.text = append(w.text, '[')
		for i := range v.Len() {
			w.value(v.Index(i), s.elem)
			w.text = append(w.text, ',')
		}
		w.text = append(w.text, ']')
	default:
		tree := w.tree(v, s)
		w.value(reflect.ValueOf(&tree).Elem(), &shape{form: isHeld})
	}
}

func (w *canonical) member(key string, v reflect.Value, s *shape) {
	w.text = append(w.text, key...)
	w.value(v, s)
	w.text = append(w.text, ',')
}

// memberKey begins a member of an object.
func memberKey(name string) string { return string(append(appendString(nil, name), ':')) }

// objectDiffer is differ for Go values.
type objectDiffer struct {
	differ
	trees
}

// values is the difference of two values of one type.
func (d *objectDiffer) values(h, p reflect.Value, s *shape) *node {
	h, hs := s.value(h)
	p, ps := s.value(p)
	if h.IsValid() && p.IsValid() && (s.form != isHeld || h.Type() == p.Type()) {
		switch {
		case hs.form == isObject:
			return d.objects(h, p, hs)
		case hs.form == isMap && !h.IsNil() && !p.IsNil():
			return d.maps(h, p, hs)
		case equal(h, p, hs):
			return nil
		}
	}
	return d.value(d.tree(h, hs), d.tree(p, ps), hs)
}

// shared is whether two values are the same in memory or both nil, as most
// scalars are after a conversion.
func shared(a, b reflect.Value) bool {
	kind := a.Kind()
	return (kind == reflect.Pointer || kind == reflect.Map) && a.UnsafePointer() == b.UnsafePointer()
}

// equal is whether two values of one type are equal. It may miss that some are
// which only their trees show to be.
func equal(h, p reflect.Value, s *shape) bool {
	h, hs := s.value(h)
	p, _ = s.value(p)
	if !h.IsValid() || !p.IsValid() || s.form == isHeld && h.Type() != p.Type() {
		return h.IsValid() == p.IsValid() && !h.IsValid()
	}
	switch hs.form {
	case isText, isNumber:
		return h.String() == p.String()
	case isInteger:
		return h.Int() == p.Int()
	case isFloat:
		return h.Float() == p.Float()
	case isBool:
		return h.Bool() == p.Bool()
	case isObject:
		for i := range hs.fields {
			f := &hs.fields[i]
			if a, b := f.in(h), f.in(p); !shared(a, b) && (f.omitted(a) != f.omitted(b) || !f.omitted(a) && !equal(a, b, f.shape)) {
				return false
			}
		}
		return true
	case isMap:
		if h.IsNil() != p.IsNil() || h.Len() != p.Len() {
			return false
		}
		for entries := h.MapRange(); entries.Next(); {
			if b := p.MapIndex(entries.Key()); !b.IsValid() || !equal(entries.Value(), b, hs.elem) {
				return false
			}
		}
		return true
	case isList:
		if h.IsNil() != p.IsNil() || h.Len() != p.Len() {
			return false
		}
		for i := range h.Len() {
			if !equal(h.Index(i), p.Index(i), hs.elem) {
				return false
			}
		}
		return true
	}
	if hs.form == isBag {
		return h.IsNil() == p.IsNil() && maps.EqualFunc(bagIn(h), bagIn(p), alike)
	}
	return identical(h, p)
}

// identical is whether two values have the same in memory, as far as structs
// and slices go.
func identical(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if !identical(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		if a.Type().Elem().Kind() == reflect.Uint8 {
			return bytes.Equal(a.Bytes(), b.Bytes())
		}
		for i := range a.Len() {
			if !identical(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Comparable() && a.Equal(b)
}

func (d *objectDiffer) objects(h, p reflect.Value, s *shape) *node {
	var members []member
	for i := range s.fields {
		f := &s.fields[i]
		a, b := f.in(h), f.in(p)
		if shared(a, b) {
			continue
		}
		a, b = f.unlessOmitted(a), f.unlessOmitted(b)
		var n *node
		switch {
		case !a.IsValid() && !b.IsValid():
		case f.form == isBag:
			n = d.bags(a, b)
		case !b.IsValid():
			n = d.added(f.name, d.tree(a, f.shape), s.present(h), s.bag(p))
		case !a.IsValid():
			n = difference(Absent{}, d.tree(b, f.shape))
		default:
			n = d.values(a, b, f.shape)
		}
		if n != nil {
			members = append(members, member{f.name, n})
		}
	}
	return nodeOf(members)
}

// bags is [differ.bag] for two bags, of which one may be absent.
func (d *objectDiffer) bags(h, p reflect.Value) *node {
	stored, plain := bagIn(h), bagIn(p)
	members := make([]member, 0, len(stored))
	for name, entry := range stored {
		other, there := plain[name]
		switch {
		case !there:
			members = append(members, member{name, difference(d.written(entry), Absent{})})
		case !alike(entry, other):
			if h, p := d.written(entry), treeIn(d.written(other)); !same(treeIn(h), p) {
				members = append(members, member{name, difference(h, p)})
			}
		}
	}
	for name, other := range plain {
		if _, there := stored[name]; !there {
			members = append(members, member{name, difference(Absent{}, treeIn(d.written(other)))})
		}
	}
	return nodeOf(members)
}

// bagIn is a bag which may be absent.
func bagIn(v reflect.Value) propertybag.Bag {
	if !v.IsValid() {
		return nil
	}
	return v.Interface().(propertybag.Bag)
}

// alike is whether two entries are written the same.
func alike(a, b propertybag.Entry) bool {
	return a.Version == b.Version && bytes.Equal(a.Value, b.Value) && bytes.Equal(a.Source, b.Source)
}

// maps is the difference of two maps.
func (d *objectDiffer) maps(h, p reflect.Value, s *shape) *node {
	var members []member
	note := func(key reflect.Value, n *node) {
		if n != nil {
			members = append(members, member{key.String(), n})
		}
	}
	for entries := h.MapRange(); entries.Next(); {
		key, a := entries.Key(), entries.Value()
		if b := p.MapIndex(key); b.IsValid() {
			note(key, d.values(a, b, s.elem))
		} else {
			note(key, difference(d.tree(a, s.elem), Absent{}))
		}
	}
	for entries := p.MapRange(); entries.Next(); {
		if key := entries.Key(); !h.MapIndex(key).IsValid() {
			note(key, difference(Absent{}, d.tree(entries.Value(), s.elem)))
		}
	}
	return nodeOf(members)
}

// objectApplier applies a remainder to a Go value. It makes trees of what an
// entry is compared with, and of lists and maps that have one.
type objectApplier struct {
	applier
	trees trees
}

func (a *objectApplier) object(n *node, v reflect.Value, s *shape) {
	v, s = s.value(v)
	if !v.IsValid() || s.form != isObject || n.members == nil || !v.CanSet() {
		a.collect(n)
		return
	}
	inBag := s.bag(v)
	for _, m := range ordered(n.members) {
		f := s.named[m.name]
		if f == nil || m.node.excluded(m.name, s.present(v), inBag) {
			a.within(step{name: m.name}, m.node)
			continue
		}
		a.path = append(a.path, step{name: m.name})
		a.field(m, f.in(v), f)
		a.path = a.path[:len(a.path)-1]
	}
}

// field applies a node to the field where the path is.
func (a *objectApplier) field(m member, v reflect.Value, f *field) {
	present := v
	if f.omitted(v) {
		present = reflect.Value{}
	}
	if m.node.members != nil {
		if f.form == isBag {
			a.bag(m.node.members, v.Addr().Interface().(*propertybag.Bag))
			return
		}
		if inner, s := f.shape.value(v); s.form == isObject && inner.CanSet() {
			a.object(m.node, v, f.shape)
			return
		}
	}
	if fresh, ok := a.replaced(m, present, v.Type(), f.shape); ok && fresh.IsValid() {
		v.Set(fresh)
	} else if ok {
		v.SetZero()
	}
}

// bag applies nodes to the entries of a bag, which is made where there is
// none and does not stay when it is empty.
func (a *objectApplier) bag(members []member, bag *propertybag.Bag) {
	if *bag == nil {
		*bag = make(propertybag.Bag, len(members))
	}
	for _, m := range members {
		a.path = append(a.path, step{name: m.name})
		a.entry(m, bag)
		a.path = a.path[:len(a.path)-1]
	}
	if len(*bag) == 0 {
		*bag = nil
	}
}

// entry applies a node to the entry of a bag where the path is.
func (a *objectApplier) entry(m member, bag *propertybag.Bag) {
	var shown any = Absent{}
	if entry, there := (*bag)[m.name]; there {
		shown = treeIn(a.trees.written(entry))
	}
	a.asWritten = true
	applied := a.applied
	stored := a.value(m.node, shown, data)
	switch {
	case a.applied == applied:
	case stored == any(Absent{}):
		delete(*bag, m.name)
	default:
		e := encoders.Get().(*encoder)
		defer encoders.Put(e)
		*e = encoder{text: e.text[:0]}
		e.value(stored)
		var entry propertybag.Entry
		a.trees.err = cmp.Or(a.trees.err, e.err, entry.UnmarshalJSON(e.text))
		(*bag)[strings.Clone(m.name)] = entry // and not hold on to the annotation
	}
}

// replaced is what a node makes of a value, by way of a tree; either may be
// absent. It is not ok if the value stays as it is.
func (a *objectApplier) replaced(m member, v reflect.Value, t reflect.Type, s *shape) (fresh reflect.Value, ok bool) {
	applied, dropped := a.applied, len(a.entries)
	a.asWritten = m.node.leaf != nil
	_, inner := s.value(v)
	tree := a.value(m.node, a.trees.property(v, s), inner)
	if a.applied == applied && m.node.list == nil { // a list may only be in another order
		return fresh, false
	}
	if tree == any(Absent{}) {
		return fresh, true
	}
	fresh = reflect.New(t).Elem()
	if !set(fresh, tree, s) {
		a.applied, a.entries = applied, a.entries[:dropped]
		a.collect(m.node)
		return fresh, false
	}
	return fresh, true
}

// set makes an empty value what a tree says, if that fits its type exactly.
func set(v reflect.Value, tree any, s *shape) (fits bool) {
	switch s.form {
	case isOpaque, isHeld, isNumber, isBag:
		return decodeInto(v, tree)
	}
	if tree = treeIn(tree); tree == nil {
		return true
	}
	for v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch tree := tree.(type) {
	case string:
		if fits = s.form == isText; fits {
			v.SetString(strings.Clone(tree)) // and not hold on to the annotation
		}
	case bool:
		if fits = s.form == isBool; fits {
			v.SetBool(tree)
		}
	case map[string]any:
		switch s.form {
		case isObject:
			return setFields(v, tree, s)
		case isMap:
			return setEntries(v, tree, s)
		}
	case []any:
		if s.form != isList {
			return false
		}
		v.Set(reflect.MakeSlice(v.Type(), len(tree), len(tree)))
		for i, element := range tree {
			if !set(v.Index(i), element, s.elem) {
				return false
			}
		}
		return true
	default:
		return setNumber(v, tree, s)
	}
	return fits
}

func setFields(v reflect.Value, tree map[string]any, s *shape) bool {
	for name, value := range tree {
		f := s.named[name]
		if f == nil || !set(f.in(v), value, f.shape) {
			return false
		}
	}
	return true
}

func setEntries(v reflect.Value, tree map[string]any, s *shape) bool {
	t := v.Type()
	v.Set(reflect.MakeMapWithSize(t, len(tree)))
	for name, value := range tree {
		fresh := reflect.New(t.Elem()).Elem()
		if !set(fresh, value, s.elem) {
			return false
		}
		v.SetMapIndex(reflect.ValueOf(strings.Clone(name)).Convert(t.Key()), fresh)
	}
	return true
}

func setNumber(v reflect.Value, tree any, s *shape) bool {
	written := string(appendScalar(nil, tree))
	switch s.form {
	case isInteger:
		i, err := strconv.ParseInt(written, 10, v.Type().Bits())
		v.SetInt(i)
		return err == nil
	case isFloat:
		switch number := tree.(type) { // -0 has a sign
		case float64:
			v.SetFloat(number)
			return true
		case json.Number:
			written = string(number)
		}
		f, err := strconv.ParseFloat(written, 64)
		v.SetFloat(f)
		return err == nil
	}
	return false
}

// decodeInto is for the types that say themselves what they are in JSON.
func decodeInto(v reflect.Value, tree any) bool {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	*e = encoder{text: e.text[:0]}
	if e.value(tree); e.err != nil {
		return false
	}
	target := v.Addr().Interface()
	if u, ok := target.(json.Unmarshaler); ok {
		return u.UnmarshalJSON(e.text) == nil
	}
	d := json.NewDecoder(bytes.NewReader(e.text))
	d.DisallowUnknownFields()
	return d.Decode(target) == nil
}
