// Package planner makes the plan of a service group from the shapes of all API
// versions and group.yaml: which storage version of a resource is the hub, which
// neighbour each storage version converts with, where a Status is borrowed, which
// changes nobody has assessed, and which hooks are called. Its function is [Build].
package planner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/match"
	"github.com/armature-dev/armature/internal/bazel"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// Options is the input of a group's plan.
type Options struct {
	// Group is the Kubernetes API group, such as "cache.azure.armature.dev".
	Group string
	// Provider is the ARM resource provider.
	Provider string
	// Dir is the group's folder, such as "apis/cache", for messages.
	Dir string
	// ImportPrefix precedes a package's name in its import path.
	ImportPrefix string
	// Patterns name the API versions.
	Patterns naming.Patterns
	// Config is the group.yaml.
	Config *config.Group
	// Versions are all API versions, in the shaped form.
	Versions []*ir.Version
	// Hooks are the hand-written methods that have the names of hooks.
	Hooks []plan.HookSource
}

// Build returns the plans of all packages of a group, sorted by name. The order of
// o.Versions does not matter. The error lists everything that is wrong.
func Build(o Options) ([]*plan.Package, error) {
	packages, err := matched(o)
	if err != nil {
		return nil, err
	}
	return plans(packages), nil
}

// plans returns the plan files of packages.
func plans(packages []*match.Package) []*plan.Package {
	plans := make([]*plan.Package, len(packages))
	for i, p := range packages {
		plans[i] = p.Package
	}
	return plans
}

// matched returns the planned packages with the choices that decided how their types
// convert.
func matched(o Options) ([]*match.Package, error) {
	b := &builder{Options: o, names: map[string]string{}, packages: map[string]*match.Package{}, graphs: map[string]*Graph{}}
	b.Versions = slices.Clone(o.Versions)
	slices.SortFunc(b.Versions, func(x, y *ir.Version) int { return naming.CompareVersions(x.APIVersion, y.APIVersion) })
	for _, step := range []func(){b.addPackages, b.checkEncodings, b.addResources, b.checkImports, b.addNames,
		b.borrowStatuses, b.addNeighbours, b.addRecalls, b.checkUsed, b.addWaivers, b.addPairs, b.checkDefaults} {
		step()
		if b.errs.Err() != nil {
			break
		}
	}
	b.errs.Merge(b.ignored.Err())
	if err := b.errs.Err(); err != nil {
		return nil, err
	}
	return b.sorted(), nil
}

// builder builds the plan of a group step by step.
type builder struct {
	Options
	errs diag.List
	// ignored are errors after which later steps still make sense, and may find more.
	ignored diag.List
	// names are the Kubernetes names by API version.
	names    map[string]string
	packages map[string]*match.Package
	graphs   map[string]*Graph // by kind
	shapes   map[*match.Package]*ir.Version
	changes  *changes
	// plain are the pairs of storage packages without the shapes that bags bring.
	plain map[*match.Package][]plan.NeighbourPairs
}

func (b *builder) sorted() []*match.Package {
	return slices.SortedFunc(maps.Values(b.packages), func(x, y *match.Package) int { return cmp.Compare(x.Name, y.Name) })
}

// errorf adds an error at an entry of group.yaml.
func (b *builder) errorf(path []any, format string, args ...any) {
	line, column := b.Config.Position(path...)
	b.errs.Addf(b.Config.File, line, column, format, args...)
}

// ignoref adds an error after which later steps still make sense.
func (b *builder) ignoref(path []any, format string, args ...any) {
	line, column := b.Config.Position(path...)
	b.ignored.Addf(b.Config.File, line, column, format, args...)
}

func (b *builder) version(apiVersion string) *ir.Version {
	for _, v := range b.Versions {
		if v.APIVersion == apiVersion {
			return v
		}
	}
	return nil
}

// addPackages makes the two packages of each API version. They exist even if the
// version has no resource, because the build declares them before it reads a spec.
func (b *builder) addPackages() {
	versions := make([]string, len(b.Versions))
	for i, v := range b.Versions {
		versions[i] = v.APIVersion
	}
	names, err := b.Patterns.Names(versions)
	b.errs.Merge(err)
	if err != nil {
		return
	}
	for i, v := range versions {
		b.names[v] = names[i]
		b.addPackage(v, names[i], false)
	}
	for i, v := range b.Config.Retired {
		if name, known := b.names[v]; known {
			b.packages[name].Retired = true
		} else {
			b.ignoref([]any{"retired", i}, "the group has no version %s%s", v, diag.DidYouMean(v, versions))
		}
	}
	if v := b.Config.HubNotAfter; v != "" && b.names[v] == "" {
		b.errorf([]any{"hubNotAfter"}, "the group has no version %s%s", v, diag.DidYouMean(v, versions))
	}
}

// addPackage makes an API package and its storage package.
func (b *builder) addPackage(apiVersion, name string, alias bool) {
	for _, role := range []plan.Role{plan.API, plan.Storage} {
		if role == plan.Storage {
			name = apiversion.Storage(name)
		}
		p := &match.Package{Package: &plan.Package{
			Group: b.Group, Provider: b.Provider, APIVersion: apiVersion,
			Name: name, ImportPath: b.importPath(name),
			Role: role, Alias: alias, Resources: []plan.Resource{},
		}}
		if alias {
			p.Twin = b.importPath(apiversion.Storage(b.names[apiVersion]))
		}
		b.packages[name] = p
	}
}

func (b *builder) importPath(pkg string) string {
	return strings.TrimSuffix(b.ImportPrefix, "/") + "/" + pkg
}

// apiName returns the name of the API package of a node.
func (b *builder) apiName(n Node) string {
	if n.Alias == "" {
		return b.names[n.APIVersion]
	}
	v, _ := naming.ParseVersion(n.APIVersion) // NewGraph has parsed it before
	return naming.Alias(n.Alias, v)
}

// storageName returns the name of the storage package of a node.
func (b *builder) storageName(n Node) string { return apiversion.Storage(b.apiName(n)) }

// checkEncodings adds an error for each secret that is bytes at one version and text at
// another: the same Secret would be sent in two ways.
func (b *builder) checkEncodings() {
	type use struct {
		version  string
		encoding ir.Encoding
	}
	first := map[string]use{}
	for _, v := range b.Versions {
		for _, t := range v.Types {
			for _, p := range t.Properties {
				if p.Type.Primitive != ir.Secret {
					continue
				}
				property := naming.Common(t.Name) + "." + naming.JSON(p.ARMName())
				before, known := first[property]
				if !known {
					first[property] = use{v.APIVersion, p.Encoding}
				} else if before.encoding != p.Encoding {
					b.ignoref([]any{"properties"}, "the secret %s is %s at %s and %s at %s; mark it in group.yaml: base64 or "+
						"{not: base64, why: …}", property, textOf(before.encoding), before.version, textOf(p.Encoding), v.APIVersion)
				}
			}
		}
	}
}

// textOf returns what an encoding says that a value is, for messages.
func textOf(e ir.Encoding) string {
	if e == "" {
		return "text"
	}
	return "bytes in " + string(e)
}

// addResources puts each exported resource into the packages that have it.
func (b *builder) addResources() {
	for _, armType := range slices.Sorted(maps.Keys(b.Config.Exports)) {
		b.addResource(armType, b.Config.Exports[armType])
	}
	for _, p := range b.packages {
		slices.SortFunc(p.Resources, func(x, y plan.Resource) int { return cmp.Compare(x.Kind, y.Kind) })
	}
}

func (b *builder) addResource(armType string, export *config.Export) {
	entry := []any{"exports", armType}
	var versions []string
	for _, v := range b.Versions {
		if v.Resource(armType) != nil {
			versions = append(versions, v.APIVersion)
		}
	}
	if len(versions) == 0 {
		b.errorf(entry, "no version has the resource type %s%s; if the specs have it, the facts of the versions are older than "+
			"this entry, and this reads the specs: %s", armType, b.nearestType(armType), bazel.UpdateFacts(b.Dir))
		return
	}
	history := History{Versions: versions, HubNotAfter: b.Config.HubNotAfter}
	if b.existsAt(append(entry, "hub"), armType, export.Hub, versions) {
		history.Hub = export.Hub
	}
	for i, alias := range export.Aliases {
		for j, v := range alias.Versions {
			if b.existsAt(append(entry, "aliases", i, "versions", j), armType, v, versions) {
				history.Aliases = append(history.Aliases, Node{v, alias.Prefix})
			}
		}
	}
	graph, err := NewGraph(history)
	if err != nil {
		b.errorf(entry, "%v", err)
		return
	}
	b.graphs[export.Kind] = graph
	b.place(armType, export, graph.Hub, Node{})
	for node, next := range graph.Next {
		b.place(armType, export, node, next)
	}
}

// checkImports adds an error for each resource whose chosen hub makes packages
// import each other in a cycle. Without chosen hubs there is no cycle; see [NewGraph].
func (b *builder) checkImports() {
	type link struct{ kind, to string }
	imports := map[string][]link{}
	for _, kind := range slices.Sorted(maps.Keys(b.graphs)) {
		for from, to := range b.graphs[kind].Next {
			imports[b.storageName(from)] = append(imports[b.storageName(from)], link{kind, b.storageName(to)})
		}
	}
	// kindsBetween returns the kinds whose links lead from a package to another.
	var kindsBetween func(from, to string, seen map[string]bool) []string
	kindsBetween = func(from, to string, seen map[string]bool) []string {
		seen[from] = true
		for _, l := range imports[from] {
			if l.to == to {
				return []string{l.kind}
			}
			if !seen[l.to] {
				if rest := kindsBetween(l.to, to, seen); rest != nil {
					return append([]string{l.kind}, rest...)
				}
			}
		}
		return nil
	}
	for _, armType := range slices.Sorted(maps.Keys(b.Config.Exports)) {
		export := b.Config.Exports[armType]
		if export.Hub == "" {
			continue
		}
		next := b.graphs[export.Kind].Next
		for _, from := range slices.SortedFunc(maps.Keys(next), Node.compare) {
			back := kindsBetween(b.storageName(next[from]), b.storageName(from), map[string]bool{})
			back = slices.DeleteFunc(back, func(kind string) bool { return kind == export.Kind })
			if len(back) == 0 {
				continue
			}
			b.errorf([]any{"exports", armType, "hub"}, "with the hub %s, %s converts from version %s to %s, and %s "+
				"converts the other way, so that the two packages would import each other; remove this hub, or "+
				"choose one for all resources with: hubNotAfter: %s",
				export.Hub, export.Kind, from.APIVersion, next[from].APIVersion, back[0], export.Hub)
			break
		}
	}
}

// nearestType returns a suggestion of a resource type that some version has, or "".
func (b *builder) nearestType(armType string) string {
	// Only the names are compared: with the provider, all types would look alike.
	provider, name, _ := strings.Cut(armType, "/")
	var names []string
	for _, v := range b.Versions {
		for _, r := range v.Resources {
			_, name, _ := strings.Cut(r.Type, "/")
			names = append(names, name)
		}
	}
	if nearest := diag.Nearest(name, names); nearest != "" {
		return diag.DidYouMean(armType, []string{provider + "/" + nearest})
	}
	return ""
}

// existsAt reports whether a resource exists at a version that group.yaml names for
// it, if any, and adds an error if not.
func (b *builder) existsAt(path []any, armType, apiVersion string, versions []string) bool {
	if apiVersion == "" || slices.Contains(versions, apiVersion) {
		return true
	}
	b.ignoref(path, "%s does not exist at version %s%s", armType, apiVersion, diag.DidYouMean(apiVersion, versions))
	return false
}

// place adds a resource to the API and the storage package of a node. The hub has no
// next node.
func (b *builder) place(armType string, export *config.Export, node, next Node) {
	api, storage := b.apiName(node), b.storageName(node)
	switch p := b.packages[api]; {
	case p == nil:
		b.addPackage(node.APIVersion, api, true)
	case p.Alias != (node.Alias != "") || p.Role != plan.API:
		b.errorf([]any{"exports", armType, "aliases"}, "the alias of %s comes to the name %s, which version %s has "+
			"already; give the aliases another prefix than %q", node.APIVersion, api, p.APIVersion, node.Alias)
		return
	}
	service, _, _ := strings.Cut(b.Group, ".")
	resource := plan.Resource{
		Kind:     export.Kind,
		Plural:   cmp.Or(export.Plural, naming.Plural(export.Kind)),
		Singular: naming.Singular(export.Kind),
		ARMType:  armType,
	}
	inStorage := resource
	if next == (Node{}) {
		inStorage.Hub = true
	} else {
		inStorage.Next = b.storageName(next)
	}
	b.packages[storage].Resources = append(b.packages[storage].Resources, inStorage)

	inAPI := resource
	inAPI.Next = storage
	inAPI.ShortNames = export.ShortNames
	inAPI.Categories = []string{"azure", service}
	inAPI.Collections = b.version(node.APIVersion).Resource(armType).Collections
	for _, alias := range export.Aliases {
		if alias.Prefix == node.Alias {
			inAPI.Until = alias.Until
		}
	}
	if successor := b.successor(armType, node); successor != "" {
		until := ""
		if inAPI.Until != "" {
			until = ", and release " + inAPI.Until + " does not have it any longer"
		}
		inAPI.Deprecated = fmt.Sprintf("%s/%s %s is deprecated%s; use %s", b.Group, api, export.Kind, until, successor)
	}
	b.packages[api].Resources = append(b.packages[api].Resources, inAPI)
}

// successor returns the API version that replaces a deprecated one: the twin of an
// alias, or the GA version after a preview. It returns "" if there is none.
func (b *builder) successor(armType string, node Node) string {
	if node.Alias != "" {
		return b.names[node.APIVersion]
	}
	own, _ := naming.ParseVersion(node.APIVersion)
	if !own.Preview() {
		return ""
	}
	for _, v := range b.Versions {
		parsed, _ := naming.ParseVersion(v.APIVersion)
		if !parsed.Preview() && own.Compare(parsed) < 0 && v.Resource(armType) != nil {
			return b.names[v.APIVersion]
		}
	}
	return ""
}

// shape returns the [plan.Shape] of a package, which it computes once.
func (b *builder) shape(p *match.Package) *ir.Version {
	if b.shapes == nil {
		b.shapes = map[*match.Package]*ir.Version{}
	}
	if b.shapes[p] == nil {
		b.shapes[p] = plan.Shape(p.Package, b.version(p.APIVersion))
	}
	return b.shapes[p]
}

// addNeighbours sets the neighbours of each package, and compares the package with
// each of them.
func (b *builder) addNeighbours() {
	b.changes, b.plain = newChanges(b), map[*match.Package][]plan.NeighbourPairs{}
	for _, p := range b.sorted() {
		kinds := map[string][]plan.Resource{}
		for _, r := range p.Resources {
			if r.Next != "" {
				kinds[r.Next] = append(kinds[r.Next], r)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(kinds)) {
			p.Neighbours = append(p.Neighbours, b.neighbour(p, b.packages[name], kinds[name]))
		}
		if p.Role == plan.Storage {
			b.changes.compare(p)
		}
	}
}

// neighbour returns the other package as a neighbour of p, with the types of the
// resources that both have.
func (b *builder) neighbour(p, other *match.Package, common []plan.Resource) plan.Neighbour {
	n := plan.Neighbour{Name: other.Name, ImportPath: other.ImportPath, APIVersion: other.APIVersion}
	if p.Role == plan.API || p.Alias {
		return n // whose storage types have the package's own shape
	}
	shape := b.shape(other)
	var roots []string
	for _, r := range common {
		resource := shape.Resource(r.ARMType)
		roots = append(roots, resource.Spec, resource.Status)
	}
	n.Types = shape.Reachable(roots...)
	return n
}

// DefaultVersion returns the version that Kubernetes serves, among those given, to a
// client that asks for none.
func DefaultVersion(versions []string) string {
	return slices.MaxFunc(versions, version.CompareKubeAwareVersionStrings)
}

// WantedDefault returns the version of a kind that Kubernetes should serve to a
// client that asks for none: the newest GA version, else the newest preview with the
// suffix "preview", else the newest other preview. With an older version such a
// client would not see the newer properties.
func WantedDefault(packages []*plan.Package, kind string) string {
	names := map[naming.Version]string{}
	for _, p := range packages {
		if v, err := naming.ParseVersion(p.APIVersion); err == nil && p.Role == plan.API && !p.Alias && !p.Retired &&
			p.Resource(kind) != nil {
			names[v] = p.Name
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[slices.MaxFunc(slices.Collect(maps.Keys(names)), naming.Version.CompareDefault)]
}

// checkDefaults adds an error for each kind of which Kubernetes would serve another
// version by default than [WantedDefault].
func (b *builder) checkDefaults() {
	packages := plans(b.sorted())
	for _, kind := range slices.Sorted(maps.Keys(b.graphs)) {
		var names []string
		for _, p := range packages {
			if p.Resource(kind) != nil && !p.Retired {
				names = append(names, p.Name)
			}
		}
		if WantedDefault(packages, kind) == "" {
			b.errorf([]any{"retired"},
				"all versions of %s are retired, so it could not be served; keep one, or remove it from exports", kind)
			continue
		}
		if got, want := DefaultVersion(names), WantedDefault(packages, kind); got != want {
			b.errs.Addf("", 0, 0, "Kubernetes would serve %s at version %s to a client that asks for none, and it "+
				"should be %s; give the group a ga_name, a preview_name and an other_preview_name that Kubernetes "+
				"sorts so, such as %s, %s and %s",
				kind, got, want, naming.Default.GA, naming.Default.Preview, naming.Default.OtherPreview)
		}
	}
}
