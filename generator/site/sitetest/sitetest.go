// Package sitetest checks pages. Its main function is [Check].
package sitetest

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// page is what there is to know of a page.
type page struct {
	ids   map[string]bool
	links []string
}

// Check checks that the links of pages lead to pages and anchors that are there, that no
// page refers to another host or runs anything, and that a browser would not let it.
func Check(tb testing.TB, files map[string][]byte) {
	tb.Helper()
	pages := map[string]*page{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != strings.ToLower(name) {
			tb.Errorf("%s is not in lower case", name)
		}
		p, err := read(files[name])
		if err != nil {
			tb.Errorf("%s: %v", name, err)
			continue
		}
		pages[name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		for _, link := range pages[name].links {
			to, id, _ := strings.Cut(link, "#")
			there := name
			if to != "" {
				there = path.Join(path.Dir(name), to)
			}
			if p := pages[there]; p == nil || id != "" && !p.ids[id] {
				tb.Errorf("%s: the link %s leads nowhere", name, link)
			}
		}
	}
}

// elements are those that a page may have.
var elements = strings.Fields("html head meta title style nav main body h1 h2 p a ul li dl dt dd pre code span div " +
	"details summary table thead tbody tr th td svg path circle text")

// attributes are those that an element may have.
var attributes = strings.Fields("lang charset http-equiv content name href class id aria-label tabindex role viewBox " +
	"width height d cx cy r x y dx dy")

// read returns what there is to know of a page, or an error for what none may have.
func read(text []byte) (*page, error) {
	root, err := html.Parse(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	p := &page{ids: map[string]bool{}}
	var policy, style string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if !slices.Contains(elements, n.Data) {
			return nil, fmt.Errorf("an element %s", n.Data)
		}
		if n.Data == "style" {
			style = n.FirstChild.Data
		}
		for _, a := range n.Attr {
			switch {
			case !slices.Contains(attributes, a.Key):
				return nil, fmt.Errorf("an attribute %s of %s", a.Key, n.Data)
			case a.Key == "id" && p.ids[a.Val]:
				return nil, fmt.Errorf("the id %s twice", a.Val)
			case a.Key == "id":
				p.ids[a.Val] = true
			case a.Key == "href":
				p.links = append(p.links, a.Val)
			case a.Key == "http-equiv" && a.Val == "Content-Security-Policy":
				policy = n.Attr[1].Val
			}
		}
	}
	sum := sha256.Sum256([]byte(style))
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if policy != want {
		return nil, fmt.Errorf("the content security policy %q, want %q", policy, want)
	}
	return p, nil
}
