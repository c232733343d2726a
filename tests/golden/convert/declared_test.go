package convert_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
)

// TestDeclared collects what generated files declare. What is not named after a kind or a
// type is a name that none of these may have, so package naming has to know it.
func TestDeclared(t *testing.T) {
	versions, found := versions(), map[string]bool{}
	for _, p := range packages() {
		v := versions[slices.IndexFunc(versions, func(v *ir.Version) bool { return v.APIVersion == p.APIVersion })]
		addHooks(t, p, v)
		derived := map[string]bool{}
		for _, r := range p.Resources {
			derived[r.Kind], derived[r.Kind+"List"] = true, true
		}
		for _, typ := range v.Types {
			derived[typ.Name] = true
			for _, value := range typ.Values {
				derived[typ.Name+"_"+value.Name] = true
			}
		}
		for file, emit := range map[string]func(*shape.Package) ([]byte, error){
			"types.go": emit.Types, "register.go": emit.Register, "deepcopy.go": emit.DeepCopy, "conversion.go": emit.Conversion,
		} {
			text, err := emit(shape.New(p, v))
			if err != nil {
				t.Fatalf("%s of %s: %v", file, p.Name, err)
			}
			for _, name := range declarations(t, text) {
				found[name] = true
				if !derived[name] && !naming.IsDeclared(name) {
					t.Errorf("%s/%s declares %s, of which naming.IsDeclared does not know", p.Name, file, name)
				}
			}
		}
	}
	for _, name := range []string{"AddToScheme", "Enums", "Person_Spec", "Tier_Gold"} {
		if !found[name] {
			t.Errorf("found no declaration of %s", name)
		}
	}
}

// addHooks gives each pair of a package's types hooks in both directions.
func addHooks(t *testing.T, p *plan.Package, v *ir.Version) {
	t.Helper()
	pairs, err := plan.Pairs(p, plan.Shape(p, v))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range pairs {
		for _, pair := range n.Pairs {
			for _, to := range []bool{true, false} {
				hook := plan.Hook{Type: pair.Here.Name, Neighbour: n.Neighbour.Name, There: pair.There.Name, To: to}
				p.Hooks = append(p.Hooks, hook)
			}
		}
	}
}

// declarations returns the exported names that a file declares. Types and kinds begin
// with a capital, so nothing else can have the name of one.
func declarations(t *testing.T, text []byte) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	add := func(ident *ast.Ident) {
		if ident.IsExported() {
			names = append(names, ident.Name)
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add(decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, ident := range spec.Names {
						add(ident)
					}
				}
			}
		}
	}
	return names
}
