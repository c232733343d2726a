package crm_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/apis/crm/scheme"
	old2013 "github.com/armature-dev/armature/apis/crm/v1beta20130303"
	here "github.com/armature-dev/armature/apis/crm/v1beta20130303storage"
	next "github.com/armature-dev/armature/apis/crm/v1beta20140404storage"
	latest "github.com/armature-dev/armature/apis/crm/v1beta20211111"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
)

// old are the empty persons of the API versions up to 2013-03-03, by version:
// those whose road to the hub crosses the hooks.
func old(t *testing.T) map[string]conversion.Convertible {
	t.Helper()
	s := runtime.NewScheme()
	if err := scheme.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	persons := map[string]conversion.Convertible{}
	for gvk := range s.AllKnownTypes() {
		digits := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, gvk.Version)
		if gvk.Kind != "Person" || strings.HasSuffix(gvk.Version, "storage") || digits[max(0, len(digits)-8):] > "20130303" {
			continue
		}
		object, err := s.New(gvk)
		if err != nil {
			t.Fatal(err)
		}
		persons[gvk.Version] = object.(conversion.Convertible)
	}
	return persons
}

func TestOldAndLatestConvertAsTheGoldenFilesSay(t *testing.T) {
	newest := latest.GroupVersion.Version
	versions := old(t)
	if len(versions) < 3 {
		t.Fatalf("found %d old versions, want those of 2011, 2012 and 2013 at least", len(versions))
	}
	for version, object := range versions {
		compare(t, "old", version+"_to_"+newest, object, &latest.Person{})
		compare(t, "latest", newest+"_to_"+version, &latest.Person{}, object)
	}
}

// compare converts the persons of a folder between two versions.
func compare(t *testing.T, folder, pair string, from, to conversion.Convertible) {
	files, err := filepath.Glob("testdata/hooks/" + folder + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no persons in %s: %v", folder, err)
	}
	for _, file := range files {
		name := filepath.Join(pair, filepath.Base(file))
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src, dst := from.DeepCopyObject().(conversion.Convertible), to.DeepCopyObject().(conversion.Convertible)
			if err := json.Unmarshal(text, src); err != nil {
				t.Fatal(err)
			}
			hub := src.(conversion.KubernetesResource).NewHub()
			if err := src.ConvertTo(hub); err != nil {
				t.Fatal(err)
			}
			if err := dst.ConvertFrom(hub); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata/hooks/want", name), halves(t, dst))
		})
	}
}

// halves are Spec and Status of an object as JSON.
func halves(t *testing.T, object any) []byte {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Spec   json.RawMessage `json:"spec"`
		Status json.RawMessage `json:"status,omitempty"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if text, err = json.MarshalIndent(all, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if root := os.Getenv("ARMATURE_UPDATE"); root != "" {
		file = filepath.Join(root, "apis/crm", file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s\nif the change is meant, run: ARMATURE_UPDATE=$PWD bazel run //apis/crm:crm_test", file, diff)
	}
}

// choose returns one of the values for each digit of a number, and the rest.
func choose(number *int, values ...string) *string {
	i := *number % (len(values) + 1)
	if *number /= len(values) + 1; i == 0 {
		return nil
	}
	return &values[i-1]
}

// What a person is called at 2013-03-03 comes back from 2014-04-04, and what
// the one that went there is called comes back too.
func TestTheHooksUndoEachOther(t *testing.T) {
	for number := range 5 * 5 * 5 {
		rest := number
		person := &here.Person_Spec{
			FirstName:  choose(&rest, "", " ", "A", "A B"),
			MiddleName: choose(&rest, "", " ", "A", "A B"),
			LastName:   choose(&rest, "", " ", "A", "A B"),
		}
		up := &next.Person_Spec{}
		down := &here.Person_Spec{}
		undo(t, person, up, down)
	}
	for number := range 4 * 4 * 4 * 4 * 4 * 4 * 4 {
		rest := number
		person := &next.Person_Spec{
			KnownAs:    choose(&rest, "", "A", "B"),
			FamilyName: choose(&rest, "", "A", "B"),
			AlphaKey:   choose(&rest, "", "A", "B"),
			LegalName:  choose(&rest, "A B A", "A  A", "C"),
		}
		bag := map[string]*string{"firstname": choose(&rest, "", "A", "B"), "middlename": choose(&rest, "", "A", "B"), "lastname": choose(&rest, "", "A", "B")}
		for name, value := range bag {
			if value != nil {
				if person.PropertyBag == nil {
					person.PropertyBag = propertybag.Bag{}
				}
				text, _ := json.Marshal(value)
				person.PropertyBag[name] = propertybag.Entry{Version: "2013-03-03", Value: text}
			}
		}
		undo(t, person, &here.Person_Spec{}, &next.Person_Spec{})
	}
}

func TestAnEditOfANameReachesOnlyWhatIsComputedFromIt(t *testing.T) {
	name := func(s string) *string { return &s }
	for _, test := range []struct {
		why       string
		made      conversion.Convertible // by somebody, and then
		meanwhile func(*latest.Person_Spec)
		want      latest.Person_Spec
	}{
		{"what was computed follows", &old2013.Person{Spec: old2013.Person_Spec{FirstName: name("Ada"), LastName: name("King")}},
			func(*latest.Person_Spec) {},
			latest.Person_Spec{KnownAs: name("Eve"), FamilyName: name("King"), SortKey: name("King"), LegalName: name("Eve King")}},
		{"what somebody has set stays", &old2013.Person{Spec: old2013.Person_Spec{FirstName: name("Ada"), LastName: name("King")}},
			func(s *latest.Person_Spec) { s.KnownAs, s.LegalName = name("Countess"), name("Augusta Ada King") },
			latest.Person_Spec{KnownAs: name("Countess"), FamilyName: name("King"), SortKey: name("King"), LegalName: name("Augusta Ada King")}},
		{"what the old names were computed from follows them", &latest.Person{Spec: latest.Person_Spec{KnownAs: name("Ada"), LegalName: name("Augusta Ada King")}},
			func(*latest.Person_Spec) {},
			latest.Person_Spec{KnownAs: name("Eve"), LegalName: name("Augusta Ada King")}},
	} {
		hub := test.made.(conversion.KubernetesResource).NewHub()
		seen, edited := &latest.Person{}, &old2013.Person{}
		step := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		step(test.made.ConvertTo(hub))
		step(seen.ConvertFrom(hub))
		test.meanwhile(&seen.Spec)
		step(seen.ConvertTo(hub))
		step(edited.ConvertFrom(hub))
		edited.Spec.FirstName = name("Eve")
		step(edited.ConvertTo(hub))
		step(seen.ConvertFrom(hub))
		if diff := cmp.Diff(test.want, seen.Spec); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.why, diff)
		}
	}
}

// undo converts a Spec to another version and back.
func undo(t *testing.T, spec, there, back conversion.ConvertibleSpec) {
	t.Helper()
	if err := spec.ConvertSpecTo(there); err != nil {
		t.Fatal(err)
	}
	if err := there.ConvertSpecTo(back); err != nil {
		t.Fatal(err)
	}
	want, _ := json.Marshal(spec)
	got, _ := json.Marshal(back)
	if !bytes.Equal(want, got) {
		between, _ := json.Marshal(there)
		t.Fatalf("%s\nbecame %s\nand    %s", want, between, got)
	}
}
