// Package documentstest holds a reader of documents to what every reader
// promises, on golden cases that lie in folders. Its main function is [Run].
package documentstest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
)

// Reader reads one version of a provider.
type Reader func(documents.Input) (*ir.Version, error)

// exports are what the cases describe.
var exports = map[string]string{
	"Contoso.Shop/orders":                "Order",
	"Contoso.Shop/orders/items":          "Item",
	"Contoso.Shop/orders/policies":       "Policy",
	"Contoso.Shop/orders/settings":       "Setting",
	"Contoso.Shop/orders/settings/lines": "Line",
	"Contoso.Shop/orders/tags":           "OrderTag",
	"Contoso.Shop/carts":                 "Cart",
	"Contoso.Shop/carts/tags":            "CartTag",
	"Contoso.Shop/locks":                 "Lock",
	"Contoso.Shop/sales":                 "Sale",
	"Contoso.Shop/shops":                 "Shop",
	"Contoso.Shop/stands":                "Stand",
}

// Case is a folder below testdata, named for what it shows: version 2020-01-01
// of the made-up provider Contoso.Shop.
type Case struct {
	// Dir is the folder.
	Dir string
	// Roots are the version's own documents, which are at the folder's top.
	Roots []string
	// Files are they and what they refer to, by name.
	Files map[string][]byte
}

// Cases are all folders below testdata.
func Cases(t *testing.T) []Case {
	t.Helper()
	dirs, err := filepath.Glob("testdata/*_*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var cases []Case
	for _, dir := range dirs {
		c := Case{Dir: dir, Files: map[string][]byte{}}
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".json" {
				return err
			}
			if !strings.Contains(name, "/") {
				c.Roots = append(c.Roots, name)
			}
			c.Files[name], err = os.ReadFile(filepath.Join(dir, name))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// Input is what a reader is to read.
func (c Case) Input() documents.Input {
	return documents.Input{
		Provider: "Contoso.Shop", APIVersion: "2020-01-01", Roots: c.Roots, Exports: exports,
		Read: func(name string) ([]byte, error) {
			if text, ok := c.Files[name]; ok {
				return text, nil
			}
			return nil, fmt.Errorf("open %s: %w", name, os.ErrNotExist)
		},
	}
}

// Run holds a reader to what every reader promises.
func Run(t *testing.T, read Reader) {
	cases := Cases(t)
	t.Run("Golden", func(t *testing.T) {
		for _, c := range cases {
			t.Run(filepath.Base(c.Dir), func(t *testing.T) { c.golden(t, read) })
		}
	})
	t.Run("NeitherTheOrderOfRootsNorWhiteSpaceMatters", func(t *testing.T) {
		for _, c := range cases {
			c.otherwiseWritten(t, read)
		}
	})
	t.Run("AnyValueInAnyPlaceIsReadOrRefused", func(t *testing.T) { anyValueInAnyPlace(t, read) })
	t.Run("AHugeFileIsRefused", func(t *testing.T) {
		_, err := read(documents.Input{Roots: []string{"huge.json"}, Read: func(string) ([]byte, error) {
			return make([]byte, jsontree.MaxSize+1), nil
		}})
		if err == nil || !strings.HasPrefix(err.Error(), "huge.json: ") || !strings.Contains(err.Error(), "at most 64 MiB") {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("EachMissingRootIsNamed", func(t *testing.T) {
		_, err := read(documents.Input{Roots: []string{"b.json", "a.json"}, Read: func(string) ([]byte, error) { return nil, os.ErrNotExist }})
		if err == nil || err.Error() != "a.json: the file does not exist\nb.json: the file does not exist" {
			t.Errorf("error = %v", err)
		}
	})
}

// failed is the file in which errors are expected.
const failed = "want.err"

// result is what a reader makes of a case, and the file in which that is expected.
func (c Case) result(t *testing.T, read Reader) (file string, text []byte) {
	t.Helper()
	v, err := read(c.Input())
	if err != nil {
		var list *diag.List
		if !errors.As(err, &list) {
			t.Errorf("the error is a %T, want a *diag.List", err)
		}
		return failed, []byte(err.Error() + "\n")
	}
	Check(t, v)
	return "want.txt", lines(t, v)
}

func (c Case) golden(t *testing.T, read Reader) {
	name, got := c.result(t, read)
	file := filepath.Join(c.Dir, name)
	if os.Getenv("ARMATURE_UPDATE") != "" {
		for _, old := range []string{"want.txt", failed} {
			os.Remove(filepath.Join(c.Dir, old))
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; the case yields\n%s", err, got)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s\nARMATURE_UPDATE=1 go test in this folder updates it", file, diff)
	}
}

func (c Case) otherwiseWritten(t *testing.T, read Reader) {
	name, want := c.result(t, read)
	if name == failed {
		return
	}
	other := Case{Dir: c.Dir, Roots: slices.Clone(c.Roots), Files: map[string][]byte{}}
	slices.Reverse(other.Roots)
	for file, text := range c.Files {
		var spread bytes.Buffer
		if err := json.Indent(&spread, text, "\n\n", "\t\t"); err != nil {
			t.Fatal(err)
		}
		other.Files[file] = spread.Bytes()
	}
	if _, got := other.result(t, read); !bytes.Equal(want, got) {
		t.Errorf("%s: %s", c.Dir, cmp.Diff(string(want), string(got)))
	}
}

// lines shows a version with one line for each resource, type, enum value,
// property and note: all their fields as JSON, but names that are empty in the
// raw form.
func lines(t *testing.T, v *ir.Version) []byte {
	t.Helper()
	var text bytes.Buffer
	line := func(what string, value any) {
		fields, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s %s\n", what, strings.ReplaceAll(string(fields), `"name":"","goName":"",`, ""))
	}
	for _, r := range v.Resources {
		line("resource", r)
	}
	for _, typ := range v.Types {
		head := *typ
		head.Properties, head.Values = nil, nil
		line("type", head)
		for _, value := range typ.Values {
			line("  value", value)
		}
		for _, p := range typ.Properties {
			line("  property", p)
		}
	}
	for _, n := range v.Notes {
		line("note", n)
	}
	return text.Bytes()
}

// typeName is what the name of a Go type is like.
var typeName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// Check finds what the comments of package ir promise of any version.
func Check(t *testing.T, v *ir.Version) {
	t.Helper()
	where := v.Provider + " " + v.APIVersion
	names := map[string]bool{}
	for _, typ := range v.Types {
		if folded := strings.ToLower(typ.Name); names[folded] {
			t.Errorf("%s: two types are named %s", where, typ.Name)
		} else {
			names[folded] = true
		}
		if !typeName.MatchString(typ.Name) {
			t.Errorf("%s: %q is no name of a Go type", where, typ.Name)
		}
		for _, p := range typ.Properties {
			leaf := p.Type.Leaf()
			if leaf.Named != "" && v.Type(leaf.Named) == nil {
				t.Errorf("%s: %s.%s refers to %s, which is no type", where, typ.Name, p.ARM, leaf.Named)
			}
			if leaf.Named == "" && leaf.Primitive == "" {
				t.Errorf("%s: %s.%s has no type", where, typ.Name, p.ARM)
			}
		}
	}
	roots := []string{}
	for _, r := range v.Resources {
		for _, root := range []string{r.Spec, r.Status} {
			if root != "" && (v.Type(root) == nil || v.Type(root).Kind != ir.Object) {
				t.Errorf("%s: %s has %q, which is no object type", where, r.Type, root)
			}
			roots = append(roots, root)
		}
		if len(r.Scopes) == 0 || r.Kind == "" || r.Spec == "" {
			t.Errorf("%s: %s lacks scope, kind or spec", where, r.Type)
		}
	}
	if reached := len(v.Reachable(roots...)); reached != len(v.Types) {
		t.Errorf("%s: %d of %d types are reached", where, reached, len(v.Types))
	}
	for _, n := range v.Notes {
		if n.File == "" || n.Pointer == "" || n.Reason == "" {
			t.Errorf("%s: a note without place or reason: %+v", where, n)
		}
	}
}
