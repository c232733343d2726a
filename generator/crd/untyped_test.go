package crd_test

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/emit/emittest"
	"github.com/armature-dev/armature/generator/ir"
)

// TestUntypings makes descriptions of widgets so long that the CRD is too large.
func TestUntypings(t *testing.T) {
	for _, test := range []struct {
		reason string
		bytes  int // of the description of each of these
		of     []string
		edit   func(*ir.Version)
		want   string // proposed, "|", and the others
		err    string
	}{
		{"a CRD that leaves room needs nothing", 1000, []string{"Clause.text"}, nil, "", ""},
		{"the property that saves least of those that save enough", 200_000, []string{"Clause.text"}, nil,
			"Filter.first|Filter.clauses Widget.filter", ""},
		{"a CRD that is too large is an error", 1_200_000, []string{"Error_Status.code"}, nil, "Widget.error|",
			"widgets.azure.armature.dev_widgets.yaml: the CRD has 1234856 bytes as JSON; an API server can store 1048576. " +
				"Mark Widget.error (1200157 bytes) in group.yaml as untyped, if no object is stored yet, " +
				"after which 64 versions fit; or retire"},
		{"several where no property is enough", 200_000, []string{"Gear.teeth"}, nil, "Widget.gears Widget.spareGears|",
			"Mark Widget.gears (401302 bytes) and Widget.spareGears (401129 bytes)"},
		{"no property that holds a secret", 1_200_000, []string{"Error_Status.code"}, func(v *ir.Version) {
			v.Type("Error_Status").Property("target").Type = ir.TypeRef{Primitive: ir.Secret}
		}, "", "Retire a version"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			g := widgets(t)
			for _, v := range g.Versions {
				for _, name := range test.of {
					typ, property, _ := strings.Cut(name, ".")
					v.Type(typ).Property(property).Doc = strings.Repeat("a", test.bytes)
				}
				if test.edit != nil {
					test.edit(v)
				}
			}
			proposed, err := crd.Untypings(g.Versions, g.Packages, g.Lock, emittest.Meta)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, u := range proposed {
				got += names(u.Properties) + "|" + names(u.Others)
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			_, _, err = crd.Files(g.Versions, g.Packages, g.Lock, emittest.Meta)
			if err != nil && (test.err == "" || !strings.Contains(err.Error(), test.err)) || err == nil && test.err != "" {
				t.Errorf("error = %v, want %q", err, test.err)
			}
		})
	}
}

func names(savings []crd.Saving) string {
	var all []string
	for _, s := range savings {
		all = append(all, s.Property)
	}
	return strings.Join(all, " ")
}
