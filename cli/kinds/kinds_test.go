package kinds

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/crd/crdtest"
	"github.com/armature-dev/armature/generator/ir"
)

// groups are two groups, which both have a kind Person.
func groups(t *testing.T) []*crd.Index {
	t.Helper()
	var groups []*crd.Index
	for name, kinds := range map[string][]crdtest.Kind{
		"crm.azure.armature.dev": {
			{Kind: "Person", Plural: "persons", ShortNames: []string{"pers"}, Outputs: []ir.Output{{Name: "key"}},
				Versions: []string{"v20220101", "v20210101", "v20200101", "v20220101storage"}},
			{Kind: "Party", Plural: "parties", Versions: []string{"v20220101", "v20220101storage"}},
		},
		"hr.example.com": {{Kind: "Person", Plural: "persons", Versions: []string{"v20220101", "v20220101storage"}}},
	} {
		index, err := crd.ParseIndex(name, crdtest.Files(t, name, kinds...)[crd.IndexFile])
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, index)
	}
	return groups
}

func TestKinds(t *testing.T) {
	const title = "GROUP                   KIND    SHORT NAMES  ARM TYPE              DEFAULT    ALSO SERVED  VERSIONS\n"
	for _, test := range []struct{ reason, arguments, want, err string }{
		{"all kinds, by group", "", `GROUP                   KIND    SHORT NAMES  ARM TYPE              DEFAULT    ALSO SERVED  VERSIONS
crm.azure.armature.dev  Party   -            Contoso.Test/parties  v20220101  -            1
crm.azure.armature.dev  Person  pers         Contoso.Test/persons  v20220101  v20210101    3
hr.example.com          Person  -            Contoso.Test/persons  v20220101  -            1
`, ""},
		{"a kind by its short name", "pers", `GROUP                   KIND    SHORT NAMES  ARM TYPE              DEFAULT    ALSO SERVED  VERSIONS
crm.azure.armature.dev  Person  pers         Contoso.Test/persons  v20220101  v20210101    3
`, ""},
		{"kinds by plural, and with the group", "parties persons.hr", title +
			"crm.azure.armature.dev  Party   -            Contoso.Test/parties  v20220101  -            1\n" +
			"hr.example.com          Person  -            Contoso.Test/persons  v20220101  -            1\n", ""},
		{"all wrong names at once", "Persn Person", "", `no kind is Persn; did you mean "Person"?` +
			"\nseveral kinds are named Person: expected one of "},
	} {
		out, err := run(t, strings.Fields(test.arguments)...)
		if test.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), test.err) {
				t.Errorf("%s: got the error %v, want %s", test.reason, err, test.err)
			}
		} else if err != nil {
			t.Errorf("%s: %v", test.reason, err)
		}
		if diff := cmp.Diff(test.want, out); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
}

func TestKindsForPrograms(t *testing.T) {
	want := Kind{
		Group: "crm.azure.armature.dev", Kind: "Person", Plural: "persons", ShortNames: []string{"pers"}, ARMType: "Contoso.Test/persons",
		Outputs: []string{"Secret", "ConfigMap"},
		Versions: []Version{
			{Name: "v20220101", APIVersion: "2020-01-01", Served: true, Default: true},
			{Name: "v20210101", APIVersion: "2020-01-01", Served: true},
			{Name: "v20200101", APIVersion: "2020-01-01"},
		},
	}
	for format, parse := range map[string]func([]byte, any) error{
		"json": json.Unmarshal, "yaml": func(text []byte, into any) error { return yaml.UnmarshalStrict(text, into) },
	} {
		out, err := run(t, "pers", "-o", format)
		var got struct{ Kinds []Kind }
		if err == nil {
			err = parse([]byte(out), &got)
		}
		if err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if diff := cmp.Diff([]Kind{want}, got.Kinds); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
}

// run runs the command, and returns what it prints.
func run(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	command := New(groups(t))
	command.SilenceErrors, command.SilenceUsage = true, true
	command.SetArgs(arguments)
	command.SetOut(&out)
	err := command.Execute()
	return out.String(), err
}
