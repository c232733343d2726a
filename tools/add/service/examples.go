package service

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// armID matches the id of an ARM resource.
var armID = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/(resourceGroups/[^/]+/)?providers/[^/]+/[^/]+/.`)

// operations has the parts of a Swagger document that say where examples of PUT
// requests are.
type operations struct {
	Paths map[string]struct {
		Put *struct {
			Examples map[string]struct {
				Ref string `json:"$ref"`
			} `json:"x-ms-examples"`
		}
	}
}

// eachExample calls f with the name of each example of a PUT that creates a
// resource of the group, with the version and the resource. documents are those of each
// version. Examples that are not there are left out.
func (g *group) eachExample(versions []*ir.Version, documents map[string][]string,
	f func(name string, text []byte, v *ir.Version, r *ir.Resource)) {
	for _, v := range versions {
		byPath := map[string]*ir.Resource{}
		for _, r := range v.Resources {
			byPath[r.Path] = r
		}
		for _, doc := range documents[v.APIVersion] {
			if !g.inTree && !strings.HasPrefix(doc, layout.SwaggerFolder+"/") {
				continue
			}
			var d operations
			text, err := os.ReadFile(g.file(doc))
			if err != nil || json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &d) != nil {
				continue // which the reader reports
			}
			for template, item := range d.Paths {
				template, _, _ = strings.Cut(template, "?")
				r := byPath[strings.TrimSuffix(template, "/")]
				if r == nil || item.Put == nil {
					continue
				}
				for _, example := range item.Put.Examples {
					name := path.Join(path.Dir(doc), example.Ref)
					if text, err := os.ReadFile(g.file(name)); err == nil {
						f(name, text, v, r)
					}
				}
			}
		}
	}
}

// idsInExamples returns the strings, lists and maps of strings that hold ids of
// ARM resources in all requests of examples that have them, with their types.
func (s *sources) idsInExamples(shaped []*ir.Version) map[string]ir.TypeRef {
	found := map[string]*seen{}
	s.eachExample(shaped, s.documents, func(_ string, text []byte, v *ir.Version, r *ir.Resource) {
		var example struct{ Parameters map[string]any }
		if json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &example) != nil {
			return
		}
		for _, value := range example.Parameters {
			if body, ok := value.(map[string]any); ok {
				findIDs(v, r.Spec, body, found)
			}
		}
	})
	ids := map[string]ir.TypeRef{}
	for property, s := range found {
		if s.ids && !s.others {
			ids[property] = s.ref
		}
	}
	return ids
}

// seen says what examples have for a property of a type.
type seen struct {
	ref         ir.TypeRef
	ids, others bool
}

// findIDs records what the strings are in an object of a type.
func findIDs(v *ir.Version, name string, object map[string]any, found map[string]*seen) {
	at := slices.IndexFunc(v.Types, func(t *ir.Type) bool { return t.Name == name })
	if at < 0 {
		return
	}
	t := v.Types[at]
	base, _ := naming.CutHalf(t.Name)
	var walk func(s *seen, ref ir.TypeRef, value any)
	walk = func(s *seen, ref ir.TypeRef, value any) {
		switch value := value.(type) {
		case string:
			if id := armID.MatchString(value); ref.Primitive == ir.String && value != "" {
				s.ids, s.others = s.ids || id, s.others || !id
			}
		case []any:
			for _, element := range value {
				if ref.Items != nil {
					walk(s, *ref.Items, element)
				}
			}
		case map[string]any:
			if ref.Named != "" {
				findIDs(v, ref.Named, value, found)
			}
			for _, element := range value {
				if ref.Map != nil {
					walk(s, *ref.Map, element)
				}
			}
		}
	}
	for _, p := range t.Properties {
		holder := object
		if p.Flattened {
			holder, _ = object["properties"].(map[string]any)
		}
		switch {
		case p.Variant == "":
			subject := base + "." + naming.JSON(p.ARMName())
			if found[subject] == nil {
				found[subject] = &seen{ref: p.Type}
			}
			walk(found[subject], p.Type, holder[p.ARMName()])
		case object[t.Discriminator] == p.Variant:
			walk(&seen{}, p.Type, object)
		}
	}
}
