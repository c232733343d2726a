// Package packages has the exported Go API of the runtime, as Go source without bodies,
// and compares it with what the packages export. Its main function is [Stub].
package packages

import (
	"cmp"
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Stub returns the exported API of a package as the source of a Go file, in the order of
// names. Functions have no bodies, unless they are generic. Unexported types are there if an exported declaration
// has them, and the unexported fields of a struct are one field without a name.
func Stub(pkg *types.Package) (string, error) {
	s := &stub{pkg: pkg, imports: map[string]string{}, names: map[string]bool{}, private: map[*types.TypeName]bool{}}
	var decls []string
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		if o := scope.Lookup(name); o.Exported() {
			decls = append(decls, s.declaration(o))
		}
	}
	byName := func(a, b *types.TypeName) int { return cmp.Compare(a.Name(), b.Name()) }
	for done := map[*types.TypeName]bool{}; len(done) < len(s.private); {
		for _, o := range slices.SortedFunc(maps.Keys(s.private), byName) {
			if !done[o] {
				done[o] = true
				decls = append(decls, s.declaration(o))
			}
		}
	}
	var head strings.Builder
	fmt.Fprintf(&head, "package %s\n\n", pkg.Name())
	for _, path := range slices.Sorted(maps.Keys(s.imports)) {
		fmt.Fprintf(&head, "import %s %q\n", s.imports[path], path)
	}
	text, err := format.Source([]byte(head.String() + "\n" + strings.Join(decls, "\n\n") + "\n"))
	return string(text), err
}

// stub prints the API of a package.
type stub struct {
	pkg     *types.Package
	imports map[string]string // the names of imported packages, by path
	names   map[string]bool
	private map[*types.TypeName]bool
}

// qualifier returns the name of a package in the source, and notes its import.
func (s *stub) qualifier(p *types.Package) string {
	if p == s.pkg {
		return ""
	}
	if s.imports[p.Path()] == "" {
		name := p.Name()
		if s.names[name] || s.pkg.Scope().Lookup(name) != nil {
			name = regexp.MustCompile(`\W`).ReplaceAllString(path.Base(path.Dir(p.Path())), "") + name
		}
		for s.names[name] {
			name += "_"
		}
		s.names[name], s.imports[p.Path()] = true, name
	}
	return s.imports[p.Path()]
}

// text returns the source of a type.
func (s *stub) text(t types.Type) string {
	s.note(t, map[types.Type]bool{})
	return types.TypeString(t, s.qualifier)
}

// note notes the unexported types of the package that a type mentions.
func (s *stub) note(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		s.noteName(t.Obj())
	case *types.Named:
		s.noteName(t.Obj())
		for arg := range t.TypeArgs().Types() {
			s.note(arg, seen)
		}
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			s.note(p.Constraint(), seen)
		}
		s.note(t.Params(), seen)
		s.note(t.Results(), seen)
	case *types.Tuple:
		for v := range t.Variables() {
			s.note(v.Type(), seen)
		}
	case *types.Struct:
		for f := range t.Fields() {
			s.note(f.Type(), seen)
		}
	case *types.Interface:
		for m := range t.Methods() {
			s.note(m.Type(), seen)
		}
		for e := range t.EmbeddedTypes() {
			s.note(e, seen)
		}
	case *types.Map:
		s.note(t.Key(), seen)
		s.note(t.Elem(), seen)
	case interface{ Elem() types.Type }: // a pointer, list or channel
		s.note(t.Elem(), seen)
	case *types.Union:
		for term := range t.Terms() {
			s.note(term.Type(), seen)
		}
	}
}

func (s *stub) noteName(o *types.TypeName) {
	if o.Pkg() == s.pkg && !o.Exported() {
		s.private[o] = true
	}
}

// declaration returns the source of an object, and of the methods of a type.
func (s *stub) declaration(o types.Object) string {
	switch o := o.(type) {
	case *types.Const:
		if basic, is := o.Type().(*types.Basic); is && basic.Info()&types.IsUntyped != 0 {
			return fmt.Sprintf("const %s = %s", o.Name(), o.Val().ExactString())
		}
		return fmt.Sprintf("const %s %s = %s", o.Name(), s.text(o.Type()), o.Val().ExactString())
	case *types.Var:
		return fmt.Sprintf("var %s %s", o.Name(), s.text(o.Type()))
	case *types.Func:
		text := "func " + o.Name() + strings.TrimPrefix(s.text(o.Type()), "func")
		if o.Signature().TypeParams().Len() > 0 {
			text += " { panic(nil) }" // the type checker asks for a body of a generic function
		}
		return text
	case *types.TypeName:
		return s.typeDeclaration(o)
	}
	panic(fmt.Sprintf("a declaration of the kind %T", o)) // a package has no other ones
}

func (s *stub) typeDeclaration(o *types.TypeName) string {
	if alias, is := o.Type().(*types.Alias); is {
		return fmt.Sprintf("type %s = %s", o.Name(), s.text(alias.Rhs()))
	}
	named := o.Type().(*types.Named)
	var params, uses []string
	for p := range named.TypeParams().TypeParams() {
		params, uses = append(params, p.Obj().Name()+" "+s.text(p.Constraint())), append(uses, p.Obj().Name())
	}
	list := func(texts []string) string {
		if len(texts) == 0 {
			return ""
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	text := fmt.Sprintf("type %s%s %s", o.Name(), list(params), s.underlying(named.Underlying()))
	methods := slices.SortedFunc(named.Methods(), func(a, b *types.Func) int { return cmp.Compare(a.Name(), b.Name()) })
	for _, m := range methods {
		if !m.Exported() {
			continue
		}
		signature := m.Signature()
		receiver := o.Name() + list(uses)
		if _, isPointer := signature.Recv().Type().(*types.Pointer); isPointer {
			receiver = "*" + receiver
		}
		text += fmt.Sprintf("\n\nfunc (%s) %s%s", receiver, m.Name(), strings.TrimPrefix(s.text(signature), "func"))
	}
	return text
}

// underlying returns the source of the type that another is declared as: of a struct or
// an interface with a line for each part.
func (s *stub) underlying(t types.Type) string {
	var lines []string
	switch t := t.(type) {
	case *types.Struct:
		hidden, comparable := false, true
		for i := range t.NumFields() {
			f := t.Field(i)
			switch {
			case !f.Exported():
				hidden, comparable = true, comparable && types.Comparable(f.Type())
			case f.Embedded():
				lines = append(lines, s.text(f.Type())+" "+tag(t.Tag(i)))
			default:
				lines = append(lines, f.Name()+" "+s.text(f.Type())+" "+tag(t.Tag(i)))
			}
		}
		if hidden && comparable {
			lines = append(lines, "_ struct{}")
		} else if hidden {
			lines = append(lines, "_ func()")
		}
		return "struct {\n" + strings.Join(lines, "\n") + "\n}"
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			lines = append(lines, m.Name()+strings.TrimPrefix(s.text(m.Type()), "func"))
		}
		for e := range t.EmbeddedTypes() {
			lines = append(lines, s.text(e))
		}
		return "interface {\n" + strings.Join(lines, "\n") + "\n}"
	}
	return s.text(t)
}

func tag(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}
