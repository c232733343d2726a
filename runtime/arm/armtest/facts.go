package armtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// factsFile has the parts of a file with facts that describe a resource. docs/facts.md
// describes the format.
type factsFile struct {
	Facts      int
	APIVersion string
	Resources  []factsResource
	Actions    []struct {
		Resource, Name string
		Values         []struct {
			Path   string
			Base64 bool
		}
	}
	Types []factsType
}

// factsResource describes a resource type, or its resources with one fixed name.
type factsResource struct {
	Type, ARM, FixedName, Request, Response string
	Name                                    map[string]any
	NoDelete                                bool
}

// armType returns the type of the resources in ARM.
func (r factsResource) armType() string { return cmp.Or(r.ARM, r.Type) }

// factsType is an object, or an enum if it has a base.
type factsType struct {
	Name, Discriminator, Base string
	VariantOptional, Open     bool
	Values                    []string
	Properties                []map[string]any
}

func readFacts(text []byte) (*factsFile, error) {
	file := new(factsFile)
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // as the compiler of JSON schemas expects
	return file, d.Decode(file)
}

// addFacts adds the resources and the actions of a file with facts, except those that
// documents describe.
func (s *specs) addFacts(name string) error {
	text, err := read(s.folder, name)
	if err != nil {
		return err
	}
	file, err := readFacts(text)
	if err != nil {
		return err
	}
	for _, r := range file.Resources {
		armType := r.armType()
		if r.FixedName != "" && r.NoDelete {
			s.addCompanion(armType, r.FixedName)
		}
		if op := s.operations[strings.ToLower(armType)][file.APIVersion]; op != nil {
			// A document describes it, or it is added with another fixed name: the schema covers all names.
			op.noDelete = op.noDelete && r.NoDelete
			continue
		}
		op := &operation{armType: armType, version: file.APIVersion, noDelete: r.NoDelete}
		op.schema, op.name = schemaURL(name, "/request of "+escape(armType)), schemaURL(name, "/name of "+escape(armType))
		if r.Response != "" {
			op.answer = schemaURL(name, "/"+escape(r.Response))
		}
		s.keep(op)
	}
	for _, a := range file.Actions {
		key := actionKey(a.Resource, a.Name, file.APIVersion)
		if s.actions[key] == nil {
			answer := schemaURL(name, "/answer of "+escape(a.Name+" of "+a.Resource))
			s.actions[key] = &action{sync.OnceValues(func() (*jsonschema.Schema, error) { return s.compile(answer, func(any) {}) })}
		}
	}
	return nil
}

// schemasOfFacts returns the JSON schemas of a file with facts: those of its types, by name, and
// those of the bodies and names of its resources and of the answers of its actions.
func schemasOfFacts(text []byte) (map[string]any, error) {
	file, err := readFacts(text)
	if err != nil {
		return nil, err
	}
	all := map[string]any{}
	for i := range file.Types {
		file.Types[i].addTo(all)
	}
	bodies, names := map[string][]any{}, map[string][]any{}
	for _, r := range file.Resources {
		armType := r.armType()
		name := withLimits(map[string]any{"type": "string"}, r.Name)
		if r.FixedName != "" {
			name = map[string]any{"enum": []any{r.FixedName}}
		}
		bodies[armType] = append(bodies[armType], refTo(r.Request))
		names[armType] = append(names[armType], name)
	}
	for armType := range bodies {
		all["request of "+armType] = map[string]any{"anyOf": bodies[armType]}
		all["name of "+armType] = map[string]any{"anyOf": names[armType]}
	}
	for _, a := range file.Actions {
		answer := map[string]any{}
		for _, value := range a.Values {
			leaf := map[string]any{"type": "string"}
			if value.Base64 {
				leaf["format"] = "byte"
			}
			addPath(answer, strings.Split(value.Path, "."), leaf)
		}
		all["answer of "+a.Name+" of "+a.Resource] = answer
	}
	return all, nil
}

func refTo(name string) map[string]any { return map[string]any{"$ref": "#/" + escape(name)} }

// addTo adds the schema of a type, and the schemas that select one of its variants.
func (t *factsType) addTo(all map[string]any) {
	if t.Base != "" {
		schema := map[string]any{"type": t.Base}
		if !t.Open {
			var values []any
			for _, v := range t.Values {
				var value any = v
				if t.Base != "string" {
					value = json.Number(v)
				}
				values = append(values, value)
			}
			schema["enum"] = values
		}
		all[t.Name] = schema
		return
	}
	properties, required := map[string]any{}, []any{}
	schema := map[string]any{"type": "object", "properties": properties}
	var choices, none []any
	for _, p := range t.Properties {
		value, _ := p["type"].(string)
		name, _ := p["name"].(string)
		switch variant, isVariant := p["variant"].(string); {
		case isVariant:
			selects := t.Name + selector + variant
			all[selects] = map[string]any{"required": []any{t.Discriminator},
				"properties": map[string]any{t.Discriminator: map[string]any{"enum": []any{variant}}}}
			choices = append(choices, map[string]any{"allOf": []any{refTo(selects), refTo(value)}})
			none = append(none, refTo(selects))
		case p["spread"] == true:
			schema["additionalProperties"] = schemaOfFact(p, value)["additionalProperties"]
		default:
			properties[name] = schemaOfFact(p, value)
			if p["required"] == true && p["readOnly"] != true {
				required = append(required, name)
			}
		}
	}
	if len(choices) > 0 {
		schema["anyOf"] = append(choices, map[string]any{"not": map[string]any{"anyOf": none}})
		if !t.VariantOptional {
			required = append(required, t.Discriminator)
		}
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	all[t.Name] = schema
}

// schemaOfFact returns the schema of a property whose type is a text such as "[]Sku".
func schemaOfFact(p map[string]any, text string) map[string]any {
	elements, _ := p["elements"].(map[string]any)
	if rest, isList := strings.CutPrefix(text, "[]"); isList {
		return withLimits(map[string]any{"type": "array", "items": withLimits(schemaOfType(p, rest), elements)}, p)
	}
	if rest, isMap := strings.CutPrefix(text, "map[string]"); isMap {
		return map[string]any{"type": "object", "additionalProperties": withLimits(schemaOfType(p, rest), elements)}
	}
	return withLimits(schemaOfType(p, text), p)
}

// schemaOfType returns the schema of a type without limits.
func schemaOfType(p map[string]any, text string) map[string]any {
	switch {
	case strings.HasPrefix(text, "[]") || strings.HasPrefix(text, "map[string]"):
		return schemaOfFact(map[string]any{"mayBeFraction": p["mayBeFraction"]}, text)
	case text == "any":
		return map[string]any{}
	case text == "integer" && p["mayBeFraction"] == true:
		return map[string]any{"type": "number"}
	case text == "string" || text == "integer" || text == "number" || text == "boolean":
		return map[string]any{"type": text}
	}
	return map[string]any{"allOf": []any{refTo(text)}} // because draft 4 ignores limits beside a $ref
}

// withLimits adds limits to a schema.
func withLimits(schema, limits map[string]any) map[string]any {
	for _, name := range []string{"pattern", "minLength", "maxLength", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum",
		"multipleOf", "minItems", "maxItems", "uniqueItems"} {
		if limits[name] != nil {
			schema[name] = limits[name]
		}
	}
	return schema
}

// addPath adds to a schema the value at a path such as keys[].value. It ignores the entries of
// maps.
func addPath(schema map[string]any, path []string, leaf map[string]any) {
	name, isList := strings.CutSuffix(path[0], "[]")
	if name == "*" {
		return
	}
	members, _ := schema["properties"].(map[string]any)
	if members == nil {
		members = map[string]any{}
		schema["properties"] = members
	}
	member, _ := members[name].(map[string]any)
	if member == nil {
		member = map[string]any{}
		members[name] = member
	}
	if isList {
		items, _ := member["items"].(map[string]any)
		if items == nil {
			items = map[string]any{}
			member["items"] = items
		}
		member = items
	}
	if len(path) == 1 {
		maps.Copy(member, leaf)
		return
	}
	addPath(member, path[1:], leaf)
}
