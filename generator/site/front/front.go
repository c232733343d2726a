// Package front writes what all groups of a site share: the front page, the list of all
// kinds, the docs, the style sheet and the scripts. Its main function is [Files].
package front

import (
	"cmp"
	_ "embed"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/site/page"
)

// Input holds what the files are made of.
type Input struct {
	Groups []page.Group
	// Front is the text of the front page.
	Front Doc
	// Docs are the other pages.
	Docs []Doc
}

// Doc is a page of Markdown.
type Doc struct {
	Path string // in the repository, with slashes
	Text []byte
}

// Address returns the address of a page of Markdown in the site.
func Address(doc string) string {
	return strings.ToLower(strings.TrimSuffix(doc, path.Ext(doc))) + ".html"
}

//go:embed front.tmpl
var templates string

var pages = page.Templates(templates)

// Files returns the files by their names. The groups have theirs in folders beside them.
func Files(in Input) (map[string][]byte, error) {
	groups := slices.Clone(in.Groups)
	slices.SortFunc(groups, func(a, b page.Group) int { return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Name, b.Name)) })
	files := map[string][]byte{
		page.StyleFile: page.Style, page.ScriptFile: page.Script, page.GroupsFile: page.Call("groups", searched(groups)),
	}
	var errs diag.List
	write := func(name, template string, p page.Page) {
		p.Root = strings.TrimSuffix(strings.Repeat("../", strings.Count(name, "/")), "/")
		if p.Root == "" {
			p.Root = "."
		}
		text, err := page.Write(pages, template, p)
		errs.Merge(err)
		if files[name] != nil {
			errs.Addf(name, 0, 0, "two pages have this address; rename one")
		}
		files[name] = text
	}
	docs := newDocs(in, &errs)
	for _, d := range docs {
		of := "doc"
		if d.address == page.Index {
			of = "front"
		}
		title, body := docs.render(d, &errs)
		write(d.address, of, page.Page{Title: title, Data: content{body, groups}})
	}
	write(page.KindsFile, "kinds", page.Page{Title: "Kinds", Data: content{Groups: groups}})
	return files, errs.Err()
}

// searched returns what the script is told of the groups.
func searched(groups []page.Group) []any {
	all := []any{}
	for _, g := range groups {
		kinds := []any{}
		for _, k := range g.Kinds {
			kinds = append(kinds, []string{k.Name, k.ARMType, k.Folder})
		}
		all = append(all, []any{g.Folder, g.Name, kinds})
	}
	return all
}
