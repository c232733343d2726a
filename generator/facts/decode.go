package facts

import (
	"errors"
	"go/token"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
)

// Decode reads a file that [Encode] wrote and returns the raw form of the version. Its
// resources have no kinds: see [Select]. Errors name the file and update, the command that
// writes it again.
func Decode(name, text, update string) (*ir.Version, error) {
	doc, err := jsontree.Parse(name, []byte(text))
	if err != nil {
		return nil, err
	}
	again := "; " + update + " writes the file again"
	if n, ok := doc.Root.Get("facts").Int(); !ok || n != Format {
		return nil, doc.Errorf(doc.Root.Get("facts"), "the format of the facts is %s, expected %d%s",
			orNothing(doc.Root.Get("facts")), Format, again)
	}
	var f file
	if err := json.Unmarshal([]byte(text), &f, json.RejectUnknownMembers(true)); err != nil {
		return nil, wrong(doc, err, again)
	}
	d := &decoder{doc: doc, types: map[string]ir.TypeKind{}, again: again}
	v := d.version(&f)
	if err := d.errs.Err(); err != nil {
		return nil, err
	}
	canonical, err := Encode(v)
	if err != nil {
		return nil, err
	}
	if string(canonical) != text {
		return nil, notCanonical(name, text, string(canonical), again)
	}
	return v, nil
}

func orNothing(n *jsontree.Node) string {
	if text := n.Literal(); text != "" {
		return text
	}
	return n.Kind().String()
}

// wrong returns the error for a member of the wrong type or of an unknown name.
func wrong(doc *jsontree.Document, err error, again string) error {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return diag.Error{File: doc.Name, Message: err.Error() + again}
	}
	at := doc.Find(string(semantic.JSONPointer))
	if errors.Is(err, json.ErrUnknownName) {
		return doc.Errorf(at, "no fact is called %q%s", semantic.JSONPointer.LastToken(), again)
	}
	return doc.Errorf(at, "%q is %s, which it cannot be%s", semantic.JSONPointer.LastToken(), at.Kind(), again)
}

// notCanonical returns the error for a text that says what the canonical one does, in
// another way.
func notCanonical(name, text, canonical, again string) error {
	found, expected := strings.Split(text, "\n"), strings.Split(canonical, "\n")
	at := 0
	for at < min(len(found), len(expected)) && found[at] == expected[at] {
		at++
	}
	line := func(lines []string) string {
		if at < len(lines) {
			return lines[at]
		}
		return ""
	}
	return diag.Error{File: name, Line: at + 1, Column: 1, Message: "found the line " + quote(line(found)) + ", expected " +
		quote(line(expected)) + again}
}

func quote(text string) string {
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return text
	}
	return string(quoted)
}

// decoder makes a version of the content of a file.
type decoder struct {
	doc   *jsontree.Document
	types map[string]ir.TypeKind // by name
	again string
	errs  diag.List
}

func (d *decoder) errorf(at *jsontree.Node, format string, args ...any) {
	err := d.doc.Errorf(at, format, args...)
	err.Message += d.again
	d.errs.Add(err)
}

func (d *decoder) version(f *file) *ir.Version {
	v := &ir.Version{Provider: f.Provider, APIVersion: f.APIVersion, Sources: f.Sources}
	nodes := d.doc.Root.Get("types").Items()
	for i := range f.Types {
		kind := ir.Object
		if f.Types[i].Base != "" {
			kind = ir.Enum
		}
		if name := f.Types[i].Name; !token.IsIdentifier(name) || !token.IsExported(name) {
			d.errorf(nodes[i].Get("name"), "the name %q is none of a Go type", name) // it is going to be one
		}
		if base := f.Types[i].Base; base != "" && !slices.Contains([]ir.Primitive{ir.String, ir.Integer, ir.Number}, base) {
			d.errorf(nodes[i].Get("base"), "the base of an enum is %q, expected string, integer or number", base)
		}
		if d.types[f.Types[i].Name] != "" {
			d.errorf(nodes[i], "a second type is called %s", f.Types[i].Name)
		}
		d.types[f.Types[i].Name] = kind
	}
	for i, t := range f.Types {
		v.Types = append(v.Types, d.typ(&t, nodes[i]))
	}
	for i, r := range f.Resources {
		v.Resources = append(v.Resources, d.resource(&r, d.doc.Root.Get("resources").Items()[i]))
	}
	for _, a := range f.Actions {
		action := ir.Action{Resource: a.Resource, Name: a.Name, Secret: a.Secret}
		for _, value := range a.Values {
			action.Values = append(action.Values, ir.ActionValue(value))
		}
		v.Actions = append(v.Actions, action)
	}
	return v
}

func (d *decoder) resource(r *resource, at *jsontree.Node) *ir.Resource {
	for _, body := range []string{"request", "response"} {
		name := at.Get(body).Text()
		if body == "response" && name == "" {
			continue
		}
		if d.types[name] != ir.Object {
			d.errorf(at.Get(body), "the %s is %q, expected a type with properties%s", body, name, d.didYouMean(name))
		}
	}
	scopes := []ir.Scope{ir.ResourceGroup, ir.Subscription, ir.Tenant, ir.Extension}
	for i, scope := range r.Scopes {
		if !slices.Contains(scopes, scope) {
			d.errorf(at.Get("scopes").Items()[i], "the scope is %q, expected one of %v", scope, scopes)
		}
	}
	resource := &ir.Resource{
		Type: r.Type, ARM: r.ARM, Scopes: r.Scopes, Parent: r.Parent, FixedName: r.FixedName, NameLimits: r.Name.validation(),
		KnownNames: r.KnownNames, LikelyGUID: r.LikelyGUID, NoDelete: r.NoDelete, Path: r.Path, Spec: r.Request, Status: r.Response,
		Requested: r.Requested,
	}
	for _, c := range r.Collections {
		resource.Collections = append(resource.Collections, ir.Collection(c))
	}
	return resource
}

func (d *decoder) typ(t *typ, at *jsontree.Node) *ir.Type {
	n := &ir.Type{
		Name: t.Name, Kind: d.types[t.Name], Source: t.Source, Discriminator: t.Discriminator, VariantOptional: t.VariantOptional,
		Base: t.Base, Open: t.Open,
	}
	for i, name := range naming.EnumNames(t.Values) {
		n.Values = append(n.Values, ir.EnumValue{Value: t.Values[i], Name: name})
	}
	nodes := at.Get("properties").Items()
	for i, p := range t.Properties {
		if p.Encoding != "" && p.Encoding != ir.Base64 && p.Encoding != ir.Base64URL {
			d.errorf(nodes[i].Get("encoding"), "the encoding is %q, expected %s or %s", p.Encoding, ir.Base64, ir.Base64URL)
		}
		n.Properties = append(n.Properties, &ir.Property{
			ARM: p.Name, Variant: p.Variant, Spread: p.Spread, Type: d.ref(p.Type, nodes[i].Get("type")), Source: p.Source,
			Required: p.Required, ReadOnly: p.ReadOnly, WriteOnly: p.WriteOnly, CreateOnly: p.CreateOnly, IsSecret: p.Secret,
			Encoding: p.Encoding, IsARMID: p.ARMID, ResourceTypes: p.ResourceTypes, MayBeFraction: p.MayBeFraction, Likely: p.Likely,
			ListKeys: p.ListKeys, Default: nodes[i].Get("default").JSON(), Validation: p.limits.validation(),
			ItemValidation: p.Elements.validation(), At: jsontree.Place{Doc: d.doc, Node: nodes[i]},
		})
	}
	return n
}

// ref returns the type that a text such as "[]Sku" names.
func (d *decoder) ref(text string, at *jsontree.Node) ir.TypeRef {
	if rest, is := strings.CutPrefix(text, "[]"); is {
		items := d.ref(rest, at)
		return ir.TypeRef{Items: &items}
	}
	if rest, is := strings.CutPrefix(text, "map[string]"); is {
		values := d.ref(rest, at)
		return ir.TypeRef{Map: &values}
	}
	primitives := []ir.Primitive{ir.String, ir.Integer, ir.Number, ir.Boolean, ir.Any}
	if primitive := ir.Primitive(text); slices.Contains(primitives, primitive) {
		return ir.TypeRef{Primitive: primitive}
	}
	if d.types[text] == "" {
		d.errorf(at, "there is no type %q%s", text, d.didYouMean(text))
	}
	return ir.TypeRef{Named: text}
}

func (d *decoder) didYouMean(name string) string {
	var names []string
	for known := range d.types {
		names = append(names, known)
	}
	slices.Sort(names)
	return diag.DidYouMean(name, names)
}

// validation returns the limits as the raw form has them, or nil if there are none.
func (l *limits) validation() *ir.Validation {
	if l == nil {
		return nil
	}
	v := &ir.Validation{
		MinLength: l.MinLength, MaxLength: l.MaxLength, Minimum: l.Minimum, ExclusiveMinimum: l.ExclusiveMinimum, Maximum: l.Maximum,
		ExclusiveMaximum: l.ExclusiveMaximum, MultipleOf: l.MultipleOf, MinItems: l.MinItems, MaxItems: l.MaxItems,
		Format: l.Format, UniqueItems: l.UniqueItems,
	}
	v.SetPattern(l.Pattern)
	return v.OrNil()
}
