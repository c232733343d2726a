package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/generator/shape"
)

// samples returns the file with what is given of the group's samples, or nil if that does not
// change: with the entries that the examples of the specs give, and those that a person wrote or
// for which the checkout has no example. consulted has the examples that give them.
func (p *planned) samples() (file []byte, consulted map[string][]byte, err error) {
	was, err := os.ReadFile(p.in.path(p.samplesFile()))
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, err
	}
	if _, err := sample.ParseGiven(p.samplesFile(), was); err != nil {
		return nil, nil, err
	}
	entries, err := readEntries(was)
	if err != nil {
		return nil, nil, err
	}
	found, consulted := p.entriesOfExamples()
	for kind, e := range found {
		if old, known := entries[kind]; !known || old.isEvident() {
			entries[kind] = e
		}
	}
	if len(entries) == 0 {
		return nil, consulted, nil
	}
	var b strings.Builder
	b.WriteString(samplesHead)
	for _, kind := range slices.Sorted(maps.Keys(entries)) {
		text, err := entries[kind].text()
		if err != nil {
			return nil, nil, err
		}
		b.WriteString("\n" + text)
	}
	if b.String() == string(was) {
		return nil, consulted, nil
	}
	return []byte(b.String()), consulted, nil
}

// samplesHead is the comment at the top of the file.
const samplesHead = "# What the samples of this group have, beside what is required. An entry with an example behind it is made anew by\n" +
	"# each update; without the example it is yours.\n"

// sampleEntry is what is given of the sample of a kind.
type sampleEntry struct {
	// from names the example and its version, or is what a person wrote there.
	from        string
	key, values *yaml.Node
}

// isEvident reports whether an example of the specs gives the entry.
func (e sampleEntry) isEvident() bool { return exampleForm.MatchString(e.from) }

var exampleForm = regexp.MustCompile(`^\S+\.json of \d{4}-\d{2}-\d{2}(-\w+)*$`)

// text returns the entry as YAML.
func (e sampleEntry) text() (string, error) {
	if e.from != "" {
		e.key.LineComment = "# " + e.from
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	err := encoder.Encode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{e.key, e.values}})
	return b.String(), err
}

// readEntries returns the entries of a file, by kind.
func readEntries(text []byte) (map[string]sampleEntry, error) {
	entries := map[string]sampleEntry{}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil || document.Kind == 0 {
		return entries, err
	}
	top := document.Content[0]
	for i := 0; i < len(top.Content); i += 2 {
		key, values := top.Content[i], top.Content[i+1]
		from := strings.TrimPrefix(cmp.Or(key.LineComment, values.LineComment), "# ")
		entries[key.Value] = sampleEntry{from, key, values}
		key.LineComment, values.LineComment = "", ""
	}
	return entries, nil
}

// entriesOfExamples returns what the examples of the newest Swagger give of the samples of
// kinds, at the newest version of each, and the examples of the published specs that do.
func (p *planned) entriesOfExamples() (entries map[string]sampleEntry, consulted map[string][]byte) {
	entries, consulted = map[string]sampleEntry{}, map[string][]byte{}
	published := sample.Published(p.packages)
	found := map[string]*candidate{} // by kind
	swagger, documents := p.swagger, p.evidence
	if p.inTree {
		swagger, documents = slices.Clone(p.versions), p.documents
		slices.Reverse(swagger)
	}
	for _, v := range swagger {
		at := map[string]*candidate{}
		p.eachExample([]*ir.Version{v}, documents, func(name string, text []byte, _ *ir.Version, r *ir.Resource) {
			kind := p.kindOf(r.Type)
			all := published[kind]
			if all == nil || found[kind] != nil || madeByTool.MatchString(path.Base(name)) {
				return
			}
			newest := slices.IndexFunc(p.versions, func(v *ir.Version) bool { return v.APIVersion == all[0].APIVersion })
			c := newCandidate(shape.New(all[0], p.versions[newest]), p.raw[newest], kind, text)
			if c == nil {
				return
			}
			c.file, c.text = name, text
			if at[kind] == nil || c.compare(at[kind]) < 0 {
				at[kind] = c
			}
		})
		for kind, c := range at {
			found[kind] = c
			entries[kind] = sampleEntry{
				from:   path.Base(c.file) + " of " + v.APIVersion,
				key:    &yaml.Node{Kind: yaml.ScalarNode, Value: kind},
				values: c.values,
			}
			if !p.inTree {
				consulted[c.file] = c.text // so that it is pinned
			}
		}
	}
	return entries, consulted
}

// kindOf returns the kind of a resource type.
func (c *chosen) kindOf(armType string) string {
	for t, kind := range c.kinds {
		if strings.EqualFold(t, armType) {
			return kind
		}
	}
	return ""
}

// candidate is an example of which an entry can be made.
type candidate struct {
	file    string
	text    []byte
	armType string
	values  *yaml.Node
	// leaves counts the values, optional those of properties that are not required, and
	// references the references.
	leaves, optional, references int
	// copies reports whether it refers to another resource of its own type.
	copies bool
}

// compare orders candidates, the better one first: one that makes the resource anew, that
// says more than what is required, that needs few others, and that is of no special case, which a
// longer name would tell.
func (c *candidate) compare(o *candidate) int {
	rank := func(c *candidate) int {
		if name := path.Base(c.file); changes.MatchString(name) && !makes.MatchString(name) || c.optional == 0 || c.copies {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(c), rank(o)), cmp.Compare(c.references, o.references),
		cmp.Compare(len(path.Base(c.file)), len(path.Base(o.file))), cmp.Compare(c.leaves, o.leaves), cmp.Compare(c.file, o.file))
}

// The names of examples by what they show. Those that a tool made have made-up values of all
// properties.
var (
	madeByTool = regexp.MustCompile(`(?i)maximumset|minimumset|_gen\b`)
	makes      = regexp.MustCompile(`(?i)create|put`)
	changes    = regexp.MustCompile(`(?i)update|start|stop|clone|restore|recover|import|copy|delete`)
)

// newCandidate returns what an example gives of the sample of a kind at a version, of which
// raw is what the specs have, or nil if it gives nothing.
func newCandidate(p *shape.Package, raw *ir.Version, kind string, text []byte) *candidate {
	var example struct{ Parameters map[string]any }
	if json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &example) != nil {
		return nil
	}
	x := &exampleReader{Package: p, raw: raw, names: map[string]bool{}}
	var body map[string]any
	for _, parameter := range slices.Sorted(maps.Keys(example.Parameters)) {
		switch value := example.Parameters[parameter].(type) {
		case string:
			x.names[strings.ToLower(value)] = true
		case map[string]any:
			body = value
		}
	}
	at := slices.IndexFunc(p.Version.Resources, func(r *ir.Resource) bool { return r.Kind == kind })
	if at < 0 || body == nil {
		return nil
	}
	r := p.Version.Resources[at]
	x.armType, x.collections = r.Type, r.Collections
	spec := p.Type(r.Spec)
	values, _ := x.object(spec, body, "")
	if err := sample.Fit(p, kind, values); err != nil {
		return nil
	}
	c := &candidate{values: values, armType: x.armType}
	c.count(p, spec, values)
	if c.leaves == 0 {
		return nil
	}
	return c
}

// count counts the values of an object.
func (c *candidate) count(p *shape.Package, t *ir.Type, values *yaml.Node) {
	for i := 0; i < len(values.Content); i += 2 {
		property, value := t.Property(values.Content[i].Value), values.Content[i+1]
		for value.Kind == yaml.SequenceNode && len(value.Content) > 0 {
			value = value.Content[0]
		}
		if !property.Required && property.Variant == "" {
			c.optional++
		}
		if value.Kind == yaml.MappingNode {
			c.count(p, p.Type(property.Type.Leaf().Named), value)
		} else {
			c.leaves++
			if property.Type.Leaf().Primitive == ir.Reference {
				c.references++
				c.copies = c.copies || strings.EqualFold(value.Value, c.armType)
			}
		}
	}
}

// exampleReader reads the body of an example's request.
type exampleReader struct {
	*shape.Package
	raw         *ir.Version // the version as the specs have it
	armType     string
	names       map[string]bool // the texts in the URL, in lower case
	collections []ir.Collection
}

// The texts of examples that a sample can have: those that are no names, such as numbers,
// addresses, durations and constants, and of what Azure has the names, also words.
var (
	constant  = regexp.MustCompile(`^([0-9A-Z*][0-9A-Z.:/*_+-]{0,39}|[0-9a-f:]+:[0-9a-f:/]*|true|false)$`)
	word      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$`)
	isProduct = regexp.MustCompile(`(?i)sku|plan$|tier|size|image|version|module|family$|publisher|offer`)
)

// What texts of examples are that no sample can have as they are.
var (
	guid      = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	anID      = regexp.MustCompile(`(?i)^/?(subscriptions|providers|resourceGroups)/`)
	timestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)
	digest    = regexp.MustCompile(`^[0-9a-fA-F]{16,}$`)
	ownName   = regexp.MustCompile(`(?i)^name$|login$|username$|label$|^dnsprefix$`)
	aRegion   = regexp.MustCompile(`(?i)(location|locationname|region)$`)
)

// leftOut are the properties of a Spec that say nothing of a resource but where it is and who
// labelled it.
var leftOut = []string{"extendedLocation", "location", "tags"}

// isListed reports whether the objects at a place are resources that the resource lists.
func (x *exampleReader) isListed(at string) bool {
	return slices.ContainsFunc(x.collections, func(c ir.Collection) bool { return at == c.Path+elements })
}

// listedName is the name of a resource in a list of a sample.
const listedName = sample.Name + "2"

// elements is the end of the place of the elements of a list.
const elements = "/*"

// object returns the values of an object that a sample can have. A part of the resource
// with an id that no sample can have is left out as a whole: hasID reports that. at is its
// place in the resource, by ARM's names, "" for the Spec. A resource in a list has another
// name than the sample of its kind, as which it would be the same resource.
func (x *exampleReader) object(t *ir.Type, body map[string]any, at string) (values *yaml.Node, hasID bool) {
	values = &yaml.Node{Kind: yaml.MappingNode}
	for _, p := range t.Properties {
		holder := body
		if p.Flattened {
			holder, _ = body["properties"].(map[string]any)
		}
		value := holder[p.ARMName()]
		if p.Variant != "" {
			if value = nil; strings.EqualFold(fmt.Sprint(body[t.Discriminator]), p.Variant) {
				value = body
			}
		}
		if value == nil || p.AzureName || p.Spread || at == "" && slices.Contains(leftOut, p.Name) {
			continue
		}
		if t.Property("name") != nil && x.isOwnID(p, value) {
			continue
		}
		if p.Name == "name" && x.isListed(at) {
			value = listedName
		}
		product := isProduct.MatchString(p.Name) || isProduct.MatchString(naming.Common(t.Name))
		n, id := x.value(p, p.Type, value, strings.TrimPrefix(at+"/"+p.Path(), "/"), product)
		hasID = hasID || id
		if n != nil {
			values.Content = append(values.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: p.Name}, n)
		}
	}
	return x.complete(t, values, at), hasID
}

// complete adds the texts without which ARM refuses "properties" of which a sample has
// others. In Kubernetes they are optional where "properties" is.
func (x *exampleReader) complete(t *ir.Type, values *yaml.Node, at string) *yaml.Node {
	given := map[string]bool{}
	for i := 0; i < len(values.Content); i += 2 {
		given[values.Content[i].Value] = true
	}
	name := naming.Common(t.Name)
	if r := x.raw.Resource(x.armType); r != nil && at == "" {
		name = r.Spec
	}
	inProperties := func(p *ir.Property) bool { return p.Flattened && given[p.Name] }
	body := x.raw.Type(name)
	if body == nil || body.AtPath("properties") == nil || !slices.ContainsFunc(t.Properties, inProperties) {
		return values
	}
	if body = x.raw.Type(body.AtPath("properties").Type.Named); body == nil {
		return values
	}
	for _, p := range t.Properties {
		raw := body.AtPath(p.ARMName())
		if raw == nil || !raw.Required || !p.Flattened || given[p.Name] || p.Type.Primitive != ir.String {
			continue
		}
		at := 0 // the names are sorted
		for at < len(values.Content) && values.Content[at].Value < p.Name {
			at += 2
		}
		values.Content = slices.Insert(values.Content, at, &yaml.Node{Kind: yaml.ScalarNode, Value: p.Name},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: sample.Name})
	}
	return values
}

// value returns the value of a property, or of an element of its list, that a sample can
// have, or nil. Of a list it is the first one.
func (x *exampleReader) value(p *ir.Property, t ir.TypeRef, value any, at string, product bool) (n *yaml.Node, hasID bool) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if t.Items == nil {
				break
			}
			if n, _ := x.value(p, *t.Items, element, at+elements, product); n != nil {
				return &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{n}}, false
			}
		}
	case map[string]any:
		if t.Map != nil {
			return nil, slices.ContainsFunc(slices.Collect(maps.Keys(value)), anID.MatchString)
		}
		if named := x.Type(t.Named); named != nil && named.Kind == ir.Object {
			n, hasID := x.object(named, value, at)
			if hasID || len(n.Content) == 0 && p.Variant == "" {
				return nil, false
			}
			return n, false
		}
	case string:
		return x.text(p, t, value, product)
	case bool:
		if t.Primitive == ir.Boolean {
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(value)}, false
		}
	case float64:
		if base := x.Base(t); base == ir.Integer || base == ir.Number {
			return numberNode(value), false
		}
	}
	return nil, false
}

func numberNode(value float64) *yaml.Node {
	n := &yaml.Node{}
	if i := int64(value); float64(i) == value {
		_ = n.Encode(i)
	} else {
		_ = n.Encode(value)
	}
	return n
}

// isOwnID reports whether a value is the id of a part of the resource, as the part has it.
func (x *exampleReader) isOwnID(p *ir.Property, value any) bool {
	text, _ := value.(string)
	inside := strings.HasPrefix(strings.ToLower(typeOfID(text)), strings.ToLower(x.armType)+"/")
	return p.ARMName() == "id" && inside
}

// text returns a text that a sample can have: a value of an enum, a type in place of an id,
// the sample's name in place of others, a made-up GUID in place of one, the mark of a secret,
// a constant, and of a product a word.
func (x *exampleReader) text(p *ir.Property, t ir.TypeRef, value string, product bool) (n *yaml.Node, hasID bool) {
	node := func(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text} }
	if enum := x.Type(t.Named); enum != nil {
		for _, v := range enum.Values {
			if enum.Base == ir.String && strings.EqualFold(v.Value, value) {
				return node(v.Value), false
			}
		}
		return nil, false
	}
	switch {
	case t.Primitive == ir.Reference:
		if armType := typeOfID(value); armType != "" {
			return node(armType), false
		}
	case t.Primitive == ir.Secret || t.Primitive == ir.SecretJSON:
		return node(sample.MadeUp), false
	case t.Primitive != ir.String || p.Encoding != "" || saysSecret.MatchString(p.Name):
	case anID.MatchString(value):
		return nil, true
	case aRegion.MatchString(p.Name):
		return node(sample.Region), false
	case guid.MatchString(value):
		return node(sample.UnknownID), false
	case value == listedName:
		return node(value), false
	case x.names[strings.ToLower(value)], ownName.MatchString(p.Name) && !product:
		return node(sample.Name), false
	case timestamp.MatchString(value), digest.MatchString(value), len(value) > 1 && strings.Trim(value, value[:1]) == "":
	case constant.MatchString(value), product && word.MatchString(value):
		return node(value), false
	}
	return nil, false
}

// typeOfID returns the ARM type of a resource that has an id, or "".
func typeOfID(id string) string {
	segments := strings.Split(strings.Trim(id, "/"), "/")
	at := -1
	for i, s := range segments {
		if strings.EqualFold(s, "providers") {
			at = i
		}
	}
	switch {
	case !anID.MatchString(id):
		return ""
	case at < 0 && len(segments) == 4:
		return "Microsoft.Resources/resourceGroups"
	case at < 0 || len(segments)-at < 4 || (len(segments)-at)%2 != 0:
		return ""
	}
	armType := segments[at+1]
	for i := at + 2; i < len(segments); i += 2 {
		armType += "/" + segments[i]
	}
	return armType
}
