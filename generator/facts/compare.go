package facts

import (
	"fmt"
	"maps"
	"slices"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// Compare compares a version that [Decode] read with what the specs say now. Its error
// lists each fact that differs, with its places, and says that the command update
// accepts what the specs say.
func Compare(v, specs *ir.Version, update string) error {
	was, is := facts(v), facts(specs)
	var errs diag.List
	for _, key := range slices.Sorted(maps.Keys(was)) {
		old, now := was[key], is[key]
		switch {
		case now.text == "":
			errs.Add(old.at.Errorf("%s: the specs no longer have it; it was %s", key, old.text))
		case old.text != now.text:
			errs.Add(old.at.Errorf("%s: the specs%s now say %s; it was %s", key, now.where(), now.text, old.text))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(is)) {
		if now := is[key]; was[key].text == "" {
			errs.Add(now.at.Errorf("%s: the specs have it now: %s", key, now.text))
		}
	}
	if err := errs.Err(); err != nil {
		return fmt.Errorf("%w\nthe specs of %s %s have changed since its facts were written; %s accepts what they say now, and prints "+
			"what it means for stored objects and for clients", err, v.Provider, v.APIVersion, update)
	}
	return nil
}

// fact is an element of a file: a resource, an action, a type, a property or a value.
type fact struct {
	text string
	at   jsontree.Place
}

// where returns the place in a message, or "".
func (f fact) where() string {
	if place := f.at.String(); place != "" {
		return " (" + place + ")"
	}
	return ""
}

// facts returns the facts of a version, by names for messages.
func facts(v *ir.Version) map[string]fact {
	all := map[string]fact{}
	f := newFile(v)
	e := &encoder{}
	add := func(name string, value any, at jsontree.Place) {
		all[name] = fact{string(e.json(value)), at}
	}
	add("sources", f.Sources, jsontree.Place{})
	for _, r := range f.Resources {
		add("resource "+r.Type, r, jsontree.Place{})
	}
	for _, a := range f.Actions {
		for _, value := range a.Values {
			add(fmt.Sprintf("%s of the action %s of %s", value.Path, a.Name, a.Resource), value, jsontree.Place{})
		}
		a.Values = nil
		add(fmt.Sprintf("action %s of %s", a.Name, a.Resource), a, jsontree.Place{})
	}
	for i, t := range f.Types {
		for j, p := range t.Properties {
			property := v.Types[i].Properties[j]
			add(t.Name+"."+property.Path(), p, property.At)
		}
		for _, value := range t.Values {
			add("value "+value+" of "+t.Name, value, jsontree.Place{})
		}
		t.Properties, t.Values = nil, nil
		add("type "+t.Name, t, jsontree.Place{})
	}
	return all
}
