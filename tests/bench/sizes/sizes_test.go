// Package sizes counts generated code and compares the counts with limits: lines
// of Go for each resource at each version, and bytes of CRDs. The counts are
// exact, so this is an ordinary test; -v prints them.
package sizes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// The limits. Those of lines apply to the mean of all resources at all published
// versions. Resources grow: of the versions until 2021 it was 1,489, and those of 2026
// have a third more properties.
const (
	maxLines        = 1650
	maxTestLines    = 40
	maxCRDBytes     = 1 << 20
	maxStorageBytes = 206_000
)

// maxStorageBytes applies to the CRDs of storageKinds at storageVersions.
var (
	storageKinds    = []string{"BlobContainer", "BlobService", "ManagementPolicy", "QueueService", "StorageAccount", "StorageQueue"}
	storageVersions = []string{"v20190601", "v20210401", "v20210401storage"}
)

// files are the Go files of a package, without its tests.
var files = []string{"types.go", "register.go", "deepcopy.go", "conversion.go"}

// crd has the parts of a CRD that the test reads.
type crd struct {
	Spec struct {
		Names    struct{ Kind string }
		Versions []struct{ Name string }
	}
	bytes int
	text  []byte // YAML
}

// group has the counts of a service group.
type group struct {
	name             string
	files            []string // of Go
	lines, testLines int
	byFile           map[string]int // lines by the file's name, such as types.go
	crds             []crd
}

// published counts the resources at each published version.
func (g *group) published() int {
	n := 0
	for _, c := range g.crds {
		for _, v := range c.Spec.Versions {
			if !strings.HasSuffix(v.Name, "storage") {
				n++
			}
		}
	}
	return n
}

func (g *group) largest() crd {
	return slices.MaxFunc(g.crds, func(a, b crd) int { return a.bytes - b.bytes })
}

func TestLimits(t *testing.T) {
	groups := read(t)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, resources, lines, tests int, byFile map[string]int, largest string) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d", name, resources, lines, lines/resources)
		for _, file := range files {
			fmt.Fprintf(w, "\t%d", byFile[file]/resources)
		}
		fmt.Fprintf(w, "\t%.1f\t%s\t\n", float64(tests)/float64(resources), largest)
	}
	fmt.Fprintf(w, "group\tresource-versions\tlines\teach\t%s\ttests\tbytes of the largest CRD\t\n", strings.Join(files, "\t"))
	var resources, lines, tests int
	byFile := map[string]int{}
	for _, g := range groups {
		largest := g.largest()
		row(g.name, g.published(), g.lines, g.testLines, g.byFile, fmt.Sprintf("%d %s", largest.bytes, largest.Spec.Names.Kind))
		for file, n := range g.byFile {
			byFile[file] += n
		}
		resources, lines, tests = resources+g.published(), lines+g.lines, tests+g.testLines
		for _, c := range g.crds {
			if c.bytes > maxCRDBytes {
				t.Errorf("the CRD of %s has %d bytes as JSON; an API server takes %d", c.Spec.Names.Kind, c.bytes, maxCRDBytes)
			}
		}
	}
	row("all", resources, lines, tests, byFile, "")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
	if lines > maxLines*resources {
		t.Errorf("%d lines for each resource at a published version, want at most %d", lines/resources, maxLines)
	}
	if tests > maxTestLines*resources {
		t.Errorf("%d lines of tests for each resource at a published version, want at most %d", tests/resources, maxTestLines)
	}
}

func TestStorageCRDs(t *testing.T) {
	groups := read(t)
	i := slices.IndexFunc(groups, func(g *group) bool { return g.name == "storage" })
	if i < 0 {
		t.Skip("storage is not among the groups of this test")
	}
	total, found := 0, []string{}
	for _, c := range groups[i].crds {
		if slices.Contains(storageKinds, c.Spec.Names.Kind) {
			found = append(found, c.Spec.Names.Kind)
			size := bytesAt(t, c.text, storageVersions)
			t.Logf("%s: %d bytes", c.Spec.Names.Kind, size)
			total += size
		}
	}
	if slices.Sort(found); !slices.Equal(found, storageKinds) {
		t.Fatalf("found the kinds %v, want %v", found, storageKinds)
	}
	t.Logf("all: %d bytes", total)
	if total > maxStorageBytes {
		t.Errorf("the six CRDs of storage have %d bytes at two versions, want at most %d", total, maxStorageBytes)
	}
}

// bytesAt returns the size of a CRD as compact JSON with only the given versions.
func bytesAt(t *testing.T, text []byte, versions []string) int {
	var object map[string]any
	if err := yaml.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	spec := object["spec"].(map[string]any)
	spec["versions"] = slices.DeleteFunc(spec["versions"].([]any), func(v any) bool {
		return !slices.Contains(versions, v.(map[string]any)["name"].(string))
	})
	if got := len(spec["versions"].([]any)); got != len(versions) {
		t.Fatalf("the CRD has %d of the versions %v", got, versions)
	}
	compact, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return len(compact)
}

// gofmt must not change generated code. The emitters do not call gofmt.
func TestFormat(t *testing.T) {
	for _, g := range read(t) {
		for _, file := range g.files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			formatted, err := format.Source(text)
			if err != nil || !bytes.Equal(text, formatted) {
				t.Errorf("%s: gofmt changes the file, or fails: %v (-generated +gofmt):\n%s", file, err,
					cmp.Diff(string(text), string(formatted)))
			}
		}
	}
}

// read reads the groups that are data of the test.
func read(t *testing.T) []*group {
	t.Helper()
	if os.Getenv("TEST_SRCDIR") == "" {
		t.Skip("Bazel generates the files: run ./bazelw test //tests/bench/sizes/...")
	}
	groups := map[string]*group{}
	for _, pattern := range []string{"*/*/*.go", "*/crds/*.yaml"} {
		found, err := filepath.Glob("../../../apis/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			name := filepath.Base(filepath.Dir(filepath.Dir(file)))
			if groups[name] == nil {
				groups[name] = &group{name: name, byFile: map[string]int{}}
			}
			groups[name].add(t, file)
		}
	}
	for _, g := range groups {
		if g.lines == 0 || g.testLines == 0 || len(g.crds) == 0 {
			t.Fatalf("%s has %d lines, %d of tests, %d CRDs: the test needs all of them as data", g.name, g.lines, g.testLines, len(g.crds))
		}
	}
	if len(groups) == 0 {
		t.Fatal("found no group among the data of the test")
	}
	return slices.SortedFunc(maps.Values(groups), func(a, b *group) int { return strings.Compare(a.name, b.name) })
}

func (g *group) add(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file, ".go") {
		g.files = append(g.files, file)
	}
	switch {
	case strings.HasSuffix(file, "_test.go"):
		g.testLines += bytes.Count(text, []byte("\n"))
	case strings.HasSuffix(file, ".go"):
		n := bytes.Count(text, []byte("\n"))
		g.lines += n
		g.byFile[filepath.Base(file)] += n
	case strings.Contains(filepath.Base(file), "_"): // not the kustomization and the policies
		c := crd{text: text}
		compact, err := yaml.YAMLToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(compact, &c); err != nil {
			t.Fatal(err)
		}
		c.bytes = len(compact)
		g.crds = append(g.crds, c)
	}
}
