// Package added_test adds whole providers to a copy of the repository without groups, with all types and versions and
// no entry by hand, and builds and tests what comes of it: CRDs, packages, and the laws of conversions. TestAdd adds
// one provider after the other, and TestAddAll all at once.
package added_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/report"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/tests/bazel/workspace"
	"github.com/armature-dev/armature/tools/add/service"
)

// swaggerFolder is the checkout below the folder of the specs.
const swaggerFolder = "azure-rest-api-specs"

// TestAdd adds each provider below ARMATURE_ADD, a folder as ARMATURE_SPECS names one, or a checkout of
// azure-rest-api-specs. There are all versions of what only Swagger describes, else those that add takes. A subtest
// is a provider: -run TestAdd/microsoft.cache adds and tests that one. The last line of the log is a table of all.
// A night has a share of the providers, and the next one the following share.
func TestAdd(t *testing.T) {
	specs := os.Getenv("ARMATURE_ADD")
	if specs == "" {
		t.Skip("ARMATURE_ADD is not set: no specs to add")
	}
	w, files := withoutGroups(t)
	if _, err := os.Stat(filepath.Join(specs, "specification")); err == nil {
		folder := filepath.Join(filepath.Dir(w.Dir), "specs") // not below /tmp, which the sandbox hides
		link := filepath.Join(folder, swaggerFolder)
		if err := errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o755), os.Symlink(specs, link)); err != nil {
			t.Fatal(err)
		}
		specs = folder
	}
	providers, err := service.Specs(specs).Providers()
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(specs, "bicep-types-az"))
	newest := err == nil // all versions of providers that have dozens are too many for a night
	var table strings.Builder
	rows := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(rows, "\nprovider\tversions\tkinds\tundecided: properties\toutputs\tuntyped\tkinds\tnot assessed\ttests passed")
	for _, provider := range tonight(providers, 6) {
		t.Run(provider, func(t *testing.T) {
			w.Fill(t, files)
			request := service.Request{Repository: service.Repository{Root: w.Dir}, Specs: service.Specs(specs), Provider: provider}
			if !newest {
				_, versions, err := request.Specs.Provider(provider)
				if err != nil {
					t.Fatal(err)
				}
				request.Versions = slices.Sorted(maps.Keys(versions))
			}
			change, err := service.Plan(request)
			if none := new(service.NoTypesError); errors.As(err, &none) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := change.Write(w.Dir); err != nil {
				t.Fatal(err)
			}
			built := build(t, w, specs, change.Group)
			open := change.Undecided
			fmt.Fprintf(rows, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%d of %d\n", provider, len(change.Versions), len(change.Kinds),
				open.Properties, open.Outputs, open.Untyped, open.Kinds, built.notAssessed, built.passed, built.tests)
		})
	}
	rows.Flush()
	t.Log(table.String())
}

// TestAddAll adds all providers below ARMATURE_ADD at once, and builds their CRDs and packages. It tests the laws of a
// tenth of the groups, and the next night those of the following tenth. A subtest is a group.
func TestAddAll(t *testing.T) {
	specs := os.Getenv("ARMATURE_ADD")
	if specs == "" {
		t.Skip("ARMATURE_ADD is not set: no specs to add")
	}
	w, files := withoutGroups(t)
	w.Fill(t, files)
	var report strings.Builder
	request := service.Request{Repository: service.Repository{Root: w.Dir}, Specs: service.Specs(specs)}
	if err := service.AddAll(request, nil, false, &report, io.Discard); err != nil {
		t.Error(err) // the others are there
	}
	t.Log(report.String())
	groups, err := filepath.Glob(filepath.Join(w.Dir, "apis", "*", "group.yaml"))
	if err != nil || len(groups) == 0 {
		t.Fatalf("no group was added: %v", err)
	}
	for i, group := range groups {
		groups[i] = "apis/" + filepath.Base(filepath.Dir(group))
	}
	if out, err := w.Command("build", "--keep_going", "--noshow_progress", "//apis/...").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, group := range tonight(groups, (len(groups)+9)/10) {
		t.Run(filepath.Base(group), func(t *testing.T) {
			if r := build(t, w, "none", group); r.tests == 0 {
				t.Error("it has no tests")
			}
		})
	}
}

// withoutGroups returns the copy of the repository, and its files without those of the groups: what persons decided
// there would be evidence.
func withoutGroups(t *testing.T) (w workspace.Workspace, files map[string]string) {
	w, files = workspace.Open(t, "added"), map[string]string{}
	for _, name := range w.Files(t, ".") {
		if strings.Count(name, "/") < 2 || !strings.HasPrefix(name, "apis/") {
			files[name] = name
		}
	}
	return w, files
}

// tonight returns those of this night, of which each has its turn, or by day all. A night has a number of them.
func tonight(all []string, number int) []string {
	n := min(night.Times(len(all), number), len(all))
	start := time.Now().YearDay() * n % max(len(all), 1)
	return slices.Concat(all[start:], all[:start])[:n]
}

// result is what Bazel made of a group.
type result struct {
	// notAssessed is the number of properties of which the group's report says so, or "no report".
	notAssessed   string
	tests, passed int // test targets
}

// build builds a group with its report, and runs its tests.
func build(t *testing.T, w workspace.Workspace, specs, group string) result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "events.json")
	// A wildcard leaves the report out, whose target is manual.
	cmd := w.Command("test", "--keep_going", "--noshow_progress", "--build_event_json_file="+file,
		"//"+group+"/...", "//"+group+":report")
	cmd.Env = append(cmd.Env, "ARMATURE_SPECS="+specs)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	events, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	r := result{notAssessed: "no report"}
	for decoder := json.NewDecoder(events); ; {
		var e event
		if err := decoder.Decode(&e); err == io.EOF {
			return r
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if e.Configured.TestSize != "" {
			r.tests++
		}
		if e.TestSummary.OverallStatus == "PASSED" {
			r.passed++
		}
		for _, f := range e.NamedSetOfFiles.Files {
			if f.Name == group+"/report.json" {
				r.notAssessed = fmt.Sprint(notAssessed(t, f.URI))
			}
		}
	}
}

// event has what the test reads of the events that Bazel writes with --build_event_json_file. Only what was built is
// in a set of files.
type event struct {
	Configured      struct{ TestSize string } // empty unless it is a test
	TestSummary     struct{ OverallStatus string }
	NamedSetOfFiles struct {
		Files []struct{ Name, URI string }
	}
}

// notAssessed returns the number of findings of a report that nobody has assessed.
func notAssessed(t *testing.T, uri string) int {
	t.Helper()
	file, err := url.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file.Path)
	if err != nil {
		t.Fatal(err)
	}
	var r report.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%s: %v", file.Path, err)
	}
	return r.Counts[ir.NotAssessed]
}
