package front_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/site/front"
	"github.com/armature-dev/armature/generator/site/page"
	"github.com/armature-dev/armature/generator/site/sitetest"
)

// input has two groups, a front page and pages that link to each other.
func input() front.Input {
	return front.Input{
		Groups: []page.Group{
			{Folder: "shop", Name: "shop.example.com", Kinds: []page.Kind{
				{
					Name: "Cart", ARMType: "Contoso.Shop/carts", Folder: "cart",
					Newest: page.Link{Text: "2022-01-01", To: "cart/v20220101.html"}, Versions: 2,
				},
			}},
			{Folder: "crm", Name: "crm.example.com"},
		},
		Front: front.Doc{Path: "site/front.md", Text: []byte(`# The site

[Install](../docs/install.md#the-crds), [it](../docs/install.md).
`)},
		Docs: []front.Doc{
			{Path: "docs/install.md", Text: []byte(strings.ReplaceAll(`# Install

## The 'CRDs'!

<!-- table: a -->
| a | b |
|---|--:|
| <a id="Row"></a>'x' | [up](../ARCHITECTURE.md) |

<!-- end -->

## The CRDs

See [the source](../a/b.go), [the row](#Row), [the second](#the-crds-1) and <https://example.com>.
`, "'", "`"))},
			{Path: "ARCHITECTURE.md", Text: []byte(`# How it is *built*

[down](docs/install.md#the-crds), [start](site/front.md)

| a | |
|---|---|
| b | c |
`)},
		},
	}
}

func TestFiles(t *testing.T) {
	all, err := front.Files(input())
	if err != nil {
		t.Fatal(err)
	}
	has := func(t *testing.T, name string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(string(all[name]), want) {
				t.Errorf("%s is not in %s:\n%s", want, name, all[name])
			}
		}
	}
	t.Run("links between pages lead to where they are in the site", func(t *testing.T) {
		has(t, "index.html", `<a href="docs/install.html#the-crds">Install</a>`, `<a href="docs/install.html">it</a>`)
		has(t, "docs/install.html", `<a href="../architecture.html">up</a>`, `<a href="#Row">the row</a>`, `<a href="#the-crds-1">`)
		has(t, "architecture.html", `<a href="docs/install.html#the-crds">`, `<a href="index.html">start</a>`)
	})
	t.Run("links to other files are text", func(t *testing.T) { has(t, "docs/install.html", "See the source, ") })
	t.Run("a heading of a column without words is none", func(t *testing.T) {
		has(t, "architecture.html", "<tr>\n<th>a</th>\n<td></td>\n</tr>")
	})
	t.Run("headings and rows keep their anchors", func(t *testing.T) {
		has(t, "docs/install.html", `<h2 id="the-crds">`, `<h2 id="the-crds-1">`, `<span id="Row"></span>`)
	})
	t.Run("the first heading is the title", func(t *testing.T) {
		has(t, "architecture.html", "<title>How it is built</title>", `<h1 id="how-it-is-built">`)
	})
	t.Run("comments are not shown", func(t *testing.T) {
		if bytes.Contains(all["docs/install.html"], []byte("table: a")) {
			t.Errorf("got %s", all["docs/install.html"])
		}
	})
	t.Run("all pages share the frame", func(t *testing.T) {
		has(t, "docs/install.html", `href="../site.css"`, `src="../site.js"`)
		has(t, "index.html", `href="./site.css"`)
	})
	t.Run("all kinds are listed, and known to the search", func(t *testing.T) {
		has(t, "kinds.html", `<a href="shop/cart/index.html">Cart</a><td><a href="shop/index.html">shop.example.com</a>`+
			`<td>Contoso.Shop/carts<td><a href="shop/cart/v20220101.html">2022-01-01</a><td>2`)
		has(t, "groups.js", `armature.groups([["crm","crm.example.com",[]],`+
			`["shop","shop.example.com",[["Cart","Contoso.Shop/carts","cart"]]]]);`)
	})
	t.Run("the order of the input does not matter", func(t *testing.T) {
		for range 5 {
			in := input()
			rand.Shuffle(len(in.Groups), func(i, j int) { in.Groups[i], in.Groups[j] = in.Groups[j], in.Groups[i] })
			rand.Shuffle(len(in.Docs), func(i, j int) { in.Docs[i], in.Docs[j] = in.Docs[j], in.Docs[i] })
			again, err := front.Files(in)
			if err != nil || !maps.EqualFunc(all, again, bytes.Equal) {
				t.Fatalf("another order gives other files, %v", err)
			}
		}
	})
	t.Run("the site is whole with its groups", func(t *testing.T) {
		whole := maps.Clone(all)
		empty := page.Templates(`{{define "empty"}}{{template "top" .}}</main>{{end}}`)
		for _, group := range []string{"crm", "shop"} {
			whole[group+"/search.js"] = page.Call("properties", group+".example.com", []any{}, []any{})
		}
		for _, name := range []string{"crm/index.html", "shop/index.html", "shop/cart/index.html", "shop/cart/v20220101.html"} {
			root := strings.TrimSuffix(strings.Repeat("../", strings.Count(name, "/")), "/")
			whole[name], _ = page.Write(empty, "empty", page.Page{Root: root})
		}
		sitetest.Check(t, whole)
	})
}

func TestMarkdown(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a link to a script", "# A\n\n[a](javascript:alert(1))", "docs/a.md:3:1: found a link to javascript:alert(1); expected"},
		{"a link to a script in other letters", "# A\n\n[a](JavaScript:alert(1))", "found a link to JavaScript:alert(1); expected"},
		{"a link to a script with references", "# A\n\n[a](&#106;avascript:alert(1))", "expected a page, or an address"},
		{"a link to a script with a tab", "# A\n\n[a](<java\tscript:alert(1)>)", "expected a page, or an address"},
		{"data", "# A\n\n[a](data:text/html,x)", "found a link to data:text/html,x; expected"},
		{"an address as a link", "# A\n\n<javascript:alert(1)>", "found a link to javascript:alert(1); expected"},
		{"an address without scheme", "# A\n\n[a](//example.com/x)", "found a link to //example.com/x; expected"},
		{"a link that is defined elsewhere", "# A\n\n[a][b]\n\n[b]: javascript:alert(1)", "found a link to javascript:alert(1); expected"},
		{"HTML", "# A\n\n<script>alert(1)</script>\n", "docs/a.md:3:1: found HTML; expected Markdown"},
		{"HTML in a line", "# A\n\na <img src=x onerror=alert(1)> b", "found the HTML <img src=x onerror=alert(1)>; expected"},
		{"an anchor that is more", "# A\n\na <a id=\"x\" onclick=\"a()\">b</a>", "found the HTML <a id=\"x\" onclick=\"a()\">; expected"},
		{"HTML after a comment", "# A\n\n<!-- a --><script>alert(1)</script>\n", "found HTML; expected Markdown"},
		{"an image", "# A\n\n![a](b.png)", "found an image, b.png; pages have none"},
		{"a heading that is not there", "# A\n\n[a](#b)", "found a link to #b; docs/a.md has no such heading or anchor"},
		{"a heading that another page does not have", "# A\n\n[a](b.md#c)", "found a link to b.md#c; docs/b.md has no such heading"},
		{"no heading", "a", "docs/a.md: found no heading; the first one is the title of the page"},
	} {
		t.Run(test.name+" is an error", func(t *testing.T) {
			_, err := front.Files(front.Input{
				Front: front.Doc{Path: "front.md", Text: []byte("# Front")},
				Docs:  []front.Doc{{Path: "docs/a.md", Text: []byte(test.text)}, {Path: "docs/b.md", Text: []byte("# B")}},
			})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got the error %v, want %s", err, test.want)
			}
		})
	}
	t.Run("two pages with an address are an error", func(t *testing.T) {
		_, err := front.Files(front.Input{
			Front: front.Doc{Path: "front.md", Text: []byte("# Front")},
			Docs:  []front.Doc{{Path: "kinds.md", Text: []byte("# A")}},
		})
		if err == nil || !strings.Contains(err.Error(), "kinds.html: two pages have this address") {
			t.Errorf("got the error %v", err)
		}
	})
	t.Run("code is text", func(t *testing.T) {
		all, err := front.Files(front.Input{Front: front.Doc{Path: "front.md", Text: []byte("# `<b>`\n\n```sh\n</pre><script>\n```\n")}})
		const want = "<pre tabindex=\"0\"><code class=\"language-sh\">&lt;/pre&gt;&lt;script&gt;"
		if err != nil || !bytes.Contains(all["index.html"], []byte(want)) {
			t.Errorf("%v: %s", err, all["index.html"])
		}
	})
}
