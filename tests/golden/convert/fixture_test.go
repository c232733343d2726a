package convert_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/match"
	"github.com/armature-dev/armature/runtime/apiversion"
)

const (
	group = "crm.example.com"
	root  = "github.com/armature-dev/armature/tests/golden/convert/"
)

// evolution is the history of one service, oldest version first. Each line is a
// property and its type: a primitive or named type, with "[]" and "{}" before the
// type of elements, "?" before the type of a union's variant, and "!" before that of a
// required property. An open enum begins with "enum?". Only the first version is
// complete; each later one has its changes, in which "-" removes a property or type.
var evolution = []struct {
	name, apiVersion string
	types            map[string]string
}{
	{"v1", "2011-01-01", map[string]string{
		"Person_Spec": `
			azureName string
			owner     owner
			firstName string
			lastName  string
			address   Address
			badge     string
			legacy    {}string
			tier      Tier
			tiers     []Tier
			levels    []Level
			level     Level
			tierOf    {}Tier
			grid      [][]Address
			routes    {}[]Address
			matrix    [][]any
			groups    {}{}string
			codes     [][]Tier
			steps     {}[]Level
			policy    any
			policies  {}any
			relation  Relation
			pet       Pet
			choices   Choices
			subnetReference reference
			password  secret
			score     number
			age       integer
			active    boolean
			nickname  string
			zipcode   string`,
		"Person_Status": `
			conditions conditions
			id         string
			age        integer
			tier       string
			address    Address_Status
			history    []Address_Status`,
		"Party_Spec":     "azureName string\nowner owner\nvenue Address",
		"Party_Status":   "conditions conditions\nid string",
		"Address":        "street string\ncity string\ntags {}string",
		"Address_Status": "street string",
		"Relation":       "name string\nparent Relation\nrelated []Relation\nbyRole {}Relation",
		"Pet":            "name string\ncat ?PetCat\ndog ?PetDog",
		"PetCat":         "lives integer",
		"PetDog":         "tricks []string",
		"Tier":           "enum string Gold Silver",
		"Level":          "enum integer 1 2",
		"Choices":        choices,
		"OpenTier":       "enum? string Gold Silver",
		"OpenLevel":      "enum? integer 1 2",
		"Rate":           "enum number 0.5 1",
		"OpenRate":       "enum? number 0.5 1",
		"Switch":         "enum boolean true",
		"OpenSwitch":     "enum? boolean true",
	}},
	{"v2", "2012-02-02", map[string]string{
		"Person_Spec":    "middleName string\nbadge -\nlegacy -\nemails []string\nnickname -\nnickName string\nzipcode -",
		"Person_Status":  "id string\netag string",
		"Address":        "country string",
		"Address_Status": "city string",
		"Party_Spec":     "-",
		"Party_Status":   "-",
		"PetDog":         "-",
		"Pet":            "dog -",
	}},
	{"v3", "2013-03-03", map[string]string{
		"Person_Spec":     "lastName -\nfamilyName string\nbadge boolean\naddress Location\ngrid [][]Location\nroutes {}[]Location\nscores {}number\nzipCode string",
		"Person_Status":   "address Location_Status\nhistory []Location_Status",
		"Party_Spec":      "azureName string\nowner owner\nvenue Location\nguests integer",
		"Party_Status":    "conditions conditions\nid string",
		"Address":         "-",
		"Location":        "street string\ncity string\ncountry string\ntags {}string\npostCode string",
		"Address_Status":  "-",
		"Location_Status": "street string\ncity string\ncountry string",
		"PetDog":          "tricks []string\nname string",
		"Pet":             "dog ?PetDog",
		"Relation":        "since string",
		"Unused":          "name string",
	}},
}

// choices has enums of each primitive type, open and closed, alone, required and in
// lists and maps.
var choices = func() string {
	var text strings.Builder
	for _, name := range []string{"Tier", "Level", "Rate", "Switch"} {
		for _, enum := range []string{name, "Open" + name} {
			for prefix, mark := range map[string]string{"one": "", "must": "!", "list": "[]", "map": "{}"} {
				fmt.Fprintln(&text, prefix+enum, mark+enum)
			}
		}
	}
	return text.String()
}()

// properties returns the names and types in a text with one property a line.
func properties(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) == 2 {
			all[words[0]] = words[1]
		}
	}
	return all
}

// versions returns the shapes of all versions of the history.
func versions() []*ir.Version {
	types := map[string]map[string]string{} // type → property → type
	enums := map[string]string{}
	var all []*ir.Version
	for _, step := range evolution {
		for name, text := range step.types {
			if text == "-" {
				delete(types, name)
				continue
			}
			if strings.HasPrefix(text, "enum") {
				enums[name] = text
				continue
			}
			if types[name] == nil {
				types[name] = map[string]string{}
			}
			for property, typ := range properties(text) {
				types[name][property] = typ
				if typ == "-" {
					delete(types[name], property)
				}
			}
		}
		all = append(all, version(step.apiVersion, types, enums))
	}
	return all
}

func version(apiVersion string, types map[string]map[string]string, enums map[string]string) *ir.Version {
	v := &ir.Version{Provider: "Example.Crm", APIVersion: apiVersion}
	for _, kind := range []string{"Party", "Person"} {
		if types[naming.Spec(kind)] != nil {
			v.Resources = append(v.Resources, &ir.Resource{
				Type: "Example.Crm/" + naming.Plural(kind), Kind: kind, Scopes: []ir.Scope{ir.ResourceGroup},
				Spec: naming.Spec(kind), Status: naming.Status(kind),
			})
		}
	}
	for name, properties := range types {
		t := &ir.Type{Name: name, Kind: ir.Object, Status: strings.HasSuffix(name, naming.Status(""))}
		for property, text := range properties {
			p := &ir.Property{Name: property, GoName: naming.Go(property), AzureName: property == "azureName"}
			if variant, is := strings.CutPrefix(text, "?"); is {
				t.Discriminator, p.Variant, text = "kind", naming.Go(property), variant
			}
			text, p.Required = strings.CutPrefix(text, "!")
			p.Type = typeRef(text)
			t.Properties = append(t.Properties, p)
		}
		slices.SortFunc(t.Properties, func(a, b *ir.Property) int { return strings.Compare(a.Name, b.Name) })
		v.Types = append(v.Types, t)
	}
	for name, text := range enums {
		words := strings.Fields(text)
		t := &ir.Type{Name: name, Kind: ir.Enum, Open: words[0] == "enum?", Base: ir.Primitive(words[1])}
		for i, n := range naming.EnumNames(words[2:]) {
			t.Values = append(t.Values, ir.EnumValue{Value: words[2+i], Name: n})
		}
		v.Types = append(v.Types, t)
	}
	v.Sort()
	return v
}

func typeRef(text string) ir.TypeRef {
	if items, is := strings.CutPrefix(text, "[]"); is {
		r := typeRef(items)
		return ir.TypeRef{Items: &r}
	}
	if values, is := strings.CutPrefix(text, "{}"); is {
		r := typeRef(values)
		return ir.TypeRef{Map: &r}
	}
	if strings.ToLower(text[:1]) == text[:1] {
		return ir.TypeRef{Primitive: ir.Primitive(text)}
	}
	return ir.TypeRef{Named: text}
}

// packages returns the plans of the history: an API and a storage package for each
// version, of which the last one is the hub, and the storage packages of an alias of
// the first version and of one of the hub.
func packages() map[string]*plan.Package {
	all := map[string]*match.Package{}
	for i, v := range versions() {
		name := evolution[i].name
		for _, role := range []plan.Role{plan.API, plan.Storage} {
			p := newPackage(name, v, role)
			all[p.Name] = &match.Package{Package: p}
		}
	}
	vs := versions()
	for twin, v := range map[string]*ir.Version{"v1": vs[0], "v3": vs[2]} {
		alias := newPackage(twin+"alias", v, plan.Storage)
		alias.Alias, alias.Twin = true, root+apiversion.Storage(twin)
		alias.Resources = slices.DeleteFunc(alias.Resources, func(r plan.Resource) bool { return r.Kind != "Person" })
		all[alias.Name] = &match.Package{Package: alias}
	}
	link := func(from, to string, kinds ...string) {
		p, n := all[from], all[to]
		neighbour := plan.Neighbour{Name: n.Name, ImportPath: n.ImportPath, APIVersion: n.APIVersion}
		if p.Role == plan.Storage {
			v := vs[slices.IndexFunc(vs, func(v *ir.Version) bool { return v.APIVersion == n.APIVersion })]
			neighbour.Types = plan.Shape(n.Package, v).Types
		}
		p.Neighbours = append(p.Neighbours, neighbour)
		for i := range p.Resources {
			if slices.Contains(kinds, p.Resources[i].Kind) {
				p.Resources[i].Next = to
			}
		}
	}
	link("v1", "v1storage", "Party", "Person")
	link("v2", "v2storage", "Person")
	link("v3", "v3storage", "Party", "Person")
	link("v1aliasstorage", "v1storage", "Person")
	link("v3aliasstorage", "v3storage", "Person")
	link("v1storage", "v2storage", "Person")
	link("v1storage", "v3storage", "Party") // v2 has no Party
	link("v2storage", "v3storage", "Person")

	for i := range all["v3storage"].Resources {
		all["v3storage"].Resources[i].Hub = true
	}
	for _, name := range []string{"v1storage", "v2storage"} {
		all[name].TypeRenames = []match.TypeRename{
			{Neighbour: "v3storage", Here: "Address", There: "Location"},
			{Neighbour: "v3storage", Here: naming.Status("Address"), There: naming.Status("Location")},
		}
	}
	all["v2storage"].PropertyRenames = []match.PropertyRename{{
		Neighbour: "v3storage", Type: naming.Spec("Person"), Here: "lastName", There: "familyName",
	}}
	// The badge was text, went away, and came back as a truth value.
	all["v1storage"].Recalls = []match.RecallLimit{{
		Package: "v1storage", Type: naming.Spec("Person"), Property: "badge", Versions: []string{"2011-01-01"},
		Shared: true,
	}}
	all["v2storage"].Recalls = []match.RecallLimit{{
		Package: "v3storage", Type: naming.Spec("Person"), Property: "badge", Versions: []string{"2013-03-03"},
		Shared: true,
	}}
	planned := map[string]*plan.Package{}
	for name, p := range all {
		planned[name] = p.Package
		if !p.Alias { // an alias has the types of its twin
			v := vs[slices.IndexFunc(vs, func(v *ir.Version) bool { return v.APIVersion == p.APIVersion })]
			p.SetPairs(match.Pairs(p, plan.Shape(p.Package, v)))
		}
	}
	return planned
}

func newPackage(name string, v *ir.Version, role plan.Role) *plan.Package {
	if role == plan.Storage {
		name = apiversion.Storage(name)
	}
	p := &plan.Package{
		Group: group, Provider: v.Provider, Name: name, ImportPath: root + name,
		APIVersion: v.APIVersion, Role: role,
	}
	for _, r := range v.Resources {
		p.Resources = append(p.Resources, plan.Resource{
			Kind: r.Kind, Plural: naming.Plural(r.Kind), Singular: naming.Singular(r.Kind), ARMType: r.Type,
		})
	}
	return p
}
