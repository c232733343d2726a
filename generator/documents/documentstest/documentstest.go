// Package documentstest tests that a reader of documents keeps the promises of
// [documents.Reader], on golden cases in folders. Its main function is [Run].
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

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/jsontree"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/google/go-cmp/cmp"
)

// exports are the resources that the cases describe.
var exports = map[string]string{
	"Contoso.Shop/orders":                "Order",
	"Microsoft.Resources/resourceGroups": "ResourceGroup",
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
	Dir string
	// Roots are the names of the version's own documents, which lie directly in
	// the folder.
	Roots []string
	// Files are the contents of the roots, and of the documents that they refer
	// to, by name.
	Files map[string][]byte
}

// Cases returns all cases below testdata.
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

// Input returns the input of a reader.
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

// Run tests a reader on all cases.
func Run(t *testing.T, reader documents.Reader) {
	cases := Cases(t)
	t.Run("golden", func(t *testing.T) {
		for _, c := range cases {
			t.Run(filepath.Base(c.Dir), func(t *testing.T) { c.golden(t, reader) })
		}
	})
	t.Run("a document that can be read is recognized", func(t *testing.T) {
		for _, c := range cases {
			for _, name := range c.Roots {
				_, err := reader.Read(c.inputOf(name))
				if err == nil && !reader.Recognizes(name, c.Files[name]) {
					t.Errorf("%s/%s is read and not recognized", c.Dir, name)
				}
			}
		}
	})
	t.Run("neither the order of roots nor white space matters", func(t *testing.T) {
		for _, c := range cases {
			c.rewritten(t, reader)
		}
	})
	t.Run("any value at any place is read or refused", func(t *testing.T) { testMutations(t, reader) })
	t.Run("a huge file is refused", func(t *testing.T) {
		_, err := reader.Read(documents.Input{Roots: []string{"huge.json"}, Read: func(string) ([]byte, error) {
			return make([]byte, jsontree.MaxSize+1), nil
		}})
		if err == nil || !strings.HasPrefix(err.Error(), "huge.json: ") || !strings.Contains(err.Error(), "at most 64 MiB") {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("each missing root is named", func(t *testing.T) {
		_, err := reader.Read(documents.Input{
			Roots: []string{"b.json", "a.json"}, Read: func(string) ([]byte, error) { return nil, os.ErrNotExist },
		})
		if err == nil || err.Error() != "a.json: the file does not exist\nb.json: the file does not exist" {
			t.Errorf("error = %v", err)
		}
	})
}

// inputOf returns the input of a reader that reads one root only.
func (c Case) inputOf(root string) documents.Input {
	in := c.Input()
	in.Roots = []string{root}
	return in
}

// failed is the name of the golden file with errors.
const failed = "want.err"

// result reads a case. It returns the version or the errors as text, and the
// name of the golden file that has the expected text.
func (c Case) result(t *testing.T, reader documents.Reader) (file string, text []byte) {
	t.Helper()
	v, err := reader.Read(c.Input())
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

func (c Case) golden(t *testing.T, reader documents.Reader) {
	name, got := c.result(t, reader)
	if golden.Updating() {
		for _, old := range []string{"want.txt", failed} {
			golden.Remove(t, filepath.Join(c.Dir, old))
		}
	}
	golden.Equal(t, filepath.Join(c.Dir, name), string(got))
}

// rewritten tests that a case gives the same version with its roots in reverse
// order and other white space.
func (c Case) rewritten(t *testing.T, reader documents.Reader) {
	name, want := c.result(t, reader)
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
	if _, got := other.result(t, reader); !bytes.Equal(want, got) {
		t.Errorf("%s: %s", c.Dir, cmp.Diff(string(want), string(got)))
	}
}

// lines returns a version as text with one line for each resource, type, enum
// value, property, action and note. A line has all fields as JSON, without the names
// that are empty in the raw form.
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
	for _, a := range v.Actions {
		line("action", a)
	}
	for _, n := range v.Notes {
		line("note", n)
	}
	return text.Bytes()
}

// typeName matches the name of an exported Go type.
var typeName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// Check tests that a version keeps the promises in the comments of package ir.
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
			t.Errorf("%s: %q is not the name of a Go type", where, typ.Name)
		}
		for _, p := range typ.Properties {
			leaf := p.Type.Leaf()
			if leaf.Named != "" && v.Type(leaf.Named) == nil {
				t.Errorf("%s: %s.%s refers to %s, which is not a type", where, typ.Name, p.ARM, leaf.Named)
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
				t.Errorf("%s: %s has %q, which is not an object type", where, r.Type, root)
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
