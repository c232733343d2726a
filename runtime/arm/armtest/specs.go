package armtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// specs are the PUT operations, and the actions, of a folder of documents: Swagger, bicep
// types, and files with facts.
type specs struct {
	folder     fs.FS
	operations map[string]map[string]*operation // by ARM type in lower case, and version
	actions    map[string]*action               // by actionKey
	deletes    map[typeVersion]bool             // what documents have a DELETE of
	companions map[string][]companion           // by the ARM type of the parent in lower case
}

// typeVersion is an ARM type in lower case at one version.
type typeVersion struct{ armType, version string }

// operation is the PUT of a resource type at one version.
type operation struct {
	armType, version string
	// schema is the URL of the body's schema: a file and a JSON pointer. "" accepts any body.
	schema  string
	compile func() (*jsonschema.Schema, error)
	// name is the URL of the schema of the resource's name, or "".
	name        string
	compileName func() (*jsonschema.Schema, error)
	// wholeResource reports whether the schema also has what is in the URL of a request: name,
	// type and API version.
	wholeResource bool
	// answer is the URL of the schema of the answers to PUT and GET, or "".
	answer        string
	compileAnswer func() (*jsonschema.Schema, error)
	// noDelete reports whether there is no DELETE of the type.
	noDelete bool
}

// document has the parts of a Swagger document that are read at first.
type document struct {
	Swagger string
	Info    struct{ Version string }
	Paths   map[string]struct {
		Parameters []parameter
		Put        *struct {
			Parameters []parameter
			Responses  map[string]struct{ Schema any }
		}
		Post *struct {
			Responses map[string]struct{ Schema any }
		}
		Delete *struct{}
	}
	Parameters map[string]parameter
}

type parameter struct {
	In, Name string
	Ref      string `json:"$ref"`
}

func readSpecs(folder fs.FS) (*specs, error) {
	s := &specs{folder, map[string]map[string]*operation{}, map[string]*action{}, map[typeVersion]bool{},
		map[string][]companion{}}
	var bicep, facts []string
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == "examples" {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".json" {
			return nil
		}
		text, err := read(folder, name)
		if err != nil {
			return err
		}
		var doc document
		if bytes.HasPrefix(text, []byte("[")) {
			bicep = append(bicep, name)
		} else if strings.HasSuffix(name, ".facts.json") {
			facts = append(facts, name)
		} else if err := json.Unmarshal(text, &doc); err == nil && doc.Swagger == "2.0" {
			s.add(name, &doc)
			s.addActions(name, &doc)
		}
		return nil
	})
	s.findDeletes()
	for _, name := range bicep { // after Swagger
		if err == nil {
			err = s.addBicep(name)
		}
	}
	for _, name := range facts { // after the other documents, which say more
		if err == nil {
			err = s.addFacts(name)
		}
	}
	if err == nil && len(s.operations) == 0 {
		err = errors.New("armtest: found no Swagger document that has a PUT, no bicep type of a resource, and no facts of one")
	}
	return s, err
}

// read reads a file without its byte order mark.
func read(folder fs.FS, name string) ([]byte, error) {
	text, err := fs.ReadFile(folder, name)
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}

func (s *specs) add(file string, doc *document) {
	for template, item := range doc.Paths {
		armType, ok := typeOf(template)
		if !ok {
			continue
		}
		if item.Delete != nil {
			s.deletes[typeVersion{strings.ToLower(armType), doc.Info.Version}] = true
		}
		if item.Put == nil {
			continue
		}
		op := &operation{armType: armType, version: doc.Info.Version}
		at := "/paths/" + escape(template)
		last := template[strings.LastIndexByte(template, '/')+1:]
		own := strings.Trim(last, "{}")
		if own == last && item.Delete == nil {
			s.addCompanion(armType, own)
		}
		op.findSchemas(file, at+"/parameters/", own, item.Parameters, doc)
		op.findSchemas(file, at+"/put/parameters/", own, item.Put.Parameters, doc)
		for _, status := range []string{"200", "201"} {
			if item.Put.Responses[status].Schema != nil {
				op.answer = schemaURL(file, at+"/put/responses/"+status+"/schema")
				break
			}
		}
		s.keep(op)
	}
}

// findDeletes sets noDelete of the types that have no DELETE at any path of their version.
func (s *specs) findDeletes() {
	for armType, versions := range s.operations {
		for version, op := range versions {
			op.noDelete = !s.deletes[typeVersion{armType, version}]
		}
	}
}

// keep adds an operation, and sets the functions that compile its schemas when they are needed.
func (s *specs) keep(op *operation) {
	later := func(place string, tidy func(any)) func() (*jsonschema.Schema, error) {
		return sync.OnceValues(func() (*jsonschema.Schema, error) { return s.compile(place, tidy) })
	}
	op.compile, op.compileName, op.compileAnswer = later(op.schema, tidyRequest), later(op.name, tidyRequest), later(op.answer, tidy)
	key := strings.ToLower(op.armType)
	if s.operations[key] == nil {
		s.operations[key] = map[string]*operation{}
	}
	s.operations[key][op.version] = op
}

// findSchemas finds the schemas of the body and of the resource's name among parameters.
func (o *operation) findSchemas(file, at, own string, parameters []parameter, doc *document) {
	for i, p := range parameters {
		pointer := at + strconv.Itoa(i)
		if name, local := strings.CutPrefix(p.Ref, "#/parameters/"); local {
			p, pointer = doc.Parameters[name], "/parameters/"+escape(name)
		}
		switch {
		case p.In == "body":
			o.schema = schemaURL(file, pointer+"/schema")
		case p.In == "path" && p.Name == own:
			o.name = schemaURL(file, pointer)
		}
	}
}

// schemaURL returns the URL of a schema, given its document and a JSON pointer.
func schemaURL(file, pointer string) string {
	return (&url.URL{Scheme: "specs", Path: "/" + file, Fragment: pointer}).String()
}

func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// typeOf returns the ARM type of the resource that an id or a path template names.
func typeOf(id string) (armType string, ok bool) {
	const providers = "/providers/"
	at := strings.LastIndex(strings.ToLower(id), providers)
	if at < 0 {
		const group = "Microsoft.Resources/resourceGroups" // the one type whose ids have no provider
		segments := strings.Split(id, "/")
		ok = len(segments) == 5 && strings.EqualFold(segments[3], "resourceGroups") && segments[4] != ""
		return group, ok
	}
	segments := strings.Split(strings.TrimSuffix(id[at+len(providers):], "/"), "/")
	armType = segments[0]
	for i := 1; i < len(segments); i += 2 {
		armType += "/" + segments[i]
	}
	return armType, len(segments) >= 3 && len(segments)%2 == 1 && !slices.Contains(segments, "")
}

// find returns the operation for a resource, or an error that lists the versions that exist.
func (s *specs) find(id, version string) (*operation, error) {
	armType, ok := typeOf(id)
	versions := s.operations[strings.ToLower(armType)]
	switch op := versions[version]; {
	case !ok:
		return nil, fmt.Errorf("%q is not the id of a resource", id)
	case versions == nil:
		return nil, fmt.Errorf("No registered resource provider found for the type %q.", armType)
	case op == nil:
		return nil, fmt.Errorf("No registered resource provider found for API version %q of the type %q. The "+
			"supported api-versions are %q.",
			version, armType, strings.Join(slices.Sorted(maps.Keys(versions)), ", "))
	default:
		return op, nil
	}
}

// compile compiles the schema at a URL. Swagger's schemas are JSON schemas of draft 4,
// except for the parts that tidy removes.
func (s *specs) compile(at string, tidy func(any)) (*jsonschema.Schema, error) {
	if at == "" {
		at = "specs:///any.json"
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft4)
	c.RegisterFormat(&jsonschema.Format{Name: "byte", Validate: func(any) error { return nil }})
	c.UseLoader(loader{s.folder, tidy})
	c.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) {
		r, err := regexp.Compile(pattern)
		if err != nil {
			return matchAll(pattern), nil
		}
		return r, nil
	})
	return c.Compile(at)
}

// matchAll replaces a pattern that Go cannot compile, such as one with a lookahead.
type matchAll string

func (matchAll) MatchString(string) bool { return true }
func (a matchAll) String() string        { return string(a) }

// loader reads documents, given the URLs by which specs refer to each other.
type loader struct {
	folder fs.FS
	tidy   func(any)
}

func (l loader) Load(at string) (any, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, err
	}
	if u.Path == "/any.json" {
		return map[string]any{}, nil
	}
	text, err := read(l.folder, strings.TrimPrefix(u.Path, "/"))
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(u.Path, ".facts.json") {
		return schemasOfFacts(text)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if types, isBicep := doc.([]any); isBicep {
		return schemasOf(types), err
	}
	l.tidy(doc)
	rewriteDiscriminators(doc)
	return doc, err
}

// printer writes messages in English.
var printer = message.NewPrinter(language.English)

// withoutFormats removes the formats from schemas, because formats in specs are often no
// more than a hint.
func withoutFormats(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			withoutFormats(element)
		}
	case map[string]any:
		if _, isText := value["format"].(string); isText {
			delete(value, "format")
		}
		for _, member := range value {
			withoutFormats(member)
		}
	}
}

// withoutAdditional removes the schema of additional properties from each object that has a base:
// the properties of the base are additional in JSON schema, but not in Swagger.
func withoutAdditional(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			withoutAdditional(element)
		}
	case map[string]any:
		if _, hasBase := value["allOf"].([]any); hasBase {
			delete(value, "additionalProperties")
		}
		for _, member := range value {
			withoutAdditional(member)
		}
	}
}

// tidy removes the formats from schemas, and the keywords that mean something else in JSON schema.
func tidy(value any) {
	withoutFormats(value)
	withoutAdditional(value)
}

// tidyRequest does what tidy does. It also removes what does not apply to a request: read-only
// properties from the required ones, and whether a parameter is required.
func tidyRequest(value any) {
	tidy(value)
	withoutReadOnly(value)
}

func withoutReadOnly(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			withoutReadOnly(element)
		}
	case map[string]any:
		if _, isParameter := value["required"].(bool); isParameter {
			delete(value, "required")
		}
		properties, _ := value["properties"].(map[string]any)
		if required, isList := value["required"].([]any); isList {
			required = slices.DeleteFunc(required, func(name any) bool {
				text, _ := name.(string)
				property, _ := properties[text].(map[string]any)
				return property["readOnly"] == true
			})
			if value["required"] = required; len(required) == 0 {
				delete(value, "required")
			}
		}
		for _, member := range value {
			withoutReadOnly(member)
		}
	}
}

// validateName lists the violations of the schema in the name of a resource.
func (o *operation) validateName(name string) ([]violation, error) {
	return violationsOf(o.compileName, name, "InvalidResourceName")
}

// validate lists the violations of the schema in the body of a resource. A null counts as absent.
func (o *operation) validate(name string, body any) ([]violation, error) {
	body = withoutNull(body)
	if o.wholeResource {
		maps.Copy(body.(map[string]any), map[string]any{"name": name, "type": o.armType, "apiVersion": o.version})
	}
	return violationsOf(o.compile, body, "InvalidProperty")
}

// violationsOf lists the violations of a schema in a value.
func violationsOf(compile func() (*jsonschema.Schema, error), value any, code string) ([]violation, error) {
	schema, err := compile()
	if err != nil {
		return nil, err
	}
	err = schema.Validate(value)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil, err
	}
	var violations []violation
	for _, e := range leaves(invalid) {
		violations = append(violations, violation{code, strings.Join(e.InstanceLocation, "."), e.ErrorKind.LocalizedString(printer)})
	}
	slices.SortFunc(violations, func(a, b violation) int { return strings.Compare(a.Target+a.Message, b.Target+b.Message) })
	return slices.Compact(violations), nil // properties that variants share are validated twice
}

func withoutNull(value any) any {
	switch value := value.(type) {
	case []any:
		all := make([]any, len(value))
		for i, element := range value {
			all[i] = withoutNull(element)
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for name, member := range value {
			if member != nil {
				all[name] = withoutNull(member)
			}
		}
		return all
	}
	return value
}
