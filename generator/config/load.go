package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// Load is the part of a group.yaml that affects how a spec is read. It is a file
// of its own, so that a change to the rest does not cause specs to be read again.
type Load struct {
	// Exports maps ARM types to kinds.
	Exports map[string]string `json:"exports"`
	// Names are sorted.
	Names []Name `json:"names,omitempty"`
	// Pins are the names that the lock keeps, by type and by path as in Names.
	Pins map[string]map[string]string `json:"pins,omitempty"`
	// The lists of properties are sorted.
	References      []string `json:"references,omitempty"`
	RoleDefinitions []string `json:"roleDefinitions,omitempty"`
	NotReferences   []string `json:"notReferences,omitempty"`
	Secrets         []string `json:"secrets,omitempty"`
	NotSecrets      []string `json:"notSecrets,omitempty"`
	Untyped         []string `json:"untyped,omitempty"`
	Numbers         []string `json:"numbers,omitempty"`
	NotNumbers      []string `json:"notNumbers,omitempty"`
	CreateOnly      []string `json:"createOnly,omitempty"`
	// Outputs are by ARM type, sorted by name.
	Outputs map[string][]ir.Output `json:"outputs,omitempty"`
	// NotOutputs are reasons by ARM type and action.
	NotOutputs map[string]map[string]string `json:"notOutputs,omitempty"`
	// Collections are sorted.
	Collections Collections `json:"collections,omitzero"`
}

// Load returns the part of the group that affects how a spec is read.
func (g *Group) Load() *Load {
	l := &Load{
		Exports:         map[string]string{},
		Names:           slices.Clone(g.Names),
		References:      slices.Sorted(slices.Values(g.References)),
		RoleDefinitions: slices.Sorted(slices.Values(g.RoleDefinitions)),
		NotReferences:   slices.Sorted(slices.Values(g.NotReferences)),
		Secrets:         slices.Sorted(slices.Values(g.Secrets)),
		NotSecrets:      slices.Sorted(slices.Values(g.NotSecrets)),
		Untyped:         slices.Sorted(slices.Values(g.Untyped)),
		Numbers:         slices.Sorted(slices.Values(g.Numbers)),
		NotNumbers:      slices.Sorted(slices.Values(g.NotNumbers)),
		CreateOnly:      slices.Sorted(slices.Values(g.CreateOnly)),
		NotOutputs:      g.NotOutputs,
	}
	g.eachOutput(func(_ []any, typ, name string, o *Output) {
		if l.Outputs == nil {
			l.Outputs = map[string][]ir.Output{}
		}
		l.Outputs[typ] = append(l.Outputs[typ], o.ir(name))
	})
	byName := func(a, b Collection) int { return strings.Compare(a.Entry(""), b.Entry("")) }
	l.Collections.Add = slices.SortedFunc(slices.Values(g.Collections.Add), byName)
	l.Collections.Deny = slices.SortedFunc(slices.Values(g.Collections.Deny), byName)
	for typ, export := range g.Exports {
		l.Exports[typ] = export.Kind
	}
	slices.SortFunc(l.Names, func(a, b Name) int {
		return strings.Compare(a.Type+"."+a.ARM, b.Type+"."+b.ARM)
	})
	return l
}

// DecodeLoad reads the canonical JSON of a Load.
func DecodeLoad(text []byte) (*Load, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	l := new(Load)
	if err := d.Decode(l); err != nil {
		return nil, fmt.Errorf("not what armconfig of this generator writes: %w", err)
	}
	return l, nil
}
