package service

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/bazelbuild/buildtools/build"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/renames"
)

// Update says which versions to add to a group of the repository.
type Update struct {
	Repository
	// Specs is the folder of the published specs.
	Specs Specs
	// Group is the name of the group's folder, or the provider of the group.
	Group string
	// APIVersion is ARM's name of the version. If it is "", the newest versions are added.
	APIVersion string
	// Stable is how many of the newest stable versions of each exported type are added.
	Stable int
	// Preview says to add the newest preview of each exported type too, if it is newer
	// than the newest stable version.
	Preview bool
}

// PlanUpdate returns what an update changes. What persons wrote in BUILD.bazel and
// group.yaml stays as it is: an update adds entries. It changes nothing if the
// group has the versions. It writes nothing.
func PlanUpdate(u Update) (*Change, error) {
	existing, err := u.groups()
	if err != nil {
		return nil, err
	}
	if strings.Contains(u.Group, ".") {
		providers, err := u.providers()
		if err != nil {
			return nil, err
		}
		if names := providers[strings.ToLower(u.Group)]; names != nil {
			u.Group = names[0]
		}
	}
	if !slices.Contains(existing, u.Group) {
		return nil, fmt.Errorf("there is no group %s%s; the groups are %s; to add a provider, leave --version and --update out", u.Group,
			diag.DidYouMean(u.Group, existing), strings.Join(existing, ", "))
	}
	g := &group{in: u.Repository, specs: u.Specs, name: u.Group, kinds: map[string]string{}}
	file, err := g.readBuild()
	if err != nil {
		return nil, err
	}
	if g.inTree && u.APIVersion != "" {
		return nil, fmt.Errorf("%s/BUILD.bazel: the specs of this group are in the tree; add the version to its versions by hand", g.dir())
	}
	if u.APIVersion != "" && g.documents[u.APIVersion] != nil {
		return &Change{Group: g.dir(), Versions: g.apiVersions()}, nil
	}
	yamlFile := g.dir() + "/group.yaml"
	text, err := os.ReadFile(u.path(yamlFile))
	if err != nil {
		return nil, err
	}
	decisions, err := config.Parse(yamlFile, text)
	if err != nil {
		return nil, err
	}
	was, wasText := decisions, string(text)
	g.decided, g.asked = was.Load(), asked(text)
	g.kinds = g.decided.Exports
	if g.locked, _, err = lock.Read(u.path(g.dir() + "/lock.bzl")); err != nil {
		return nil, err
	}
	if err := g.readFacts(); err != nil {
		return nil, err
	}
	before, known, err := g.undecided()
	if err != nil {
		return nil, err
	}
	if err := g.retell(was, text); err != nil {
		return nil, err
	}
	added, err := g.addVersions(u)
	if err != nil {
		return nil, err
	}
	if err := g.read(); err != nil {
		return nil, err
	}
	changed, err := g.factsFiles()
	if err != nil {
		return nil, err
	}
	build := file.with(g)
	if g.inTree {
		shaped, err := g.shape()
		if err != nil {
			return nil, err
		}
		shaped, packages, err := g.plan(decisions, shaped)
		if err != nil {
			return nil, err
		}
		if err := g.addSamples(changed, packages, shaped); err != nil {
			return nil, err
		}
		if len(changed) == 0 {
			return &Change{Group: g.dir(), Versions: g.apiVersions()}, nil
		}
		return g.accepted(&Change{Files: changed}, decisions, decisions, before, shaped), nil
	}
	shaped, err := g.decide(known)
	if err != nil {
		return nil, err
	}
	outputs, asked := outputEntries(before, shaped, g.decided.Outputs)
	if text, err = g.extend(decisions, text, outputs, renamedTypes(shaped, added, decisions.Changes)); err != nil {
		return nil, err
	}
	if decisions, err = config.Parse(yamlFile, text); err != nil {
		return nil, err
	}
	shaped, packages, err := g.plan(decisions, shaped)
	if err != nil {
		return nil, err
	}
	if g.removals, err = renames.Propose(packages, shaped, decisions); err != nil {
		return nil, err
	}
	if text, err = addRemovals(decisions, text, g.removals); err != nil {
		return nil, err
	}
	if decisions, err = config.Parse(yamlFile, text); err != nil {
		return nil, err
	}
	if shaped, packages, err = g.plan(decisions, shaped); err != nil {
		return nil, err
	}
	locked, err := g.lockFile(packages, shaped)
	if err != nil {
		return nil, err
	}
	wasLocked, err := os.ReadFile(u.path(g.dir() + "/lock.bzl"))
	if err != nil {
		return nil, err
	}
	if err := g.addSamples(changed, packages, shaped); err != nil {
		return nil, err
	}
	files, err := g.edits()
	if err != nil {
		return nil, err
	}
	if len(added)+len(changed)+len(files) == 0 && build == nil && string(text) == wasText && bytes.Equal(locked, wasLocked) {
		return &Change{Group: g.dir(), Versions: g.apiVersions(), kept: g.kept}, nil
	}
	maps.Copy(files, changed)
	if build != nil {
		files[g.dir()+"/BUILD.bazel"] = build
	}
	files[yamlFile] = text
	files[g.dir()+"/lock.bzl"] = locked
	return g.accepted(&Change{
		Files: files, added: added, Undecided: Undecided{Properties: g.open(), Outputs: asked}, proposals: g.proposals,
		removals: len(g.removals), kept: g.kept, retold: differing(was.Properties, decisions.Properties),
	}, was, decisions, before, shaped), nil
}

// retell takes those marks from what is decided that are made anew: what the newest Swagger says takes the place of
// what older Swagger said. A secret that became text would be stored as text, so nothing else goes by itself.
func (g *group) retell(decisions *config.Group, text []byte) error {
	y, err := readYAML(decisions.File, text)
	if err != nil {
		return err
	}
	g.own = map[string][]config.Mark{}
	for _, p := range y.evident(decisions.Properties) {
		if slices.Contains(madeAnew, p.Name) {
			g.own[p.property] = append(g.own[p.property], p.Mark)
		} else {
			g.evident = append(g.evident, p)
		}
	}
	for property, marks := range g.decided.Properties {
		g.decided.Properties[property] = without(marks, g.own[property])
	}
	return nil
}

// differing returns the number of properties that have other marks.
func differing(a, b config.Properties) (n int) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for property := range all {
		texts := func(marks []config.Mark) (all []string) {
			for _, m := range marks {
				all = append(all, config.Line(property, []config.Mark{{Name: m.Name, Not: m.Not, Type: m.Type, Values: m.Values}}))
			}
			slices.Sort(all)
			return all
		}
		if !slices.Equal(texts(a[property]), texts(b[property])) {
			n++
		}
	}
	return n
}

// accepted adds to a change what it is about, and what it means that the facts of versions
// which the group had are others now. before and after are the shaped forms, was and is what is decided about them.
func (g *group) accepted(c *Change, was, is *config.Group, before, after []*ir.Version) *Change {
	c.isUpdate, c.samples = true, c.Files[g.samplesFile()] != nil
	c.Group, c.Versions, c.Kinds, c.names = g.dir(), g.apiVersions(), g.kinds, g.lockedNames()
	for _, v := range c.Versions {
		switch {
		case c.Files[g.factsFile(v)] == nil || slices.Contains(c.added, v):
		case g.known[v] == nil:
			c.written = append(c.written, v)
		default:
			c.facts = append(c.facts, v)
		}
	}
	if len(c.facts) > 0 {
		isNew := func(v *ir.Version) bool {
			return !slices.ContainsFunc(before, func(old *ir.Version) bool { return old.APIVersion == v.APIVersion })
		}
		c.findings, c.unknown = g.meaning(was, is, before, slices.DeleteFunc(slices.Clone(after), isNew))
	}
	return c
}

// addVersions adds the documents of the versions that an update asks for, and returns the
// versions that have new documents.
func (g *group) addVersions(u Update) ([]string, error) {
	if g.inTree {
		return nil, nil
	}
	if err := u.Specs.usable(u.Repository); err != nil {
		return nil, err
	}
	provider, docs, err := g.specs.Provider(g.provider)
	if err != nil {
		return nil, err
	}
	if err := g.follow(provider, docs); err != nil {
		return nil, err
	}
	names := slices.SortedFunc(maps.Keys(docs), naming.CompareVersions)
	o, err := g.specs.offer(provider, docs)
	if err != nil {
		return nil, err
	}
	g.evidence = swaggerDocs(g.types(), o.versions)
	if u.APIVersion == "" {
		return g.addNewest(o.versions, u), nil
	}
	if docs[u.APIVersion] == nil {
		return nil, fmt.Errorf("the specs have no version %s of %s; they have %s", u.APIVersion, provider, strings.Join(names, ", "))
	}
	v, err := g.specs.Version(provider, u.APIVersion, docs[u.APIVersion])
	if err != nil {
		return nil, err
	}
	if !g.addDocuments(v, g.types()) {
		return nil, fmt.Errorf("version %s of %s has none of the group's resource types, %s", u.APIVersion, provider,
			strings.Join(g.types(), ", "))
	}
	return []string{u.APIVersion}, nil
}

// follow replaces the documents that the specs have no longer, as after a move of the pin, by those of the same name in
// another folder of the version, and by those that describe what no other document of the version describes any more. A
// version of which nothing is found stays as it is.
func (g *group) follow(provider string, docs map[string][]string) error {
	for v, named := range g.documents {
		isGone := func(doc string) bool {
			_, err := os.Stat(g.specs.path(doc))
			return os.IsNotExist(err)
		}
		if len(docs[v]) == 0 || !slices.ContainsFunc(named, isGone) {
			continue
		}
		found := map[string]bool{}
		for _, doc := range named {
			if !isGone(doc) {
				found[doc] = true
				continue
			}
			for _, other := range docs[v] {
				if path.Base(other) == path.Base(doc) {
					found[other] = true
				}
			}
		}
		all, err := g.specs.Version(provider, v, docs[v])
		if err != nil {
			return err
		}
		g.documents[v] = slices.Sorted(maps.Keys(found))
		if known := g.known[v]; known != nil {
			var types []string
			for _, r := range known.Resources {
				types = append(types, r.Type)
			}
			g.addDocuments(all, types)
		}
		if len(g.documents[v]) == 0 {
			g.documents[v] = named
		}
	}
	return nil
}

// addNewest adds the newest versions of each type of the group.
func (g *group) addNewest(versions []*Version, u Update) []string {
	wanted := map[string][]string{} // the types that want a version
	for _, t := range g.types() {
		stable, preview := u.Stable, u.Preview
		for _, v := range slices.Backward(versions) {
			parsed, err := naming.ParseVersion(v.APIVersion)
			switch {
			case err != nil || !v.describes(t):
			case parsed.Preview() && preview:
				wanted[v.APIVersion] = append(wanted[v.APIVersion], t)
				preview = false
			case !parsed.Preview() && stable > 0:
				wanted[v.APIVersion] = append(wanted[v.APIVersion], t)
				stable, preview = stable-1, false
			}
		}
	}
	var added []string
	for _, v := range versions {
		if types := wanted[v.APIVersion]; types != nil && g.addDocuments(v, types) {
			added = append(added, v.APIVersion)
		}
	}
	return added
}

// describes reports whether a document of the version describes a type.
func (v *Version) describes(armType string) bool {
	for _, types := range v.Types {
		if slices.ContainsFunc(types, func(t string) bool { return strings.EqualFold(t, armType) }) {
			return true
		}
	}
	return false
}

// addDocuments adds the documents of a version that describe wanted types which the group
// does not have at that version: another source of the others could change what is
// published. It reports whether there are any.
func (g *group) addDocuments(v *Version, wanted []string) bool {
	has := &Version{Types: map[string][]string{}}
	for _, doc := range g.documents[v.APIVersion] {
		has.Types[doc] = v.Types[doc]
	}
	var added []string
	for doc, types := range v.Types {
		isNew := func(t string) bool {
			exported := func(export string) bool { return strings.EqualFold(export, t) }
			return slices.ContainsFunc(wanted, exported) && !has.describes(t)
		}
		if has.Types[doc] == nil && slices.ContainsFunc(types, isNew) {
			added = append(added, doc)
		}
	}
	if len(added) == 0 {
		return false
	}
	g.documents[v.APIVersion] = slices.Sorted(slices.Values(append(added, g.documents[v.APIVersion]...)))
	return true
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
	if err := g.useFacts(); err != nil {
		return nil, nil, err
	}
	if shaped, err = g.shape(); err != nil {
		return nil, nil, err
	}
	known = map[string]bool{}
	for _, p := range propose(shaped, Experience{}, g.idsInExamples(shaped)) {
		known[p.property] = true
	}
	return shaped, known, nil
}

// buildFile is the BUILD.bazel of an existing group.
type buildFile struct {
	file      *build.File
	versions  *build.DictExpr
	constants map[string]string     // the values of the file's strings, by name
	lists     map[string]build.Expr // the file's lists, by name
	entries   map[string][]string   // by version
}

// readBuild reads the BUILD.bazel of a group of published specs, and sets
// what it says of the group: names, provider and documents.
func (g *group) readBuild() (*buildFile, error) {
	name := g.dir() + "/BUILD.bazel"
	text, err := os.ReadFile(g.in.path(name))
	if err != nil {
		return nil, err
	}
	b := &buildFile{constants: map[string]string{}, lists: map[string]build.Expr{}}
	if b.file, err = build.ParseBuild(name, text); err != nil {
		return nil, err
	}
	if b.constants["DOMAIN"], err = g.in.domain(); err != nil {
		return nil, err
	}
	for _, statement := range b.file.Stmt {
		if assign, ok := statement.(*build.AssignExpr); ok {
			if ident, ok := assign.LHS.(*build.Ident); ok {
				b.constants[ident.Name], b.lists[ident.Name] = b.text(assign.RHS), assign.RHS
			}
		}
	}
	rules := b.file.Rules("arm_service_group")
	if len(rules) != 1 {
		return nil, fmt.Errorf("%s has %d arm_service_group, expected one", name, len(rules))
	}
	g.provider = rules[0].AttrString("provider")
	specs := rules[0].Attr("specs")
	g.inTree = specs == nil || stringOf(specs) == "tree"
	g.apiGroup, g.importPath = b.text(rules[0].Attr("group")), rules[0].AttrString("importpath")
	b.versions, _ = rules[0].Attr("versions").(*build.DictExpr)
	if b.versions == nil {
		return nil, fmt.Errorf("%s: versions is no dictionary", name)
	}
	g.documents, g.formats, b.entries = map[string][]string{}, map[string]string{}, map[string][]string{}
	for _, entry := range b.versions.List {
		v := b.text(entry.Key)
		entries, ok := b.list(entry.Value)
		if !ok {
			return nil, fmt.Errorf("%s: the documents of version %s are no list of strings", name, v)
		}
		b.entries[v], g.documents[v] = entries, []string{}
		for _, doc := range entries {
			format, after, found := strings.Cut(doc, ":")
			if found {
				doc = after
			}
			if g.inTree {
				doc = g.dir() + "/" + doc
			}
			if format == documents.Ref {
				continue // which reading the documents shows
			}
			if found {
				g.formats[doc] = format
			}
			g.documents[v] = append(g.documents[v], doc)
		}
	}
	return b, nil
}

// list returns the values of a list of strings, of a constant, of a sum of lists, or of
// one that is made of another one by [_STABLE + d for d in ["a.json", "b.json"]].
func (b *buildFile) list(e build.Expr) (values []string, ok bool) {
	switch e := e.(type) {
	case *build.ListExpr:
		for _, item := range e.List {
			values = append(values, b.text(item))
		}
		return values, true
	case *build.Ident:
		if b.lists[e.Name] == nil {
			return nil, false
		}
		return b.list(b.lists[e.Name])
	case *build.BinaryExpr:
		x, isList := b.list(e.X)
		y, alsoList := b.list(e.Y)
		return append(x, y...), e.Op == "+" && isList && alsoList
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
		inner := &buildFile{constants: maps.Clone(b.constants), lists: b.lists}
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

// with returns the file with the entries of the versions as the group has them, or nil if
// the file has these. A list that names the same files stays as a person wrote it.
func (b *buildFile) with(g *group) []byte {
	changed := false
	for _, v := range g.apiVersions() {
		var entries []string
		for _, doc := range g.documents[v] {
			if format := g.formats[doc]; format != "" {
				doc = format + ":" + doc
			}
			entries = append(entries, doc)
		}
		for _, ref := range g.refs[v] {
			entries = append(entries, documents.Ref+":"+ref)
		}
		if g.inTree || g.lacks(v) || sameEntries(entries, b.entries[v]) {
			continue
		}
		b.set(v, entries)
		changed = true
	}
	if !changed {
		return nil
	}
	return build.Format(b.file)
}

func sameEntries(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// set sets the entries of a version.
func (b *buildFile) set(apiVersion string, entries []string) {
	list := &build.ListExpr{ForceMultiLine: len(entries) > 1}
	for _, entry := range entries {
		list.List = append(list.List, b.expression(entry))
	}
	entry := &build.KeyValueExpr{Key: &build.StringExpr{Value: apiVersion}, Value: list}
	for _, e := range b.versions.List {
		if b.text(e.Key) == apiVersion {
			e.Value = list
			return
		}
	}
	at := slices.IndexFunc(b.versions.List, func(e *build.KeyValueExpr) bool {
		return naming.CompareVersions(b.text(e.Key), apiVersion) > 0
	})
	if at < 0 {
		at = len(b.versions.List)
	}
	b.versions.List = slices.Insert(b.versions.List, at, entry)
}

// expression returns an entry, with the longest constant that the name of its document
// begins with.
func (b *buildFile) expression(entry string) build.Expr {
	constant, format, doc := "", "", entry
	if before, after, found := strings.Cut(entry, ":"); found {
		format, doc = before+":", after
	}
	for name, value := range b.constants {
		if value != "" && strings.HasPrefix(doc, value) && len(value) > len(b.constants[constant]) {
			constant = name
		}
	}
	if constant == "" {
		return &build.StringExpr{Value: entry}
	}
	start := build.Expr(&build.Ident{Name: constant})
	if format != "" {
		start = &build.BinaryExpr{X: &build.StringExpr{Value: format}, Op: "+", Y: start}
	}
	return &build.BinaryExpr{X: start, Op: "+", Y: &build.StringExpr{Value: strings.TrimPrefix(doc, b.constants[constant])}}
}
