// Package facts reads and writes the file in which a group keeps what the specs say
// of one API version: types, properties, limits and marks, without any description.
// A build reads it in place of the specs, and where there are specs, it compares the
// two. Its main functions are [Encode], [Decode] and [Compare].
//
// docs/facts.md describes the format.
package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/generator/ir"
)

// Format is the number of the format. A file of another number is refused.
const Format = 1

// Suffix is what the name of a file has after the API version.
const Suffix = ".facts.json"

// file is the content of a file. The members of an object stand in the order of the
// fields, and those that say nothing are left out.
type file struct {
	Facts      int        `json:"facts"` // the number of the format
	Provider   string     `json:"provider"`
	APIVersion string     `json:"apiVersion"`
	Sources    []string   `json:"sources,omitzero"`
	Resources  []resource `json:"resources"`
	Actions    []action   `json:"actions,omitzero"`
	Types      []typ      `json:"types"`
}

// resource is a type of resources, which a PUT creates.
type resource struct {
	Type        string       `json:"type"`
	ARM         string       `json:"arm,omitzero"`
	Scopes      []ir.Scope   `json:"scopes"`
	Parent      string       `json:"parent,omitzero"`
	FixedName   string       `json:"fixedName,omitzero"`
	Name        *limits      `json:"name,omitzero"`
	KnownNames  []string     `json:"knownNames,omitzero"`
	LikelyGUID  bool         `json:"likelyGuid,omitzero"`
	NoDelete    bool         `json:"noDelete,omitzero"`
	Path        string       `json:"path,omitzero"`
	Request     string       `json:"request"`
	Response    string       `json:"response,omitzero"`
	Requested   bool         `json:"requested,omitzero"`
	Collections []collection `json:"collections,omitzero"`
}

type collection struct {
	Path string `json:"path"`
	Type string `json:"type"`
	Flat bool   `json:"flat,omitzero"`
}

// action is a POST that answers with values.
type action struct {
	Resource string        `json:"resource"`
	Name     string        `json:"name"`
	Secret   bool          `json:"secret,omitzero"`
	Values   []actionValue `json:"values,omitzero"`
}

type actionValue struct {
	Path   string `json:"path"`
	Any    bool   `json:"any,omitzero"`
	Secret bool   `json:"secret,omitzero"`
	Base64 bool   `json:"base64,omitzero"`
}

// typ is an object, or an enum if it has a base.
type typ struct {
	Name            string     `json:"name"`
	Source          string     `json:"source,omitzero"`
	Discriminator   string     `json:"discriminator,omitzero"`
	VariantOptional bool       `json:"variantOptional,omitzero"`
	Properties      []property `json:"properties,omitzero"`

	Base   ir.Primitive `json:"base,omitzero"`
	Open   bool         `json:"open,omitzero"`
	Values []string     `json:"values,omitzero"`
}

// property is a member of an object. One without a name is a variant, or the map of
// all members that are not declared.
type property struct {
	Name          string         `json:"name,omitzero"`
	Variant       string         `json:"variant,omitzero"`
	Spread        bool           `json:"spread,omitzero"`
	Type          string         `json:"type"`
	Source        string         `json:"source,omitzero"`
	Required      bool           `json:"required,omitzero"`
	ReadOnly      bool           `json:"readOnly,omitzero"`
	WriteOnly     bool           `json:"writeOnly,omitzero"`
	CreateOnly    bool           `json:"createOnly,omitzero"`
	Secret        bool           `json:"secret,omitzero"`
	Encoding      ir.Encoding    `json:"encoding,omitzero"`
	ARMID         bool           `json:"armId,omitzero"`
	ResourceTypes []string       `json:"resourceTypes,omitzero"`
	MayBeFraction bool           `json:"mayBeFraction,omitzero"`
	Likely        ir.Likelihood  `json:"likely,omitzero"`
	ListKeys      []string       `json:"listKeys,omitzero"`
	Default       jsontext.Value `json:"default,omitzero"`
	limits
	Elements *limits `json:"elements,omitzero"`
}

// limits are those on a value.
type limits struct {
	Format           string   `json:"format,omitzero"`
	Pattern          string   `json:"pattern,omitzero"`
	MinLength        *int64   `json:"minLength,omitzero"`
	MaxLength        *int64   `json:"maxLength,omitzero"`
	Minimum          *float64 `json:"minimum,omitzero"`
	ExclusiveMinimum bool     `json:"exclusiveMinimum,omitzero"`
	Maximum          *float64 `json:"maximum,omitzero"`
	ExclusiveMaximum bool     `json:"exclusiveMaximum,omitzero"`
	MultipleOf       *float64 `json:"multipleOf,omitzero"`
	MinItems         *int64   `json:"minItems,omitzero"`
	MaxItems         *int64   `json:"maxItems,omitzero"`
	UniqueItems      bool     `json:"uniqueItems,omitzero"`
}

// newFile returns the content of the file of a version, whose raw form it sorts.
func newFile(v *ir.Version) *file {
	sortRaw(v)
	f := &file{Facts: Format, Provider: v.Provider, APIVersion: v.APIVersion, Sources: v.Sources, Resources: []resource{}, Types: []typ{}}
	for _, r := range v.Resources {
		resource := resource{
			Type: r.Type, ARM: r.ARM, Scopes: r.Scopes, Parent: r.Parent, FixedName: r.FixedName, Name: newLimits(r.NameLimits),
			KnownNames: r.KnownNames, LikelyGUID: r.LikelyGUID, NoDelete: r.NoDelete, Path: r.Path, Request: r.Spec, Response: r.Status,
			Requested: r.Requested,
		}
		for _, c := range r.Collections {
			resource.Collections = append(resource.Collections, collection(c))
		}
		f.Resources = append(f.Resources, resource)
	}
	for _, a := range v.Actions {
		action := action{Resource: a.Resource, Name: a.Name, Secret: a.Secret, Values: []actionValue{}}
		for _, value := range a.Values {
			action.Values = append(action.Values, actionValue(value))
		}
		f.Actions = append(f.Actions, action)
	}
	for _, t := range v.Types {
		f.Types = append(f.Types, newType(t))
	}
	return f
}

func newType(t *ir.Type) typ {
	n := typ{
		Name: t.Name, Source: t.Source, Discriminator: t.Discriminator, VariantOptional: t.VariantOptional, Base: t.Base, Open: t.Open,
	}
	for _, v := range t.Values {
		n.Values = append(n.Values, v.Value)
	}
	for _, p := range t.Properties {
		property := property{
			Name: p.ARM, Variant: p.Variant, Spread: p.Spread, Type: p.Type.String(), Source: p.Source, Required: p.Required,
			ReadOnly: p.ReadOnly, WriteOnly: p.WriteOnly, CreateOnly: p.CreateOnly, Secret: p.IsSecret, Encoding: p.Encoding,
			ARMID: p.IsARMID, ResourceTypes: p.ResourceTypes, MayBeFraction: p.MayBeFraction, Likely: p.Likely, ListKeys: p.ListKeys,
			Elements: newLimits(p.ItemValidation),
		}
		if p.Default != "" {
			property.Default = jsontext.Value(p.Default)
		}
		if l := newLimits(p.Validation); l != nil {
			property.limits = *l
		}
		n.Properties = append(n.Properties, property)
	}
	return n
}

func newLimits(v *ir.Validation) *limits {
	if v.OrNil() == nil {
		return nil
	}
	return &limits{
		Format: v.Format, Pattern: cmp.Or(v.Pattern, v.OtherPattern), MinLength: v.MinLength, MaxLength: v.MaxLength,
		Minimum: v.Minimum, ExclusiveMinimum: v.ExclusiveMinimum, Maximum: v.Maximum, ExclusiveMaximum: v.ExclusiveMaximum,
		MultipleOf: v.MultipleOf, MinItems: v.MinItems, MaxItems: v.MaxItems, UniqueItems: v.UniqueItems,
	}
}

// sortRaw sorts the raw form of a version: its properties have no names of Kubernetes
// yet.
func sortRaw(v *ir.Version) {
	v.Sort()
	for _, t := range v.Types {
		slices.SortStableFunc(t.Properties, compareProperties)
	}
}

func compareProperties(a, b *ir.Property) int {
	return cmp.Or(cmp.Compare(a.ARM, b.ARM), cmp.Compare(a.Variant, b.Variant))
}

// Describe gives a version that was read from a file the descriptions and the notes of
// the specs, which say the same as the file: see [Compare].
func Describe(v, specs *ir.Version) {
	sortRaw(specs)
	v.Notes = specs.Notes
	for i, t := range v.Types {
		described := specs.Types[i]
		t.Doc = described.Doc
		for j := range t.Values {
			t.Values[j].Doc = described.Values[j].Doc
		}
		for j, p := range t.Properties {
			p.Doc = described.Properties[j].Doc
		}
	}
}

// Select leaves of a version the resources that a group exports, gives them the group's
// kinds, and drops the types that only others have.
func Select(v *ir.Version, exports map[string]string) {
	kinds, spelled := map[string]string{}, map[string]string{}
	for armType, kind := range exports {
		folded := strings.ToLower(armType)
		kinds[folded], spelled[folded] = kind, armType
	}
	var roots []string
	v.Resources = slices.DeleteFunc(v.Resources, func(r *ir.Resource) bool {
		folded := strings.ToLower(r.Type)
		if kinds[folded] == "" {
			return true
		}
		r.Type, r.Kind = spelled[folded], kinds[folded]
		roots = append(roots, r.Spec, r.Status)
		return false
	})
	v.Actions = slices.DeleteFunc(v.Actions, func(a ir.Action) bool { return v.Resource(a.Resource) == nil })
	v.Types = v.Reachable(roots...)
}
