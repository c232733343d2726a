package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/internal/specs"
)

// TestSamples makes a sample of each resource type of the checkout, of each format alone, and
// checks it as an API server does that has the CRD of the kind. By day it takes the newest
// version of each provider.
func TestSamples(t *testing.T) {
	versions, all := corpus(t)
	formats := map[string][]corpusVersion{}
	for _, v := range versions {
		if len(v.swagger) > 0 {
			formats["Swagger"] = append(formats["Swagger"], corpusVersion{v.provider, v.version, v.swagger, nil})
		}
		if len(v.schemas) > 0 {
			formats["JSON schema"] = append(formats["JSON schema"], corpusVersion{v.provider, v.version, nil, v.schemas})
		}
	}
	exported := map[string]*config.Load{}
	for _, file := range glob(t, specs.Folder(), "bicep-types-az/generated/*/*/*/types.json") {
		v, load := typesOf(t, file)
		formats["bicep types"], exported[file] = append(formats["bicep types"], v), load
	}
	samples := map[string]int{}
	for format, versions := range formats {
		for _, v := range versions {
			newer := func(o corpusVersion) bool {
				return strings.EqualFold(o.provider, v.provider) && naming.CompareVersions(o.version, v.version) > 0
			}
			if !night.Is() && slices.ContainsFunc(versions, newer) {
				continue
			}
			load := exported[strings.Join(v.schemas, "")]
			if load == nil {
				load = exports(t, &v)
			}
			for i, armType := range slices.Sorted(maps.Keys(load.Exports)) {
				load.Exports[armType] = fmt.Sprintf("Thing%d", i) // some types make too long kinds
			}
			raw, err := v.read(load, all)
			if err != nil {
				t.Errorf("%s: %v", v, err)
				continue
			}
			n, wrong := checkSamples(raw, load)
			samples[format] += n
			for _, problem := range wrong {
				t.Errorf("%s: %s", v, problem)
			}
		}
	}
	t.Logf("samples: %v", samples)
	if samples["Swagger"] < 200 || samples["bicep types"] < 300 {
		t.Error("these are too few; the patterns of documents are probably wrong")
	}
}

// typesOf returns the version that a file with bicep types has, and exports of all resource types
// in it.
func typesOf(t *testing.T, file string) (corpusVersion, *config.Load) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v := corpusVersion{version: filepath.Base(filepath.Dir(file)), schemas: []string{file}}
	load := &config.Load{Exports: map[string]string{}}
	for _, m := range regexp.MustCompile(`"name": "([^"/]+)(/[^"@]+)@`+regexp.QuoteMeta(v.version)+`"`).FindAllSubmatch(text, -1) {
		v.provider = string(m[1])
		load.Exports[v.provider+string(m[2])] = ""
	}
	return v, load
}

// checkSamples returns the number of the samples of a version, and what is wrong with them. Each
// kind is a group of its own, because some CRDs are too large and would stop the others.
func checkSamples(raw *ir.Version, load *config.Load) (n int, wrong []string) {
	for _, r := range raw.Resources {
		one := &config.Load{Exports: map[string]string{r.Type: load.Exports[r.Type]}}
		only := *raw
		only.Resources = []*ir.Resource{r}
		err := checkSample(&only, one)
		if err != nil && strings.Contains(err.Error(), "an API server can store") {
			continue
		}
		if n++; err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", r.Type, err))
		}
	}
	return n, wrong
}

// checkSample makes the sample of the one resource of a version, and checks it.
func checkSample(raw *ir.Version, load *config.Load) error {
	shaped, err := transform.Shape(raw, load)
	if err != nil {
		return err
	}
	var text strings.Builder
	text.WriteString("exports:\n")
	for armType, kind := range load.Exports {
		fmt.Fprintf(&text, "  %s: {kind: %s}\n", armType, kind)
	}
	decisions, err := config.Parse("group.yaml", []byte(text.String()))
	if err != nil {
		return err
	}
	api := []*ir.Version{transform.API(shaped)}
	packages, err := planner.Build(planner.Options{
		Group: "things.example.com", Provider: raw.Provider, ImportPrefix: "example.com/things/", Dir: "things",
		Patterns: naming.Default, Config: decisions, Versions: api,
	})
	if err != nil {
		return err
	}
	files, index, err := crd.Files([]*ir.Version{shaped}, packages, lock.New(packages, nil, &lock.Lock{}),
		crd.Meta{TypeMeta: metav1.TypeMeta{}, Condition: metav1.Condition{}})
	if err != nil {
		return err
	}
	made, err := sample.All(packages, []*ir.Version{shaped}, nil)
	if err != nil {
		return err
	}
	var definition apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(files[index.CRDs[0].File], &definition); err != nil {
		return err
	}
	for _, s := range made {
		for _, document := range bytes.Split(s.YAML, []byte("---\n")) {
			var object map[string]any
			if err := yaml.Unmarshal(document, &object); err != nil {
				return err
			}
			if object["kind"] != s.Kind {
				continue // its Secret
			}
			if err := fits(&definition, s.Version, object); err != nil {
				return fmt.Errorf("%w\n%s", err, document)
			}
		}
	}
	return nil
}

// fits returns what is wrong with an object by the schema of a version of its CRD.
func fits(definition *apiextensionsv1.CustomResourceDefinition, version string, object map[string]any) error {
	i := slices.IndexFunc(definition.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		return v.Name == version
	})
	schema := new(apiextensions.JSONSchemaProps)
	err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
		definition.Spec.Versions[i].Schema.OpenAPIV3Schema, schema, nil)
	if err != nil {
		return err
	}
	validator, _, err := validation.NewSchemaValidator(schema)
	if err != nil {
		return err
	}
	return validation.ValidateCustomResource(nil, object, validator).ToAggregate()
}
