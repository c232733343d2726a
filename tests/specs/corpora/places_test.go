package corpora_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/jsontree"
)

// node is a place in a document.
type node struct {
	doc *jsontree.Document
	at  *jsontree.Node
}

func (n node) String() string { return n.doc.Name + "#" + n.doc.Pointer(n.at) }

// finder finds the place in a corpus to which a path of ARM names leads. It uses
// the text only, so that it does not share a reader's mistakes.
type finder struct {
	t       testing.TB
	corpora *corpora
	corpus  string
	roots   []*jsontree.Document
}

func (c *corpora) finder(t testing.TB, corpus string, files []string) *finder {
	f := &finder{t: t, corpora: c, corpus: corpus}
	for _, file := range files {
		f.roots = append(f.roots, c.document(t, corpus+"/"+file))
	}
	return f
}

// put returns the PUT at a path, and the schema of its body.
func (f *finder) put(template string) (operation, body node) {
	for _, doc := range f.roots {
		put := doc.Root.Get("paths").Get(template).Get("put")
		if put == nil {
			continue
		}
		for _, parameter := range put.Get("parameters").Items() {
			resolved := f.resolve(node{doc, parameter})
			if resolved.at.Get("in").Text() == "body" {
				return node{doc, put}, node{resolved.doc, resolved.at.Get("schema")}
			}
		}
		return node{doc, put}, node{doc, put}
	}
	f.t.Fatalf("no document has the path %s", template)
	return node{}, node{}
}

// definition returns the first description of a type at the top of a schema.
func (f *finder) definition(armType string) node {
	for _, nested := range []string{"esourcedefinitions", "definitions"} {
		for _, doc := range f.roots {
			for _, section := range doc.Root.Members() {
				if !strings.HasSuffix(strings.ToLower(section.Name), nested) {
					continue
				}
				for _, m := range section.Value.Members() {
					for _, value := range m.Value.Get("properties").Get("type").Get("enum").Items() {
						if strings.EqualFold(value.Text(), armType) {
							return node{doc, m.Value}
						}
					}
				}
			}
		}
	}
	f.t.Fatalf("no schema has the type %s", armType)
	return node{}
}

// follow follows a path as far as the text has it, and reports whether it has all
// of it.
func (f *finder) follow(from node, arm []string) (to node, complete bool) {
	for _, name := range arm {
		next, ok := f.step(from, name)
		if !ok {
			return f.faces(from)[0], false
		}
		from = next
	}
	return from, true
}

func (f *finder) step(from node, name string) (node, bool) {
	for _, face := range f.faces(from) {
		switch {
		case name == "[]":
			if items := face.at.Get("items"); items != nil {
				return node{face.doc, items}, true
			}
		case name == "{}":
			if values := face.at.Get("additionalProperties"); values != nil {
				return node{face.doc, values}, true
			}
		case strings.HasPrefix(name, "~"):
			if variant, ok := f.variant(face, name[1:]); ok {
				return variant, true
			}
		default:
			for _, m := range face.at.Get("properties").Members() {
				if strings.EqualFold(m.Name, name) {
					return node{face.doc, m.Value}, true
				}
			}
		}
	}
	return node{}, false
}

// variant returns the alternative in which a property has only the given value, or
// the definition that Swagger selects by that value.
func (f *finder) variant(of node, value string) (node, bool) {
	for _, alternative := range append(of.at.Get("oneOf").Items(), of.at.Get("anyOf").Items()...) {
		for _, face := range f.faces(node{of.doc, alternative}) {
			for _, m := range face.at.Get("properties").Members() {
				for _, p := range f.faces(node{face.doc, m.Value}) {
					if p.at.Get("const").Text() == value || len(p.at.Get("enum").Items()) == 1 &&
						p.at.Get("enum").Items()[0].Text() == value {
						return node{of.doc, alternative}, true
					}
				}
			}
		}
	}
	if f.corpus != swaggerCorpus {
		return node{}, false
	}
	for _, doc := range f.roots {
		for _, m := range doc.Root.Get("definitions").Members() {
			if selector := m.Value.Get("x-ms-discriminator-value").Text(); selector == value || selector == "" && m.Name == value {
				return node{doc, m.Value}, true
			}
		}
	}
	return node{}, false
}

// faces returns a schema and all schemas that it refers to or is composed of, in
// order.
func (f *finder) faces(of node) []node {
	var faces []node
	var visit func(n node)
	visit = func(n node) {
		n = f.resolve(n)
		if n.at == nil || slices.ContainsFunc(faces, func(seen node) bool { return seen.at == n.at }) {
			return
		}
		faces = append(faces, n)
		for _, keyword := range []string{"allOf", "oneOf", "anyOf"} {
			for _, part := range n.at.Get(keyword).Items() {
				visit(node{n.doc, part})
			}
		}
	}
	visit(of)
	return faces
}

// resolve follows references. It returns no node for an expression.
func (f *finder) resolve(n node) node {
	for {
		ref := n.at.Get("$ref")
		if ref == nil {
			return n
		}
		file, pointer, _ := strings.Cut(ref.Text(), "#")
		switch {
		case strings.HasSuffix(file, "/common/definitions.json"):
			return node{n.doc, nil}
		case strings.Contains(file, "://"):
			_, file, _ = strings.Cut(file, "/schemas/")
			n.doc = f.corpora.document(f.t, path.Join(f.corpus, "schemas", file))
		case file != "":
			n.doc = f.corpora.document(f.t, path.Join(path.Dir(n.doc.Name), file))
		}
		n.at = n.doc.Find(pointer)
	}
}
