package main

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/plan"
)

// hooks has the methods of a group that are named like hooks.
type hooks struct {
	sources []plan.HookSource
	places  []plan.HookPlace
}

// find reads files, each given as <package>=<file>.
func find(files []string) (*hooks, error) {
	found := &hooks{sources: []plan.HookSource{}, places: []plan.HookPlace{}}
	var errs diag.List
	for _, source := range files {
		pkg, file, ok := strings.Cut(source, "=")
		if !ok {
			return nil, verb.Usagef("--source=%s: want <package>=<file>", source)
		}
		errs.Merge(found.read(pkg, file))
	}
	slices.SortFunc(found.sources, func(a, b plan.HookSource) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Receiver, b.Receiver), cmp.Compare(a.Method, b.Method))
	})
	return found, errs.Err()
}

// read finds the hooks of one file.
func (h *hooks) read(pkg, file string) error {
	var errs diag.List
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
	if err != nil {
		var syntax scanner.ErrorList
		if !errors.As(err, &syntax) {
			return err
		}
		for _, e := range syntax {
			errs.Addf(file, e.Pos.Line, e.Pos.Column, "%s", e.Msg)
		}
		return errs.Err()
	}
	if name := parsed.Name.Name; name != pkg {
		at := files.Position(parsed.Name.Pos())
		errs.Addf(file, at.Line, at.Column,
			"the file is of package %s, but lies in the folder of package %s; correct one of the two", name, pkg)
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || len(f.Recv.List) != 1 || !plan.IsHook(f.Name.Name) {
			continue
		}
		receiver := strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*")
		at := files.Position(f.Name.Pos())
		h.sources = append(h.sources,
			plan.HookSource{Package: pkg, Receiver: receiver, Method: f.Name.Name, Signature: signature(f, imports(parsed))})
		h.places = append(h.places,
			plan.HookPlace{Package: pkg, Receiver: receiver, Method: f.Name.Name, File: file, Line: at.Line, Column: at.Column})
	}
	return errs.Err()
}

// imports returns the paths of a file's imports by their names in the file.
func imports(file *ast.File) map[string]string {
	names := map[string]string{}
	for _, i := range file.Imports {
		importPath, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue // cannot happen: the parser has checked it
		}
		name := path.Base(importPath)
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = importPath
	}
	return names
}

// signature returns the signature of a method as in [plan.HookSource]: without
// the names of receiver, parameters and results, and with import paths.
func signature(f *ast.FuncDecl, imports map[string]string) string {
	ast.Inspect(f.Type, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok && imports[name.Name] != "" {
				name.Name = imports[name.Name]
			}
		}
		return true
	})
	text := "func (" + types.ExprString(f.Recv.List[0].Type) + ") " + f.Name.Name + "(" + fields(f.Type.Params) + ")"
	switch results := fields(f.Type.Results); {
	case results == "":
		return text
	case f.Type.Results.NumFields() == 1:
		return text + " " + results
	default:
		return text + " (" + results + ")"
	}
}

// fields returns the types of parameters or results.
func fields(list *ast.FieldList) string {
	var all []string
	if list != nil {
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				all = append(all, types.ExprString(field.Type))
			}
		}
	}
	return strings.Join(all, ", ")
}
