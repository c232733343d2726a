package remainder

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// DiffObjects is [Diff] for two pointers to one Go type. It makes trees only
// of what differs, and of nothing if nothing does.
func DiffObjects(hub, plain any, options Options) (Remainder, error) {
	h, p := reflect.ValueOf(hub), reflect.ValueOf(plain)
	c := comparer{unions: options.Unions}
	x, y, equal := c.compare(h, p)
	if equal || c.err != nil {
		return Remainder{}, c.err
	}
	return Diff(x, y, options), nil
}

// ApplyTo is [Remainder.Apply] for a pointer to the Go type that the remainder
// is of. An entry that does not fit the type is dropped.
func (r Remainder) ApplyTo(object any, tally *Tally) (dropped []Entry, err error) {
	if r.root == nil {
		return nil, nil
	}
	var a objectApplier
	a.object(r.root, reflect.ValueOf(object))
	tally.count(&a.applier)
	return a.entries, a.err
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
	if !isObject(t) || c.seen[t] {
		return
	}
	if c.seen == nil {
		c.seen = map[reflect.Type]bool{}
	}
	c.seen[t] = true
	var union []string
	for _, f := range fieldsOf(t) {
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

// DigestOfObject is [DigestOf] the tree of a Go value, which it does not make.
func DigestOfObject(object any) (Digest, error) {
	var d objectDigester
	sum := d.whole(reflect.ValueOf(object))
	return Digest(base64.RawURLEncoding.EncodeToString(sum[:])), d.trees.err
}

// objectDigester makes of Go values the text that digester makes of their trees.
type objectDigester struct {
	text  []byte
	trees comparer
}

// whole is the sum of a value.
func (d *objectDigester) whole(v reflect.Value) [16]byte {
	v = indirect(v)
	start := len(d.text)
	switch {
	case v.IsValid() && isObject(v.Type()):
		d.text = append(d.text, '{')
		for _, f := range fieldsOf(v.Type()) {
			if value := v.FieldByIndex(f.index); !f.omitted(value) {
				d.text = append(appendString(d.text, f.name), ':')
				d.part(value)
			}
		}
	case v.IsValid() && isMap(v.Type()) && !v.IsNil():
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		d.text = append(d.text, '{')
		for _, key := range keys {
			d.text = append(appendString(d.text, key.String()), ':')
			d.part(v.MapIndex(key))
		}
	case v.IsValid() && isList(v.Type()) && !v.IsNil():
		d.text = append(d.text, '[')
		for i := range v.Len() {
			d.part(v.Index(i))
		}
	default:
		return (&digester{}).sum(d.trees.tree(v))
	}
	whole := sha256.Sum256(d.text[start:])
	d.text = d.text[:start]
	return [16]byte(whole[:])
}

// part appends a value to the text of what holds it.
func (d *objectDigester) part(v reflect.Value) {
	v = indirect(v)
	var kind reflect.Kind
	if v.IsValid() && !shapeOf(v.Type()).itself {
		kind = v.Kind()
	}
	switch kind {
	case reflect.String:
		d.text = append(appendString(d.text, v.String()), ',')
	case reflect.Int64:
		d.text = append(strconv.AppendInt(d.text, v.Int(), 10), ',')
	case reflect.Float64:
		d.text = append(appendFloat(d.text, v.Float()), ',')
	case reflect.Bool:
		d.text = append(strconv.AppendBool(d.text, v.Bool()), ',')
	case reflect.Struct, reflect.Map, reflect.Slice:
		if kind != reflect.Struct && v.IsNil() {
			d.text = append(d.text, "null,"...)
			return
		}
		sum := d.whole(v)
		d.text = append(append(append(d.text, '#'), sum[:]...), ',')
	default:
		trees := digester{text: d.text}
		trees.add(d.trees.tree(v))
		d.text = trees.text
	}
}

// comparer makes trees of two values of one type, without what is equal in
// objects.
type comparer struct {
	unions [][]string
	err    error
}

func (c *comparer) compare(h, p reflect.Value) (x, y any, equal bool) {
	h, p = indirect(h), indirect(p)
	if !h.IsValid() || !p.IsValid() || h.Type() != p.Type() {
		return c.tree(h), c.tree(p), !h.IsValid() && !p.IsValid()
	}
	switch h.Kind() {
	case reflect.String:
		equal = h.String() == p.String()
	case reflect.Bool:
		equal = h.Bool() == p.Bool()
	case reflect.Int64:
		equal = h.Int() == p.Int()
	case reflect.Float64:
		equal = h.Float() == p.Float()
	case reflect.Struct:
		if isObject(h.Type()) {
			return c.objects(h, p)
		}
		equal = reflect.DeepEqual(h.Interface(), p.Interface())
	case reflect.Map:
		if isMap(h.Type()) && !h.IsNil() && !p.IsNil() {
			return c.maps(h, p)
		}
		equal = reflect.DeepEqual(h.Interface(), p.Interface())
	default:
		equal = reflect.DeepEqual(h.Interface(), p.Interface())
	}
	if equal {
		return nil, nil, true
	}
	return c.tree(h), c.tree(p), false
}

func (c *comparer) objects(h, p reflect.Value) (x, y any, equal bool) {
	var hub, plain map[string]any
	for _, f := range fieldsOf(h.Type()) {
		a, b := h.FieldByIndex(f.index), p.FieldByIndex(f.index)
		aOmitted, bOmitted := f.omitted(a), f.omitted(b)
		if aOmitted && bOmitted {
			continue
		}
		var s, t any = Absent{}, Absent{}
		if !aOmitted && !bOmitted {
			if s, t, equal = c.compare(a, b); equal {
				continue
			}
		}
		whole := f.name == bag || aOmitted || bOmitted // entries of a bag are not taken apart
		if whole && !aOmitted {
			s = c.tree(a)
		}
		if whole && !bOmitted {
			t = c.tree(b)
		}
		put(&hub, f.name, s)
		put(&plain, f.name, t)
	}
	if hub != nil {
		c.variants(h, &hub, &plain)
	}
	return both(hub, plain)
}

func (c *comparer) maps(h, p reflect.Value) (x, y any, equal bool) {
	var hub, plain map[string]any
	for entries := h.MapRange(); entries.Next(); {
		a, b := entries.Value(), p.MapIndex(entries.Key())
		if !b.IsValid() {
			put(&hub, entries.Key().String(), c.tree(a))
		} else if s, t, equal := c.compare(a, b); !equal {
			put(&hub, entries.Key().String(), s)
			put(&plain, entries.Key().String(), t)
		}
	}
	for entries := p.MapRange(); entries.Next(); {
		if !h.MapIndex(entries.Key()).IsValid() {
			put(&plain, entries.Key().String(), c.tree(entries.Value()))
		}
	}
	return both(hub, plain)
}

// both are two objects, equal if nothing was put into either.
func both(hub, plain map[string]any) (x, y any, equal bool) {
	return hub, plain, hub == nil && plain == nil
}

// variants adds what is equal of the hub's unions, which tells whether a name
// is of a union there.
func (c *comparer) variants(v reflect.Value, hub, plain *map[string]any) {
	fields := fieldsOf(v.Type())
	for _, union := range c.unions {
		for _, name := range union {
			f, ok := find(fields, name)
			if _, differs := (*hub)[name]; !ok || differs || f.omitted(v.FieldByIndex(f.index)) {
				continue
			}
			value := c.tree(v.FieldByIndex(f.index))
			put(hub, name, value)
			put(plain, name, value)
		}
	}
}

func (c *comparer) tree(v reflect.Value) any {
	if v = indirect(v); !v.IsValid() {
		return nil
	}
	switch v.Type() {
	case reflect.TypeFor[string]():
		return v.String()
	case reflect.TypeFor[int64]():
		return v.Int()
	case reflect.TypeFor[bool]():
		return v.Bool()
	}
	if v.CanAddr() {
		v = v.Addr() // for methods of the pointer
	}
	tree, err := Tree(v.Interface())
	c.err = cmp.Or(c.err, err)
	return tree
}

func put(object *map[string]any, name string, value any) {
	if value == any(Absent{}) {
		return
	}
	if *object == nil {
		*object = map[string]any{}
	}
	(*object)[name] = value
}

// objectApplier applies a remainder to a Go value. It makes trees of the
// properties that have an entry.
type objectApplier struct {
	applier
	trees comparer
	err   error
}

func (a *objectApplier) object(n *node, v reflect.Value) {
	v = indirect(v)
	if !v.IsValid() || !isObject(v.Type()) || n.members == nil || !v.CanSet() {
		a.collect(n)
		return
	}
	fields := fieldsOf(v.Type())
	present := func(name string) bool {
		f, ok := find(fields, name)
		return ok && !f.omitted(v.FieldByIndex(f.index))
	}
	for _, name := range ordered(n.members) {
		child, step := n.members[name], a.member(name)
		f, ok := find(fields, name)
		switch {
		case !ok || child.leaf != nil && slices.ContainsFunc(child.leaf.unless, present):
			a.within(step, child)
		case child.members != nil && isObjectIn(v.FieldByIndex(f.index)):
			a.path = append(a.path, step)
			a.object(child, v.FieldByIndex(f.index))
			a.path = a.path[:len(a.path)-1]
		default:
			a.property(name, step, child, f, v.FieldByIndex(f.index))
		}
	}
}

// property applies a node to a property, by way of a tree.
func (a *objectApplier) property(name, step string, n *node, f field, v reflect.Value) {
	applied, dropped := a.applied, len(a.entries)
	value := any(Absent{})
	if !f.omitted(v) {
		value = a.trees.tree(v)
		a.err = cmp.Or(a.err, a.trees.err)
	}
	if name == bag && n.members != nil {
		value = a.bag(step, n, value)
	} else {
		value = a.step(step, n, value)
	}
	if a.applied == applied && n.list == nil { // a list may only be in another order
		return
	}
	fresh := reflect.New(v.Type())
	if value != any(Absent{}) {
		var e encoder
		e.value(value)
		d := json.NewDecoder(bytes.NewReader(e.text))
		d.DisallowUnknownFields()
		if e.err != nil || d.Decode(fresh.Interface()) != nil {
			a.applied, a.entries = applied, a.entries[:dropped]
			a.within(step, n)
			return
		}
	}
	v.Set(fresh.Elem())
}

// field is a property of a Go struct.
type field struct {
	name                string
	index               []int
	omitEmpty, omitZero bool
}

// omitted is whether JSON has no such property.
func (f field) omitted(v reflect.Value) bool {
	if f.omitZero && v.IsZero() {
		return true
	}
	if !f.omitEmpty {
		return false
	}
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.Array, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func find(fields []field, name string) (field, bool) {
	i, ok := slices.BinarySearchFunc(fields, name, func(f field, name string) int { return strings.Compare(f.name, name) })
	if !ok {
		return field{}, false
	}
	return fields[i], true
}

// shape is how JSON has a Go type.
type shape struct {
	fields []field // of a struct, in the order of their names
	// itself is whether the type's own methods say how.
	itself bool
}

var shapes sync.Map // of *shape by reflect.Type

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	p := reflect.PointerTo(t)
	s := &shape{itself: p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]())}
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !f.IsExported() || name == "-" || f.Anonymous && name == "" {
				continue
			}
			split := strings.Split(options, ",")
			s.fields = append(s.fields, field{cmp.Or(name, f.Name), f.Index, slices.Contains(split, "omitempty"), slices.Contains(split, "omitzero")})
		}
		slices.SortFunc(s.fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	}
	shapes.Store(t, s)
	return s
}

func fieldsOf(t reflect.Type) []field { return shapeOf(t).fields }

// isObject is whether JSON has a Go type as an object of its fields.
func isObject(t reflect.Type) bool { return t.Kind() == reflect.Struct && !shapeOf(t).itself }

// isMap is whether JSON has a Go type as an object of its entries.
func isMap(t reflect.Type) bool {
	return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && !shapeOf(t).itself
}

// isList is whether JSON has a Go type as a list of its elements.
func isList(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 && !shapeOf(t).itself
}

// isObjectIn is whether a property leads to an object that can be changed.
func isObjectIn(v reflect.Value) bool {
	v = indirect(v)
	return v.CanSet() && isObject(v.Type())
}

// indirect is what pointers and interfaces lead to, invalid if one is nil.
func indirect(v reflect.Value) reflect.Value {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem()
	}
	return v
}
