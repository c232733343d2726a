package service

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/generator/renames"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/armature-dev/armature/tools/specs/layout"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// group is a service group that is being added.
type group struct {
	in       Repository
	specs    Specs
	provider string
	name     string // of its folder
	apiGroup string // its Kubernetes API group
	// sharesDomain reports whether apiGroup ends with the DOMAIN of all groups.
	sharesDomain bool
	// importPath is the Go import path of its folder.
	importPath string
	// inTree reports whether the specs are in the repository.
	inTree bool
	// documents are those of each version that describe its resources, and refs the files
	// that they refer to. Names are relative to the folder of the specs or to the
	// repository. formats has the formats that BUILD.bazel gives to some.
	documents, refs map[string][]string
	formats         map[string]string
	kinds           map[string]string // by resource type
	// decided has the content of the group.yaml of an existing group, or is nil.
	decided *config.Load
	// locked is the lock of an existing group, or an empty one.
	locked *lock.Lock
	// proposals are those that group.yaml does not have yet.
	proposals []proposal
	// untypings are for kinds whose CRDs are large.
	untypings []crd.Untyping
	// removals are the proposed changes: what disappears from one version to another.
	removals []config.Change
	// raw has the versions as the specs have them, in order, and used the files that
	// they come from.
	raw  []*ir.Version
	used map[string][]byte
	// known has the facts of the versions as the group has them, for the exported types,
	// and written the texts of their files.
	known   map[string]*ir.Version
	written map[string]string
	// evidence has the Swagger documents of the checkout that describe its types, by version.
	evidence map[string][]string
	// swagger has the shaped form of these, the newest version first.
	swagger []*ir.Version
	// consulted has these documents, the files that they refer to, and the examples of which
	// samples have values.
	consulted map[string][]byte
	// own has the marks of group.yaml that are made anew, by property.
	own map[string][]config.Mark
	// evident has those that Swagger's evidence speaks for, and that never go by themselves, and kept
	// those of them for which the newest Swagger does not speak, with the place.
	evident, kept []proposal
	// asked has the properties about which group.yaml has a question for a person.
	asked map[string]bool
}

// dir returns the folder of the group.
func (g *group) dir() string { return g.in.folder() + "/" + g.name }

// apiVersions returns the versions in order.
func (g *group) apiVersions() []string {
	return slices.SortedFunc(maps.Keys(g.documents), naming.CompareVersions)
}

// read reads the specs of all versions.
func (g *group) read() error {
	var errs diag.List
	g.raw, g.used, g.refs = nil, map[string][]byte{}, map[string][]string{}
	for _, v := range g.apiVersions() {
		if g.lacks(v) {
			g.raw = append(g.raw, g.known[v])
			continue
		}
		used := map[string]bool{}
		raw, err := g.readVersion(v, g.documents[v], func(name string) ([]byte, error) {
			text, err := os.ReadFile(g.file(name))
			if err == nil {
				used[path.Clean(name)], g.used[path.Clean(name)] = true, text
			}
			return text, err
		})
		errs.Merge(err)
		g.raw = append(g.raw, raw)
		g.setRefs(v, used)
	}
	return errs.Err()
}

// dropUnread drops the types that no version has once the others are exported: a type
// whose resources all have fixed names, if a document of another format lists each name.
func (g *group) dropUnread() {
	maps.DeleteFunc(g.kinds, func(armType, _ string) bool {
		return !slices.ContainsFunc(g.raw, func(v *ir.Version) bool { return v.Resource(armType) != nil })
	})
}

// readVersion reads the specs of one version.
func (g *group) readVersion(apiVersion string, names []string, read func(string) ([]byte, error)) (*ir.Version, error) {
	sources, err := g.readSources(apiVersion, names, read)
	return transform.Merge(sources, g.known[apiVersion]), err
}

// readSources reads the specs of one version, each format by itself.
func (g *group) readSources(apiVersion string, names []string, read func(string) ([]byte, error)) ([]*ir.Version, error) {
	var docs []readers.Document
	for _, name := range names {
		docs = append(docs, readers.Document{Name: name, Format: g.formats[name]})
	}
	return readers.All.Read(documents.Input{
		Provider: g.provider, APIVersion: apiVersion, Exports: g.kinds, Read: read,
	}, docs)
}

// load returns what the group decides about how specs are read.
func (g *group) load() *config.Load {
	l := &config.Load{}
	if g.decided != nil {
		*l = *g.decided
	}
	l.Exports, l.Pins, l.Properties = g.kinds, g.locked.Names, config.Properties{}
	if g.decided != nil {
		for property, marks := range g.decided.Properties {
			l.Properties[property] = slices.Clip(marks)
		}
	}
	marked, _ := g.marks()
	for property, marks := range marked {
		l.Properties[property] = append(l.Properties[property], marks...)
	}
	return l
}

// shape returns the shaped form of all versions.
func (g *group) shape() ([]*ir.Version, error) {
	var errs diag.List
	var shaped []*ir.Version
	for _, raw := range g.raw {
		v, err := transform.Shape(raw, g.load())
		errs.Merge(err)
		shaped = append(shaped, v)
	}
	return shaped, errs.Err()
}

// plan returns the plan of the group with a group.yaml, and the shaped form of all
// versions with names that the lock can keep: a property has one name at all of them.
func (g *group) plan(decisions *config.Group, shaped []*ir.Version) ([]*ir.Version, []*plan.Package, error) {
	for {
		packages, err := g.build(decisions, shaped)
		if err != nil {
			return nil, nil, err
		}
		names := lock.New(packages, nil, g.locked).Names
		if reflect.DeepEqual(names, g.locked.Names) {
			return shaped, packages, nil
		}
		g.locked.Names = names
		if shaped, err = g.shape(); err != nil {
			return nil, nil, err
		}
	}
}

// lockFile returns lock.bzl for a plan and the shaped form of all versions.
func (g *group) lockFile(packages []*plan.Package, shaped []*ir.Version) ([]byte, error) {
	digests := lock.Digests{}
	for _, v := range shaped {
		var err error
		if digests[v.APIVersion], err = transform.Digests(v); err != nil {
			return nil, err
		}
	}
	return lock.New(packages, digests, g.locked).Format(g.dir())
}

// lockedNames returns the number of names that the lock keeps.
func (g *group) lockedNames() (n int) {
	for _, names := range g.locked.Names {
		n += len(names)
	}
	return n
}

// build returns the plan of some versions.
func (g *group) build(decisions *config.Group, shaped []*ir.Version) ([]*plan.Package, error) {
	var versions []*ir.Version
	for _, v := range shaped {
		versions = append(versions, transform.API(v))
	}
	var errs diag.List
	errs.Merge(config.CheckUsed(decisions, shaped))
	packages, err := planner.Build(planner.Options{
		Group:        g.apiGroup,
		Provider:     g.provider,
		ImportPrefix: g.importPath + "/",
		Dir:          g.dir(),
		Patterns:     naming.Default,
		Config:       decisions,
		Versions:     versions,
	})
	errs.Merge(err)
	return packages, errs.Err()
}

// files returns the files of the group, by name.
func (g *group) files(shaped []*ir.Version) (map[string][]byte, error) {
	yaml, shaped, packages, err := g.planned(shaped)
	if err != nil {
		return nil, err
	}
	if shaped, err = g.untype(shaped, packages); err != nil {
		return nil, err
	}
	if len(g.untypings) > 0 {
		if yaml, shaped, packages, err = g.planned(shaped); err != nil {
			return nil, err
		}
	}
	decisions, err := config.Parse(g.dir()+"/group.yaml", yaml)
	if err != nil {
		return nil, err
	}
	if g.removals, err = renames.Propose(packages, shaped, decisions); err != nil {
		return nil, err
	}
	if len(g.removals) > 0 {
		if yaml, shaped, packages, err = g.planned(shaped); err != nil {
			return nil, err
		}
	}
	locked, err := g.lockFile(packages, shaped)
	if err != nil {
		return nil, err
	}
	build, err := g.buildFile()
	if err != nil {
		return nil, err
	}
	files, err := g.factsFiles()
	if err != nil {
		return nil, err
	}
	if err := g.addSamples(files, packages, shaped); err != nil {
		return nil, err
	}
	for name, text := range map[string][]byte{"BUILD.bazel": build, "group.yaml": yaml, "lock.bzl": locked} {
		files[g.dir()+"/"+name] = text
	}
	return files, nil
}

// planned returns group.yaml and what [group.plan] returns for a group that is new.
func (g *group) planned(shaped []*ir.Version) ([]byte, []*ir.Version, []*plan.Package, error) {
	yaml := g.yaml(shaped)
	decisions, err := config.Parse(g.dir()+"/group.yaml", yaml)
	if err != nil {
		return nil, nil, nil, err
	}
	shaped, packages, err := g.plan(decisions, shaped)
	return yaml, shaped, packages, err
}

// untype proposes untyped properties for the kinds whose CRDs are large, and
// returns the shaped form of all versions with those that a CRD cannot do without.
func (g *group) untype(shaped []*ir.Version, packages []*plan.Package) ([]*ir.Version, error) {
	meta := crd.Meta{TypeMeta: metav1.TypeMeta{}, Condition: metav1.Condition{}}
	found, err := crd.Untypings(shaped, packages, lock.New(packages, nil, &lock.Lock{}), meta)
	if err != nil {
		return nil, err
	}
	for _, u := range found {
		g.untypings = append(g.untypings, u)
		with, err := g.shape()
		if err != nil { // a secret in it that only responses have
			g.untypings = g.untypings[:len(g.untypings)-1]
			continue
		}
		shaped = with
	}
	return shaped, nil
}

// madeByAdd marks the groups that this tool made.
const madeByAdd = "add made this file"

// yaml returns group.yaml. A proposal that is not safe is a comment.
func (g *group) yaml(shaped []*ir.Version) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# What was decided about %s.\n# %s from the specs; what follows an entry speaks for it.\n\nexports:\n",
		g.provider, madeByAdd)
	for _, t := range slices.SortedFunc(maps.Keys(g.kinds), compareFolded) {
		fmt.Fprintf(&b, "  %s: {kind: %s", t, g.kinds[t])
		if p := plural(g.kinds[t]); p != "" {
			fmt.Fprintf(&b, ", plural: %s", p)
		}
		b.WriteString("}\n")
	}
	marked, open := g.marks()
	switch {
	case len(marked) > 0:
		b.WriteString("\nproperties:\n")
	case open != "":
		b.WriteString("\n#properties:\n")
	}
	for _, property := range slices.Sorted(maps.Keys(marked)) {
		b.WriteString(config.Line(property, marked[property]))
	}
	b.WriteString(open)
	if open, _ := outputEntries(nil, shaped, nil); open != "" {
		b.WriteString("\n" + outputQuestion + "#outputs:\n" + open)
	}
	if len(g.removals) > 0 {
		b.WriteString("\n" + removalQuestion + "proposedChanges:\n")
	}
	for _, r := range g.removals {
		fmt.Fprintf(&b, "  - %s\n", r.Entry())
	}
	return []byte(b.String())
}

// removalQuestion precedes the changes that add proposes.
const removalQuestion = "# Read both specs, and move each to changes: as removed, renamed or moved.\n"

// open returns the number of proposals that are not safe.
func (g *group) open() (n int) {
	for _, p := range g.proposals {
		if !p.safe {
			n++
		}
	}
	return n
}

// untyped returns proposals to mark properties as untyped: safe ones without which a CRD
// cannot be installed, and those that make room for versions to come.
func (g *group) untyped() []proposal {
	var all []proposal
	for _, u := range g.untypings {
		for _, saving := range u.Properties {
			p := proposal{property: saving.Property, safe: u.Bytes > crd.MaxBytes, Mark: config.Mark{Name: config.Untyped, Why: fmt.Sprintf(
				"saves %d of the %d bytes of %s, of which %d versions fit then", saving.Bytes, u.Bytes, u.Kind, u.Fits)}}
			if p.safe {
				p.Why += fmt.Sprintf("; an API server stores %d bytes", crd.MaxBytes)
			}
			if !contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

func compareFolded(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

// nameAPIGroup names the API group of a new group: with a domain, or "" for the one that
// the groups share.
func (g *group) nameAPIGroup(domain string) error {
	shared, err := g.in.domain()
	if err != nil {
		return err
	}
	g.sharesDomain = domain == ""
	if domain = cmp.Or(domain, shared); domain == "" {
		return fmt.Errorf("give the domain that the API group shall end with, such as --domain=azure.example.com, or write it once "+
			"for all groups: DOMAIN = \"azure.example.com\" in %s/domain.bzl", g.in.folder())
	}
	g.apiGroup = g.name + "." + domain
	return nil
}

// compareLabels orders labels as buildifier does: those of other repositories come first.
func compareLabels(a, b string) int {
	if isOther := strings.HasPrefix(a, "@"); isOther == strings.HasPrefix(b, "@") {
		return strings.Compare(a, b)
	} else if isOther {
		return -1
	}
	return 1
}

// buildFile returns BUILD.bazel, as buildifier formats it.
func (g *group) buildFile() ([]byte, error) {
	rules, specs, err := g.in.loads()
	if err != nil {
		return nil, err
	}
	prefixes := map[string]string{} // the constant of each folder of versions
	for _, v := range g.apiVersions() {
		for _, doc := range g.documents[v] {
			if folder, _, found := strings.Cut(doc, v+"/"); found {
				prefixes[folder] = ""
			}
		}
	}
	g.nameConstants(prefixes)
	var b strings.Builder
	loads := map[string]string{specs: "SPECS", rules: "arm_service_group"}
	apiGroup := fmt.Sprintf("%q", g.apiGroup)
	if g.sharesDomain {
		apiGroup = fmt.Sprintf("%q + DOMAIN", g.name+".")
		loads["//"+g.in.folder()+":domain.bzl"] = "DOMAIN"
	}
	fmt.Fprintf(&b, "\"\"\"%s.\"\"\"\n\n", g.provider)
	for _, label := range slices.SortedFunc(maps.Keys(loads), compareLabels) {
		fmt.Fprintf(&b, "load(%q, %q)\n", label, loads[label])
	}
	b.WriteString("load(\":lock.bzl\", \"LOCK\")\n")
	for _, folder := range slices.SortedFunc(maps.Keys(prefixes),
		func(a, b string) int { return strings.Compare(prefixes[a], prefixes[b]) }) {
		fmt.Fprintf(&b, "\n%s = %q\n", prefixes[folder], folder)
	}
	fmt.Fprintf(&b, "\narm_service_group(\n    name = %q,\n    config = \"group.yaml\",\n    group = %s,\n    "+
		"importpath = %q,\n    lock = LOCK,\n    provider = %q,\n    specs = SPECS,\n    versions = {\n",
		g.name, apiGroup, g.importPath, g.provider)
	for _, v := range g.apiVersions() {
		var entries []string
		for _, doc := range g.documents[v] {
			folder, file, _ := strings.Cut(doc, v+"/")
			entries = append(entries, fmt.Sprintf("%s + %q", prefixes[folder], v+"/"+file))
		}
		for _, ref := range g.refs[v] {
			entries = append(entries, fmt.Sprintf("%q", documents.Ref+":"+ref))
		}
		if len(entries) == 1 {
			fmt.Fprintf(&b, "        %q: [%s],\n", v, entries[0])
			continue
		}
		fmt.Fprintf(&b, "        %q: [\n            %s,\n        ],\n", v, strings.Join(entries, ",\n            "))
	}
	b.WriteString("    },\n)\n")
	return []byte(b.String()), nil
}

// nameConstants gives each folder of versions a constant: _STABLE and _PREVIEW for
// those of Swagger, with the name of the service in front if there are several,
// _TYPES for bicep types, and _SCHEMAS for the JSON schemas.
func (g *group) nameConstants(folders map[string]string) {
	services := map[string]bool{}
	for folder := range folders {
		if s := serviceOf(folder); s != "" {
			services[s] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		name := "_SCHEMAS"
		if strings.HasPrefix(folder, layout.TypesFolder+"/") {
			name = "_TYPES"
		}
		if service := serviceOf(folder); service != "" {
			name = "_STABLE"
			if strings.HasSuffix(folder, "/preview/") {
				name = "_PREVIEW"
			}
			if len(services) > 1 {
				name = "_" + strings.ToUpper(strings.ReplaceAll(service, "-", "_")) + name
			}
		}
		for stem, n := name, 2; slices.Contains(slices.Collect(maps.Values(folders)), name); n++ {
			name = fmt.Sprint(stem, "_", n)
		}
		folders[folder] = name
	}
}

// serviceOf returns the folder of azure-rest-api-specs/specification that a
// document or folder is in, or "".
func serviceOf(name string) string {
	rest, found := strings.CutPrefix(name, layout.SwaggerFolder+"/")
	if !found {
		return ""
	}
	service, _, _ := strings.Cut(rest, "/")
	return service
}

// services returns the folders of azure-rest-api-specs/specification that the
// group's documents are in, and the files that they refer to.
func (g *group) services() []string {
	found := map[string]bool{}
	for name := range g.used {
		if s := serviceOf(name); s != "" {
			found[s] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}
