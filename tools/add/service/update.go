package service

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bazelbuild/buildtools/build"
	"go.yaml.in/yaml/v3"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan/lock"
)

// Update says which version to add to a group of the repository.
type Update struct {
	// Root is the folder of the repository.
	Root string
	// Specs is the folder of the published specs.
	Specs Specs
	// Group is the name of the folder below apis.
	Group string
	// APIVersion is ARM's name of the version.
	APIVersion string
}

// PlanUpdate returns what an update changes. What persons wrote in BUILD.bazel and
// group.yaml stays as it is: an update adds entries. It changes nothing if the
// group has the version. It writes nothing.
func PlanUpdate(u Update) (*Change, error) {
	existing, err := groups(u.Root)
	if err != nil {
		return nil, fmt.Errorf("%s has no folder apis: run this in the repository", u.Root)
	}
	if !slices.Contains(existing, u.Group) {
		return nil, fmt.Errorf("there is no group %s%s; to add a provider, leave --version out", u.Group,
			diag.DidYouMean(u.Group, existing))
	}
	g := &group{specs: u.Specs, name: u.Group, kinds: map[string]string{}}
	file, err := readBuild(u.Root, g)
	if err != nil {
		return nil, err
	}
	if g.documents[u.APIVersion] != nil {
		return &Change{Group: g.dir(), versions: g.apiVersions()}, nil
	}
	yamlFile := g.dir() + "/group.yaml"
	text, err := os.ReadFile(filepath.Join(u.Root, filepath.FromSlash(yamlFile)))
	if err != nil {
		return nil, err
	}
	decisions, err := config.Parse(yamlFile, text)
	if err != nil {
		return nil, err
	}
	g.decided = decisions.Load()
	g.kinds = g.decided.Exports
	if g.locked, _, err = lock.Read(filepath.Join(u.Root, g.dir(), "lock.bzl")); err != nil {
		return nil, err
	}
	before, known, err := g.undecided()
	if err != nil {
		return nil, err
	}
	if err := g.addVersion(u.APIVersion); err != nil {
		return nil, err
	}
	shaped, err := g.decide(u.Root, known)
	if err != nil {
		return nil, err
	}
	if text, err = g.extend(yamlFile, text, outputEntries(before, shaped, g.decided.Outputs)); err != nil {
		return nil, err
	}
	if decisions, err = config.Parse(yamlFile, text); err != nil {
		return nil, err
	}
	_, packages, err := g.plan(decisions, shaped)
	if err != nil {
		return nil, err
	}
	locked, err := lock.New(packages, g.locked).Format(g.dir())
	if err != nil {
		return nil, err
	}
	files, err := g.edits(u.Root)
	if err != nil {
		return nil, err
	}
	files[g.dir()+"/BUILD.bazel"] = file.with(g, u.APIVersion)
	files[yamlFile] = text
	files[g.dir()+"/lock.bzl"] = locked
	baseline := lock.FormatBaseline(packages, g.dir())
	files[g.dir()+"/baseline.txt"] = baseline
	return &Change{
		Files: files, Group: g.dir(), versions: g.apiVersions(),
		kinds: g.kinds, names: g.lockedNames(), proposals: g.proposals, unassessed: entries(baseline),
	}, nil
}

// addVersion adds the documents of a version that describe resource types of the
// group.
func (g *group) addVersion(apiVersion string) error {
	provider, docs, err := g.specs.Provider(g.provider)
	if err != nil {
		return err
	}
	if docs[apiVersion] == nil {
		var names []string
		for name := range docs {
			names = append(names, name)
		}
		slices.SortFunc(names, naming.CompareVersions)
		return fmt.Errorf("the specs have no version %s of %s; they have %s", apiVersion, provider, strings.Join(names, ", "))
	}
	v, err := g.specs.Version(provider, apiVersion, docs[apiVersion])
	if err != nil {
		return err
	}
	for doc, types := range v.Types {
		for _, t := range types {
			exported := func(export string) bool { return strings.EqualFold(export, t) }
			if slices.ContainsFunc(g.types(), exported) && !slices.Contains(g.documents[apiVersion], doc) {
				g.documents[apiVersion] = append(g.documents[apiVersion], doc)
			}
		}
	}
	slices.Sort(g.documents[apiVersion])
	if g.documents[apiVersion] == nil {
		return fmt.Errorf("version %s of %s has none of the group's resource types, %s", apiVersion, provider,
			strings.Join(g.types(), ", "))
	}
	return nil
}

// types returns the resource types of the group, sorted.
func (g *group) types() []string {
	var types []string
	for t := range g.kinds {
		types = append(types, t)
	}
	slices.SortFunc(types, compareFolded)
	return types
}

// undecided returns the shaped form of the versions that the group has, and the
// properties that look like references or secrets there, and on which somebody chose
// not to decide.
func (g *group) undecided() (shaped []*ir.Version, known map[string]bool, err error) {
	if err := g.read(); err != nil {
		return nil, nil, err
	}
	if shaped, err = g.shape(); err != nil {
		return nil, nil, err
	}
	known = map[string]bool{}
	for _, p := range propose(shaped, Experience{reference: {}, secret: {}}, g.idsInExamples(shaped)) {
		known[p.property] = true
	}
	return shaped, known, nil
}

// extend adds the new proposals to a group.yaml, at the end of each list, and outputs
// at the end of the outputs.
func (g *group) extend(file string, text []byte, outputs string) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	lines := strings.SplitAfter(strings.TrimRight(string(text), "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	after := map[int]string{} // what to insert, by the number of lines before it
	add := func(key, entries, comments string) {
		at := lastLine(&document, key)
		switch {
		case entries == "" && comments == "":
		case at == 0 && entries != "":
			after[len(lines)] += "\n" + key + ":\n" + entries + comments
		case at == 0:
			after[len(lines)] += "\n" + comments
		default:
			after[at] += entries + comments
		}
	}
	for _, k := range []kind{reference, secret} {
		yes, none, open := k.entries(g.proposals)
		if open != "" {
			open = k.question() + open
		}
		add(words[k].list, yes, open)
		add(words[k].opposite, none, "")
	}
	if outputs != "" {
		if lastLine(&document, "outputs") == 0 {
			outputs = "#outputs:\n" + outputs
		}
		add("outputs", "", outputQuestion+outputs)
	}
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(line)
		b.WriteString(after[i+1])
	}
	return []byte(b.String()), nil
}

// lastLine returns the number of the last line of the list with a key, or 0 if
// there is no such list.
func lastLine(document *yaml.Node, key string) int {
	if len(document.Content) == 0 {
		return 0
	}
	members := document.Content[0].Content
	for i := 0; i+1 < len(members); i += 2 {
		if members[i].Value == key && members[i+1].Style&yaml.FlowStyle == 0 {
			return deepest(members[i+1])
		}
	}
	return 0
}

// deepest returns the number of the last line on which a node of a tree begins.
func deepest(n *yaml.Node) int {
	line := n.Line
	for _, child := range n.Content {
		line = max(line, deepest(child))
	}
	return line
}

// buildFile is the BUILD.bazel of an existing group.
type buildFile struct {
	file      *build.File
	versions  *build.DictExpr
	constants map[string]string // the values of the file's strings, by name
}

// readBuild reads the BUILD.bazel of a group of published specs, and sets the
// group's provider and documents.
func readBuild(root string, g *group) (*buildFile, error) {
	name := g.dir() + "/BUILD.bazel"
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	b := &buildFile{constants: map[string]string{}}
	if b.file, err = build.ParseBuild(name, text); err != nil {
		return nil, err
	}
	for _, statement := range b.file.Stmt {
		if assign, ok := statement.(*build.AssignExpr); ok {
			if ident, ok := assign.LHS.(*build.Ident); ok {
				b.constants[ident.Name] = b.text(assign.RHS)
			}
		}
	}
	rules := b.file.Rules("arm_service_group")
	if len(rules) != 1 {
		return nil, fmt.Errorf("%s has %d arm_service_group, expected one", name, len(rules))
	}
	if rules[0].AttrString("specs") != "published" {
		return nil, fmt.Errorf("%s: the specs of this group are in the tree; add the version to its versions by hand", name)
	}
	g.provider = rules[0].AttrString("provider")
	b.versions, _ = rules[0].Attr("versions").(*build.DictExpr)
	if b.versions == nil {
		return nil, fmt.Errorf("%s: versions is no dictionary", name)
	}
	g.documents = map[string][]string{}
	for _, entry := range b.versions.List {
		docs, ok := b.list(entry.Value)
		if !ok {
			return nil, fmt.Errorf("%s: the documents of version %s are no list of strings", name, b.text(entry.Key))
		}
		for _, doc := range docs {
			if _, after, found := strings.Cut(doc, ":"); found {
				doc = after
			}
			g.documents[b.text(entry.Key)] = append(g.documents[b.text(entry.Key)], doc)
		}
	}
	return b, nil
}

// list returns the values of a list of strings, or of one that is made of another one
// by [_STABLE + d for d in ["a.json", "b.json"]].
func (b *buildFile) list(e build.Expr) (values []string, ok bool) {
	switch e := e.(type) {
	case *build.ListExpr:
		for _, item := range e.List {
			values = append(values, b.text(item))
		}
		return values, true
	case *build.Comprehension:
		if len(e.Clauses) != 1 {
			return nil, false
		}
		loop, isLoop := e.Clauses[0].(*build.ForClause)
		if !isLoop {
			return nil, false
		}
		variable, isIdent := loop.Vars.(*build.Ident)
		all, isList := b.list(loop.X)
		if !isIdent || !isList {
			return nil, false
		}
		inner := &buildFile{constants: maps.Clone(b.constants)}
		for _, value := range all {
			inner.constants[variable.Name] = value
			values = append(values, inner.text(e.Body))
		}
		return values, true
	}
	return nil, false
}

// text returns the value of a string, of a constant, or of a sum of these.
func (b *buildFile) text(e build.Expr) string {
	switch e := e.(type) {
	case *build.StringExpr:
		return e.Value
	case *build.Ident:
		return b.constants[e.Name]
	case *build.BinaryExpr:
		if e.Op == "+" {
			return b.text(e.X) + b.text(e.Y)
		}
	}
	return ""
}

// with returns the file with a version of the group added.
func (b *buildFile) with(g *group, apiVersion string) []byte {
	list := &build.ListExpr{}
	for _, doc := range g.documents[apiVersion] {
		list.List = append(list.List, b.expression(doc))
	}
	at := slices.IndexFunc(b.versions.List, func(e *build.KeyValueExpr) bool {
		return naming.CompareVersions(b.text(e.Key), apiVersion) > 0
	})
	if at < 0 {
		at = len(b.versions.List)
	}
	list.ForceMultiLine = len(list.List) > 1
	b.versions.List = slices.Insert(b.versions.List, at, &build.KeyValueExpr{Key: &build.StringExpr{Value: apiVersion}, Value: list})
	return build.Format(b.file)
}

// expression returns the name of a document, with the longest constant that it
// begins with.
func (b *buildFile) expression(doc string) build.Expr {
	constant := ""
	for name, value := range b.constants {
		if value != "" && strings.HasPrefix(doc, value) && len(value) > len(b.constants[constant]) {
			constant = name
		}
	}
	if constant == "" {
		return &build.StringExpr{Value: doc}
	}
	return &build.BinaryExpr{
		X: &build.Ident{Name: constant}, Op: "+",
		Y: &build.StringExpr{Value: strings.TrimPrefix(doc, b.constants[constant])},
	}
}
