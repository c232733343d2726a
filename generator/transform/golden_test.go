package transform

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/google/go-cmp/cmp"
)

// TestGolden shapes the cases of testdata, which its README describes.
func TestGolden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*/raw.json")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range cases {
		folder := filepath.Dir(file)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			raw := decode(t, file)
			before, err := ir.Canonical(raw)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if shaped, err := Shape(Merge([]*ir.Version{raw}, nil), readLoad(t, folder, raw)); err != nil {
				got = "errors:\n" + err.Error() + "\n"
			} else {
				got = render(shaped)
			}
			if after, _ := ir.Canonical(raw); string(after) != string(before) {
				t.Errorf("Shape changed its input: %s", cmp.Diff(string(before), string(after)))
			}
			golden.Equal(t, filepath.Join(folder, "want.txt"), got)
		})
	}
}

func decode(t *testing.T, file string) *ir.Version {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ir.Decode(string(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	v.Sort()
	return v
}

// readLoad returns the Load of a case, which exports everything by default.
func readLoad(t *testing.T, folder string, raw *ir.Version) *config.Load {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "load.json"))
	if os.IsNotExist(err) {
		return exportAll(raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	load, err := config.DecodeLoad(text)
	if err != nil {
		t.Fatal(err)
	}
	return load
}

func exportAll(v *ir.Version) *config.Load {
	load := &config.Load{Exports: map[string]string{}}
	for _, r := range v.Resources {
		load.Exports[r.Type] = r.Kind
	}
	return load
}

// render returns a version as text for people.
func render(v *ir.Version) string {
	var text strings.Builder
	line := func(parts ...string) {
		var words []string
		for _, part := range parts {
			if part != "" {
				words = append(words, part)
			}
		}
		text.WriteString(strings.Join(words, " ") + "\n")
	}
	for _, r := range v.Resources {
		line(r.Kind+":", r.Spec, r.Status)
		for _, o := range r.Outputs {
			line("  output", o.Name, with("of ", o.Action), "at", o.Path)
		}
		if r.GUIDName {
			line("  named by a GUID")
		}
		for _, c := range r.Collections {
			line("  collection", c.Path, "of", c.Type, flag("flat", c.Flat))
		}
	}
	for _, a := range v.Actions {
		line("action", a.Resource, a.Name, flag("secret", a.Secret)+":", strings.Join(SecretValues(a), " "))
	}
	for _, t := range v.Types {
		line("\n"+t.Name, string(t.Kind), with("by ", t.Discriminator), flag("optional", t.VariantOptional),
			with("of ", string(t.Base)), flag("open", t.Open), with("# ", t.Doc))
		for _, value := range t.Values {
			line("  "+value.Name, fmt.Sprintf("%q", value.Value), with("# ", value.Doc))
		}
		for _, p := range t.Properties {
			line("  "+p.Name, p.Type.String(), goName(p), with("arm ", p.ARM), with("variant ", p.Variant),
				with("bytes in ", string(p.Encoding)),
				flag("flattened", p.Flattened), flag("spread", p.Spread), flag("raw", p.Raw), flag("required", p.Required),
				flag("writeOnly", p.WriteOnly), flag("createOnly", p.CreateOnly),
				flag("RAW FORM", p.ReadOnly || p.IsARMID || p.IsSecret),
				with("keys ", strings.Join(p.ListKeys, ",")), limits(p.Validation), limits(p.ItemValidation), with("# ", p.Doc))
		}
	}
	if len(v.Notes) > 0 {
		line("\nnotes:")
	}
	for _, n := range v.Notes {
		line("  "+string(n.Kind), n.Subject+":", n.Reason)
	}
	if len(v.Names) > 0 {
		line("\nnames:")
	}
	for _, n := range v.Names {
		line("  "+n.Type+"."+n.ARM, n.Name)
	}
	if len(v.Used) > 0 {
		line("\nused:", strings.Join(v.Used, " "))
	}
	return text.String()
}

func with(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func flag(name string, set bool) string {
	if set {
		return name
	}
	return ""
}

// goName returns the Go name of a property if it is not the Kubernetes name with
// a capital.
func goName(p *ir.Property) string {
	if p.GoName == strings.ToUpper(p.Name[:1])+p.Name[1:] {
		return ""
	}
	return "go " + p.GoName
}

func limits(v *ir.Validation) string {
	if v == nil {
		return ""
	}
	return "limited"
}
