// Package plantest makes small API versions for the tests of the packages that
// make a plan. Its main function is [Version].
package plantest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
)

// Version returns an API version in the shaped form from lines such as
//
//	resource Person
//	Person_Spec: firstName string, address Address, tags map[string]string
//	Tier: enum string
//	Shape: union kind, circle=Circle ShapeCircle
//
// Where a resource has no Status, or the keyword is "requested" instead of
// "resource", the spec describes no response. A property with "=" is a variant,
// named by what precedes it.
func Version(t testing.TB, apiVersion, lines string) *ir.Version {
	t.Helper()
	v := &ir.Version{Provider: "Contoso.Crm", APIVersion: apiVersion}
	var kinds []string
	requested := map[string]bool{}
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if word, kind, ok := strings.Cut(line, " "); ok && (word == "resource" || word == "requested") {
			kinds = append(kinds, kind)
			requested[kind] = word == "requested"
			continue
		}
		if name, members, ok := strings.Cut(line, ":"); ok {
			v.Types = append(v.Types, typeOf(name, strings.TrimSpace(members)))
		}
	}
	v.Sort()
	for _, kind := range kinds {
		status := naming.Status(kind)
		if v.Type(status) == nil {
			requested[kind] = true
			v.Types = append(v.Types, typeOf(status, "conditions conditions"))
			v.Sort()
		}
		v.Resources = append(v.Resources, &ir.Resource{
			Type: "Contoso.Crm/" + naming.Plural(kind), Kind: kind, Spec: naming.Spec(kind), Status: status, Requested: requested[kind],
		})
	}
	v.Sort()
	return v
}

func typeOf(name, members string) *ir.Type {
	if base, ok := strings.CutPrefix(members, "enum "); ok {
		return &ir.Type{Name: name, Kind: ir.Enum, Base: ir.Primitive(base), Values: []ir.EnumValue{{Value: "A", Name: "A"}}}
	}
	typ := &ir.Type{Name: name, Kind: ir.Object, Status: strings.HasSuffix(name, naming.Status(""))}
	for _, member := range strings.Split(members, ",") {
		words := strings.Fields(member)
		if len(words) < 2 {
			continue
		}
		if words[0] == "union" {
			typ.Discriminator = words[1]
			continue
		}
		p := &ir.Property{Name: words[0], Type: refOf(words[1])}
		if property, variant, ok := strings.Cut(words[0], "="); ok {
			p.Name, p.Variant = property, variant
		}
		p.GoName = naming.Go(p.Name)
		if p.Type.Primitive == ir.Value {
			p.ValueOf = strings.TrimSuffix(p.Name, "From")
		}
		p.Required = slices.Contains(words, "required")
		typ.Properties = append(typ.Properties, p)
	}
	return typ
}

func refOf(text string) ir.TypeRef {
	if items, ok := strings.CutPrefix(text, "[]"); ok {
		r := refOf(items)
		return ir.TypeRef{Items: &r}
	}
	if values, ok := strings.CutPrefix(text, "map[string]"); ok {
		r := refOf(values)
		return ir.TypeRef{Map: &r}
	}
	switch p := ir.Primitive(text); p {
	case ir.String, ir.Integer, ir.Number, ir.Boolean, ir.Any, ir.Secret, ir.SecretJSON, ir.Reference,
		ir.RoleDefinition, ir.Value, ir.Owner, ir.AnyOwner, ir.OperatorSpec, ir.Conditions, ir.Generation:
		return ir.TypeRef{Primitive: p}
	}
	return ir.TypeRef{Named: text}
}

// Group parses a group.yaml.
func Group(t testing.TB, text string) *config.Group {
	t.Helper()
	g, err := config.Parse("group.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// CRM lists the versions of the worked evolution, in the order in which they were published.
var CRM = []string{
	"2011-01-01", "2012-02-02", "2013-03-03", "2014-04-04-preview", "2014-04-04", "2015-05-05", "2016-06-06",
	"2017-07-07", "2018-08-08", "2019-09-09", "2020-10-10", "2021-11-11", "2022-12-12-preview",
}

// PersonYAML is a group.yaml that exports one kind.
const PersonYAML = "exports:\n  Contoso.Crm/persons: {kind: Person}\n"

// CRMYAML is the group.yaml of the worked evolution.
const CRMYAML = `exports:
  Contoso.Crm/persons: {kind: Person}
  Contoso.Crm/parties: {kind: Party}
changes:
  - {property: Person.alphaKey, since: 2015-05-05, renamed: sortKey}
  - {type: Address, since: 2019-09-09, renamed: Location}
`

// CRMVersions returns the versions of the worked evolution.
func CRMVersions(t testing.TB) []*ir.Version {
	const (
		status   = "Person_Status: conditions conditions, id string\nresource Person\n"
		named    = "Person_Spec: id string, legalName string, familyName string, knownAs string"
		keyed    = named + ", sortKey string"
		address  = "Address: fullAddress string, city string, country string, postCode string\n"
		location = "Location: fullAddress string, city string, country string, postCode string, " +
			"latitude number, longitude number\n"
		lines = "Location: lines []string, countryCode string, coordinates Coordinates\n" +
			"Coordinates: latitude number, longitude number\n"
		party = "resource Party\nParty_Spec: title string\nParty_Status: conditions conditions\n"
	)
	shapes := map[string]string{
		"2011-01-01":         "Person_Spec: id string, firstName string, lastName string\n",
		"2012-02-02":         "Person_Spec: id string, firstName string, lastName string\n",
		"2013-03-03":         "Person_Spec: id string, firstName string, lastName string, middleName string\n",
		"2014-04-04-preview": "Person_Spec: id string, fullName string, familyName string, knownAs string\n",
		"2014-04-04":         named + ", alphaKey string\n",
		"2015-05-05":         keyed + "\n",
		"2016-06-06":         keyed + ", mailingAddress Address required\nAddress: street string, city string\n",
		"2017-07-07":         keyed + ", mailingAddress Address\nAddress: street string, city string\n",
		"2018-08-08":         keyed + ", mailingAddress Address\n" + address,
		"2019-09-09":         keyed + ", mailingAddress Location\n" + location,
		"2020-10-10":         keyed + ", residentialAddress Location required\n" + location,
		"2021-11-11":         keyed + ", residentialAddress Location, mailingAddress Location\n" + lines + party,
		"2022-12-12-preview": keyed + ", residentialAddress Location, mailingAddress Location, pronouns string\n" + lines + party,
	}
	var versions []*ir.Version
	for _, v := range CRM {
		versions = append(versions, Version(t, v, shapes[v]+status))
	}
	return versions
}

// ShowSteps writes steps as "kind name", an element's kind in parentheses.
func ShowSteps(steps []plan.Step) string {
	var all []string
	for _, s := range steps {
		src, dst := "-", "-"
		if s.Src != nil {
			src = s.Src.Name
		}
		if s.Dst != nil {
			dst = s.Dst.Name
		}
		for _, p := range slices.Backward(s.SrcIn) {
			src = p.Name + "." + src
		}
		for _, p := range slices.Backward(s.DstIn) {
			dst = p.Name + "." + dst
		}
		text := showValue(s.Value) + " " + src + "→" + dst
		if s.Emptied {
			text += " if empty"
		}
		if len(s.Versions) > 0 {
			text += fmt.Sprint(s.Versions)
		}
		for _, shape := range s.Shapes {
			text += fmt.Sprintf("(%s %s)", shape.Shape, showValue(shape.Value))
		}
		if len(s.Beside) > 0 {
			text += fmt.Sprintf(" beside %v", s.Beside)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func showValue(v plan.Value) string {
	switch {
	case v.Elem != nil:
		return fmt.Sprintf("%s(%s)", v.Kind, showValue(*v.Elem))
	case v.Pair != nil:
		return fmt.Sprintf("%s(%s↔%s)", v.Kind, v.Pair.Here.Name, v.Pair.There.Name)
	}
	return string(v.Kind)
}
