package arm

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/armature-dev/armature/runtime/internal/specpath"
)

// Keeper changes the body of a PUT at the places in the Spec that somebody else manages.
type Keeper struct {
	// Spec is a value of the type of the API version.
	Spec any
	// Keeps reports whether somebody else manages what is at a path of the Spec, such as spec.tags.owner, and Inside
	// whether that is so of a part of it.
	Keeps, Inside func(path string) bool
	// clears reports whether lists and maps at these places become empty.
	clears bool
}

// Keep returns the body of a PUT with what ARM shows at these places. Of a property that ARM does not show, the body
// keeps its own value; an entry of a map or an element of a list that ARM does not have is left out.
func (k Keeper) Keep(body, shown []byte) ([]byte, error) { return k.change(body, shown) }

// Clear returns the body of a PUT with an empty list, or an empty map, at these places, where ARM shows one. Some
// services keep those that a PUT does not have.
func (k Keeper) Clear(body, shown []byte) ([]byte, error) {
	k.clears = true
	return k.change(body, shown)
}

// Without returns a body without what it has at these places.
func (k Keeper) Without(body []byte) ([]byte, error) { return k.change(body, nil) }

func (k Keeper) change(body, shown []byte) ([]byte, error) {
	c, err := codecOfValue(k.Spec)
	if err != nil {
		return nil, err
	}
	wanted, err := ParseObject(body)
	if err != nil {
		return nil, err
	}
	var present map[string]any
	if shown != nil {
		if present, err = ParseObject(shown); err != nil {
			return nil, err
		}
	}
	k.object(wanted, present, viewOf(c, wanted), specpath.Root)
	return json.Marshal(wanted)
}

// object changes an object. shown is nil to leave out what somebody else manages.
func (k Keeper) object(wanted, shown map[string]any, v view, path string) {
	names := slices.Collect(maps.Keys(wanted))
	for name := range shown {
		if _, found := memberOf(wanted, name); !found {
			names = append(names, name)
		}
	}
	for _, name := range names {
		key, _ := memberOf(shown, name)
		theirs, exists := shown[key]
		if v.isDeep(name) {
			inner, ok := wanted[name].(map[string]any)
			if below, _ := theirs.(map[string]any); ok {
				k.object(inner, below, v.deeper(inner), path)
			}
			continue
		}
		f := v.find(name, path)
		if f == nil || f.codec == nil {
			continue
		}
		isProperty := f.field != nil
		switch {
		case !k.Keeps(f.path) && !k.Inside(f.path):
		case !k.Keeps(f.path):
			if value, found := k.value(wanted[name], theirs, f.codec.value(), f.path); found {
				wanted[name] = value
			}
		case exists && !k.clears:
			wanted[name] = theirs
		case exists:
			switch f.codec.value().form {
			case listForm:
				wanted[name] = []any{}
			case mapForm:
				wanted[name] = map[string]any{}
			}
		case shown == nil || !isProperty:
			delete(wanted, name)
		}
	}
}

// value returns what becomes of a value of which somebody else manages a part. found is false if nothing does.
func (k Keeper) value(wanted, shown any, c *codec, path string) (value any, found bool) {
	switch c.form {
	case objectForm:
		inner, ok := wanted.(map[string]any)
		if below, _ := shown.(map[string]any); ok {
			k.object(inner, below, viewOf(c, inner), path)
		}
	case mapForm:
		inner, _ := wanted.(map[string]any)
		below, _ := shown.(map[string]any)
		return k.entries(inner, below, c.elem.value(), path)
	case listForm:
		inner, _ := wanted.([]any)
		below, _ := shown.([]any)
		return k.elements(inner, below, c.elem.value(), path)
	}
	return nil, false
}

// entries returns what becomes of a map.
func (k Keeper) entries(wanted, shown map[string]any, elem *codec, path string) (value any, found bool) {
	result := map[string]any{}
	for key, own := range wanted {
		at := specpath.Member(path, key)
		theirs := shown[key]
		switch inside, ok := k.value(own, theirs, elem, at); {
		case k.Keeps(at):
		case k.Inside(at) && ok:
			result[key] = inside
		default:
			result[key] = own
		}
	}
	for key, theirs := range shown {
		if !k.clears && k.Keeps(specpath.Member(path, key)) {
			result[key] = theirs
		}
	}
	return result, wanted != nil || len(result) > 0
}

// elements returns what becomes of a list whose elements have names.
func (k Keeper) elements(wanted, shown []any, elem *codec, path string) (value any, found bool) {
	names, theirNames := specpath.Names(wanted), specpath.Names(shown)
	if len(wanted) > 0 && names == nil || len(shown) > 0 && theirNames == nil {
		return nil, false
	}
	result := []any{}
	for i, own := range wanted {
		at := specpath.Element(path, names[i])
		var theirs any
		if j := slices.Index(theirNames, names[i]); j >= 0 {
			theirs = shown[j]
		}
		switch {
		case !k.Keeps(at):
			k.value(own, theirs, elem, at)
			result = append(result, own)
		case theirs != nil:
			result = append(result, theirs)
		}
	}
	for i, theirs := range shown {
		if !k.clears && !slices.Contains(names, theirNames[i]) && k.Keeps(specpath.Element(path, theirNames[i])) {
			result = append(result, theirs)
		}
	}
	return result, wanted != nil || len(result) > 0
}
