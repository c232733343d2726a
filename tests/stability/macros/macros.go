// Package macros lists what BUILD and MODULE files may say: the attributes of everything
// that //rules:defs.bzl and //rules:extensions.bzl export. Its main function is [List].
package macros

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bazelbuild/buildtools/build"
)

// List returns a line for each attribute of each name that a file exports, which loads
// them from files below the root.
func List(root, file string) ([]string, error) {
	exports, err := read(root, file)
	if err != nil {
		return nil, err
	}
	from := map[string]build.Expr{} // what a private name is
	var lines []string
	for _, statement := range exports.Stmt {
		switch statement := statement.(type) {
		case *build.LoadStmt:
			path := strings.NewReplacer("//", "", ":", "/").Replace(statement.Module.Value)
			loaded, err := read(root, path)
			if err != nil {
				return nil, err
			}
			for i, name := range statement.From {
				if from[statement.To[i].Name] = find(loaded, name.Name); from[statement.To[i].Name] == nil {
					return nil, fmt.Errorf("%s does not define %s", path, name.Name)
				}
			}
		case *build.AssignExpr:
			name := statement.LHS.(*build.Ident).Name
			found, err := describe(name, from[statement.RHS.(*build.Ident).Name])
			if err != nil {
				return nil, err
			}
			lines = append(lines, found...)
		}
	}
	slices.Sort(lines)
	return lines, nil
}

func read(root, file string) (*build.File, error) {
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return nil, err
	}
	return build.ParseBzl(file, text)
}

// find returns the function or the value of a name, or nil.
func find(file *build.File, name string) build.Expr {
	for _, statement := range file.Stmt {
		switch s := statement.(type) {
		case *build.DefStmt:
			if s.Name == name {
				return s
			}
		case *build.AssignExpr:
			if ident, is := s.LHS.(*build.Ident); is && ident.Name == name {
				return s.RHS
			}
		}
	}
	return nil
}

// describe returns the lines of a macro, rule, provider or module extension.
func describe(name string, what build.Expr) ([]string, error) {
	if macro, is := what.(*build.DefStmt); is {
		var lines []string
		for _, param := range macro.Params {
			lines = append(lines, "macro "+name+": "+build.FormatString(param))
		}
		return lines, nil
	}
	call, is := what.(*build.CallExpr)
	if !is {
		return nil, fmt.Errorf("%s is no macro, rule, provider or extension", name)
	}
	kind := build.FormatString(call.X)
	if argument := map[string]string{"rule": "attrs", "provider": "fields", "module_extension": "tag_classes"}[kind]; argument != "" {
		return entries(kind+" "+name, argumentOf(call, argument)), nil
	}
	return nil, fmt.Errorf("%s is made by %s, expected a rule, provider or module_extension", name, kind)
}

func argumentOf(call *build.CallExpr, name string) build.Expr {
	for _, argument := range call.List {
		if a, is := argument.(*build.AssignExpr); is && build.FormatString(a.LHS) == name {
			return a.RHS
		}
	}
	return nil
}

// entries returns the lines of a dict from names to attributes, tag classes or docs.
// Attributes whose name begins with "_" are private.
func entries(of string, dict build.Expr) []string {
	d, is := dict.(*build.DictExpr)
	if !is {
		return nil
	}
	var lines []string
	for _, entry := range d.List {
		name := entry.Key.(*build.StringExpr).Value
		call, isCall := entry.Value.(*build.CallExpr)
		switch {
		case strings.HasPrefix(name, "_"):
		case !isCall: // the doc of a provider's field
			lines = append(lines, of+": "+name)
		case build.FormatString(call.X) == "tag_class":
			lines = append(lines, entries(of+"."+name, argumentOf(call, "attrs"))...)
		default:
			line := of + ": " + name + " = " + build.FormatString(call.X)
			for _, argument := range []string{"mandatory", "default"} {
				if value := argumentOf(call, argument); value != nil {
					line += " " + argument + "=" + build.FormatString(value)
				}
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// Breaks says why a file that loads with the old attributes may not load with the new
// ones: one that is gone or is another one, and one that is required.
func Breaks(was, is []string) []string {
	split := func(lines []string) (of map[string]string, owners map[string]bool) {
		of, owners = map[string]string{}, map[string]bool{}
		for _, line := range lines {
			owner, attribute, _ := strings.Cut(line, ": ")
			name, _, _ := strings.Cut(attribute, " ")
			of[owner+": "+name], owners[owner] = strings.TrimPrefix(attribute, name), true
		}
		return of, owners
	}
	before, owners := split(was)
	after, _ := split(is)
	var found []string
	for name, value := range before {
		switch now, stays := after[name]; {
		case !stays:
			found = append(found, name+" is gone")
		case now != value:
			found = append(found, fmt.Sprintf("%s was%s and is%s", name, value, now))
		}
	}
	for name, value := range after {
		owner, _, _ := strings.Cut(name, ": ")
		_, known := before[name]
		isMacro := strings.HasPrefix(name, "macro ") && !strings.Contains(name, "*")
		if !known && owners[owner] && (isMacro && value == "" || strings.Contains(value, "mandatory=True")) {
			found = append(found, name+" is required now")
		}
	}
	slices.Sort(found)
	return found
}
