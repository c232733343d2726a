package swagger

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/ir"
)

// put is the PUT of an exported resource at one path.
type put struct {
	armType string // as exported
	arm     string // ARM's, where the export has a fixed name too
	kind    string
	parent  string
	scope   ir.Scope
	fixed   string
	path    string

	item schema // the path's item
	body schema // of the request; its node is nil if there is none
}

// resource is a resource whose types have no final names yet.
type resource struct {
	ir.Resource
	spec, status *namedType
	// others are the PUTs of the same type at other paths, with their bodies.
	others []otherPut
}

type otherPut struct {
	put  put
	spec *namedType
}

// readResources finds the exported resources and reads their types.
func (r *reader) readResources() []*resource {
	byType := map[string][]put{}
	for _, p := range r.puts() {
		byType[p.armType] = append(byType[p.armType], p)
	}
	var resources []*resource
	for _, puts := range sortedValues(byType) {
		resources = append(resources, r.resource(puts))
	}
	r.findDeletes(resources)
	return resources
}

// findDeletes clears NoDelete of the resources whose DELETE is not beside a PUT: its path
// can name the parameters in another way, or be in another document.
func (r *reader) findDeletes(resources []*resource) {
	r.eachPath("delete", func(template string, item schema) {
		found := r.resourcesAt(resources, template, r.parameters(item, "delete"))
		for _, res := range resources {
			if slices.Contains(found, res.Type) {
				res.NoDelete = false
			}
		}
	})
}

// addCollections finds the collections of the resources, whose children need not be
// exported. What is wrong with a child that is not matters to nobody.
func (r *reader) addCollections(resources []*resource) {
	notes, errs := r.notes, r.errs
	defer func() { r.notes, r.errs = notes, errs }()
	bodies := map[string][]put{} // of all types, by their parents' types in lower case
	r.eachPath("put", func(template string, item schema) {
		parameters := r.parameters(item, "put")
		_, types := r.typesAt(template, parameters)
		for _, t := range types {
			parent, child := strings.ToLower(t[:strings.LastIndexByte(t, '/')]), t[strings.LastIndexByte(t, '/')+1:]
			if body := bodyOf(parameters); body.node != nil {
				bodies[parent] = append(bodies[parent], put{armType: t, kind: child, item: item, body: body})
			}
		}
	})
	named := func(ref ir.TypeRef) *ir.Type {
		if t := r.typeOf(ref); t != nil {
			return &t.Type
		}
		return nil
	}
	for _, res := range resources {
		var children []collections.Child
		for _, p := range bodies[strings.ToLower(cmp.Or(res.ARM, res.Type))] {
			children = append(children, collections.Child{Type: p.armType, Body: &r.body(p).Type})
		}
		res.Collections = collections.Find(&res.spec.Type, children, named)
	}
}

// puts returns the PUTs of exported resources in all roots.
func (r *reader) puts() []put {
	exports := map[string]string{}
	for armType := range r.in.Exports {
		exports[strings.ToLower(armType)] = armType
	}
	var puts []put
	r.eachPath("put", func(template string, item schema) {
		puts = append(puts, r.putsAt(exports, template, item)...)
	})
	return puts
}

// rootTypes returns the resource types of all paths with a PUT, by root.
func (r *reader) rootTypes() map[string][]string {
	found := map[string][]string{}
	r.eachPath("put", func(template string, item schema) {
		_, types := r.typesAt(template, r.parameters(item, "put"))
		for _, t := range types {
			if !slices.Contains(found[item.doc.Name], t) {
				found[item.doc.Name] = append(found[item.doc.Name], t)
			}
		}
	})
	return found
}

// eachPath calls f with each path of the roots that has an operation.
func (r *reader) eachPath(operation string, f func(template string, item schema)) {
	for _, doc := range r.roots {
		for _, section := range []string{"paths", "x-ms-paths"} {
			for _, m := range doc.Root.Get(section).Members() {
				if m.Value.Has(operation) {
					template, _, _ := strings.Cut(m.Name, "?")
					f(strings.TrimSuffix(template, "/"), schema{doc, m.Value})
				}
			}
		}
	}
}

// resourceGroup matches the path of a resource group, the one resource whose path
// names no provider.
var resourceGroup = regexp.MustCompile(`(?i)^(/subscriptions/\{[^/]+\})/resourcegroups/\{[^/]+\}$`)

// typesAt returns the resource types of a path, given the parameters of its PUT, and
// what precedes the last "/providers/". There are several types if a parameter with an enum stands for
// one, and none if the path is not that of a resource.
func (r *reader) typesAt(template string, parameters []schema) (prefix string, types []string) {
	if group := resourceGroup.FindStringSubmatch(template); group != nil {
		return group[1], []string{"Microsoft.Resources/resourceGroups"}
	}
	const providers = "/providers/"
	at := strings.LastIndex(strings.ToLower(template), providers)
	if at < 0 {
		return "", nil
	}
	segments := strings.Split(template[at+len(providers):], "/")
	if len(segments) < 3 || len(segments)%2 == 0 {
		return "", nil
	}
	types = []string{segments[0]}
	for i := 1; i < len(segments); i += 2 {
		var longer []string
		for _, segment := range pathValues(parameters, segments[i]) {
			for _, t := range types {
				longer = append(longer, t+"/"+segment)
			}
		}
		types = longer
	}
	return template[:at], types
}

// putsAt returns the PUTs of exported resources at one path.
func (r *reader) putsAt(exports map[string]string, template string, item schema) []put {
	parameters := r.parameters(item, "put")
	prefix, types := r.typesAt(template, parameters)
	var puts []put
	names := pathValues(parameters, template[strings.LastIndex(template, "/")+1:])
	for _, t := range types {
		armType, exported := exports[strings.ToLower(t)]
		arm := ""
		if len(names) == 1 {
			// sites/config/web is an export of its own, of the type sites/config.
			if own, found := exports[strings.ToLower(t+"/"+names[0])]; found {
				armType, exported, arm = own, true, own[:strings.LastIndex(own, "/")]
			}
		}
		if !exported {
			continue
		}
		p := put{armType: armType, arm: arm, kind: r.in.Exports[armType], scope: scopeOf(prefix), path: template, item: item}
		if parent := t[:strings.LastIndex(t, "/")]; strings.Contains(parent, "/") {
			p.parent = cmp.Or(exports[strings.ToLower(parent)], parent)
		}
		if len(names) == 1 {
			p.fixed = names[0]
		}
		p.body = bodyOf(parameters)
		puts = append(puts, p)
	}
	return puts
}

// bodyOf returns the schema of the body among the parameters of an operation. Its node
// is nil if there is none.
func bodyOf(parameters []schema) (body schema) {
	for _, parameter := range parameters {
		if parameter.node.Get("in").Text() == "body" {
			body = parameter.get("schema")
		}
	}
	return body
}

// scopeOf returns the scope of a resource, given what precedes the last
// "/providers/" of its path.
func scopeOf(prefix string) ir.Scope {
	segments := strings.Split(strings.ToLower(prefix), "/")
	switch {
	case prefix == "":
		return ir.Tenant
	case len(segments) == 3 && segments[1] == "subscriptions":
		return ir.Subscription
	case len(segments) == 5 && segments[1] == "subscriptions" && segments[3] == "resourcegroups":
		return ir.ResourceGroup
	}
	return ir.Extension
}

// parameters returns the parameters of a path's operation: those of the path, then
// its own.
func (r *reader) parameters(item schema, operation string) []schema {
	var parameters []schema
	for _, list := range []schema{item.get("parameters"), item.get(operation).get("parameters")} {
		for _, parameter := range list.node.Items() {
			parameters = append(parameters, r.follow(schema{list.doc, parameter}))
		}
	}
	return parameters
}

// pathValues returns the values that a segment of a path may have: a literal, or
// the enum of a path parameter. It returns nil if any value is possible.
func pathValues(parameters []schema, segment string) []string {
	if !strings.HasPrefix(segment, "{") {
		return []string{segment}
	}
	name := strings.Trim(segment, "{}")
	var values []string
	for _, p := range parameters {
		if p.node.Get("in").Text() == "path" && p.node.Get("name").Text() == name {
			values = nil
			for _, value := range p.node.Get("enum").Items() {
				values = append(values, value.Literal())
			}
		}
	}
	return values
}

// resource merges the PUTs of one ARM type. Body and response are those of the
// first PUT at the narrowest scope.
func (r *reader) resource(puts []put) *resource {
	order := []ir.Scope{ir.ResourceGroup, ir.Subscription, ir.Extension, ir.Tenant}
	slices.SortStableFunc(puts, func(a, b put) int {
		return cmp.Compare(slices.Index(order, a.scope), slices.Index(order, b.scope))
	})
	first := puts[0]
	res := &resource{Resource: ir.Resource{
		Type: first.armType, ARM: first.arm, Kind: first.kind, Parent: first.parent, FixedName: first.fixed, Path: first.path,
		NoDelete: !slices.ContainsFunc(puts, func(p put) bool { return p.item.node.Has("delete") }),
	}}
	for _, p := range puts {
		if !slices.Contains(res.Scopes, p.scope) {
			res.Scopes = append(res.Scopes, p.scope)
		}
	}
	res.spec = r.body(first)
	if res.FixedName == "" {
		res.NameLimits, res.KnownNames, res.LikelyGUID = r.nameLimits(first, res.spec)
	}
	res.status = r.response(first, res.spec)
	for _, p := range puts[1:] {
		res.others = append(res.others, otherPut{p, r.body(p)})
	}
	r.sendable(res.spec)
	return res
}

// nameLimits returns the limits on the name of a resource, which is a parameter of the
// path, or nil if there are none, and the names that are known if there are others.
func (r *reader) nameLimits(p put, spec *namedType) (limits *ir.Validation, known []string, guid bool) {
	segment := p.path[strings.LastIndex(p.path, "/")+1:]
	parameters := r.parameters(p.item, "put")
	names := pathValues(parameters, segment)
	for _, parameter := range parameters {
		if parameter.node.Get("in").Text() == "path" && parameter.node.Get("name").Text() == strings.Trim(segment, "{}") {
			v := value{}
			r.stringValue(chain{parameter}, parameter.node.Get("format").Text(), &v, valueContext{owner: spec, property: "azureName"})
			limits = v.validation // those of the operation come last, and decide
			guid = saysGUID.MatchString(parameter.node.Get("description").Text()) || limits != nil && limits.Pattern == ir.GUID
			known = nil
			if parameter.node.Get("x-ms-enum").Get("modelAsString").True() {
				known = names
			}
		}
	}
	if len(names) > 0 && known == nil {
		limits = &ir.Validation{Pattern: ir.OneOf(names)}
	}
	return limits, known, guid
}

// saysGUID matches descriptions of a name that say that it is a GUID.
var saysGUID = regexp.MustCompile(`(?i)\b(guid|uuid)\b`)

// body returns the type of a PUT's request. For a PUT without a body, such as
// that of a resource without properties, it is an empty object.
func (r *reader) body(p put) *namedType {
	if p.body.node == nil {
		return r.emptyType(typeKey{p.item.node, nil}, p.kind+"Body", p.item)
	}
	return r.rootType(p.body, p.kind, "request body")
}

// response returns the type of the response of a PUT, else that of a GET, or nil
// if the spec has neither.
func (r *reader) response(p put, spec *namedType) *namedType {
	for _, try := range [][2]string{{"put", "200"}, {"put", "201"}, {"get", "200"}} {
		response := r.follow(p.item.get(try[0]).get("responses").get(try[1]))
		if body := response.get("schema"); body.node != nil {
			return r.rootType(body, p.kind+"Response", "response")
		}
	}
	r.note(ir.Approximated, spec, "", p.item.get("put"),
		"neither PUT nor GET has a response with a schema; the resource has no Status of its own")
	return nil
}

// rootType returns the object type of a body or a response.
func (r *reader) rootType(s schema, name, what string) *namedType {
	before := len(r.notes)
	v := r.value(s, valueContext{hint: name})
	if t := r.typeOf(v.ref); t != nil && t.Kind == ir.Object {
		return t
	}
	r.notes = r.notes[:before]
	t := r.emptyType(typeKey{s.node, s.node}, name, s) // not the key of an enum
	r.note(ir.Approximated, t, "", s, "the "+what+" is not an object with properties; it is read as an empty object")
	return t
}

// envelope has the properties that ARM itself gives every resource.
var envelope = map[string]bool{
	"id": true, "name": true, "type": true, "apiVersion": true, "systemData": true,
	"location": true, "tags": true, "etag": true,
}

// sendable removes the readOnly mark of a body's "properties" where it cannot be
// right: the body has nothing else to send, and a property in it is required.
func (r *reader) sendable(spec *namedType) {
	var bag *ir.Property
	for _, p := range spec.Properties {
		switch {
		case p.ARM == "properties":
			bag = p
		case !p.ReadOnly && !envelope[p.ARM]:
			return
		}
	}
	if bag == nil || !bag.ReadOnly {
		return
	}
	content := r.typeOf(bag.Type)
	if content == nil || !slices.ContainsFunc(content.Properties, func(p *ir.Property) bool { return p.Required && !p.ReadOnly }) {
		return
	}
	bag.ReadOnly = false
	r.note(ir.Approximated, spec, bag.ARM, spec.at, "\"properties\" is readOnly, yet the request has no other "+
		"content and part of it is required; it is read as writable")
}

// sortedValues returns the values of a map in the order of its keys.
func sortedValues[V any](m map[string]V) []V {
	var values []V
	for _, key := range slices.Sorted(maps.Keys(m)) {
		values = append(values, m[key])
	}
	return values
}
