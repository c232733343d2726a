package roundtrip

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/internal/armtag"
	"github.com/armature-dev/armature/runtime/propertybag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// edit is one change that a client makes.
type edit struct {
	path []any  // of the value: names of fields, indexes, keys
	op   string // what is done to it
	// depth is the number of properties on the path.
	depth int
	// object is set if the value is an object.
	object bool
	// value is set or inserted, at i or from i to j in a list, at key in a map.
	value reflect.Value
	i, j  int
	key   reflect.Value
	swap  []int // the new order
}

// The edits.
const (
	set      = "set" // also replaces, a list or map as a whole
	clearIt  = "clear"
	emptyIt  = "empty" // an object's properties, a list, a map
	insert   = "insert"
	remove   = "remove"
	move     = "move"
	reorder  = "reorder"
	variant  = "change the variant"
	attempts = 10 // to find a value other than the present one
)

// chooseEdit returns an edit that changes an object, or nil if it finds none.
func chooseEdit(f *Filler, object runtime.Object) *edit {
	var sites []site
	v := reflect.ValueOf(object).Elem()
	for i := range v.NumField() {
		switch v.Field(i).Interface().(type) {
		case metav1.TypeMeta, metav1.ObjectMeta:
			continue
		}
		sites = f.collectSites(sites, v.Field(i), &trail{step: v.Type().Field(i).Name}, 1)
	}
	for range attempts {
		if len(sites) == 0 {
			return nil
		}
		e := sites[f.rand.Intn(len(sites))].edit()
		e.prepare(f, v)
		if edited := object.DeepCopyObject(); e.apply(edited) && !reflect.DeepEqual(object, edited) {
			return e
		}
	}
	return nil
}

// site is an edit that an object allows. An object has thousands of them, of which
// one is made.
type site struct {
	at    *trail
	op    string
	depth int // the number of properties and keys on the path
	// object is set if the value is an object.
	object bool
}

// edit returns the edit at a site.
func (s site) edit() *edit {
	e := &edit{op: s.op, depth: s.depth, object: s.object}
	for at := s.at; at != nil; at = at.parent {
		e.path = append(e.path, at.step)
	}
	slices.Reverse(e.path)
	return e
}

// trail is a path, as its last step and the path before it, which others share.
type trail struct {
	parent *trail
	step   any
}

// collectSites adds the sites of a value and of all values within it.
func (f *Filler) collectSites(all []site, v reflect.Value, at *trail, depth int) []site {
	object := v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct && !f.isLeaf(v.Type().Elem())
	add := func(ops ...string) {
		for _, op := range ops {
			all = append(all, site{at, op, depth, object})
		}
	}
	within := func(v reflect.Value, step any, properties int) {
		all = f.collectSites(all, v, &trail{at, step}, depth+properties)
	}
	switch {
	case v.Type() == reflect.TypeFor[propertybag.Bag](): // which clients do not edit
		return all
	case f.isLeaf(v.Type()):
		add(set)
		return all
	}
	switch v.Kind() {
	case reflect.Pointer:
		add(set)
		if !v.IsNil() {
			add(clearIt)
			if object {
				if !v.Elem().IsZero() {
					add(emptyIt)
				}
				within(v.Elem(), "*", 0)
			}
		}
	case reflect.Slice:
		add(set, insert)
		if !v.IsNil() {
			add(clearIt)
		}
		if v.Len() > 0 {
			add(remove, emptyIt)
		}
		if v.Len() > 1 {
			add(reorder, move)
		}
		for i := range v.Len() {
			within(v.Index(i), i, 0)
		}
	case reflect.Map:
		add(set, insert)
		if !v.IsNil() {
			add(clearIt)
		}
		if v.Len() > 0 {
			add(remove, emptyIt)
		}
		for _, key := range sortedKeys(v) {
			within(v.MapIndex(key), mapKey(key.String()), 1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() || isHidden(field) {
				continue
			}
			if !isVariant(field) {
				within(v.Field(i), field.Name, 1)
			} else if v.Field(i).IsNil() {
				all = append(all, site{&trail{at, field.Name}, variant, depth, true})
			} else {
				within(v.Field(i), field.Name, 1)
			}
		}
	default:
		add(set)
	}
	return all
}

// isVariant reports whether a field is one variant of a union.
func isVariant(field reflect.StructField) bool {
	return armtag.Of(field).Variant != "" && field.Type.Kind() == reflect.Pointer
}

// mapKey is the step to an element of a map.
type mapKey string

// prepare chooses the values and places that the edit needs.
func (e *edit) prepare(f *Filler, root reflect.Value) {
	e.at(root, func(parent, v reflect.Value) bool {
		value := func(t reflect.Type) {
			f.left, f.inside = 20, parent.Type()
			e.value = reflect.New(t).Elem()
			for range attempts {
				e.value.SetZero()
				f.fillPresent(e.value)
				if !v.IsValid() || t != v.Type() || !reflect.DeepEqual(e.value.Interface(), v.Interface()) {
					return
				}
			}
		}
		switch e.op {
		case set, variant:
			value(v.Type())
		case insert:
			value(v.Type().Elem())
			if v.Kind() == reflect.Map {
				e.key = reflect.New(v.Type().Key()).Elem()
				f.fill(e.key)
			} else {
				e.i = f.rand.Intn(v.Len() + 1)
			}
		case remove:
			if v.Kind() == reflect.Map {
				keys := sortedKeys(v)
				e.key = keys[f.rand.Intn(len(keys))]
			} else {
				e.i = f.rand.Intn(v.Len())
			}
		case move:
			e.i, e.j = f.rand.Intn(v.Len()), f.rand.Intn(v.Len())
		case reorder:
			e.swap = f.rand.Perm(v.Len())
		}
		return false
	})
}

// apply makes the edit, and reports whether the object has the place to make it.
func (e *edit) apply(object runtime.Object) bool {
	return e.at(reflect.ValueOf(object).Elem(), e.change)
}

// change changes the value at the end of the path, and reports whether it could.
func (e *edit) change(parent, v reflect.Value) bool {
	isMap := v.Kind() == reflect.Map
	if v.Kind() == reflect.Slice && (e.i > v.Len() || e.j >= max(1, v.Len()) || e.swap != nil && len(e.swap) != v.Len()) {
		return false // the list was made smaller meanwhile
	}
	switch e.op {
	case set:
		v.Set(deepCopy(e.value))
	case variant:
		for i := range parent.NumField() {
			if isVariant(parent.Type().Field(i)) {
				parent.Field(i).SetZero()
			}
		}
		v.Set(deepCopy(e.value))
	case clearIt:
		v.SetZero()
	case emptyIt:
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				return false
			}
			v.Set(reflect.New(v.Type().Elem()))
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		case reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
		}
	case insert:
		if isMap {
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			v.SetMapIndex(e.key, deepCopy(e.value))
			return true
		}
		list := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()+1), v.Slice(0, e.i))
		v.Set(reflect.AppendSlice(reflect.Append(list, deepCopy(e.value)), v.Slice(e.i, v.Len())))
	case remove:
		switch {
		case isMap:
			v.SetMapIndex(e.key, reflect.Value{})
		case e.i < v.Len():
			rest := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v.Slice(0, e.i))
			v.Set(reflect.AppendSlice(rest, v.Slice(e.i+1, v.Len())))
		}
	case move:
		order := make([]int, 0, v.Len())
		for i := range v.Len() {
			if i != e.i {
				order = append(order, i)
			}
		}
		order = append(order[:e.j], append([]int{e.i}, order[e.j:]...)...)
		arrange(v, order)
	case reorder:
		arrange(v, e.swap)
	}
	return true
}

func arrange(v reflect.Value, order []int) {
	list := reflect.MakeSlice(v.Type(), 0, v.Len())
	for _, i := range order {
		list = reflect.Append(list, v.Index(i))
	}
	v.Set(list)
}

// at calls change with the value at the edit's path and the struct that has the
// value, and returns the result. It returns false if there is no such value.
func (e *edit) at(root reflect.Value, change func(parent, v reflect.Value) bool) bool {
	return descend(root, root, e.path, change)
}

func descend(parent, v reflect.Value, path []any, change func(parent, v reflect.Value) bool) bool {
	if len(path) == 0 {
		return change(parent, v)
	}
	switch step := path[0].(type) {
	case string:
		if step == "*" {
			return v.Kind() == reflect.Pointer && !v.IsNil() && descend(parent, v.Elem(), path[1:], change)
		}
		return descend(v, v.FieldByName(step), path[1:], change)
	case int:
		return step < v.Len() && descend(parent, v.Index(step), path[1:], change)
	case mapKey:
		key := reflect.ValueOf(string(step)).Convert(v.Type().Key())
		element := v.MapIndex(key)
		if !element.IsValid() {
			return false
		}
		settable := deepCopy(element)
		changed := descend(parent, settable, path[1:], change)
		if changed {
			v.SetMapIndex(key, settable)
		}
		return changed
	}
	return false
}

// String describes the edit.
func (e *edit) String() string {
	var path strings.Builder
	for _, step := range e.path {
		switch step := step.(type) {
		case string:
			if step != "*" {
				path.WriteString("." + step)
			}
		case int:
			fmt.Fprintf(&path, "[%d]", step)
		case mapKey:
			fmt.Fprintf(&path, "[%q]", string(step))
		}
	}
	s := strings.TrimPrefix(path.String(), ".") + ": " + e.op
	switch {
	case e.op == move:
		s += fmt.Sprintf(" %d to %d", e.i, e.j)
	case e.op == reorder:
		s += fmt.Sprint(" as ", e.swap)
	case e.key.IsValid():
		s += fmt.Sprintf(" %q", e.key)
	case e.op == insert || e.op == remove:
		s += fmt.Sprintf(" at %d", e.i)
	}
	if e.value.IsValid() {
		if data, err := json.Marshal(e.value.Interface()); err == nil {
			s += " " + string(data)
		}
	}
	return s
}
