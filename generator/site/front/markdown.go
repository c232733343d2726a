package front

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/site/page"
)

// content is what the templates are given.
type content struct {
	Body   template.HTML // made by [docs.render] alone
	Groups []page.Group
}

// doc is a page of Markdown that has been parsed.
type doc struct {
	Doc
	address string
	root    ast.Node
	ids     *ids
}

// docs are all pages of Markdown, by their paths.
type docs []*doc

// markdown is Markdown with tables. It writes no HTML of a page except for anchors.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(anchors{}, 1))),
)

func newDocs(in Input, errs *diag.List) docs {
	all := docs{{Doc: in.Front, address: page.Index}}
	for _, d := range in.Docs {
		all = append(all, &doc{Doc: d, address: Address(d.Path)})
	}
	slices.SortFunc(all, func(a, b *doc) int { return cmp.Compare(a.Path, b.Path) })
	for _, d := range all {
		d.ids = &ids{used: map[string]bool{}}
		d.root = markdown.Parser().Parse(text.NewReader(d.Text), parser.WithContext(parser.NewContext(parser.WithIDs(d.ids))))
		d.walk(func(n ast.Node) error {
			if raw, is := n.(*ast.RawHTML); is {
				if id := anchorOf(raw, d.Text); id != "" {
					d.ids.Put([]byte(id))
				}
			}
			return nil
		}, errs)
	}
	return all
}

// walk calls f for each node, and adds its errors with their places.
func (d *doc) walk(f func(ast.Node) error, errs *diag.List) {
	var nodes []ast.Node
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			nodes = append(nodes, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range nodes { // f may change the tree
		if err := f(n); err != nil {
			errs.Addf(d.Path, d.line(n), 1, "%v", err)
		}
	}
}

// line returns the line of the block that a node is in.
func (d *doc) line(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if n.Type() != ast.TypeInline && n.Lines() != nil && n.Lines().Len() > 0 {
			return 1 + bytes.Count(d.Text[:n.Lines().At(0).Start], []byte("\n"))
		}
	}
	return 0
}

// render returns a page as HTML, with its title. Links to pages lead to where they are in
// the site. Those to other files of the repository, which a site does not have, are text.
func (all docs) render(d *doc, errs *diag.List) (title string, body template.HTML) {
	d.walk(func(n ast.Node) error {
		switch n := n.(type) {
		case *ast.Heading:
			if title == "" {
				title = textOf(n, d.Text)
			}
		case *ast.HTMLBlock:
			if raw := n.Lines().Value(d.Text); comment.Match(raw) {
				return nil
			}
			return fmt.Errorf("found HTML; expected Markdown, and no HTML but <a id=\"name\"></a>")
		case *ast.RawHTML:
			if raw := string(n.Segments.Value(d.Text)); anchorOf(n, d.Text) == "" && raw != "</a>" {
				return fmt.Errorf("found the HTML %s; expected Markdown, and no HTML but <a id=\"name\"></a>", raw)
			}
		case *ast.Image:
			return fmt.Errorf("found an image, %s; pages have none", n.Destination)
		case *ast.FencedCodeBlock:
			if string(n.Language(d.Text)) == "picture" {
				return d.draw(n)
			}
		case *ast.AutoLink:
			return external(string(n.URL(d.Text)))
		case *ast.Link:
			return all.lead(d, n)
		}
		return nil
	}, errs)
	if title == "" {
		errs.Addf(d.Path, 0, 0, "found no heading; the first one is the title of the page")
	}
	var out bytes.Buffer
	errs.Merge(markdown.Renderer().Render(&out, d.Text, d.root))
	return title, template.HTML(scrolled.Replace(out.String()))
}

// scrolled lets the keyboard reach what is wider than a screen, and makes no heading of nothing.
// In text, < is an escape.
var scrolled = strings.NewReplacer(
	"<pre><code", `<pre tabindex="0"><code`, "<table>", `<div class="wide" tabindex="0"><table>`, "</table>", "</table></div>",
	"<th></th>", "<td></td>",
)

// lead changes the destination of a link.
func (all docs) lead(d *doc, n *ast.Link) error {
	// The renderer resolves references such as &#106; after this, so they are looked at resolved.
	n.Destination = util.ResolveEntityNames(util.ResolveNumericReferences(n.Destination))
	to, err := url.Parse(string(n.Destination))
	if err != nil || to.Scheme != "" || to.Host != "" {
		return external(string(n.Destination))
	}
	target := d.Path
	if to.Path != "" {
		target = path.Join(path.Dir(d.Path), to.Path)
	}
	i := slices.IndexFunc(all, func(o *doc) bool { return o.Path == target })
	if i < 0 {
		replaceByText(n)
		return nil
	}
	if to.Fragment != "" && !all[i].ids.used[to.Fragment] {
		return fmt.Errorf("found a link to %s; %s has no such heading or anchor", n.Destination, target)
	}
	rel, err := filepath.Rel(path.Dir("/"+d.address), "/"+all[i].address)
	if err != nil {
		return err
	}
	if to.Path == "" {
		rel = ""
	}
	n.Destination = []byte((&url.URL{Path: filepath.ToSlash(rel), Fragment: to.Fragment}).String())
	return nil
}

// external checks an address that leads out of the site.
func external(address string) error {
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "mailto" {
		return fmt.Errorf("found a link to %s; expected a page, or an address with https, http or mailto", address)
	}
	return nil
}

func replaceByText(n ast.Node) {
	for n.FirstChild() != nil {
		n.Parent().InsertBefore(n.Parent(), n, n.FirstChild())
	}
	n.Parent().RemoveChild(n.Parent(), n)
}

func textOf(n ast.Node, source []byte) string {
	var all strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, is := n.(*ast.Text); is && entering {
			all.Write(t.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return all.String()
}

// anchors writes the one kind of HTML that pages may have: <a id="name"></a>.
type anchors struct{}

var anchor = regexp.MustCompile(`^<a id="([A-Za-z0-9_-]+)">$`)

// comment is what the commands that write parts of pages look for.
var comment = regexp.MustCompile(`^ *<!--[^<>]*-->\s*$`)

// anchorOf returns the id of an anchor, or "" for other HTML.
func anchorOf(n *ast.RawHTML, source []byte) string {
	if found := anchor.FindSubmatch(n.Segments.Value(source)); found != nil {
		return string(found[1])
	}
	return ""
}

// drawn is a code block of the language picture, as it is drawn.
type drawn struct {
	ast.BaseBlock
	*picture
}

var kindDrawn = ast.NewNodeKind("Drawn")

// Kind returns the kind of the node.
func (*drawn) Kind() ast.NodeKind { return kindDrawn }

// Dump prints the node.
func (d *drawn) Dump(source []byte, level int) { ast.DumpHelper(d, source, level, nil, nil) }

// draw puts a picture in the place of its text.
func (d *doc) draw(n *ast.FencedCodeBlock) error {
	p, err := newPicture(string(n.Lines().Value(d.Text)))
	if err != nil {
		return err
	}
	n.Parent().ReplaceChild(n.Parent(), n, &drawn{picture: p})
	return nil
}

// RegisterFuncs makes it the renderer of HTML, and of pictures.
func (anchors) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if id := anchorOf(n.(*ast.RawHTML), source); id != "" && entering {
			fmt.Fprintf(w, `<span id="%s"></span>`, id)
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(kindDrawn, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return ast.WalkSkipChildren, pages.ExecuteTemplate(w, "picture", n.(*drawn).picture)
	})
	r.Register(ast.KindHTMLBlock, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil // a comment
	})
}

// ids makes the anchors of headings, as GitHub makes them.
type ids struct{ used map[string]bool }

var inWords = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

// Generate returns the anchor of a heading.
func (i *ids) Generate(heading []byte, _ ast.NodeKind) []byte {
	words := inWords.ReplaceAllString(strings.ToLower(strings.TrimSpace(string(heading))), "")
	first := strings.ReplaceAll(words, " ", "-")
	id := first
	for n := 1; i.used[id]; n++ {
		id = fmt.Sprintf("%s-%d", first, n)
	}
	i.used[id] = true
	return []byte(id)
}

// Put adds an anchor.
func (i *ids) Put(id []byte) { i.used[string(id)] = true }
