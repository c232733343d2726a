package service

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stages are the files of the package, each behind those that it uses.
var stages = []string{
	"kinds.go", "repository.go", "specs.go", "request.go", "group.go", "buildfile.go",
	"existing.go", "choose.go", "read.go",
	"examples.go", "propose.go", "groupyaml.go", "inherit.go", "decide.go",
	"outputs.go", "plan.go",
	"samples.go", "edit.go", "files.go",
	"ask.go", "change.go", "add.go", "all.go", "list.go",
}

func TestStages(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if !slices.Contains(stages, name) {
			t.Errorf("%s has no place among the stages", name)
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) != len(stages) {
		t.Errorf("found %d files, want the %d of the stages", len(files), len(stages))
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	check := types.Config{Importer: nothing{}, Error: func(error) {}}
	pkg, _ := check.Check("service", fset, files, info)
	stage := func(pos token.Pos) int { return slices.Index(stages, fset.Position(pos).Filename) }
	uses := 0
	for ident, object := range info.Uses {
		// Fields and methods have no scope, and what is inside of functions has one of its own.
		if object.Pkg() != pkg || object.Parent() != nil && object.Parent() != pkg.Scope() {
			continue
		}
		uses++
		if from, to := stage(ident.Pos()), stage(object.Pos()); from < to {
			t.Errorf("%s: %s uses %s of the later %s", fset.Position(ident.Pos()), stages[from], ident.Name, stages[to])
		}
	}
	if uses < 1000 {
		t.Errorf("found %d uses, want more than a thousand", uses)
	}
}

// nothing imports packages without content: what the others declare does not matter here.
type nothing struct{}

func (nothing) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}
