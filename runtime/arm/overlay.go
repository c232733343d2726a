package arm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/internal/specpath"
)

// Overlay makes the body of a PUT that changes only a part of a resource.
type Overlay struct {
	// Spec and Status are values of the types of the API version.
	Spec, Status any
	// Drops reports whether a property is left out, unless the Spec sets it. path is its path in the Spec, such as
	// spec.rules[name=web].port.
	Drops func(path string) bool
}

// Overlaid is the result of an [Overlay].
type Overlaid struct {
	// Shown is what ARM shows, without what only ARM writes, and Body is that with the body of the Spec laid over it.
	Shown, Body []byte
	// MissingSecrets has the paths in the Spec of the secrets that Body lacks.
	MissingSecrets []string
}

// Lay lays the body of a Spec over ARM's answer about the resource. What the Status has and the Spec has not, only ARM
// writes: it is left out. Objects, maps, and lists whose elements have keys are merged, other lists are replaced.
func (o Overlay) Lay(shown, body []byte) (*Overlaid, error) {
	spec, err := codecOfValue(o.Spec)
	if err != nil {
		return nil, err
	}
	status, err := codecOfValue(o.Status)
	if err != nil {
		return nil, err
	}
	present, err := ParseObject(shown)
	if err != nil {
		return nil, err
	}
	wanted, err := ParseObject(body)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"id", "name", "type", "systemData", "etag"} {
		if key, found := memberOf(present, name); found && viewOf(spec, present).find(key, "") == nil {
			delete(present, key)
		}
	}
	o.strip(present, viewOf(spec, present), viewOf(status, present), specpath.Root)
	result := new(Overlaid)
	if result.Shown, err = json.Marshal(present); err != nil {
		return nil, err
	}
	merged := lay(present, wanted, spec)
	if result.Body, err = json.Marshal(merged); err != nil {
		return nil, err
	}
	missingSecrets(merged, viewOf(spec, merged), specpath.Root, &result.MissingSecrets)
	slices.Sort(result.MissingSecrets)
	return result, nil
}

func codecOfValue(value any) (*codec, error) {
	v, err := structOf(value)
	if err != nil {
		return nil, err
	}
	return codecOf(v.Type())
}

// ParseObject reads a JSON object, such as the body of a resource. Numbers stay as they are written.
func ParseObject(text []byte) (object map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		return nil, fmt.Errorf("the body is not a JSON object: %w", err)
	}
	if object == nil {
		return nil, errors.New("the body is null, expected a JSON object")
	}
	return object, nil
}

// memberOf returns the name that a member has in an object. ARM varies its case.
func memberOf(object map[string]any, name string) (key string, found bool) {
	if _, found := object[name]; found {
		return name, true
	}
	for key := range object {
		if strings.EqualFold(key, name) {
			return key, true
		}
	}
	return "", false
}

// value returns the codec of the value that a pointer points to.
func (c *codec) value() *codec {
	for c.form == otherForm && c.elem != nil {
		c = c.elem
	}
	return c
}

// view is what a type says of a JSON object: the levels of its structs, more than one if it is a union.
type view struct {
	parts []part
	// open reports whether a variant is kept as JSON, so that the object may have any property.
	open bool
}

type part struct {
	object *object
	at     int
}

func (p part) level() *level { return &p.object.levels[p.at] }

// viewOf returns what a type says of an object. It is empty if the type is not known, or not that of an object.
func viewOf(c *codec, of map[string]any) view {
	if c == nil || c.value().form != objectForm {
		return view{}
	}
	return view{parts: []part{{c.value().object, 0}}}.with(of)
}

// with adds the variants that the discriminators of an object select.
func (v view) with(of map[string]any) view {
	for i := 0; i < len(v.parts); i++ {
		u := v.parts[i].level().union
		if u == nil {
			continue
		}
		if known := u.find(discriminator(of, u)); known != nil {
			v.parts = append(v.parts, part{known.object, 0})
		} else if u.raw != nil {
			v.open = true
		}
	}
	return v
}

// discriminator returns the value of a union's discriminator.
func discriminator(of map[string]any, u *union) string {
	key, _ := memberOf(of, u.discriminator)
	value, _ := of[key].(string)
	return value
}

// deeper returns what a type says of the object "properties".
func (v view) deeper(inner map[string]any) view {
	next := view{open: v.open}
	for _, p := range v.parts {
		if p.at == 0 && p.object.deep {
			next.parts = append(next.parts, part{p.object, 1})
		}
	}
	return next.with(inner)
}

// isDeep reports whether a member is the object "properties", whose members the type has one level higher.
func (v view) isDeep(name string) bool {
	goesDeeper := func(p part) bool { return p.at == 0 && p.object.deep }
	return strings.EqualFold(name, propertiesObject) && slices.ContainsFunc(v.parts, goesDeeper)
}

// found is what a type says of a member of an object. Its codec is nil if it is a discriminator.
type found struct {
	codec *codec
	field *field
	path  string
}

// find returns what a type says of a member of an object at a path, or nil.
func (v view) find(name, path string) *found {
	var other *found
	for _, p := range v.parts {
		l := p.level()
		f := l.byName[name]
		if f == nil {
			f = l.byName[strings.ToLower(name)]
		}
		switch {
		case f != nil && strings.EqualFold(f.arm, name):
			return &found{f.codec, f, specpath.Member(path, f.json)}
		case l.union != nil && strings.EqualFold(l.union.discriminator, name):
			return &found{}
		case l.spread != nil && other == nil:
			other = &found{l.elem, nil, specpath.Member(specpath.Member(path, l.spread.json), name)}
		}
	}
	return other
}

// onlyARM are the names of properties that only ARM writes, also where a spec does not have them.
var onlyARM = map[string]bool{"provisioningstate": true, "systemdata": true, "etag": true}

// strip removes from an object what only ARM writes, and what is dropped.
func (o Overlay) strip(object map[string]any, spec, status view, path string) {
	for _, name := range slices.Collect(maps.Keys(object)) {
		value := object[name]
		if inner, ok := value.(map[string]any); ok && spec.isDeep(name) {
			if len(inner) > 0 {
				if o.strip(inner, spec.deeper(inner), status.deeper(inner), path); len(inner) == 0 {
					delete(object, name)
				}
			}
			continue
		}
		s, t := spec.find(name, path), status.find(name, path)
		switch {
		case s == nil && spec.open:
		case s == nil && (t != nil || onlyARM[strings.ToLower(name)]), s != nil && s.codec != nil && o.Drops(s.path):
			delete(object, name)
		case s != nil && s.codec != nil:
			var of *codec
			if t != nil {
				of = t.codec
			}
			object[name] = o.stripValue(value, s.codec, of, s.path)
		}
	}
}

// stripValue returns a value without what only ARM writes, and what is dropped. status may be nil.
func (o Overlay) stripValue(value any, spec, status *codec, path string) any {
	spec = spec.value()
	var elem *codec
	if status != nil {
		if status = status.value(); status.form == spec.form {
			elem = status.elem
		}
	}
	switch inner := value.(type) {
	case map[string]any:
		switch spec.form {
		case objectForm:
			o.strip(inner, viewOf(spec, inner), viewOf(status, inner), path)
		case mapForm:
			for _, key := range slices.Collect(maps.Keys(inner)) {
				if at := specpath.Member(path, key); o.Drops(at) {
					delete(inner, key)
				} else {
					inner[key] = o.stripValue(inner[key], spec.elem, elem, at)
				}
			}
		}
	case []any:
		if spec.form != listForm {
			break
		}
		names, kept := specpath.Names(inner), []any{}
		for i, e := range inner {
			at := path
			if names != nil {
				if at = specpath.Element(path, names[i]); o.Drops(at) {
					continue
				}
			}
			kept = append(kept, o.stripValue(e, spec.elem, elem, at))
		}
		return kept
	}
	return value
}

// lay returns the object of a type with another one laid over it.
func lay(under, over map[string]any, c *codec) map[string]any {
	return layView(under, over, viewOf(c, under), viewOf(c, over))
}

// layView is lay with what the type says of both objects. An object of another variant is replaced.
func layView(under, over map[string]any, before, after view) map[string]any {
	for _, p := range after.parts {
		if u := p.level().union; u != nil && !strings.EqualFold(discriminator(under, u), discriminator(over, u)) {
			return over
		}
	}
	for name, value := range over {
		key, exists := memberOf(under, name)
		if !exists {
			under[name] = value
			continue
		}
		existing := under[key]
		delete(under, key)
		inner, isObject := value.(map[string]any)
		if below, ok := existing.(map[string]any); ok && isObject && after.isDeep(name) {
			under[name] = layView(below, inner, before.deeper(below), after.deeper(inner))
			continue
		}
		under[name] = layValue(existing, value, after.find(name, ""))
	}
	return under
}

// layValue returns a value with another one laid over it. of may be nil.
func layValue(under, over any, of *found) any {
	if of == nil || of.codec == nil {
		return over
	}
	c := of.codec.value()
	switch over := over.(type) {
	case map[string]any:
		below, ok := under.(map[string]any)
		switch {
		case ok && c.form == objectForm:
			return lay(below, over, c)
		case ok && c.form == mapForm:
			for key, value := range over {
				below[key] = layValue(below[key], value, &found{codec: c.elem})
			}
			return below
		}
	case []any:
		if below, ok := under.([]any); ok && c.form == listForm && of.field != nil && of.field.keys != nil {
			return layList(below, over, c.elem.value(), of.field.keys)
		}
	}
	return over
}

// layList merges lists whose elements have keys. If one has none, the list is replaced.
func layList(under, over []any, elem *codec, keys []string) []any {
	at := map[string]int{}
	for i, e := range under {
		key, ok := keyOf(e, elem, keys)
		if _, twice := at[key]; !ok || twice {
			return over
		}
		at[key] = i
	}
	for _, e := range over {
		key, ok := keyOf(e, elem, keys)
		if !ok {
			return over
		}
		if i, exists := at[key]; exists {
			under[i] = lay(under[i].(map[string]any), e.(map[string]any), elem)
		} else {
			under = append(under, e)
		}
	}
	return under
}

// keyOf returns the key of an element of a list.
func keyOf(element any, of *codec, keys []string) (key string, ok bool) {
	object, ok := element.(map[string]any)
	if !ok || of.form != objectForm {
		return "", false
	}
	var all []string
	for _, name := range keys {
		value, ok := keyValue(object, of.object, name)
		if !ok {
			return "", false
		}
		all = append(all, FoldCase(fmt.Sprint(value)))
	}
	return strings.Join(all, "\x00"), true
}

// keyValue returns the value of a property, given by its name in Kubernetes.
func keyValue(object map[string]any, of *object, name string) (any, bool) {
	for at := range of.levels {
		for _, f := range of.levels[at].fields {
			if f.json != name {
				continue
			}
			if at == 1 {
				key, _ := memberOf(object, propertiesObject)
				object, _ = object[key].(map[string]any)
			}
			key, found := memberOf(object, f.arm)
			return object[key], found
		}
	}
	return nil, false
}

// missingSecrets adds the paths of the secrets that an object, and the objects in it, could have and lack.
func missingSecrets(object map[string]any, v view, path string, all *[]string) {
	for _, p := range v.parts {
		for _, f := range p.level().fields {
			if _, found := memberOf(object, f.arm); !found && f.codec.value().form == secretForm {
				*all = append(*all, specpath.Member(path, f.json))
			}
		}
	}
	for name, value := range object {
		inner, isObject := value.(map[string]any)
		if isObject && v.isDeep(name) {
			missingSecrets(inner, v.deeper(inner), path, all)
		} else if f := v.find(name, path); f != nil && f.codec != nil {
			secretsOf(value, f.codec.value(), f.path, all)
		}
	}
}

// secretsOf is missingSecrets for any value.
func secretsOf(value any, c *codec, path string, all *[]string) {
	switch inner := value.(type) {
	case map[string]any:
		switch c.form {
		case objectForm:
			missingSecrets(inner, viewOf(c, inner), path, all)
		case mapForm:
			for key, e := range inner {
				secretsOf(e, c.elem.value(), specpath.Member(path, key), all)
			}
		}
	case []any:
		names := specpath.Names(inner)
		for i, e := range inner {
			if at := path; c.form == listForm {
				if names != nil {
					at = specpath.Element(path, names[i])
				}
				secretsOf(e, c.elem.value(), at, all)
			}
		}
	}
}
