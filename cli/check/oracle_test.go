package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/crdify/pkg/config"
	"sigs.k8s.io/crdify/pkg/runner"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd"
)

// oracle returns a runner of crdify. If strict, each change that none of its checks knows
// is an error.
func oracle(t *testing.T, strict bool) *runner.Runner {
	t.Helper()
	c := &config.Config{
		Conversion:           config.ConversionPolicyIgnore,
		UnhandledEnforcement: config.EnforcementPolicyNone,
		// Clients may write the values of a longer enum. To readers it is a change, as a new
		// property is.
		Validations: []config.ValidationConfig{
			{Name: "enum", Enforcement: config.EnforcementPolicyError, Configuration: map[string]any{"additionPolicy": "Allow"}},
			{Name: "description", Enforcement: config.EnforcementPolicyNone},
		},
	}
	if strict {
		c.UnhandledEnforcement = config.EnforcementPolicyError
	}
	if err := config.ValidateConfig(c); err != nil {
		t.Fatal(err)
	}
	r, err := runner.New(c, runner.DefaultRegistry())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// complains returns what crdify says about the upgrade of a CRD.
func complains(r *runner.Runner, was, is *apiextensionsv1.CustomResourceDefinition) []string {
	results := r.Run(was.DeepCopy(), is.DeepCopy())
	var all []string
	for _, c := range results.CRDValidation {
		all = append(all, c.Errors...)
	}
	for _, properties := range results.SameVersionValidation {
		for path, comparisons := range properties {
			for _, c := range comparisons {
				for _, text := range c.Errors {
					all = append(all, path+": "+c.Name+": "+text)
				}
			}
		}
	}
	return all
}

// judges returns what the command finds that breaks somebody.
func judges(was, is *apiextensionsv1.CustomResourceDefinition) []string {
	of := func(c *apiextensionsv1.CustomResourceDefinition) *group {
		listed := &crd.Summary{Name: c.Name}
		for _, v := range append(was.Spec.Versions, is.Spec.Versions...) {
			listed.Versions = append(listed.Versions, crd.Version{Name: v.Name})
		}
		return &group{name: "crm.azure.armature.dev", listed: map[string]*crd.Summary{c.Name: listed},
			crds: map[string]*apiextensionsv1.CustomResourceDefinition{c.Name: c}}
	}
	c := &comparison{before: of(was), after: of(is)}
	c.compareKinds()
	var all []string
	for _, f := range c.findings {
		if f.Level == breaks {
			all = append(all, f.Code+" "+f.Path+" "+f.Message)
		}
	}
	return all
}

func readCRD(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "release", crdFile))
	if err != nil {
		t.Fatal(err)
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		t.Fatal(err)
	}
	crd.Status.StoredVersions = []string{"v20190101storage", "v20200101storage"}
	return crd
}

// mutation changes a schema, or returns false if it does not apply.
type mutation struct {
	name   string
	change func(s *schema) bool
	// differs says why crdify, which need not know each change, says otherwise.
	differs string
}

func set[T any](field func(*schema) *T, value T) func(*schema) bool {
	return func(s *schema) bool { *field(s) = value; return true }
}

func ptr[T any](value T) *T { return &value }

// numbers has mutations of a limit: a new one, and one that is larger or smaller.
func numbers[N int64 | float64](name string, field func(*schema) **N) []mutation {
	moved := func(by N) func(*schema) bool {
		return func(s *schema) bool {
			limit := field(s)
			if *limit == nil {
				return false
			}
			*limit = ptr(**limit + by)
			return true
		}
	}
	return []mutation{
		{name: name + " is new or 5", change: set(field, ptr(N(5)))},
		{name: name + " is gone", change: set(field, nil)},
		{name: name + " is larger", change: moved(1)},
		{name: name + " is smaller", change: moved(-1)},
	}
}

func mutations() []mutation {
	const unknown = "crdify knows only that something has changed"
	all := []mutation{
		{name: "a string", change: set(func(s *schema) *string { return &s.Type }, "string")},
		{name: "an integer", change: set(func(s *schema) *string { return &s.Type }, "integer")},
		{name: "anything", change: set(func(s *schema) *string { return &s.Type }, "")},
		{name: "a default", change: set(func(s *schema) **apiextensionsv1.JSON { return &s.Default },
			&apiextensionsv1.JSON{Raw: []byte(`"x"`)})},
		{name: "no default", change: set(func(s *schema) **apiextensionsv1.JSON { return &s.Default }, nil)},
		{name: "an enum", change: set(func(s *schema) *[]apiextensionsv1.JSON { return &s.Enum },
			[]apiextensionsv1.JSON{{Raw: []byte(`"glad"`)}})},
		{name: "no enum", change: func(s *schema) bool { s.Enum = nil; return true },
			differs: "values that are all accepted are not removed"},
		{name: "a longer enum", change: func(s *schema) bool {
			s.Enum = append(s.Enum, apiextensionsv1.JSON{Raw: []byte(`"shy"`)})
			return len(s.Enum) > 1
		}},
		{name: "a format", change: set(func(s *schema) *string { return &s.Format }, "date"), differs: unknown},
		{name: "a pattern", change: set(func(s *schema) *string { return &s.Pattern }, "^[A-Z]$"), differs: unknown},
		{name: "another description", change: set(func(s *schema) *string { return &s.Description }, "Another.")},
		{name: "a rule", change: func(s *schema) bool {
			s.XValidations = append(s.XValidations, apiextensionsv1.ValidationRule{Rule: "true"})
			return true
		}, differs: unknown},
		{name: "a condition", change: set(func(s *schema) **schema { return &s.Not }, &schema{Required: []string{"x"}})},
		{name: "multiples", change: set(func(s *schema) **float64 { return &s.MultipleOf }, ptr(5.0)), differs: unknown},
		{name: "unique items", change: set(func(s *schema) *bool { return &s.UniqueItems }, true), differs: unknown},
		{name: "an atomic list", change: set(func(s *schema) **string { return &s.XListType }, ptr("set")), differs: unknown},
		{name: "exclusive limits", change: set(func(s *schema) *bool { return &s.ExclusiveMaximum }, true), differs: unknown},
		{name: "nothing is required", change: set(func(s *schema) *[]string { return &s.Required }, nil)},
		{name: "all is required", change: func(s *schema) bool {
			s.Required = nil
			for name := range s.Properties {
				s.Required = append(s.Required, name)
			}
			slices.Sort(s.Required)
			return len(s.Required) > 0
		}},
		{name: "a new property", change: func(s *schema) bool {
			s.Properties["new"] = schema{Type: "string"}
			return true
		}},
		{name: "a property less", change: func(s *schema) bool {
			for _, name := range []string{"age", "email", "id", "left", "firstName", "weight"} {
				if _, has := s.Properties[name]; has {
					delete(s.Properties, name)
					return true
				}
			}
			return false
		}},
		{name: "closed", change: func(s *schema) bool {
			was := s.XPreserveUnknownFields != nil
			s.XPreserveUnknownFields = nil
			return was
		}, differs: unknown},
		{name: "open, and without properties", change: func(s *schema) bool {
			has := len(s.Properties) > 0
			s.Properties, s.Required, s.XPreserveUnknownFields = nil, nil, ptr(true)
			return has
		}, differs: "what is not listed is still accepted, as where a schema stops"},
	}
	for name, field := range map[string]func(*schema) **int64{
		"minLength": func(s *schema) **int64 { return &s.MinLength }, "maxLength": func(s *schema) **int64 { return &s.MaxLength },
		"minItems": func(s *schema) **int64 { return &s.MinItems }, "maxItems": func(s *schema) **int64 { return &s.MaxItems },
		"minProperties": func(s *schema) **int64 { return &s.MinProperties },
		"maxProperties": func(s *schema) **int64 { return &s.MaxProperties },
	} {
		all = append(all, numbers(name, field)...)
	}
	all = append(all, numbers("minimum", func(s *schema) **float64 { return &s.Minimum })...)
	return append(all, numbers("maximum", func(s *schema) **float64 { return &s.Maximum })...)
}

// each calls f with every schema below a schema, and its path. What f changes stays.
func each(path string, s *schema, f func(path string, s *schema)) {
	f(path, s)
	for name, p := range s.Properties {
		each(path+"."+name, &p, f)
		s.Properties[name] = p
	}
	if s.Items != nil {
		each(path+"[]", s.Items.Schema, f)
	}
	if s.AdditionalProperties != nil {
		each(path+"{}", s.AdditionalProperties.Schema, f)
	}
}

// TestOracle changes each schema of a CRD in each way, and asks crdify about the upgrade.
// Everything that breaks somebody here is a change to crdify, and everything that one of
// crdify's own checks refuses breaks somebody here.
func TestOracle(t *testing.T) {
	was := readCRD(t)
	known, strict := oracle(t, false), oracle(t, true)
	var paths []string
	each("", was.Spec.Versions[0].Schema.OpenAPIV3Schema, func(path string, s *schema) {
		if s.OneOf == nil { // crdify takes the conditions for the schema itself, and is blind to the rest of it
			paths = append(paths, path)
		}
	})
	slices.Sort(paths)
	counts := map[bool]int{}
	for _, m := range mutations() {
		disagreed := false
		for _, path := range paths {
			is := was.DeepCopy()
			applies := false
			each("", is.Spec.Versions[0].Schema.OpenAPIV3Schema, func(at string, s *schema) {
				if at == path && (s.Properties != nil || m.name != "a new property") {
					applies = m.change(s)
				}
			})
			if !applies {
				continue
			}
			what := fmt.Sprintf("%s at %q", m.name, path)
			ours, theirs, any := judges(was, is), complains(known, was, is), complains(strict, was, is)
			counts[len(ours) > 0]++
			if len(ours) > 0 && len(any) == 0 {
				t.Errorf("%s: crdify sees no change, and this is found: %s", what, strings.Join(ours, "; "))
			}
			if (len(ours) > 0) != (len(theirs) > 0) {
				disagreed = true
				if m.differs == "" {
					t.Errorf("%s: found %q, crdify says %q", what, ours, theirs)
				}
			}
		}
		if m.differs != "" && !disagreed {
			t.Errorf("%s: crdify agrees everywhere, so remove %q", m.name, m.differs)
		}
	}
	t.Logf("%d changes break somebody, %d do not", counts[true], counts[false])
	if counts[true] < 100 || counts[false] < 100 {
		t.Errorf("too few changes of each kind: %v", counts)
	}
}

// Changes of a whole CRD.
func TestOracleCRD(t *testing.T) {
	was := readCRD(t)
	for name, change := range map[string]func(*apiextensionsv1.CustomResourceDefinition){
		"another scope":          func(c *apiextensionsv1.CustomResourceDefinition) { c.Spec.Scope = apiextensionsv1.ClusterScoped },
		"a storage version less": func(c *apiextensionsv1.CustomResourceDefinition) { c.Spec.Versions = c.Spec.Versions[:3] },
		"a storage version more": func(c *apiextensionsv1.CustomResourceDefinition) { c.Spec.Versions[1].Name = "v20210101storage" },
		"nothing":                func(*apiextensionsv1.CustomResourceDefinition) {},
		"a deprecated version":   func(c *apiextensionsv1.CustomResourceDefinition) { c.Spec.Versions[0].Deprecated = true },
	} {
		is := was.DeepCopy()
		change(is)
		ours, theirs := judges(was, is), complains(oracle(t, false), was, is)
		if (len(ours) > 0) != (len(theirs) > 0) {
			t.Errorf("%s: found %q, crdify says %q", name, ours, theirs)
		}
	}
}
