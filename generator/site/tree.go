package site

import (
	"path"
	"strings"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/site/page"
)

// mostShared is how many properties a type may have, with all below it, that several
// properties share and that is shown at each of them. A larger one has a page of its own.
const mostShared = 15

// version is an API version with the types of all its kinds.
type version struct {
	*site
	pkg   *plan.Package
	shape *ir.Version
	types map[string]*ir.Type
	own   map[string]bool // the types with pages of their own
	sizes map[string]int  // the properties of each type, with those that are shown below it
}

// node is a property in a tree.
type node struct {
	ID, Name, Type string
	Open           bool // whether it is unfolded
	Marks          []string
	Limits         string
	Values         []string
	ValuesOpen     bool
	References     []page.Link
	Doc            string
	Page           string // the page of its type, or ""
	Below          []*node
}

func newVersion(s *site, p *plan.Package, v *ir.Version) *version {
	shape := plan.Shape(p, v)
	all := &version{
		site: s, pkg: p, shape: shape, types: map[string]*ir.Type{}, own: map[string]bool{}, sizes: map[string]int{},
	}
	uses := map[string]int{}
	for _, t := range shape.Types {
		all.types[t.Name] = t
		for _, property := range t.Properties {
			uses[property.Type.Leaf().Named]++
		}
	}
	for _, c := range shape.Cycles(func(ir.Edge) bool { return false }) {
		for _, e := range c.Edges {
			all.own[e.From] = true
		}
	}
	// A type is larger if those below it have no pages of their own, so these come first.
	for _, t := range shape.Types {
		all.measure(t, uses)
	}
	return all
}

// measure finds how large a type is, and whether it has a page of its own.
func (v *version) measure(t *ir.Type, uses map[string]int) int {
	if size, known := v.sizes[t.Name]; known {
		return size
	}
	v.sizes[t.Name] = len(t.Properties) // a type within itself has a page of its own
	size := len(t.Properties)
	for _, p := range t.Properties {
		if below := v.object(p); below != nil {
			if n := v.measure(below, uses); !v.own[below.Name] {
				size += n
			}
		}
	}
	v.sizes[t.Name] = size
	if size > mostShared && uses[t.Name] > 1 {
		v.own[t.Name] = true
	}
	return size
}

// object returns the object that a property or its elements are, or nil.
func (v *version) object(p *ir.Property) *ir.Type {
	if t := v.types[p.Type.Leaf().Named]; t != nil && t.Kind == ir.Object {
		return t
	}
	return nil
}

// fill adds the properties of a type below a node.
func (v *version) fill(at *node, t *ir.Type, path string) {
	if t == nil {
		return
	}
	for _, p := range t.Properties {
		n := v.node(p, path)
		if below := v.object(p); below != nil {
			if v.own[below.Name] {
				n.Page = v.typePage(below.Name)
			} else {
				v.fill(n, below, n.path(path))
			}
		}
		at.Below = append(at.Below, n)
	}
}

func (n *node) path(parent string) string { return strings.TrimPrefix(parent+"."+n.Name, ".") }

// node returns a property without what is below it.
func (v *version) node(p *ir.Property, parent string) *node {
	n := &node{Name: p.Name, Type: evolution.TypeText(p.Type, v.types), Limits: evolution.LimitsText(p), Doc: p.Doc}
	n.ID = anchor(n.path(parent))
	mark := func(is bool, text string) {
		if is {
			n.Marks = append(n.Marks, text)
		}
	}
	mark(p.Required, "required")
	mark(p.CreateOnly, "create-only")
	mark(p.WriteOnly, "write-only")
	mark(p.Type.Leaf().Primitive == ir.Secret || p.Type.Leaf().Primitive == ir.SecretJSON, "secret")
	mark(p.Variant != "", "variant "+p.Variant)
	mark(p.ARM != "", "in ARM "+p.ARM)
	if t := v.types[p.Type.Leaf().Named]; t != nil && t.Kind == ir.Enum {
		n.ValuesOpen = t.Open
		for _, value := range t.Values {
			n.Values = append(n.Values, value.Value)
		}
	}
	for _, armType := range p.ResourceTypes {
		n.References = append(n.References, v.kindOf(armType))
	}
	return n
}

// typesFolder returns the name of the folder of the types of the version. No kind has a dot
// in its name.
func (v *version) typesFolder() string { return "types." + strings.ToLower(v.pkg.Name) }

// typePage returns the address of the page of a type, from any folder of the site.
func (v *version) typePage(name string) string {
	return path.Join("..", v.typesFolder(), strings.ToLower(name)+".html")
}

// typePageData is what the page of a type shows.
type typePageData struct {
	Name, APIVersion string
	Status           bool
	Doc              string
	Tree             *node
	UsedBy           []page.Link
}

// addTypes adds the pages of the types that have one.
func (v *version) addTypes() {
	usedBy := map[string][]page.Link{}
	for _, t := range v.shape.Types {
		for _, p := range t.Properties {
			below := v.object(p)
			if below == nil || !v.own[below.Name] {
				continue
			}
			use := page.Link{Text: naming.Common(t.Name) + "." + p.Name}
			if v.own[t.Name] {
				use.To = v.typePage(t.Name) + "#" + anchor(p.Name)
			}
			usedBy[below.Name] = append(usedBy[below.Name], use)
		}
	}
	for _, t := range v.shape.Types {
		if !v.own[t.Name] {
			continue
		}
		top := &node{Name: naming.Common(t.Name), Open: true}
		v.fill(top, t, "")
		name := path.Join(v.typesFolder(), strings.ToLower(t.Name)+".html")
		v.add(name, "type", naming.Common(t.Name)+" "+v.pkg.APIVersion,
			typePageData{naming.Common(t.Name), v.pkg.APIVersion, t.Status, t.Doc, top, usedBy[t.Name]})
		v.search.addType(t.Name, name, top.Below)
	}
}
