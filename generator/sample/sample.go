// Package sample makes an object of each kind of a group at each version: with the values
// that the group gives for its samples ([Given]), and otherwise the smallest one that its
// CRD and ARM take as far as the specs say, with an owner by its name and with secrets in a
// Secret. Its main function is [All]. A [Catalog] joins the samples of several groups, with
// all that an object is in or refers to.
package sample

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/version"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
)

// Name is the name of every sample and, where the specs allow it, of its resource, so
// that samples of several groups can refer to each other.
const Name = "mysample"

// Region is the region of every sample.
const Region = "westeurope"

// UnknownID is a UUID that nothing has.
const UnknownID = "00000000-0000-0000-0000-000000000000"

// Sample is an object of a kind at a version, with the Secret that it refers to.
type Sample struct {
	// Kind is that of the object, and Version the Kubernetes version.
	Kind, Version string
	// Newest reports whether the version is the one that a client gets that names none.
	Newest bool
	// YAML is the manifest.
	YAML []byte
}

// File returns the name of the file of a sample in the folder of its group.
func (s Sample) File() string {
	if s.Newest {
		return File(s.Kind, "")
	}
	return File(s.Kind, s.Version)
}

// File returns the name of the file of a kind's sample in the folder of its group: at the
// version that a client gets that names none, if version is "", and else at another one.
func File(kind, version string) string { return path.Join(version, strings.ToLower(kind)+".yaml") }

// All returns a sample of each kind of a group at each version that its CRD has, sorted by
// kind, the newest one first. versions are the shapes of the API versions. The samples have
// what is given of their kinds, which may be nil, and what is required beside. What is
// given and what no version of its kind takes is an error.
func All(packages []*plan.Package, versions []*ir.Version, given *Given) ([]Sample, error) {
	published := Published(packages)
	kinds := map[string]string{} // by ARM type in lower case
	for kind, all := range published {
		kinds[strings.ToLower(all[0].Resource(kind).ARMType)] = kind
	}
	var samples []Sample
	var errs diag.List
	taking := given.taking()
	for _, kind := range slices.Sorted(maps.Keys(published)) {
		for i, p := range published[kind] {
			v := slices.IndexFunc(versions, func(v *ir.Version) bool { return v.APIVersion == p.APIVersion })
			if v < 0 {
				return nil, fmt.Errorf("there is no shape of %s, the version of %s", p.APIVersion, kind)
			}
			m := &maker{Package: shape.New(p, versions[v]), taking: taking, kind: kind, kinds: kinds}
			text, err := m.manifest()
			if err != nil {
				errs.Merge(fmt.Errorf("%s at %s: %w", kind, p.Name, err))
				continue
			}
			samples = append(samples, Sample{kind, p.Name, i == 0, text})
		}
	}
	errs.Merge(taking.check(slices.Sorted(maps.Keys(published))))
	return samples, errs.Err()
}

// Published returns the packages of the versions that the CRD of each kind has, the one
// first that a client gets that names none.
func Published(packages []*plan.Package) map[string][]*plan.Package {
	published := map[string][]*plan.Package{}
	for _, p := range packages {
		if p.Role != plan.API || p.Retired {
			continue
		}
		for _, r := range p.Resources {
			published[r.Kind] = append(published[r.Kind], p)
		}
	}
	for _, all := range published {
		slices.SortFunc(all, func(a, b *plan.Package) int { return -version.CompareKubeAwareVersionStrings(a.Name, b.Name) })
	}
	return published
}

// maker makes the sample of a kind.
type maker struct {
	*shape.Package
	*taking
	kind    string
	armType string
	kinds   map[string]string // of the group, by ARM type in lower case
	within  []string          // the types that value is working on
	secrets map[string]string // what goes into the Secret
}

// manifest returns the documents of the sample.
func (m *maker) manifest() ([]byte, error) {
	at := slices.IndexFunc(m.Version.Resources, func(r *ir.Resource) bool { return r.Kind == m.kind })
	if at < 0 {
		return nil, fmt.Errorf("the version has no such resource")
	}
	r := m.Version.Resources[at]
	m.armType = r.Type
	spec, err := m.object(m.Type(r.Spec), r, m.of(m.kind))
	if err != nil {
		return nil, err
	}
	documents := []map[string]any{{
		"apiVersion": m.Group + "/" + m.Name,
		"kind":       m.kind,
		"metadata":   map[string]any{"name": Name},
		"spec":       spec,
	}}
	if m.secrets != nil {
		documents = append([]map[string]any{{
			"apiVersion": "v1",
			"kind":       "Secret",
			"metadata":   map[string]any{"name": m.secret()},
			"stringData": m.secrets,
		}}, documents...)
	}
	var all [][]byte
	for _, d := range documents {
		text, err := sigsyaml.Marshal(d)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return bytes.Join(all, []byte("---\n")), nil
}

// secret returns the name of the Secret.
func (m *maker) secret() string { return Name + "-" + strings.ToLower(m.kind) }

// object returns a value of an object type, with what is given of it and what is required.
// r is set for a Spec.
func (m *maker) object(t *ir.Type, r *ir.Resource, given *yaml.Node) (map[string]any, error) {
	members := m.members(t, given)
	within := m.within
	defer func() { m.within = within }()
	switch {
	case given != nil:
		m.within = nil // what is given ends
	case slices.Contains(within, t.Name):
		return nil, fmt.Errorf("%s requires itself", t.Name)
	}
	m.within = append(slices.Clip(m.within), t.Name)
	made := map[string]any{}
	var variants []*ir.Property
	for _, p := range t.Properties {
		limits := p.Validation
		if p.AzureName {
			limits = r.NameLimits
		}
		if p.Variant != "" {
			variants = append(variants, p)
			continue
		}
		if value, taken := m.take(p, p.Type, limits, members[p.Name]); taken {
			made[p.Name] = value
			continue
		}
		switch {
		case p.AzureName && r.GUIDName:
			continue
		case p.AzureName:
			if len(r.KnownNames) > 0 {
				made[p.Name] = r.KnownNames[0]
				continue
			}
			if fits(Name, r.NameLimits) {
				continue
			}
		case !p.Required && !m.usual(p, r):
			continue
		}
		value, err := m.value(p, p.Type, limits, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		made[p.Name] = value
	}
	if name, value, taken := m.takeVariant(variants, members); taken {
		made[name] = value
		return made, nil
	}
	if len(variants) == 0 || t.VariantOptional {
		return made, nil
	}
	name, value, err := m.variant(variants)
	made[name] = value
	return made, err
}

// usual reports whether a sample has a property of a Spec that is not required, since
// hardly a resource goes without.
func (m *maker) usual(p *ir.Property, r *ir.Resource) bool {
	switch {
	case r == nil || p.Type.Primitive == ir.Owner && r.Parent == "" && slices.Equal(r.Scopes, []ir.Scope{ir.Subscription}):
		return false // the operator knows its subscription
	case p.Type.Primitive == ir.Owner || p.Type.Primitive == ir.AnyOwner:
		return true
	}
	return p.Name == "location"
}

// variant returns the smallest variant of a union.
func (m *maker) variant(variants []*ir.Property) (name string, smallest any, err error) {
	length := 0
	before := m.secrets
	var kept map[string]string
	for _, p := range variants {
		m.secrets = nil
		value, wrong := m.value(p, p.Type, p.Validation, nil)
		if wrong != nil {
			err = cmp.Or(err, fmt.Errorf("%s: %w", p.Name, wrong))
			continue
		}
		text, wrong := json.Marshal([]any{value, m.secrets})
		if wrong != nil {
			return "", nil, wrong
		}
		if smallest == nil || len(text) < length {
			name, smallest, length, kept = p.Name, value, len(text), m.secrets
		}
	}
	m.secrets = before
	for key, value := range kept {
		m.keep(key, value)
	}
	if smallest == nil {
		return "", nil, err
	}
	return name, smallest, nil
}

// keep puts a value into the Secret.
func (m *maker) keep(key, value string) {
	if m.secrets == nil {
		m.secrets = map[string]string{}
	}
	m.secrets[key] = value
}

// value returns a value of a type that a property has, or that its elements have.
func (m *maker) value(p *ir.Property, t ir.TypeRef, limits *ir.Validation, r *ir.Resource) (any, error) {
	switch {
	case t.Items != nil:
		if limits != nil && limits.MaxItems != nil && *limits.MaxItems == 0 {
			return []any{}, nil
		}
		element, err := m.value(p, *t.Items, p.ItemValidation, nil)
		all := []any{element}
		if err != nil { // an element may hold what the list is in
			all = []any{}
		}
		if limits == nil || limits.MinItems == nil {
			return all, nil
		}
		for int64(len(all)) < *limits.MinItems {
			if err != nil {
				return nil, err
			}
			all = append(all, element)
		}
		return all, nil
	case t.Map != nil:
		return map[string]any{}, nil
	case t.Named != "":
		named := m.Type(t.Named)
		if named.Kind == ir.Object {
			return m.object(named, nil, nil)
		}
		return literal(named)
	}
	switch t.Primitive {
	case ir.String:
		return text(p.Name, limits)
	case ir.Integer, ir.Number:
		return number(limits)
	case ir.Boolean:
		return strings.Contains(strings.ToLower(p.Name), "enable"), nil
	case ir.Any:
		return map[string]any{}, nil
	case ir.Secret:
		value, err := text("password", limits)
		m.keep(p.Name, value)
		return map[string]any{"name": m.secret(), "key": p.Name}, err
	case ir.SecretJSON:
		m.keep(p.Name, "{}")
		return map[string]any{"name": m.secret(), "key": p.Name}, nil
	case ir.Reference:
		return m.reference(p.ResourceTypes), nil
	case ir.RoleDefinition:
		return map[string]any{"wellKnownName": "Reader"}, nil
	case ir.AnyOwner:
		_, domain, _ := strings.Cut(m.Group, ".")
		return map[string]any{"group": "resources." + domain, "kind": "ResourceGroup", "name": Name}, nil
	case ir.Owner:
		if r.Parent == "" || m.kinds[strings.ToLower(r.Parent)] != "" {
			return map[string]any{"name": Name}, nil
		}
		return map[string]any{"armId": id(r.Parent)}, nil
	}
	return nil, fmt.Errorf("found a required property of the type %s, of which there is no sample", t.Primitive)
}

// reference refers to the sample of the first of types that is a kind of the group, or to
// a resource outside of the cluster. What is in the resource itself exists after it, so no
// sample refers to that by its name.
func (m *maker) reference(types []string) map[string]any {
	for _, t := range types {
		inside := strings.HasPrefix(strings.ToLower(t)+"/", strings.ToLower(m.armType)+"/")
		if kind := m.kinds[strings.ToLower(t)]; kind != "" && !inside {
			return map[string]any{"group": m.Group, "kind": kind, "name": Name}
		}
	}
	return map[string]any{"armId": id(cmp.Or(append(slices.Clone(types), resourceGroups)...))}
}

// resourceGroups is the type of ARM's resource groups, and groupID the id of one. Groups of subscriptions are in no
// subscription, and the locations of a provider in no resource group.
const (
	resourceGroups   = "Microsoft.Resources/resourceGroups"
	subscriptionID   = "/subscriptions/" + UnknownID
	groupID          = subscriptionID + "/resourceGroups/" + Name
	managementGroups = "Microsoft.Management/managementGroups"
)

// id returns an id of an ARM type.
func id(armType string) string {
	if strings.EqualFold(armType, resourceGroups) {
		return groupID
	}
	if strings.EqualFold(armType, managementGroups) {
		return "/providers/" + managementGroups + "/" + Name
	}
	segments := strings.Split(armType, "/")
	if len(segments) == 2 && strings.EqualFold(segments[1], "locations") {
		return subscriptionID + "/providers/" + armType + "/" + Region
	}
	return groupID + "/providers/" + segments[0] + "/" + strings.Join(segments[1:], "/"+Name+"/") + "/" + Name
}

// literal returns the first value of an enum.
func literal(t *ir.Type) (any, error) {
	if len(t.Values) == 0 {
		return nil, fmt.Errorf("%s has no values", t.Name)
	}
	if t.Base == ir.String {
		return t.Values[0].Value, nil
	}
	return json.Number(t.Values[0].Value), nil
}
