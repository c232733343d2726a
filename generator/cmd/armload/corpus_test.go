package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/armature-dev/armature/internal/specs"
)

// corpusVersion has the documents of one version in a checkout of the published
// specs.
type corpusVersion struct {
	provider, version string
	swagger, schemas  []string
}

func (v corpusVersion) String() string { return v.provider + " " + v.version }

// read reads the documents of the version.
func (v corpusVersion) read(load *config.Load, all *files) (*ir.Version, error) {
	var docs []readers.Document
	for _, file := range slices.Concat(v.swagger, v.schemas) {
		docs = append(docs, readers.Document{Name: all.name(file)})
	}
	return merged(&options{provider: &v.provider, apiVersion: &v.version}, docs, all, load, nil)
}

// The folders of a checkout, and the pattern of schemas, whose paths have the provider
// and the version.
const (
	swaggerFolder = "azure-rest-api-specs"
	schemaFolder  = "arm-json-schema"
	schemaFiles   = schemaFolder + "/schemas/*/*.json"
)

// corpus returns the versions of a checkout, and all of its files.
func corpus(t testing.TB) ([]*corpusVersion, *files) {
	root := specs.Folder()
	if root == "" {
		t.Skip("ARMATURE_SPECS is not set: no checkout of the published specs to read")
	}
	versions := map[string]*corpusVersion{}
	at := func(provider, version string) *corpusVersion {
		key := strings.ToLower(provider + " " + version)
		if versions[key] == nil {
			versions[key] = &corpusVersion{provider: provider, version: version}
		}
		return versions[key]
	}
	for _, published := range documentstest.PublishedSwagger(t, filepath.Join(root, swaggerFolder)) {
		v := at(published.Provider, published.APIVersion)
		for _, name := range published.Roots {
			v.swagger = append(v.swagger, filepath.Join(root, swaggerFolder, name))
		}
	}
	for _, file := range glob(t, root, schemaFiles) {
		segments := strings.Split(file, "/")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		isSchema := armschema.Reader{}.Recognizes(file, text) // and not an empty one
		if _, err := naming.ParseVersion(segments[len(segments)-2]); err == nil && isSchema {
			name := strings.Split(segments[len(segments)-1], ".") // Microsoft.ContainerService.Aks.json
			v := at(name[0]+"."+name[1], segments[len(segments)-2])
			v.schemas = append(v.schemas, file)
		}
	}
	var all []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".json") && !strings.Contains(path, "/examples/") {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var sorted []*corpusVersion
	for _, key := range slices.Sorted(maps.Keys(versions)) {
		sorted = append(sorted, versions[key])
	}
	return sorted, newFiles(all, []string{filepath.Join(root, swaggerFolder), filepath.Join(root, schemaFolder)})
}

func glob(t testing.TB, root, pattern string) []string {
	found, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("no files %s below %s: %v", pattern, root, err)
	}
	return found
}

// exports returns exports of all resource types in a version's documents, with
// kinds made of their segments.
func exports(t testing.TB, v *corpusVersion) *config.Load {
	put := regexp.MustCompile(`(?i)"/[^"]*/providers/(` + regexp.QuoteMeta(v.provider) + `(?:/[^"/{}]+/[^"/]+)+)"`)
	section := regexp.MustCompile(`(?i)"type":\s*\{\s*"type":\s*"string",\s*"enum":\s*\[\s*"(` + regexp.QuoteMeta(v.provider) + `/[^"]+)"`)
	load := &config.Load{Exports: map[string]string{}}
	folded := map[string]bool{}
	add := func(segments []string) {
		armType := strings.Join(segments, "/")
		if !folded[strings.ToLower(armType)] {
			folded[strings.ToLower(armType)] = true
			load.Exports[armType] = naming.Type(strings.Join(segments[1:], " "))
		}
	}
	for _, file := range append(slices.Clone(v.swagger), v.schemas...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range put.FindAllSubmatch(text, -1) {
			parts := strings.Split(string(m[1]), "/")
			segments := parts[:1]
			for i := 1; i < len(parts); i += 2 {
				segments = append(segments, parts[i])
			}
			add(slices.Clone(segments))
		}
		for _, m := range section.FindAllSubmatch(text, -1) {
			add(strings.Split(string(m[1]), "/"))
		}
	}
	return load
}

// TestCorpus reads every version of the checkout from Swagger, from schemas and
// from both, exports every resource, and checks the result.
func TestCorpus(t *testing.T) {
	versions, all := corpus(t)
	assess := map[string]map[string]bool{}
	resources := 0
	for _, v := range versions {
		load := exports(t, v)
		for _, from := range [][2][]string{{v.swagger, nil}, {nil, v.schemas}, {v.swagger, v.schemas}} {
			if len(from[0])+len(from[1]) == 0 {
				continue
			}
			raw, err := corpusVersion{v.provider, v.version, from[0], from[1]}.read(load, all)
			if err != nil {
				t.Errorf("%s: %v", v, err)
				continue
			}
			shaped, err := transform.Shape(raw, load)
			if err != nil {
				t.Errorf("%s: %v", v, err)
				continue
			}
			resources += len(shaped.Resources)
			for _, problem := range checkShaped(shaped) {
				t.Errorf("%s: %s", v, problem)
			}
			for _, n := range shaped.Notes {
				if n.Kind == ir.NotAssessed {
					if assess[v.provider] == nil {
						assess[v.provider] = map[string]bool{}
					}
					assess[v.provider][n.Subject] = true
				}
			}
		}
	}
	if resources < 1000 {
		t.Errorf("only %d resources were found in %d versions; the patterns of documents are probably wrong", resources, len(versions))
	}
	t.Logf("%d resources in %d versions", resources, len(versions))
	for _, provider := range slices.Sorted(maps.Keys(assess)) {
		t.Logf("%s: %d properties for a person to assess", provider, len(assess[provider]))
	}
}

// checkShaped returns what is wrong with the shaped form of a version.
func checkShaped(v *ir.Version) []string {
	var problems []string
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	var roots []string
	for _, r := range v.Resources {
		roots = append(roots, r.Spec, r.Status)
	}
	reached := v.Reachable(roots...)
	if len(reached) != len(v.Types) {
		problem("%d types, of which resources reach %d", len(v.Types), len(reached))
	}
	if !slices.IsSortedFunc(v.Types, func(a, b *ir.Type) int { return strings.Compare(a.Name, b.Name) }) {
		problem("the types are not sorted")
	}
	names := map[string]bool{}
	for _, t := range v.Types {
		if names[naming.Fold(t.Name)] {
			problem("%s: two types have this name", t.Name)
		}
		names[naming.Fold(t.Name)] = true
		if t.Status && t.Kind == ir.Enum {
			problem("%s: an enum below a Status", t.Name)
		}
		if named := strings.HasSuffix(t.Name, naming.Status("")); named != t.Status {
			problem("%s: status is %v", t.Name, t.Status)
		}
		properties := map[string]bool{}
		for _, p := range t.Properties {
			leaf := p.Type.Leaf()
			switch {
			case properties[naming.Fold(p.Name)]:
				problem("%s.%s: two properties have this name", t.Name, p.Name)
			case p.ReadOnly || p.IsSecret || p.IsARMID:
				problem("%s.%s: has a mark of the raw form", t.Name, p.Name)
			case leaf.Named != "" && v.Type(leaf.Named) == nil:
				problem("%s.%s: there is no type %s", t.Name, p.Name, leaf.Named)
			case leaf.Named != "" && v.Type(leaf.Named).Status != t.Status:
				problem("%s.%s: %s is of the other half", t.Name, p.Name, leaf.Named)
			case t.Status && (p.Required || p.WriteOnly || p.Validation != nil || p.ItemValidation != nil):
				problem("%s.%s: a property of a Status is required or validated", t.Name, p.Name)
			case t.Status && (leaf.Primitive == ir.Secret || leaf.Primitive == ir.SecretJSON || leaf.Primitive == ir.Reference):
				problem("%s.%s: a property of a Status is a %s", t.Name, p.Name, leaf.Primitive)
			case p.GoName != naming.Go(p.Name) || p.ARM == p.Name:
				problem("%s.%s: named %q in Go and %q in ARM", t.Name, p.Name, p.GoName, p.ARM)
			case p.Variant != "" && t.Discriminator == "":
				problem("%s.%s: a variant outside a union", t.Name, p.Name)
			}
			properties[naming.Fold(p.Name)] = true
		}
	}
	text, err := ir.Encode(v)
	if err != nil {
		return append(problems, err.Error())
	}
	back, err := ir.Decode(string(text))
	if err != nil {
		return append(problems, err.Error())
	}
	if again, err := ir.Encode(back); err != nil || string(again) != string(text) {
		problem("it differs after it was written and read: %v", err)
	}
	return problems
}

// BenchmarkStorage measures armload on the five versions of storage, without
// starting a process and writing files. The budget of all generating actions of
// these versions together is 0.5 s.
func BenchmarkStorage(b *testing.B) {
	versions, all := corpus(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, v := range versions {
			if v.provider != "Microsoft.Storage" || len(v.swagger) == 0 {
				continue
			}
			load := &config.Load{Exports: storageTypes}
			raw, err := corpusVersion{v.provider, v.version, v.swagger, nil}.read(load, all)
			if err != nil {
				b.Fatal(err)
			}
			shaped, err := transform.Shape(raw, load)
			if err != nil {
				b.Fatal(err)
			}
			rest, notes := transform.Notes(shaped)
			for _, v := range []*ir.Version{rest, notes, transform.API(shaped), transform.Limited(shaped)} {
				if _, err := ir.Encode(v); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

var storageTypes = map[string]string{
	"Microsoft.Storage/storageAccounts":                         "StorageAccount",
	"Microsoft.Storage/storageAccounts/blobServices":            "BlobService",
	"Microsoft.Storage/storageAccounts/blobServices/containers": "BlobContainer",
	"Microsoft.Storage/storageAccounts/fileServices":            "FileService",
	"Microsoft.Storage/storageAccounts/fileServices/shares":     "FileShare",
	"Microsoft.Storage/storageAccounts/managementPolicies":      "ManagementPolicy",
	"Microsoft.Storage/storageAccounts/queueServices":           "QueueService",
	"Microsoft.Storage/storageAccounts/queueServices/queues":    "Queue",
	"Microsoft.Storage/storageAccounts/tableServices":           "TableService",
	"Microsoft.Storage/storageAccounts/tableServices/tables":    "Table",
}
