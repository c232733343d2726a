package armschema

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// resource is a resource whose types have no final names yet.
type resource struct {
	ir.Resource
	body *namedType
}

// candidate is one description of a resource type.
type candidate struct {
	armType string // as the document has it
	scope   ir.Scope
	at      schema
	// child tells that it stands in its parent's list of nested resources.
	child bool
}

// readResources finds the exported resources and reads their types.
func (r *reader) readResources() []*resource {
	byType := map[string][]candidate{}
	for _, c := range r.candidates() {
		folded := strings.ToLower(c.armType)
		byType[folded] = append(byType[folded], c)
	}
	var resources []*resource
	for _, armType := range r.exported() {
		if candidates := byType[strings.ToLower(armType)]; len(candidates) > 0 {
			resources = append(resources, r.resource(armType, candidates))
		}
	}
	return resources
}

// exported are the types to read, in order.
func (r *reader) exported() []string {
	var types []string
	for armType := range r.in.Exports {
		types = append(types, armType)
	}
	slices.Sort(types)
	return types
}

// candidates are all descriptions of resources in the roots.
func (r *reader) candidates() []candidate {
	var found []candidate
	for _, doc := range r.roots {
		for _, section := range sections {
			for _, m := range doc.Root.Get(section.name).Members() {
				c := candidate{scope: section.scope, at: schema{doc, m.Value}}
				c.armType = r.typeOf(c.at)
				if !strings.Contains(c.armType, "/") {
					r.errorf(c.at, "the resource %q does not tell its type; expected \"properties\" to have a \"type\" with one value, such as \"Microsoft.Cache/redis\"", m.Name)
					continue
				}
				r.checkVersion(c)
				found = append(found, c)
				found = r.children(found, c, 0)
			}
		}
	}
	return found
}

// typeOf is the one value of the property "type".
func (r *reader) typeOf(at schema) string {
	value, _ := r.onlyValue(&member{schemas: []schema{at.get("properties").get("type")}})
	return value
}

// checkVersion refuses a document of another version.
func (r *reader) checkVersion(c candidate) {
	version := c.at.get("properties").get("apiVersion")
	if version.node == nil {
		return
	}
	inner, _ := r.unwrap(version)
	if values := enumValues(inner); len(values) > 0 && !slices.Contains(values, r.in.APIVersion) {
		r.errorf(version, "%s is described at version %s, expected %s", c.armType, strings.Join(values, ", "), r.in.APIVersion)
	}
}

// children appends the resources that may be nested in one, which have the
// last part of their type only.
func (r *reader) children(found []candidate, parent candidate, depth int) []candidate {
	list, _ := alternatives(parent.at.get("properties").get("resources").get("items"))
	for _, item := range list {
		inner, _ := r.unwrap(item)
		segment := r.typeOf(inner)
		if segment == "" || depth > maxSteps {
			continue
		}
		c := candidate{armType: parent.armType + "/" + segment, scope: parent.scope, at: inner, child: true}
		found = append(found, c)
		found = r.children(found, c, depth+1)
	}
	return found
}

// resource reads a type from the best of its descriptions.
func (r *reader) resource(armType string, candidates []candidate) *resource {
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		return cmp.Compare(r.rank(a), r.rank(b))
	})
	best := candidates[0]
	res := &resource{Resource: ir.Resource{
		Type: armType, Kind: r.in.Exports[armType], Scopes: scopes(candidates), Parent: r.parent(armType),
	}}
	if best.child {
		r.note(ir.Approximated, best.at, "%s is described in full only where it is nested in its parent; taken from there", armType)
	}
	for _, c := range candidates[1:] {
		if c.child == best.child && !same(c.at.node, best.at.node) {
			r.note(ir.Approximated, c.at, "%s is described differently at %s, which is taken", armType, best.at.pointer())
		}
	}
	res.FixedName = r.fixedName(best.at.get("properties").get("name"))
	res.body = r.body(best, res.Kind)
	return res
}

// rank orders the descriptions of a type: the ones at the top of a document
// go before those in their parent, unless nothing tells their alternatives apart.
func (r *reader) rank(c candidate) int {
	rank := 0
	if c.child {
		rank++
	}
	properties, _ := r.unwrap(c.at.get("properties").get("properties"))
	if choice, _ := alternatives(properties); len(choice) > 1 && r.discriminate(r.shapes(choice)) == nil {
		rank += 2
	}
	return rank
}

func (r *reader) shapes(parts []schema) []*shape {
	var shapes []*shape
	for _, part := range parts {
		shapes = append(shapes, r.shape(part))
	}
	return shapes
}

// scopes are where the resource may be. One that a document lists at every
// scope of a deployment has the scope as a parameter: it is an extension.
func scopes(candidates []candidate) []ir.Scope {
	var scopes []ir.Scope
	for _, c := range candidates {
		if !slices.Contains(scopes, c.scope) {
			scopes = append(scopes, c.scope)
		}
	}
	if len(scopes) == 4 {
		return []ir.Scope{ir.Extension}
	}
	slices.Sort(scopes)
	return scopes
}

// parent is the type less its last segment, if that leaves one, in the
// spelling in which it is exported.
func (r *reader) parent(armType string) string {
	parent := armType[:strings.LastIndexByte(armType, '/')]
	if !strings.Contains(parent, "/") {
		return ""
	}
	for exported := range r.in.Exports {
		if strings.EqualFold(exported, parent) {
			return exported
		}
	}
	return parent
}

// fixed is the pattern of a name whose last segment is given: a template
// names a child with its parents, as in "^.*/default$".
var fixed = regexp.MustCompile(`^\^\.\*/((?:\\\$|[A-Za-z0-9_-])+)\$$`)

const nameLimits = "what limits the name of a resource is left to the service: %d here, the first at this place"

// fixedName is the only name that a resource may have, or "".
func (r *reader) fixedName(name schema) string {
	inner, _ := r.unwrap(name)
	if inner.node == nil {
		return ""
	}
	values := enumValues(inner)
	if len(values) == 1 {
		return values[0]
	}
	if match := fixed.FindStringSubmatch(inner.node.Get("pattern").Text()); match != nil {
		return strings.ReplaceAll(match[1], `\$`, "$")
	}
	if len(values) > 0 || r.limits(inner) != nil {
		r.count(inner, nameLimits)
	}
	return ""
}

// templateMembers are the members of a resource in a template that are not in
// the body of its PUT: they name it, or tell the deployment what to do with it.
var templateMembers = map[string]bool{
	"apiVersion": true, "type": true, "name": true, "resources": true,
	"dependsOn": true, "condition": true, "copy": true, "comments": true, "scope": true,
}

// body is the type of a resource's request.
func (r *reader) body(c candidate, kind string) *namedType {
	t, _ := r.typeAt(c.at, hint{part: kind})
	t.Kind = ir.Object
	// The published ones are described by their type alone.
	text := c.at.node.Get("description").Text()
	if !strings.HasSuffix(strings.ToLower("/"+c.armType), strings.ToLower("/"+text)) {
		t.Doc = text
	}
	s := r.shape(c.at)
	s.dropTemplateMembers()
	r.fill(t, s)
	return t
}

func (s *shape) dropTemplateMembers() {
	s.properties = slices.DeleteFunc(s.properties, func(m *member) bool { return templateMembers[m.name] })
	maps.DeleteFunc(s.required, func(name string, _ bool) bool { return templateMembers[name] })
	for _, choice := range s.choices {
		for _, alternative := range choice {
			alternative.dropTemplateMembers()
		}
	}
}
