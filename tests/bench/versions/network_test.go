package versions

import (
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/armature-dev/armature/generator/biceptypes"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/report"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/armature-dev/armature/internal/specs"
)

const (
	// networkVersions is the number of versions of Microsoft.Network below ARMATURE_SPECS.
	networkVersions = 20
	// maxNetworkBytes is what the report of these versions may allocate.
	maxNetworkBytes = 600e6
)

// network returns the input of the report of all published versions of Microsoft.Network,
// with the kinds of apis/network and no decisions of a person.
func network(tb testing.TB) report.Input {
	tb.Helper()
	root := filepath.Join(specs.Folder(), "bicep-types-az")
	const folder = "generated/network/microsoft.network"
	versions, err := filepath.Glob(filepath.Join(root, folder, "*"))
	if specs.Folder() == "" || err != nil || len(versions) == 0 {
		tb.Skip("ARMATURE_SPECS names no folder with a checkout of bicep-types-az: no published types to read")
	}
	group, err := config.Read("../../../apis/network/group.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	load := &config.Load{Exports: group.Load().Exports}
	var in report.Input
	in.Config = &config.Group{File: "group.yaml", Exports: map[string]*config.Export{}}
	for _, name := range versions {
		apiVersion := filepath.Base(name)
		raw, err := biceptypes.Reader{}.Read(documents.Input{
			Provider: "Microsoft.Network", APIVersion: apiVersion, Exports: load.Exports,
			Roots: []string{path.Join(folder, apiVersion, "types.json")},
			Read:  func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(root, name)) },
		})
		if err != nil {
			tb.Fatal(err)
		}
		shaped, err := transform.Shape(raw, load)
		if err != nil {
			tb.Fatal(err)
		}
		for _, r := range shaped.Resources {
			in.Config.Exports[r.Type] = &config.Export{Kind: group.Exports[r.Type].Kind}
		}
		_, notes := transform.Notes(shaped)
		in.Shapes, in.Notes = append(in.Shapes, transform.Limited(shaped)), append(in.Notes, notes)
	}
	in.Packages = planned(tb, planner.Options{
		Group: "network.example.com", Provider: "Microsoft.Network", Dir: "apis/network", ImportPrefix: "example.com/apis/network",
		Patterns: naming.Default, Config: in.Config, Versions: in.Shapes,
	})
	return in
}

// reported makes the report as armreport does, and returns its page.
func reported(tb testing.TB, in report.Input) string {
	r, err := report.New(in)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := ir.Canonical(r); err != nil {
		tb.Fatal(err)
	}
	return string(r.Page())
}

func TestNetwork(t *testing.T) {
	in := network(t)
	if len(in.Shapes) != networkVersions {
		t.Skipf("there are %d versions of Microsoft.Network, and the limit is one of %d", len(in.Shapes), networkVersions)
	}
	if bytes := allocated(func() { reported(t, in) }); bytes > maxNetworkBytes {
		t.Errorf("the report allocates %.0f MB, want at most %.0f MB", bytes/1e6, maxNetworkBytes/1e6)
	}
}

// BenchmarkNetwork measures the whole report, and what package evolution takes of it.
func BenchmarkNetwork(b *testing.B) {
	in := network(b)
	b.Run("evolution", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := evolution.New(in.Input); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("report", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			reported(b, in)
		}
	})
}
