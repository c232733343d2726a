// Package gazelle is a language extension for gazelle. It keeps the versions of
// service groups whose specs are in the tree: each arm_service_group lists all
// documents in its folders specs/<version>.
//
// The labels of generated packages need no extension: a directive of the root's
// BUILD file has them.
package gazelle

import (
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bazelbuild/bazel-gazelle/language"
	"github.com/bazelbuild/bazel-gazelle/rule"
	"github.com/bazelbuild/buildtools/build"

	"github.com/armature-dev/armature/generator/naming"
)

// NewLanguage returns the extension. Gazelle calls it.
func NewLanguage() language.Language { return &groups{} }

// groups is the extension.
type groups struct{ language.BaseLang }

// Name returns the name of the extension.
func (*groups) Name() string { return "armature" }

// specs is the folder of a group that has a folder for each version.
const specs = "specs"

// GenerateRules changes the service groups of a BUILD file. It generates no rules:
// a group is declared by a person.
func (*groups) GenerateRules(args language.GenerateArgs) language.GenerateResult {
	if args.File == nil {
		return language.GenerateResult{}
	}
	for _, r := range args.File.Rules {
		if r.Kind() != "arm_service_group" || r.Attr("specs") != nil && r.AttrString("specs") != "tree" {
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
