// Package mutants tests the tests: it breaks the generator or the runtime in one
// place at a time, and expects that a law of runtime/roundtrip fails. The laws run
// on the small service of tests/golden/convert, which is generated anew if the
// generator was broken.
package mutants

// mutant is one way to break the code.
type mutant struct {
	// name says what is wrong in the broken code.
	name string
	file string
	// new replaces old, which occurs once in the file.
	old, new string
}

// Places in generator/emit/convert.go that several mutants change, or that a mutant adds to.
const (
	printsStash   = `g.P("bag.Stash(", arguments(strconv.Quote(s.Src.Name), value, s.Beside), ")")`
	printsPass    = `g.P("out.PropertyBag = ", g.conversion, ".Pass(c, in.PropertyBag, ", g.Ident(bagPath, "Bag"), ".DeepCopy)")`
	convertsValue = "converted := g.value(s.Value, s.Src.Type, s.Dst.Type, value, d)"
)

var mutants = []mutant{
	// What is put into a bag, and what is taken out.
	{"a bag forgets what is stashed", "runtime/propertybag/transfer.go",
		"t.stashed[key] = Entry{Version: t.version, Value: data}", "_ = data"},
	{"a bag drops what it carries for others", "runtime/propertybag/transfer.go",
		"rest[name] = *entry.DeepCopy()", "_ = entry"},
	{"a bag is shared with the source", "runtime/propertybag/transfer.go",
		"rest[name] = *entry.DeepCopy()", "rest[name] = entry"},
	{"what was recalled stays in the bag", "runtime/propertybag/transfer.go",
		"t.taken = append(t.taken, key)\n\tt.tally.Recalled++", "t.tally.Recalled++"},
	{"an entry of another shape is recalled", "runtime/propertybag/transfer.go",
		"len(strict) > 0", "len(strict) < 0"},
	{"a damaged entry of another shape ends the conversion", "runtime/propertybag/transfer.go",
		"if !decode(entry.Value, &src) {\n\t\t\tt.tally.Unreadable++", "if !decode(entry.Value, &src) {\n\t\t\tpanic(name)"},
	{"an old entry stays beside the new value", "runtime/propertybag/transfer.go",
		"default:\n\t\tt.supersede(name, shapes)", "default:"},
	{"the bag is looked at with regard to case", "runtime/propertybag/bag.go",
		"return strings.ToLower(name)", "return strings.Clone(name)"},
	{"an entry does not say its version", "runtime/propertybag/transfer.go",
		"key += \"@\" + t.version", ""},
	{"a copy of a bag shares its entries", "runtime/propertybag/bag.go",
		"out.Value = bytes.Clone(in.Value)", "out.Value = in.Value"},
	{"a damaged entry is not kept", "runtime/internal/bagentry/bagentry.go",
		"if !known || others {", "if false {"},

	// Values between two versions.
	{"an absent object becomes an empty one", "runtime/conversion/values.go",
		"func Object[S, D any](c *Context, in *S, convert func(c *Context, in *S, out *D)) *D {\n\tif in == nil {\n\t\treturn nil\n\t}",
		"func Object[S, D any](c *Context, in *S, convert func(c *Context, in *S, out *D)) *D {\n\tif in == nil {\n\t\treturn new(D)\n\t}"},
	{"an absent list becomes an empty one", "runtime/conversion/values.go",
		"func SliceOf[S, D any](in []S, convert func(S) D) []D {\n\tif in == nil {\n\t\treturn nil\n\t}",
		"func SliceOf[S, D any](in []S, convert func(S) D) []D {"},
	{"an empty list becomes an absent one", "runtime/conversion/values.go",
		"func ObjectSlice[S, D any](c *Context, in []S, convert func(c *Context, in *S, out *D)) []D {\n\tif in == nil {",
		"func ObjectSlice[S, D any](c *Context, in []S, convert func(c *Context, in *S, out *D)) []D {\n\tif len(in) == 0 {"},
	{"an empty map becomes an absent one", "runtime/conversion/values.go",
		"func MapOf[S, D any](in map[string]S, convert func(S) D) map[string]D {\n\tif in == nil {",
		"func MapOf[S, D any](in map[string]S, convert func(S) D) map[string]D {\n\tif len(in) == 0 {"},
	{"a list is turned round", "runtime/conversion/values.go",
		"convert(c, &in[i], &out[i])", "convert(c, &in[i], &out[len(in)-1-i])"},
	{"elements of a map share their struct", "runtime/conversion/values.go",
		"e.in, e.out = v, *new(D)", "e.in = v"},
	{"a member of a closed enum is respelled, and the spelling is lost", "runtime/conversion/values.go",
		"c.lossy = true\n\t\t\treturn member", "return member"},
	{"numbers beyond 2^53 are rounded", "runtime/conversion/safe.go",
		"if src == nil || *src > exact-1 || *src < -(exact-1) {", "if src == nil {"},
	{"digits lose their leading zeros", "runtime/conversion/safe.go",
		"if err != nil || strconv.FormatInt(dst, 10) != *src {", "if err != nil {"},
	{"a list of two becomes its first element", "runtime/conversion/safe.go",
		"if len(list) != 1 {", "if len(list) == 0 {"},
	{"untyped JSON becomes other JSON", "runtime/conversion/safe.go",
		"|| !reflect.DeepEqual(treeOf(text), treeOf(again))", "|| !reflect.DeepEqual(treeOf(text), treeOf(text))"},

	// Whole conversions.
	{"a conversion ends at the neighbour", "runtime/conversion/walk.go",
		"return onward(out)", "return c.Err()"},
	{"metadata are shared", "runtime/conversion/conversion.go",
		"fromMeta.DeepCopyInto(toMeta)", "*toMeta = *fromMeta"},
	{"the only step of a conversion copies nothing", "runtime/conversion/walk.go",
		"c.passes = any(in) != c.source", "c.passes = true"},
	{"the last step on the way down copies nothing", "runtime/conversion/walk.go",
		"c.passes = c.fetched || c.far != c.source", "c.passes = true"},
	{"an object of the source is shared", "runtime/conversion/values.go",
		"if c.passes {\n\t\treturn as[*D](in)", "if true {\n\t\treturn as[*D](in)"},
	{"elements of the source are shared", "runtime/conversion/values.go",
		"if c.passes {\n\t\treturn as[[]D](in)", "if true {\n\t\treturn as[[]D](in)"},
	{"a map of the source is shared", "runtime/conversion/values.go",
		"if c.passes {\n\t\treturn as[map[string]D](in)", "if true {\n\t\treturn as[map[string]D](in)"},
	{"what needs no conversion is shared", "runtime/conversion/values.go",
		"if c.passes {\n\t\treturn value", "if true {\n\t\treturn value"},
	{"the version of the source goes with the kind", "runtime/conversion/conversion.go",
		"to.APIVersion = version.String()", "_ = version"},

	// What API versions carry.
	{"nothing is carried", "runtime/conversion/edge.go",
		"if c.lossy {", "if false {"},
	{"a bag that has no place is not noticed", "runtime/conversion/conversion.go",
		"c.lossy = c.lossy || len(bag) > 0", ""},
	{"what is carried is not restored", "runtime/conversion/edge.go",
		"note.Lost.Restore(halvesOf(stored), halvesOf(src), &c.Remainder)", ""},
	{"the annotation is stored", "runtime/conversion/edge.go",
		"stored.SetAnnotations(remainder.Strip(stored.GetAnnotations()))", ""},
	{"every write is one of the client's version", "runtime/conversion/edge.go",
		"case shown == note.Spec:", "case shown == \"\":"},
	{"the version is not carried", "runtime/conversion/edge.go",
		"note.OriginalVersion, note.Spec = written, shown", "_ = shown"},
	{"a spelling is restored over another member", "runtime/remainder/restore.go",
		"current == text || !strings.EqualFold(current, text)", "current == text"},
	{"an entry of a bag is restored over the client's", "runtime/remainder/restore.go",
		"if _, exists := (*bag)[string(name)]; exists {", "if false {"},
	{"elements are not found by position", "runtime/remainder/lists.go",
		"if len(shown) == len(written) {", "if false {"},
	{"elements are found by content only", "runtime/remainder/lists.go",
		"var defaultKeys = [][]string{{\"id\"}, {\"name\"}}", "var defaultKeys = [][]string{}"},
	{"an element with another key is the same", "runtime/remainder/lists.go",
		"!(all && written[i].keyed())", "(all || true)"},
	{"an empty list and none are the same", "runtime/remainder/jsontype.go",
		"return f.omitEmpty && v.Len() == 0 || f.omitZero && v.IsNil()", "return (f.omitEmpty || f.omitZero) && v.Len() == 0"},
	{"an empty key is one", "runtime/remainder/lists.go",
		" || s.kind == stringKind && v.Len() == 0", ""},
	{"the keys of users' maps are taken for bags", "runtime/remainder/remainder.go",
		"return \"$\" + key", "return key"},

	// The plan.
	{"names are compared with case", "generator/plan/match/match.go",
		"if strings.EqualFold(t.Name, name) {\n\t\t\treturn t", "if t.Name == name {\n\t\t\treturn t"},
	{"a renamed property is taken for a new one", "generator/plan/match/match.go",
		"if strings.EqualFold(r.Here, h.Name) {\n\t\t\t\tname = r.There\n\t\t\t\tbreak\n\t\t\t}", "if false {\n\t\t\t\tbreak\n\t\t\t}"},
	{"nothing is stashed on the way to a neighbour", "generator/emit/convert.go",
		printsStash, "if d == to {\n\t\t\tg.P(\"_ = \", value)\n\t\t\treturn\n\t\t}\n\t\t" + printsStash},
	{"nothing is recalled on the way from a neighbour", "generator/plan/match/match.go",
		"p.From = append(p.From, m.recall(m.pkg.Name, here, h, t))", ""},
	{"what only the neighbour has is not stashed", "generator/emit/convert.go",
		printsStash, "if d == from {\n\t\t\tg.P(\"_ = \", value)\n\t\t\treturn\n\t\t}\n\t\t" + printsStash},
	{"a bag's entries have one shape", "generator/plan/match/match.go",
		"step.Versions = limit.Versions", ""},
	{"a property's place in the bag is everybody's", "generator/plan/match/match.go",
		"step.Beside = limit.beside()", ""},
	{"previews after the newest GA version step down to it", "generator/plan/planner/graph.go",
		"case v.Preview() && len(later) > 0:\n",
		"case v.Preview() && v.Compare(hub) > 0:\n\t\t\tlinks[v] = byDate[i-1]\n\t\tcase v.Preview() && len(later) > 0:\n"},
	{"a GA version links to a preview", "generator/plan/planner/graph.go",
		"func(w naming.Version) bool { return !w.Preview() }", "func(naming.Version) bool { return true }"},

	// What is printed.
	{"source and destination are swapped", "generator/emit/convert.go",
		convertsValue, convertsValue + "\n" +
			"\tif s.Src.Type == s.Dst.Type && s.Src.Type.Named == \"\" && !s.Moves() && value == \"in.\"+s.Src.GoName {\n" +
			"\t\tconverted = strings.Replace(converted, value, \"out.\"+s.Dst.GoName, 1)\n\t}"},
	{"a list or map of the source is shared", "generator/emit/convert.go",
		"return g.copier.value(src, expr)", "return expr"},
	{"the bag is left behind", "generator/emit/convert.go",
		"g.P(\"out.PropertyBag = bag.Rest()\")", ""},
	{"the bag of equal types is left behind", "generator/emit/convert.go",
		printsPass, ""},
	{"the bag of equal types is shared", "generator/emit/convert.go",
		printsPass, "g.P(\"out.PropertyBag = in.PropertyBag\")"},
	{"an alias shares the structs of its source", "generator/emit/convert.go",
		"g.P(\"out.\", half, \" = *\", g.conversion, \".Pass(c, &in.\", half, \", (*\", g.there(name), \").DeepCopy)\")",
		"g.P(\"out.\", half, \" = in.\", half)"},
	{"the Status is not converted", "generator/emit/convert.go",
		"for half, name := range halvesOf(k) {\n\t\t\tif sharesTypes",
		"for half, name := range halvesOf(k) {\n\t\t\tif half == \"Status\" {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tif sharesTypes"},
	{"the version is not noted", "generator/emit/convert.go",
		"g.P(\"out.OriginalVersion = in.OriginalVersion()\")", ""},
	{"the version is not passed on", "generator/emit/convert.go",
		"g.P(\"out.OriginalVersion = in.OriginalVersion\")", ""},
	{"a copy of an untyped value is shared", "generator/emit/deepcopy.go",
		"case ir.Any, ir.OperatorSpec, ir.Conditions:\n\t\treturn false", "case ir.OperatorSpec, ir.Conditions:\n\t\treturn false"},
	{"a deep copy shares scalars", "runtime/deepcopy/deepcopy.go",
		"func Pointer[T any](in *T) *T {\n\tif in == nil {\n\t\treturn nil\n\t}\n\tout := *in\n\treturn &out",
		"func Pointer[T any](in *T) *T {\n\treturn in"},
}
