// Package sitetest checks sites. Its main function is [Check].
package sitetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/armature-dev/armature/generator/site/front"
	"github.com/armature-dev/armature/generator/site/page"
)

// Of returns a site that has one group, whose files are given by their names in its folder.
func Of(tb testing.TB, group page.Group, files map[string][]byte) map[string][]byte {
	tb.Helper()
	all, err := front.Files(front.Input{
		Groups: []page.Group{group}, Front: front.Doc{Path: "front.md", Text: []byte("# A site\n")},
	})
	if err != nil {
		tb.Fatal(err)
	}
	for name, text := range files {
		all[group.Folder+"/"+name] = text
	}
	return all
}

// Read returns the files of a site in a folder by their names. Those of a group are behind a
// link.
func Read(tb testing.TB, folder string) map[string][]byte {
	tb.Helper()
	files := map[string][]byte{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		info, err := os.Stat(name)
		if err != nil {
			tb.Fatal(err)
		}
		if info.IsDir() {
			for below, text := range Read(tb, name) {
				files[e.Name()+"/"+below] = text
			}
			continue
		}
		if files[e.Name()], err = os.ReadFile(name); err != nil {
			tb.Fatal(err)
		}
	}
	return files
}

// Page is what there is to know of a page.
type Page struct {
	IDs   map[string]bool
	Links []string // files of the site, with anchors
}

// Check checks the files of a site: that links lead to pages and anchors that are there, that
// no page loads anything of another host or has a script within it, that a browser would not
// let it, and that the search has every property, and leads to it. It returns the pages.
func Check(tb testing.TB, files map[string][]byte) map[string]*Page {
	tb.Helper()
	pages := map[string]*Page{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != strings.ToLower(name) {
			tb.Errorf("%s is not in lower case", name)
		}
		if path.Ext(name) == ".html" {
			folder, _, _ := strings.Cut(name, "/")
			isDoc := name != page.KindsFile && files[folder+"/"+page.SearchFile] == nil
			p, err := read(name, files[name], isDoc)
			if err != nil {
				tb.Errorf("%s: %v", name, err)
				continue
			}
			pages[name] = p
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for _, link := range pages[name].Links {
			to, id, _ := strings.Cut(link, "#")
			if p := pages[to]; files[to] == nil || id != "" && (p == nil || !p.IDs[id]) {
				tb.Errorf("%s: the link to %s leads nowhere", name, link)
			}
		}
	}
	checkSearch(tb, files, pages)
	return pages
}

// Clicks returns how many links lead from the front page to a page for which want is true,
// or -1.
func Clicks(pages map[string]*Page, want func(name string, p *Page) bool) int {
	seen, next := map[string]bool{page.Index: true}, []string{page.Index}
	for clicks := 0; len(next) > 0; clicks++ {
		var after []string
		for _, name := range next {
			if want(name, pages[name]) {
				return clicks
			}
			for _, link := range pages[name].Links {
				to, _, _ := strings.Cut(link, "#")
				if pages[to] != nil && !seen[to] {
					seen[to] = true
					after = append(after, to)
				}
			}
		}
		next = after
	}
	return -1
}

// elements are those that a page may have.
var elements = strings.Fields("html head meta title link script nav body main h1 h2 h3 h4 h5 h6 p a ul ol li dl dt dd pre " +
	"code em strong span div blockquote hr br details summary table thead tbody tr th td svg path circle rect text")

// attributes are those that an element may have.
var attributes = strings.Fields("lang charset http-equiv content name href class id aria-label tabindex role viewBox " +
	"width height d cx cy r rx x y dx dy rel src defer align start")

// policy is what a browser may load for a page.
const policy = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; base-uri 'none'; form-action 'none'"

// read returns what there is to know of a page, or an error for what none may have. A page
// that is made of Markdown, in which there is no text of specs, may lead to other hosts.
func read(name string, text []byte, isDoc bool) (*Page, error) {
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	p := &Page{IDs: map[string]bool{}}
	got := ""
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if !slices.Contains(elements, n.Data) {
			return nil, fmt.Errorf("an element %s", n.Data)
		}
		if n.Data == "script" && (n.FirstChild != nil || !strings.HasSuffix(n.Attr[0].Val, "/"+page.ScriptFile)) {
			return nil, fmt.Errorf("a script that is not %s", page.ScriptFile)
		}
		for _, a := range n.Attr {
			switch {
			case !slices.Contains(attributes, a.Key):
				return nil, fmt.Errorf("an attribute %s of %s", a.Key, n.Data)
			case a.Key == "id" && p.IDs[a.Val]:
				return nil, fmt.Errorf("the id %s twice", a.Val)
			case a.Key == "id":
				p.IDs[a.Val] = true
			case a.Key == "href" || a.Key == "src":
				to, err := url.Parse(a.Val)
				switch {
				case err != nil:
					return nil, err
				case n.Data == "a" && isDoc && slices.Contains([]string{"http", "https", "mailto"}, to.Scheme):
					continue
				case to.Scheme != "" || to.Host != "" || strings.HasPrefix(to.Path, "/"):
					return nil, fmt.Errorf("a link to %s, which is not in the site", a.Val)
				}
				there := name
				if to.Path != "" {
					there = path.Join(path.Dir(name), to.Path)
				}
				p.Links = append(p.Links, strings.TrimSuffix(there+"#"+to.Fragment, "#"))
			case a.Key == "http-equiv" && a.Val == "Content-Security-Policy":
				got = n.Attr[1].Val
			}
		}
	}
	if got != policy {
		return nil, fmt.Errorf("the content security policy %q, want %q", got, policy)
	}
	return p, nil
}

// call is a script that says what is searched: one line of JSON in which no HTML can begin
// or end.
var call = regexp.MustCompile(`^armature\.(groups|properties)\(([^<>&\n\r\x{2028}\x{2029}]*)\);\n$`)

// argumentsOf reads the arguments of a script into values.
func argumentsOf(function string, text []byte, values ...any) error {
	found := call.FindSubmatch(text)
	if found == nil || string(found[1]) != function {
		return fmt.Errorf("a script that does not call %s with JSON: %.200q", function, text)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(fmt.Appendf(nil, "[%s]", found[2]), &all); err != nil {
		return err
	}
	if len(all) != len(values) {
		return fmt.Errorf("%d arguments, want %d", len(all), len(values))
	}
	for i, text := range all {
		if err := json.Unmarshal(text, values[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkSearch checks that the search finds each property at its newest version, and leads
// to pages and anchors that are there.
func checkSearch(tb testing.TB, files map[string][]byte, pages map[string]*Page) {
	tb.Helper()
	var groups [][3]json.RawMessage
	if err := argumentsOf("groups", files[page.GroupsFile], &groups); err != nil {
		tb.Errorf("%s: %v", page.GroupsFile, err)
	}
	for _, g := range groups {
		var folder, name, called string
		var kinds [][3]string
		if err := errors.Join(json.Unmarshal(g[0], &folder), json.Unmarshal(g[1], &name), json.Unmarshal(g[2], &kinds)); err != nil {
			tb.Errorf("%s: %v", page.GroupsFile, err)
			continue
		}
		var ofKinds, ofTypes [][2]json.RawMessage
		file := path.Join(folder, page.SearchFile)
		if err := argumentsOf("properties", files[file], &called, &ofKinds, &ofTypes); err != nil || called != name {
			tb.Errorf("%s: it is called for %q: %v", file, called, err)
			continue
		}
		for _, k := range kinds {
			if pages[path.Join(folder, k[2], page.Index)] == nil {
				tb.Errorf("%s: there is no page of %s", page.GroupsFile, k[0])
			}
		}
		known := map[string]bool{} // by folder of a kind, or type, and anchor
		for _, row := range append(ofKinds, ofTypes...) {
			var title string
			var of [][2]json.RawMessage
			if json.Unmarshal(row[0], &title) != nil || json.Unmarshal(row[1], &of) != nil {
				tb.Errorf("%s: %s is no title with pages", file, row)
			}
			for _, at := range of {
				var to string
				var tree []any
				if json.Unmarshal(at[0], &to) != nil || json.Unmarshal(at[1], &tree) != nil {
					tb.Errorf("%s: %s is no page with a tree", file, at)
				}
				p := pages[path.Join(folder, to)]
				if p == nil {
					tb.Errorf("%s: there is no page %s", file, to)
					continue
				}
				walk(tree, "", func(path string) {
					id := strings.ToLower(path)
					if !p.IDs[id] {
						tb.Errorf("%s: %s has no anchor %s", file, to, id)
					}
					known[owner(to)+"#"+id] = true
				})
			}
		}
		for name, p := range pages {
			in, ok := strings.CutPrefix(name, folder+"/")
			if !ok || path.Base(in) == page.Index {
				continue
			}
			for id := range p.IDs {
				isProperty := strings.HasPrefix(in, "types.") || id == "spec" || id == "status" ||
					strings.HasPrefix(id, "spec.") || strings.HasPrefix(id, "status.")
				if isProperty && id != "used-by" && !known[owner(in)+"#"+id] {
					tb.Errorf("%s: the search does not find %s#%s", file, in, id)
				}
			}
		}
	}
}

// owner returns what the versions of a page have in common: the folder of a kind, or the
// file of a type.
func owner(name string) string {
	if strings.HasPrefix(name, "types.") {
		return path.Base(name)
	}
	return path.Dir(name)
}

// walk calls f for each path of a tree.
func walk(tree []any, above string, f func(path string)) {
	last := ""
	for _, n := range tree {
		switch n := n.(type) {
		case string:
			last = above + n
			f(last)
		case []any:
			walk(n, last+".", f)
		}
	}
}
