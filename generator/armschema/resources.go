package armschema

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
)

// resource is a resource whose types have no final names yet.
type resource struct {
	ir.Resource
	body *namedType
}

// addCollections finds the collections of the resources of a version. The children need
// not be exported, so they are read once more, as if they were.
func addCollections(in documents.Input, v *ir.Version) {
	exports := map[string]string{}
	r := newReader(in)
	for _, c := range r.candidates() {
		for _, res := range v.Resources {
			named := func(ref ir.TypeRef) *ir.Type { return v.Type(ref.Named) }
			armType := cmp.Or(res.ARM, res.Type)
			if collections.IsChild(c.armType, armType) && len(collections.Lists(v.Type(res.Spec), named)) > 0 {
				exports[res.Type], exports[c.armType] = res.Kind, c.armType
			}
		}
	}
	if len(exports) == 0 {
		return
	}
	r.in.Exports = exports
	resources := r.readResources()
	named := func(ref ir.TypeRef) *ir.Type {
		if t := r.named(ref); t != nil {
			return &t.Type
		}
		return nil
	}
	for _, res := range v.Resources {
		var body *ir.Type
		var children []collections.Child
		for _, other := range resources {
			if collections.IsChild(other.Type, cmp.Or(res.ARM, res.Type)) {
				children = append(children, collections.Child{Type: other.Type, Body: &other.body.Type})
			}
			if other.Type == res.Type {
				body = &other.body.Type
			}
		}
		if body != nil {
			res.Collections = collections.Find(body, children, named)
		}
	}
}

// candidate is one description of a resource type.
type candidate struct {
	armType string // as the document has it
	scope   ir.Scope
	at      schema
	// child reports whether the description is nested in that of the parent.
	child bool
	// fixed is the only name of the resource, or "" if there are several. A description
	// may have an alternative for each name.
	fixed string
	// named reports whether the export ends in that name.
	named bool
	// without are the names of which each has an export of its own.
	without []string
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

// exported returns the types to read, sorted.
func (r *reader) exported() []string {
	var types []string
	for armType := range r.in.Exports {
		types = append(types, armType)
	}
	slices.Sort(types)
	return types
}

// exports reports whether a type is to be read.
func (r *reader) exports(armType string) bool {
	for exported := range r.in.Exports {
		if strings.EqualFold(exported, armType) {
			return true
		}
	}
	return false
}

// candidates returns all descriptions of resources in the roots.
func (r *reader) candidates() []candidate {
	var found []candidate
	for _, doc := range r.roots {
		var top, others []candidate
		for _, section := range sections {
			for _, m := range doc.Root.Get(section.name).Members() {
				c := candidate{scope: section.scope, at: schema{doc, m.Value}}
				c.armType = r.typeOf(c.at)
				if !strings.Contains(c.armType, "/") {
					r.errorf(c.at, "the resource %q does not say its type; expected \"properties\" to have a "+
						"\"type\" with one value, such as \"Microsoft.Cache/redis\"", m.Name)
					continue
				}
				if r.isOfVersion(c) {
					top = append(top, c)
				} else {
					others = append(others, c)
				}
			}
		}
		r.leaveOut(others, len(top) > 0)
		for _, c := range top {
			found = append(found, r.byName(c)...)
			found = r.children(found, c, 0)
		}
	}
	return found
}

// typeOf returns the ARM type of a resource: the only value of its property
// "type".
func (r *reader) typeOf(at schema) string {
	value, _ := r.onlyValue(&member{schemas: []schema{at.get("properties").get("type")}})
	return value
}

// versions returns the API versions that a description is for. There are none if
// it does not say.
func (r *reader) versions(c candidate) []string {
	inner, _ := r.unwrap(c.at.get("properties").get("apiVersion"))
	return enumValues(inner)
}

// isOfVersion reports whether a description is for the version that is read.
func (r *reader) isOfVersion(c candidate) bool {
	versions := r.versions(c)
	return len(versions) == 0 || slices.Contains(versions, r.in.APIVersion)
}

// leaveOut notes the descriptions of a document that are for other versions. They
// are errors if the document has none for the version that is read.
func (r *reader) leaveOut(others []candidate, mixed bool) {
	for _, c := range others {
		version := c.at.get("properties").get("apiVersion")
		text := strings.Join(r.versions(c), ", ")
		switch {
		case !mixed:
			r.errorf(version, "%s is described at version %s, expected %s", c.armType, text, r.in.APIVersion)
		case r.exports(c.armType):
			r.note(ir.Skipped, version, "%s is described here at version %s", c.armType, text)
		}
	}
}

// children appends the resources that are nested in parent. Their descriptions
// have the last segment of the type only.
func (r *reader) children(found []candidate, parent candidate, depth int) []candidate {
	list, _ := alternatives(parent.at.get("properties").get("resources").get("items"))
	for _, item := range list {
		inner, _ := r.unwrap(item)
		segment := r.typeOf(inner)
		if segment == "" || depth > maxSteps {
			continue
		}
		c := candidate{armType: parent.armType + "/" + segment, scope: parent.scope, at: inner, child: true}
		found = append(found, r.byName(c)...)
		found = r.children(found, c, depth+1)
	}
	return found
}

// byName returns a candidate for each fixed name of a description with which the
// resource is exported, such as Microsoft.Web/sites/config/web, and one for the rest.
func (r *reader) byName(c candidate) []candidate {
	var found []candidate
	var rest []string
	names := r.fixedNames(c.at)
	for _, name := range names {
		own := c
		if own.armType += "/" + name; !r.exports(own.armType) {
			rest = append(rest, name)
			continue
		}
		own.fixed, own.named = name, true
		found = append(found, own)
		c.without = append(c.without, name)
	}
	if len(rest) == 1 {
		c.fixed = rest[0]
	}
	if len(rest) > 0 || len(names) == 0 {
		found = append(found, c)
	}
	return found
}

// fixedNames returns the only name of a resource, or those of its alternatives. There
// are none if a name is free.
func (r *reader) fixedNames(at schema) []string {
	if name := r.onlyName(at); name != "" {
		return []string{name}
	}
	var names []string
	choice, _ := alternatives(at)
	for _, alternative := range choice {
		name := r.onlyName(alternative)
		if name == "" {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// resource reads a resource from the best of its descriptions.
func (r *reader) resource(armType string, candidates []candidate) *resource {
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		return cmp.Compare(r.rank(a), r.rank(b))
	})
	best := candidates[0]
	res := &resource{Resource: ir.Resource{
		Type: armType, Kind: r.in.Exports[armType], Scopes: scopes(candidates),
	}}
	if best.named {
		res.ARM = armType[:strings.LastIndexByte(armType, '/')]
	}
	res.Parent = r.parent(cmp.Or(res.ARM, armType))
	if best.child {
		r.note(ir.Approximated, best.at, "only the description of %s that is nested in its parent is complete; it is used", armType)
	}
	for _, c := range candidates[1:] {
		if c.child == best.child && !same(c.at.node, best.at.node) {
			r.note(ir.Approximated, c.at, "%s is described differently at %s, which is used", armType, best.at.pointer())
		}
	}
	if res.FixedName = best.fixed; res.FixedName == "" {
		r.countLimits(best.at.get("properties").get("name"))
	}
	res.body = r.body(best, res.Kind)
	return res
}

// rank returns the place of a description in the order of preference. Those at
// the top of a document come before nested ones, and those whose alternatives no
// property distinguishes come last.
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

// scopes returns the scopes of a resource. A resource that is listed at every
// scope has the scope as a parameter, so it is an extension.
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

// parent returns the type of the parent resource, or "" if there is none. It has
// the spelling with which the parent is exported, if it is.
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

// fixed matches the pattern of a name whose last segment is fixed, such as
// "^.*/default$": in a template, the name of a child begins with its parents'.
var fixed = regexp.MustCompile(`^\^\.\*/((?:\\\$|[A-Za-z0-9_-])+)\$$`)

const nameLimits = "limits on the names of resources are not checked (%d of them, the first is here)"

// onlyName returns the only name that the resource of a description may have, or ""
// if there are several.
func (r *reader) onlyName(at schema) string {
	at, _ = r.unwrap(at)
	inner, _ := r.unwrap(at.get("properties").get("name"))
	if inner.node == nil {
		return ""
	}
	if values := enumValues(inner); len(values) == 1 {
		return values[0]
	}
	if match := fixed.FindStringSubmatch(inner.node.Get("pattern").Text()); match != nil {
		return strings.ReplaceAll(match[1], `\$`, "$")
	}
	return ""
}

// countLimits counts the limits on a name that is not fixed.
func (r *reader) countLimits(name schema) {
	if inner, _ := r.unwrap(name); inner.node != nil && (len(enumValues(inner)) > 0 || r.limits(inner).Checked() != nil) {
		r.count(inner, nameLimits)
	}
}

// templateMembers are the members of a resource in a template that the body of
// its PUT does not have: they name the resource, or control the deployment.
var templateMembers = map[string]bool{
	"apiVersion": true, "type": true, "name": true, "resources": true,
	"dependsOn": true, "condition": true, "copy": true, "comments": true, "scope": true,
}

// body returns the type of a resource's request.
func (r *reader) body(c candidate, kind string) *namedType {
	t, _ := r.typeAt(r.own(c), hint{part: kind})
	t.Kind = ir.Object
	// In published schemas this description is often just the type.
	text := c.at.node.Get("description").Text()
	if !strings.HasSuffix(strings.ToLower("/"+c.armType), strings.ToLower("/"+text)) {
		t.Doc = text
	}
	s := r.shape(c.at)
	r.choose(s, c)
	s.dropTemplateMembers()
	r.fill(t, s)
	return t
}

// own returns the alternative of a description that is for the candidate's fixed name
// alone, or the description.
func (r *reader) own(c candidate) schema {
	at, _ := r.unwrap(c.at)
	choice, _ := alternatives(at)
	for _, alternative := range choice {
		if c.fixed != "" && r.onlyName(alternative) == c.fixed {
			return alternative
		}
	}
	return c.at
}

// choose leaves of a shape the alternatives that are for the candidate's fixed name,
// or for those that no other export has.
func (r *reader) choose(s *shape, c candidate) {
	choices := s.choices
	s.choices = nil
	for _, choice := range choices {
		left := slices.DeleteFunc(slices.Clone(choice), func(alternative *shape) bool {
			name := r.onlyName(alternative.at)
			return name != "" && (c.fixed != "" && name != c.fixed || slices.Contains(c.without, name))
		})
		switch {
		case len(left) == 0: // the names contradict that of the description
			s.choices = append(s.choices, choice)
		case len(left) == 1 && len(choice) > 1: // it is no choice any more
			r.gather(s, left[0].at)
		default:
			s.choices = append(s.choices, left)
		}
	}
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
