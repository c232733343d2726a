// Package corpora_test compares the two readers on the published specs. Many
// resources are described by both corpora at the same version. The readers should
// agree on them, and every difference must have a reason in the specs.
package corpora_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/swagger"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/internal/specs"
)

// version is an API version that both corpora describe.
type version struct {
	provider, name   string
	swagger, schemas []string          // documents, relative to each corpus
	exports          map[string]string // all types in the schemas
	references       config.Properties // what holds ARM ids, which schemas do not mark
}

// corpora are the two checkouts below ARMATURE_SPECS.
type corpora struct {
	root  string
	cache map[string]*jsontree.Document
}

const (
	swaggerCorpus = "azure-rest-api-specs"
	schemaCorpus  = "arm-json-schema"
)

func open(t testing.TB) *corpora {
	root := specs.Folder()
	if root == "" {
		t.Skip("ARMATURE_SPECS is not set: no published specs to compare")
	}
	return &corpora{root: root, cache: map[string]*jsontree.Document{}}
}

// reader returns a function that reads the files of one corpus.
func (c *corpora) reader(corpus string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(c.root, corpus, filepath.FromSlash(path.Clean(name))))
	}
}

// document returns the tree of a file. The name begins with the corpus.
func (c *corpora) document(t testing.TB, name string) *jsontree.Document {
	if doc := c.cache[name]; doc != nil {
		return doc
	}
	text, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsontree.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	c.cache[name] = doc
	return doc
}

// glob returns the files of a corpus by version, given as "provider version".
func (c *corpora) glob(t testing.TB, corpus, pattern string, key func(segments []string) string) map[string][]string {
	files, err := filepath.Glob(filepath.Join(c.root, corpus, filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files %s: %v", corpus, pattern, err)
	}
	found := map[string][]string{}
	for _, file := range files {
		name, err := filepath.Rel(filepath.Join(c.root, corpus), file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		k := key(strings.Split(name, "/"))
		found[k] = append(found[k], name)
	}
	return found
}

// versions returns the versions that both corpora have.
func (c *corpora) versions(t testing.TB) []version {
	swaggers := map[string][]string{}
	for _, v := range documentstest.PublishedSwagger(t, filepath.Join(c.root, swaggerCorpus)) {
		swaggers[v.Provider+" "+v.APIVersion] = v.Roots
	}
	schemas := c.glob(t, schemaCorpus, "schemas/[0-9]*/*.json", func(s []string) string {
		parts := strings.Split(s[2], ".")
		return parts[0] + "." + parts[1] + " " + s[1]
	})
	var versions []version
	for _, key := range slices.Sorted(maps.Keys(schemas)) {
		if swaggers[key] == nil {
			continue
		}
		provider, name, _ := strings.Cut(key, " ")
		v := version{provider: provider, name: name, swagger: swaggers[key], schemas: schemas[key], exports: map[string]string{}}
		for _, file := range v.schemas {
			c.exports(t, file, v.exports)
		}
		if len(v.exports) == 0 { // a schema without resources
			continue
		}
		versions = append(versions, v)
	}
	return versions
}

// exports adds the types at the top of a schema file.
func (c *corpora) exports(t testing.TB, file string, exports map[string]string) {
	for _, section := range c.document(t, schemaCorpus+"/"+file).Root.Members() {
		if !strings.HasSuffix(strings.ToLower(section.Name), "resourcedefinitions") {
			continue
		}
		for _, m := range section.Value.Members() {
			for _, armType := range m.Value.Get("properties").Get("type").Get("enum").Items() {
				exports[armType.Text()] = kind(armType.Text())
			}
		}
	}
}

// kind returns a kind made of all segments of a type, so that all kinds differ.
func kind(armType string) string {
	_, segments, _ := strings.Cut(armType, "/")
	return naming.Type(segments) + "Kind"
}

// load reads a version with both readers and shapes the results.
func (v version) load(t testing.TB, readSwagger, readSchema func(string) ([]byte, error)) (fromSwagger, fromSchema *ir.Version) {
	rawSwagger, err := swagger.Reader{}.Read(documents.Input{
		Provider: v.provider, APIVersion: v.name, Roots: v.swagger, Read: readSwagger, Exports: v.exports,
	})
	if err != nil {
		t.Fatal(err)
	}
	rawSchema, err := armschema.Reader{}.Read(documents.Input{
		Provider: v.provider, APIVersion: v.name, Roots: v.schemas, Read: readSchema, Exports: v.exports,
	})
	if err != nil {
		t.Fatal(err)
	}
	return v.shape(t, rawSwagger), v.shape(t, rawSchema)
}

// shape returns the shaped form. It gives other names to the properties that
// resources may have both beside and inside "properties".
func (v version) shape(t testing.TB, raw *ir.Version) *ir.Version {
	load := &config.Load{Exports: v.exports, Properties: v.references}
	for _, kind := range v.exports {
		load.Names = append(load.Names,
			config.Name{Type: kind, ARM: "id", Name: "armId"},
			config.Name{Type: kind, ARM: "properties/type", Name: "propertiesType"},
			config.Name{Type: kind, ARM: "properties/etag", Name: "propertiesEtag"},
			config.Name{Type: kind, ARM: "properties/tags", Name: "propertiesTags"})
	}
	shaped, err := transform.Shape(raw, load)
	if err != nil {
		t.Fatal(err)
	}
	return shaped
}

// finding is a difference with its places in the two specs.
type finding struct {
	difference
	version  version
	resource string
	// inSwagger and inSchema report whether the text has the path, independent of
	// the reader.
	inSwagger, inSchema bool
	// empty reports whether the schema's type is an object without properties.
	empty  bool
	places [2]node
}

// findings returns all differences of a version.
func (c *corpora) findings(t testing.TB, v version) []finding {
	fromSwagger, fromSchema := v.load(t, c.reader(swaggerCorpus), c.reader(schemaCorpus))
	swaggers, schemas := c.finder(t, swaggerCorpus, v.swagger), c.finder(t, schemaCorpus, v.schemas)
	var findings []finding
	for _, b := range fromSchema.Resources {
		definition := schemas.definition(b.Type)
		a := fromSwagger.Resource(b.Type)
		if a == nil {
			root := node{swaggers.roots[0], swaggers.roots[0].Root.Get("paths")}
			findings = append(findings, finding{
				difference: difference{kind: resourceIsAbsent}, version: v, resource: b.Type,
				places: [2]node{root, definition},
			})
			continue
		}
		_, body := swaggers.put(a.Path)
		for _, d := range compare(fromSwagger, fromSchema, a, b) {
			f := finding{difference: d, version: v, resource: b.Type}
			f.places[0], f.inSwagger = swaggers.follow(body, d.arm)
			f.places[1], f.inSchema = schemas.follow(definition, d.arm)
			if d.schema != nil {
				leaf := fromSchema.Type(d.schema.Type.Leaf().Named)
				f.empty = leaf != nil && leaf.Kind == ir.Object && len(leaf.Properties) == 0
			}
			findings = append(findings, f)
		}
	}
	return findings
}

// cause is a reason why Specs differ.
type cause struct {
	title string
	fits  func(f finding) bool
}

// causes are all reasons. The first one that fits applies.
var causes = []cause{
	{
		"Swagger has no such resource at this version",
		func(f finding) bool { return f.kind == resourceIsAbsent },
	},
	{
		"only one of the texts shows that a list of the body has children, about which operatorSpec can say something",
		func(f finding) bool {
			asks := func(p *ir.Property) bool { return p != nil && p.Type.Primitive == ir.OperatorSpec }
			return asks(f.swagger) || asks(f.schema)
		},
	},
	{
		"a resource with several fixed names has a body for each: Swagger's first path is read, and the schema's choice of all",
		func(f finding) bool {
			severalNames := []string{"config", "configurations", "portalsettings"}
			return slices.Contains(severalNames, path.Base(f.resource))
		},
	},
	{
		"a schema lists the resource at each scope, or has its fixed name in another case",
		func(f finding) bool { return f.kind == resourceDiffers },
	},
	{
		"a template requires \"properties\", which is a map or has any content, and Swagger leaves it optional",
		func(f finding) bool {
			return f.kind == requiredOnOne && f.schema.Required && slices.Equal(f.arm, []string{"properties"})
		},
	},
	{
		"of a resource's own members, a template requires only name, type, apiVersion and properties",
		func(f finding) bool { return f.kind == requiredOnOne && f.swagger.Required && len(f.arm) == 1 },
	},
	{
		"a template requires \"properties\", which Swagger leaves optional, and with it what is required in it",
		func(f finding) bool { return f.kind == requiredOnOne && f.schema.Required && f.schema.Flattened },
	},
	{
		"Swagger requires \"properties\", which the schema leaves optional, and with it what is required in it",
		func(f finding) bool { return f.kind == requiredOnOne && f.swagger.Required && f.swagger.Flattened },
	},
	{
		"a template requires the discriminator, or the \"properties\" that hold it; Swagger leaves it optional",
		func(f finding) bool { return f.kind == optionalUnion },
	},
	{
		"the schema lists the known virtual machine extensions, each with its own properties, which are merged; Swagger has one for all",
		func(f finding) bool {
			return strings.Contains(f.places[1].doc.Name, "Compute.Extensions") || f.places[1].at.Has("anyOf")
		},
	},
	{
		"a schema does not mark secrets",
		func(f finding) bool {
			return f.kind == otherType && (f.swagger.Type.Primitive == ir.Secret || f.swagger.Type.Primitive == ir.SecretJSON)
		},
	},
	{
		"a schema does not mark ARM ids",
		func(f finding) bool {
			return f.kind == otherSpelling && f.swagger.Type.Leaf().Primitive == ir.Reference
		},
	},
	{
		"the schema, made from a later text of the same version, has the discriminator's value in another case",
		func(f finding) bool { return f.kind == otherSpelling && strings.EqualFold(f.swagger.ARM, f.schema.ARM) },
	},
	{
		"Swagger requires the property; the schema, made from a later text of the same version, does not",
		func(f finding) bool { return f.kind == requiredOnOne && f.swagger.Required },
	},
	{
		"the schema has the variants of a union below another one as objects of their own, and no discriminator",
		func(f finding) bool { return f.kind == otherUnion },
	},
	{
		"the object has only read-only properties; shaping drops it from Swagger's Spec, and the schema has it empty",
		func(f finding) bool { return f.kind == onlySchema && f.inSwagger && f.empty },
	},
	{
		"Swagger marks the property, or the definition that it refers to, as read-only; the schema ignores that",
		func(f finding) bool { return f.kind == onlySchema && f.inSwagger },
	},
	{
		"the schema, made from a later text of the same version, has the property; Swagger does not",
		func(f finding) bool { return f.kind == onlySchema },
	},
	{
		"Swagger has the property, or has it writable; the schema, made from a later text of the same version, lacks it",
		func(f finding) bool { return f.kind == onlySwagger && !f.inSchema },
	},
	{
		"the type has another name; a group with versions from both corpora needs a rename",
		func(f finding) bool { return f.kind == otherName },
	},
	{
		"the members of the enum differ",
		func(f finding) bool { return f.kind == otherMembers },
	},
	{
		"the schema, made from a later text of the same version, has another type",
		func(f finding) bool { return f.kind == otherType },
	},
}

const goldenFile = "testdata/differences.txt"

func TestDifferences(t *testing.T) {
	c := open(t)
	versions := c.versions(t)
	byCause := make([][]string, len(causes))
	known := map[string]bool{}
	resources := 0
	for _, v := range versions {
		resources += len(v.exports)
		for _, f := range c.findings(t, v) {
			cause := slices.IndexFunc(causes, func(c cause) bool { return c.fits(f) })
			if cause < 0 {
				t.Errorf("no cause explains: %s", f)
				continue
			}
			// List a difference of a type once, even if many resources have the type.
			place := fmt.Sprint(cause, f.places)
			if !known[place] {
				known[place] = true
				byCause[cause] = append(byCause[cause], f.String())
			}
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text,
		"%d resources at %d versions are described by both corpora. Their Specs differ, Swagger's first, at:\n", resources, len(versions))
	for i, lines := range byCause {
		if len(lines) == 0 {
			t.Errorf("no difference has the cause %q; remove it", causes[i].title)
		}
		const most = 25 // of one cause, so that people read the file
		fmt.Fprintf(&text, "\n# %s (%d)\n%s\n", causes[i].title, len(lines), strings.Join(lines[:min(most, len(lines))], "\n"))
	}
	golden.Equal(t, goldenFile, text.String())
}

func (f finding) String() string {
	subject := strings.TrimSpace(f.version.name + " " + f.resource + " " + strings.Join(f.path, "."))
	what := strings.TrimSuffix(string(f.kind)+": "+f.what, ": ")
	return fmt.Sprintf("%s: %s | %s | %s", subject, what, f.places[0], f.places[1])
}

// TestCRM tests that both readers agree on the versions of crm that have Swagger
// and a schema of the same API.
func TestCRM(t *testing.T) {
	for _, name := range []string{"2019-09-09", "2021-11-11"} {
		v := version{
			provider: "Contoso.Crm", name: name, swagger: []string{name + "/person.json"}, schemas: []string{name + "/person.schema.json"},
			exports:    map[string]string{"Contoso.Crm/persons": "Person", "Contoso.Crm/parties": "Party"},
			references: config.Properties{"PartyMember.personId": {{Name: config.Reference}}},
		}
		read := func(file string) ([]byte, error) {
			return os.ReadFile(filepath.FromSlash("../../../apis/crm/specs/" + file))
		}
		fromSwagger, fromSchema := v.load(t, read, read)
		if len(fromSchema.Resources) != len(fromSwagger.Resources) {
			t.Errorf("%s: %d resources, and %d in the schema", name, len(fromSwagger.Resources), len(fromSchema.Resources))
		}
		for _, b := range fromSchema.Resources {
			for _, d := range compare(fromSwagger, fromSchema, fromSwagger.Resource(b.Type), b) {
				t.Errorf("%s %s %s: %s: %s", name, b.Type, strings.Join(d.path, "."), d.kind, d.what)
			}
		}
	}
}
