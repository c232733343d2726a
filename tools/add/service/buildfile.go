package service

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/bazelbuild/buildtools/build"
)

// buildFile is the BUILD.bazel of an existing group.
type buildFile struct {
	provider, apiGroup, importPath string
	inTree                         bool // whether the specs are in the repository
	// documents are those of each version that describe its resources, by names that are relative to the folder of the
	// specs or to the repository, and formats the formats that are given to some.
	documents map[string][]string
	formats   map[string]string

	file      *build.File
	versions  *build.DictExpr
	constants map[string]string     // the values of the file's strings, by name
	lists     map[string]build.Expr // the file's lists, by name
	entries   map[string][]string   // by version
}

// readBuild reads the BUILD.bazel of a group. If there is an error, it returns what it could read.
func (r Repository) readBuild(group string) (*buildFile, error) {
	dir := r.folder() + "/" + group
	name := dir + "/BUILD.bazel"
	b := &buildFile{constants: map[string]string{}, lists: map[string]build.Expr{}, documents: map[string][]string{},
		formats: map[string]string{}, entries: map[string][]string{}}
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		return b, err
	}
	if b.file, err = build.ParseBuild(name, text); err != nil {
		return b, err
	}
	if b.constants["DOMAIN"], err = r.domain(); err != nil {
		return b, err
	}
	for _, statement := range b.file.Stmt {
		if assign, ok := statement.(*build.AssignExpr); ok {
			if ident, ok := assign.LHS.(*build.Ident); ok {
				b.constants[ident.Name], b.lists[ident.Name] = b.text(assign.RHS), assign.RHS
			}
		}
	}
	rules := b.file.Rules("arm_service_group")
	if len(rules) != 1 {
		return b, fmt.Errorf("%s has %d arm_service_group, expected one", name, len(rules))
	}
	b.provider = rules[0].AttrString("provider")
	specs := rules[0].Attr("specs")
	b.inTree = specs == nil || stringOf(specs) == "tree"
	b.apiGroup, b.importPath = b.text(rules[0].Attr("group")), rules[0].AttrString("importpath")
	b.versions, _ = rules[0].Attr("versions").(*build.DictExpr)
	if b.versions == nil {
		return b, fmt.Errorf("%s: versions is no dictionary", name)
	}
	for _, entry := range b.versions.List {
		v := b.text(entry.Key)
		entries, ok := b.list(entry.Value)
		if !ok {
			return b, fmt.Errorf("%s: the documents of version %s are no list of strings", name, v)
		}
		b.entries[v], b.documents[v] = entries, []string{}
		for _, doc := range entries {
			format, after, found := strings.Cut(doc, ":")
			if found {
				doc = after
			}
			if b.inTree {
				doc = dir + "/" + doc
			}
			if format == documents.Ref {
				continue // which reading the documents shows
			}
			if found {
				b.formats[doc] = format
			}
			b.documents[v] = append(b.documents[v], doc)
		}
	}
	return b, nil
}

// list returns the values of a list of strings, of a constant, of a sum of lists, or of
// one that is made of another one by [_STABLE + d for d in ["a.json", "b.json"]].
func (b *buildFile) list(e build.Expr) (values []string, ok bool) {
	switch e := e.(type) {
	case *build.ListExpr:
		for _, item := range e.List {
			values = append(values, b.text(item))
		}
		return values, true
	case *build.Ident:
		if b.lists[e.Name] == nil {
			return nil, false
		}
		return b.list(b.lists[e.Name])
	case *build.BinaryExpr:
		x, isList := b.list(e.X)
		y, alsoList := b.list(e.Y)
		return append(x, y...), e.Op == "+" && isList && alsoList
	case *build.Comprehension:
		if len(e.Clauses) != 1 {
			return nil, false
		}
		loop, isLoop := e.Clauses[0].(*build.ForClause)
		if !isLoop {
			return nil, false
		}
		variable, isIdent := loop.Vars.(*build.Ident)
		all, isList := b.list(loop.X)
		if !isIdent || !isList {
			return nil, false
		}
		inner := &buildFile{constants: maps.Clone(b.constants), lists: b.lists}
		for _, value := range all {
			inner.constants[variable.Name] = value
			values = append(values, inner.text(e.Body))
		}
		return values, true
	}
	return nil, false
}

// text returns the value of a string, of a constant, or of a sum of these.
func (b *buildFile) text(e build.Expr) string {
	switch e := e.(type) {
	case *build.StringExpr:
		return e.Value
	case *build.Ident:
		return b.constants[e.Name]
	case *build.BinaryExpr:
		if e.Op == "+" {
			return b.text(e.X) + b.text(e.Y)
		}
	}
	return ""
}

// with returns the file with those entries of versions that differ from its own, or nil if none does.
// A list that names the same files stays as a person wrote it.
func (b *buildFile) with(entries map[string][]string) []byte {
	changed := false
	for _, v := range slices.SortedFunc(maps.Keys(entries), naming.CompareVersions) {
		if !sameEntries(entries[v], b.entries[v]) {
			b.set(v, entries[v])
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return build.Format(b.file)
}

func sameEntries(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// set sets the entries of a version.
func (b *buildFile) set(apiVersion string, entries []string) {
	list := &build.ListExpr{ForceMultiLine: len(entries) > 1}
	for _, entry := range entries {
		list.List = append(list.List, b.expression(entry))
	}
	entry := &build.KeyValueExpr{Key: &build.StringExpr{Value: apiVersion}, Value: list}
	for _, e := range b.versions.List {
		if b.text(e.Key) == apiVersion {
			e.Value = list
			return
		}
	}
	at := slices.IndexFunc(b.versions.List, func(e *build.KeyValueExpr) bool {
		return naming.CompareVersions(b.text(e.Key), apiVersion) > 0
	})
	if at < 0 {
		at = len(b.versions.List)
	}
	b.versions.List = slices.Insert(b.versions.List, at, entry)
}

// expression returns an entry, with the longest constant that the name of its document
// begins with.
func (b *buildFile) expression(entry string) build.Expr {
	constant, format, doc := "", "", entry
	if before, after, found := strings.Cut(entry, ":"); found {
		format, doc = before+":", after
	}
	for name, value := range b.constants {
		if value != "" && strings.HasPrefix(doc, value) && len(value) > len(b.constants[constant]) {
			constant = name
		}
	}
	if constant == "" {
		return &build.StringExpr{Value: entry}
	}
	start := build.Expr(&build.Ident{Name: constant})
	if format != "" {
		start = &build.BinaryExpr{X: &build.StringExpr{Value: format}, Op: "+", Y: start}
	}
	return &build.BinaryExpr{X: start, Op: "+", Y: &build.StringExpr{Value: strings.TrimPrefix(doc, b.constants[constant])}}
}
