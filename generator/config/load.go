package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// Load is the part of a group.yaml that affects how a spec is read. It is a file
// of its own, so that a change to the rest does not cause specs to be read again.
type Load struct {
	// Exports maps ARM types to kinds.
	Exports map[string]string `json:"exports"`
	// NameForms has the forms of the names in Azure, by ARM type.
	NameForms map[string]string `json:"nameForms,omitempty"`
	// AzureNames are names of resources by ARM type, sorted.
	AzureNames map[string][]string `json:"azureNames,omitempty"`
	// NameLimits are the corrected limits of names in Azure, by ARM type.
	NameLimits map[string]*Limits `json:"nameLimits,omitempty"`
	// Names are sorted.
	Names []Name `json:"names,omitempty"`
	// Pins are the names that the lock keeps, by type and by path as in Names.
	Pins map[string]map[string]string `json:"pins,omitempty"`
	// Properties have the marks of each property sorted, without the reasons, and with the sources of list keys.
	Properties Properties `json:"properties,omitempty"`
	// Outputs are by ARM type, sorted by name.
	Outputs map[string][]ir.Output `json:"outputs,omitempty"`
	// NotOutputs are reasons by ARM type and action.
	NotOutputs map[string]map[string]string `json:"notOutputs,omitempty"`
}

// Load returns the part of the group that affects how a spec is read.
func (g *Group) Load() *Load {
	l := &Load{
		Exports:    map[string]string{},
		Names:      slices.Clone(g.Names),
		NotOutputs: g.NotOutputs,
	}
	for property, marks := range g.Properties {
		if l.Properties == nil {
			l.Properties = Properties{}
		}
		marks = slices.Clone(marks)
		for i := range marks {
			if marks[i].Why = ""; marks[i].Name != ListKeys { // of which those with a source are others
				marks[i].Source = ""
			}
		}
		slices.SortFunc(marks, func(a, b Mark) int { return cmp.Or(cmp.Compare(a.String(), b.String()), cmp.Compare(a.Type, b.Type)) })
		l.Properties[property] = marks
	}
	g.eachOutput(func(_ []any, typ, name string, o *Output) {
		if l.Outputs == nil {
			l.Outputs = map[string][]ir.Output{}
		}
		l.Outputs[typ] = append(l.Outputs[typ], o.ir(name))
	})
	for typ, export := range g.Exports {
		l.Exports[typ] = export.Kind
		if export.NameForm != "" {
			if l.NameForms == nil {
				l.NameForms = map[string]string{}
			}
			l.NameForms[typ] = export.NameForm
		}
		if export.Name != nil {
			if l.NameLimits == nil {
				l.NameLimits = map[string]*Limits{}
			}
			l.NameLimits[typ] = export.Name.limits()
		}
		if len(export.AzureNames) > 0 {
			if l.AzureNames == nil {
				l.AzureNames = map[string][]string{}
			}
			l.AzureNames[typ] = slices.Sorted(slices.Values(export.AzureNames))
		}
	}
	slices.SortFunc(l.Names, func(a, b Name) int {
		return strings.Compare(a.Type+"."+a.ARM, b.Type+"."+b.ARM)
	})
	return l
}

// ReadLoad reads a file with a Load.
func ReadLoad(file string) (*Load, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l, err := DecodeLoad(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return l, nil
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
