package manifests

import (
	"fmt"
	"slices"
	"strings"
)

// Fixed is a property of a Spec that cannot change once ARM has the resource. It lies in no list
// and no map.
type Fixed struct {
	Kind     string
	Versions []string
	// Steps lead to the property from the Spec, and Shown, if the Status has it too, from the
	// Status.
	Steps, Shown []Step
	// Form says when two values are the same.
	Form Form
	// WriteOnly reports whether only the creation of a resource reads it, so that it may go.
	WriteOnly bool
}

// Form says when two values of a property are the same.
type Form string

// The forms.
const (
	// Scalar values are the same if they are equal, and can be shown.
	Scalar Form = "scalar"
	// Whole values are lists and objects.
	Whole Form = "whole"
	// Location is the name of a place: West Europe is westeurope.
	Location Form = "location"
	// Reference is one to another resource, by its ARM id or by a name in the cluster.
	Reference Form = "reference"
)

// Same reports whether both are the same property of a kind, whatever the versions.
func (f Fixed) Same(o Fixed) bool {
	return f.Kind == o.Kind && f.Form == o.Form && f.WriteOnly == o.WriteOnly && slices.Equal(f.Steps, o.Steps) &&
		slices.Equal(f.Shown, o.Shown)
}

// table returns the properties as a list in CEL. All values of a map in CEL have one type.
func table(all []Fixed) string {
	var elements []string
	for _, f := range all {
		var of []string
		for _, v := range f.Versions {
			of = append(of, f.Kind+"/"+v)
		}
		marks := []string{string(f.Form)}
		if f.WriteOnly {
			marks = append(marks, "writeOnly")
		}
		elements = append(elements, fmt.Sprintf("{'of': %s, 'path': %s, 'shown': %s, 'marks': %s}",
			celList(of), celList(propertiesOf(f.Steps)), celList(propertiesOf(f.Shown)), celList(marks)))
	}
	return "[\n      " + strings.Join(elements, ",\n      ") + "\n      ]"
}

func propertiesOf(steps []Step) (all []string) {
	for _, s := range steps {
		all = append(all, s.Property)
	}
	return all
}

// at returns the optional value in CEL to which each path in a list called path leads. A path has
// as many steps as the longest of all properties at most, and one without steps leads nowhere.
func at(value, path string, all []Fixed) string {
	longest := 0
	for _, f := range all {
		longest = max(longest, len(f.Steps), len(f.Shown))
	}
	text, steps := path+".size() == 0 ? optional.none() : ", ""
	for n := 1; n <= longest; n++ {
		if steps += fmt.Sprintf("[?%s[%d]]", path, n-1); n < longest {
			text += fmt.Sprintf("%s.size() == %d ? ", path, n)
		}
		if text += value + steps; n < longest {
			text += " : "
		}
	}
	return text
}
