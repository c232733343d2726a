// Package gazelle is a language extension for gazelle. It keeps the versions of
// service groups whose specs are in the tree: each arm_service_group lists all
// documents in its folders specs/<version>. It also finds the generated packages of
// groups, which are not on disk, for the imports of other packages.
package gazelle

import (
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bazelbuild/bazel-gazelle/config"
	"github.com/bazelbuild/bazel-gazelle/label"
	"github.com/bazelbuild/bazel-gazelle/language"
	"github.com/bazelbuild/bazel-gazelle/resolve"
	"github.com/bazelbuild/bazel-gazelle/rule"
	"github.com/bazelbuild/buildtools/build"
	"golang.org/x/mod/modfile"

	"github.com/armature-dev/armature/generator/naming"
)

// NewLanguage returns the extension. Gazelle calls it.
func NewLanguage() language.Language { return &groups{packages: map[string]string{}} }

// groups is the extension.
type groups struct {
	language.BaseLang
	// packages has the Bazel package of each group, by the import path of its folder.
	packages map[string]string
}

// Name returns the name of the extension.
func (*groups) Name() string { return "armature" }

// specs is the folder of a group that has a folder for each version.
const specs = "specs"

// Configure notes the groups of a BUILD file. Gazelle calls it for all files before it resolves imports.
func (g *groups) Configure(c *config.Config, rel string, f *rule.File) {
	if rel == "" {
		refuseReplace(filepath.Join(c.RepoRoot, "go.mod"))
	}
	if f == nil {
		return
	}
	for _, r := range f.Rules {
		if importPath := r.AttrString("importpath"); r.Kind() == kind && importPath != "" {
			g.packages[importPath] = rel
		}
	}
}

// CrossResolve finds a generated package by its import path: the target is called as the package.
func (g *groups) CrossResolve(_ *config.Config, _ *resolve.RuleIndex, imp resolve.ImportSpec, lang string) []resolve.FindResult {
	folder, name := path.Split(imp.Imp)
	pkg, isGroup := g.packages[strings.TrimSuffix(folder, "/")]
	if lang != "go" || !isGroup {
		return nil
	}
	return []resolve.FindResult{{Label: label.New("", pkg, name)}}
}

// module is the Go module of the rules and what generated code imports.
const module = "github.com/armature-dev/armature"

// refuseReplace ends gazelle if a go.mod replaces the module. Gazelle would take it from there for what is written by
// hand, and the rules take it from the Bazel module: a program would have everything twice.
func refuseReplace(file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return // a repository need not have one
	}
	parsed, err := modfile.ParseLax(file, text, nil)
	if err != nil {
		return // which go reports
	}
	for _, r := range parsed.Replace {
		if r.Old.Path == module {
			log.Fatalf("%s:%d: replaces %s, which Bazel has from MODULE.bazel: remove the line, "+
				"and use local_path_override(module_name = \"armature\", path = …) there", file, r.Syntax.Start.Line, module)
		}
	}
}

// kind is the macro that declares a group.
const kind = "arm_service_group"

// GenerateRules changes the service groups of a BUILD file. It generates no rules:
// a group is declared by a person.
func (*groups) GenerateRules(args language.GenerateArgs) language.GenerateResult {
	if args.File == nil {
		return language.GenerateResult{}
	}
	for _, r := range args.File.Rules {
		if r.Kind() != kind || r.Attr("specs") != nil && r.AttrString("specs") != "tree" {
			continue
		}
		documents, err := documentsIn(args.Dir)
		if err != nil {
			log.Printf("%s: %v", args.File.Path, err)
			continue
		}
		if versions, isDict := r.Attr("versions").(*build.DictExpr); isDict && documents != nil {
			update(r, versions, documents)
		}
	}
	return language.GenerateResult{}
}

// documentsIn returns the documents of each version of a group, sorted, or nil if
// the group has no folder for specs. Examples are no documents.
func documentsIn(dir string) (map[string][]string, error) {
	folders, err := os.ReadDir(filepath.Join(dir, specs))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := map[string][]string{}
	for _, folder := range folders {
		version := folder.Name()
		if _, err := naming.ParseVersion(version); err != nil || !folder.IsDir() {
			continue // such as one of types that several versions share
		}
		root := filepath.Join(dir, specs, version)
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "examples":
				return filepath.SkipDir
			case entry.IsDir() || path.Ext(file) != ".json":
				return nil
			}
			rel, err := filepath.Rel(dir, file)
			found[version] = append(found[version], filepath.ToSlash(rel))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// update makes the versions of a group those that have documents. What a person wrote
// about a document that still exists stays: its place, its format, and comments.
func update(r *rule.Rule, versions *build.DictExpr, documents map[string][]string) {
	changed := false
	var kept []*build.KeyValueExpr
	listed := map[string]bool{}
	for _, entry := range versions.List {
		key, isString := entry.Key.(*build.StringExpr)
		list := ownList(entry.Value)
		if !isString || list == nil || rule.ShouldKeep(entry) {
			kept = append(kept, entry) // computed, or with a comment "# keep"
			if isString {
				listed[key.Value] = true
			}
			continue
		}
		listed[key.Value] = true
		if updateList(list, key.Value, documents[key.Value]) {
			changed = true
		}
		if len(list.List) == 0 && documents[key.Value] == nil {
			changed = true
			continue
		}
		kept = append(kept, entry)
	}
	for version, files := range documents {
		if !listed[version] {
			list := &build.ListExpr{}
			updateList(list, version, files)
			kept = append(kept, &build.KeyValueExpr{Key: &build.StringExpr{Value: version}, Value: list})
			changed = true
		}
	}
	if !changed {
		return
	}
	slices.SortStableFunc(kept, func(a, b *build.KeyValueExpr) int { return naming.CompareVersions(keyOf(a), keyOf(b)) })
	versions.List = kept
	versions.ForceMultiLine = true
	r.SetAttr("versions", versions)
}

// keyOf returns the version of an entry, or "" if it is computed.
func keyOf(entry *build.KeyValueExpr) string {
	if key, isString := entry.Key.(*build.StringExpr); isString {
		return key.Value
	}
	return ""
}

// ownList returns the list of documents that an entry spells out, to which it may
// add a constant with documents that several versions share.
func ownList(value build.Expr) *build.ListExpr {
	switch value := value.(type) {
	case *build.ListExpr:
		return value
	case *build.BinaryExpr:
		if list, isList := value.X.(*build.ListExpr); isList && value.Op == "+" {
			return list
		}
	}
	return nil
}

// updateList makes the list have exactly the documents in the version's own folder, and
// reports whether it changed the list.
func updateList(list *build.ListExpr, version string, files []string) bool {
	folder := path.Join(specs, version) + "/"
	listed := map[string]bool{}
	before := len(list.List)
	list.List = slices.DeleteFunc(list.List, func(e build.Expr) bool {
		item, isString := e.(*build.StringExpr)
		if !isString {
			return false
		}
		file := item.Value
		if _, after, hasFormat := strings.Cut(file, ":"); hasFormat {
			file = after
		}
		listed[file] = true
		return strings.HasPrefix(file, folder) && !slices.Contains(files, file)
	})
	changed := len(list.List) != before
	for _, file := range files {
		if !listed[file] {
			list.List = append(list.List, &build.StringExpr{Value: file})
			changed = true
		}
	}
	list.ForceMultiLine = list.ForceMultiLine || changed && len(list.List) > 1
	return changed
}
