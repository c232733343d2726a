package biceptypes

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// description is one description of a resource type.
type description struct {
	armType  string // as the document has it
	at, body place
	// scopes is the sum of the scopes at which the resource has a PUT, or 0.
	scopes int
	// names are the only names that the resource may have, or nil. known are those of an
	// open set.
	names, known []string
}

// descriptions returns the resources in the roots.
func (r *reader) descriptions() []description {
	var found []description
	for _, doc := range r.roots {
		var own, others []place
		for _, node := range doc.Root.Items() {
			at := place{doc, node}
			if !at.is("ResourceType") {
				continue
			}
			if scopes := at.get("scopeType"); scopes.node != nil {
				r.errorf(scopes, "found \"scopeType\", which bicep types had before September 2025, expected \"writableScopes\"; "+
					"the types since then are read")
				break // all resources of the file have it
			}
			armType, version, _ := strings.Cut(node.Get("name").Text(), "@")
			if strings.Count(armType, "/") < 1 || strings.HasPrefix(armType, "/") || strings.HasSuffix(armType, "/") {
				r.errorf(at, "found the name %q, expected a type and a version, such as \"Microsoft.Cache/redis@2024-11-01\"",
					node.Get("name").Literal())
				continue
			}
			if version != r.in.APIVersion {
				others = append(others, at.get("name"))
				continue
			}
			own = append(own, at)
			d := description{armType: armType, at: at}
			if scopes := at.get("writableScopes"); r.checkKind(at, "writableScopes", jsontree.Number) {
				mask, whole := scopes.node.Int()
				if !whole || mask < 0 || mask > 31 {
					r.errorf(scopes, "found %s, expected a sum of 1, 2, 4, 8 and 16", scopes.node.Literal())
				}
				d.scopes = int(mask)
			}
			if d.body = r.target(at.get("body")); d.body.node == nil {
				r.checkKind(at, "body", jsontree.Object)
				continue
			}
			d.names, d.known = r.names(d.body)
			found = append(found, d)
		}
		for _, at := range others {
			if len(own) == 0 {
				r.errorf(at, "%s is of another version, expected %s", at.node.Text(), r.in.APIVersion)
			} else if armType, _, _ := strings.Cut(at.node.Text(), "@"); r.export(armType) != "" {
				r.note(ir.Skipped, nil, "", at, "%s is of another version; it is left out", at.node.Text())
			}
		}
	}
	return found
}

// export returns a resource type as the group exports it, or "".
func (r *reader) export(armType string) string {
	for own := range r.in.Exports {
		if strings.EqualFold(own, armType) {
			return own
		}
	}
	return ""
}

// byNames reports whether a body is a union of the resources of one type that have
// fixed names, such as sites/config.
func byNames(body place) bool {
	return body.is("DiscriminatedObjectType") && body.node.Get("discriminator").Text() == "name"
}

// properties returns the member of a body that has its own properties.
func properties(object place) place {
	if object.is("DiscriminatedObjectType") {
		return object.get("baseProperties")
	}
	return object.get("properties")
}

// names returns the only names that a resource may have, or nil, and those of an open
// set. A single value of an open set is a fixed name too, as one of a path in Swagger.
func (r *reader) names(body place) (only, known []string) {
	if byNames(body) {
		return slices.Sorted(slices.Values(body.node.Get("elements").Names())), nil
	}
	name := properties(body).get("name").get("type")
	if name.node == nil {
		return nil, nil
	}
	t := r.target(name)
	if t.is("StringLiteralType") {
		return []string{t.node.Get("value").Text()}, nil
	}
	literals, rest := r.literals(t)
	if len(literals) == 1 || len(rest) == 0 {
		return literals, nil
	}
	return nil, literals
}

// resource is a resource whose types have no final names yet.
type resource struct {
	ir.Resource
	body *namedType
	// others are the descriptions of the same resource in other files.
	others []otherBody
}

type otherBody struct {
	at   place
	body *namedType
}

// readResources finds the exported resources among the descriptions, and reads their
// bodies.
func (r *reader) readResources(all []description) []*resource {
	writable, readOnly := map[string][]description{}, map[string][]description{}
	for _, d := range all {
		byType := readOnly
		if d.scopes != 0 {
			byType = writable
		}
		folded := strings.ToLower(d.armType)
		byType[folded] = append(byType[folded], d)
	}
	var resources []*resource
	for _, armType := range slices.Sorted(maps.Keys(r.in.Exports)) {
		folded, name := strings.ToLower(armType), ""
		found := writable[folded]
		if found == nil {
			// sites/config/web may be an export of its own, of the type sites/config.
			at := strings.LastIndexByte(armType, '/')
			name = armType[at+1:]
			found = slices.DeleteFunc(slices.Clone(writable[folded[:max(at, 0)]]), func(d description) bool {
				return !slices.ContainsFunc(d.names, func(n string) bool { return strings.EqualFold(n, name) })
			})
		}
		if res := r.resource(armType, name, found); res != nil {
			resources = append(resources, res)
		}
		if len(found) == 0 && readOnly[folded] != nil {
			r.note(ir.Skipped, nil, "", readOnly[folded][0].at, "%s has no PUT; it is left out", armType)
		}
	}
	return resources
}

// scopeBits are the scopes that a mask may have alone. Each other mask is that of an
// extension: the resource can be at several scopes, at a management group, or on
// another resource.
var scopeBits = map[int]ir.Scope{1: ir.Tenant, 4: ir.Subscription, 8: ir.ResourceGroup}

// resource reads a resource from its descriptions, of which the first is used. The
// name is that of the export where it ends in one, else "". It returns nil if all names
// have exports of their own.
func (r *reader) resource(armType, name string, found []description) *resource {
	if len(found) == 0 {
		return nil
	}
	res := &resource{Resource: ir.Resource{Type: armType, Kind: r.in.Exports[armType]}}
	mask := 0
	for _, d := range found {
		mask |= d.scopes
	}
	res.Scopes = []ir.Scope{cmp.Or(scopeBits[mask], ir.Extension)}
	names := func(d description) []string {
		return slices.DeleteFunc(slices.Clone(d.names), func(n string) bool {
			if name != "" {
				return !strings.EqualFold(n, name)
			}
			return r.export(armType+"/"+n) != ""
		})
	}
	best := found[0]
	left := names(best)
	switch {
	case name != "":
		res.ARM = armType[:strings.LastIndexByte(armType, '/')]
	case len(best.names) > 0 && len(left) == 0:
		return nil
	}
	if len(left) == 1 {
		res.FixedName = left[0]
	}
	if parent := parentOf(cmp.Or(res.ARM, armType)); parent != "" {
		res.Parent = cmp.Or(r.export(parent), parent)
	}
	res.body = r.body(armType, res.Kind, best, left)
	if res.FixedName == "" {
		res.NameLimits, res.KnownNames = r.nameLimits(best, left, res.body), best.known
	}
	for _, d := range found[1:] {
		res.others = append(res.others, otherBody{d.at, r.body(armType, res.Kind, d, names(d))})
	}
	return res
}

// nameLimits returns the limits on the name of a resource that may have several, or any
// name if there are none. It returns nil if there are no limits.
func (r *reader) nameLimits(d description, names []string, body *namedType) *ir.Validation {
	if len(names) > 1 {
		return &ir.Validation{Pattern: ir.OneOf(names)}
	}
	name := properties(d.body).get("name").get("type")
	if name.node == nil {
		return nil
	}
	return r.limits(r.target(name), user{body, "azureName"})
}

// parentOf returns the type of the parent resource, or "" if there is none.
func parentOf(armType string) string {
	parent := armType[:strings.LastIndexByte(armType, '/')]
	if !strings.Contains(parent, "/") {
		return ""
	}
	return parent
}

// body returns the type of the body of a resource. Where its type is a union by name,
// these are the names that the resource may have.
func (r *reader) body(armType, kind string, d description, names []string) *namedType {
	key := typeKey{node: d.body.node, role: armType}
	if !byNames(d.body) {
		return r.object(key, name{own: kind, body: true}, r.parts(d.body))
	}
	p := parts{properties: []place{properties(d.body)}}
	var bodies []parts
	for _, name := range names {
		if element := r.target(d.body.get("elements").get(name)); element.node != nil {
			bodies = append(bodies, r.parts(element))
		}
	}
	if len(bodies) == 1 {
		bodies[0].properties = append(p.properties, bodies[0].properties...)
		p = bodies[0]
	} else {
		p.alternatives = bodies
	}
	return r.object(key, name{own: kind, body: true}, p)
}

// addCollections finds the collections of the resources, whose children need not be
// exported. What is wrong with a child that is not matters to nobody.
func (r *reader) addCollections(resources []*resource, found []description) {
	notes, errs := r.notes, r.errs
	defer func() { r.notes, r.errs = notes, errs }()
	named := func(ref ir.TypeRef) *ir.Type {
		if t := r.named(ref); t != nil {
			return &t.Type
		}
		return nil
	}
	for _, res := range resources {
		if len(collections.Lists(&res.body.Type, named)) == 0 {
			continue
		}
		var children []collections.Child
		for _, d := range found {
			if d.scopes != 0 && collections.IsChild(d.armType, cmp.Or(res.ARM, res.Type)) {
				children = append(children, collections.Child{Type: d.armType, Body: &r.body("child", "Child", d, d.names).Type})
			}
		}
		r.fillAll()
		res.Collections = collections.Find(&res.body.Type, children, named)
	}
}
