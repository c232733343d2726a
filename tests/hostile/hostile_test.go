package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/site/page"
	"github.com/armature-dev/armature/generator/site/sitetest"
)

// texts are the seeds. CI tries each at each place.
var texts = []string{
	"a`\nfunc init() { panic(0) }\n//", "a`; json:\"b\" arm:\"c", `a" json:"b`, `a",json`, "a,json", "a=b", "-", "*",
	"properties/a", "a~1b", `a\`, `\"`, "a'b",
	"a\r\nfunc init() {}", "a\u2028func init() {}", "a\u0085func init() {}", "1; func init() {}", "0x1p2", "1e400",
	"1.5", "99999999999999999999", "NaN",
	"*/ func init() {} /*", "// +kubebuilder:validation:XValidation:rule=\"false\"", "\n+kubebuilder:skipversion",
	"go:embed /etc/passwd", "\n\tcode\n\n  - a\n",
	"\x00", "a\ufeffb", "\x1b[2J", "\u202ea", "a\u200bb", "\ufffd", "\U0010ffff", "é日本",
	": {", "- a", "# a", "&a", "!!binary a", "%YAML 1.1", "---", "a: b", "a #b", "{a: b}", "|", "'", "yes", "null", "~", "<<",
	"<script>alert(1)</script>", "</summary><img src=x onerror=alert(1)>", "[a](javascript:alert(1))", "`<b>`",
	"javascript:alert(1)", "\"><a href=javascript:alert(1) onclick=alert(1)>", "</style></pre><base href=//x>", "{{.}}",
	"a``<b>", "a|b|c", "&lt;script>", "\n\n# a\n",
	"type", "func", "init", "PropertyBag", "DeepCopy", "OriginalVersion", "aRMResource", "operatorSpec", "Cart",
	"CartList", "Cart_Spec", "GroupVersion", "string",
	"", " ", "../../a", strings.Repeat("a", 5000), strings.Repeat("a ", 2000), "(a+)+$", "[", "\\Qa", "{{.}}", "%s%n",
	"2022-01-01`", "2022-01-01-a\"",
}

// means reports whether a text has a meaning at a place, so that something else is
// rightly generated for it.
func means(place, text string) bool {
	switch {
	case place == "version", place == "fixed name" && strings.HasPrefix(text, "{"):
		return true
	case strings.HasPrefix(place, "value") && strings.Contains(place, "numbers"):
		_, err := strconv.ParseFloat(text, 64)
		return err == nil
	}
	if place == "value of a discriminator" && text == "null" {
		return true // CEL cannot name such a variant, so its union has no rule
	}
	return slices.Contains([]string{"", "id", "name", "type", "apiVersion", "systemData", "properties", "owner", "azureName"}, text)
}

// FuzzGenerate checks that any text at a place of a spec is refused, or that the output
// has the syntax tree that it has with a harmless text there.
func FuzzGenerate(f *testing.F) {
	for i := range Places {
		for _, text := range texts {
			f.Add(i, text)
		}
	}
	harmless := map[string]map[string]string{}
	for _, place := range Places {
		text := map[string]string{"version": "2021-02-01"}[place]
		if text == "" {
			text = "harmless"
		}
		files, err := Generate(place, text)
		if err != nil {
			f.Fatalf("a harmless text as %s: %v", place, err)
		}
		harmless[place] = shapes(f, place, text, files)
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		if i < 0 {
			i = -(i + 1)
		}
		place := Places[i%len(Places)]
		files, err := Generate(place, text)
		if err != nil {
			if strings.Contains(err.Error(), "is not Go") {
				t.Errorf("%q as %s reached the printer: %v", text, place, err)
			}
			return
		}
		got := shapes(t, place, text, files)
		if !maps.Equal(harmless[place], got) && !means(place, text) && !t.Failed() {
			t.Errorf("%q as %s (-harmless +this):\n%s", text, place, cmp.Diff(harmless[place], got))
		}
	})
}

// TestSearch checks that any text can be in the search: as the name of a group, a kind, an ARM type or a type. A
// property has a name without such texts, from which its anchor is made.
func TestSearch(t *testing.T) {
	empty := page.Templates(`{{define "empty"}}{{template "top" .}}<p id="spec"></p></main>{{end}}`)
	for _, text := range texts {
		cart, err := page.Write(empty, "empty", page.Page{Root: "../..", Title: text})
		if err != nil {
			t.Fatal(err)
		}
		group := page.Group{
			Folder: "shop", Name: text, Kinds: []page.Kind{{Name: text, ARMType: text, Folder: "cart", Newest: page.Link{Text: text}}},
		}
		pages := []any{[]any{text, []any{[]any{"cart/index.html", []any{"spec"}}}}}
		sitetest.Check(t, sitetest.Of(t, group, map[string][]byte{
			page.Index: bytes.ReplaceAll(cart, []byte("../.."), []byte("..")), "cart/" + page.Index: cart,
			page.SearchFile: page.Call("properties", text, pages, pages),
		}))
		if t.Failed() {
			t.Fatalf("with %q", text)
		}
	}
}

// shapes returns the shape of what was generated, by file. It reports what no text
// may bring about.
func shapes(t testing.TB, place, text string, files map[string][]byte) map[string]string {
	all, pages := map[string]string{}, map[string][]byte{}
	for name, content := range files {
		errorf := func(format string, args ...any) {
			t.Errorf("%q as %s: %s: %s\n%s", text, place, name, fmt.Sprintf(format, args...), content)
		}
		switch path.Ext(name) {
		case ".go":
			if place == "version" { // it is in the names of packages
				name = path.Base(name)
			}
			all[name] += shapeOfGo(content, errorf)
		case ".yaml":
			switch {
			case strings.Contains(name, "_"):
				all[name] = shapeOfCRD(content, errorf)
			case strings.HasSuffix(name, ".policies.yaml"):
				all[name] = shapeOfPolicies(content, errorf)
			default:
				all[name] = string(content) // nothing of a spec is in a kustomization
			}
		case ".md":
			checkMarkdown(string(content), errorf)
		case ".html", ".js", ".css":
			pages[strings.TrimPrefix(name, "site/")] = content
		}
	}
	sitetest.Check(t, pages)
	return all
}

var (
	directive = regexp.MustCompile(`^//(go:noinline|go:build !ignore_autogenerated)?$`)
	marker    = regexp.MustCompile(`^// \+(kubebuilder:|listType=|listMapKey=|groupName=)`)
)

// shapeOfGo returns the syntax tree of a file without names, texts and the order of
// its parts.
func shapeOfGo(content []byte, errorf func(string, ...any)) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.ParseComments)
	if err != nil {
		errorf("%v", err)
		return ""
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			bare := strings.TrimPrefix(c.Text, "//")
			switch {
			case strings.HasPrefix(c.Text, "// +") && !marker.MatchString(c.Text),
				bare != "" && bare[0] != ' ' && bare[0] != '\t' && !directive.MatchString(c.Text):
				errorf("the comment %q", c.Text)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if n.Tag != nil {
				checkTag(n.Tag.Value, errorf)
			}
		case *ast.Ident:
			if !token.IsIdentifier(n.Name) && n.Name != "_" {
				errorf("the identifier %q", n.Name)
			}
		}
		return true
	})
	return shapeOf(reflect.ValueOf(file.Decls))
}

var tagKeys = []string{"arm", "json", "listMapKey"}

// checkTag checks that a tag has nothing but the known keys, each once.
func checkTag(literal string, errorf func(string, ...any)) {
	tag, err := strconv.Unquote(literal)
	if err != nil {
		errorf("the tag %s: %v", literal, err)
		return
	}
	seen := map[string]bool{}
	for rest := tag; rest != ""; {
		key, value, _ := strings.Cut(strings.TrimPrefix(rest, " "), ":")
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil || !slices.Contains(tagKeys, key) || seen[key] {
			errorf("the tag %s", literal)
			return
		}
		seen[key] = true
		rest = strings.TrimPrefix(value, quoted)
	}
	if json := reflect.StructTag(tag).Get("json"); strings.ContainsFunc(json, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(",$", r)
	}) {
		errorf("the JSON name %q", json)
	}
}

// shapeOf returns the shape of a part of a syntax tree.
func shapeOf(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return shapeOf(v.Elem())
	case reflect.Slice:
		var parts []string
		for i := range v.Len() {
			parts = append(parts, shapeOf(v.Index(i)))
		}
		slices.Sort(parts)
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[ast.CommentGroup]() || v.Type() == reflect.TypeFor[ast.Object]() {
			return ""
		}
		text := v.Type().Name() + "{"
		for i := range v.NumField() {
			text += shapeOf(v.Field(i)) + ","
		}
		return text + "}"
	case reflect.Int:
		if tok, ok := v.Interface().(token.Token); ok {
			return tok.String()
		}
	}
	return ""
}

// shapeOfCRD returns the tree of a CRD without texts and names of properties.
func shapeOfCRD(content []byte, errorf func(string, ...any)) string {
	text, err := yaml.YAMLToJSONStrict(content)
	if err != nil {
		errorf("%v", err)
		return ""
	}
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(new(apiextensionsv1.CustomResourceDefinition)); err != nil {
		errorf("%v", err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		errorf("%v", err)
	}
	return shapeOfTree(tree, false)
}

// textOfCEL matches a string literal of CEL.
var textOfCEL = regexp.MustCompile(`"(\\.|[^"\\])*"|'(\\.|[^'\\])*'`)

// shapeOfPolicies returns admission policies and their bindings without the texts in
// their expressions, which hold the values of open enums and names of properties.
func shapeOfPolicies(content []byte, errorf func(string, ...any)) string {
	var shape strings.Builder
	for document := range strings.SplitSeq(string(content), "\n---\n") {
		var tree any
		if err := yaml.UnmarshalStrict([]byte(document), &tree); err != nil {
			errorf("%v", err)
			return ""
		}
		fmt.Fprintln(&shape, withoutTexts(tree))
	}
	return shape.String()
}

// withoutTexts replaces the string literals in all strings of a tree.
func withoutTexts(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			value[key] = withoutTexts(member)
		}
	case []any:
		for i, item := range value {
			value[i] = withoutTexts(item)
		}
	case string:
		// A message is cut where the values that it lists are long.
		return strings.ReplaceAll(textOfCEL.ReplaceAllString(value, "text"), ".substring(0, 400) + text", "")
	}
	return value
}

func shapeOfTree(value any, named bool) string {
	var parts []string
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			switch {
			case named:
				parts = append(parts, "property: "+shapeOfTree(member, false))
			case key == "description" || key == "pattern" || key == "name":
			default:
				parts = append(parts, key+": "+shapeOfTree(member, key == "properties"))
			}
		}
	case []any:
		for _, item := range value {
			parts = append(parts, shapeOfTree(item, false))
		}
	default:
		return fmt.Sprintf("%T", value)
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, " ") + "}"
}

var (
	codeSpan = regexp.MustCompile("`` .*? ``|``` .*? ```|`[^`]+`")
	escaped  = regexp.MustCompile("\\\\[\\\\`(|]")
	ownHTML  = regexp.MustCompile(`</?(details|summary)>`)
	ownLink  = regexp.MustCompile(`\]\((#[a-z]+|graph\.dot)\)`)
)

// checkMarkdown checks that a page has no markup but its own.
func checkMarkdown(page string, errorf func(string, ...any)) {
	for line := range strings.Lines(page) {
		rest := codeSpan.ReplaceAllString(escaped.ReplaceAllString(line, ""), "")
		rest = ownLink.ReplaceAllString(ownHTML.ReplaceAllString(rest, ""), "")
		if strings.ContainsAny(rest, "<`") || strings.Contains(rest, "](") ||
			strings.ContainsFunc(line, func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) }) {
			errorf("the line %q", line)
		}
	}
}
