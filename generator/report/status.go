package report

import (
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// addStatus adds a finding for a Status that is made from the request, with what it
// has from another version.
func (b *builder) addStatus(own *ir.Version, planned plan.Resource) {
	if !own.Resource(planned.ARMType).Requested {
		return
	}
	reason := "the spec describes no response; the Status has id, name, type and what requests have"
	w := borrowed{own: own, united: &ir.Version{Types: planned.StatusTypes}, seen: map[[2]*ir.Type]bool{}}
	root := naming.Status(planned.Kind)
	w.walk("", own.Type(root), w.united.Type(root))
	if len(w.paths) > 0 {
		reason += ", and from " + planned.StatusFrom + " " + strings.Join(w.paths, ", ")
	}
	b.add(ir.Approximated, planned.Kind, reason, Place{APIVersion: own.APIVersion})
}

// borrowed finds the properties of a Status that its own version does not have.
type borrowed struct {
	own, united *ir.Version
	seen        map[[2]*ir.Type]bool
	paths       []string
}

// walk compares two types of one property. own is nil where the property is untyped.
func (w *borrowed) walk(prefix string, own, united *ir.Type) {
	if own == nil {
		own = new(ir.Type)
	}
	if united == nil || w.seen[[2]*ir.Type{own, united}] {
		return
	}
	w.seen[[2]*ir.Type{own, united}] = true
	for _, p := range united.Properties {
		if q := own.Property(p.Name); q != nil {
			w.walk(prefix+p.Name+".", w.own.Type(q.Type.Leaf().Named), w.united.Type(p.Type.Leaf().Named))
		} else {
			w.paths = append(w.paths, prefix+p.Name)
		}
	}
}
