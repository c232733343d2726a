// Package hostile puts text that wants to be code into every place of a spec, and
// checks what is generated. Its main function is [Generate].
package hostile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/generator/report"
	"github.com/armature-dev/armature/generator/shape"
	"github.com/armature-dev/armature/generator/site"
	"github.com/armature-dev/armature/generator/site/front"
	"github.com/armature-dev/armature/generator/site/page"
	"github.com/armature-dev/armature/generator/transform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Places are the places of a spec that take a text.
var Places = []string{
	"property", "property that is removed", "property that changes its type", "list key", "definition", "description",
	"description of an enum's value", "title", "default", "discriminator", "value of a discriminator", "enum's name",
	"value of a closed enum",
	"value of an open enum", "value of an enum of numbers", "value beside the numbers of an enum", "pattern",
	"fixed name", "format", "version",
	"name of a file", "schema's property", "schema's description", "schema's value of an enum", "schema's value of an enum of numbers",
}

// groupYAML returns the group.yaml of the specs. The child has a fixed name; the
// others do without it, because each takes time.
func (s spec) groupYAML() string {
	if s.place == "fixed name" {
		return "exports:\n  Contoso.Shop/carts: {kind: Cart}\n  Contoso.Shop/carts/items: {kind: CartItem}\n"
	}
	return "exports:\n  Contoso.Shop/carts: {kind: Cart}\n"
}

type object = map[string]any

// spec makes the documents of two API versions, with a text at one place.
type spec struct{ place, text string }

// at returns the text if it belongs at the place, or else what the place usually has.
func (s spec) at(place, usual string) string {
	if place == s.place {
		return s.text
	}
	return usual
}

// ref returns a reference to a definition.
func ref(name string) object {
	return object{"$ref": "#/definitions/" + strings.NewReplacer("~", "~0", "/", "~1", "%", "%25").Replace(name)}
}

// swagger returns the Swagger document of a version.
func (s spec) swagger(newer bool) object {
	body := func(of string) object {
		return object{"put": object{
			"parameters": []any{object{"in": "body", "name": "body", "schema": ref(of)}},
			"responses":  object{"200": object{"schema": ref(of)}},
		}}
	}
	const carts = "/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Shop/carts/{name}"
	part := s.at("definition", "Part")
	kind := s.at("discriminator", "kind")
	first := s.at("value of a discriminator", "Cash")
	key := s.at("list key", "sku")
	code := object{"type": "string", "format": s.at("format", "uri")}
	if newer { // the report shows the patterns that change
		code["pattern"] = s.at("pattern", "^[a-z]+$")
	}
	members := object{
		s.at("property", "total"): object{"type": "number", "description": s.at("description", "The sum.")},
		"title":                   object{"type": "string", "title": s.at("title", "A title")},
		"usual":                   object{"type": "string", "default": s.at("default", "usual")},
		"code":                    code,
		"parts":                   object{"type": "array", "x-ms-identifiers": []any{key}, "items": ref(part)},
		"payment":                 ref("Payment"),
		"closed": object{
			"type": "string", "enum": []any{"Small", s.at("value of a closed enum", "Large")},
			"x-ms-enum": object{
				"name": s.at("enum's name", "Size"), "modelAsString": false,
				"values": []any{object{"value": "Small", "description": s.at("description of an enum's value", "Less.")}},
			},
		},
		"open": object{
			"type": "string", "enum": []any{"Red", s.at("value of an open enum", "Blue")},
			"x-ms-enum": object{"name": "Colour", "modelAsString": true},
		},
		"number": object{
			"type": "integer", "enum": []any{1, 2},
			"x-ms-enum": object{
				"name": "Level", "modelAsString": false,
				"values": []any{object{"value": s.at("value of an enum of numbers", "three")}},
			},
		},
		"beside": object{"type": "integer", "enum": []any{1, 2, s.at("value beside the numbers of an enum", "three")}},
		s.at("property that changes its type", "changes"): object{"type": map[bool]string{true: "integer", false: "string"}[newer]},
	}
	if !newer {
		members[s.at("property that is removed", "removed")] = object{"type": "string"}
	}
	paths := object{carts: body("Body")}
	if s.place == "fixed name" {
		paths[carts+"/items/"+s.text] = body("Body")
	}
	return object{
		"swagger": "2.0", "paths": paths,
		"definitions": object{
			"Body": object{"properties": object{"properties": object{"properties": members}}},
			part: object{
				"required":   []any{key},
				"properties": object{key: object{"type": "string"}, "count": object{"type": "integer"}},
			},
			"Payment": object{"discriminator": kind, "required": []any{kind}, "properties": object{kind: object{"type": "string"}}},
			"Cash": object{
				"x-ms-discriminator-value": first, "allOf": []any{ref("Payment")},
				"properties": object{"coins": object{"type": "integer"}},
			},
			"Card": object{
				"x-ms-discriminator-value": "Card", "allOf": []any{ref("Payment")},
				"properties": object{"digits": object{"type": "string"}},
			},
		},
	}
}

// schema returns the JSON schema of a version.
func (s spec) schema(version string) object {
	return object{
		"id": "https://schema.management.azure.com/schemas/" + version + "/shop.json#", "title": "Contoso.Shop",
		"resourceDefinitions": object{"carts": object{
			"type": "object", "description": "Contoso.Shop/carts",
			"properties": object{
				"type":       object{"type": "string", "enum": []any{"Contoso.Shop/carts"}},
				"apiVersion": object{"type": "string", "enum": []any{version}},
				"name":       object{"type": "string"},
				"properties": object{"type": "object", "properties": object{
					s.at("schema's property", "weight"): object{
						"type": "number", "description": s.at("schema's description", "Its weight."),
					},
					"wheel": object{"type": "string",
						"enum": []any{"Round", s.at("schema's value of an enum", "Square")}},
					"wheels": object{"enum": []any{3, s.at("schema's value of an enum of numbers", "four")}},
				}},
			},
			"required": []any{"type", "apiVersion", "name", "properties"},
		}},
	}
}

// Generate generates the group with a text at a place of its specs. It returns the
// files by name.
func Generate(place, text string) (map[string][]byte, error) {
	s := spec{place, text}
	group, err := config.Parse("group.yaml", []byte(s.groupYAML()))
	if err != nil {
		return nil, err
	}
	var versions, notes []*ir.Version
	for i, version := range []string{"2020-01-01", s.at("version", "2021-01-01")} {
		v, err := s.load(group.Load(), version, i == 1)
		if err != nil {
			return nil, err
		}
		rest, noted := transform.Notes(v)
		versions, notes = append(versions, rest), append(notes, noted)
	}
	packages, err := planner.Build(planner.Options{
		Group: "shop.contoso.com", Provider: "Contoso.Shop", ImportPrefix: "example.com/apis/shop/",
		Patterns: naming.Default, Config: group, Versions: versions,
	})
	if err != nil {
		return nil, err
	}
	return files(group, versions, notes, packages)
}

// load reads a version.
func (s spec) load(load *config.Load, version string, newer bool) (*ir.Version, error) {
	texts := map[string][]byte{}
	var docs []readers.Document
	for name, document := range map[string]object{s.at("name of a file", "shop") + ".json": s.swagger(newer),
		"schema.json": s.schema(version)} {
		text, err := json.Marshal(document)
		if err != nil {
			return nil, err
		}
		texts[path.Clean(name)] = text
		docs = append(docs, readers.Document{Name: name})
	}
	sources, err := readers.All.Read(documents.Input{
		Provider: "Contoso.Shop", APIVersion: version, Exports: load.Exports,
		Read: func(name string) ([]byte, error) {
			if text := texts[path.Clean(name)]; text != nil {
				return text, nil
			}
			return nil, fmt.Errorf("there is no file %s", name)
		},
	}, docs)
	if err != nil {
		return nil, err
	}
	v := transform.Merge(sources, nil)
	return transform.Shape(v, load)
}

// files generates the files of a group.
func files(group *config.Group, versions, notes []*ir.Version, packages []*plan.Package) (map[string][]byte, error) {
	all := map[string][]byte{}
	var failed error
	add := func(name string, text []byte, err error) {
		all[name], failed = text, cmp.Or(failed, err)
	}
	byVersion := map[string]*ir.Version{}
	for _, v := range versions {
		byVersion[v.APIVersion] = v
	}
	for _, p := range packages {
		v := byVersion[p.APIVersion]
		for name, emit := range map[string]func(*shape.Package) ([]byte, error){
			"types.go": emit.Types, "register.go": emit.Register, "deepcopy.go": emit.DeepCopy, "conversion.go": emit.Conversion,
		} {
			text, err := emit(shape.New(p, v))
			add(p.Name+"/"+name, text, err)
		}
	}
	crds, _, err := crd.Files(versions, packages, new(lock.Lock), crd.Meta{TypeMeta: metav1.TypeMeta{}, Condition: metav1.Condition{}})
	failed = cmp.Or(failed, err)
	for name, text := range crds {
		add("crds/"+name, text, nil)
	}
	in := evolution.Input{Packages: packages, Shapes: versions, Config: group}
	r, err := report.New(report.Input{Input: in, Notes: notes})
	if err != nil {
		return nil, cmp.Or(failed, err)
	}
	add("report.md", r.Page(), nil)
	pages, list, err := site.Files(site.Input{Input: in, Folder: "shop"})
	failed = cmp.Or(failed, err)
	for name, text := range pages {
		add("site/shop/"+name, text, nil)
	}
	pages, err = front.Files(front.Input{
		Groups: []page.Group{list}, Front: front.Doc{Path: "front.md", Text: []byte("# Shop\n")},
	})
	failed = cmp.Or(failed, err)
	for name, text := range pages {
		add("site/"+name, text, nil)
	}
	return all, failed
}
