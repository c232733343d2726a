package biceptypes

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// resource is a resource whose types have no final names yet.
type resource struct {
	ir.Resource
	body *namedType
}

// candidate is one description of a resource type that a PUT creates.
type candidate struct {
	armType string // as the document has it
	at      element
	body    element
	// names has the body for each fixed name, if the name selects the body.
	names map[string]element
}

// types returns the resource types of a candidate. If the name of the resource selects
// its body, there is one for each name, such as Microsoft.Web/sites/config/web.
func (c candidate) types() []string {
	if len(c.names) < 2 {
		return []string{c.armType}
	}
	var types []string
	for name := range c.names {
		types = append(types, c.armType+"/"+name)
	}
	slices.Sort(types)
	return types
}

// candidates returns all descriptions of resources in the roots.
func (r *reader) candidates() []candidate {
	var found []candidate
	for _, doc := range r.roots {
		for _, node := range doc.Root.Items() {
			at := element{doc, node}
			if at.kind() != "ResourceType" {
				continue
			}
			armType, version, _ := strings.Cut(node.Get("name").Text(), "@")
			if !strings.Contains(armType, "/") || version == "" {
				r.errorf(at, "the resource is named %q, expected its type and version, such as \"Microsoft.Cache/redis@2024-01-01\"",
					node.Get("name").Text())
				continue
			}
			if version != r.in.APIVersion {
				r.errorf(at.get("name"), "%s is described at version %s, expected %s", armType, version, r.in.APIVersion)
				continue
			}
			c := candidate{armType: armType, at: at, body: r.target(at.get("body"))}
			if scopes, ok := node.Get("writableScopes").Int(); ok && scopes == 0 || c.body.node == nil {
				continue // no PUT creates it
			}
			c.names = r.bodiesByName(c.body)
			found = append(found, c)
		}
	}
	return found
}

// bodiesByName returns the bodies of a resource whose name selects one.
func (r *reader) bodiesByName(body element) map[string]element {
	if body.kind() != "DiscriminatedObjectType" || body.node.Get("discriminator").Text() != "name" {
		return nil
	}
	names := map[string]element{}
	for _, m := range body.node.Get("elements").Members() {
		if t := r.target(element{body.doc, m.Value}); t.node != nil {
			names[m.Name] = t
		}
	}
	return names
}

// resources returns the exported resources. Their types are read by readTypes.
func (r *reader) resources() []*resource {
	byType := map[string][]candidate{}
	for _, c := range r.candidates() {
		folded := strings.ToLower(c.armType)
		byType[folded] = append(byType[folded], c)
	}
	var exports, resources = []string{}, []*resource{}
	for t := range r.in.Exports {
		exports = append(exports, t)
	}
	slices.Sort(exports)
	for _, armType := range exports {
		if found := byType[strings.ToLower(armType)]; len(found) > 0 {
			if res := r.resource(armType, "", found); res != nil {
				resources = append(resources, res)
			}
			continue
		}
		parent, name := armType[:strings.LastIndexByte(armType, '/')], armType[strings.LastIndexByte(armType, '/')+1:]
		found := slices.DeleteFunc(slices.Clone(byType[strings.ToLower(parent)]),
			func(c candidate) bool { return c.fixed(name) == "" })
		if len(found) > 0 {
			resources = append(resources, r.resource(armType, found[0].fixed(name), found))
		}
	}
	return resources
}

// fixed returns the fixed name of a candidate that is equal to a name without regard to
// case, or "".
func (c candidate) fixed(name string) string {
	for _, own := range c.fixedNames() {
		if strings.EqualFold(own, name) {
			return own
		}
	}
	return ""
}

// fixedNames returns the fixed names of a candidate, sorted.
func (c candidate) fixedNames() []string {
	var names []string
	for name := range c.names {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// resource returns a resource, whose fixed name the export has at its end if named is not
// "". It returns nil if other exports have all of its names.
func (r *reader) resource(armType, named string, found []candidate) *resource {
	c := found[0]
	res := &resource{Resource: ir.Resource{
		Type: armType, Kind: r.in.Exports[armType], FixedName: named, Scopes: scopes(found),
	}}
	bodies := []element{c.body}
	if named != "" {
		res.ARM = armType[:strings.LastIndexByte(armType, '/')]
		bodies = []element{c.body, c.names[named]}
	} else if len(c.names) > 0 {
		rest := slices.DeleteFunc(c.fixedNames(), func(name string) bool { return r.exported(c.armType+"/"+name) != "" })
		bodies = bodies[:1]
		for _, name := range rest {
			bodies = append(bodies, c.names[name])
		}
		switch len(rest) {
		case 0:
			return nil
		case 1:
			res.FixedName = rest[0]
		default:
			r.note(ir.Approximated, nil, "", c.at, "%s has other properties for each of the names %s; here it has "+
				"all of them, and each is optional: export them as %[1]s/%s and so on to keep them apart", armType,
				strings.Join(rest, ", "), rest[0])
		}
	}
	for _, other := range found[1:] {
		r.note(ir.Approximated, nil, "", other.at, "%s is described in %s too, which is used", armType, c.at.doc.Name)
	}
	parent := cmp.Or(res.ARM, armType)
	if parent = parent[:strings.LastIndexByte(parent, '/')]; strings.Contains(parent, "/") {
		res.Parent = cmp.Or(r.exported(parent), parent)
	}
	if res.FixedName == "" && len(c.names) == 0 {
		res.FixedName, res.Name = r.name(c)
	}
	res.body = r.typeAt(typeKey{node: bodies[0].node, body: armType}, bodies[0], hint{part: res.Kind})
	res.body.bodies = bodies
	return res
}

// exported returns a resource type as it is exported, or "".
func (r *reader) exported(armType string) string {
	for own := range r.in.Exports {
		if strings.EqualFold(own, armType) {
			return own
		}
	}
	return ""
}

// scopes returns the scopes of a resource: those of its descriptions.
func scopes(found []candidate) []ir.Scope {
	var all []ir.Scope
	for _, c := range found {
		mask, _ := c.at.node.Get("writableScopes").Int()
		if scope := scopeOf(mask); !slices.Contains(all, scope) {
			all = append(all, scope)
		}
	}
	slices.Sort(all)
	return all
}

// scopeOf returns the scope of a mask of Bicep's scopes. A resource of several scopes, or
// of management groups, is an extension, whose owner says where it is.
func scopeOf(mask int64) ir.Scope {
	switch mask {
	case 1:
		return ir.Tenant
	case 4:
		return ir.Subscription
	case 8:
		return ir.ResourceGroup
	}
	return ir.Extension
}

// name returns the fixed name of a resource, or the limits on its name, if there are any.
func (r *reader) name(c candidate) (fixed string, limits *ir.Validation) {
	members := c.body.node.Get("properties")
	if members == nil {
		members = c.body.node.Get("baseProperties")
	}
	ref := element{c.body.doc, members.Get("name").Get("type")}
	if ref.node == nil {
		return "", nil
	}
	t := r.target(ref)
	switch t.kind() {
	case "StringLiteralType":
		return t.node.Get("value").Text(), nil
	case "UnionType":
		values, open := r.literals(t)
		switch {
		case open || len(values) == 0:
			return "", nil
		case len(values) == 1:
			return values[0], nil
		}
		for i, v := range values {
			values[i] = regexp.QuoteMeta(v)
		}
		return "", &ir.Validation{Pattern: "^(" + strings.Join(values, "|") + ")$"}
	case "StringType":
		return "", r.limits(t, nil, "")
	}
	return "", nil
}

// addCollections finds the collections of the resources of a version. The children need
// not be exported, so they are read once more, as if they were.
func (r *reader) addCollections(v *ir.Version) {
	named := func(ref ir.TypeRef) *ir.Type { return v.Type(ref.Named) }
	exports, candidates := map[string]string{}, r.candidates()
	for _, res := range v.Resources {
		armType := cmp.Or(res.ARM, res.Type)
		if len(collections.Lists(v.Type(res.Spec), named)) == 0 {
			continue
		}
		for _, c := range candidates {
			if collections.IsChild(c.armType, armType) {
				exports[res.Type], exports[c.armType] = res.Kind, c.armType
			}
		}
	}
	if len(exports) == 0 {
		return
	}
	again := &reader{in: r.in, roots: r.roots, byKey: map[typeKey]*namedType{}, within: map[*jsontree.Node]bool{}}
	again.in.Exports = exports
	resources := again.resources()
	again.readTypes()
	inner := func(ref ir.TypeRef) *ir.Type {
		if t := again.named(ref); t != nil {
			return &t.Type
		}
		return nil
	}
	for _, res := range v.Resources {
		var children []collections.Child
		var body *ir.Type
		for _, other := range resources {
			if other.Type == res.Type {
				body = &other.body.Type
			} else if collections.IsChild(other.Type, cmp.Or(res.ARM, res.Type)) {
				children = append(children, collections.Child{Type: other.Type, Body: &other.body.Type})
			}
		}
		if body != nil {
			res.Collections = collections.Find(body, children, inner)
		}
	}
}
