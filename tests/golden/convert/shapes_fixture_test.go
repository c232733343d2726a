package convert_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/shape"
	"github.com/armature-dev/armature/internal/golden"
)

// release is a version of a history, with all of its types.
type release struct {
	apiVersion string
	types      map[string]string
}

// history is the history of a service, of which a folder has the storage packages as the
// whole plan makes them.
type history struct {
	folder   string
	group    string // the text of group.yaml
	releases []release
}

// histories are those of services whose properties change in ways of their own.
var histories = []history{
	{"shapes", shapesYAML, shapes},
	{"moves", movesYAML, moves},
}

// shapes is the history of a service whose properties change their shapes, or vanish
// and come back with another shape.
var shapes = []release{
	{"2011-01-01", map[string]string{
		"Person_Spec": `
			count  integer
			code   string
			rule   Rule
			rules  []Rule
			disk   Disk
			mode   string
			flag   string
			limits []Limit
			extra  Extra
			home   Home
			items  []Item
			state  any
			seats  {}any
			id     string`,
		"Rule":  "name string",
		"Disk":  "caching string\nsize integer",
		"Limit": "max integer\nunit Unit",
		"Unit":  "name string",
		"Extra": "name string",
		"Home":  "street string\nalphaKey string\nsku Sku\nnumber integer",
		"Sku":   "name string\ntier string",
		"Item":  "disk Disk\nname string",
	}},
	{"2012-02-02", map[string]string{
		"Person_Spec": `
			count  number
			code   integer
			rule   []Rule
			rules  Rule
			flag   boolean
			items  []Item
			state  State
			seats  {}Seat
			id     string`,
		"Rule":  "name string\norder integer",
		"State": "phase string",
		"Seat":  "",
		"Item":  "name string",
	}},
	{"2013-03-03", map[string]string{
		"Person_Spec": `
			count  integer
			code   string
			rule   []Rule
			rules  Rule
			disk   Disk
			mode   Mode
			flag   boolean
			limits Limit
			extra  Extra
			house  House
			items  []Item
			id     string`,
		"Rule":  "name string\norder integer",
		"Disk":  "ephemeral string\nsize string",
		"Limit": "max number\nunit Unit\nmin number",
		"Unit":  "name string\nscale integer",
		"Mode":  "type string",
		"Extra": "name string\nunit Unit",
		"House": "street string\nsortKey string\nsku Sku\nnumber integer\ncity string",
		"Sku":   "name string\nsize string",
		"Item":  "disk Disk\nname string",
	}},
	{"2014-04-04", map[string]string{
		"Person_Spec": `
			count  number
			code   integer
			rule   Rule
			rules  []Rule
			disk   Disk
			mode   string
			flag   string
			limits []Limit
			extra  Extra
			house  House
			items  []Item
			state  any
			seats  {}any
			id     string`,
		"Rule":  "name string\norder integer",
		"Disk":  "ephemeral string\nsize string\ncaching string",
		"Limit": "max number\nunit Unit\nmin number",
		"Unit":  "name string\nscale integer",
		"Extra": "name string\nunit Unit",
		"House": "street string\nsortKey string\nsku Sku\nnumber integer\ncity string",
		"Sku":   "name string\nsize string\ntier string",
		"Item":  "disk Disk\nname string",
	}},
}

const shapesYAML = `exports:
  Example.Crm/persons: {kind: Person}
changes:
  - {type: Home, since: 2013-03-03, renamed: House}
  - {property: Home.alphaKey, since: 2013-03-03, renamed: sortKey}
  - {property: Person.home, since: 2013-03-03, renamed: house}
`

func (h history) versions() []*ir.Version {
	var all []*ir.Version
	for _, step := range h.releases {
		types := map[string]map[string]string{"Person_Status": {"conditions": "conditions"}}
		for name, text := range step.types {
			types[name] = properties(text)
		}
		all = append(all, version(step.apiVersion, types, nil))
	}
	return all
}

// packages returns the plans of the packages, and the versions.
func (h history) packages(t *testing.T) ([]*plan.Package, []*ir.Version) {
	t.Helper()
	group, err := config.Parse("group.yaml", []byte(h.group))
	if err != nil {
		t.Fatal(err)
	}
	versions := h.versions()
	packages, err := planner.Build(planner.Options{
		Group: h.folder + ".example.com", Provider: "Example.Crm", ImportPrefix: root + h.folder + "/",
		Patterns: naming.Patterns{GA: "v{date}", Preview: "v{date}alpha1"}, Config: group, Versions: versions,
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages, versions
}

// TestGoldensOfHistories compares the storage packages with what the plan makes.
func TestGoldensOfHistories(t *testing.T) {
	for _, h := range histories {
		t.Run(h.folder, h.compareGoldens)
	}
}

func (h history) compareGoldens(t *testing.T) {
	packages, versions := h.packages(t)
	for _, pkg := range packages {
		if pkg.Role != plan.Storage {
			continue
		}
		v := versions[slices.IndexFunc(versions, func(v *ir.Version) bool { return v.APIVersion == pkg.APIVersion })]
		files := map[string]func(*shape.Package) ([]byte, error){
			"types.go": emit.Types, "register.go": emit.Register, "deepcopy.go": emit.DeepCopy, "conversion.go": emit.Conversion,
		}
		for _, file := range slices.Sorted(maps.Keys(files)) {
			got, err := files[file](shape.New(pkg, v))
			if err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, filepath.Join(h.folder, pkg.Name, file), string(got))
		}
	}
}

// TestPass checks that a step with hooks passes nothing on, because a hook may change
// what it got, and that the same step without hooks does.
func TestPass(t *testing.T) {
	packages, versions := histories[0].packages(t)
	passes := func() (count int) {
		for _, pkg := range packages {
			v := versions[slices.IndexFunc(versions, func(v *ir.Version) bool { return v.APIVersion == pkg.APIVersion })]
			text, err := emit.Conversion(shape.New(pkg, v))
			if err != nil {
				t.Fatal(err)
			}
			count += strings.Count(string(text), "conversion.Pass")
		}
		return count
	}
	if passes() == 0 {
		t.Error("without hooks, nothing is passed on")
	}
	for _, pkg := range packages {
		pkg.Hooks = []plan.Hook{{Type: "Other"}}
	}
	if n := passes(); n > 0 {
		t.Errorf("with hooks, %d values are passed on", n)
	}
}
